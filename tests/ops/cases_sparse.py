"""Rows of the op table: sparse tensors. A result is given as its indices, values and shape."""

from typing import Any

import numpy as np
from cases import INTS, case, form, named
from harness import raw
from sparse_rows import flat, listed, one, open_parts, two

INDICES = np.array([[0, 1], [1, 0], [1, 2]], np.int64)
VALUES = np.array([1, 2, 3], np.float32)
SHAPE = np.array([2, 3], np.int64)
A = (INDICES, VALUES, SHAPE)
B = (np.array([[0, 0], [1, 0]], np.int64), np.array([-5, -2], np.float32), SHAPE)
# what does not go together in one way or another
UNSORTED = np.array([[1, 2], [0, 1], [1, 0]], np.int64)
OUTSIDE = np.array([[0, 1], [1, 0], [1, 5]], np.int64)
CUBE = (np.array([[0, 1, 2], [1, 0, 0]], np.int64), np.array([4, 5], np.float32), np.array([2, 2, 3], np.int64))
EMPTY = (np.zeros((0, 2), np.int64), np.zeros(0, np.float32), SHAPE)
DENSE = np.arange(6, dtype=np.float32).reshape(2, 3)


# -- the class -----------------------------------------------------------------------------------------------------
form("SparseTensor", "form", one(lambda tf, sp: sp), *A)
case("SparseTensor", "literals", lambda tf: flat(tf, tf.SparseTensor([[0, 1], [1, 2]], [1.0, 2.0], [2, 3])), nodes=True)
case("SparseTensor", "from a value", lambda tf: flat(tf, tf.SparseTensor.from_value(tf.SparseTensorValue(*A))), nodes=True)
case("SparseTensor", "from no value", lambda tf: tf.SparseTensor.from_value(3))
case("SparseTensor", "indices of rank 1", lambda tf: flat(tf, tf.SparseTensor([0, 1], [1.0, 2.0], [2])))
case("SparseTensor", "values of rank 2", lambda tf: flat(tf, tf.SparseTensor([[0, 1]], [[1.0]], [2, 3])))
case("SparseTensor", "fewer values", lambda tf: flat(tf, tf.SparseTensor([[0, 1]], [1.0, 2.0], [2, 3])))
case("SparseTensor", "shape of another rank", lambda tf: flat(tf, tf.SparseTensor([[0, 1]], [1.0], [2])))
case("SparseTensor", "float indices", lambda tf: flat(tf, tf.SparseTensor([[0.5, 1.0]], [1.0], [2, 3])))
OPERATORS = {
    "mul": lambda tf, sp, d: sp * d,
    "rmul": lambda tf, sp, d: d * sp,
    "truediv": lambda tf, sp, d: sp / d,
}
for label, operate in OPERATORS.items():
    form("SparseTensor", f"operator {label}", one(operate), *A, DENSE + 1)
    form("SparseTensor", f"operator {label}, a row for all", one(operate), *A, np.array([1, 2, 4], np.float32))
    form("SparseTensor", f"operator {label}, one number", one(operate), *A, np.float32(4))
    case("SparseTensor", f"operator {label}, too large", one(operate), *A, np.ones((5,), np.float32))
    case("SparseTensor", f"operator {label}, of a higher rank", one(operate), *A, np.ones((4, 2, 3), np.float32))
for label in ("mul", "truediv"):
    case("SparseTensor", f"operator {label}, literal", one(lambda tf, sp, f=OPERATORS[label]: f(tf, sp, 2.0)), *A, nodes=True)
    case("SparseTensor", f"operator {label}, another dtype", one(OPERATORS[label]), *A, DENSE.astype(np.float64))
for dtype in ("int32", "int64", "uint8", "float64"):
    case("SparseTensor", f"operator truediv, {dtype}", one(OPERATORS["truediv"]), INDICES, VALUES.astype(dtype), SHAPE, (DENSE + 1).astype(dtype), nodes=True)  # fmt: skip
for name in ("Add", "Mul", "Div"):
    op, parts = f"SparseDenseCwise{name}", ("sp_indices", "sp_values", "sp_shape", "dense")
    symbol = f"raw_ops.{op}"
    call = lambda tf, i, v, s, d, op=op: raw(tf, op, sp_indices=i, sp_values=v, sp_shape=s, dense=d)
    form(symbol, "form", call, *A, DENSE + 1)
    case(symbol, "a column for all", call, *A, np.array([[2], [4]], np.float32))
    case(symbol, "int32", call, INDICES, np.array([7, -7, 5], np.int32), SHAPE, np.int32(2))
    case(symbol, "by 0", call, INDICES, np.array([7, -7, 5], np.int32), SHAPE, np.int32(0))
    case(symbol, "fewer values", call, INDICES, VALUES[:2], SHAPE, DENSE)
    case(symbol, "index outside", call, OUTSIDE, VALUES, SHAPE, DENSE)
    case(symbol, "indices of rank 1", call, INDICES[0], VALUES[:2], SHAPE, DENSE)
    case(symbol, "indices of rank 1 that only the run knows", open_parts(op, *parts), INDICES[0], VALUES[:2], SHAPE, DENSE)
    case(symbol, "values of rank 2 that only the run knows", open_parts(op, *parts), INDICES, VALUES[None], SHAPE, DENSE)

UNARY = ["abs", "negative", "sign", "square", "sqrt", "tanh", "erf"]
for name in UNARY:
    case(name, "sparse", one(named(name)), *A, nodes=True)
    case(name, "sparse, by keyword", one(lambda tf, sp, name=name: named(name)(tf, x=sp, name="mine")), *A, nodes=True)
for name in ("bessel_i0e", "bessel_i1e"):
    case(f"math.{name}", "sparse", one(named(f"math.{name}")), *A)
