"""Makes tfedu/legacy/datasets/data/digits.npz of scikit-learn's file.

    python tools/digits.py …/sklearn/datasets/data/digits.csv.gz
"""

import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main(source):
    table = np.loadtxt(source, delimiter=",", dtype=np.uint8)
    images, labels = table[:, :-1].reshape(-1, 8, 8), table[:, -1]
    np.savez_compressed(ROOT / "tfedu" / "legacy" / "datasets" / "data" / "digits.npz", images=images, labels=labels)


if __name__ == "__main__":
    main(sys.argv[1])
