"""Records random numbers of the oracle into tests/base/golden_random.json: run it with the oracle's Python.

Each case is one node (op, dtype, seeds, size) run three times in one session, its values as the hexadecimal text of
their bytes, so that the tests can compare bits; of a large one the digest of the bytes and a few of its values.
"""

import hashlib
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
LARGE = 1 << 16
SAMPLED = 509  # of a large case one value in so many is kept
ALPHAS = [0.01, 0.3, 1.0, 2.5, 40.0]
RATES = [0.0, 0.5, 4.0, 10.0, 100.0, 12345.0]
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
            if size > 5:
                yield from several(tf, seeds, size)
            yield (
                {"op": "RandomShuffle", "dtype": "int64", **seeds, "size": size},
                raw.RandomShuffle(value=tf.range(size, dtype=tf.int64), **seeds),
            )
            yield (
                {"op": "Multinomial", "dtype": "int64", **seeds, "size": size, "logits": LOGITS},
                raw.Multinomial(logits=tf.constant(LOGITS), num_samples=size, **seeds),
            )


def several(tf, seeds, size):
    """Gamma and Poisson numbers: `size` of each of several distributions."""
    for name in ("float16", "float32", "float64"):
        row = {"op": "RandomGamma", "dtype": name, **seeds, "size": size, "alpha": ALPHAS}
        yield row, tf.raw_ops.RandomGamma(shape=[size], alpha=tf.constant(ALPHAS, name), **seeds)
    for name in ("float16", "float32", "float64", "int32", "int64"):
        row = {"op": "RandomPoissonV2", "dtype": name, **seeds, "size": size, "rate": RATES}
        rates = tf.constant(RATES, tf.float64)
        yield row, tf.raw_ops.RandomPoissonV2(shape=[size], rate=rates, dtype=getattr(tf, name), **seeds)


def large(tf):
    """Many numbers of each distribution."""
    for op in ("RandomUniform", "RandomStandardNormal", "TruncatedNormal"):
        for name in ("float16", "bfloat16", "float32", "float64"):
            row = {"op": op, "dtype": name, "seed": 11, "seed2": 7, "size": LARGE}
            dtype = getattr(tf, name)
            yield row, getattr(tf.raw_ops, op)(shape=[LARGE], dtype=dtype, seed=11, seed2=7)


def main():
    tf = _oracle.load()
    rows, nodes = zip(*cases(tf))
    with tf.Session() as session:
        runs = [session.run(list(nodes)) for _ in range(3)]
    for i, row in enumerate(rows):
        row["runs"] = [hexadecimal(values[i]) for values in runs]
    many, nodes = zip(*large(tf))
    with tf.Session() as session:
        for row, values in zip(many, session.run(list(nodes))):
            row["digest"] = hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()
            row["sample"] = hexadecimal(values[::SAMPLED])
    golden = {
        "made_with": _oracle.versions(), "cases": len(rows), "sampled": SAMPLED, "rows": rows, "large": many,
        "seeds": derived(tf),
    }  # fmt: skip
    text = (
        json.dumps(golden, indent=None, separators=(",", ":"))
        .replace('{"op"', '\n{"op"')
        .replace('"seeds"', '\n"seeds"')
    )
    (ROOT / "tests" / "base" / "golden_random.json").write_text(text + "\n")
    print(f"{len(rows)} cases")


def hexadecimal(values):
    return np.ascontiguousarray(values).tobytes().hex()


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
