"""Rows of the op table: picking and placing by index, sets, order, partition."""

import numpy as np
from cases import FLOATS, INTS, REALS, array, case, form, named, nan
from harness import raw

T = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
A = np.arange(6, dtype=np.float32).reshape(2, 3)
V = np.array([5, 1, 5, 3, 1], np.int32)
S = np.array([b"b", b"a", b"b"], object)


def i32(*values):
    return np.array(values, np.int32)


def i64(*values):
    return np.array(values, np.int64)


def raw_form(op_type, label, call, *inputs, **options):
    """A row of an op type that no public function of the row's form makes."""
    form(f"raw_ops.{op_type}", label, call, *inputs, **options)


# -- gather --------------------------------------------------------------------------------------------------------

raw_form("Gather", "form", lambda tf, x, i: raw(tf, "Gather", params=x, indices=i), T, i32(1, 0, 1))
raw_form("Gather", "name", lambda tf, x, i: raw(tf, "Gather", "mine", params=x, indices=i, validate_indices=False), A, i64(1))
case("raw_ops.Gather", "beyond", lambda tf, x, i: raw(tf, "Gather", params=x, indices=i), T, i32(1, 2))
case("raw_ops.Gather", "of a scalar", lambda tf, x, i: raw(tf, "Gather", params=x, indices=i), np.float32(1), i32(0))
for axis in (0, 1, 2, -1):
    form("gather", f"axis {axis}", lambda tf, x, i, axis=axis: tf.gather(x, i, axis=axis), T, i32(1, 0))
form("gather", "axis tensor", lambda tf, x, i, a: tf.gather(x, i, axis=a), T, i32(1, 0), np.int32(1))
form("gather", "of nothing", lambda tf, x, i: tf.gather(x, i), T, np.zeros((0, 2), np.int32))
form("gather", "batch", lambda tf, x, i: tf.gather(x, i, batch_dims=1), T, i32([0, 2], [1, 1]))
form("gather", "batch and axis", lambda tf, x, i: tf.gather(x, i, axis=2, batch_dims=1), T, i32([0, 3], [1, 1]))
case("gather", "axis beyond", lambda tf, x, i: tf.gather(x, i, axis=3), T, i32(0))
case("gather", "float indices", lambda tf, x, i: tf.gather(x, i), T, np.float32(0))
case("gather", "of a scalar", lambda tf, x: tf.gather(x, 0), np.float32(0))
case("gather", "matrix axis", lambda tf, x: tf.gather(x, [0], axis=[[0]]), T)
form("batch_gather", "form", named("batch_gather"), T, i32([2, 0], [1, 1]))
form("gather_nd", "elements", lambda tf, x, i: tf.gather_nd(x, i, name="mine"), A, i32([0, 1], [1, 2]))
form("gather_nd", "rows", lambda tf, x, i: tf.gather_nd(x, i), T, i64([1], [0], [1]))
form("gather_nd", "empty depth", lambda tf, x, i: tf.gather_nd(x, i), A, np.zeros((2, 0), np.int32))
case("gather_nd", "beyond", lambda tf, x, i: tf.gather_nd(x, i), A, i32([0, 1], [2, 2]))
case("gather_nd", "too deep", lambda tf, x, i: tf.gather_nd(x, i), A, i32([0, 1, 1]))
for place, indices in {"first": [[3, 0]], "negative": [[0, -1]], "one": [2, 0, 9], "deep": [[[0, 1], [2, 7]]], "scalar": 9}.items():
    case("gather_nd", f"beyond: {place}", lambda tf, x, i: tf.gather_nd(x, i), A, np.int32(indices))
BATCHED = {"int": lambda tf: 1, "tensor": lambda tf: tf.constant(1), "NumPy's": lambda tf: np.int64(1), "array": lambda tf: np.array(1),
           "negative": lambda tf: -1, "too many": lambda tf: 3, "zero": lambda tf: tf.constant(0)}  # fmt: skip
for label, batch_dims in BATCHED.items():
    case("gather_nd", f"batch_dims: {label}", lambda tf, x, i, b=batch_dims: tf.gather_nd(x, i, batch_dims=b(tf)), T, i32([1], [0]))
