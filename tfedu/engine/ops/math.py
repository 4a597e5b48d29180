"""Elementwise mathematics: one line an op where NumPy has the function, else a kernel.

Kernels keep the dtype, integers wrap around as in C; division rounds towards 0 as in C, or down, as the op's name says.
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.dtypes import DType, runtime_name
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.constant import constant
from ..op.define import Many, ShapeAttr, Sym, binary, broadcast_shape, op, same_shape, typevar, unary
from ..op.gradient_rules import (
    back,
    flat,
    of_input,
    of_output,
    one,
    repeats,
    repeats_at_run_time,
    same_full_shape,
)  # fmt: skip
from ..op.name_scopes import waiting_for
from ..op.shape_checks import (
    COMPLEX,
    FLOATS,
    INTEGERS,
    NUMBERS,
    Float,
    HalfFloat,
    Number,
    Real,
    at_least,
    invalid,
    kinds,
    merged,
    text_of,
    unequal,
)  # fmt: skip
from .reduce import summed

FloatOrComplex = typevar("T", FLOATS + COMPLEX)
Signed = typevar("T", kinds("bfloat16 half float double int8 int16 int32 int64"))
SignedOrComplex = typevar(
    "T", kinds("bfloat16 half float double int8 int16 int32 int64 complex64 complex128")
)
Integer = typevar("T", INTEGERS)

# -- one input -----------------------------------------------------------------------------------------------------

abs_ = unary("Abs", "abs", Signed, "The absolute value |x|.", name="abs_", range=(0, inf), gradient="dx = g · sign(x)")
abs_.grad(lambda op, g: g * nodes.Sign(op.inputs[0]))
neg = unary("Neg", "negative", SignedOrComplex, "-x.", name="neg", expr="-{x}", gradient="dx = -g")
neg.grad(lambda op, g: -g)
square = unary(
    "Square", "square",
    typevar("T", kinds("bfloat16 half float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128")),
    "x·x.", name="square", expr="{x} * {x}",
    range=(0, inf),
    gradient="dx = 2 · g · x",
)  # fmt: skip
square.grad(of_input(lambda x, g: mul(g, mul(x, constant(2.0, dtype=x.dtype.base_dtype)))))
sqrt = unary(
    "Sqrt", "sqrt", FloatOrComplex, "The square root of x.", name="sqrt", range=(0, inf), singular="x",
    gradient="dx = g / (2 · y)",
)
sqrt.grad(lambda op, g: nodes.SqrtGrad(op.outputs[0], g))
exp = unary("Exp", "exp", FloatOrComplex, "e to the power x.", name="exp", range=(0, inf), gradient="dx = g · y")
exp.grad(of_output(lambda y, g: g * y))
expm1 = unary(
    "Expm1", "expm1", FloatOrComplex, "e to the power x, minus 1; exact near 0.", name="expm1", range=(-1, inf),
    gradient="dx = g · exp(x)",
)
expm1.grad(of_input(lambda x, g: g * exp(x)))
log = unary(
    "Log", "log", FloatOrComplex, "The natural logarithm of x.", name="log", singular="x",
    gradient="dx = g / x",
)
log.grad(of_input(lambda x, g: g * reciprocal(x)))
log1p = unary(
    "Log1p", "log1p", FloatOrComplex, "The natural logarithm of 1 + x; exact near 0.", name="log1p", singular="x",
    gradient="dx = g / (1 + x)",
)
log1p.grad(of_input(lambda x, g: g * reciprocal(1 + x)))
sin = unary(
    "Sin", "sin", FloatOrComplex, "The sine of x, in radians.", name="sin", range=(-1, 1),
    gradient="dx = g · cos(x)",
)
sin.grad(of_input(lambda x, g: g * cos(x)))
cos = unary(
    "Cos", "cos", FloatOrComplex, "The cosine of x, in radians.", name="cos", range=(-1, 1),
    gradient="dx = -g · sin(x)",
)
cos.grad(of_input(lambda x, g: -g * sin(x)))
tan = unary("Tan", "tan", FloatOrComplex, "The tangent of x, in radians.", name="tan", gradient="dx = g / cos(x)²")
tan.grad(of_input(lambda x, g: square(reciprocal(cos(x))) * g))
asin = unary(
    "Asin", "arcsin", FloatOrComplex, "The angle in radians whose sine is x.", name="asin", singular="x",
    gradient="dx = g / √(1 - x²)",
)
asin.grad(of_input(lambda x, g: g * _asin_slope(x, g)))
acos = unary(
    "Acos", "arccos", FloatOrComplex, "The angle in radians whose cosine is x.", name="acos", singular="x",
    gradient="dx = -g / √(1 - x²)",
)
acos.grad(of_input(lambda x, g: _negative_product(_asin_slope(x, g), g)))
atan = unary(
    "Atan", "arctan", FloatOrComplex, "The angle in radians whose tangent is x.", name="atan",
    gradient="dx = g / (1 + x²)",
)
atan.grad(of_input(lambda x, g: g * reciprocal(_one_and_square(add, x, g))))
sinh = unary(
    "Sinh", "sinh", FloatOrComplex, "The hyperbolic sine of x.", name="sinh",
    gradient="dx = g · cosh(x)",
)
sinh.grad(of_input(lambda x, g: g * cosh(x)))
cosh = unary(
    "Cosh", "cosh", FloatOrComplex, "The hyperbolic cosine of x.", name="cosh", range=(1, inf),
    gradient="dx = g · sinh(x)",
)
cosh.grad(of_input(lambda x, g: g * sinh(x)))
tanh = unary(
    "Tanh", "tanh", FloatOrComplex, "The hyperbolic tangent of x.", name="tanh", role="activation", range=(-1, 1),
    gradient="dx = g · (1 - y²)",
)
tanh.grad(of_output(lambda y, g: nodes.TanhGrad(y, g)))
asinh = unary("Asinh", "arcsinh", FloatOrComplex, "The inverse hyperbolic sine of x.", name="asinh")
asinh.grad(of_output(lambda y, g: g / cosh(y)))
acosh = unary("Acosh", "arccosh", FloatOrComplex, "The inverse hyperbolic cosine of x.", name="acosh", range=(0, inf),
              singular="x")  # fmt: skip
acosh.grad(of_output(lambda y, g: g / sinh(y)))
atanh = unary("Atanh", "arctanh", FloatOrComplex, "The inverse hyperbolic tangent of x.", name="atanh", singular="x")
atanh.grad(of_input(lambda x, g: g * reciprocal(_one_and_square(sub, x, g))))
rint = unary("Rint", "rint", Float, "The nearest integer; a tie goes to the even one.", name="rint")
rint.grad(flat)
floor = unary("Floor", "floor", Float, "The largest integer not above x.", name="floor")
floor.grad(flat)
ceil = unary("Ceil", "ceil", Float, "The smallest integer not below x.", name="ceil")
ceil.grad(flat)
is_nan = unary("IsNan", "isnan", Float, "Whether x is NaN.", name="is_nan", returns=dtypes.bool)
is_inf = unary("IsInf", "isinf", Float, "Whether x is infinite.", name="is_inf", returns=dtypes.bool)
is_finite = unary("IsFinite", "isfinite", Float, "Whether x is neither infinite nor NaN.", name="is_finite",
                  returns=dtypes.bool)  # fmt: skip


# The rules of asin, acos, atan and atanh add their nodes in the order in which TF does.


def _one_and_square(combine: Any, x: Any, g: Any) -> Any:
    """1 + x² with `add`, 1 - x² with `sub`."""
    squared = square(x)
    return combine(one(g), squared)


def _asin_slope(x: Any, g: Any) -> Any:
    """1 / sqrt(1 - x²)."""
    return reciprocal(sqrt(_one_and_square(sub, x, g)))


def _negative_product(slope: Any, g: Any) -> Any:
    return -g * slope


def elementwise(type: str, **options: Any) -> Any:
    """An elementwise op of one input that NumPy has no function for."""
    return op(type, shape=same_shape, fresh=True, **{"out": "y", **options})


@elementwise("Rsqrt", singular="x", gradient="dx = -g · y³ / 2")
def rsqrt(xp: Any, x: FloatOrComplex) -> FloatOrComplex:
    """1 / sqrt(x)."""
    return x.dtype.type(1) / xp.sqrt(x)


rsqrt.grad(lambda op, g: nodes.RsqrtGrad(op.outputs[0], g))


@elementwise("Reciprocal", singular="x", gradient="dx = -g · y²")
def reciprocal(xp: Any, x: SignedOrComplex) -> SignedOrComplex:
    """1 / x. Raises: InvalidArgumentError for an integer 0."""
    return _inverse(xp, x)


reciprocal.grad(lambda op, g: nodes.ReciprocalGrad(op.outputs[0], g))


@elementwise("Inv", singular="x", gradient="dx = -g · y²")
def inv(xp: Any, x: SignedOrComplex) -> SignedOrComplex:
    """1 / x. Raises: InvalidArgumentError for an integer 0."""
    return _inverse(xp, x)


inv.grad(lambda op, g: nodes.ReciprocalGrad(op.outputs[0], g))


def _inverse(xp: Any, x: Any) -> Any:
    if x.dtype.kind in "iu":
        if not xp.all(x):
            raise invalid("Integer division by zero")
        return _truncated(xp, x.dtype.type(1), x)
    return x.dtype.type(1) / x


@elementwise("Sign", range=(-1, 1), gradient="dx = 0")
def sign(xp: Any, x: SignedOrComplex) -> SignedOrComplex:
    """-1, 0 or 1 by the sign of x; x / |x| for complex x, which is NaN where that is infinite."""
    if x.dtype.kind != "c":
        return xp.sign(x)
    size = xp.abs(x)
    return xp.where(size == 0, x.dtype.type(0), x / size)[()]


@sign.grad
def _(op: Any, g: Any) -> Any:
    x = op.inputs[0]
    return functions.zeros(functions.shape(x), dtype=x.dtype.base_dtype)


@elementwise("Round")
def round_(xp: Any, x: SignedOrComplex) -> SignedOrComplex:
    """The nearest integer; a tie goes to the even one."""
    return xp.array(x, copy=True)[()] if x.dtype.kind in "iu" else xp.rint(x)


round_.grad(flat)


@elementwise("Sigmoid", role="activation", range=(0, 1), gradient="dx = g · y · (1 - y)")
def sigmoid(xp: Any, x: FloatOrComplex, *, out: Any = None) -> FloatOrComplex:
    """The logistic function 1 / (1 + exp(-x))."""
    one = x.dtype.type(1)
    if not x.ndim:
        return one / (one + xp.exp(-x))
    y = xp.negative(x, out=out)
    y = xp.exp(y, out=y)
    y += one
    return xp.divide(one, y, out=y)


sigmoid.grad(of_output(lambda y, g: nodes.SigmoidGrad(y, g)))


# -- two inputs ----------------------------------------------------------------------------------------------------

_ADDABLE = "bfloat16 half float double uint8 {} int8 int16 int32 int64 complex64 complex128{}"
add_v2 = binary("AddV2", "add", typevar("T", kinds(_ADDABLE.format("uint16 uint32 uint64", ""))), "x + y.",
                name="add_v2", expr="{x} + {y}",
    gradient="da = g, db = g",
)  # fmt: skip


add_v2.grad(lambda op, g: _of_sum(op, g))
sub = binary(
    "Sub", "subtract",
    typevar("T", kinds("bfloat16 half float double uint8 int8 uint16 int16 int32 int64 complex64 complex128 uint32 uint64")),
    "x - y.", name="sub", expr="{x} - {y}",
    gradient="da = g, db = -g",
)  # fmt: skip


@sub.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs
    if same_full_shape(x, y, g):
        return g, -g
    at_x, at_y = repeats(x, y, g)
    return back(g, at_x), back(-g, at_y)
Divisible = typevar(
    "T",
    kinds(
        "bfloat16 half float double uint8 int8 uint16 int16 int32 uint32 uint64 int64 complex64 complex128"
    ),
)
mul = binary(
    "Mul", "multiply", Divisible, "x · y.", name="mul", expr="{x} * {y}",
    gradient="da = g · b, db = g · a",
)


@mul.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs
    if same_full_shape(x, y, g) and g.dtype in (dtypes.int32, dtypes.float32):
        return mul(g, y), mul(g, x)
    at_x, at_y = repeats(x, y, g)
    x, y = functions.conj(x), functions.conj(y)
    return back(mul(g, y), at_x), back(mul(x, g), at_y)
Comparable = typevar(
    "T", kinds("bfloat16 half float double int8 uint8 int16 uint16 int32 uint32 int64 uint64")
)
maximum = binary(
    "Maximum", "maximum", Comparable, "The larger of x and y.", name="maximum",
    gradient="da = g · [a ≥ b], db = g · [a < b]",
)
maximum.grad(lambda op, g: _to_larger_or_smaller(op, g, nodes.GreaterEqual))
minimum = binary(
    "Minimum", "minimum", Comparable, "The smaller of x and y.", name="minimum",
    gradient="da = g · [a ≤ b], db = g · [a > b]",
)
minimum.grad(lambda op, g: _to_larger_or_smaller(op, g, nodes.LessEqual))


def _to_larger_or_smaller(op: Any, g: Any, is_first: Any) -> Any:
    """The gradient goes to the input that the op chose: x where is_first(x, y), which holds for equal numbers, else y."""
    x, y = op.inputs
    sx, sy = functions.shape(x), functions.shape(y)
    zeros = functions.zeros(functions.shape(g), g.dtype)
    mask = is_first(x, y)
    rx, ry = nodes.BroadcastGradientArgs(sx, sy)
    dx = nodes.Select(mask, g, zeros)
    dx = nodes.Reshape(nodes.Sum(dx, rx), sx)
    dy = nodes.Select(mask, zeros, g)
    return dx, nodes.Reshape(nodes.Sum(dy, ry), sy)


def pairwise(type: str, **options: Any) -> Any:
    """An elementwise op of two inputs that NumPy has no function for."""
    return op(type, shape=broadcast_shape, fresh=True, **{"out": "z", **options})


Addable = typevar("T", kinds(_ADDABLE.format("", " string")))


@pairwise("Add", expr="{x} + {y}", gradient="da = g, db = g")
def add(xp: Any, x: Addable, y: Addable, *, out: Any = None) -> Addable:
    """x + y; strings are concatenated."""
    return x + y if out is None else xp.add(x, y, out=out)


@add.grad
def _of_sum(op: Any, g: Any) -> Any:
    x, y = op.inputs
    if same_full_shape(x, y, g):
        return g, g
    at_x, at_y = repeats(x, y, g)
    return back(g, at_x), back(g, at_y)


@pairwise("Div", singular="y", gradient="da = g / b, db = -g · a / b²")
def div(xp: Any, x: Divisible, y: Divisible) -> Divisible:
    """x / y; integers are rounded towards 0. Raises: InvalidArgumentError for an integer y of 0."""
    return divided(xp, x, y)


div.grad(lambda op, g: _of_quotient(op, g, lambda x, y: x / y))


@pairwise("RealDiv", singular="y", gradient="da = g / b, db = -g · a / b²")
def real_div(xp: Any, x: Divisible, y: Divisible) -> Divisible:
    """x / y; integers are rounded towards 0. Raises: InvalidArgumentError for an integer y of 0."""
    return divided(xp, x, y)


real_div.grad(lambda op, g: _of_quotient(op, g, real_div))


def _of_quotient(op: Any, g: Any, divide: Any) -> Any:
    """d(x / y): g / y for x, -g · x / y / y for y."""
    x, y = op.inputs
    at_x, at_y = repeats_at_run_time(x, y)
    x, y = functions.conj(x), functions.conj(y)
    return back(divide(g, y), at_x), back(g * divide(divide(-x, y), y), at_y)


@pairwise("TruncateDiv")
def truncate_div(xp: Any, x: Divisible, y: Divisible) -> Divisible:
    """x / y, rounded towards 0. Raises: InternalError for an integer y of 0."""
    _no_zero_internal(xp, x, y)
    return divided(xp, x, y) if x.dtype.kind in "iuc" else xp.trunc(xp.true_divide(x, y))


truncate_div.grad(flat)


def divided(xp: Any, x: Any, y: Any) -> Any:
    if x.dtype.kind in "iu":
        _no_zero(xp, x, y)
        return _truncated(xp, x, y)
    return x / y


# On scalars, such as loop counters, Python's operators take a tenth of the time of NumPy's functions.
# An empty x may be divided by 0: the gradient of a reduction over a scalar's axes does so.
def _no_zero(xp: Any, x: Any, y: Any) -> None:
    if not (xp.all(y) if y.ndim else y) and x.size:
        raise invalid("Integer division by zero")


def _truncated(xp: Any, x: Any, y: Any) -> Any:
    quotient = xp.floor_divide(x, y)
    # The floor is one too low where there is a remainder and the signs differ.
    # (y is never a single number beside an array x; x = 1 may be, and CuPy's array has to come first then.)
    low = (xp.remainder(x, y) != 0) & ((y < 0) != (x < 0))
    return quotient + low.astype(quotient.dtype)


@pairwise("FloorDiv")
def floor_div(xp: Any, x: Divisible, y: Divisible) -> Divisible:
    """x / y, rounded down. Raises: InvalidArgumentError for an integer y of 0."""
    if x.dtype.kind in "iu":
        _no_zero(xp, x, y)
        return x // y
    return xp.floor(xp.true_divide(x, y))


floor_div.grad(flat)


@pairwise("FloorMod")
def floor_mod(
    xp: Any,
    x: typevar("T", kinds("int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 half float double")),
    y: "T",  # noqa: F821
) -> "T":  # noqa: F821
    """The remainder of x / y rounded down; it has the sign of y. Raises: InvalidArgumentError for an integer y of 0."""
    if x.dtype.kind in "iu":
        _no_zero(xp, x, y)
        return x % y
    rest = xp.fmod(x, y)
    return xp.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)[()]


@floor_mod.grad
def _(op: Any, g: Any) -> Any:
    x, y = map(functions.conj, op.inputs)
    at_x, at_y = repeats_at_run_time(x, y)
    quotient = floor_div(x, y)
    return back(g, at_x), back(g * neg(quotient), at_y)


Modulo = typevar("T", kinds("int32 int64 half half bfloat16 float double"))


@pairwise("Mod")
def mod(xp: Any, x: Modulo, y: Modulo) -> Modulo:
    """The remainder of x / y rounded towards 0; it has the sign of x.

    Raises: InvalidArgumentError for an integer y of 0.
    """
    return _remainder(xp, x, y)


TruncatedModulo = typevar("T", kinds("int32 int64 bfloat16 half float double"))


@pairwise("TruncateMod")
def truncate_mod(xp: Any, x: TruncatedModulo, y: TruncatedModulo) -> TruncatedModulo:
    """The remainder of x / y rounded towards 0; it has the sign of x. Raises: InternalError for an integer y of 0."""
    _no_zero_internal(xp, x, y)
    return _remainder(xp, x, y)


def _no_zero_internal(xp: Any, x: Any, y: Any) -> None:
    # TF's kernels of these two ops expect no error, and report it as an internal one.
    if y.dtype.kind in "iu" and not xp.all(y) and x.size:
        text = "Unexpected error in binary operator (only integer div and mod should have errors)"
        raise errors.InternalError(None, None, text)


def _remainder(xp: Any, x: Any, y: Any) -> Any:
    if x.dtype.kind not in "iu":
        return xp.fmod(x, y)
    _no_zero(xp, x, y)
    if xp is np:
        return np.fmod(x, y)
    # CuPy's fmod computes integers as float64, which does not hold all numbers of 64 bits.
    rest = xp.remainder(x, y)
    return rest - xp.where((rest != 0) & ((x < 0) != (y < 0)), y, y.dtype.type(0))


NoNan = typevar("T", kinds("half float bfloat16 double complex64 complex128"))


@pairwise("DivNoNan")
def div_no_nan(xp: Any, x: NoNan, y: NoNan) -> NoNan:
    """x / y, but 0 where y is 0."""
    return _where_zero(xp, y, xp.true_divide(x, y))


div_no_nan.grad(lambda op, g: _of_quotient(op, g, lambda x, y: div_no_nan(x, y, name="div_no_nan")))


@pairwise("MulNoNan")
def mul_no_nan(xp: Any, x: FloatOrComplex, y: FloatOrComplex) -> FloatOrComplex:
    """x · y, but 0 where y is 0, even if x is infinite or NaN."""
    return _where_zero(xp, y, x * y)


@mul_no_nan.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs
    if same_full_shape(x, y, g):
        return mul_no_nan(g, y), mul_no_nan(x, g)
    at_x, at_y = repeats_at_run_time(x, y)
    return back(mul_no_nan(g, y), at_x), back(mul_no_nan(x, g), at_y)


XLogy = typevar("T", kinds("half bfloat16 float double complex64 complex128"))


@pairwise("Xdivy")
def xdivy(xp: Any, x: XLogy, y: XLogy) -> XLogy:
    """x / y, but 0 where x is 0."""
    return _where_zero(xp, x, xp.true_divide(x, y))


xdivy.grad(lambda op, g: _where_x(op, g, lambda x, y, nonzero: (xdivy(nonzero, y), xdivy(neg(x), y**2))))


@pairwise("Xlogy")
def xlogy(xp: Any, x: XLogy, y: XLogy) -> XLogy:
    """x · log(y), but 0 where x is 0."""
    return _where_zero(xp, x, x * xp.log(y))


xlogy.grad(lambda op, g: _where_x(op, g, lambda x, y, nonzero: (xlogy(nonzero, y), xdivy(x, y))))


def _where_x(op: Any, g: Any, form: Any) -> Any:
    """The gradients of Xdivy and Xlogy, which are 0 where x is 0.

    form(x, y, nonzero) -> the partial derivatives by x and y; nonzero: 1 where x is not 0, else 0.
    """
    x, y = op.inputs
    at_x, at_y = repeats_at_run_time(x, y)
    with waiting_for([g]):
        nonzero = functions.cast(nodes.NotEqual(x, functions.cast(0.0, dtype=x.dtype)), dtype=x.dtype)
        dx, dy = form(x, y, nonzero)
        return back(dx * g, at_x), back(dy * g, at_y)


def _where_zero(xp: Any, test: Any, otherwise: Any) -> Any:
    return xp.where(test == 0, otherwise.dtype.type(0), otherwise)[()]


Power = typevar("T", kinds("bfloat16 float half double int8 int16 int32 int64 complex64 complex128"))


@pairwise("Pow", singular="x", gradient="da = g · b · a^(b - 1), db = g · y · log(a)")
def pow_(xp: Any, x: Power, y: Power) -> Power:
    """x to the power y. Raises: InvalidArgumentError for an integer x and y < 0."""
    if x.dtype.kind in "iu" and xp.any(y < 0):
        raise invalid("Integers to negative integer powers are not allowed")
    return xp.power(x, y)


@pow_.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs
    at_x, at_y = repeats(x, y, g)
    x, y = functions.conj(x), functions.conj(y)
    dx = back(g * y * pow_(x, y - 1), at_x)
    z = functions.conj(op.outputs[0])
    # The logarithm is computed only where x has one; elsewhere the derivative counts as 0.
    mask = nodes.NotEqual(x, 0) if x.dtype.is_complex else x > 0
    safe = nodes.Select(mask, x, functions.ones_like(x))
    logarithm = nodes.Select(mask, log(safe), functions.zeros_like(x))
    return dx, back(g * z * logarithm, at_y)


@pairwise("SquaredDifference", range=(0, inf), gradient="da = 2 · g · (a - b), db = -2 · g · (a - b)")
def squared_difference(
    xp: Any,
    x: typevar("T", kinds("bfloat16 half float double int32 int64 complex64 complex128")),
    y: "T",  # noqa: F821
) -> "T":  # noqa: F821
    """(x - y)²; |x - y|² for complex numbers."""
    difference = x - y
    return xp.conj(difference) * difference if difference.dtype.kind == "c" else difference * difference


@squared_difference.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs
    with waiting_for([g]):
        dx = mul(constant(2.0, dtype=g.dtype.base_dtype, name="scalar"), g) * (x - y)
    if same_full_shape(x, y, g):
        return dx, -dx
    at_x, at_y = repeats(x, y, g)
    return back(dx, at_x), -back(dx, at_y)


@pairwise("Atan2")
def atan2(xp: Any, y: Float, x: Float) -> Float:
    """The angle of the point (x, y), in radians from -π to π."""
    return xp.arctan2(y, x)


@atan2.grad
def _(op: Any, g: Any) -> Any:
    y, x = op.inputs
    with waiting_for([g]):
        inverse = g / (square(x) + square(y))
        return x * inverse, -y * inverse


@op("NextAfter", shape=broadcast_shape, fresh=True)
def next_after(
    xp: Any,
    x1: typevar("T", kinds("double float"), default=dtypes.float32),
    x2: "T",  # noqa: F821
) -> "T":  # noqa: F821
    """The next floating-point number after x1 in the direction of x2."""
    return xp.nextafter(x1, x2)


@next_after.grad
def _(op: Any, g: Any) -> Any:
    x1, x2 = op.inputs
    at_1, at_2 = repeats_at_run_time(x1, x2)
    with waiting_for([g]):
        ones, zeros = functions.ones(at_1[0], dtype=x1.dtype), functions.zeros(at_2[0], dtype=x2.dtype)
        return back(ones * g, at_1), back(zeros * g, at_2)


# -- sums of many, cross products ----------------------------------------------------------------------------------


@op("AddN", out="sum", shape=lambda inputs: merged(inputs), gradient="da = g, db = g, …")
def add_n(xp: Any, inputs: Many[typevar("T", (*NUMBERS, dtypes.variant))]) -> "T":  # noqa: F821
    """The sum of n tensors of one shape: n inputs [d...] -> sum [d...].

    Raises: InvalidArgumentError when their shapes differ.
    """
    return _summed(inputs)


@add_n.grad
def _(op: Any, g: Any) -> Any:
    return [g] * len(op.inputs)


@op("AccumulateNV2", out="sum", shape=lambda inputs, *, shape: shape)
def accumulate_nv2(xp: Any, inputs: Many[Number], *, shape: ShapeAttr) -> Number:
    """The sum of n tensors of one shape: n inputs [d...] -> sum [d...].

    Raises: InvalidArgumentError when their shapes differ.
    """
    if any(np.shape(value) != np.shape(inputs[0]) for value in inputs):
        raise invalid("Parameters and update must be the same size")
    return _summed(inputs)


@accumulate_nv2.grad
def _(op: Any, g: Any) -> Any:
    return [g] * len(op.inputs)


def _summed(inputs: list[Any]) -> Any:
    total, *others = inputs
    is_own = False
    for value in others:
        if value.shape != inputs[0].shape:
            at = next(i for i, v in enumerate(inputs) if v is value)
            raise unequal("AddN", 0, np.shape(inputs[0]), at, np.shape(value))
        if is_own and total.ndim:  # an array of this function's: new memory costs as much as the sum
            total += value
        else:
            total, is_own = total + value, True
    return total


@op("Cross", out="product", fresh=True)
def cross(xp: Any, a: Real, b: Real) -> Real:
    """Cross products of vectors: a [..., 3], b [..., 3] -> product [..., 3].

    Raises: InvalidArgumentError when the shapes differ.
    """
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


@cross.grad
def _(op: Any, g: Any) -> Any:
    a, b = op.inputs
    return cross(b, g), cross(g, a)


# -- casts ---------------------------------------------------------------------------------------------------------

SrcT = typevar("SrcT")


@op("Cast", out="y", shape=lambda x, *, DstT, Truncate: x.shape, fresh=True, gradient="dx = cast(g)")
def cast(xp: Any, x: SrcT, *, DstT: DType, Truncate: bool = False) -> "DstT":  # noqa: F821
    """x as another dtype, rounded towards 0 as in C: any shape -> the same shape.

    Raises: UnimplementedError from or to a string.
    """
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
        # Only the real part counts, for bool too, as in C++.
        x = x.real
    if x.dtype.kind == "f" and DstT.numpy.kind in "iu" and DstT.size < 4:
        # C converts to small integers by way of int32.
        x = x.astype(np.int32)
    return x.astype(DstT.numpy)


@cast.grad
def _(op: Any, g: Any) -> Any:
    source, target = op.inputs[0].dtype.base_dtype, g.dtype.base_dtype
    if all(t.is_floating or t.is_complex for t in (source, target)):
        return functions.cast(g, source)
    return None


# -- bounds and norms -------------------------------------------------------------------------------------------------


@op("ClipByValue", fresh=True)
def clip_by_value(xp: Any, t: Number, clip_value_min: Number, clip_value_max: Number) -> Number:
    """t limited to [clip_value_min, clip_value_max]: t [d...], each bound [d...] or a scalar -> [d...].

    Raises: InvalidArgumentError when a bound has another shape.
    """
    shape, low, high = t.shape, clip_value_min.shape, clip_value_max.shape
    if (low and low != shape) or (high and high != shape):
        raise invalid(
            "clip_value_min and clip_value_max must be either of the same shape as input, or a scalar. "
            f"input shape: {text_of(shape)}clip_value_min shape: {text_of(low)}clip_value_max shape: {text_of(high)}"
        )
    return xp.maximum(xp.minimum(t, clip_value_max), clip_value_min)


clip_by_value.shape(lambda t, clip_value_min, clip_value_max: t.shape)


@clip_by_value.grad
def _(op: Any, g: Any) -> Any:
    x, low, high = op.inputs
    sx, sl, sh = (functions.shape(t) for t in (x, low, high))
    zeros = functions.zeros(functions.shape(g), g.dtype)
    below, above = nodes.Less(x, low), nodes.Greater(x, high)
    _, repeated_low = nodes.BroadcastGradientArgs(sx, sl)
    repeated, repeated_high = nodes.BroadcastGradientArgs(sx, sh)
    parts = (
        (nodes.Select(nodes.LogicalOr(below, above), zeros, g), repeated, sx),
        (nodes.Select(below, g, zeros), repeated_low, sl),
        (nodes.Select(above, g, zeros), repeated_high, sh),
    )
    return [nodes.Reshape(nodes.Sum(part, axes), sizes) for part, axes, sizes in parts]


# BLAS's dot product is fastest, but sums in sequence: beyond this length its rounding errors are too large.
_SHORT = 1 << 12


@op("L2Loss", shape=lambda t: (), fresh=True, gradient="dx = g · x", multiplies=True)
def l2_loss(xp: Any, t: HalfFloat) -> HalfFloat:
    """Half the sum of the squares: any shape -> scalar."""
    if t.dtype.char in "fd" and t.size <= _SHORT:
        numbers = t.reshape(-1)
        return numbers.dot(numbers) * t.dtype.type(0.5)
    return summed(xp.square(t), tuple(range(t.ndim))) * t.dtype.type(0.5)


l2_loss.grad(lambda op, g: op.inputs[0] * g)