case("cast", "sparse", one(lambda tf, sp: tf.cast(sp, tf.int32)), *A, nodes=True)
case("cast", "slices", lambda tf, v, i: flat(tf, tf.cast(tf.IndexedSlices(v, i), tf.int32)), DENSE, np.array([0, 3]), nodes=True)
for name in ("shape", "size", "rank"):
    form(name, "sparse", one(lambda tf, sp, name=name: named(name)(tf, sp)), *A)
for name in ("convert_to_tensor_or_sparse_tensor", "convert_to_tensor_or_indexed_slices"):
    f = named(name)
    case(name, "sparse", one(f), *A, nodes=True)
    case(name, "list", lambda tf, f=f: f(tf, [1.0, 2.0], name="mine"), nodes=True)
    case(name, "dtype", lambda tf, f=f: f(tf, [1.0, 2.0], tf.float64), nodes=True)
    case(name, "another dtype", one(lambda tf, sp, f=f: f(tf, sp, tf.int32)), *A)
    case(name, "slices", lambda tf, v, i, f=f: flat(tf, f(tf, tf.IndexedSlices(v, i))), DENSE[:1], np.array([3]))
case("convert_to_tensor_or_sparse_tensor", "value", lambda tf: flat(tf, tf.convert_to_tensor_or_sparse_tensor(tf.SparseTensorValue(*A))), nodes=True)  # fmt: skip

# -- making --------------------------------------------------------------------------------------------------------
form("sparse.from_dense", "form", lambda tf, x: flat(tf, tf.sparse.from_dense(x)), np.array([[0, 1], [2, 0]], np.float32))
case("sparse.from_dense", "cube", lambda tf, x: flat(tf, tf.sparse.from_dense(x, name="mine")), np.eye(2, dtype=np.int32)[None])
case("sparse.from_dense", "zeros", lambda tf, x: flat(tf, tf.sparse.from_dense(x)), np.zeros((2, 2), np.int64))
case("sparse.from_dense", "bool", lambda tf, x: flat(tf, tf.sparse.from_dense(x)), np.array([True]))
case("sparse.eye", "form", lambda tf: flat(tf, tf.sparse.eye(3)), nodes=True)
case("sparse.eye", "wide", lambda tf: flat(tf, tf.sparse.eye(2, 4, tf.int32, name="mine")), nodes=True)
form("sparse.eye", "sizes that only the run knows", lambda tf, n: flat(tf, tf.sparse.eye(n)), np.int32(2))
case("sparse.eye", "float size", lambda tf: flat(tf, tf.sparse.eye(2.5)))
for symbol in ("sparse.placeholder", "sparse_placeholder"):
    case(symbol, "form", lambda tf, symbol=symbol: [named(symbol)(tf, tf.float32, [2, 3]).dense_shape], nodes=True)

# -- order and shape -----------------------------------------------------------------------------------------------
for symbol in ("sparse.reorder", "sparse_reorder"):
    f = named(symbol)
    form(symbol, "form", one(f), UNSORTED, VALUES, SHAPE)
    case(symbol, "equal entries stay in order", one(f), np.array([[1, 1], [0, 0], [1, 1]]), VALUES, SHAPE, nodes=True)
    case(symbol, "cube", one(f), CUBE[0][::-1].copy(), *CUBE[1:])
    case(symbol, "strings", one(f), UNSORTED, np.array([b"a", b"b", b"c"], object), SHAPE)
    case(symbol, "empty", one(f), *EMPTY)
    case(symbol, "value", lambda tf, f=f: flat(tf, f(tf, tf.SparseTensorValue(UNSORTED, VALUES, SHAPE), name="mine")), nodes=True)
    case(symbol, "dense", lambda tf, x, f=f: f(tf, x), DENSE)
ENTRIES = ("input_indices", "input_values", "input_shape")
WRONG_ENTRIES = {
    "indices of rank 1": (INDICES[0], VALUES, SHAPE),
    "values of rank 2": (INDICES, VALUES[None], SHAPE),
    "shape of rank 2": (INDICES, VALUES, SHAPE[None]),
    "fewer values": (INDICES, VALUES[:2], SHAPE),
    "longer shape": (INDICES, VALUES, CUBE[2]),
}
for label, entries in WRONG_ENTRIES.items():
    case("raw_ops.SparseReorder", label, lambda tf, *t: flat(tf, listed(raw(tf, "SparseReorder", **dict(zip(ENTRIES, t))))), *entries)  # fmt: skip
    case("raw_ops.SparseReorder", f"only the run knows: {label}", open_parts("SparseReorder", *ENTRIES), *entries)
RESHAPES: dict[str, Any] = {
    "form": [3, 2], "flat": [-1], "one computed": [3, -1], "more axes": [1, 2, 3], "same": [2, 3],
    "wrong size": [5], "no multiple": [-1, 5], "two computed": [-1, -1], "negative": [-3, 2],
}  # fmt: skip
for symbol in ("sparse.reshape", "sparse_reshape"):
    f = named(symbol)
    for label, sizes in RESHAPES.items():
        case(symbol, f"to {label}", one(lambda tf, sp, f=f, sizes=sizes: f(tf, sp, sizes)), *A, nodes=True)
        case(
            symbol,
            f"constants to {label}",
            lambda tf, f=f, sizes=sizes: flat(tf, f(tf, tf.SparseTensorValue(*A), sizes, name="mine")),
            nodes=True,
        )
    form(symbol, "sizes that only the run knows", one(f), *A, np.array([3, -1], np.int64))
    case(symbol, "int32 sizes", one(f), *A, np.array([3, 2], np.int32), nodes=True)
    case(symbol, "empty", one(f), *EMPTY, np.array([6], np.int64))
    case(symbol, "no size", one(f), np.zeros((0, 2), np.int64), VALUES[:0], np.array([0, 3]), np.array([-1, 3]))
    case(symbol, "nothing to compute from", one(f), np.zeros((0, 2), np.int64), VALUES[:0], np.array([0, 3]), np.array([-1, 0]))
    case(symbol, "a scalar", one(f), *A, np.int64(6))
