"""Elementwise mathematics: one line an op where NumPy has the function, a kernel below its name where it has not.

Kernels keep the dtype, integers wrap as in C, and division follows C or the floor as the op's name says.
"""

from __future__ import annotations

import math as scalar_math
from typing import Any

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.dtypes import DType
from ..base.shapes import Shape, ShapeMismatch
from .define import Many, ShapeAttr, Sym, binary, broadcast_shape, op, same_shape, typevar, unary
from .rules import (
    COMPLEX,
    FLOATS,
    HALF_FIRST,
    INDEX,
    INTEGERS,
    NUMBERS,
    REALS,
    Float,
    HalfFloat,
    Number,
    Real,
    Tidx,
    as_array,
    at_least,
    invalid,
    kinds,
    merged,
    needs_rank,
    of_rank,
    runtime_name,
    scalar,
    text_of,
    unequal,
    with_value,
)  # fmt: skip

FloatOrComplex = typevar("T", FLOATS + COMPLEX)
Signed = typevar("T", kinds("bfloat16 half float double int8 int16 int32 int64"))
SignedOrComplex = typevar(
    "T", kinds("bfloat16 half float double int8 int16 int32 int64 complex64 complex128")
)
Integer = typevar("T", INTEGERS)

# -- one input -----------------------------------------------------------------------------------------------------

abs_ = unary("Abs", "abs", Signed, "|x|.", name="abs_")
neg = unary("Neg", "negative", SignedOrComplex, "-x.", name="neg", expr="-{x}")
square = unary(
    "Square", "square",
    typevar("T", kinds("bfloat16 half float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128")),
    "x·x.", name="square", expr="{x} * {x}",
)  # fmt: skip
sqrt = unary("Sqrt", "sqrt", FloatOrComplex, "The root of x.", name="sqrt")
exp = unary("Exp", "exp", FloatOrComplex, "e to the x.", name="exp")
expm1 = unary("Expm1", "expm1", FloatOrComplex, "e to the x, minus 1, exact near 0.", name="expm1")
log = unary("Log", "log", FloatOrComplex, "The natural logarithm of x.", name="log")
log1p = unary("Log1p", "log1p", FloatOrComplex, "The logarithm of 1 + x, exact near 0.", name="log1p")
sin = unary("Sin", "sin", FloatOrComplex, "The sine of x.", name="sin")
cos = unary("Cos", "cos", FloatOrComplex, "The cosine of x.", name="cos")
tan = unary("Tan", "tan", FloatOrComplex, "The tangent of x.", name="tan")
asin = unary("Asin", "arcsin", FloatOrComplex, "The angle whose sine is x.", name="asin")
acos = unary("Acos", "arccos", FloatOrComplex, "The angle whose cosine is x.", name="acos")
atan = unary("Atan", "arctan", FloatOrComplex, "The angle whose tangent is x.", name="atan")
sinh = unary("Sinh", "sinh", FloatOrComplex, "The hyperbolic sine of x.", name="sinh")
cosh = unary("Cosh", "cosh", FloatOrComplex, "The hyperbolic cosine of x.", name="cosh")
tanh = unary("Tanh", "tanh", FloatOrComplex, "The hyperbolic tangent of x.", name="tanh")
asinh = unary("Asinh", "arcsinh", FloatOrComplex, "The inverse of sinh.", name="asinh")
acosh = unary("Acosh", "arccosh", FloatOrComplex, "The inverse of cosh.", name="acosh")
atanh = unary("Atanh", "arctanh", FloatOrComplex, "The inverse of tanh.", name="atanh")
rint = unary("Rint", "rint", Float, "The nearest integer, ties to even.", name="rint")
floor = unary("Floor", "floor", Float, "The largest integer not above x.", name="floor")
ceil = unary("Ceil", "ceil", Float, "The smallest integer not below x.", name="ceil")
invert = unary("Invert", "invert", Integer, "Every bit of x turned over.", name="invert", expr="~{x}")
is_nan = unary("IsNan", "isnan", Float, "Whether x is NaN.", name="is_nan", returns=dtypes.bool)
is_inf = unary("IsInf", "isinf", Float, "Whether x is infinite.", name="is_inf", returns=dtypes.bool)
is_finite = unary("IsFinite", "isfinite", Float, "Whether x is neither infinite nor NaN.", name="is_finite",
                  returns=dtypes.bool)  # fmt: skip


def _elementwise(type: str, **options: Any) -> Any:
    """An elementwise op of one input that NumPy has no function for."""
    return op(type, shape=same_shape, fresh=True, **{"out": "y", **options})


@_elementwise("Rsqrt")
def rsqrt(xp: Any, x: FloatOrComplex) -> FloatOrComplex:
    """1 / √x."""
    return x.dtype.type(1) / xp.sqrt(x)


@_elementwise("Reciprocal")
def reciprocal(xp: Any, x: SignedOrComplex) -> SignedOrComplex:
    """1 / x."""
    return _inverse(xp, x)


@_elementwise("Inv")
def inv(xp: Any, x: SignedOrComplex) -> SignedOrComplex:
    """1 / x."""
    return _inverse(xp, x)


