"""`tf.distributions.Normal`. No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array
from ..framework.scope_blocks import name_scope, named
from ..math import math, random
from .divergence import RegisterKL
from .normal_integrals import HALF_LOG_2_PI, log_ndtr, ndtr, ndtri
from .scalar_parameters import LocationScale


class Normal(LocationScale):
    """Normal distributions with mean `loc` and standard deviation `scale`, broadcast to [batch...].

    Raises: ValueError for parameters that are not floating or of different dtypes; in the run, under validate_args,
    InvalidArgumentError unless scale is positive.
    """

    @atomic
    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Normal"
    ) -> None:
        self._make(loc, scale, validate_args, allow_nan_stats, name, dict(locals()))

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = self._drawn_shape(n)
        drawn = random.random_normal(shape, mean=0.0, stddev=1.0, dtype=self.loc.dtype, seed=seed)
        return drawn * self.scale + self.loc

    def _log_prob(self, value: Tensor) -> Tensor:
        exponent = -0.5 * math.square(self._standardized(value))
        return exponent - (HALF_LOG_2_PI + math.log(self.scale))

    def _log_cdf(self, value: Tensor) -> Tensor:
        return log_ndtr(self._standardized(value))

    def _cdf(self, value: Tensor) -> Tensor:
        return ndtr(self._standardized(value))

    def _log_survival_function(self, value: Tensor) -> Tensor:
        return log_ndtr(-self._standardized(value))

    def _survival_function(self, value: Tensor) -> Tensor:
        return ndtr(-self._standardized(value))

    def _entropy(self) -> Tensor:
        scale = self.scale * array.ones_like(self.loc)
        return HALF_LOG_2_PI + 0.5 + math.log(scale)

    def _mean(self) -> Tensor:
        return self.loc * array.ones_like(self.scale)

    def _mode(self) -> Tensor:
        return self._mean()

    def _stddev(self) -> Tensor:
        return self.scale * array.ones_like(self.loc)

    def _quantile(self, value: Tensor) -> Tensor:
        standard = ndtri(value)
        with name_scope("reconstruct", values=[standard]):
            return standard * self.scale + self.loc


@RegisterKL(Normal, Normal)
def _divergence(a: Normal, b: Normal, name: str | None = None) -> Tensor:
    with named(name, "kl_normal_normal", [a.loc, b.loc]):
        one, two, half = (constant(value, dtype=a.dtype) for value in (1.0, 2.0, 0.5))
        variance, other = math.square(a.scale), math.square(b.scale)
        ratio = variance / other
        distance = math.squared_difference(a.loc, b.loc) / (two * other)
        return distance + half * (ratio - one - math.log(ratio))