for label, parts in {
    "indices of rank 1": (INDICES[0], SHAPE, np.array([6])),
    "shape of rank 0": (INDICES, np.int64(6), np.array([6])),
    "sizes of rank 0": (INDICES, SHAPE, np.int64(6)),
    "longer shape": (INDICES, CUBE[2], np.array([12])),
}.items():
    case("raw_ops.SparseReshape", f"only the run knows: {label}", open_parts("SparseReshape", "input_indices", "input_shape", "new_shape"), *parts)  # fmt: skip
for symbol in ("sparse.transpose", "sparse_transpose"):
    f = named(symbol)
    form(symbol, "form", one(f), *A)
    form(symbol, "cube", one(lambda tf, sp, f=f: f(tf, sp, [2, 0, 1])), *CUBE)
    form(symbol, "order that only the run knows", one(f), *A, np.array([1, 0], np.int32))
    case(symbol, "constants", lambda tf, f=f: flat(tf, f(tf, tf.SparseTensor(*A), [1, 0], name="mine")), nodes=True)
for axis in (None, 0, 1, 2, -1, -2):
    case("sparse.expand_dims", f"axis {axis}", one(lambda tf, sp, axis=axis: tf.sparse.expand_dims(sp, axis)), *A, nodes=True)
form("sparse.expand_dims", "form", one(lambda tf, sp: tf.sparse.expand_dims(sp, 1, name="mine")), *A)
case("sparse.expand_dims", "axis that only the run knows", one(lambda tf, sp, at: tf.sparse.expand_dims(sp, at)), *A, np.int32(0))
case("sparse.expand_dims", "axis outside", one(lambda tf, sp: tf.sparse.expand_dims(sp, 5)), *A)
case("sparse.expand_dims", "float axis", one(lambda tf, sp: tf.sparse.expand_dims(sp, 0.5)), *A)
for symbol in ("sparse.reset_shape", "sparse_reset_shape"):
    f = named(symbol)
    form(symbol, "form", one(f), *A)
    case(symbol, "larger", one(lambda tf, sp, f=f: f(tf, sp, [2, 5])), *A)
    form(symbol, "shape that only the run knows", one(f), *A, np.array([4, 4], np.int64))
    case(symbol, "smaller at run time", one(f), *A, np.array([1, 4], np.int64))
    case(symbol, "longer at run time", one(f), *A, np.array([4, 4, 4], np.int64))
    case(symbol, "constants", lambda tf, f=f: flat(tf, f(tf, tf.SparseTensorValue(*A), [3, 3])), nodes=True)
    case(symbol, "constants, smaller", lambda tf, f=f: flat(tf, f(tf, tf.SparseTensorValue(*A), [1, 3])))
    case(symbol, "rank 2", one(lambda tf, sp, f=f: f(tf, sp, [[2, 5]])), *A)

# -- joining and cutting -------------------------------------------------------------------------------------------
for symbol in ("sparse.concat", "sparse_concat"):
    f = named(symbol)
    for axis in (0, 1, -1):
        case(symbol, f"axis {axis}", two(lambda tf, a, b, f=f, axis=axis: f(tf, axis, [a, b])), UNSORTED, *A[1:], *A, nodes=True)
    form(symbol, "form", two(lambda tf, a, b, f=f: f(tf, 0, [a, b], name="mine")), *A, *B)
    case(symbol, "old name", two(lambda tf, a, b, f=f: f(tf, axis=None, sp_inputs=[a, b], concat_dim=1)), *A, *B)
    case(symbol, "both names", two(lambda tf, a, b, f=f: f(tf, 1, [a, b], concat_dim=1)), *A, *B)
    case(symbol, "one", one(lambda tf, sp, f=f: f(tf, 0, [sp])), *A, nodes=True)
    case(symbol, "values", lambda tf, f=f: flat(tf, f(tf, 0, [tf.SparseTensorValue(*A), tf.SparseTensorValue(*B)])), nodes=True)
    case(symbol, "constants, axis 1", lambda tf, f=f: flat(tf, f(tf, 1, [tf.SparseTensor(*A), tf.SparseTensor(*B)])), nodes=True)
    case(symbol, "unequal sizes", two(lambda tf, a, b, f=f: f(tf, 0, [a, b])), *A, *B[:2], np.array([2, 4]))
    for axis in (0, 1, -1):
        case(
            symbol,
            f"unequal sizes made wide, axis {axis}",
            two(lambda tf, a, b, f=f, axis=axis: f(tf, axis, [a, b], expand_nonconcat_dim=True)),
            *A, *B[:2], np.array([3, 4]), nodes=True,
        )  # fmt: skip
    case(symbol, "made wide by the newer name", two(lambda tf, a, b, f=f: f(tf, 0, [a, b], expand_nonconcat_dims=True)), *A, *B[:2], np.array([2, 4]))  # fmt: skip
    case(symbol, "unequal ranks", two(lambda tf, a, b, f=f: f(tf, 0, [a, b])), *A, *CUBE)
    case(symbol, "no list", one(lambda tf, sp, f=f: f(tf, 0, sp)), *A)
    case(symbol, "dense ones", lambda tf, x, f=f: f(tf, 0, [x, x]), DENSE)
    case(symbol, "another dtype", two(lambda tf, a, b, f=f: f(tf, 0, [a, b])), *A, B[0], B[1].astype(np.int32), SHAPE)