for rank, indices in {"scalars": i32([1], [0]), "rows": i32([[1], [0]], [[0], [0]]), "two deep": i32([1, 2], [0, 0])}.items():
    for known in (None, [None] * indices.ndim, [2, *[None] * (indices.ndim - 1)]):
        case(
            "gather_nd",
            f"batch_dims: {rank} of {known}",
            lambda tf, x, i, k=known: tf.gather_nd(tf.placeholder_with_default(x, [None] * 3), tf.placeholder_with_default(i, k), batch_dims=1),
            T,
            indices,
        )
case("gather_nd", "batch_dims: two", lambda tf, x, i: tf.gather_nd(x, tf.placeholder_with_default(i, [None] * 3), batch_dims=2), T, i32([[1], [0], [1]], [[0], [0], [1]]))
case("gather_nd", "batch_dims: beyond", lambda tf, x, i: tf.gather_nd(x, i, batch_dims=1), T, i32([1], [9]))
case("gather_nd", "scalar indices", lambda tf, x, i: tf.gather_nd(x, i), A, np.int32(0))
form("manip.gather_nd", "form", named("manip.gather_nd"), A, i32([0, 1], [1, 2]))
form("boolean_mask", "matrix", named("boolean_mask"), A, np.array([[True, False, True], [False, False, True]]))
form("boolean_mask", "axis", lambda tf, x, m: tf.boolean_mask(x, m, axis=1), T, np.array([True, False, True]))
form("boolean_mask", "name", lambda tf, x, m: tf.boolean_mask(x, m, "mine"), A, np.array([True, False]))
case("boolean_mask", "scalar mask", lambda tf, x: tf.boolean_mask(x, True), A)
case("boolean_mask", "too long", lambda tf, x: tf.boolean_mask(x, [True, False, True]), A)

# -- scatter into new tensors --------------------------------------------------------------------------------------

form("scatter_nd", "form", lambda tf, i, u: tf.scatter_nd(i, u, [5]), i32([4], [3], [4]), np.array([9, 10, 11], np.float32))
form("scatter_nd", "rows", lambda tf, i, u: tf.scatter_nd(i, u, [3, 3]), i32([2], [0]), A)
form("scatter_nd", "shape tensor", named("scatter_nd"), i64([4], [3]), np.array([9, 10], np.int32), i64(8))
form("scatter_nd", "name", lambda tf, i, u: tf.scatter_nd(i, u, [5], name="mine"), i32([4]), np.array([9], np.float64))
case("scatter_nd", "beyond", lambda tf, i, u: tf.scatter_nd(i, u, [5]), i32([5]), np.array([9], np.float32))
case("scatter_nd", "sizes differ", lambda tf, i, u: tf.scatter_nd(i, u, [5]), i32([4], [3]), np.array([9], np.float32))
case("scatter_nd", "dtypes differ", lambda tf, i, u: tf.scatter_nd(i, u, i64(5)), i32([4]), np.array([9], np.float32))
form("manip.scatter_nd", "form", lambda tf, i, u: tf.manip.scatter_nd(i, u, [5]), i32([4]), np.array([9], np.float32))
for how in ("add", "sub", "update"):
    for symbol in (f"tensor_scatter_{how}", f"tensor_scatter_nd_{how}"):
        f = named(symbol)
        form(symbol, "form", f, A, i32([1, 2], [0, 0]), np.array([10, 20], np.float32))
        form(symbol, "rows", lambda tf, x, i, u, f=f: f(tf, x, i, u, name="mine"), T, i64([1]), np.ones((1, 3, 4), np.float32))
        case(symbol, "beyond", f, A, i32([1, 3]), np.array([10], np.float32))
        case(symbol, "dtypes differ", f, A, i32([1, 2]), np.array([10], np.int32))
for dtype in INTS:
    form("invert_permutation", dtype, named("invert_permutation"), np.array([3, 4, 0, 2, 1], dtype))
case("invert_permutation", "twice", named("invert_permutation"), i32(1, 1))
case("invert_permutation", "beyond", named("invert_permutation"), i32(0, 2))
case("invert_permutation", "matrix", named("invert_permutation"), i32([0, 1]))
case("invert_permutation", "float", named("invert_permutation"), A[0])

# -- sets and order ------------------------------------------------------------------------------------------------

for symbol in ("unique", "unique_with_counts"):
    f = named(symbol)
    form(symbol, "form", f, V)
    form(symbol, "int64 places", lambda tf, x, f=f: f(tf, x, tf.int64, name="mine"), V)
    case(symbol, "strings", f, S)
    case(symbol, "empty", f, np.zeros(0, np.float32))
    case(symbol, "floats", f, np.array([1.5, 0, 1.5], np.float64))
    case(symbol, "no numbers", f, np.array([np.nan, 1, np.nan, 1], np.float32))
    case(symbol, "matrix", f, A)
    case(symbol, "float places", lambda tf, x, f=f: f(tf, x, tf.float32), V)
