"""`tf.contrib.distributions.InverseGamma`, and the same with parameters that softplus makes positive. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array, selection
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..distributions.distribution import NOT_REPARAMETERIZED
from ..distributions.scalar_parameters import ConcentrationRate
from ..framework.scope_blocks import name_scope
from ..math import math, random, special
from ..nn.activations import softplus


class InverseGamma(ConcentrationRate):
    """Reciprocals of numbers of a gamma distribution with `concentration` and `rate`, broadcast to [batch...].

    Raises: ValueError for parameters that are not floating or of different dtypes; in the run, under validate_args,
    InvalidArgumentError unless parameters and values are positive.
    """

    @atomic
    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "InverseGamma",
    ) -> None:
        self._make(concentration, rate, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, name, dict(locals()))

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        gamma = random.random_gamma(shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype, seed=seed)
        return 1.0 / gamma

    def _log_prob(self, value: Tensor) -> Tensor:
        value = self._checked(value)
        unnormalized = -(1.0 + self.concentration) * math.log(value) - self.rate / value
        return unnormalized - (special.lgamma(self.concentration) - self.concentration * math.log(self.rate))

    def _cdf(self, value: Tensor) -> Tensor:
        value = self._checked(value)
        return special.igammac(self.concentration, self.rate / value)

    def _checked(self, value: Tensor) -> Tensor:
        return with_dependencies([asserts.assert_positive(value)], value) if self.validate_args else value

    def _entropy(self) -> Tensor:
        shape = self.concentration
        return shape + math.log(self.rate) + special.lgamma(shape) - (1.0 + shape) * special.digamma(shape)

    def _mean(self) -> Tensor:
        mean = self.rate / (self.concentration - 1.0)
        if self.allow_nan_stats:
            return self._where_concentration_exceeds(1.0, mean)
        one = array.ones([], self.dtype)
        return self._checked_statistic(one, mean, "mean undefined when any concentration <= 1")

    def _variance(self) -> Tensor:
        variance = math.square(self.rate) / math.squared_difference(self.concentration, 1.0) / (self.concentration - 2.0)
        if self.allow_nan_stats:
            return self._where_concentration_exceeds(2.0, variance)
        two = constant(2.0, self.dtype)
        return self._checked_statistic(two, variance, "variance undefined when any concentration <= 2")

    def _where_concentration_exceeds(self, bound: float, statistic: Tensor) -> Tensor:
        undefined = self._filled(np.nan, "nan")
        return selection.where_v2(self.concentration > bound, statistic, undefined)

    def _checked_statistic(self, bound: Tensor, statistic: Tensor, message: str) -> Tensor:
        return with_dependencies([asserts.assert_less(bound, self.concentration, message=message)], statistic)

    def _mode(self) -> Tensor:
        return self.rate / (1.0 + self.concentration)


class InverseGammaWithSoftplusConcentrationRate(InverseGamma):
    """`InverseGamma` with concentration softplus(concentration) and rate softplus(rate), broadcast to [batch...]."""

    @atomic
    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "InverseGammaWithSoftplusConcentrationRate",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as scope:
            weight = softplus(concentration, name="softplus_concentration")
            positive = softplus(rate, name="softplus_rate")
            super().__init__(weight, positive, validate_args, allow_nan_stats, scope)
        self._parameters = parameters
