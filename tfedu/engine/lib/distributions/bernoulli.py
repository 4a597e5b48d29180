"""`tf.distributions.Bernoulli`. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.shapes import is_full
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array
from ..control.grouping import identity
from ..framework.scope_blocks import name_scope, named
from ..math import math, random
from ..nn import activations
from ..nn.cross_entropy import sigmoid_cross_entropy_with_logits
from .distribution import NOT_REPARAMETERIZED
from .divergence import RegisterKL
from .parameter_checks import checked_castable, logits_and_probs
from .scalar_events import ScalarDistribution


class Bernoulli(ScalarDistribution):
    """1 with probability `probs` [batch...], else 0; `logits` are log(probs / (1 - probs)).

    Raises: ValueError unless just one of logits and probs is passed, TypeError when it is not floating; in the run, under
    validate_args, InvalidArgumentError for probabilities outside [0, 1] and for values other than 0 and 1.
    """

    @atomic
    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Bernoulli",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args)
        self._batch_of = (self._logits,)
        super().__init__(
            dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self._logits, self._probs], scope
        )

    @staticmethod
    def _param_shapes(sample_shape: Tensor) -> dict[str, Tensor]:
        return {"logits": sample_shape}

    @property
    def logits(self) -> Tensor:
        """The log-odds of 1 [batch...]."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probability of 1 [batch...]."""
        return self._probs

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = self._drawn_shape(n)
        drawn = random.random_uniform(shape, seed=seed, dtype=self.probs.dtype)
        return math.cast(math.less(drawn, self.probs), self.dtype)

    def _log_prob(self, value: Tensor) -> Tensor:
        if self.validate_args:
            value = checked_castable(value, dtypes.bool)
        value, logits = math.cast(value, self.logits.dtype), self.logits
        if not (is_full(value.raw_shape) and value.raw_shape == logits.raw_shape):
            value, logits = _broadcast_each(value, logits)
        return -sigmoid_cross_entropy_with_logits(labels=value, logits=logits)

    def _entropy(self) -> Tensor:
        return -self.logits * (math.sigmoid(self.logits) - 1.0) + activations.softplus(-self.logits)

    def _mean(self) -> Tensor:
        return identity(self.probs)

    def _variance(self) -> Tensor:
        return self._mean() * (1.0 - self.probs)

    def _mode(self) -> Tensor:
        return math.cast(self.probs > 0.5, self.dtype)


def _broadcast_each(value: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:
    wide_logits = array.ones_like(value) * logits
    return array.ones_like(logits) * value, wide_logits


@RegisterKL(Bernoulli, Bernoulli)
def _divergence(a: Bernoulli, b: Bernoulli, name: str | None = None) -> Tensor:
    with named(name, "kl_bernoulli_bernoulli", [a.logits, b.logits]):
        of_one = activations.softplus(-b.logits) - activations.softplus(-a.logits)
        of_zero = activations.softplus(b.logits) - activations.softplus(a.logits)
        return math.sigmoid(a.logits) * of_one + math.sigmoid(-a.logits) * of_zero
