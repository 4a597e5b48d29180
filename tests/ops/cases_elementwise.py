"""Rows of the op table: functions of one and two inputs, element by element."""

import numpy as np
from cases import FLOATS, INTS, REALS, SMALL_INTS, array, case, form, inf, named, nan

SAMPLE = (-3.5, -2.5, -1.5, -1, -0.5, -0.25, -0.0, 0, 0.25, 0.5, 1, 1.5, 2, 2.5, 7, 20, nan, inf, -inf)
WHOLE = (-7, -3, -2, -1, 0, 1, 2, 3, 7, 100)

UNARY = {
    "abs": REALS,
    "negative": REALS + SMALL_INTS[1:],
    "sign": REALS,
    "square": REALS,
    "sqrt": FLOATS,
    "exp": FLOATS,
    "log": FLOATS,
    "sin": FLOATS,
    "tanh": FLOATS,
    "sigmoid": FLOATS,
    "round": REALS,
    "nn.relu": REALS + SMALL_INTS,
    "nn.sigmoid": FLOATS,
    "nn.tanh": FLOATS,
    "nn.elu": FLOATS,
    "nn.relu6": REALS,
    "nn.softplus": FLOATS,
    "identity": (*REALS, "bool", "uint8"),
    "stop_gradient": REALS,
    "rsqrt": FLOATS,
    "expm1": FLOATS,
    "log1p": FLOATS,
    "cos": FLOATS,
    "tan": FLOATS,
    "asin": FLOATS,
    "acos": FLOATS,
    "atan": FLOATS,
    "sinh": FLOATS,
    "cosh": FLOATS,
    "asinh": FLOATS[1:],
    "acosh": FLOATS[1:],
    "atanh": FLOATS[1:],
    "ceil": FLOATS,
    "floor": FLOATS,
    "rint": FLOATS[1:],
    "reciprocal": FLOATS,
    "erf": FLOATS,
    "erfc": FLOATS,
    "lgamma": FLOATS[1:],
    "digamma": FLOATS[1:],
    "is_nan": FLOATS,
    "is_inf": FLOATS,
    "is_finite": FLOATS,
    "log_sigmoid": FLOATS,
    "nn.softsign": FLOATS,
    "nn.selu": FLOATS,
}
for symbol, dtypes in UNARY.items():
    for dtype in dtypes:
        whole = np.dtype(dtype).kind in "iub"
        case(symbol, dtype, named(symbol), array(dtype, *(WHOLE if whole else SAMPLE)))
    form(symbol, "form", named(symbol), np.ones((2, 3), np.float32))
    case(symbol, "empty", named(symbol), np.ones((0, 2), np.float32))
    case(symbol, "scalar", named(symbol), np.float32(0.5))
    case(symbol, "literal", lambda tf, symbol=symbol: named(symbol)(tf, 0.5), nodes=symbol != "sign")
    case(
        symbol,
        "name",
        lambda tf, x, symbol=symbol: named(symbol)(tf, x, name="mine"),
        np.float32(0.5),
        nodes=True,
    )
    if "int32" not in dtypes and symbol != "reciprocal":
        case(symbol, "wrong dtype", named(symbol), np.int32(1))
for symbol in ("abs", "negative", "square", "sign"):
    case(symbol, "integer limits", named(symbol), np.array([-(2**31), 2**31 - 1, 65536], np.int32))
for symbol in (
    "abs",
    "negative",
    "square",
    "sqrt",
    "exp",
    "log",
    "sin",
    "tanh",
    "sigmoid",
    "sign",
    "identity",
    "conj",
    "real",
    "imag",
    "angle",
):
    case(symbol, "complex64", named(symbol), np.array([1 + 2j, -0.5j, -1 + 0j], np.complex64))
for symbol in ("abs", "negative", "square", "sqrt", "identity"):
    case(symbol, "complex128", named(symbol), np.array([1 + 2j, -0.5j], np.complex128))
