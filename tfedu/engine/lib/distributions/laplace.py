"""`tf.distributions.Laplace`. No state."""

from __future__ import annotations

import math as scalar_math
from typing import Any

import numpy as np

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array, selection
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..math import math, random
from .scalar_parameters import LocationScale


class Laplace(LocationScale):
    """Laplace distributions around `loc`, whose density falls by e each `scale`, broadcast to [batch...].

    Raises: ValueError for parameters that are not floating or of different dtypes; in the run, under validate_args,
    InvalidArgumentError unless scale is positive.
    """

    @atomic
    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Laplace"
    ) -> None:
        self._make(loc, scale, validate_args, allow_nan_stats, name, dict(locals()))

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        # -1 itself would give an infinite sample
        lowest = np.nextafter(self.dtype.as_numpy_dtype(-1.0), self.dtype.as_numpy_dtype(0.0))
        shape = self._drawn_shape(n)
        drawn = random.random_uniform(shape, minval=lowest, maxval=1.0, dtype=self.dtype, seed=seed)
        return self.loc - self.scale * math.sign(drawn) * math.log1p(-math.abs(drawn))

    def _log_prob(self, value: Tensor) -> Tensor:
        return -math.abs(self._standardized(value)) - (scalar_math.log(2.0) + math.log(self.scale))

    def _log_cdf(self, value: Tensor) -> Tensor:
        return log_cdf_laplace(self._standardized(value))

    def _log_survival_function(self, value: Tensor) -> Tensor:
        return log_cdf_laplace(-self._standardized(value))

    def _cdf(self, value: Tensor) -> Tensor:
        z = self._standardized(value)
        return 0.5 + 0.5 * math.sign(z) * (1.0 - math.exp(-math.abs(z)))

    def _standardized(self, value: Tensor) -> Tensor:
        return (value - self.loc) / self.scale

    def _entropy(self) -> Tensor:
        scale = self.scale + array.zeros_like(self.loc)
        return scalar_math.log(2.0) + 1.0 + math.log(scale)

    def _mean(self) -> Tensor:
        return self.loc + array.zeros_like(self.scale)

    def _stddev(self) -> Tensor:
        return scalar_math.sqrt(2.0) * self.scale + array.zeros_like(self.loc)

    def _mode(self) -> Tensor:
        return self._mean()


@atomic
def log_cdf_laplace(x: Any, name: str = "log_cdf_laplace") -> Tensor:
    """The logarithm of the probability that a standard Laplace number is at most x [...], without underflow."""
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        lower = -scalar_math.log(2.0) + x
        # exp(-|x|), where exp(-x) would overflow in the branch that is not chosen, and spoil its gradient
        upper = math.log1p(-0.5 * math.exp(-math.abs(x)))
        return selection.where_v2(x < 0.0, lower, upper)