for axis in (2, -3):
    case(
        "raw_ops.SparseConcat",
        f"axis {axis}",
        lambda tf, i, v, s, axis=axis: listed(
            raw(tf, "SparseConcat", indices=[i, i], values=[v, v], shapes=[s, s], concat_dim=axis)
        ),
        *A,
    )
CONCAT = lambda tf, i, j, v, w, s, t: flat(
    tf, listed(raw(tf, "SparseConcat", indices=[i, j], values=[v, w], shapes=[s, t], concat_dim=0))
)
for label, parts in {
    "indices of rank 1": (INDICES[0], INDICES, VALUES, VALUES, SHAPE, SHAPE),
    "values of rank 2": (INDICES, INDICES, VALUES[None], VALUES, SHAPE, SHAPE),
    "shape of rank 2": (INDICES, INDICES, VALUES, VALUES, SHAPE[None], SHAPE),
    "fewer values": (INDICES, INDICES, VALUES[:2], VALUES, SHAPE, SHAPE),
    "another rank": (INDICES, CUBE[0], VALUES, CUBE[1], SHAPE, CUBE[2]),
}.items():
    case("raw_ops.SparseConcat", label, CONCAT, *parts)
    case(
        "raw_ops.SparseConcat",
        f"only the run knows: {label}",
        lambda tf, *t: CONCAT(tf, *[tf.placeholder_with_default(x, None) for x in t]),
        *parts,
    )
for symbol in ("sparse.split", "sparse_split"):
    f = named(symbol)
    for axis in (0, 1, -1, 2, -3):
        case(symbol, f"axis {axis}", one(lambda tf, sp, f=f, axis=axis: f(tf, sp_input=sp, num_split=2, axis=axis)), *A, nodes=True)
    form(symbol, "form", one(lambda tf, sp, f=f: f(tf, sp_input=sp, num_split=2, axis=1, name="mine")), *A)
    case(symbol, "axis that only the run knows", one(lambda tf, sp, at, f=f: f(tf, sp_input=sp, num_split=3, axis=at)), *A, np.int64(1))
    case(symbol, "too many", one(lambda tf, sp, f=f: f(tf, sp_input=sp, num_split=4, axis=1)), *A)
    case(symbol, "axis of rank 1", one(lambda tf, sp, at, f=f: f(tf, sp_input=sp, num_split=2, axis=at)), *A, np.array([1]))
    case(symbol, "by position", one(lambda tf, sp, f=f: f(tf, sp, 2, 1)), *A)
    case(symbol, "no input", lambda tf, f=f: f(tf, num_split=2, axis=1))
    case(symbol, "no number", one(lambda tf, sp, f=f: f(tf, sp_input=sp, axis=1)), *A)
    case(symbol, "no axis", one(lambda tf, sp, f=f: f(tf, sp_input=sp, num_split=2)), *A)
for label, parts in {
    "indices of rank 1": (np.int64(1), INDICES[0], VALUES, SHAPE),
    "values of rank 2": (np.int64(1), INDICES, VALUES[None], SHAPE),
    "shape of rank 0": (np.int64(1), INDICES, VALUES, SHAPE[0]),
}.items():
    case("raw_ops.SparseSplit", f"only the run knows: {label}", lambda tf, *t: flat(tf, list(raw(tf, "SparseSplit", **dict(zip(("split_dim", "indices", "values", "shape"), [tf.placeholder_with_default(x, None) for x in t])), num_split=2))), *parts)  # fmt: skip
for symbol in ("sparse.slice", "sparse_slice"):
    f = named(symbol)
    form(symbol, "form", one(lambda tf, sp, f=f: f(tf, sp, [0, 1], [2, 9])), *A)
    form(symbol, "places that only the run knows", one(f), *A, np.array([0, 1]), np.array([2, 1]))
    for label, (start, size) in {
        "outside": ([5, 1], [2, 9]), "before the first": ([-1, 1], [2, 1]), "negative size": ([0, 1], [-1, 1]),
        "short start": ([0], [1, 1]), "short size": ([0, 0], [1]), "scalar start": (0, [1, 1]),
    }.items():  # fmt: skip
        case(symbol, label, one(lambda tf, sp, f=f, start=start, size=size: f(tf, sp, start, size, name="mine")), *A)
for symbol in ("sparse.retain", "sparse_retain"):
    f = named(symbol)
    form(symbol, "form", one(lambda tf, sp, f=f: f(tf, sp, [True, False, True])), *A)
    form(symbol, "what only the run knows", one(f), *A, np.array([True, False, False]))
    case(symbol, "rank 2", one(lambda tf, sp, f=f: f(tf, sp, [[True, False, True]])), *A)
    case(symbol, "too few", one(lambda tf, sp, f=f: f(tf, sp, [True, False])), *A)
FILLED = (INDICES, VALUES, np.array([4, 3]))
for symbol in ("sparse.fill_empty_rows", "sparse_fill_empty_rows"):
    f = named(symbol)
    form(symbol, "form", one(lambda tf, sp, f=f: f(tf, sp, 9.0)), *FILLED)
    case(symbol, "default that only the run knows", one(f), *FILLED, np.float32(9), nodes=True)
    case(symbol, "none is empty", one(lambda tf, sp, f=f: f(tf, sp, 9, name="mine")), *A, nodes=True)
    case(symbol, "unsorted", one(lambda tf, sp, f=f: f(tf, sp, 9.0)), UNSORTED, *FILLED[1:])
    case(symbol, "all are empty", one(lambda tf, sp, f=f: f(tf, sp, 9.0)), *EMPTY)
    case(symbol, "no rows", one(lambda tf, sp, f=f: f(tf, sp, 9.0)), *EMPTY[:2], np.array([0, 3]))
    case(symbol, "entries in no rows", one(lambda tf, sp, f=f: f(tf, sp, 9.0)), *A[:2], np.array([0, 3]))
    case(symbol, "row outside", one(lambda tf, sp, f=f: f(tf, sp, 9.0)), np.array([[0, 1], [7, 0], [1, 2]]), *A[1:])
    case(symbol, "negative row", one(lambda tf, sp, f=f: f(tf, sp, 9.0)), np.array([[0, 1], [-1, 0], [1, 2]]), *A[1:])
    case(symbol, "strings", one(lambda tf, sp, f=f: f(tf, sp, "z")), INDICES, np.array([b"a", b"b", b"c"], object), FILLED[2])
    case(symbol, "default of another dtype", one(lambda tf, sp, f=f: f(tf, sp, "z")), *FILLED)
    case(symbol, "default of rank 1", one(f), *FILLED, np.array([9], np.float32))
