"""Ops that only the gradients of incomplete gamma functions and gamma distributions use. No state."""

from __future__ import annotations

import math as scalar_math
from typing import Any

import numpy as np

from ..op.define import broadcast_shape, op
from .special import Double, digamma_of, each_number, lgamma_of


def _relative_slope(a: float, x: float) -> float:
    """dP(a, x)/da over xᵃ·e⁻ˣ/Γ(a): for x < a + 1 P's series, else its continued fraction, differentiated term by term."""
    growth = scalar_math.log(x) - digamma_of(a)
    if x < a + 1:
        term = total = 1 / a
        d_term = d_total = -1 / (a * a)
        n = a
        while abs(term) > abs(total) * 1e-17 or abs(d_term) > abs(d_total) * 1e-17:
            n += 1
            term *= x / n
            d_term = d_term * x / n - term / n
            total += term
            d_total += d_term
        return total * growth + d_total
    b, c, dc = x + 1 - a or 1e-300, 1e300, 0.0
    d = 1 / b
    dd = d * d
    h, dh = d, dd
    for i in range(1, 10_000):
        factor = -i * (i - a)
        b += 2
        bottom = factor * d + b or 1e-300
        dd = -(i * d + factor * dd - 1) / (bottom * bottom)
        d = 1 / bottom
        dc = -1 + i / c - factor * dc / c / c
        c = b + factor / c or 1e-300
        step = d * c
        dh = dh * step + h * (dd * c + d * dc)
        h *= step
        if abs(step - 1) < 1e-16 and abs(dd * c + d * dc) < 1e-16:
            break
    return -(h * growth + dh)


def _of_p(a: float, x: float) -> float:
    if x == 0:
        return 0.0
    if not (x >= 0 and a > 0):
        return scalar_math.nan
    if scalar_math.inf in (a, x):
        return 0.0
    density = float(np.exp(a * scalar_math.log(x) - x - lgamma_of(a)))
    return _relative_slope(a, x) * density if density else 0.0


def _of_sample(alpha: float, sample: float) -> float:
    # A sample moves with alpha so that P(alpha, sample) stays the same: by -dP/dalpha over the density dP/dx.
    if not (sample >= 0 and alpha > 0):
        return scalar_math.nan
    return -sample * _relative_slope(alpha, sample) if sample else 0.0


@op("IgammaGradA", out="z", shape=broadcast_shape, fresh=True)
def igamma_grad_a(xp: Any, a: Double, x: Double) -> Double:
    """The derivative of Igamma(a, x) with respect to a."""
    return each_number(_of_p, a, x)


@op("RandomGammaGrad", shape=broadcast_shape, fresh=True)
def random_gamma_grad(xp: Any, alpha: Double, sample: Double) -> Double:
    """The derivative of a sample of a gamma distribution with respect to its alpha. Source: Figurnov et al., 2018."""
    return each_number(_of_sample, alpha, sample)
