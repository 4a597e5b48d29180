"""Writes tfedu/engine/base/scripts.txt: which script each Unicode code point belongs to, as TensorFlow's ICU has it.

Run it with the oracle's Python. A line is a script's number (UScriptCode) and the ranges of its code points, each as the
distance from the end of the one before it and its length, in base 36; code points in no range have the script UNKNOWN.
The facts are those of Unicode's Scripts.txt (Unicode License v3).
"""

import itertools
import pathlib

import numpy as np
import tensorflow.compat.v1 as tf

TARGET = pathlib.Path(__file__).resolve().parents[1] / "tfedu" / "engine" / "base" / "scripts.txt"
UNKNOWN = 103  # USCRIPT_UNKNOWN


def main():
    with tf.Graph().as_default(), tf.Session() as session:
        codes = np.arange(0x110000, dtype=np.int32)
        scripts = session.run(tf.strings.unicode_script(codes))
    ranges = {}
    edges = [0, *(np.flatnonzero(np.diff(scripts)) + 1).tolist(), len(scripts)]
    for start, end in itertools.pairwise(edges):
        script = int(scripts[start])
        if script != UNKNOWN:
            ranges.setdefault(script, []).append((start, end))
    lines = []
    for script, found in sorted(ranges.items()):
        last, words = 0, []
        for start, end in found:
            words += [np.base_repr(start - last, 36).lower(), np.base_repr(end - start, 36).lower()]
            last = end
        lines.append(f"{script} {' '.join(words)}\n")
    TARGET.write_text("".join(lines), encoding="ascii")
    print(f"{TARGET.name}: {sum(map(len, ranges.values()))} ranges of {len(ranges)} scripts, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