FILL = ("indices", "values", "dense_shape", "default_value")
for label, parts in {
    "fewer values": (INDICES, VALUES[:2], SHAPE, np.float32(9)),
    "default of rank 1": (*A, np.array([9], np.float32)),
    "longer shape": (INDICES, VALUES, CUBE[2], np.float32(9)),
    "indices of rank 1": (INDICES[0], VALUES, SHAPE, np.float32(9)),
    "no axes": (np.zeros((1, 0), np.int64), VALUES[:1], SHAPE[:0], np.float32(9)),
}.items():
    case("raw_ops.SparseFillEmptyRows", f"only the run knows: {label}", open_parts("SparseFillEmptyRows", *FILL), *parts)
for symbol in ("sparse.mask", "sparse_mask"):
    case(
        symbol,
        "form",
        lambda tf, v, i, m, symbol=symbol: flat(tf, named(symbol)(tf, tf.IndexedSlices(v, i), m)),
        DENSE, np.array([0, 3], np.int32), np.array([3, 5], np.int32), nodes=True,
    )  # fmt: skip

# -- dense ---------------------------------------------------------------------------------------------------------
for symbol in ("sparse.to_dense", "sparse_tensor_to_dense"):
    f = named(symbol)
    form(symbol, "form", one(f), *A)
    form(symbol, "default", one(lambda tf, sp, f=f: f(tf, sp, -1.0, name="mine")), *A)
    case(symbol, "strings", one(f), INDICES, np.array([b"a", b"b", b"c"], object), SHAPE, nodes=True)
    case(symbol, "constants", lambda tf, f=f: f(tf, tf.SparseTensorValue(*A)), nodes=True)
    case(symbol, "empty", one(f), *EMPTY)
    case(symbol, "unsorted", one(f), UNSORTED, *A[1:])
    case(symbol, "unsorted, not looked at", one(lambda tf, sp, f=f: f(tf, sp, validate_indices=False)), UNSORTED, *A[1:])
    case(symbol, "twice", one(f), INDICES[[0, 0, 1]], *A[1:])
    case(symbol, "outside", one(f), OUTSIDE, *A[1:])
    case(symbol, "dense", lambda tf, x, f=f: f(tf, x), DENSE)
IDS = (np.array([[0, 0], [0, 1], [1, 0]]), np.array([3, 0, 2], np.int64), SHAPE)
for symbol in ("sparse.to_indicator", "sparse_to_indicator"):
    f = named(symbol)
    form(symbol, "form", one(lambda tf, sp, f=f: f(tf, sp, 4)), *IDS)
    case(symbol, "int32", one(lambda tf, sp, f=f: f(tf, sp, 5, name="mine")), IDS[0], IDS[1].astype(np.int32), IDS[2], nodes=True)
    case(symbol, "too large", one(lambda tf, sp, f=f: f(tf, sp, 2)), *IDS)
    case(symbol, "float size", one(lambda tf, sp, f=f: f(tf, sp, 2.5)), *IDS)
for symbol in ("sparse.merge", "sparse_merge"):
    f = named(symbol)
    values = (IDS[0], np.array([0.1, 0.2, 0.3], np.float32), SHAPE)
    form(symbol, "form", two(lambda tf, a, b, f=f: f(tf, a, b, 4)), *IDS, *values)
    case(symbol, "sorted already", two(lambda tf, a, b, f=f: f(tf, a, b, 4, already_sorted=True, name="mine")), *IDS, *values, nodes=True)
    case(symbol, "several", two(lambda tf, a, b, f=f: f(tf, [a, a], b, [4, 5])), *IDS, *values, nodes=True)
    case(symbol, "float size", two(lambda tf, a, b, f=f: f(tf, a, b, 2.5)), *IDS, *values)
    case(symbol, "one size for several", two(lambda tf, a, b, f=f: f(tf, [a], b, 4)), *IDS, *values)
    case(symbol, "too many sizes", two(lambda tf, a, b, f=f: f(tf, [a], b, [4, 5])), *IDS, *values)
    case(symbol, "float among the sizes", two(lambda tf, a, b, f=f: f(tf, [a], b, [4.5])), *IDS, *values)
    case(symbol, "no ids", two(lambda tf, a, b, f=f: f(tf, 3, b, 4)), *IDS, *values)

