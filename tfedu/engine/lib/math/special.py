"""`tf.erf`, `tf.lgamma`, `tf.math.zeta` and the other special functions, with the signatures of TF 1.15. No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...ops import math as ops
from ...ops import special as special_ops
from ..framework.dispatch import takes_ragged
from ..framework.scope_blocks import named
from .math import abs, entrywise, exp
from .reductions import reduce_sum

erf, erfc = takes_ragged(entrywise(special_ops.erf, "Erf")), takes_ragged(special_ops.erfc)
lgamma, digamma = map(takes_ragged, (special_ops.lgamma, special_ops.digamma))
polygamma = special_ops.polygamma
igamma, igammac, betainc, zeta = special_ops.igamma, special_ops.igammac, special_ops.betainc, special_ops.zeta
bessel_i0e, bessel_i1e = special_ops.bessel_i0e, special_ops.bessel_i1e


@atomic
def bessel_i0(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 0 of x [...]."""
    with named(name, "bessel_i0", [x]):
        return ops.mul(exp(abs(x)), bessel_i0e(x), name="mul")


@atomic
def bessel_i1(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 1 of x [...]."""
    with named(name, "bessel_i1", [x]):
        return ops.mul(exp(abs(x)), bessel_i1e(x), name="mul")


@atomic
def lbeta(x: Any, name: str | None = None) -> Tensor:
    """log |Beta(x)| along the last axis: [..., n] -> [...]."""
    with named(name, "lbeta", [x]):
        x = convert_to_tensor(x, name="x")
        return ops.sub(reduce_sum(lgamma(x), [-1]), lgamma(reduce_sum(x, [-1])), name="sub")
