"""Rows of the op table: shapes, joining and cutting, casts, choosing."""

from typing import Any

import numpy as np
from cases import REALS, array, case, form, inf, named, nan

A = np.arange(6).reshape(2, 3).astype(np.float32)
B = np.arange(12).reshape(3, 4).astype(np.float32)

T = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
for symbol in ("shape", "size", "rank"):
    f = named(symbol)
    form(symbol, "form", f, T)
    form(symbol, "scalar", f, np.float32(1))
    form(symbol, "empty", f, np.ones((0, 3), np.float32))
    case(symbol, "literal", lambda tf, f=f: f(tf, [[1.0, 2.0]]), nodes=True)
    case(symbol, "name", lambda tf, x, f=f: f(tf, x, name="mine"), T, nodes=True)
    form(
        symbol,
        "of a partly known shape",
        lambda tf, x, f=f: f(tf, tf.placeholder_with_default(x, [None, 3, None])),
        T,
    )
for symbol in ("shape", "size"):
    form(symbol, "int64", lambda tf, x, symbol=symbol: named(symbol)(tf, x, out_type=tf.int64), T)
case("shape_n", "form", lambda tf, a, b: tf.shape_n([a, b]), T, A)
RESHAPES: dict[str, Any] = {
    "flat": [-1],
    "two": [6, 4],
    "with -1": [2, -1],
    "middle -1": [4, -1, 2],
    "same": [2, 3, 4],
    "more ones": [1, 2, 3, 4, 1],
}
for label, target in RESHAPES.items():
    form("reshape", label, lambda tf, x, target=target: tf.reshape(x, target), T)
case("reshape", "to a scalar", lambda tf, x: tf.reshape(x, []), np.ones((1, 1), np.float32))
case("reshape", "int64 shape", lambda tf, x: tf.reshape(x, np.array([3, 8])), T)
form("reshape", "shape tensor", lambda tf, x, s: tf.reshape(x, s), T, np.array([4, -1], np.int32))
form(
    "reshape", "shape of another", lambda tf, x, y: tf.reshape(x, tf.shape(y)), T, np.ones((4, 6), np.float32)
)
form("reshape", "packed shape", lambda tf, x, n: tf.reshape(x, [n, 6]), T, np.int32(4))
form("reshape", "shape slice", lambda tf, x: tf.reshape(x, [tf.shape(x)[0], 12], name="mine"), T)
form("reshape", "empty", lambda tf, x: tf.reshape(x, [3, -1]), np.ones((0, 3), np.float32))
case("reshape", "tensor shape object", lambda tf, x: tf.reshape(x, tf.TensorShape([6, 4])), T, nodes=True)
case("reshape", "wrong size", lambda tf, x: tf.reshape(x, [5, 5]), T)
case("reshape", "not a multiple", lambda tf, x: tf.reshape(x, [5, -1]), T)
case("reshape", "two unknowns", lambda tf, x: tf.reshape(x, [-1, -1]), T)
case("reshape", "below -1", lambda tf, x: tf.reshape(x, [-2, 12]), T)
case("reshape", "float shape", lambda tf, x: tf.reshape(x, [6.0, 4.0]), T)
case("reshape", "wrong size at run time", lambda tf, x, s: tf.reshape(x, s), T, np.array([5, 5], np.int32))
case("reshape", "strings", lambda tf, x: tf.reshape(x, [2, 1]), np.array([b"a", b"b"], object))
form("transpose", "form", named("transpose"), T)
form("transpose", "permutation", lambda tf, x: tf.transpose(x, [1, 0, 2]), T)
form(
    "transpose",
    "permutation tensor",
    lambda tf, x, p: tf.transpose(x, p, name="mine"),
    T,
    np.array([2, 0, 1], np.int32),
)
form("transpose", "matrix", lambda tf, x: tf.transpose(x), A)
form(
    "transpose",
    "conjugate",
    lambda tf, x: tf.transpose(x, conjugate=True),
    np.array([[1 + 2j, 3]], np.complex64),
)
case("transpose", "scalar", named("transpose"), np.float32(1))
case("transpose", "int", named("transpose"), np.array([[1, 2]], np.int64))
case("transpose", "bool", named("transpose"), np.array([[True, False]]))
case("transpose", "wrong length", lambda tf, x: tf.transpose(x, [0, 1]), T)
case("transpose", "twice the same", lambda tf, x: tf.transpose(x, [0, 0, 1]), T)
case("transpose", "beyond", lambda tf, x: tf.transpose(x, [0, 1, 3]), T)
O = np.ones((1, 3, 1, 2), np.float32)
form("squeeze", "form", named("squeeze"), O)
form("squeeze", "axis", lambda tf, x: tf.squeeze(x, 2), O)
form("squeeze", "axes", lambda tf, x: tf.squeeze(x, [0, -2]), O)
form("squeeze", "old name", lambda tf, x: tf.squeeze(x, squeeze_dims=[0], name="mine"), O)
case("squeeze", "not one", lambda tf, x: tf.squeeze(x, [1]), O)
case("squeeze", "beyond", lambda tf, x: tf.squeeze(x, [4]), O)
for axis in (0, 1, 3, -1, -2, -4):
    form("expand_dims", f"axis {axis}", lambda tf, x, axis=axis: tf.expand_dims(x, axis), T)