# -- computing -----------------------------------------------------------------------------------------------------
for symbol in ("sparse.add", "sparse_add"):
    f = named(symbol)
    form(symbol, "form", two(f), *A, *B)
    for label, least in {"small threshold": 0.5, "threshold": 3.0, "int threshold": 2}.items():
        case(symbol, label, two(lambda tf, a, b, f=f, least=least: f(tf, a, b, least)), *A, *B, nodes=True)
    case(symbol, "old name", two(lambda tf, a, b, f=f: f(tf, a, b, thresh=3.0)), *A, *B)
    case(symbol, "both names", two(lambda tf, a, b, f=f: f(tf, a, b, 3.0, thresh=3.0)), *A, *B)
    case(symbol, "constants", lambda tf, f=f: flat(tf, f(tf, tf.SparseTensor(*A), tf.SparseTensorValue(*B))), nodes=True)
    case(symbol, "with an empty one", two(f), *A, *EMPTY)
    for dtype in ("float64", *INTS, "complex64"):
        case(symbol, f"dtype {dtype}", two(f), INDICES, VALUES.astype(dtype), SHAPE, B[0], B[1].astype(dtype), SHAPE)
    case(symbol, "unequal sizes", two(f), *A, *B[:2], np.array([2, 4]))
    case(
        symbol,
        "constants of unequal sizes",
        lambda tf, made, f=f: f(tf, *made),
        before=lambda tf: (tf.SparseTensor(*A), tf.SparseTensor(*B[:2], [2, 4])),
    )
    case(symbol, "unequal ranks", two(f), *A, *CUBE)
    case(symbol, "another dtype", two(f), *A, B[0], B[1].astype(np.float64), SHAPE)
    form(symbol, "a dense one", one(f), *A, DENSE)
    case(symbol, "a dense one first", one(lambda tf, sp, d, f=f: f(tf, d, sp)), *A, DENSE, nodes=True)
    case(symbol, "a dense one of other sizes", one(f), *A, np.ones((2, 4), np.float32))
    case(symbol, "a dense one of another rank", one(f), *A, np.ones(2, np.float32))
    case(symbol, "a dense one, entries outside", one(f), OUTSIDE, *A[1:], DENSE)
    case(symbol, "a dense one, an entry twice", one(f), INDICES[[0, 0, 1]], *A[1:], DENSE)
    case(symbol, "two dense ones", lambda tf, x, f=f: f(tf, x, x), DENSE)
SUM = ("a_indices", "a_values", "a_shape", "b_indices", "b_values", "b_shape", "thresh")
for label, parts in {
    "fewer values": (INDICES, VALUES[:2], SHAPE, *B, np.float32(0)),
    "threshold of rank 1": (*A, *B, np.zeros(1, np.float32)),
    "indices of rank 1": (INDICES[0], VALUES, SHAPE, *B, np.float32(0)),
    "values of rank 2": (INDICES, VALUES[None], SHAPE, *B, np.float32(0)),
    "another rank": (*A, *CUBE, np.float32(0)),
}.items():
    case("raw_ops.SparseAdd", label, lambda tf, *t: flat(tf, list(raw(tf, "SparseAdd", **dict(zip(SUM, t))))), *parts)
    case("raw_ops.SparseAdd", f"only the run knows: {label}", open_parts("SparseAdd", *SUM), *parts)
case("raw_ops.SparseTensorDenseAdd", "fewer values", open_parts("SparseTensorDenseAdd", *SUM[:3], "b"), INDICES, VALUES[:2], SHAPE, DENSE)
case("raw_ops.SparseTensorDenseAdd", "int32", open_parts("SparseTensorDenseAdd", *SUM[:3], "b"), INDICES.astype(np.int32), VALUES, SHAPE.astype(np.int32), DENSE)  # fmt: skip
for which in ("maximum", "minimum"):
    op = f"SparseSparse{which.capitalize()}"
    for symbol in (f"sparse.{which}", f"sparse_{which}"):
        f = named(symbol)
        form(symbol, "form", two(f), *A, *B)
        case(symbol, "with a name", two(lambda tf, a, b, f=f: f(tf, a, b, name="mine")), *A, *B, nodes=True)
        case(symbol, "constants", lambda tf, f=f: flat(tf, f(tf, tf.SparseTensor(*A), tf.SparseTensor(*B))), nodes=True)
        case(symbol, "int64", two(f), INDICES, VALUES.astype(np.int64), SHAPE, B[0], B[1].astype(np.int64), SHAPE)
        case(symbol, "with an empty one", two(f), *A, *EMPTY)
        case(symbol, "unequal sizes", two(f), *A, *B[:2], np.array([2, 4]))
        case(symbol, "unequal ranks", two(f), *A, *CUBE)
        case(symbol, "entries outside", two(f), OUTSIDE, *A[1:], *B)
        case(symbol, "another dtype", two(f), *A, B[0], B[1].astype(np.float64), SHAPE)
    for label, entries in WRONG_ENTRIES.items():
        case(f"raw_ops.{op}", f"only the run knows: {label}", open_parts(op, *SUM[:6]), *entries, *B)
RIGHT = np.arange(6, dtype=np.float32).reshape(3, 2)
for symbol in ("sparse.matmul", "sparse.sparse_dense_matmul", "sparse_tensor_dense_matmul"):
    f = named(symbol)
    form(symbol, "form", one(f), *A, RIGHT)
    form(symbol, "a adjoint", one(lambda tf, sp, b, f=f: f(tf, sp, b, adjoint_a=True)), *A, DENSE)
    form(symbol, "b adjoint", one(lambda tf, sp, b, f=f: f(tf, sp, b, adjoint_b=True, name="mine")), *A, DENSE)
    case(symbol, "literal", one(lambda tf, sp, f=f: f(tf, sp, [[1.0], [2.0], [3.0]])), *A, nodes=True)
    case(symbol, "value", lambda tf, f=f: f(tf, tf.SparseTensorValue(*A), RIGHT), nodes=True)
    case(symbol, "complex, adjoint", one(lambda tf, sp, b, f=f: f(tf, sp, b, adjoint_a=True)), INDICES, (VALUES * 1j).astype(np.complex64), SHAPE, DENSE.astype(np.complex64))  # fmt: skip
    case(symbol, "empty", one(f), *EMPTY, RIGHT)
    case(symbol, "unequal inner sizes", one(f), *A, DENSE)
    case(symbol, "constants of unequal inner sizes", lambda tf, f=f: f(tf, tf.SparseTensorValue(*A), DENSE))
    case(symbol, "a vector", one(f), *A, VALUES)
    case(symbol, "a cube", one(f), *CUBE, RIGHT)
    case(symbol, "column outside", one(f), OUTSIDE, *A[1:], RIGHT)
    case(symbol, "row outside", one(f), np.array([[0, 1], [7, 0], [1, 2]]), *A[1:], RIGHT)
    case(symbol, "another dtype", one(f), *A, RIGHT.astype(np.float64))
    case(symbol, "dense", lambda tf, x, f=f: f(tf, x, x), DENSE)