W = np.array([[1, 0, 1], [1, 0, 1], [2, 0, 2]], np.int32)
for op_type in ("UniqueV2", "UniqueWithCountsV2"):
    for axis in ([0], [1], [-1]):
        raw_form(op_type, f"axis {axis}", lambda tf, x, t=op_type, a=axis: raw(tf, t, "mine", x=x, axis=i64(*a)), W)
    raw_form(op_type, "no axis", lambda tf, x, t=op_type: raw(tf, t, x=x, axis=np.zeros(0, np.int64)), V)
    raw_form(op_type, "axis tensor", lambda tf, x, a, t=op_type: raw(tf, t, x=x, axis=a), W, i64(0))
    case(f"raw_ops.{op_type}", "beyond", lambda tf, x, t=op_type: raw(tf, t, x=x, axis=i64(2)), W)
raw_form("Bucketize", "form", lambda tf, x: raw(tf, "Bucketize", "mine", input=x, boundaries=[0.0, 2.0, 4.0]), A)
case("raw_ops.Bucketize", "unsorted", lambda tf, x: raw(tf, "Bucketize", input=x, boundaries=[2.0, 0.0]), A)
for symbol in ("setdiff1d",):
    f = named(symbol)
    form(symbol, "form", f, V, i32(1, 7))
    form(symbol, "int64 places", lambda tf, x, y, f=f: f(tf, x, y, tf.int64, name="mine"), V, i32(1, 7))
    case(symbol, "strings", f, S, np.array([b"a"], object))
    case(symbol, "dtypes differ", f, V, i64(1))
    case(symbol, "matrix", f, i32([1]), V)
raw_form("ListDiff", "form", lambda tf, x, y: raw(tf, "ListDiff", "mine", x=x, y=y), V, i32(1, 7))
for dtype in (*REALS, "uint8"):
    case("nn.top_k", dtype, lambda tf, x: tf.nn.top_k(x, 2), np.array([[1, 3, 3, 2]], dtype))
form("nn.top_k", "form", named("nn.top_k"), A)
form("nn.top_k", "three", lambda tf, x: tf.nn.top_k(x, k=3, name="mine"), T)
form("nn.top_k", "unsorted", lambda tf, x: tf.nn.top_k(x, 1, sorted=False), T)
form("nn.top_k", "k tensor", lambda tf, x, k: tf.nn.top_k(x, k), A, np.int32(2))
form("math.top_k", "form", lambda tf, x: tf.math.top_k(x, 2), A)
case("nn.top_k", "too many", lambda tf, x: tf.nn.top_k(x, 4), A)
case("nn.top_k", "negative", lambda tf, x: tf.nn.top_k(x, -1), A)
case("nn.top_k", "scalar", named("nn.top_k"), np.float32(1))
case("nn.top_k", "bool", named("nn.top_k"), np.array([True]))
P = np.array([[0.1, 0.3, 0.2, 0.4], [0.4, 0.4, 0.1, 0.1], [nan, 0, 1, 2]], np.float32)
for symbol in ("nn.in_top_k", "math.in_top_k"):
    form(symbol, "form", lambda tf, p, t, symbol=symbol: named(symbol)(tf, p, t, 2), P, i32(1, 0, 2))
    case(symbol, "beyond", lambda tf, p, t, symbol=symbol: named(symbol)(tf, p, t, 2), P, i32(4, -1, 2))
    case(symbol, "lengths differ", lambda tf, p, t, symbol=symbol: named(symbol)(tf, p, t, 2), P, i32(1, 0))
    case(symbol, "vector", lambda tf, p, t, symbol=symbol: named(symbol)(tf, p, t, 2), P[0], i32(1))
form("nn.in_top_k", "k tensor", lambda tf, p, t, k: tf.nn.in_top_k(p, t, k, name="mine"), P, i64(1, 0, 2), np.int64(1))
raw_form("InTopK", "form", lambda tf, p, t: raw(tf, "InTopK", "mine", predictions=p, targets=t, k=2), P, i32(1, 0, 2))
for side in ("left", "right"):
    form(
        "searchsorted",
        side,
        lambda tf, s, v, side=side: tf.searchsorted(s, v, side, name="mine"),
        np.array([[1, 3, 5], [2, 4, 6]], np.float32),
        np.array([[0, 3], [4, 9]], np.float32),
    )
    form("searchsorted", f"vectors, {side}", lambda tf, s, v, side=side: tf.searchsorted(s, v, side), V[:3] * 0 + i32(1, 4, 6), V)