form("expand_dims", "old name", lambda tf, x: tf.expand_dims(x, dim=1, name="mine"), T)
form("expand_dims", "axis tensor", lambda tf, x, a: tf.expand_dims(x, a), T, np.int32(1))
form("expand_dims", "scalar", lambda tf, x: tf.expand_dims(x, 0), np.float32(1))
case("expand_dims", "beyond", lambda tf, x: tf.expand_dims(x, 4), T)
case("expand_dims", "no axis", lambda tf, x: tf.expand_dims(x), T)

# -- concat, stack, unstack, slice -------------------------------------------------------------------------------

for axis in (0, 1, -1):
    form("concat", f"axis {axis}", lambda tf, x, y, axis=axis: tf.concat([x, y], axis), A, A + 10)
form("concat", "different lengths", lambda tf, x, y: tf.concat([x, y], 0), A, B.T.copy())
form("concat", "axis tensor", lambda tf, x, y, a: tf.concat([x, y], a), A, A, np.int32(1))
form("concat", "old order of names", lambda tf, x, y: tf.concat(axis=1, values=[x, y], name="mine"), A, A)
form("concat", "with an empty one", lambda tf, x, y: tf.concat([x, y], 0), A[:0], A)
form("concat", "three", lambda tf, x, y, z: tf.concat([x, y, z], 0), A, A, A)
case("concat", "one", lambda tf, x: tf.concat([x], 0), A, nodes=True)
case("concat", "one, no list", lambda tf, x: tf.concat(x, 0), A, nodes=True)
case("concat", "literals", lambda tf, x: tf.concat([x, [[1.0, 2.0, 3.0]]], 0), A, nodes=True)
case(
    "concat",
    "ints",
    lambda tf, x, y: tf.concat([x, y], 0),
    np.array([1], np.int64),
    np.array([2, 3], np.int64),
)
case(
    "concat",
    "strings",
    lambda tf, x, y: tf.concat([x, y], 0),
    np.array([b"a"], object),
    np.array([b"b"], object),
)
case("concat", "dimensions differ", lambda tf, x, y: tf.concat([x, y], 1), A, B)
case("concat", "ranks differ", lambda tf, x, y: tf.concat([x, y], 0), A, A[0])
case("concat", "scalars", lambda tf, x, y: tf.concat([x, y], 0), np.float32(1), np.float32(2))
case("concat", "beyond", lambda tf, x, y: tf.concat([x, y], 2), A, A)
case("concat", "dtypes differ", lambda tf, x, y: tf.concat([x, y], 0), A, A.astype(np.int32))
case("concat", "nothing", lambda tf: tf.concat([], 0))
for axis in (0, 1, 2, -1, -3):
    form("stack", f"axis {axis}", lambda tf, x, y, axis=axis: tf.stack([x, y], axis), A, A + 10)
