"""Rows of the op table: the namespaces tf.math and tf.bitwise, special functions, complex numbers, sequences, segments."""

import numpy as np
from cases import FLOATS, INTS, SMALL_INTS, case, form, inf, named, nan

X = np.float32([-2.5, -1.0, -0.3, 0.0, 0.4, 1.0, 3.5])
POSITIVE = np.float32([0.05, 0.5, 1.0, 2.5, 40.0])
UNIT = np.float32([-0.9, -0.2, 0.0, 0.3, 0.8])
MATRIX = np.float32([[1, -2, 3], [0.5, 5, -6]])
COMPLEX = np.complex64([1 + 2j, -0.5j, 3, -1 - 1j])
WIDE_INTS = ("uint16", "uint32", "uint64")

# -- tf.math: the form of every function -----------------------------------------------------------------------------

ONE = ("abs", "cos", "erf", "erfc", "exp", "expm1", "floor", "ceil", "negative", "rint", "round", "sigmoid", "sign", "sin", "sinh",
       "cosh", "square", "tan", "tanh", "asinh", "atan", "log_sigmoid", "softplus", "softsign", "is_finite", "is_inf", "is_nan",
       "bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e", "lbeta",
       "reciprocal_no_nan", "zero_fraction", "digamma", "lgamma", "softmax", "log_softmax", "cumsum", "cumprod",
       "cumulative_logsumexp", "argmax", "argmin", "count_nonzero", "reduce_sum", "reduce_mean", "reduce_max", "reduce_min",
       "reduce_prod", "reduce_std", "reduce_variance", "reduce_euclidean_norm", "reduce_logsumexp", "real", "imag", "conj")  # fmt: skip
for name in ONE:
    sample = np.abs(X) + 0.5 if name in ("lbeta", "digamma", "lgamma") else X
    form("math." + name, "form", named("math." + name), sample)
    case("math." + name, "named", lambda tf, x, n=name: named("math." + n)(tf, x, name="mine"), sample, nodes=True)
for name in ("is_non_decreasing", "is_strictly_increasing"):
    f = named("math." + name)
    for label, values in {"rising": X, "equal": X * 0, "falling": -X, "one": X[:1], "none": X[:0], "matrix": MATRIX}.items():
        case("math." + name, label, f, values)
    case("math." + name, "bools", f, np.array([True, False]))
form("math.angle", "form", named("math.angle"), COMPLEX)
for name in ("acos", "asin", "atanh"):
    form("math." + name, "form", named("math." + name), UNIT)
for name in ("log", "log1p", "rsqrt", "sqrt", "reciprocal", "acosh"):
    form("math." + name, "form", named("math." + name), POSITIVE[2:] if name == "acosh" else POSITIVE)
form("math.invert_permutation", "form", named("math.invert_permutation"), np.int32([2, 0, 1]))
for name in ("logical_and", "logical_or", "logical_xor"):
    form("math." + name, "form", named("math." + name), np.array([True, True, False]), np.array([True, False, False]))
form("math.logical_not", "form", named("math.logical_not"), np.array([True, False]))
for name in ("reduce_all", "reduce_any"):
    form("math." + name, "form", named("math." + name), np.array([[True, False], [True, True]]))
TWO = ("add", "atan2", "divide", "divide_no_nan", "equal", "floordiv", "floormod", "greater", "greater_equal", "less",
       "less_equal", "maximum", "minimum", "mod", "multiply", "multiply_no_nan", "nextafter", "not_equal", "squared_difference",
       "subtract", "truediv", "xdivy")  # fmt: skip
for name in TWO:
    f = named("math." + name)
    form("math." + name, "form", f, X, X[::-1].copy())
    form("math." + name, "broadcast", f, MATRIX, np.float32([2, 0.5, -1]))
form("math.pow", "form", named("math.pow"), POSITIVE, np.float32([2, -1, 0, 0.5, 1]))
form("math.xlogy", "form", named("math.xlogy"), X[:5], POSITIVE)
case("math.add", "shapes", named("math.add"), MATRIX, X)
case("math.add", "dtypes", named("math.add"), X, X.astype(np.int32))
case("math.add", "names", lambda tf, x: tf.math.add(x, 2.0, name="mine"), X, nodes=True)
for name in ("add_n", "accumulate_n"):
    case("math." + name, "form", lambda tf, x, y, n=name: named("math." + n)(tf, [x, y, x]), X, X + 1, nodes=True)
    case("math." + name, "one", lambda tf, x, n=name: named("math." + n)(tf, [x], name="mine"), X, nodes=True)
    case("math." + name, "none", lambda tf, n=name: named("math." + n)(tf, []))
    case("math." + name, "shapes", lambda tf, x, y, n=name: named("math." + n)(tf, [x, y]), X, MATRIX)
