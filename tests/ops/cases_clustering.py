"""Rows of the op table: clusters of points; asked of TF 1.15.0 itself, whose process a k below 0 ends."""

import numpy as np
from cases import case, form
from convolution_rows import unknown
from harness import raw as public

rng = np.random.default_rng(4)
POINTS = (rng.normal(size=(40, 2)) * 5).astype(np.float32)
LINE = np.arange(20, dtype=np.float32)[:, None]
N, P, C = "raw_ops.NearestNeighbors", "raw_ops.KmeansPlusPlusInitialization", "raw_ops.KMC2ChainInitialization"


def raw(tf, type, **arguments):
    """A node of that type, which `tf.raw_ops` of 1.15 hides."""
    if hasattr(tf.raw_ops, type):
        return public(tf, type, **arguments)
    from tensorflow.python.ops import gen_clustering_ops as hidden

    functions = {"NearestNeighbors": "nearest_neighbors", "KmeansPlusPlusInitialization": "kmeans_plus_plus_initialization"}
    return getattr(hidden, functions.get(type, "kmc2_chain_initialization"))(**arguments)


def i64(value):
    return np.array(value, np.int64)


def nearest(tf, points, centers, k):
    return raw(tf, "NearestNeighbors", points=points, centers=centers, k=k)


form(N, "form", nearest, POINTS, POINTS[:5] + 1, i64(2))
for k in (0, 1, 2, 5, 9):
    case(N, f"k {k}", nearest, POINTS, POINTS[3:8] * 2, i64(k))
for label, points, centers in (
    ("equal distances", [[0, 0], [0.1, 0]], [[1, 0], [0, 1], [-1, 0], [0.5, 0], [-0.5, 0]]), ("no dimensions", np.zeros([2, 0]), np.zeros([3, 0])),
    ("no centers", POINTS, POINTS[:0]), ("no points", POINTS[:0], POINTS), ("a vector of points", POINTS[0], POINTS), ("a vector of centers", POINTS, POINTS[0]),
    ("fewer dimensions", POINTS, POINTS[:, :1]), ("no points, fewer dimensions", POINTS[:0], POINTS[:, :1]),
):  # fmt: skip
    for k in (1, 3):
        case(N, f"{label}, k {k}", nearest, np.float32(points), np.float32(centers), i64(k))
for label, points, centers in (("a point", [[np.nan, 0]], [[1, 0], [0, 1]]), ("first center", [[0, 0]], [[np.nan, 0], [0, 1]])):
    case(N, f"NaN: {label}", nearest, np.float32(points), np.float32(centers), i64(1))
case(N, "a vector of k", unknown(nearest), POINTS, POINTS, i64([1]))


def spread(tf, points, count, seed, retries):
    return raw(tf, "KmeansPlusPlusInitialization", points=points, num_to_sample=count, seed=seed, num_retries_per_sample=retries)


form(P, "form", spread, POINTS, i64(3), i64(5), i64(2))
for seed in (0, 1, 2, 3, 7, -5, 1 << 40):
    for retries in (0, 1, 5, -1):
        case(P, f"of a line, seed {seed}, {retries} retries", spread, LINE, i64(6), i64(seed), i64(retries))
        case(P, f"of points, seed {seed}, {retries} retries", spread, POINTS, i64(6), i64(seed), i64(retries))
        case(P, f"of 32, seed {seed}, {retries} retries", spread, POINTS[:32], i64(2), i64(seed), i64(retries))
for label, arguments in {
    "0 samples": (POINTS, 0, 0, 0), "-1 samples": (POINTS, -1, 0, 0), "41 samples": (POINTS, 41, 0, 0), "no points": (POINTS[:0], 1, 0, 0),
    "no points, no samples": (POINTS[:0], 0, 0, 0), "a vector": (POINTS[0], 1, 0, 0), "a vector of counts": (POINTS, [1], 0, 0),
    "a vector of seeds": (POINTS, 1, [0], 0), "a vector of retries": (POINTS, 1, 0, [0]), "equal points": (POINTS[:4] * 0, 3, 0, 2),
    "no dimensions": (POINTS[:, :0], 3, 0, 0), "NaN": (POINTS * np.float32(np.nan), 2, 5, 0),
}.items():  # fmt: skip
    case(P, label, unknown(spread), arguments[0], *map(i64, arguments[1:]))


def chain(tf, distances, seed):
    return raw(tf, "KMC2ChainInitialization", distances=distances, seed=seed)


form(C, "form", chain, np.float32([1, 2, 1e9, 3]), i64(1))
for seed in (0, 1, 2, 3, 7, -5, 1 << 40):
    for row in range(4):
        case(C, f"seed {seed}, distances {row}", chain, np.random.default_rng(row).uniform(0, 10, 30).astype(np.float32), i64(seed))
for label, distances in {
    "one": [1], "none": [], "a matrix": [[1]], "zeros and one": [0, 0, 0, 1], "zeros": [0, 0, 0], "NaN": [np.nan, 1, 2], "below 0": [-1, 1, -2],
}.items():  # fmt: skip
    case(C, label, chain, np.float32(distances), i64(0))
case(C, "a vector of seeds", unknown(chain), np.float32([1, 2]), i64([0]))