form("stack", "scalars", lambda tf, x, y: tf.stack([x, y]), np.float32(1), np.float32(2))
form("stack", "one", lambda tf, x: tf.stack([x], name="mine"), A)
case("stack", "literals", lambda tf: tf.stack([1, 2, 3]), nodes=True)
case("stack", "tensor and literal", lambda tf, x: tf.stack([x, 2.0]), np.float32(1), nodes=True)
case("stack", "arrays", lambda tf: tf.stack([[1.0, 2.0], [3.0, 4.0]]), nodes=True)
case("stack", "a tensor", lambda tf, x: tf.stack(x), A, nodes=True)
case("stack", "strings", lambda tf, x, y: tf.stack([x, y]), np.array(b"a", object), np.array(b"b", object))
case("stack", "shapes differ", lambda tf, x, y: tf.stack([x, y]), A, B)
case("stack", "dtypes differ", lambda tf, x, y: tf.stack([x, y]), A, A.astype(np.int32))
case("stack", "beyond", lambda tf, x, y: tf.stack([x, y], 3), A, A)
for axis in (0, 1, -1, -2):
    form(
        "unstack",
        f"axis {axis}",
        lambda tf, x, axis=axis: tf.unstack(
            x, axis=axis, num=x.shape.as_list()[axis] if x.shape.ndims else 2
        ),
        A,
    )
form("unstack", "no number", lambda tf, x: tf.unstack(x), A)
case("unstack", "number", lambda tf, x: tf.unstack(x, 2, name="mine"), A, nodes=True)
case("unstack", "wrong number", lambda tf, x: tf.unstack(x, 3), A)
case("unstack", "beyond", lambda tf, x: tf.unstack(x, axis=2), A)
case("unstack", "scalar", lambda tf, x: tf.unstack(x), np.float32(1))
case("unstack", "literal", lambda tf: tf.unstack([1, 2]), nodes=True)
form("slice", "form", lambda tf, x: tf.slice(x, [0, 1, 1], [1, 2, -1]), T)
form(
    "slice",
    "tensors",
    lambda tf, x, b, s: tf.slice(x, b, s, name="mine"),
    T,
    np.array([1, 0, 2], np.int32),
    np.array([1, -1, 2], np.int32),
)
form("slice", "int64", lambda tf, x: tf.slice(x, np.array([0, 0, 0]), np.array([2, 1, 4])), T)
form("slice", "empty", lambda tf, x: tf.slice(x, [0, 0, 0], [0, 3, 4]), T)
case("slice", "too much", lambda tf, x: tf.slice(x, [0, 0, 0], [3, 3, 4]), T)
case("slice", "negative begin", lambda tf, x: tf.slice(x, [-1, 0, 0], [1, 1, 1]), T)
case("slice", "wrong rank", lambda tf, x: tf.slice(x, [0, 0], [1, 1]), T)
case("slice", "strings", lambda tf, x: tf.slice(x, [1], [1]), np.array([b"a", b"b"], object))
form("strided_slice", "form", lambda tf, x: tf.strided_slice(x, [0, 0, 3], [2, 3, 0], [1, 2, -1]), T)
form(
    "strided_slice",
    "masks",
    lambda tf, x: tf.strided_slice(x, [0, 1], [0, 2], begin_mask=1, end_mask=1, shrink_axis_mask=2),
    T,
)
form("split", "number", lambda tf, x: tf.split(x, 2, 2), T)
form("split", "negative axis", lambda tf, x: tf.split(x, 3, -2), T)
form("split", "sizes", lambda tf, x: tf.split(x, [1, 3], 2, name="mine"), T)
form("split", "sizes with -1", lambda tf, x: tf.split(x, [1, -1, 1], axis=2), T)
form("split", "names", lambda tf, x: tf.split(axis=0, num_or_size_splits=2, value=x), T)
form("split", "sizes tensor", lambda tf, x, s: tf.split(x, s, 2, num=2), T, np.array([1, 3], np.int32))
case("split", "uneven", lambda tf, x: tf.split(x, 2, 1), T)
case("split", "sizes that do not fit", lambda tf, x: tf.split(x, [1, 1], 2), T)
case("split", "beyond", lambda tf, x: tf.split(x, 2, 3), T)
form("gather", "form", lambda tf, x, i: tf.gather(x, i), T, np.array([1, 0, 1], np.int32))
form("gather", "axis", lambda tf, x, i: tf.gather(x, i, axis=2), T, np.array([[3, 0], [1, 1]], np.int32))
form("gather", "scalar index", lambda tf, x: tf.gather(x, 1, name="mine"), T)
form("gather", "int64", lambda tf, x, i: tf.gather(x, i), T, np.array([1], np.int64))
case("gather", "beyond", lambda tf, x, i: tf.gather(x, i), T, np.array([0, 2], np.int32))
case("gather", "negative", lambda tf, x, i: tf.gather(x, i), T, np.array([-1], np.int32))
case(
    "gather",
    "strings",
    lambda tf, x, i: tf.gather(x, i),
    np.array([b"a", b"b"], object),
    np.array([1], np.int32),
)
form("gather_nd", "form", lambda tf, x, i: tf.gather_nd(x, i), T, np.array([[0, 1], [1, 2]], np.int32))
form("tile", "form", lambda tf, x: tf.tile(x, [2, 1]), A)
form("tile", "multiples tensor", lambda tf, x, m: tf.tile(x, m, name="mine"), A, np.array([1, 2], np.int32))
form("tile", "zero", lambda tf, x: tf.tile(x, [0, 2]), A)
case("tile", "wrong length", lambda tf, x: tf.tile(x, [2]), A)
case("tile", "negative", lambda tf, x: tf.tile(x, [-1, 1]), A)
for mode in ("CONSTANT", "REFLECT", "SYMMETRIC"):
    form("pad", mode, lambda tf, x, mode=mode: tf.pad(x, [[1, 1], [0, 2]], mode), A)