case("math.accumulate_n", "shape", lambda tf, x: tf.math.accumulate_n([x, x], shape=[7], tensor_dtype=tf.float32), X, nodes=True)
form("math.scalar_mul", "form", lambda tf, x: tf.math.scalar_mul(3.0, x), X)
case("math.scalar_mul", "named", lambda tf, s, x: tf.math.scalar_mul(s, x, name="mine"), np.float32(2), X, nodes=True)
case("math.scalar_mul", "no scalar", lambda tf, x: tf.math.scalar_mul([1.0, 2.0], x), X)
form("math.polyval", "form", lambda tf, x: tf.math.polyval([1.0, -2.0, 3.0], x), X)
case("math.polyval", "no coefficients", lambda tf, x: tf.math.polyval([], x), X)
case("math.polyval", "tensors", lambda tf, x, c: tf.math.polyval([c, x], x, name="mine"), X, np.float32(2), nodes=True)
form("math.l2_normalize", "whole", named("math.l2_normalize"), MATRIX)
form("math.in_top_k", "form", lambda tf, p, t: tf.math.in_top_k(p, t, 2), MATRIX, np.int32([0, 2]))
form("math.top_k", "form", lambda tf, x: list(tf.math.top_k(x, 2)), MATRIX)
case("math.top_k", "equal numbers", lambda tf, x: list(tf.math.top_k(x, 3)), np.float32([[1, 3, 3, 2, 3, 3], [2, 2, 2, 2, 2, 2]]))
case("math.top_k", "special", lambda tf, x: list(tf.math.top_k(x, 3)), np.float32([inf, -inf, 0, inf, 1]))
case("math.top_k", "many", lambda tf, x: list(tf.math.top_k(x, 7)), (np.arange(3000) * 7919 % 101).reshape(3, 1000).astype(np.float32))
case("math.top_k", "all of many", lambda tf, x: list(tf.math.top_k(x, 100, sorted=True)), (np.arange(100) * 37 % 41).astype(np.int32))

# 1.15 adds a sparse matrix where 2.15 scatters, so that the nodes differ; tests/lib/test_counting.py holds 1.15's
T3, P3 = np.int32([1, 2, 4]), np.int32([2, 2, 4])
case("math.confusion_matrix", "values", lambda tf, a, b: tf.math.confusion_matrix(a, b, 4), np.int32([0, 1, 2, 1]), np.int32([0, 2, 2, 1]))
case("math.confusion_matrix", "a column", lambda tf, a, b: tf.math.confusion_matrix(a, b), T3[:, None], P3)
case("math.confusion_matrix", "weights", lambda tf, a, b: tf.confusion_matrix(a, b, 5, tf.float32, weights=[1.0, 2.0, 3.0]), T3, P3[:, None])
case("math.confusion_matrix", "unknown ranks", lambda tf, a, b: tf.math.confusion_matrix(*(tf.placeholder_with_default(v, None) for v in (a, b))), T3[:, None], P3)  # fmt: skip
case("math.confusion_matrix", "floats", lambda tf, a, b: tf.math.confusion_matrix(a, b, dtype=tf.int64), np.float32([1.5, 2]), np.float32([2, 2]))
case("math.confusion_matrix", "a negative label", lambda tf, a, b: tf.math.confusion_matrix(a, b), -T3, P3)
case("math.confusion_matrix", "a negative prediction", lambda tf, a, b: tf.math.confusion_matrix(a, b), T3, -P3)
case("math.confusion_matrix", "too large", lambda tf, a, b: tf.math.confusion_matrix(a, b, 3), T3, np.int32([2, 2, 1]))
case("math.confusion_matrix", "other weights", lambda tf, a, b: tf.math.confusion_matrix(a, b, weights=np.float32([1, 2])), T3, P3)
case("math.bincount", "form", lambda tf, x: tf.math.bincount(x), np.int32([1, 3, 3, 0]))
case("math.bincount", "weights", lambda tf, x, w: tf.math.bincount(x, w, minlength=6, maxlength=9), np.int32([1, 3, 3, 0]), np.float32([1, 2, 3, 4]))
for name in ("segment_sum", "segment_mean", "segment_prod", "segment_max", "segment_min"):
    for symbol in (name, "math." + name):
        f = named(symbol)
        form(symbol, "form", f, np.arange(12, dtype=np.float32).reshape(4, 3), np.int32([0, 0, 2, 2]))
    f = named(name)
    case(name, "vector", f, np.float32([1, 2, 3]), np.int64([0, 1, 1]))
    case(name, "integers", f, np.int32([[5, -3], [2, 7], [1, 1]]), np.int32([0, 0, 1]))
    case(name, "empty", f, np.zeros((0, 2), np.float32), np.zeros(0, np.int32))
    case(name, "not sorted", f, np.float32([1, 2, 3]), np.int32([0, 2, 1]))
    case(name, "sizes", lambda tf, x, i, f=f: f(tf, x, tf.placeholder_with_default(i, [None])), np.float32([1, 2, 3]), np.int32([0, 1]))
    case(name, "scalar ids", f, np.float32([1, 2, 3]), np.int32(0))