def _inverse(xp: Any, x: Any) -> Any:
    if x.dtype.kind in "iu":
        if not xp.all(x):
            raise invalid("Integer division by zero")
        return _truncated(xp, x.dtype.type(1), x)
    return x.dtype.type(1) / x


@_elementwise("Sign")
def sign(xp: Any, x: SignedOrComplex) -> SignedOrComplex:
    """-1, 0 or 1 by the sign of x; x / |x| for complex x."""
    return xp.sign(x)


@_elementwise("Round")
def round_(xp: Any, x: SignedOrComplex) -> SignedOrComplex:
    """The nearest integer, ties to even."""
    return xp.array(x, copy=True)[()] if x.dtype.kind in "iu" else xp.rint(x)


@_elementwise("Sigmoid")
def sigmoid(xp: Any, x: FloatOrComplex) -> FloatOrComplex:
    """1 / (1 + e to the -x)."""
    one = x.dtype.type(1)
    return one / (one + xp.exp(-x))


@_elementwise("Erf")
def erf(xp: Any, x: Float) -> Float:
    """The error function of x."""
    return _each(scalar_math.erf, x)


@_elementwise("Erfc")
def erfc(xp: Any, x: Float) -> Float:
    """1 - erf(x), exact where that is small."""
    return _each(scalar_math.erfc, x)


@_elementwise("Lgamma")
def lgamma(xp: Any, x: Float) -> Float:
    """The logarithm of |Γ(x)|."""
    return _each(_lgamma, x)


@_elementwise("Digamma")
def digamma(xp: Any, x: Float) -> Float:
    """The derivative of lgamma."""
    return _each(_digamma, x)


def _each(function: Any, *values: Any) -> Any:
    """`function` of Python floats for each element, in float64 and rounded once."""
    out = np.frompyfunc(function, len(values), 1)(*(np.asarray(v, np.float64) for v in values))
    result = np.asarray(out, np.float64).astype(np.result_type(*(v.dtype for v in values)))
    return result if result.ndim else result[()]


def _lgamma(x: float) -> float:
    if x == -scalar_math.inf:
        return scalar_math.inf
    try:
        return scalar_math.lgamma(x)
    except (ValueError, OverflowError):
        # A pole, or more than a float holds.
        return scalar_math.inf


def _digamma(x: float) -> float:
    """By reflection for x <= 0, by recurrence up to 10, then by the asymptotic series."""
    if x <= 0:
        if x == -scalar_math.inf or x == scalar_math.floor(x):
            return scalar_math.nan
        return _digamma(1 - x) - scalar_math.pi / scalar_math.tan(scalar_math.pi * x)
    total = 0.0
    while x < 10:
        total -= 1 / x
        x += 1
    if x == scalar_math.inf or x != x:
        return x
    z = 1 / (x * x)
    series = z * (
        1 / 12 - z * (1 / 120 - z * (1 / 252 - z * (1 / 240 - z * (1 / 132 - z * (691 / 32760 - z / 12)))))
    )
    return total + scalar_math.log(x) - 0.5 / x - series


@_elementwise("BesselI0e")
def bessel_i0e(xp: Any, x: Float) -> Float:
    """The modified Bessel function of order 0, times e to the -|x|."""
    return _each(lambda value: _scaled_bessel(0, value), x)


@_elementwise("BesselI1e")
def bessel_i1e(xp: Any, x: Float) -> Float:
    """The modified Bessel function of order 1, times e to the -|x|."""
    return _each(lambda value: _scaled_bessel(1, value), x)


def _scaled_bessel(order: int, x: float) -> float:
    """By its power series up to 30, where all terms are positive, and by the asymptotic series above."""
    size = abs(x)
    if size == scalar_math.inf:
        return 0.0
    if not size <= 30:
        term = total = 1.0
        for k in range(1, 30):
            term *= ((2 * k - 1) ** 2 - 4 * order * order) / (8 * k * size)
            total += term
        value = total / scalar_math.sqrt(2 * scalar_math.pi * size)
    else:
        term = total = (size / 2) ** order
        for k in range(1, 120):
            term *= (size / 2) ** 2 / (k * (k + order))
            total += term
        value = total * scalar_math.exp(-size)
    return -value if order % 2 and x < 0 else value


@_elementwise("PopulationCount")
def population_count(xp: Any, x: Integer) -> dtypes.uint8:
    """How many bits of x are set."""
    return xp.bitwise_count(x.view(f"u{x.dtype.itemsize}"))


# -- two inputs ----------------------------------------------------------------------------------------------------

_ADDABLE = "bfloat16 half float double uint8 {} int8 int16 int32 int64 complex64 complex128{}"
add_v2 = binary("AddV2", "add", typevar("T", kinds(_ADDABLE.format("uint16 uint32 uint64", ""))), "x + y.",
                name="add_v2", expr="{x} + {y}")  # fmt: skip