form(
    "pad",
    "paddings tensor",
    lambda tf, x, p: tf.pad(x, p, name="mine"),
    A,
    np.array([[0, 1], [2, 0]], np.int32),
)
form("pad", "value", lambda tf, x: tf.pad(x, [[1, 0], [0, 1]], constant_values=7), A)
case("pad", "wrong shape", lambda tf, x: tf.pad(x, [[1, 1]]), A)
case("pad", "too much to reflect", lambda tf, x: tf.pad(x, [[2, 2], [0, 0]], "REFLECT"), A)
case("pad", "unknown mode", lambda tf, x: tf.pad(x, [[1, 1], [0, 2]], "NOTHING"), A)
form("reverse", "form", lambda tf, x: tf.reverse(x, [1]), A)
form("boolean_mask", "form", lambda tf, x, m: tf.boolean_mask(x, m), A, np.array([True, False]))

# -- cast, fill, where -------------------------------------------------------------------------------------------

CASTS = ("float16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64", "bool")
for source in CASTS:
    for target in CASTS:
        if source != target:
            numbers = (
                (1, 0)
                if source == "bool"
                else (-1, 0, 1, 2.7, -2.7, 100, 0.5)
                if source.startswith("float")
                else (-1, 0, 1, 3, 100)
            )
            if target == "uint8":
                numbers = tuple(n for n in numbers if n >= 0)  # a float below zero has no defined uint8
            case(
                "cast",
                f"{source} to {target}",
                lambda tf, x, target=target: tf.cast(x, target),
                array(source, *numbers),
            )
