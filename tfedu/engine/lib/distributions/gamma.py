"""`tf.distributions.Gamma` and `tf.distributions.Exponential`. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array, selection
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope, named
from ..math import math, random, special
from .distribution import FULLY_REPARAMETERIZED
from .divergence import RegisterKL
from .scalar_parameters import ConcentrationRate


class Gamma(ConcentrationRate):
    """Gamma distributions with shape parameter `concentration` and `rate`, broadcast to [batch...].

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
        name: str = "Gamma",
    ) -> None:
        self._make(
            concentration, rate, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, name, dict(locals())
        )

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        return random.random_gamma(shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype, seed=seed)

    def _log_prob(self, value: Tensor) -> Tensor:
        value = self._checked(value)
        unnormalized = math.xlogy(self.concentration - 1.0, value) - self.rate * value
        return unnormalized - (special.lgamma(self.concentration) - self.concentration * math.log(self.rate))

    def _cdf(self, value: Tensor) -> Tensor:
        value = self._checked(value)
        return special.igamma(self.concentration, self.rate * value)

    def _checked(self, value: Tensor) -> Tensor:
        return with_dependencies([asserts.assert_positive(value)], value) if self.validate_args else value

    def _entropy(self) -> Tensor:
        shape = self.concentration
        return shape - math.log(self.rate) + special.lgamma(shape) + (1.0 - shape) * special.digamma(shape)

    def _mean(self) -> Tensor:
        return self.concentration / self.rate

    def _variance(self) -> Tensor:
        return self.concentration / math.square(self.rate)

    def _stddev(self) -> Tensor:
        return math.sqrt(self.concentration) / self.rate

    def _mode(self) -> Tensor:
        mode = (self.concentration - 1.0) / self.rate
        if self.allow_nan_stats:
            undefined = self._filled(np.nan, "nan")
            return selection.where_v2(self.concentration > 1.0, mode, undefined)
        text = "mode not defined when any concentration <= 1"
        check = asserts.assert_less(array.ones([], self.dtype), self.concentration, message=text)
        return with_dependencies([check], mode)


class Exponential(Gamma):
    """Exponential distributions with `rate` [batch...]: waiting times between events that come at that rate.

    Raises: ValueError for a rate that is not floating; in the run, under validate_args, InvalidArgumentError unless rate
    and values are positive.
    """

    @atomic
    def __init__(
        self, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Exponential"
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as scope:
            self._rate = convert_to_tensor(rate, name="rate")
        super().__init__(array.ones([], dtype=self._rate.dtype), self._rate, validate_args, allow_nan_stats, scope)
        self._parameters = parameters
        self._graph_parents.append(self._rate)

    @staticmethod
    def _param_shapes(sample_shape: Tensor) -> dict[str, Tensor]:
        return {"rate": sample_shape}

    def _log_survival_function(self, value: Tensor) -> Tensor:
        return self._log_prob(value) - math.log(self.rate)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = array.concat([[n], array.shape(self.rate)], 0)
        # the logarithm of 0 would be infinite
        smallest = np.finfo(self.dtype.as_numpy_dtype).tiny
        drawn = random.random_uniform(shape, minval=smallest, maxval=1.0, seed=seed, dtype=self.dtype)
        return -math.log(drawn) / self.rate


@RegisterKL(Gamma, Gamma)
def _divergence(a: Gamma, b: Gamma, name: str | None = None) -> Tensor:
    with named(name, "kl_gamma_gamma", [a.concentration, a.rate, b.concentration, b.rate]):
        return (
            (a.concentration - b.concentration) * special.digamma(a.concentration)
            + special.lgamma(b.concentration)
            - special.lgamma(a.concentration)
            + b.concentration * math.log(a.rate)
            - b.concentration * math.log(b.rate)
            + a.concentration * (b.rate / a.rate - 1.0)
        )