sub = binary(
    "Sub", "subtract",
    typevar("T", kinds("bfloat16 half float double uint8 int8 uint16 int16 int32 int64 complex64 complex128 uint32 uint64")),
    "x - y.", name="sub", expr="{x} - {y}",
)  # fmt: skip
Divisible = typevar(
    "T",
    kinds(
        "bfloat16 half float double uint8 int8 uint16 int16 int32 uint32 uint64 int64 complex64 complex128"
    ),
)
mul = binary("Mul", "multiply", Divisible, "x · y.", name="mul", expr="{x} * {y}")
Comparable = typevar(
    "T", kinds("bfloat16 half float double int8 uint8 int16 uint16 int32 uint32 int64 uint64")
)
maximum = binary("Maximum", "maximum", Comparable, "The larger of x and y.", name="maximum")
minimum = binary("Minimum", "minimum", Comparable, "The smaller of x and y.", name="minimum")
bitwise_and = binary(
    "BitwiseAnd", "bitwise_and", Integer, "The bits set in both.", name="bitwise_and", expr="{x} & {y}"
)
bitwise_or = binary(
    "BitwiseOr", "bitwise_or", Integer, "The bits set in either.", name="bitwise_or", expr="{x} | {y}"
)
bitwise_xor = binary(
    "BitwiseXor", "bitwise_xor", Integer, "The bits set in one.", name="bitwise_xor", expr="{x} ^ {y}"
)


def _pairwise(type: str, **options: Any) -> Any:
    """An elementwise op of two inputs that NumPy has no function for."""
    return op(type, shape=broadcast_shape, fresh=True, **{"out": "z", **options})


Addable = typevar("T", kinds(_ADDABLE.format("", " string")))


@_pairwise("Add", expr="{x} + {y}")
def add(xp: Any, x: Addable, y: Addable) -> Addable:
    """x + y; strings are put together."""
    return x + y


@_pairwise("Div")
def div(xp: Any, x: Divisible, y: Divisible) -> Divisible:
    """x / y; integers are cut towards 0."""
    return _divided(xp, x, y)


@_pairwise("RealDiv")
def real_div(xp: Any, x: Divisible, y: Divisible) -> Divisible:
    """x / y."""
    return _divided(xp, x, y)


@_pairwise("TruncateDiv")
def truncate_div(xp: Any, x: Divisible, y: Divisible) -> Divisible:
    """x / y, cut towards 0."""
    _no_zero_cut(xp, y)
    return _divided(xp, x, y) if x.dtype.kind in "iuc" else xp.trunc(xp.true_divide(x, y))


def _divided(xp: Any, x: Any, y: Any) -> Any:
    if x.dtype.kind in "iu":
        _no_zero(xp, y)
        return _truncated(xp, x, y)
    return xp.true_divide(x, y)


def _no_zero(xp: Any, y: Any) -> None:
    if not xp.all(y):
        raise invalid("Integer division by zero")


def _truncated(xp: Any, x: Any, y: Any) -> Any:
    quotient = xp.floor_divide(x, y)
    # The floor is one too low where the division leaves a rest and the signs differ.
    low = (xp.remainder(x, y) != 0) & ((x < 0) != (y < 0))
    return quotient + low.astype(quotient.dtype)


@_pairwise("FloorDiv")
def floor_div(xp: Any, x: Divisible, y: Divisible) -> Divisible:
    """The largest integer not above x / y."""
    if x.dtype.kind in "iu":
        _no_zero(xp, y)
        return xp.floor_divide(x, y)
    return xp.floor(xp.true_divide(x, y))


@_pairwise("FloorMod")
def floor_mod(
    xp: Any,
    x: typevar("T", kinds("int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 half float double")),
    y: "T",  # noqa: F821
) -> "T":  # noqa: F821
    """What is left of x after FloorDiv: it has the sign of y."""
    if x.dtype.kind in "iu":
        _no_zero(xp, y)
        return xp.remainder(x, y)
    rest = xp.fmod(x, y)
    return xp.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)[()]


Modulo = typevar("T", kinds("int32 int64 half half bfloat16 float double"))


@_pairwise("Mod")
def mod(xp: Any, x: Modulo, y: Modulo) -> Modulo:
    """What is left of x after division cut towards 0: it has the sign of x."""
    return _rest(xp, x, y)


TruncatedModulo = typevar("T", kinds("int32 int64 bfloat16 half float double"))


@_pairwise("TruncateMod")
def truncate_mod(xp: Any, x: TruncatedModulo, y: TruncatedModulo) -> TruncatedModulo:
    """What is left of x after division cut towards 0: it has the sign of x."""
    _no_zero_cut(xp, y)
    return _rest(xp, x, y)


def _no_zero_cut(xp: Any, y: Any) -> None:
    # TF's own kernels do not foresee these two among those that may fail.
    if y.dtype.kind in "iu" and not xp.all(y):
        text = "Unexpected error in binary operator (only integer div and mod should have errors)"
        raise errors.InternalError(None, None, text)


def _rest(xp: Any, x: Any, y: Any) -> Any:
    if x.dtype.kind in "iu":
        _no_zero(xp, y)
    return xp.fmod(x, y)


NoNan = typevar("T", kinds("half float bfloat16 double complex64 complex128"))


@_pairwise("DivNoNan")
def div_no_nan(xp: Any, x: NoNan, y: NoNan) -> NoNan:
    """x / y, and 0 where y is 0."""
    return _where_zero(xp, y, xp.true_divide(x, y))


@_pairwise("MulNoNan")
def mul_no_nan(xp: Any, x: FloatOrComplex, y: FloatOrComplex) -> FloatOrComplex:
    """x · y, and 0 where y is 0 even if x is infinite or NaN."""
    return _where_zero(xp, y, x * y)