case("identity", "string", named("identity"), np.array([b"a", b"bc"], object))
case("negative", "wrong dtype", named("negative"), np.array([True]))
case("abs", "wrong dtype", named("abs"), np.array([True]))
case("logical_not", "bool", named("logical_not"), np.array([True, False]), nodes=True)
case("logical_not", "wrong dtype", named("logical_not"), np.array([1.0], np.float32))

# -- elementwise: two inputs -------------------------------------------------------------------------------------

X = (7, -7, 7, -7, 2.5, -2.5, 0, 1, 0.5, nan, inf, -inf, 3, -3)
Y = (2, 2, -2, -2, 0.5, 2, 3, 0.25, -0.0, 1, 2, inf, 3, 3)
XI = (7, -7, 7, -7, 2, -2, 0, 1, 100, 13)
YI = (2, 2, -2, -2, 5, 5, 3, 3, 7, 13)
XU, YU = (7, 3, 2, 0, 200, 255), (2, 5, 2, 3, 100, 16)

BINARY = {
    "add": REALS + SMALL_INTS,
    "subtract": REALS,
    "multiply": REALS + SMALL_INTS,
    "divide": REALS + SMALL_INTS,
    "div": REALS + SMALL_INTS,
    "truediv": REALS + SMALL_INTS,
    "mod": REALS,
    "pow": FLOATS,
    "maximum": REALS,
    "minimum": REALS,
    "squared_difference": REALS,
    "floordiv": REALS + SMALL_INTS,
    "floormod": REALS,
    "realdiv": FLOATS,
    "truncatediv": INTS + SMALL_INTS,
    "truncatemod": FLOATS[1:] + INTS,
    "atan2": FLOATS[1:],
    "div_no_nan": FLOATS[1:],
    "equal": REALS + SMALL_INTS,
    "not_equal": REALS,
    "less": REALS + SMALL_INTS,
    "less_equal": REALS,
    "greater": REALS,
    "greater_equal": REALS,
}
for symbol, dtypes in BINARY.items():
    for dtype in dtypes:
        kind = np.dtype(dtype).kind
        x, y = {"u": (XU, YU), "i": (XI, YI)}.get(kind, (X, Y))
        case(symbol, dtype, named(symbol), np.array(x, dtype), np.array(y, dtype))
    form(symbol, "form", named(symbol), np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
    form(symbol, "broadcast", named(symbol), np.ones((2, 1), np.float32), np.ones(3, np.float32))
    form(symbol, "broadcast scalar", named(symbol), np.float32(2), np.ones((1, 2), np.float32))
    case(symbol, "empty", named(symbol), np.ones((0, 2), np.float32), np.ones((1,), np.float32))
    case(symbol, "literal", lambda tf, x, symbol=symbol: named(symbol)(tf, x, 2), np.float32(3), nodes=True)
    case(symbol, "two literals", lambda tf, symbol=symbol: named(symbol)(tf, 7.0, 2.0), nodes=True)
    case(
        symbol,
        "name",
        lambda tf, x, symbol=symbol: named(symbol)(tf, x, x, name="mine"),
        np.float32(3),
        nodes=True,
    )
    case(symbol, "shapes differ", named(symbol), np.ones((2, 3), np.float32), np.ones((4,), np.float32))
    if symbol != "div_no_nan":
        case(symbol, "dtypes differ", named(symbol), np.ones(2, np.float32), np.ones(2, np.int32))
        case(symbol, "bool", named(symbol), np.array([True, False]), np.array([True, True]))
for symbol in ("add", "subtract", "multiply"):
    case(
        symbol,
        "int32 wraps",
        named(symbol),
        np.array([2**31 - 1, -(2**31), 65536], np.int32),
        np.array([1, 1, 65536], np.int32),
    )
    case(
        symbol,
        "int64 wraps",
        named(symbol),
        np.array([2**63 - 1, -(2**63)], np.int64),
        np.array([2, 1], np.int64),
    )
for symbol in ("div", "mod", "floordiv", "floormod"):
    case(symbol, "by zero", named(symbol), np.array([1, 0], np.int32), np.array([0, 0], np.int32))
for symbol in ("mod", "floordiv", "floormod", "truncatemod"):
    case(
        symbol,
        "float by zero",
        named(symbol),
        np.array([1, -1, 0], np.float32),
        np.array([0, 0, 0], np.float32),
    )
case("divide", "by zero", named("divide"), np.array([1, -1, 0], np.float32), np.zeros(3, np.float32))
case("truediv", "ints by zero", named("truediv"), np.array([1, -1, 0], np.int32), np.zeros(3, np.int32))
case(
    "pow", "int32", named("pow"), np.array([2, -3, 0, 7, 1], np.int32), np.array([10, 3, 0, 1, 30], np.int32)
)
case("pow", "int64", named("pow"), np.array([2, -3, 10], np.int64), np.array([40, 3, 18], np.int64))
case("pow", "int32 wraps", named("pow"), np.array([2, 3], np.int32), np.array([40, 30], np.int32))
case("pow", "negative exponent of an int", named("pow"), np.array([2], np.int32), np.array([-1], np.int32))
for symbol in ("add", "subtract", "multiply", "divide", "pow", "equal", "not_equal", "squared_difference"):
    case(
        symbol,
        "complex64",
        named(symbol),
        np.array([1 + 2j, -1j], np.complex64),
        np.array([2 - 1j, 2 + 0j], np.complex64),
    )
case("add", "string", named("add"), np.array([b"a", b"b"], object), np.array([b"x"], object))
for symbol in ("equal", "not_equal"):
    case(symbol, "string", named(symbol), np.array([b"a", b"b"], object), np.array([b"a", b"c"], object))
case("less", "string", named("less"), np.array([b"a"], object), np.array([b"b"], object))
for symbol in ("logical_and", "logical_or", "logical_xor"):
    form(symbol, "form", named(symbol), np.array([[True, False]]), np.array([[True], [False]]))
    case(
        symbol,
        "literal",
        lambda tf, x, symbol=symbol: named(symbol)(tf, x, True),
        np.array([True, False]),
        nodes=True,
    )
    case(symbol, "wrong dtype", named(symbol), np.ones(2, np.float32), np.ones(2, np.float32))
for dtype in REALS:
    case("clip_by_value", dtype, lambda tf, x: tf.clip_by_value(x, -2, 3), array(dtype, *SAMPLE))
form("clip_by_value", "form", lambda tf, x: tf.clip_by_value(x, -1.0, 1.0), np.ones((2, 3), np.float32))
form(
    "clip_by_value",
    "tensors",
    lambda tf, x, a, b: tf.clip_by_value(x, a, b),
    np.array([[-5.0, 0.5], [5, 2]], np.float32),
    np.float32(-1),
    np.array([0, 3], np.float32),
)
case(
    "clip_by_value",
    "name",
    lambda tf, x: tf.clip_by_value(x, 0.0, 1.0, name="mine"),
    np.float32(2),
    nodes=True,
)
for dtype in REALS:
    case(
        "add_n",
        dtype,
        lambda tf, *x: tf.add_n(x),
        np.array([1, 2], dtype),
        np.array([3, 4], dtype),
        np.array([5, -7], dtype),
    )
form("add_n", "form", lambda tf, *x: tf.add_n(x), np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
case("add_n", "one", lambda tf, x: tf.add_n([x]), np.ones(2, np.float32), nodes=True)
case("add_n", "one, named", lambda tf, x: tf.add_n([x], name="mine"), np.ones(2, np.float32), nodes=True)
case("add_n", "none", lambda tf: tf.add_n([]))
case("add_n", "shapes differ", lambda tf, *x: tf.add_n(x), np.ones(2, np.float32), np.ones(3, np.float32))
case("add_n", "no broadcast", lambda tf, *x: tf.add_n(x), np.ones(2, np.float32), np.float32(1))
case("add_n", "dtypes differ", lambda tf, *x: tf.add_n(x), np.ones(2, np.float32), np.ones(2, np.int32))
case("add_n", "literals", lambda tf: tf.add_n([1.0, 2.0]), nodes=True)
case(
    "accumulate_n", "form", lambda tf, *x: tf.accumulate_n(x), np.ones(2, np.float32), np.ones(2, np.float32)
)
