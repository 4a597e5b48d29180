"""Special functions: the error function, gamma, digamma, polygamma, incomplete gamma and beta, Bessel and zeta functions.

Each is computed for one Python float at a time, in float64, and rounded once. No state.
"""

from __future__ import annotations

import math as scalar_math
from typing import Any, Final

import numpy as np

from ..base import shapes
from ..base.shapes import Shape
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.constant import constant
from ..op.define import Sym, op, typevar
from ..op.gradient_rules import back, of_input, one, repeats_at_run_time
from ..op.name_scopes import waiting_for
from ..op.shape_checks import Float, invalid, kinds, text_of, unwrapped
from .math import elementwise, pairwise


@elementwise("Erf", range=(-1, 1), gradient="dx = g · 2 / √π · exp(-x²)")
def erf(xp: Any, x: Float) -> Float:
    """The error function of x."""
    return each_number(scalar_math.erf, x)


erf.grad(lambda op, g: _of_erf(op, g, 2))


@elementwise("Erfc", range=(0, 2))
def erfc(xp: Any, x: Float) -> Float:
    """1 - erf(x), exact where that is small."""
    return each_number(scalar_math.erfc, x)


erfc.grad(lambda op, g: _of_erf(op, g, -2))


def _of_erf(op: Any, g: Any, factor: float) -> Any:
    """factor / √π · exp(-x²)."""
    scale = constant(factor / scalar_math.sqrt(scalar_math.pi), dtype=g.dtype.base_dtype)
    with waiting_for([g]):
        x = functions.conj(op.inputs[0])
        return g * scale * nodes.Exp(-nodes.Square(x))


@elementwise("Lgamma")
def lgamma(xp: Any, x: Float) -> Float:
    """log(|Γ(x)|)."""
    return each_number(lgamma_of, x)


lgamma.grad(of_input(lambda x, g: g * digamma(x)))


@elementwise("Digamma")
def digamma(xp: Any, x: Float) -> Float:
    """The derivative of log(Γ(x))."""
    return each_number(digamma_of, x)


digamma.grad(of_input(lambda x, g: g * polygamma(one(x), x)))


def each_number(function: Any, *values: Any) -> Any:
    """`function` of each element as a Python float: values that broadcast -> the broadcast shape; rounded once."""
    out = np.frompyfunc(function, len(values), 1)(*(np.asarray(v, np.float64) for v in values))
    result = np.asarray(out, np.float64).astype(np.result_type(*(v.dtype for v in values)))
    return result if result.ndim else result[()]


# log(Γ(x)) of larger numbers is larger than the largest number.
_LGAMMA_FITS: Final = 2.5599833278516383e+305


def lgamma_of(x: float) -> float:
    # Not by the ValueError of a pole: a signal handler's would be taken for it.
    is_pole = x <= 0 and (x == -scalar_math.inf or x == scalar_math.floor(x))
    return scalar_math.inf if is_pole or x > _LGAMMA_FITS else scalar_math.lgamma(x)


def digamma_of(x: float) -> float:
    """digamma(x): by reflection for x <= 0, by recurrence up to 10, then by the asymptotic series."""
    if x <= 0:
        if x == -scalar_math.inf or x == scalar_math.floor(x):
            return scalar_math.nan
        return digamma_of(1 - x) - scalar_math.pi / scalar_math.tan(scalar_math.pi * x)
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


@elementwise("BesselI0e")
def bessel_i0e(xp: Any, x: Float) -> Float:
    """The modified Bessel function I0(x) · exp(-|x|)."""
    return each_number(lambda value: _scaled_bessel(0, value), x)


@bessel_i0e.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    with waiting_for([g]):
        return g * (bessel_i1e(x) - nodes.Sign(x) * y)


@elementwise("BesselI1e")
def bessel_i1e(xp: Any, x: Float) -> Float:
    """The modified Bessel function I1(x) · exp(-|x|)."""
    return each_number(lambda value: _scaled_bessel(1, value), x)


@bessel_i1e.grad
def _(op: Any, g: Any) -> Any:
    # At 0 the slope is 1/2; the formula would divide by 0.
    x, y = op.inputs[0], op.outputs[0]
    with waiting_for([g]):
        smallest = np.finfo(x.dtype.as_numpy_dtype).eps
        zeros = functions.zeros_like(x)
        is_plain = nodes.Abs(x) > smallest
        safe = nodes.Select(is_plain, x, smallest + zeros)
        slope = bessel_i0e(safe) - y * (nodes.Sign(safe) + nodes.Reciprocal(safe))
        return g * nodes.Select(is_plain, slope, 0.5 + zeros)


def _scaled_bessel(order: int, x: float) -> float:
    """I_order(x) · exp(-|x|): by its power series up to 30, all terms positive, by the asymptotic series above."""
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


Double = typevar("T", kinds("float double"))


@pairwise("Igamma")
def igamma(xp: Any, a: Float, x: Float) -> Float:
    """The lower regularised incomplete gamma function P(a, x)."""
    return each_number(lambda a, x: _incomplete_gamma(a, x)[0], a, x)


@igamma.grad
def _of_igamma(op: Any, g: Any) -> tuple[Any, Any]:
    a, x = op.inputs
    at_a, at_x = repeats_at_run_time(a, x)
    with waiting_for([g]):
        da = nodes.IgammaGradA(a, x)
        dx = nodes.Exp(-x + (a - 1) * nodes.Log(x) - lgamma(a))
        return back(da * g, at_a), back(dx * g, at_x)