XLogy = typevar("T", kinds("half bfloat16 float double complex64 complex128"))


@_pairwise("Xdivy")
def xdivy(xp: Any, x: XLogy, y: XLogy) -> XLogy:
    """x / y, and 0 where x is 0."""
    return _where_zero(xp, x, xp.true_divide(x, y))


@_pairwise("Xlogy")
def xlogy(xp: Any, x: XLogy, y: XLogy) -> XLogy:
    """x · log y, and 0 where x is 0."""
    return _where_zero(xp, x, x * xp.log(y))


def _where_zero(xp: Any, test: Any, otherwise: Any) -> Any:
    return xp.where(test == 0, otherwise.dtype.type(0), otherwise)[()]


Power = typevar("T", kinds("bfloat16 float half double int8 int16 int32 int64 complex64 complex128"))


@_pairwise("Pow")
def pow_(xp: Any, x: Power, y: Power) -> Power:
    """x to the y."""
    if x.dtype.kind in "iu" and xp.any(y < 0):
        raise invalid("Integers to negative integer powers are not allowed")
    return xp.power(x, y)


@_pairwise("SquaredDifference")
def squared_difference(
    xp: Any,
    x: typevar("T", kinds("bfloat16 half float double int32 int64 complex64 complex128")),
    y: "T",  # noqa: F821
) -> "T":  # noqa: F821
    """(x - y)²; for complex numbers the squared distance."""
    difference = x - y
    return xp.conj(difference) * difference if difference.dtype.kind == "c" else difference * difference


@_pairwise("Atan2")
def atan2(xp: Any, y: Float, x: Float) -> Float:
    """The angle of the point (x, y)."""
    return xp.arctan2(y, x)


@_pairwise("LeftShift")
def left_shift(xp: Any, x: Integer, y: Integer) -> Integer:
    """The bits of x, y places up."""
    return xp.left_shift(x, _shift(xp, y))


@_pairwise("RightShift")
def right_shift(xp: Any, x: Integer, y: Integer) -> Integer:
    """The bits of x, y places down; the sign stays."""
    return xp.right_shift(x, _shift(xp, y))


def _shift(xp: Any, y: Any) -> Any:
    # A shift by the whole width or by less than nothing is undefined in C: TF takes the nearest one that is defined.
    return xp.clip(y, 0, y.dtype.itemsize * 8 - 1)


@op("NextAfter", shape=broadcast_shape, fresh=True)
def next_after(
    xp: Any,
    x1: typevar("T", kinds("double float"), default=dtypes.float32),
    x2: "T",  # noqa: F821
) -> "T":  # noqa: F821
    """The number that follows x1 on the way to x2."""
    return xp.nextafter(x1, x2)


# -- special functions of several inputs ---------------------------------------------------------------------------

Double = typevar("T", kinds("float double"))


@_pairwise("Igamma")
def igamma(xp: Any, a: Float, x: Float) -> Float:
    """The lower regularised incomplete gamma function P(a, x)."""
    return _each(lambda a, x: _incomplete_gamma(a, x)[0], a, x)


@_pairwise("Igammac")
def igammac(xp: Any, a: Float, x: Float) -> Float:
    """The upper regularised incomplete gamma function Q(a, x)."""
    return _each(lambda a, x: _incomplete_gamma(a, x)[1], a, x)


def _incomplete_gamma(a: float, x: float) -> tuple[float, float]:
    """(P, Q): by its series below a + 1, by its continued fraction (Lentz) above."""
    if not (x >= 0 and a > 0):
        return scalar_math.nan, scalar_math.nan
    if x == 0:
        return 0.0, 1.0
    if x == scalar_math.inf:
        return 1.0, 0.0
    front = scalar_math.exp(a * scalar_math.log(x) - x - scalar_math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > abs(total) * 1e-17:
            n += 1
            term *= x / n
            total += term
        return total * front, 1 - total * front
    tiny = 1e-300
    b = x + 1 - a
    c = 1 / tiny
    d = 1 / b
    h = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b or tiny)
        c = b + an / c or tiny
        h *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return 1 - h * front, h * front


@op("Betainc", out="z", fresh=True)
def betainc(xp: Any, a: Double, b: Double, x: Double) -> Double:
    """The regularised incomplete beta function."""
    sides = {"a": a.shape, "b": b.shape, "x": x.shape}
    for first, second in (("a", "b"), ("a", "x"), ("b", "x")):
        one, other = sides[first], sides[second]
        if one and other and one != other:
            raise invalid(f"Shapes of {first} and {second} are inconsistent: {text_of(one)} vs. {text_of(other)}")
    return _each(_incomplete_beta, a, b, x)


