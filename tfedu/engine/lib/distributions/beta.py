"""`tf.distributions.Beta`. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array, selection
from ..checks import asserts
from ..checks.type_asserts import assert_same_float_dtype
from ..control.grouping import with_dependencies
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope, named
from ..math import math, random, special
from .derived_seed import derived_seed
from .distribution import FULLY_REPARAMETERIZED
from .divergence import RegisterKL
from .scalar_events import ScalarDistribution


class Beta(ScalarDistribution):
    """Beta distributions of numbers between 0 and 1, broadcast to [batch...].

    concentration1, concentration0: the weights of 1 and of 0; concentration - 1 is the power of x, or of 1 - x, in the
    density.
    Raises: ValueError for parameters that are not floating or of different dtypes; in the run, under validate_args,
    InvalidArgumentError unless the concentrations are positive and the values between 0 and 1.
    """

    @atomic
    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Beta",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[concentration1, concentration0]) as scope:
            self._concentration1, self._concentration0 = (
                checked_concentration(convert_to_tensor(value, name=label), validate_args)
                for label, value in (("concentration1", concentration1), ("concentration0", concentration0))
            )
            assert_same_float_dtype([self._concentration1, self._concentration0])
            self._total_concentration = self._concentration1 + self._concentration0
        self._batch_of = (self._total_concentration,)
        super().__init__(
            self._total_concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._concentration1, self._concentration0, self._total_concentration], scope,
        )  # fmt: skip

    @staticmethod
    def _param_shapes(sample_shape: Tensor) -> dict[str, Tensor]:
        return {"concentration1": sample_shape, "concentration0": sample_shape}

    @property
    def concentration1(self) -> Tensor:
        """The weight of 1 [...]."""
        return self._concentration1

    @property
    def concentration0(self) -> Tensor:
        """The weight of 0 [...]."""
        return self._concentration0

    @property
    def total_concentration(self) -> Tensor:
        """The sum of both weights [batch...]."""
        return self._total_concentration

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        wide1 = array.ones_like(self.total_concentration, dtype=self.dtype) * self.concentration1
        wide0 = array.ones_like(self.total_concentration, dtype=self.dtype) * self.concentration0
        ones = random.random_gamma(shape=[n], alpha=wide1, dtype=self.dtype, seed=seed)
        zeros = random.random_gamma(shape=[n], alpha=wide0, dtype=self.dtype, seed=derived_seed(seed, "beta"))
        return ones / (ones + zeros)

    def _log_prob(self, value: Tensor) -> Tensor:
        value = self._checked(value)
        powers = math.xlogy(self.concentration1 - 1.0, value) + (self.concentration0 - 1.0) * math.log1p(-value)
        return powers - self._log_normalization()

    def _log_normalization(self) -> Tensor:
        return (
            special.lgamma(self.concentration1) + special.lgamma(self.concentration0) - special.lgamma(self.total_concentration)
        )

    def _cdf(self, value: Tensor) -> Tensor:
        return special.betainc(self.concentration1, self.concentration0, value)

    def _checked(self, value: Tensor) -> Tensor:
        if not self.validate_args:
            return value
        checks = [
            asserts.assert_positive(value, message="sample must be positive"),
            asserts.assert_less(value, array.ones([], self.dtype), message="sample must be less than `1`."),
        ]
        return with_dependencies(checks, value)

    def _entropy(self) -> Tensor:
        return (
            self._log_normalization()
            - (self.concentration1 - 1.0) * special.digamma(self.concentration1)
            - (self.concentration0 - 1.0) * special.digamma(self.concentration0)
            + (self.total_concentration - 2.0) * special.digamma(self.total_concentration)
        )

    def _mean(self) -> Tensor:
        return self._concentration1 / self._total_concentration

    def _variance(self) -> Tensor:
        return self._mean() * (1.0 - self._mean()) / (1.0 + self.total_concentration)

    def _mode(self) -> Tensor:
        mode = (self.concentration1 - 1.0) / (self.total_concentration - 2.0)
        if self.allow_nan_stats:
            undefined = self._filled(np.nan, "nan")
            defined = math.logical_and(self.concentration1 > 1.0, self.concentration0 > 1.0)
            return selection.where_v2(defined, mode, undefined)
        checks = [
            asserts.assert_less(array.ones([], self.dtype), weight, message=f"Mode undefined for {label} <= 1.")
            for label, weight in (("concentration1", self.concentration1), ("concentration0", self.concentration0))
        ]
        return with_dependencies(checks, mode)


def checked_concentration(concentration: Tensor, validate_args: bool) -> Tensor:
    """A concentration [...], which the run checks to be positive under validate_args."""
    if not validate_args:
        return concentration
    check = asserts.assert_positive(concentration, message="Concentration parameter must be positive.")
    return with_dependencies([check], concentration)


@RegisterKL(Beta, Beta)
def _divergence(a: Beta, b: Beta, name: str | None = None) -> Tensor:
    with named(name, "kl_beta_beta", [a.concentration1, a.concentration0, a.total_concentration, b.concentration1]):
        return (
            b._log_normalization()
            - a._log_normalization()
            - special.digamma(a.concentration1) * (b.concentration1 - a.concentration1)
            - special.digamma(a.concentration0) * (b.concentration0 - a.concentration0)
            + special.digamma(a.total_concentration) * (b.total_concentration - a.total_concentration)
        )