case(
    "cast",
    "ints wrap",
    lambda tf, x: [tf.cast(x, tf.uint8), tf.cast(x, tf.int8), tf.cast(x, tf.int16)],
    np.array([300, -1, 128, 2**31 - 1], np.int32),
)
case(
    "cast",
    "int64 to int32 wraps",
    lambda tf, x: tf.cast(x, tf.int32),
    np.array([2**31, -(2**31) - 1, 2**40], np.int64),
)
case("cast", "nan to bool", lambda tf, x: tf.cast(x, tf.bool), np.array([nan, inf, 0, -0.0], np.float32))
case("cast", "to complex", lambda tf, x: tf.cast(x, tf.complex64), np.array([1, 2], np.float32))
case("cast", "from complex", lambda tf, x: tf.cast(x, tf.float32), np.array([1 + 2j], np.complex64))
case(
    "cast",
    "float64 to float32 overflow",
    lambda tf, x: tf.cast(x, tf.float32),
    np.array([1e300, -1e300, 1e-300], np.float64),
)
form("cast", "form", lambda tf, x: tf.cast(x, tf.int32), np.ones((2, 3), np.float32))
case("cast", "same dtype", lambda tf, x: tf.cast(x, tf.float32), np.float32(1), nodes=True)
case("cast", "literal", lambda tf: tf.cast([1.5, 2.5], tf.int32), nodes=True)
case("cast", "literal of the dtype", lambda tf: tf.cast([1.5, 2.5], tf.float32), nodes=True)
case("cast", "name", lambda tf, x: tf.cast(x, tf.float64, name="mine"), np.float32(1), nodes=True)
case("cast", "string", lambda tf, x: tf.cast(x, tf.float32), np.array([b"1"], object))
case("cast", "to string", lambda tf, x: tf.cast(x, tf.string), np.float32(1))
case("cast", "unknown dtype", lambda tf, x: tf.cast(x, "nothing"), np.float32(1))
for symbol in ("to_float", "to_int32", "to_int64", "to_double"):
    form(symbol, "form", named(symbol), np.array([1, 2], np.int16))
    case(
        symbol,
        "float",
        lambda tf, x, symbol=symbol: named(symbol)(tf, x, name="mine"),
        np.array([1.7, -1.7], np.float32),
        nodes=True,
    )
case("saturate_cast", "form", lambda tf, x: tf.saturate_cast(x, tf.uint8), np.array([-1.0, 300], np.float32))
for dtype in (*REALS, "bool", "uint8"):
    case("zeros", dtype, lambda tf, dtype=dtype: tf.zeros([2], dtype), nodes=True)
    case("ones", dtype, lambda tf, dtype=dtype: tf.ones([2], dtype), nodes=True)
case("zeros", "string", lambda tf: tf.zeros([2], tf.string), nodes=True)
case("ones", "string", lambda tf: tf.ones([2], tf.string))
for symbol in ("zeros", "ones"):
    f = named(symbol)
    case(symbol, "scalar", lambda tf, f=f: f(tf, []), nodes=True)
    case(symbol, "name", lambda tf, f=f: f(tf, (2, 3), name="mine"), nodes=True)
    case(symbol, "large", lambda tf, f=f: tf.reduce_sum(f(tf, [40, 40])), nodes=True)
    case(symbol, "large, one dimension", lambda tf, f=f: tf.reduce_sum(f(tf, 1000)), nodes=True)
    case(symbol, "empty", lambda tf, f=f: f(tf, [0, 3]), nodes=True)
    form(symbol, "shape tensor", lambda tf, s, f=f: f(tf, s), np.array([2, 3], np.int32))
    form(symbol, "packed shape", lambda tf, n, f=f: f(tf, [n, 2]), np.int32(3))
    form(symbol, "int64 shape", lambda tf, s, f=f: f(tf, s, tf.int32), np.array([2, 3], np.int64))
    case(symbol, "int", lambda tf, f=f: f(tf, 3), nodes=True)
    case(symbol, "tensor shape", lambda tf, f=f: f(tf, tf.TensorShape([2, 1])), nodes=True)
    case(symbol, "float shape", lambda tf, f=f: f(tf, [2.0]))
