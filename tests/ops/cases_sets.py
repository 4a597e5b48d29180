"""Rows of the op table: sets in the last axis. A result is given as its indices, values and shape."""

from typing import Any

import numpy as np
from cases import case, form, named
from sparse_rows import flat, one, open_parts, two

A = np.array([[1, 2, 9], [3, 4, 4]], np.int64)
B = np.array([[2, 1], [5, 4]], np.int64)
SP = (np.array([[0, 0], [1, 0], [1, 1]], np.int64), np.array([2, 3, 9], np.int64), np.array([2, 3], np.int64))
SQ = (np.array([[0, 1], [1, 2]], np.int64), np.array([2, 9], np.int64), np.array([2, 5], np.int64))
UNSORTED = SP[0][::-1].copy()
OUTSIDE = np.array([[0, 0], [1, 0], [7, 1]], np.int64)
TWICE = np.array([[0, 0], [1, 0], [1, 0]], np.int64)


def dense(f: Any) -> Any:
    """A call of f with two tensors."""
    return lambda tf, a, b: flat(tf, f(tf, a, b))


NAMES = ["intersection", "difference", "union"]
for name in NAMES:
    for symbol in (f"sets.{name}", f"sets.set_{name}"):
        f = named(symbol)
        form(symbol, "form", dense(f), A, B)
        case(symbol, "literals", lambda tf, f=f: flat(tf, f(tf, [[1, 2, 3]], [[3, 4]])), nodes=True)
        case(symbol, "cubes", dense(f), A[None], B[None])
        case(symbol, "an empty set", dense(f), A, np.zeros((2, 0), np.int64))
        case(symbol, "no sets", dense(f), A[:0], B[:0])
        for dtype in ("int8", "int16", "int32", "uint8", "uint16"):
            case(symbol, f"dtype {dtype}", dense(f), A.astype(dtype), B.astype(dtype))
        case(symbol, "strings", dense(f), np.array([[b"b", b"a"]], object), np.array([[b"c", b"b"]], object))
        case(symbol, "floats", dense(f), A.astype(np.float32), B.astype(np.float32))
        case(symbol, "two dtypes", dense(f), A, B.astype(np.int32))
        case(symbol, "vectors", dense(f), A[0], B[0])
        case(symbol, "unequal ranks", dense(f), A, B[0])
        case(symbol, "unequal sizes", dense(f), A, B[:1])
        form(symbol, "dense and sparse", lambda tf, d, *t, f=f: flat(tf, f(tf, d, tf.SparseTensor(*t))), A, *SP)
        case(symbol, "sparse and dense", one(f), *SP, A, nodes=True)
        form(symbol, "sparse", two(f), *SP, *SQ)
        case(symbol, "values", lambda tf, f=f: flat(tf, f(tf, tf.SparseTensorValue(*SP), tf.SparseTensorValue(*SQ))), nodes=True)
        case(symbol, "sparse, strings", two(f), SP[0], np.array([b"a", b"b", b"c"], object), SP[2], SQ[0], np.array([b"a", b"c"], object), SQ[2])  # fmt: skip
        case(symbol, "sparse, unequal sizes", two(f), *SP, *SQ[:2], np.array([3, 5]))
        case(symbol, "sparse, unequal ranks", two(f), *SP, np.array([[0, 1, 1]]), SQ[1][:1], np.array([2, 5, 2]))
        case(symbol, "sparse, unsorted", two(f), UNSORTED, *SP[1:], *SQ)
        case(symbol, "sparse, outside", two(f), OUTSIDE, *SP[1:], *SQ)
        case(symbol, "sparse, twice", two(f), TWICE, *SP[1:], *SQ)
        case(symbol, "sparse, vectors", two(f), np.array([[0], [1]]), SP[1][:2], np.array([3]), np.array([[0], [1]]), SQ[1], np.array([3]))  # fmt: skip
for symbol in ("sets.difference", "sets.set_difference"):
    f = named(symbol)
    case(symbol, "the other way", dense(lambda tf, a, b, f=f: f(tf, a, b, aminusb=False)), A, B, nodes=True)
    case(symbol, "sparse and dense, the other way", one(lambda tf, a, b, f=f: f(tf, a, b, False)), *SP, A, nodes=True)
for op, parts, samples in (
    ("DenseToDenseSetOperation", ("set1", "set2"), (A, B)),
    ("DenseToSparseSetOperation", ("set1", "set2_indices", "set2_values", "set2_shape"), (A, *SP)),
    (
        "SparseToSparseSetOperation",
        ("set1_indices", "set1_values", "set1_shape", "set2_indices", "set2_values", "set2_shape"),
        (*SP, *SQ),
    ),
):
    case(f"raw_ops.{op}", "large letters", open_parts(op, *parts, set_operation="UNION"), *samples)
    case(f"raw_ops.{op}", "no such operation", open_parts(op, *parts, set_operation="xor"), *samples)
OPEN = open_parts("DenseToDenseSetOperation", "set1", "set2", set_operation="union")
for label, samples in {"vectors": (A[0], B[0]), "unequal ranks": (A, B[0]), "unequal sizes": (A, B[:1])}.items():
    case("raw_ops.DenseToDenseSetOperation", f"only the run knows: {label}", OPEN, *samples)
OPEN = open_parts(
    "DenseToSparseSetOperation", "set1", "set2_indices", "set2_values", "set2_shape", set_operation="union"
)
for label, samples in {
    "fewer values": (A, SP[0], SP[1][:2], SP[2]),
    "unequal sizes": (A, *SP[:2], np.array([4, 3])),
    "unequal ranks": (A, np.array([[0, 0, 0]]), SP[1][:1], np.array([2, 3, 1])),
}.items():
    case("raw_ops.DenseToSparseSetOperation", f"only the run knows: {label}", OPEN, *samples)
for symbol in ("sets.size", "sets.set_size"):
    f = named(symbol)
    form(symbol, "form", one(f), *SP)
    case(symbol, "the same twice", one(f), SP[0], np.array([1, 1, 1]), SP[2])
    case(symbol, "strings", one(f), SP[0], np.array([b"a", b"b", b"b"], object), SP[2], nodes=True)
    case(symbol, "value", lambda tf, f=f: flat(tf, f(tf, tf.SparseTensorValue(*SP))), nodes=True)
    case(symbol, "cube", one(f), np.array([[0, 0, 1], [1, 0, 0]]), SP[1][:2], np.array([2, 2, 3]))
    case(symbol, "no entries", one(f), SP[0][:0], SP[1][:0], SP[2])
    case(symbol, "vector", one(f), np.array([[0], [1]]), SP[1][:2], np.array([3]))
    case(symbol, "unsorted", one(f), UNSORTED, *SP[1:])
    case(symbol, "unsorted, not looked at", one(lambda tf, sp, f=f: f(tf, sp, False)), UNSORTED, *SP[1:], nodes=True)
    case(symbol, "outside", one(f), OUTSIDE, *SP[1:])
    case(symbol, "dense", lambda tf, x, f=f: f(tf, x), A)
    case(symbol, "floats", one(f), SP[0], SP[1].astype(np.float32), SP[2])