MATMUL = ("a_indices", "a_values", "a_shape", "b")
for label, parts in {
    "fewer values": (INDICES, VALUES[:2], SHAPE, RIGHT),
    "unequal inner sizes": (*A, DENSE),
    "a vector": (*A, VALUES),
    "a cube": (*CUBE, RIGHT),
    "values of rank 2": (INDICES, VALUES[None], SHAPE, RIGHT),
    "indices of rank 1": (INDICES[0], VALUES, SHAPE, RIGHT),
}.items():
    case("raw_ops.SparseTensorDenseMatMul", f"only the run knows: {label}", open_parts("SparseTensorDenseMatMul", *MATMUL), *parts)  # fmt: skip
for which in ("reduce_sum", "reduce_max", "reduce_sum_sparse", "reduce_max_sparse"):
    for symbol in (f"sparse.{which}", f"sparse_{which}"):
        f = named(symbol)
        form(symbol, "form", one(lambda tf, sp, f=f: f(tf, sp, 1)), *A)
        form(symbol, "everything", one(f), *A)
        case(symbol, "everything, constants", lambda tf, f=f: flat(tf, f(tf, tf.SparseTensor(*A))), nodes=True)
        for axis in (0, [0], [-1], [0, 1], [1, 1], 2, -3, [[0]]):
            case(symbol, f"axis {axis}", one(lambda tf, sp, f=f, axis=axis: f(tf, sp, axis)), INDICES, -VALUES, SHAPE, nodes=True)
        case(symbol, "no axes", one(lambda tf, sp, f=f: f(tf, sp, np.zeros(0, np.int32))), INDICES, -VALUES, SHAPE)
        case(symbol, "axis that only the run knows", one(f), *A, np.array([0], np.int32))
        case(symbol, "keepdims", one(lambda tf, sp, f=f: f(tf, sp, 1, True)), *A, nodes=True)
        case(symbol, "old names", one(lambda tf, sp, f=f: f(tf, sp, reduction_axes=[0], keep_dims=True)), *A, nodes=True)
        case(symbol, "both names", one(lambda tf, sp, f=f: f(tf, sp, 1, keepdims=True, keep_dims=True)), *A)
        case(symbol, "cube", one(lambda tf, sp, f=f: f(tf, sp, [0, 2])), *CUBE)
        case(symbol, "empty", one(lambda tf, sp, f=f: f(tf, sp, 1)), *EMPTY)
        case(symbol, "unsorted", one(lambda tf, sp, f=f: f(tf, sp, 1)), UNSORTED, *A[1:])
        for dtype in ("float64", "int32", "int64"):
            case(symbol, f"dtype {dtype}", one(lambda tf, sp, f=f: f(tf, sp, 1)), INDICES, VALUES.astype(dtype), SHAPE)
        case(symbol, "bool", one(lambda tf, sp, f=f: f(tf, sp, 1)), INDICES, VALUES > 1, SHAPE)
case("raw_ops.SparseReduceSum", "fewer values", open_parts("SparseReduceSum", *ENTRIES, "reduction_axes"), INDICES, VALUES[:2], SHAPE, np.int32(1))  # fmt: skip
for symbol in ("sparse.softmax", "sparse_softmax"):
    f = named(symbol)
    form(symbol, "form", one(f), *A)
    case(symbol, "cube", one(lambda tf, sp, f=f: f(tf, sp, name="mine")), *CUBE, nodes=True)
    case(symbol, "float64, large", one(f), INDICES, VALUES.astype(np.float64) * 1000, SHAPE)
    case(symbol, "empty", one(f), *EMPTY)
    case(symbol, "vector", one(f), np.array([[0], [1]]), VALUES[:2], np.array([3]))
    case(symbol, "int32", one(f), INDICES, VALUES.astype(np.int32), SHAPE)
SOFTMAX = ("sp_indices", "sp_values", "sp_shape")
case("raw_ops.SparseSoftmax", "values of rank 2", open_parts("SparseSoftmax", *SOFTMAX), INDICES, VALUES[None], SHAPE)
case("raw_ops.SparseSoftmax", "fewer values", open_parts("SparseSoftmax", *SOFTMAX), INDICES, VALUES[:2], SHAPE)