for symbol in ("zeros_like", "ones_like"):
    f = named(symbol)
    for dtype in (*REALS, "bool"):
        case(symbol, dtype, f, np.ones((2, 3), dtype), nodes=True)
    form(symbol, "form", f, T)
    form(symbol, "dtype", lambda tf, x, f=f: f(tf, x, tf.int32, name="mine"), T)
    form(symbol, "not optimized", lambda tf, x, f=f: f(tf, x, optimize=False), T)
    form(symbol, "partly known", lambda tf, x, f=f: f(tf, tf.placeholder_with_default(x, [None, 3, None])), T)
    case(symbol, "literal", lambda tf, f=f: f(tf, [1, 2]), nodes=True)
    case(symbol, "string", f, np.array([b"a"], object))
for dtype in (*REALS, "bool", "uint8"):
    case("fill", dtype, lambda tf, v: tf.fill([2, 2], v), np.ones((), dtype))
form("fill", "form", lambda tf, v: tf.fill([2, 3], v), np.float32(9))
form(
    "fill",
    "dims tensor",
    lambda tf, d, v: tf.fill(d, v, name="mine"),
    np.array([2, 3], np.int32),
    np.float32(9),
)
form("fill", "packed dims", lambda tf, n: tf.fill([n, 2], 1.0), np.int32(3))
case("fill", "string", lambda tf: tf.fill([2], "a"), nodes=True)
case("fill", "scalar", lambda tf: tf.fill([], 7))
case("fill", "empty", lambda tf: tf.fill([0, 2], 7), nodes=True)
case("fill", "negative", lambda tf: tf.fill([-2], 7))
case("fill", "negative at run time", lambda tf, d: tf.fill(d, 7), np.array([2, -2], np.int32))
case("fill", "value no scalar", lambda tf, v: tf.fill([2], v), np.ones(2, np.float32))
case("fill", "dims no vector", lambda tf: tf.fill(2, 7))
for args in ((5,), (1, 5), (1, 10, 3), (5, 1, -2), (3, 1), (0.0, 1.0, 0.25), (1.5,), (0, 5, 2.0)):
    case("range", f"{args}", lambda tf, args=args: tf.range(*args), nodes=True)
form("range", "limit tensor", lambda tf, n: tf.range(n), np.int32(4))
form(
    "range",
    "tensors",
    lambda tf, a, b, d: tf.range(a, b, d, name="mine"),
    np.int32(1),
    np.int32(8),
    np.int32(3),
)
form("range", "int64", lambda tf, n: tf.range(n), np.int64(4))
form("range", "mixed", lambda tf, n: tf.range(0, n, 0.5), np.int32(2))
case("range", "dtype", lambda tf: tf.range(4, dtype=tf.float32), nodes=True)
case("range", "no step", lambda tf: tf.range(0, 4, 0))
case("range", "wrong way", lambda tf: tf.range(0, 4, -1))
case("range", "wrong way up", lambda tf: tf.range(4, 0, 1))
case("range", "vector", lambda tf, x: tf.range(x), np.ones(2, np.int32))
case("range", "no step at run time", lambda tf, d: tf.range(0, 4, d), np.int32(0))
for args in ((0.0, 1.0, 5), (1.0, -1.0, 3), (2.0, 9.0, 1)):
    case("linspace", f"{args}", lambda tf, args=args: tf.linspace(*args), nodes=True)