@betainc.shape
def _(a: Sym, b: Sym, x: Sym) -> Shape:
    # Scalars go with any shape; the others must have the same one.
    known: Shape = ()
    for sym in (a, b, x):
        if sym.shape is not None and sym.shape != ():
            known = sym.shape if known == () else shapes.merge(known, sym.shape)
    return None if known == () and any(sym.shape is None for sym in (a, b, x)) else known


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """By its continued fraction (Lentz), on the side where that converges quickly."""
    if not (a > 0 and b > 0 and 0 <= x <= 1):
        return scalar_math.nan
    if x in (0.0, 1.0):
        return x
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = scalar_math.exp(
        scalar_math.lgamma(a + b) - scalar_math.lgamma(a) - scalar_math.lgamma(b)
        + a * scalar_math.log(x) + b * scalar_math.log1p(-x)
    )  # fmt: skip
    tiny = 1e-300
    c = 1.0
    d = 1 / (1 - (a + b) * x / (a + 1) or tiny)
    h = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + even * d or tiny)
        c = 1 + even / c or tiny
        h *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + odd * d or tiny)
        c = 1 + odd / c or tiny
        h *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return front * h / a


@_pairwise("Zeta")
def zeta(xp: Any, x: Double, q: Double) -> Double:
    """Hurwitz's zeta function: the sum of 1 / (k + q) to the x over k = 0, 1, …."""
    return _each(_zeta, x, q)


@_pairwise("Polygamma")
def polygamma(xp: Any, a: Double, x: Double) -> Double:
    """The derivative of order a of digamma; digamma itself for a = 0."""
    return _each(_polygamma, a, x)


_BERNOULLI = (
    1 / 6,
    -1 / 30,
    1 / 42,
    -1 / 30,
    5 / 66,
    -691 / 2730,
    7 / 6,
    -3617 / 510,
    43867 / 798,
    -174611 / 330,
)


def _zeta(x: float, q: float) -> float:
    """By Euler and Maclaurin's formula after the first terms."""
    if x == 1:
        return scalar_math.inf
    if x < 1:
        return scalar_math.nan
    if q <= 0:
        if q == scalar_math.floor(q):
            return scalar_math.inf
        if x != scalar_math.floor(x):
            return scalar_math.nan
    terms = 12
    while q + terms < 12:
        terms += 1
    total = sum((q + k) ** -x for k in range(terms))
    end = q + terms
    total += end ** (1 - x) / (x - 1) + 0.5 * end**-x
    factor = x * end ** (-x - 1)
    for i, number in enumerate(_BERNOULLI):
        total += number * factor / scalar_math.factorial(2 * i + 2)
        factor *= (x + 2 * i + 1) * (x + 2 * i + 2) / (end * end)
    return total


def _polygamma(a: float, x: float) -> float:
    if a != scalar_math.floor(a) or a < 0:
        return scalar_math.nan
    if a == 0:
        return _digamma(x)
    sign = 1.0 if int(a) % 2 else -1.0
    return sign * scalar_math.gamma(a + 1) * _zeta(a + 1, x)


# -- sums of many, cross products ----------------------------------------------------------------------------------


@op("AddN", out="sum", shape=lambda inputs: merged(inputs))
def add_n(xp: Any, inputs: Many[typevar("T", (*NUMBERS, dtypes.variant))]) -> "T":  # noqa: F821
    """The sum of all inputs."""
    return _summed(inputs)


@op("AccumulateNV2", out="sum", shape=lambda inputs, *, shape: shape)
def accumulate_nv2(xp: Any, inputs: Many[Number], *, shape: ShapeAttr) -> Number:
    """The sum of all inputs."""
    if any(np.shape(value) != np.shape(inputs[0]) for value in inputs):
        raise invalid("Parameters and update must be the same size")
    return _summed(inputs)


def _summed(inputs: list[Any]) -> Any:
    total, *others = inputs
    for value in others:
        if np.shape(value) != np.shape(inputs[0]):
            at = next(i for i, v in enumerate(inputs) if v is value)
            raise unequal("AddN", 0, np.shape(inputs[0]), at, np.shape(value))
        total = total + value
    return total


@op("Cross", out="product", fresh=True)
def cross(xp: Any, a: Real, b: Real) -> Real:
    """The cross products of vectors: a [..., 3], b [..., 3] -> [..., 3]."""
    if np.shape(a) != np.shape(b):
        raise invalid(f"Both inputs must be of same shape: {text_of(np.shape(a))} vs. {text_of(np.shape(b))}")
    return xp.cross(a, b).astype(a.dtype, copy=False)


@cross.shape
def _(a: Sym, b: Sym) -> Shape:
    known = shapes.merge(at_least(a.shape, 1), at_least(b.shape, 1))
    if known is not None:
        if known[-1] not in (3, None):
            raise ShapeMismatch(f"Dimension must be 3 but is {known[-1]}")
    return known


# -- complex numbers -----------------------------------------------------------------------------------------------

ComplexT = typevar("T", COMPLEX, default=dtypes.complex64)
Parts = typevar("Tout", kinds("float double"))


@op("Complex", out="out", shape=lambda real, imag, *, Tout: broadcast_shape(real, imag), fresh=True)
def complex_(
    xp: Any,
    real: typevar("T", kinds("float double"), default=dtypes.float32),
    imag: "T",  # noqa: F821
    *,
    Tout: typevar("Tout", COMPLEX) = dtypes.complex64,
) -> "Tout":  # noqa: F821
    """real + i · imag."""
    # Part by part: 0 + inf · i computed as a sum would have a real part of NaN.
    real, imag = xp.broadcast_arrays(real, imag)
    out = xp.empty(real.shape, Tout.numpy)
    out.real, out.imag = real, imag
    return out[()]


