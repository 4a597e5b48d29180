"""The distribution function of the standard normal distribution, its logarithm and its inverse.

Source: Cephes, ndtr.c and ndtri.c, for the rational approximations of the inverse. No state.
"""

from __future__ import annotations

import math as scalar_math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array, selection
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..math import math, special

HALF_LOG_2_PI = 0.5 * scalar_math.log(2.0 * scalar_math.pi)
# (below which the tail's series holds, above which the distribution function is close to 1)
_LIMITS = {dtypes.float32: (-10.0, 5.0), dtypes.float64: (-20.0, 8.0)}
# Horner coefficients, the constant first. Around the middle, in the square of p - 1/2:
_MIDDLE = (
    (-59.96335010141079, 98.00107541859997, -56.67628574690703, 13.931260938727968, -1.2391658386738125),
    (
        1.0, 1.9544885833814176, 4.676279128988815, 86.36024213908905, -225.46268785411937, 200.26021238006066,
        -82.03722561683334, 15.90562251262117, -1.1833162112133,
    ),
)  # fmt: skip
# in the tail, in 1 / sqrt(-2 log p) where the root is 8 or more
_FAR = (
    (
        3.2377489177694603, 6.915228890689842, 3.9388102529247444, 1.3330346081580755, 0.20148538954917908,
        0.012371663481782003, 0.00030158155350823543, 2.6580697468673755e-06, 6.239745391849833e-09,
    ),
    (
        1.0, 6.02427039364742, 3.6798356385616087, 1.3770209948908132, 0.21623699359449663, 0.013420400608854318,
        0.00032801446468212774, 2.8924786474538068e-06, 6.790194080099813e-09,
    ),
)  # fmt: skip
# and where it is below 8
_NEAR = (
    (
        4.0554489230596245, 31.525109459989388, 57.16281922464213, 44.08050738932008, 14.684956192885803,
        2.1866330685079025, -0.1402560791713545, -0.03504246268278482, -0.0008574567851546854,
    ),
    (
        1.0, 15.779988325646675, 45.39076351288792, 41.3172038254672, 15.04253856929075, 2.504649462083094,
        -0.14218292285478779, -0.03808064076915783, -0.0009332594808954574,
    ),
)  # fmt: skip


def _argument(value: Any, name: str, refusal: str) -> Tensor:
    tensor = convert_to_tensor(value, name=name)
    if tensor.dtype.base_dtype not in _LIMITS:
        raise TypeError(error_text(f"{name}.dtype={tensor.dtype} {refusal}.", [tensor]))
    return tensor


@atomic
def ndtr(x: Any, name: str = "ndtr") -> Tensor:
    """The probability that a standard normal number is at most x [...].

    Raises: TypeError for dtypes other than float32 and float64.
    """
    with name_scope(name, values=[x]):
        return _ndtr(_argument(x, "x", "is not handled, see docstring for supported types"))


def _ndtr(x: Tensor) -> Tensor:
    root = constant(0.5 * scalar_math.sqrt(2.0), dtype=x.dtype, name="half_sqrt_2")
    w = x * root
    z = math.abs(w)
    middle = math.less(z, root)
    by_erf = 1.0 + special.erf(w)
    upper = math.greater(w, 0.0)
    # erfc keeps the digits of a small tail, which 1 - erf would lose
    tails = selection.where_v2(upper, 2.0 - special.erfc(z), special.erfc(z))
    half: Tensor = 0.5 * selection.where_v2(middle, by_erf, tails)
    return half


@atomic
def log_ndtr(x: Any, name: str = "log_ndtr") -> Tensor:
    """The logarithm of `ndtr` at x [...], without underflow.

    Raises: TypeError for dtypes other than float32 and float64.
    """
    with name_scope(name, values=[x]):
        x = _argument(x, "x", "is not supported")
        lower, upper = _LIMITS[x.dtype.base_dtype]
        # Each branch gets an x at which it is finite, so that the unchosen one spoils no gradient.
        above = math.greater(x, upper)
        near_one = -_ndtr(-x)
        between = math.greater(x, lower)
        logarithm = math.log(_ndtr(math.maximum(x, lower)))
        tail = _log_of_tail(math.minimum(x, lower))
        return selection.where_v2(above, near_one, selection.where_v2(between, logarithm, tail))


def _log_of_tail(x: Tensor) -> Tensor:
    """log ndtr far below 0 by its asymptotic series: -x²/2 - log(-x) - log sqrt(2π) + log(1 - 1/x² + 3/x⁴ - 15/x⁶)."""
    scale = -0.5 * math.square(x) - math.log(-x) - HALF_LOG_2_PI
    square = math.square(x)
    even, odd, power = array.zeros_like(x), array.zeros_like(x), square
    for order, factorial in ((1, 1.0), (2, 3.0), (3, 15.0)):
        term = factorial / power
        if order % 2:
            odd = odd + term
        else:
            even = even + term
        power = power * square
    log_of_tail: Tensor = scale + math.log(1.0 + even - odd)
    return log_of_tail


def _polynomial(x: Tensor, coefficients: Iterable[float]) -> Tensor:
    value = array.zeros_like(x)
    for coefficient in coefficients:
        value = coefficient + value * x
    return value


@atomic
def ndtri(p: Any, name: str = "ndtri") -> Tensor:
    """The number that a standard normal number exceeds with probability 1 - p [...]: ±inf at 0 and 1.

    Raises: TypeError for dtypes other than float32 and float64.
    """
    with name_scope(name, values=[p]):
        p = _argument(p, "p", "is not handled, see docstring for supported types")
        small = scalar_math.exp(-2.0)
        lower = selection.where_v2(math.greater(p, 1.0 - small), 1.0 - p, p)
        # 0 would make infinities, whose gradients are not numbers
        inside = selection.where_v2(
            math.less_equal(lower, 0.0), array.fill(array.shape(p), np.array(0.5, p.dtype.as_numpy_dtype)), lower
        )
        w = inside - 0.5
        ww = w**2.0
        cube = w * ww
        fraction = _polynomial(ww, _MIDDLE[0]) / _polynomial(ww, _MIDDLE[1])
        middle = (w + cube * fraction) * -scalar_math.sqrt(2.0 * scalar_math.pi)
        z = math.sqrt(-2.0 * math.log(inside))
        first = z - math.log(z) / z
        far = _polynomial(1.0 / z, _FAR[0]) / _polynomial(1.0 / z, _FAR[1]) / z
        near = _polynomial(1.0 / z, _NEAR[0]) / _polynomial(1.0 / z, _NEAR[1]) / z
        far, near = first - far, first - near
        is_middle = math.greater(inside, small)
        tail = selection.where_v2(math.greater_equal(z, 8.0), far, near)
        x = selection.where_v2(is_middle, middle, tail)
        x = selection.where_v2(math.greater(p, 1.0 - small), x, -x)
        infinity = constant(np.inf, dtype=p.dtype)
        infinite = array.fill(array.shape(p), infinity)
        return selection.where_v2(
            math.less_equal(p, 0.0), -infinite, selection.where_v2(math.greater_equal(p, 1.0), infinite, x)
        )
