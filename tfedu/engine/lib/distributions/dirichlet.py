"""`tf.distributions.Dirichlet`. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array, selection
from ..checks import asserts, shape_asserts
from ..control.grouping import with_dependencies
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope, named
from ..math import math, random, reductions, special
from .distribution import FULLY_REPARAMETERIZED
from .divergence import RegisterKL
from .vector_events import VectorDistribution, covariances


class Dirichlet(VectorDistribution):
    """Dirichlet distributions of vectors [k] of positive numbers that sum to 1; concentration [batch..., k].

    Raises: ValueError for a concentration without axes; in the run, under validate_args, InvalidArgumentError unless the
    concentrations are positive and the values positive with the sum 1.
    """

    @atomic
    def __init__(
        self, concentration: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Dirichlet"
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[concentration]) as scope:
            concentration = convert_to_tensor(concentration, name="concentration")
            self._concentration = self._vectors = _checked_weights(concentration) if validate_args else concentration
            self._total_concentration = reductions.reduce_sum(self._concentration, -1)
        super().__init__(
            self._concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._concentration, self._total_concentration], scope,
        )  # fmt: skip

    @property
    def concentration(self) -> Tensor:
        """The weight of each element [batch..., k]."""
        return self._concentration

    @property
    def total_concentration(self) -> Tensor:
        """The sum of the weights [batch...]."""
        return self._total_concentration

    def _batch_shape_tensor(self) -> Tensor:
        return array.shape(self.total_concentration)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        drawn = random.random_gamma(shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed)
        return drawn / reductions.reduce_sum(drawn, -1, keepdims=True)

    def _log_prob(self, value: Tensor) -> Tensor:
        value = self._checked(value)
        powers = reductions.reduce_sum(math.xlogy(self.concentration - 1.0, value), -1)
        return powers - special.lbeta(self.concentration)

    def _checked(self, value: Tensor) -> Tensor:
        if not self.validate_args:
            return value
        one = "sample last-dimension must sum to `1`"
        checks = [
            asserts.assert_positive(value, message="samples must be positive"),
            asserts.assert_near(array.ones([], dtype=self.dtype), reductions.reduce_sum(value, -1), message=one),
        ]
        return with_dependencies(checks, value)

    def _entropy(self) -> Tensor:
        size = math.cast(self._event_size(), self.dtype)
        return (
            special.lbeta(self.concentration)
            + (self.total_concentration - size) * special.digamma(self.total_concentration)
            - reductions.reduce_sum((self.concentration - 1.0) * special.digamma(self.concentration), -1)
        )

    def _mean(self) -> Tensor:
        return self.concentration / self.total_concentration[..., None]

    def _scale(self) -> Tensor:
        return math.rsqrt(1.0 + self.total_concentration[..., None])

    def _covariance(self) -> Tensor:
        x = self._scale() * self._mean()
        return covariances(x, x, self._variance)

    def _variance(self) -> Tensor:
        scale = self._scale()
        x = scale * self._mean()
        return x * (scale - x)

    def _mode(self) -> Tensor:
        size = math.cast(self._event_size(), self.dtype)
        mode = (self.concentration - 1.0) / (self.total_concentration[..., None] - size)
        if self.allow_nan_stats:
            nan = array.fill(array.shape(mode), np.array(np.nan, self.dtype.as_numpy_dtype), name="nan")
            return selection.where_v2(reductions.reduce_all(self.concentration > 1.0, axis=-1), mode, nan)
        text = "Mode undefined when any concentration <= 1"
        return with_dependencies([asserts.assert_less(array.ones([], self.dtype), self.concentration, message=text)], mode)


def _checked_weights(concentration: Tensor) -> Tensor:
    checks = [
        asserts.assert_positive(concentration, message="Concentration parameter must be positive."),
        shape_asserts.assert_rank_at_least(
            concentration, 1, message="Concentration parameter must have >=1 dimensions."
        ),
        asserts.assert_less(
            1, array.shape(concentration)[-1], message="Concentration parameter must have event_size >= 2."
        ),
    ]
    return with_dependencies(checks, concentration)


@RegisterKL(Dirichlet, Dirichlet)
def _divergence(a: Dirichlet, b: Dirichlet, name: str | None = None) -> Tensor:
    with named(name, "kl_dirichlet_dirichlet", [a.concentration, b.concentration]):
        of_total = special.digamma(reductions.reduce_sum(a.concentration, axis=-1, keepdims=True))
        expected_log = special.digamma(a.concentration) - of_total
        return (
            reductions.reduce_sum((a.concentration - b.concentration) * expected_log, axis=-1)
            - special.lbeta(a.concentration)
            + special.lbeta(b.concentration)
        )