for name in ("sum", "prod", "max", "min", "mean", "sqrt_n"):
    name = "unsorted_segment_" + name
    for symbol in (name, "math." + name):
        f = named(symbol)
        case(symbol, "form", lambda tf, x, i, f=f: f(tf, x, i, 4), np.arange(12, dtype=np.float32).reshape(4, 3), np.int32([3, 0, 3, 1]), nodes=True)
    f = named(name)
    case(name, "matrix of ids", lambda tf, x, i, f=f: f(tf, x, i, 3), np.float32([[1, 2], [3, 4]]), np.int32([[0, 2], [2, -1]]))
    case(name, "no rows", lambda tf, x, i, f=f: f(tf, x, i, 2), np.zeros((0, 2), np.float32), np.zeros(0, np.int32))
    if name[17:] not in ("mean", "sqrt_n"):  # which fail in one of two sums
        case(name, "beyond", lambda tf, x, i, f=f: f(tf, x, i, 2), np.float32([1, 2]), np.int32([0, 2]))
    case(name, "shapes", lambda tf, x, i, f=f: f(tf, x, i, 2), np.float32([1, 2]), np.int32([0, 1, 1]))

# -- special functions -----------------------------------------------------------------------------------------------

A, B = np.float32([0.5, 1, 2.5, 10, 3]), np.float32([0.1, 1, 3, 8, 30])
for name in ("igamma", "igammac"):
    for symbol in (name, "math." + name):
        form(symbol, "form", named(symbol), A, B)
    case(name, "float64", named(name), A.astype(np.float64), B.astype(np.float64))
    case(name, "edges", named(name), np.float32([1, 0, -1, 2, 1]), np.float32([0, 1, 1, -1, inf]))
for symbol in ("betainc", "math.betainc"):
    form(symbol, "form", named(symbol), A, B, np.float32([0.1, 0.5, 0.9, 0.3, 0.02]))
    case(symbol, "scalars", lambda tf, x, s=symbol: named(s)(tf, 2.0, 3.0, x), np.float32([0, 0.25, 1]), nodes=True)
case("betainc", "shapes", named("betainc"), A, B[:3], A)
case("betainc", "outside", named("betainc"), np.float32([1, -1]), np.float32([1, 1]), np.float32([1.5, 0.5]))
for symbol in ("zeta", "math.zeta"):
    form(symbol, "form", named(symbol), np.float32([2, 3.5, 1, 0.5]), np.float32([1, 0.25, 2, 2]))
case("zeta", "float64", named("zeta"), np.float64([2, 10, 3]), np.float64([1, 5.5, -0.5]))
for symbol in ("polygamma", "math.polygamma"):
    form(symbol, "form", named(symbol), np.float32([0, 1, 2, 3]), np.float32([1.5, 2, 0.3, 7]))
case("polygamma", "no such order", named("polygamma"), np.float32([0.5, -1]), np.float32([1.5, 2]))
for name in ("erf", "erfc", "lgamma", "digamma", "bessel_i0e", "bessel_i1e"):
    for dtype in FLOATS:
        case("math." + name, dtype, named("math." + name), np.array([-7.5, -0.5, 0.25, 1, 3, 30], dtype))
    case("math." + name, "special", named("math." + name), np.float32([nan, inf, -inf, 0, -1]))