form("searchsorted", "int64", lambda tf, s, v: tf.searchsorted(s, v, out_type=tf.int64), i32(1, 4, 6), V)
case("searchsorted", "other side", lambda tf, s, v: tf.searchsorted(s, v, "up"), i32(1, 4, 6), V)
for op_type in ("LowerBound", "UpperBound"):
    raw_form(
        op_type,
        "form",
        lambda tf, s, v, op_type=op_type: raw(tf, op_type, "mine", sorted_inputs=s, values=v),
        i32([1, 3, 5], [2, 4, 6]),
        i32([0, 3], [4, 9]),
    )
for direction in ("ASCENDING", "DESCENDING"):
    form("sort", direction, lambda tf, x, d=direction: tf.sort(x, direction=d), np.array([[3, 1, 2], [1, 1, 0]], np.float32))
    form("argsort", direction, lambda tf, x, d=direction: tf.argsort(x, direction=d), np.array([[3, 1, 2]], np.float32))
form("sort", "axis", lambda tf, x: tf.sort(x, axis=0, name="mine"), A[::-1].copy())
form("argsort", "axis", lambda tf, x: tf.argsort(x, 0, stable=True, name="mine"), A[::-1].copy())
case("sort", "other way", lambda tf, x: tf.sort(x, direction="UP"), A)

# -- partition and stitch ------------------------------------------------------------------------------------------

form("dynamic_partition", "form", lambda tf, x, p: tf.dynamic_partition(x, p, 3), A, i32(2, 0))
form("dynamic_partition", "elements", lambda tf, x, p: tf.dynamic_partition(x, p, 2, name="mine"), V, i32(0, 1, 1, 0, 1))
case("dynamic_partition", "strings", lambda tf, x, p: tf.dynamic_partition(x, p, 2), S, i32(1, 0, 1))
case("dynamic_partition", "beyond", lambda tf, x, p: tf.dynamic_partition(x, p, 2), V, i32(0, 1, 2, 0, 1))
case("dynamic_partition", "lengths differ", lambda tf, x, p: tf.dynamic_partition(x, p, 2), V, i32(0, 1))
case("dynamic_partition", "none", lambda tf, x, p: tf.dynamic_partition(x, p, 0), V, i32(0, 1, 1, 0, 1))
case("dynamic_partition", "int64", lambda tf, x, p: tf.dynamic_partition(x, p, 2), V, i64(0, 1, 1, 0, 1))
STITCH = (i32(2, 0), i32(1), np.array([[5, 6], [1, 2]], np.float32), np.array([[3, 4]], np.float32))
form("dynamic_stitch", "form", lambda tf, i, j, x, y: tf.dynamic_stitch([i, j], [x, y]), *STITCH)
form("dynamic_stitch", "scalar", lambda tf, x, y: tf.dynamic_stitch([0, [1, 2]], [x, y], name="mine"), A[0], T[1, :2, :3])
form("dynamic_stitch", "later wins", lambda tf, x, y: tf.dynamic_stitch([[0], [0]], [x, y]), A[:1], -A[:1])
case("dynamic_stitch", "sizes differ", lambda tf, x, y: tf.dynamic_stitch([[0], [1]], [x, y]), A[:1], T[0, :1])
case("dynamic_stitch", "indices too long", lambda tf, x: tf.dynamic_stitch([[0, 1, 2]], [x]), A)
case("dynamic_stitch", "counts differ", lambda tf, x: tf.dynamic_stitch([[0, 1], [1]], [x]), A)
raw_form(
    "ParallelDynamicStitch",
    "form",
    lambda tf, i, j, x, y: raw(tf, "ParallelDynamicStitch", "mine", indices=[i, j], data=[x, y]),
    *STITCH,
)

# -- check, sparse to dense, places --------------------------------------------------------------------------------