# -- segments ------------------------------------------------------------------------------------------------------
DATA = np.arange(12, dtype=np.float32).reshape(4, 3)
PICKS, GROUPS = np.array([0, 2, 3], np.int32), np.array([0, 0, 2], np.int32)
for which in ("sum", "mean", "sqrt_n"):
    op = {"sum": "SparseSegmentSum", "mean": "SparseSegmentMean", "sqrt_n": "SparseSegmentSqrtN"}[which]
    for symbol in (f"sparse.segment_{which}", f"sparse_segment_{which}"):
        f = named(symbol)
        form(symbol, "form", f, DATA, PICKS, GROUPS)
        form(symbol, "number given", lambda tf, d, i, s, f=f: f(tf, d, i, s, num_segments=5, name="mine"), DATA, PICKS, GROUPS)
        form(symbol, "number that only the run knows", lambda tf, d, i, s, n, f=f: f(tf, d, i, s, num_segments=n), DATA, PICKS, GROUPS, np.int32(3))  # fmt: skip
        case(symbol, "a vector", f, DATA[0], np.array([0, 2], np.int32), np.array([0, 0], np.int32))
        case(symbol, "int64", f, DATA, PICKS.astype(np.int64), GROUPS.astype(np.int64))
        case(symbol, "nothing", f, DATA, PICKS[:0], GROUPS[:0])
        case(symbol, "nothing, number 0", lambda tf, d, i, s, f=f: f(tf, d, i, s, num_segments=0), DATA, PICKS[:0], GROUPS[:0])
        case(symbol, "begins later", f, DATA, PICKS, GROUPS + 1)
        for dtype in ("float16", "float64", "int32"):
            case(symbol, f"dtype {dtype}", f, DATA.astype(dtype), PICKS, GROUPS)
        case(symbol, "pick outside", f, DATA, np.array([0, 7, 3], np.int32), GROUPS)
        case(symbol, "negative pick", f, DATA, np.array([0, -7, 3], np.int32), GROUPS)
        case(symbol, "unsorted", f, DATA, PICKS, np.array([0, 1, 0], np.int32))
        case(symbol, "negative segment", f, DATA, PICKS, np.array([-1, 0, 1], np.int32))
        case(symbol, "fewer segments", f, DATA, PICKS, GROUPS[:2])
        case(symbol, "picks of rank 2", f, DATA, PICKS[None], GROUPS)
        case(symbol, "segments of rank 2", f, DATA, PICKS, GROUPS[None])
        case(symbol, "data of rank 0", f, DATA[0, 0], PICKS, GROUPS)
        for label, count in {"too small": 2, "negative": -2, "of rank 1": [3, 3]}.items():
            case(symbol, f"number {label}", lambda tf, d, i, s, f=f, count=count: f(tf, d, i, s, num_segments=count), DATA, PICKS, GROUPS)  # fmt: skip
            case(symbol, f"number {label} at run time", lambda tf, d, i, s, n, f=f: f(tf, d, i, s, num_segments=n), DATA, PICKS, GROUPS, np.array(count, np.int32))  # fmt: skip
    for label, parts in {
        "fewer segments": (DATA, PICKS, GROUPS[:2]),
        "picks of rank 2": (DATA, PICKS[None], GROUPS),
        "segments of rank 2": (DATA, PICKS, GROUPS[None]),
        "data of rank 0": (DATA[0, 0], PICKS, GROUPS),
    }.items():
        case(f"raw_ops.{op}", f"only the run knows: {label}", open_parts(op, "data", "indices", "segment_ids"), *parts)

# -- crosses -------------------------------------------------------------------------------------------------------
TEXTS = (np.array([[0, 0], [1, 0], [1, 1]]), np.array([b"a", b"b", b"c"], object), np.array([2, 2]))
OTHERS = (np.array([[0, 0], [1, 0]]), np.array([b"d", b"e"], object), np.array([2, 1]))
NUMBERS = (TEXTS[0], np.array([5, -6, 7], np.int64), TEXTS[2])
CROSSES: dict[str, Any] = {
    "sparse.cross": lambda tf, inputs, **given: tf.sparse.cross(inputs, **given),
    "sparse.cross_hashed": lambda tf, inputs, **given: tf.sparse.cross_hashed(inputs, **given),
}
for symbol, f in CROSSES.items():
    form(symbol, "strings", two(lambda tf, a, b, f=f: f(tf, [a, b])), *TEXTS, *OTHERS)
    case(symbol, "numbers", two(lambda tf, a, b, f=f: f(tf, [a, b], name="mine")), *NUMBERS, *OTHERS, nodes=True)
    case(symbol, "int32", one(lambda tf, a, f=f: f(tf, [a, a])), NUMBERS[0], NUMBERS[1].astype(np.int32), NUMBERS[2], nodes=True)
    case(symbol, "one", one(lambda tf, a, f=f: f(tf, [a])), *TEXTS)
    case(symbol, "dense ones", lambda tf, a, b, f=f: flat(tf, f(tf, [a, b])), np.array([[b"a", b"b"], [b"c", b"d"]], object), np.array([[1], [2]]), nodes=True)  # fmt: skip
    case(symbol, "a dense one", one(lambda tf, a, d, f=f: f(tf, [d, a])), *TEXTS, np.array([[1, 2], [3, 4]]))
    case(symbol, "an empty row", one(lambda tf, a, d, f=f: f(tf, [a, d])), TEXTS[0][:1], TEXTS[1][:1], TEXTS[2], np.array([[1], [2]]))
    case(symbol, "another number of rows", one(lambda tf, a, d, f=f: f(tf, [a, d])), *TEXTS, np.array([[1], [2], [3]]))
    case(symbol, "a vector", one(lambda tf, a, d, f=f: f(tf, [a, d])), *TEXTS, np.array([1, 2]))
    case(symbol, "no list", one(lambda tf, a, f=f: f(tf, a)), *TEXTS)
    case(symbol, "a Python list", one(lambda tf, a, f=f: f(tf, [a, [["x"]]])), *TEXTS)
for label, given in {"buckets": {"num_buckets": 100}, "key": {"num_buckets": 1000, "hash_key": 2}}.items():
    case("sparse.cross_hashed", label, two(lambda tf, a, b, given=given: tf.sparse.cross_hashed([a, b], **given)), *TEXTS, *OTHERS, nodes=True)  # fmt: skip
    case("sparse.cross_hashed", f"{label}, numbers", two(lambda tf, a, b, given=given: tf.sparse.cross_hashed([a, b], **given)), *NUMBERS, *OTHERS)  # fmt: skip