for name in ("xdivy", "xlogy"):
    f = named("math." + name)
    for dtype in (*FLOATS, "complex64"):
        case("math." + name, dtype, f, np.array([0, 1, 2, 0], dtype), np.array([0, 2, 0.5, nan], dtype))
case("math.nextafter", "float64", named("math.nextafter"), np.float64([0, 1, -1, 1]), np.float64([1, 2, -inf, 1]))
for name in ("cumulative_logsumexp", "cumsum", "cumprod"):
    f = named("math." + name)
    for dtype in FLOATS:
        case("math." + name, dtype, lambda tf, x, f=f: f(tf, x, axis=1), MATRIX.astype(dtype))
    for exclusive in (False, True):
        for reverse in (False, True):
            label = f"exclusive {exclusive}, reverse {reverse}"
            form("math." + name, label, lambda tf, x, f=f, e=exclusive, r=reverse: f(tf, x, 0, e, r, name="mine"), MATRIX)
    case("math." + name, "empty", f, np.zeros((0, 3), np.float32))
    case("math." + name, "axis beyond", lambda tf, x, f=f: f(tf, x, 2), MATRIX)
    case("math." + name, "axis tensor", f, MATRIX, np.int64(-1))
case("math.cumulative_logsumexp", "large", named("math.cumulative_logsumexp"), np.float32([1000, 1000, -1000, -inf, 5]))
case("math.cumulative_logsumexp", "integers", named("math.cumulative_logsumexp"), np.int32([1, 2]))

# -- division --------------------------------------------------------------------------------------------------------

DIVISIONS = ("div", "divide", "truediv", "floordiv", "floor_div", "floormod", "mod", "truncatediv", "truncatemod", "realdiv")
for name in DIVISIONS:
    f = named(name)
    whole = name != "realdiv"  # which no kernel divides integers with
    for dtype in FLOATS[name == "truncatemod" :] + INTS * whole:
        case(name, f"{dtype}, signs", f, np.array([7, -7, 7, -7, 0, 6], dtype), np.array([2, 2, -2, -2, 3, 3], dtype))
    if name not in ("truncatemod", "realdiv"):
        for dtype in (*SMALL_INTS, "uint16"):
            values = np.array([7, 9, 200, 1], "uint8").astype(dtype)
            case(name, f"{dtype}, positive", f, values, np.array([2, 4, 9, 5], dtype))
    if whole:
        case(name, "integers by 0", f, np.int32([1, 0]), np.int32([0, 0]))
    case(name, "floats by 0", f, np.float32([1, 0, -1]), np.float32([0, 0, 0]))
    kind = "i4" if whole else "f4"
    form(name, "form again", f, np.array([[7, -7]], kind), np.array([[2], [3]], kind))
for dtype in INTS:
    case("floordiv", f"{dtype}, extreme", named("floordiv"), np.array([np.iinfo(dtype).min, 5], dtype), np.array([3, -7], dtype))
form("div_no_nan", "form", named("div_no_nan"), X, np.float32([1, 0, 2, 0, 0, 4, -1]))
case("div_no_nan", "complex", named("div_no_nan"), COMPLEX, np.complex64([0, 1j, 2, 0]))

# -- bits ------------------------------------------------------------------------------------------------------------

for dtype in (*SMALL_INTS, *INTS, *WIDE_INTS):
    values = np.array([5, 100, 7, 0], dtype)
    others = np.array([3, 1, 2, 6], dtype)
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"):
        case("bitwise." + name, dtype, named("bitwise." + name), values, others)
    case("bitwise.invert", dtype, named("bitwise.invert"), values)
    case("raw_ops.PopulationCount", dtype, lambda tf, x: tf.raw_ops.PopulationCount(x=x), values)
for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"):
    f = named("bitwise." + name)
    form("bitwise." + name, "form", f, np.int32([[-1, 12], [5, -9]]), np.int32([3, 2]))
    case("bitwise." + name, "floats", f, X, X)
    case("bitwise." + name, "shapes", f, np.int32([1, 2]), np.int32([1, 2, 3]))