def _part_shape(input: Sym, *, Tout: DType) -> Shape:
    return input.shape


@op("Real", shape=_part_shape, fresh=True)
def real(xp: Any, input: ComplexT, *, Tout: Parts = dtypes.float32) -> "Tout":  # noqa: F821
    """The real part."""
    return xp.real(input).astype(Tout.numpy)


@op("Imag", shape=_part_shape, fresh=True)
def imag(xp: Any, input: ComplexT, *, Tout: Parts = dtypes.float32) -> "Tout":  # noqa: F821
    """The imaginary part."""
    return xp.imag(input).astype(Tout.numpy)


@op("Angle", shape=_part_shape, fresh=True)
def angle(xp: Any, input: ComplexT, *, Tout: Parts = dtypes.float32) -> "Tout":  # noqa: F821
    """The angle with the real axis."""
    return xp.angle(input).astype(Tout.numpy)


@op("ComplexAbs", out="y", shape=lambda x, *, Tout: x.shape, fresh=True)
def complex_abs(xp: Any, x: ComplexT, *, Tout: Parts = dtypes.float32) -> "Tout":  # noqa: F821
    """The distance from 0."""
    return xp.abs(x).astype(Tout.numpy)


@op("Conj", shape=same_shape, fresh=True)
def conj(
    xp: Any,
    input: typevar("T", kinds("complex64 complex128 variant"), default=dtypes.complex64),
) -> "T":  # noqa: F821
    """The conjugate."""
    return xp.conj(input)


# -- casts ---------------------------------------------------------------------------------------------------------

SrcT = typevar("SrcT")


@op("Cast", out="y", shape=lambda x, *, DstT, Truncate: x.shape, fresh=True)
def cast(xp: Any, x: SrcT, *, DstT: DType, Truncate: bool = False) -> "DstT":  # noqa: F821
    """x as numbers of another dtype, cut towards 0 as in C."""
    if isinstance(x, bytes) or x.dtype == object or DstT.numpy is None or DstT is dtypes.string:
        source = (
            "string" if isinstance(x, bytes) or x.dtype == object else runtime_name(dtypes.as_dtype(x.dtype))
        )
        raise errors.UnimplementedError(None, None, f"Cast {source} to {runtime_name(DstT)} is not supported")
    if x.dtype.kind == "V" and dtypes.as_dtype(x.dtype) is dtypes.bfloat16:
        x = dtypes.bfloat16_values(x)[()]
    elif x.dtype.names is not None:
        x = np.asarray(x)[x.dtype.names[0]]
    if DstT is dtypes.bfloat16:
        return dtypes.bfloat16_bits(x.real if x.dtype.kind == "c" else x)[()]
    if DstT.numpy.names is not None:
        return np.asarray(x).astype(DstT.numpy[0]).view(DstT.numpy)[()]
    if x.dtype.kind == "c" and DstT.numpy.kind != "c":
        # C++ converts a complex number to bool by its real part too.
        x = x.real
    if x.dtype.kind == "f" and DstT.numpy.kind in "iu" and DstT.size < 4:
        # C converts to small integers by way of int32.
        x = x.astype(np.int32)
    return x.astype(DstT.numpy)


# -- activations ---------------------------------------------------------------------------------------------------


def _activation(type: str, **options: Any) -> Any:
    return op(type, out="activations", shape=same_shape, fresh=True, **options)


@_activation("Relu")
def relu(xp: Any, features: typevar("T", (*REALS, dtypes.qint8))) -> "T":  # noqa: F821
    """The larger of x and 0."""
    return xp.maximum(features, features.dtype.type(0))


@_activation("Relu6")
def relu6(xp: Any, features: Real) -> Real:
    """x between 0 and 6."""
    kind = features.dtype.type
    return xp.minimum(xp.maximum(features, kind(0)), kind(6))


@_activation("Elu")
def elu(xp: Any, features: HalfFloat) -> HalfFloat:
    """x above 0, e to the x minus 1 below."""
    return xp.where(features < 0, xp.expm1(features), features)[()]


@_activation("Selu")
def selu(xp: Any, features: HalfFloat) -> HalfFloat:
    """A scaled Elu that keeps mean 0 and variance 1. Source: Klambauer et al., 2017."""
    kind = features.dtype.type
    scale, scaled_alpha = kind(1.0507009873554804934193349852946), kind(1.7580993408473768599402175208123)
    return xp.where(features < 0, scaled_alpha * xp.expm1(features), scale * features)[()]


@op("LeakyRelu", out="activations", shape=lambda features, *, alpha: features.shape, fresh=True)
def leaky_relu(
    xp: Any, features: typevar("T", HALF_FIRST, default=dtypes.float32), *, alpha: float = 0.2
) -> "T":  # noqa: F821
    """x above 0, alpha · x below."""
    return xp.where(features > 0, features, features * features.dtype.type(alpha))[()]


@_activation("Softplus")
def softplus(xp: Any, features: HalfFloat) -> HalfFloat:
    """The logarithm of 1 + e to the x."""
    return xp.logaddexp(features, features.dtype.type(0))


@_activation("Softsign")
def softsign(xp: Any, features: HalfFloat) -> HalfFloat:
    """x / (1 + |x|)."""
    return features / (features.dtype.type(1) + xp.abs(features))


