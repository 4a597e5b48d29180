"""Records random numbers of the oracle into tests/base/golden_random.json: run it with the oracle's Python.

Each case is one node (op, dtype, seeds, size) run three times in one session, its values as the hexadecimal text of
their bytes, so that the tests can compare bits.
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools" / "oracle"))

import _oracle
import numpy as np

SIZES = (0, 1, 2, 3, 4, 5, 7, 30)
SEEDS = ((1, 2), (87654321, 5), (0, 2**31 - 1), (-3, 2**40 + 1))
RANGES = (
    ("int32", -5, 1000),
    ("int32", -(2**31), 2**31 - 1),
    ("int64", -7, 2**40),
    ("int64", -(2**63), 2**63 - 1),
)
LOGITS = [[0.0, 1.0, 2.0, float("-inf")], [3.0, 1.0, 1.0, 1.0], [-2.0, 1.5, 0.5, 0.0]]


def cases(tf):
    raw = tf.raw_ops
    for seed, seed2 in SEEDS:
        seeds = {"seed": seed, "seed2": seed2}
        for size in SIZES:
            for name in ("float16", "bfloat16", "float32", "float64"):
                dtype = getattr(tf, name)
                for op in ("RandomUniform", "RandomStandardNormal", "TruncatedNormal"):
                    yield (
                        {"op": op, "dtype": name, **seeds, "size": size},
                        getattr(raw, op)(shape=[size], dtype=dtype, **seeds),
                    )
            for name, low, high in RANGES:
                dtype = getattr(tf, name)
                row = {
                    "op": "RandomUniformInt",
                    "dtype": name,
                    **seeds,
                    "size": size,
                    "low": low,
                    "high": high,
                }
                low, high = tf.constant(low, dtype), tf.constant(high, dtype)
                yield row, raw.RandomUniformInt(shape=[size], minval=low, maxval=high, **seeds)
            yield (
                {"op": "RandomShuffle", "dtype": "int64", **seeds, "size": size},
                raw.RandomShuffle(value=tf.range(size, dtype=tf.int64), **seeds),
            )
            yield (
                {"op": "Multinomial", "dtype": "int64", **seeds, "size": size, "logits": LOGITS},
                raw.Multinomial(logits=tf.constant(LOGITS), num_samples=size, **seeds),
            )


def main():
    tf = _oracle.load()
    rows, nodes = zip(*cases(tf))
    with tf.Session() as session:
        runs = [session.run(list(nodes)) for _ in range(3)]
    for i, row in enumerate(rows):
        row["runs"] = [np.ascontiguousarray(values[i]).tobytes().hex() for values in runs]
    golden = {"made_with": _oracle.versions(), "cases": len(rows), "rows": rows, "seeds": derived(tf)}
    text = (
        json.dumps(golden, indent=None, separators=(",", ":"))
        .replace('{"op"', '\n{"op"')
        .replace('"seeds"', '\n"seeds"')
    )
    (ROOT / "tests" / "base" / "golden_random.json").write_text(text + "\n")
    print(f"{len(rows)} cases")


def derived(tf):
    """[graph seed, op seed, last id, seed, seed2].

    The oracle numbers the unseeded ops of a graph 0, 1, …; TF 1.15 takes the number of nodes there. Here both are 0.
    """
    rows = []
    for graph_seed in (None, 0, 1, 1234, -5, 2**31 - 1, 2**40):
        for op_seed in (None, 0, 7, -1, 2**31 - 1):
            with tf.Graph().as_default() as graph:
                tf.set_random_seed(graph_seed)
                rows.append([graph_seed, op_seed, len(graph.get_operations()), *tf.get_seed(op_seed)])
    return rows


if __name__ == "__main__":
    main()