for symbol in ("check_numerics", "debugging.check_numerics"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: f(tf, x, "all well?"), A)
    case(symbol, "nan", lambda tf, x, f=f: f(tf, x, "all well?"), np.array([1, nan], np.float32))
    case(symbol, "both", lambda tf, x, f=f: f(tf, x, "all well?", name="mine"), np.array([1, nan, -np.inf], np.float64))
    case(symbol, "ints", lambda tf, x, f=f: f(tf, x, "all well?"), V)
for dtype in FLOATS:
    case("check_numerics", dtype, lambda tf, x: tf.check_numerics(x, ""), array(dtype, 1, 2))
form("sparse_to_dense", "vector", lambda tf, i, v: tf.sparse_to_dense(i, [5], v), i32(1, 3), np.array([7, 8], np.float32))
form("sparse_to_dense", "one value", lambda tf, i: tf.sparse_to_dense(i, [2, 3], 1, 9, name="mine"), i32([0, 1], [1, 2]))
form("sparse_to_dense", "scalar", lambda tf, i, v: tf.sparse_to_dense(i, [4], v, -1.0), np.int32(2), np.float32(5))
form("sparse_to_dense", "shape tensor", lambda tf, i, s: tf.sparse_to_dense(i, s, 1.0), i64(1, 3), i64(5))
case("sparse_to_dense", "unordered", lambda tf, i: tf.sparse_to_dense(i, [5], 1), i32(3, 1))
case("sparse_to_dense", "repeated", lambda tf, i: tf.sparse_to_dense(i, [5], 1), i32(3, 3))
case("sparse_to_dense", "unchecked", lambda tf, i: tf.sparse_to_dense(i, [5], 1, validate_indices=False), i32(3, 1))
case("sparse_to_dense", "beyond", lambda tf, i: tf.sparse_to_dense(i, [5], 1), i32(5))
case("sparse_to_dense", "dtypes differ", lambda tf, i: tf.sparse_to_dense(i, [5], 1.0, 0), i32(3))
form("unravel_index", "form", lambda tf, i: tf.unravel_index(i, [3, 4]), i32(2, 5, 7))
form("unravel_index", "scalar", lambda tf, i, d: tf.unravel_index(i, d, name="mine"), np.int64(5), i64(3, 4))
case("unravel_index", "beyond", lambda tf, i: tf.unravel_index(i, [3, 4]), i32(12))
form("sequence_mask", "no length", lambda tf, n: tf.sequence_mask(n, name="mine"), i32(1, 3, 0))
form("sequence_mask", "dtype", lambda tf, n: tf.sequence_mask(n, 3, tf.float32), i64([1, 3], [0, 2]))
form("sequence_mask", "length tensor", lambda tf, n, m: tf.sequence_mask(n, m), i32(1, 3), np.int32(4))
case("sequence_mask", "length vector", lambda tf, n: tf.sequence_mask(n, [4]), i32(1, 3))


def of_open_shape(tf, x):
    """x where only the value is compared: the newer releases know more of the shape."""
    return tf.placeholder_with_default(x, None)


case("repeat", "form", lambda tf, x: of_open_shape(tf, tf.repeat(x, 2)), A)
case("repeat", "axis", lambda tf, x: of_open_shape(tf, tf.repeat(x, [2, 0, 1], axis=1, name="mine")), A)
case("repeat", "first axis", lambda tf, x: of_open_shape(tf, tf.repeat(x, [2, 1], axis=0)), A)
case("repeat", "counts fed", lambda tf, x, n: of_open_shape(tf, tf.repeat(x, n, axis=-1)), A, i32(1, 0, 2))
case("repeat", "scalar", lambda tf, x: of_open_shape(tf, tf.repeat(x, 3)), np.float32(7))
case("repeat", "strings", lambda tf, x: of_open_shape(tf, tf.repeat(x, 2, 0)), S)
case("repeat", "too few", lambda tf, x: tf.repeat(x, [1, 2], axis=1), A)
case("repeat", "float counts", lambda tf, x: tf.repeat(x, [1.0, 2.0, 1.0], axis=1), A)
case("repeat", "beyond", lambda tf, x: tf.repeat(x, 2, axis=2), A)
form("meshgrid", "form", lambda tf, x, y: tf.meshgrid(x, y), i32(1, 2, 3), i32(4, 5))
form("meshgrid", "ij", lambda tf, x, y: tf.meshgrid(x, y, indexing="ij", name="mine"), i32(1, 2, 3), i32(4, 5))
case("meshgrid", "other indexing", lambda tf, x: tf.meshgrid(x, x, indexing="no"), i32(1, 2))