def _logits_shape(logits: Sym) -> Shape:
    if logits.shape is not None and not logits.shape:
        raise ShapeMismatch("Shape must be at least rank 1 but is rank 0")
    return logits.shape


def _check_logits(logits: Any) -> None:
    if not logits.ndim:
        raise invalid("logits must have >= 1 dimension, got []")


@op("Softmax", out="softmax", shape=_logits_shape, fresh=True)
def softmax(xp: Any, logits: HalfFloat) -> HalfFloat:
    """e to the x, divided by the sum over the last axis."""
    _check_logits(logits)
    powers = xp.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@op("LogSoftmax", out="logsoftmax", shape=_logits_shape, fresh=True)
def log_softmax(xp: Any, logits: HalfFloat) -> HalfFloat:
    """The logarithm of Softmax, without its rounding."""
    _check_logits(logits)
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - xp.log(xp.exp(shifted).sum(axis=-1, keepdims=True))


@op("L2Loss", shape=lambda t: (), fresh=True)
def l2_loss(xp: Any, t: HalfFloat) -> HalfFloat:
    """Half the sum of the squares."""
    return xp.sum(xp.square(t), dtype=t.dtype) * t.dtype.type(0.5)


@op("ClipByValue", fresh=True)
def clip_by_value(xp: Any, t: Number, clip_value_min: Number, clip_value_max: Number) -> Number:
    """t, but not below one bound nor above the other."""
    shape, low, high = t.shape, clip_value_min.shape, clip_value_max.shape
    if (low and low != shape) or (high and high != shape):
        raise invalid(
            "clip_value_min and clip_value_max must be either of the same shape as input, or a scalar. "
            f"input shape: {text_of(shape)}clip_value_min shape: {text_of(low)}clip_value_max shape: {text_of(high)}"
        )
    return xp.maximum(xp.minimum(t, clip_value_max), clip_value_min)


clip_by_value.shape(lambda t, clip_value_min, clip_value_max: t.shape)


# -- sequences -----------------------------------------------------------------------------------------------------

RangeT = typevar(
    "Tidx", kinds("bfloat16 half float double int8 int16 int32 int64 uint16 uint32"), default=dtypes.int32
)


@op("Range", fresh=True)
def range_(xp: Any, start: RangeT, limit: RangeT, delta: RangeT) -> RangeT:
    """start, start + delta, … up to but not with limit."""
    if np.ndim(start) or np.ndim(limit) or np.ndim(delta):
        # TF takes vectors of one element too.
        for name, value in (("start", start), ("limit", limit), ("delta", delta)):
            if np.size(value) != 1:
                raise invalid(f"{name} must be a scalar, not shape {text_of(np.shape(value))}")
        start, limit, delta = (np.ravel(value)[0] for value in (start, limit, delta))
    return xp.asarray(start + np.arange(_range_size(start, limit, delta)).astype(start.dtype) * delta)


