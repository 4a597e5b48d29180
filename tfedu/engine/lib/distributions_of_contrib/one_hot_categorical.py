"""`tf.contrib.distributions.OneHotCategorical`. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.shapes import is_full
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array, constructors
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..distributions.distribution import NOT_REPARAMETERIZED
from ..distributions.divergence import RegisterKL
from ..distributions.parameter_checks import logits_and_probs
from ..distributions.vector_events import VectorDistribution, covariances
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope, named
from ..math import math, random, reductions
from ..nn import activations
from ..nn.cross_entropy import softmax_cross_entropy_with_logits


class OneHotCategorical(VectorDistribution):
    """Vectors [k] of zeros with a 1 at one of k classes, which has the probability `probs` [batch..., k]; `logits` are
    their unnormalised logarithms.

    Raises: ValueError unless just one of logits and probs is passed, and for one without axes; TypeError when it is not
    floating; in the run, under validate_args, InvalidArgumentError for probabilities and values that do not sum to 1.
    Differs from TF: 1.15's check of values refuses every 1.
    """

    @atomic
    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "OneHotCategorical",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as scope:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, multidimensional=True)
            self._vectors = self._logits
            rank = self._logits.shape.with_rank_at_least(1).rank
            if rank is not None:
                self._batch_rank = convert_to_tensor(rank - 1, dtype=dtypes.int32, name="batch_rank")
            else:
                with name_scope("batch_rank"):
                    self._batch_rank = array.rank(self._logits) - 1
            with name_scope("event_size"):
                self._classes = array.shape(self._logits)[-1]
        super().__init__(
            dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self._logits, self._probs], scope
        )

    @property
    def event_size(self) -> Tensor:
        """The number of classes, an int32 scalar."""
        return self._classes

    @property
    def logits(self) -> Tensor:
        """The unnormalised log probabilities [batch..., k]."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probabilities [batch..., k]."""
        return self._probs

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape, logits = array.concat([[n], array.shape(self.logits)], 0), self.logits
        if logits.raw_shape is None or len(logits.raw_shape) != 2:
            logits = array.reshape(logits, [-1, self.event_size])
        drawn = array.transpose(random.multinomial(logits, n, seed=seed))
        return array.reshape(constructors.one_hot(drawn, self.event_size, dtype=self.dtype), shape)

    def _log_prob(self, value: Tensor) -> Tensor:
        value, logits = self._checked(value), self.logits
        if not (is_full(value.raw_shape) and value.raw_shape == logits.raw_shape):
            logits = array.ones_like(value, dtype=logits.dtype) * logits
            value = array.ones_like(logits, dtype=value.dtype) * value
        shape = array.shape(reductions.reduce_sum(logits, -1))
        rows = array.reshape(logits, [-1, self.event_size])
        labels = array.reshape(value, [-1, self.event_size])
        return array.reshape(-softmax_cross_entropy_with_logits(labels=labels, logits=rows), shape)

    def _checked(self, value: Tensor) -> Tensor:
        if not self.validate_args:
            return value
        one = array.ones([], dtype=self.logits.dtype)
        total = reductions.reduce_sum(math.cast(value, one.dtype), [-1])
        return with_dependencies([asserts.assert_non_negative(value), asserts.assert_near(one, total)], value)

    def _entropy(self) -> Tensor:
        return -reductions.reduce_sum(activations.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Tensor:
        mode = constructors.one_hot(
            reductions.argmax(self.logits, axis=self._batch_rank), self.event_size, dtype=self.dtype
        )
        mode.set_shape(self.logits.shape)
        return mode

    def _covariance(self) -> Tensor:
        return covariances(self.probs, self.probs, self._variance)

    def _variance(self) -> Tensor:
        return self.probs * (1.0 - self.probs)


@RegisterKL(OneHotCategorical, OneHotCategorical)
def _divergence(a: OneHotCategorical, b: OneHotCategorical, name: str | None = None) -> Tensor:
    with named(name, "kl_categorical_categorical", [a.logits, b.logits]):
        probs = activations.softmax(a.logits)
        difference = activations.log_softmax(a.logits) - activations.log_softmax(b.logits)
        return reductions.reduce_sum(probs * difference, axis=-1)
