"""`tf.distributions.Multinomial`. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array, constructors
from ..control.functional import map_fn
from ..control.grouping import identity
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..math import math, random, reductions
from ..nn import activations
from .distribution import NOT_REPARAMETERIZED
from .parameter_checks import checked_whole, logits_and_probs
from .vector_events import VectorDistribution, covariances, log_combinations


class Multinomial(VectorDistribution):
    """Multinomial distributions: the counts of k classes in `total_count` [batch...] draws with the
    probabilities `probs` [batch..., k]; `logits` are their unnormalised logarithms.

    Raises: ValueError unless just one of logits and probs is passed, TypeError when it is not floating; in the run, under
    validate_args, InvalidArgumentError for numbers of draws that are not whole, and for counts with another sum.
    """

    @atomic
    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Multinomial",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as scope:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = checked_whole(self._total_count)
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, multidimensional=True)
            self._expected = self._vectors = self._total_count[..., None] * self._probs
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._total_count, self._logits, self._probs], scope,
        )  # fmt: skip

    @property
    def total_count(self) -> Tensor:
        """The number of draws [...]."""
        return self._total_count

    @property
    def logits(self) -> Tensor:
        """The unnormalised log probabilities [..., k]."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probabilities [..., k]."""
        return self._probs

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        count = math.cast(self.total_count, dtypes.int32)
        size = self._event_size()
        count = array.ones_like(self.logits[..., 0], dtype=count.dtype) * count
        logits = array.ones_like(count[..., None], dtype=self.logits.dtype) * self.logits
        rows = array.reshape(logits, [-1, size])
        counts = n * array.reshape(count, [-1])

        def of_row(row: list[Tensor]) -> Tensor:
            logits, count = row
            drawn = array.reshape(random.multinomial(logits[None, ...], count, seed), [n, -1])
            return reductions.reduce_sum(constructors.one_hot(drawn, depth=size), axis=-2)

        # Iterations of the loop run in parallel: in a batch, the schedule says which row gets which numbers.
        drawn = array.transpose(map_fn(of_row, [rows, counts], dtype=self.dtype), perm=[1, 0, 2])
        return array.reshape(drawn, self._drawn_shape(n, size))

    def _log_prob(self, value: Tensor) -> Tensor:
        unnormalized = reductions.reduce_sum(self._checked(value) * activations.log_softmax(self.logits), -1)
        return unnormalized - -log_combinations(self.total_count, self._checked(value))

    def _checked(self, counts: Tensor) -> Tensor:
        return self._checked_counts(self.total_count, counts, "counts must sum to `self.total_count`")

    def _mean(self) -> Tensor:
        return identity(self._expected)

    def _wide_probs(self) -> Tensor:
        return self.probs * array.ones_like(self.total_count)[..., None]


    def _covariance(self) -> Tensor:
        return covariances(self._expected, self._wide_probs(), self._variance)

    def _variance(self) -> Tensor:
        probs = self._wide_probs()
        return self._expected - self._expected * probs
