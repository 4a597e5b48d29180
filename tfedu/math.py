"""`tf.math`: elementwise functions, reductions and segments."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.arrays.selection import in_top_k, top_k
from .engine.lib.math.clip import l2_normalize
from .engine.lib.math.math import (
    abs, acos, acosh, add, angle, asin, asinh, atan, atan2, atanh, ceil, conj, cos, cosh, divide,
    divide_no_nan, equal, exp, expm1, floor, floordiv, floormod, greater, greater_equal, imag,
    invert_permutation, is_finite, is_inf, is_nan, less, less_equal, log, log1p, logical_and,
    logical_not, logical_or, logical_xor, maximum, minimum, mod, multiply, multiply_no_nan, negative,
    nextafter, not_equal, polyval, pow, real, reciprocal, reciprocal_no_nan, rint, round, rsqrt,
    scalar_mul, sigmoid, sign, sin, sinh, sqrt, square, squared_difference, subtract, tan, tanh,
    truediv, xdivy, xlogy,
)  # fmt: skip
from .engine.lib.math.counting import bincount, confusion_matrix, count_nonzero, zero_fraction
from .engine.lib.math.special import (
    bessel_i0, bessel_i0e, bessel_i1, bessel_i1e, betainc, digamma, erf, erfc, igamma, igammac, lbeta,
    lgamma, polygamma, zeta,
)  # fmt: skip
from .engine.lib.nn.activations import log_sigmoid, log_softmax, softmax, softplus, softsign
from .engine.lib.arrays.sequences import cumprod, cumsum, cumulative_logsumexp
from .engine.lib.arrays.sorting import is_non_decreasing, is_strictly_increasing
from .engine.lib.math.reductions import (
    argmax, argmin, reduce_all, reduce_any, reduce_euclidean_norm, reduce_logsumexp, reduce_max,
    reduce_mean, reduce_min, reduce_prod, reduce_std, reduce_sum, reduce_variance, segment_max,
    segment_mean, segment_min, segment_prod, segment_sum, unsorted_segment_max, unsorted_segment_mean,
    unsorted_segment_min, unsorted_segment_prod, unsorted_segment_sqrt_n, unsorted_segment_sum,
)  # fmt: skip
from .engine.lib.math.products import accumulate_n, add_n

__all__ = [
    "abs", "accumulate_n", "acos", "acosh", "add", "add_n", "angle", "argmax", "argmin", "asin", "asinh",
    "atan", "atan2", "atanh", "bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e", "betainc", "bincount",
    "ceil", "confusion_matrix", "conj", "cos", "cosh", "count_nonzero", "cumprod", "cumsum",
    "cumulative_logsumexp", "digamma", "divide", "divide_no_nan", "equal", "erf", "erfc", "exp", "expm1",
    "floor", "floordiv", "floormod", "greater", "greater_equal", "igamma", "igammac", "imag", "in_top_k",
    "invert_permutation", "is_finite", "is_inf", "is_nan", "is_non_decreasing", "is_strictly_increasing",
    "l2_normalize", "lbeta", "less", "less_equal", "lgamma", "log", "log1p", "log_sigmoid", "log_softmax",
    "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "mod", "multiply",
    "multiply_no_nan", "negative", "nextafter", "not_equal", "polygamma", "polyval", "pow", "real",
    "reciprocal", "reciprocal_no_nan", "reduce_all", "reduce_any", "reduce_euclidean_norm",
    "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_std",
    "reduce_sum", "reduce_variance", "rint", "round", "rsqrt", "scalar_mul", "segment_max",
    "segment_mean", "segment_min", "segment_prod", "segment_sum", "sigmoid", "sign", "sin", "sinh",
    "softmax", "softplus", "softsign", "sqrt", "square", "squared_difference", "subtract", "tan", "tanh",
    "top_k", "truediv", "unsorted_segment_max", "unsorted_segment_mean", "unsorted_segment_min",
    "unsorted_segment_prod", "unsorted_segment_sqrt_n", "unsorted_segment_sum", "xdivy", "xlogy",
    "zero_fraction", "zeta",
]  # fmt: skip