def _range_size(start: Any, limit: Any, delta: Any) -> int:
    if delta == 0:
        raise invalid("Requires delta != 0: 0")
    if delta > 0 and start > limit:
        raise invalid(f"Requires start <= limit when delta > 0: {start}/{limit}")
    if delta < 0 and start < limit:
        raise invalid(f"Requires start >= limit when delta < 0: {start}/{limit}")
    if np.asarray(start).dtype.kind in "iu":
        return -(-abs(int(limit) - int(start)) // abs(int(delta)))
    return scalar_math.ceil(abs((float(limit) - float(start)) / float(delta)))


@range_.shape
def _(start: Sym, limit: Sym, delta: Sym) -> Shape:
    for sym in (start, limit, delta):
        scalar(sym)
    values = (start.value, limit.value, delta.value)
    if any(v is None for v in values):
        return (None,)
    try:
        return (_range_size(*values),)
    except errors.InvalidArgumentError as error:
        raise ShapeMismatch(error.message.removesuffix(": 0")) from None


@op("LinSpace", fresh=True)
def lin_space(xp: Any, start: Float, stop: Float, num: Tidx) -> Float:
    """num numbers from start to stop, both included."""
    for name, value in (("start", start), ("stop", stop), ("num", num)):
        needs_rank(value, 0, name + " must be a scalar, not shape {shape}")
    count = int(num)
    if count <= 0:
        raise invalid(f"Requires num > 0: {count}")
    if count == 1:
        return xp.asarray([start])
    step = (stop - start) / start.dtype.type(count - 1)
    out = start + step * np.arange(count).astype(start.dtype)
    out[-1] = stop
    return out


@lin_space.shape
def _(start: Sym, stop: Sym, num: Sym) -> Shape:
    for sym in (start, stop, num):
        scalar(sym)
    count = num.value
    if count is None:
        return (None,)
    if count <= 0:
        raise ShapeMismatch(f"Requires num > 0: {count}")
    return (int(count),)


@op("Bucketize", shape=lambda input, *, boundaries: input.shape, fresh=True)
def bucketize(
    xp: Any, input: typevar("T", kinds("int32 int64 float double")), *, boundaries: list[float]
) -> dtypes.int32:
    """The number of boundaries that are not above each element; they must stand in order."""
    if sorted(boundaries) != boundaries:
        raise invalid("Expected sorted boundaries")
    return np.searchsorted(np.array(boundaries, np.float32), input, side="right").astype(np.int32)


@op("Bincount", out="bins", fresh=True)
def bincount(
    xp: Any, arr: dtypes.int32, size: dtypes.int32, weights: typevar("T", kinds("int32 int64 float double"))
) -> "T":  # noqa: F821
    """How often each number below size occurs, or the sum of the weights at its places."""
    needs_rank(size, 0, f"Shape must be rank 0 but is rank {np.ndim(size)}")
    if size < 0:
        raise invalid(f"size ({size}) must be non-negative")
    flat = xp.ravel(arr)
    if xp.any(flat < 0):
        raise invalid("Input arr must be non-negative!")
    if weights.size and weights.size != flat.size:
        raise invalid("Input indices and weights must have the same size.")
    kept = flat < size
    if weights.size:
        out = xp.zeros(int(size), weights.dtype)
        np.add.at(out, flat[kept], xp.ravel(weights)[kept])
        return out
    return xp.bincount(flat[kept], minlength=int(size)).astype(weights.dtype)


@bincount.shape
def _(arr: Sym, size: Sym, weights: Sym) -> Shape:
    scalar(size)
    count = size.value
    if count is None:
        return (None,)
    if count < 0:
        raise ShapeMismatch(f"size ({count}) must be non-negative")
    return (int(count),)


@op(
    "HistogramFixedWidth",
    out="out",
    shape=lambda values, value_range, nbins, *, dtype: _bins(value_range, nbins),
    fresh=True,
)
def histogram_fixed_width(
    xp: Any,
    values: typevar("T", kinds("int32 int64 float double")),
    value_range: "T",  # noqa: F821
    nbins: dtypes.int32,
    *,
    dtype: typevar("dtype", INDEX) = dtypes.int32,
) -> "dtype":  # noqa: F821
    """How many values lie in each of nbins equal parts of a range; what lies outside counts at its end."""
    needs_rank(value_range, 1, "value_range should be a vector.")
    if value_range.shape != (2,):
        raise invalid("value_range should be a vector of 2 elements.")
    needs_rank(nbins, 0, "nbins should be a scalar.")
    if nbins <= 0:
        raise invalid(f"nbins should be a positive number, but got '{nbins}'")
    low, high = (float(v) for v in value_range)
    if not low < high:
        raise invalid(
            f"value_range should satisfy value_range[0] < value_range[1], but got '[{low:g}, {high:g}]'"
        )
    step = (high - low) / float(nbins)
    places = xp.clip(xp.floor((xp.ravel(values).astype(np.float64) - low) / step), 0, nbins - 1).astype(
        np.int64
    )
    return xp.bincount(places, minlength=int(nbins)).astype(dtype.numpy)


def _bins(value_range: Sym, nbins: Sym) -> Shape:
    with_value(of_rank(value_range.shape, 1)[0], 2)
    scalar(nbins)
    count = nbins.value
    if count is None:
        return (None,)
    if count <= 0:
        raise ShapeMismatch(f"Requires nbins > 0: {count}")
    return (int(count),)


def _accumulate_shape(x: Sym, axis: Sym, *, exclusive: bool, reverse: bool) -> Shape:
    return x.shape


@op("Cumsum", out="out", shape=_accumulate_shape, fresh=True)
def cumsum(xp: Any, x: Number, axis: Tidx, *, exclusive: bool = False, reverse: bool = False) -> Number:
    """The sums of the elements up to each one along an axis."""
    return _accumulated(xp.cumsum, x, axis, exclusive, reverse, 0)


@op("Cumprod", out="out", shape=_accumulate_shape, fresh=True)
def cumprod(xp: Any, x: Number, axis: Tidx, *, exclusive: bool = False, reverse: bool = False) -> Number:
    """The products of the elements up to each one along an axis."""
    return _accumulated(xp.cumprod, x, axis, exclusive, reverse, 1)


@op("CumulativeLogsumexp", out="out", shape=_accumulate_shape, fresh=True)
def cumulative_logsumexp(
    xp: Any, x: Float, axis: Tidx, *, exclusive: bool = False, reverse: bool = False
) -> Float:
    """The logarithm of the sums of e to the elements up to each one along an axis."""
    return _accumulated(np.logaddexp.accumulate, x, axis, exclusive, reverse, -np.inf)


def _accumulated(function: Any, x: Any, at: Any, exclusive: bool, reverse: bool, start: float) -> Any:
    needs_rank(at, 0, "ScanOp: axis must be a scalar, not {shape}")
    x, axis = as_array(x), int(at)
    if not -x.ndim <= axis < x.ndim:
        shown = axis + x.ndim if axis < 0 else axis
        raise invalid(f"ScanOp: Expected scan axis in the range [{-x.ndim}, {x.ndim}), but got {shown}")
    if reverse:
        x = np.flip(x, axis)
    out = function(x, axis=axis, dtype=x.dtype)
    if exclusive:
        first = np.full_like(np.take(x, [0] if x.shape[axis] else [], axis), start)
        out = np.concatenate([first, np.take(out, range(max(x.shape[axis] - 1, 0)), axis)], axis)
    return np.flip(out, axis) if reverse else out