form(
    "linspace",
    "tensors",
    lambda tf, a, b, n: tf.linspace(a, b, n, name="mine"),
    np.float64(0),
    np.float64(10),
    np.int32(4),
)
case("linspace", "none", lambda tf: tf.linspace(0.0, 1.0, 0))
case("linspace", "ints", lambda tf: tf.linspace(0, 1, 3))
case("linspace", "vector", lambda tf, a: tf.linspace(a, 1.0, 3), np.zeros(2, np.float32))
form("one_hot", "form", lambda tf, i: tf.one_hot(i, 3), np.array([0, 2, -1, 3], np.int32))
form(
    "one_hot",
    "values",
    lambda tf, i: tf.one_hot(i, depth=3, on_value=5.0, off_value=-1.0, axis=0, name="mine"),
    np.array([[0, 2], [1, 1]], np.int64),
)
form("one_hot", "dtype", lambda tf, i: tf.one_hot(i, 2, dtype=tf.int32), np.array([0, 1], np.uint8))
form("one_hot", "depth tensor", lambda tf, i, d: tf.one_hot(i, d), np.array([0, 1], np.int32), np.int32(4))
form("one_hot", "axis", lambda tf, i: tf.one_hot(i, 3, axis=1), np.array([[0, 2], [1, 1]], np.int32))
case("one_hot", "bools", lambda tf, i: tf.one_hot(i, 2, True, False), np.array([0, 1], np.int32), nodes=True)
case("one_hot", "scalar", lambda tf, i: tf.one_hot(i, 3), np.int32(1))
case("one_hot", "dtypes differ", lambda tf, i: tf.one_hot(i, 3, 1.0, 0), np.array([0], np.int32))
case(
    "one_hot",
    "dtype does not fit",
    lambda tf, i: tf.one_hot(i, 3, 1.0, 0.0, dtype=tf.int32),
    np.array([0], np.int32),
)
case("one_hot", "float indices", lambda tf, i: tf.one_hot(i, 3), np.array([0.0], np.float32))
case("one_hot", "negative depth", lambda tf, i: tf.one_hot(i, -1), np.array([0], np.int32))
C = np.array([[True, False, True], [False, False, True]])
for dtype in (*REALS, "bool", "uint8"):
    case("where", dtype, named("where"), C, np.ones((2, 3), dtype), np.zeros((2, 3), dtype))
form("where", "form", named("where"), C, A, -A)
form("where", "rows", named("where"), np.array([True, False]), A, -A)
form("where", "scalar condition", named("where"), np.array(True), A, -A)
form("where", "indices", lambda tf, c: tf.where(c), C)
form("where", "indices, name", lambda tf, c: tf.where(c, name="mine"), np.array([False, True]))
case("where", "nothing true", lambda tf, c: tf.where(c), np.zeros((2, 2), bool))
case("where", "indices of numbers", lambda tf, x: tf.where(x), np.array([[0.0, 1], [nan, 0]], np.float32))
case(
    "where",
    "strings",
    named("where"),
    np.array([True, False]),
    np.array([b"a", b"b"], object),
    np.array([b"c", b"d"], object),
)
case(
    "where",
    "literals",
    lambda tf, c: tf.where(c, [1.0, 2.0], [3.0, 4.0]),
    np.array([True, False]),
    nodes=True,
)
case("where", "no broadcast", named("where"), C, A, np.float32(0))
case("where", "one of two", lambda tf, c, x: tf.where(c, x), C, A)
case("where", "dtypes differ", named("where"), C, A, A.astype(np.int32))
case("where", "condition no bool", named("where"), A, A, A)
case("where", "shapes differ", named("where"), C, A, B)
case("where", "condition too short", named("where"), np.array([True]), A, A)
case(
    "where",
    "nan is not spread",
    named("where"),
    np.array([True, False]),
    np.array([1, nan], np.float32),
    np.array([nan, 2], np.float32),
)
form("diag", "form", named("diag"), np.array([1.0, 2], np.float32))
form("sequence_mask", "form", lambda tf, n: tf.sequence_mask(n, 4), np.array([1, 3], np.int32))
form(
    "unsorted_segment_sum",
    "form",
    lambda tf, x, i: tf.unsorted_segment_sum(x, i, 3),
    np.array([1.0, 2, 3], np.float32),
    np.array([0, 2, 0], np.int32),
)
form("cumsum", "form", lambda tf, x: tf.cumsum(x, 1), A)
form("broadcast_to", "form", lambda tf, x: tf.broadcast_to(x, [2, 3]), A[:1])
case("eye", "form", lambda tf: tf.eye(3))
