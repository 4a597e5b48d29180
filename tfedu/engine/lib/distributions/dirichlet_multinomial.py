"""`tf.distributions.DirichletMultinomial`. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array, constructors
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..math import math, random, reductions, special
from .beta import checked_concentration
from .derived_seed import derived_seed
from .distribution import NOT_REPARAMETERIZED
from .parameter_checks import checked_categories, checked_whole
from .vector_events import VectorDistribution, covariances, log_combinations


class DirichletMultinomial(VectorDistribution):
    """Multinomial distributions: the counts of k classes in `total_count` draws, whose probabilities a Dirichlet
    distribution of `concentration` [batch..., k] gives.

    Raises: ValueError for a concentration of fewer than 2 classes, under validate_args; then in the run
    InvalidArgumentError for numbers of draws that are not whole, and for counts with another sum.
    """

    @atomic
    def __init__(
        self,
        total_count: Any,
        concentration: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "DirichletMultinomial",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[total_count, concentration]) as scope:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = checked_whole(self._total_count)
            concentration = convert_to_tensor(concentration, name="concentration")
            if validate_args:
                concentration = checked_categories(concentration)
            self._concentration = self._vectors = checked_concentration(concentration, validate_args)
            self._total_concentration = reductions.reduce_sum(self._concentration, -1)
        super().__init__(
            self._concentration.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._total_count, self._concentration], scope,
        )  # fmt: skip

    @property
    def total_count(self) -> Tensor:
        """The number of draws [...]."""
        return self._total_count

    @property
    def concentration(self) -> Tensor:
        """The weight of each class [batch..., k]."""
        return self._concentration

    @property
    def total_concentration(self) -> Tensor:
        """The sum of the weights [batch...]."""
        return self._total_concentration

    def _batch_shape_tensor(self) -> Tensor:
        return array.shape(self.total_concentration)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        count = math.cast(self.total_count, dtypes.int32)
        size = self._event_size()
        weights = random.random_gamma(shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed)
        logits = array.reshape(math.log(weights), [-1, size])
        drawn = random.multinomial(logits, count, seed=derived_seed(seed, "dirichlet_multinomial"))
        counts = reductions.reduce_sum(constructors.one_hot(drawn, depth=size), -2)
        return math.cast(array.reshape(counts, self._drawn_shape(n, size)), self.dtype)

    def _log_prob(self, value: Tensor) -> Tensor:
        counts = self._checked_counts(
            self.total_count, value, "counts last-dimension must sum to `self.total_count`"
        )
        of_one_order = special.lbeta(self.concentration + counts) - special.lbeta(self.concentration)
        return of_one_order + log_combinations(self.total_count, counts)

    def _mean(self) -> Tensor:
        return self.total_count * (self.concentration / self.total_concentration[..., None])

    def _scale(self) -> Tensor:
        total = self.total_concentration[..., None]
        return math.sqrt((1.0 + total / self.total_count) / (1.0 + total))

    def _covariance(self) -> Tensor:
        x = self._scale() * self._mean()
        return covariances(x, x, self._variance)

    def _variance(self) -> Tensor:
        scale = self._scale()
        x = scale * self._mean()
        return x * (self.total_count * scale - x)