@pairwise("Igammac")
def igammac(xp: Any, a: Float, x: Float) -> Float:
    """The upper regularised incomplete gamma function Q(a, x)."""
    return each_number(lambda a, x: _incomplete_gamma(a, x)[1], a, x)


@igammac.grad
def _(op: Any, g: Any) -> Any:
    da, dx = _of_igamma(op, g)
    return -da, -dx


def _incomplete_gamma(a: float, x: float) -> tuple[float, float]:
    """(P(a, x), Q(a, x)): by P's series for x < a + 1, else by Q's continued fraction (Lentz's method)."""
    if x == 0:
        return 0.0, 1.0 if a > 0 else scalar_math.nan
    if not (x >= 0 and a > 0):
        return scalar_math.nan, scalar_math.nan
    if a == scalar_math.inf:
        return 0.0, 1.0 if x < a else 0.0
    if x == scalar_math.inf:
        return 1.0, 0.0
    front = float(np.exp(a * scalar_math.log(x) - x - lgamma_of(a)))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > abs(total) * 1e-17:
            n += 1
            term *= x / n
            total += term
        return total * front, 1 - total * front
    tiny = 1e-300
    b = x + 1 - a or tiny
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
    """The regularised incomplete beta function I(a, b; x): any shape, the same for all but scalars -> that shape.

    Raises: InvalidArgumentError when the shapes differ.
    """
    sides = {"a": a.shape, "b": b.shape, "x": x.shape}
    for first, second in (("a", "b"), ("a", "x"), ("b", "x")):
        one, other = sides[first], sides[second]
        if one and other and one != other:
            raise invalid(f"Shapes of {first} and {second} are inconsistent: {text_of(one)} vs. {text_of(other)}")
    return each_number(_incomplete_beta, a, b, x)


@betainc.shape
def _(a: Sym, b: Sym, x: Sym) -> Shape:
    # Scalars fit any shape; the other inputs must have one shape.
    known: Shape = ()
    for sym in (a, b, x):
        if sym.shape is not None and sym.shape != ():
            known = sym.shape if known == () else shapes.merge(known, sym.shape)
    return None if known == () and any(sym.shape is None for sym in (a, b, x)) else known


@betainc.grad
def _(op: Any, g: Any) -> Any:
    a, b, x = op.inputs
    _, at_x = repeats_at_run_time(a, x)
    log_beta = lgamma(a) + lgamma(b) - lgamma(a + b)
    dx = nodes.Exp((b - 1) * nodes.Log(1 - x) + (a - 1) * nodes.Log(x) - log_beta)
    return None, None, back(dx * g, at_x)


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """I(a, b; x): by its continued fraction (Lentz's method), on the side where that converges quickly."""
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


@pairwise("Zeta")
def zeta(xp: Any, x: Double, q: Double) -> Double:
    """Hurwitz's zeta function: the sum of (k + q)^-x over k = 0, 1, ...."""
    return each_number(_zeta, x, q)


@zeta.grad
def _(op: Any, g: Any) -> Any:
    x, q = op.inputs
    _, at_q = repeats_at_run_time(x, q)
    with waiting_for([g]):
        x, q = functions.conj(x), functions.conj(q)
        return None, back(-x * zeta(x + 1, q) * g, at_q)


@pairwise("Polygamma")
def polygamma(xp: Any, a: Double, x: Double) -> Double:
    """The a-th derivative of digamma(x)."""
    # TF rounds the factorial and zeta before it multiplies them: infinity times 0 is NaN.
    factor, tail = each_number(_factor_of_polygamma, a), each_number(_zeta, a + 1, x)
    return unwrapped(np.where(np.equal(a, 0), each_number(digamma_of, x), factor * tail))


@polygamma.grad
def _(op: Any, g: Any) -> Any:
    a, x = op.inputs
    _, at_x = repeats_at_run_time(a, x)
    with waiting_for([g]):
        a, x = functions.conj(a), functions.conj(x)
        return None, back(polygamma(a + 1, x) * g, at_x)


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
    """zeta(x, q): the first terms, and the Euler-Maclaurin formula for the rest; at a pole infinite for an even x, else NaN."""
    if x == 1:
        return scalar_math.inf
    if not x > 1 or q != q:
        return scalar_math.nan
    if q <= 0:
        if q == np.floor(q):
            return scalar_math.inf if x == scalar_math.inf or x % 2 == 0 else scalar_math.nan
        if x != np.floor(x):
            return scalar_math.nan
    terms = 12
    while q + terms < 12:
        terms += 1
    exponent = np.float64(-x)  # NumPy's powers overflow to infinity
    total = float(sum((q + k) ** exponent for k in range(terms)))
    end = q + terms
    last = end**exponent
    if last == 0 or total == scalar_math.inf:
        return total
    total += last * end / (x - 1) + 0.5 * last
    factor = x * last / end
    for i, number in enumerate(_BERNOULLI):
        total += number * factor / scalar_math.factorial(2 * i + 2)
        factor *= (x + 2 * i + 1) * (x + 2 * i + 2) / (end * end)
    return total


def _factor_of_polygamma(a: float) -> float:
    """(-1)^(a + 1) · a!, NaN where a counts no derivatives."""
    if a != np.floor(a) or a < 0:
        return scalar_math.nan
    sign = 1.0 if (a + 1) % 2 == 0 or a == scalar_math.inf else -1.0
    return sign * (scalar_math.gamma(a + 1) if a < 170 else scalar_math.inf)