form("bitwise.invert", "form", named("bitwise.invert"), np.int32([[-1, 12]]))
case("bitwise.left_shift", "too far", named("bitwise.left_shift"), np.int32([1, 1, 1]), np.int32([31, 32, -1]))
case("bitwise.right_shift", "too far", named("bitwise.right_shift"), np.int32([-8, -8, -8]), np.int32([31, 40, -1]))
case("raw_ops.PopulationCount", "negative", lambda tf, x: tf.raw_ops.PopulationCount(x=x), np.int32([-1, -(2**31)]), nodes=True)

# -- complex numbers -------------------------------------------------------------------------------------------------

for name in ("abs", "negative", "square", "sqrt", "rsqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh",
             "asin", "acos", "atan", "asinh", "acosh", "atanh", "sigmoid", "sign", "reciprocal", "real", "imag",
             "conj", "angle", "reduce_sum", "reduce_mean", "reduce_prod", "cumsum", "cumprod", "zeros_like", "ones_like"):  # fmt: skip
    for dtype in ("complex64", "complex128"):
        symbol = name if name in ("sigmoid", "zeros_like", "ones_like", "reduce_sum", "reduce_mean", "reduce_prod") else "math." + name
        case(symbol, "of " + dtype, named(symbol), (COMPLEX / 3).astype(dtype))
for name in ("add", "subtract", "multiply", "divide", "squared_difference", "equal", "not_equal", "pow", "less", "maximum"):
    case("math." + name, "of complex64", named("math." + name), COMPLEX, COMPLEX[::-1].copy())
form("complex", "float64 form", named("complex"), X.astype(np.float64), X[::-1].astype(np.float64))
case("complex", "dtypes", named("complex"), X, X.astype(np.float64))
case("complex", "integers", named("complex"), np.int32([1]), np.int32([2]))
case("complex", "infinite", named("complex"), np.float32([inf, 0]), np.float32([0, nan]))
case("matmul", "of complex128", lambda tf, x: tf.matmul(x[None], x[None], adjoint_b=True), COMPLEX.astype(np.complex128))

# -- ops that only GraphDefs, gradients and other functions name -----------------------------------------------------

raw = {
    "Inv": lambda tf, x: tf.raw_ops.Inv(x=x),
    "Mod": lambda tf, x: tf.raw_ops.Mod(x=x, y=x[::-1]),
    "Div": lambda tf, x: tf.raw_ops.Div(x=x, y=x[::-1]),
    "ApproximateEqual": lambda tf, x: tf.raw_ops.ApproximateEqual(x=x, y=x + 0.01, tolerance=0.1),
    "LeakyRelu": lambda tf, x: tf.raw_ops.LeakyRelu(features=x, alpha=0.3),
    "AccumulateNV2": lambda tf, x: tf.raw_ops.AccumulateNV2(inputs=[x, x], shape=[5]),
}
for name, call in raw.items():
    case("raw_ops." + name, "form", call, POSITIVE, nodes=True)
case("raw_ops.Div", "integers", lambda tf, x: tf.raw_ops.Div(x=x, y=tf.constant([2, -2])), np.int32([-7, 7]))
case("raw_ops.Mod", "integers", lambda tf, x: tf.raw_ops.Mod(x=x, y=tf.constant([3, -3])), np.int32([-7, 7]))
case("raw_ops.ApproximateEqual", "shapes", lambda tf, x, y: tf.raw_ops.ApproximateEqual(x=x, y=y), X, X[:2])
case("raw_ops.ClipByValue", "form", lambda tf, x: tf.raw_ops.ClipByValue(t=x, clip_value_min=-1.0, clip_value_max=2.0), X, nodes=True, shapes=True)
case("raw_ops.ClipByValue", "tensors", lambda tf, x, a: tf.raw_ops.ClipByValue(t=x, clip_value_min=a, clip_value_max=a + 1), X, X / 2)
form("nn.leaky_relu", "slope", lambda tf, x: tf.nn.leaky_relu(x, 0.1), X)
for symbol in ("histogram_fixed_width",):
    form(symbol, "form", lambda tf, x: tf.histogram_fixed_width(x, [0.0, 5.0], nbins=5), np.float32([-1, 0, 1.5, 2, 5, 15]))
    case(symbol, "int64", lambda tf, x: tf.histogram_fixed_width(x, [0.0, 5.0], 3, tf.int64, name="mine"), X, nodes=True)
    case(symbol, "integers", lambda tf, x: tf.histogram_fixed_width(x, [0, 6], 3), np.int32([0, 1, 2, 5, 6, 9]))
    case(symbol, "empty range", lambda tf, x: tf.histogram_fixed_width(x, [5.0, 5.0], 3), X)
    case(symbol, "no bins", lambda tf, x: tf.histogram_fixed_width(x, [0.0, 5.0], 0), X)

MANY = (np.arange(4096 * 32).reshape(4096, 32) * 7919 % 1009 - 500).astype(np.float32) / 7
PLACES = (np.arange(4096) * 31 % 17 - 1).astype(np.int32)
for name in ("sum", "max", "min"):
    name = "unsorted_segment_" + name
    case(name, "many wide rows", lambda tf, n=name: named(n)(tf, tf.constant(MANY), tf.constant(PLACES), 17)[:, ::5])
case("segment_sum", "many wide rows", lambda tf: tf.segment_sum(tf.constant(MANY), np.arange(4096) // 300)[:, ::5])
case("segment_prod", "many wide rows", lambda tf: tf.segment_prod(tf.cast(MANY > 30, tf.float32) * 0.5 + 1, np.arange(4096) // 200)[:, ::5])

# -- numbers that are not finite, poles and zeros, with the gradients there ------------------------------------------

ODD = [inf, -inf, nan, 0.0, -0.0, 1.0, -1.0, -2.0, 2.0, 0.5, -0.5, -1.5, 3.0, 40.0]
for dtype in (np.float32, np.float64):
    FIRST, SECOND = (side.reshape(-1).astype(dtype) for side in np.meshgrid(ODD, ODD, indexing="ij"))
    for name in ("zeta", "polygamma", "igamma", "igammac"):

        def with_gradients(tf, a, x, name=name):
            y = getattr(tf.math, name)(a, x)
            return [y, *(g for g in tf.gradients(y, [a, x]) if g is not None)]

        case("math." + name, f"odd pairs: {dtype.__name__}", with_gradients, FIRST, SECOND)
    for name in ("digamma", "lgamma"):
        f = named("math." + name)
        case("math." + name, f"odd: {dtype.__name__}", lambda tf, x, f=f: [y := f(tf, x), *tf.gradients(y, x)], np.array(ODD, dtype))
    ROWS = np.array([[1, inf, 2], [inf, inf, inf], [-inf, -inf, -inf], [-inf, 0, 1], [nan, 1, 2], [1, nan, inf], [inf, -inf, nan]], dtype)
    for axis in (0, 1):
        label = f"not finite: {dtype.__name__} {axis}"
        case("math.cumulative_logsumexp", label, lambda tf, x, axis=axis: tf.math.cumulative_logsumexp(x, axis), ROWS)

NANS = {
    "first": [nan, 1, 3, 2], "second": [1, nan, 3, 2], "last": [1, 3, 2, nan], "all": [nan] * 4, "two": [nan, 1, nan, 2],
    "with infinities": [inf, nan, -inf, 0], "none": [inf, 1, -inf, 2], "least": [-inf] * 4, "largest": [inf] * 4,
}  # fmt: skip
LONG_NANS = np.where(np.arange(60) % 7 == 3, np.nan, np.arange(60) * 37 % 41).astype(np.float32)
for label, row in NANS.items():
    for name in ("segment_max", "segment_min"):
        f = named("math." + name)
        case("math." + name, f"NaN {label}", lambda tf, x, f=f: [y := f(tf, x, [0, 0, 2, 2]), *tf.gradients(y, x)], np.float32(row))
    for name in ("unsorted_segment_max", "unsorted_segment_min"):
        f = named("math." + name)
        case("math." + name, f"NaN {label}", lambda tf, x, f=f: f(tf, x, [1, 0, 1, 0], 3), np.float32(row))
    for k in (1, 2, 3, 4):
        case("math.top_k", f"NaN {label}: {k}", lambda tf, x, k=k: list(tf.math.top_k(x, k)), np.float32(row))
for k in (1, 2, 16, 59, 60):
    case("math.top_k", f"NaN in a long row: {k}", lambda tf, x, k=k: list(tf.math.top_k(x, k)), LONG_NANS)
for label, row in NANS.items():
    for direction in ("ASCENDING", "DESCENDING"):
        case("sort", f"NaN {label} {direction}", lambda tf, x, d=direction: tf.sort(x, direction=d), np.float32(row))
    case("nn.softmax", f"NaN {label}", lambda tf, x: [y := tf.nn.softmax(x), *tf.gradients(y, x)], np.float32(row))
