"""`tf.contrib.distributions.Geometric`. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array, selection
from ..checks import asserts
from ..control.grouping import identity, with_dependencies
from ..distributions.distribution import NOT_REPARAMETERIZED
from ..distributions.parameter_checks import checked_whole, logits_and_probs
from ..distributions.scalar_events import ScalarDistribution
from ..framework.scope_blocks import control_dependencies, name_scope
from ..math import math, random
from ..nn.activations import softplus


class Geometric(ScalarDistribution):
    """How many trials fail before the first success, which has the probability `probs` [batch...]; `logits` are
    log(probs / (1 - probs)).

    Raises: ValueError unless just one of logits and probs is passed, TypeError when it is not floating; in the run, under
    validate_args, InvalidArgumentError unless the probability is positive and values are whole and not negative.
    """

    @atomic
    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Geometric",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as scope:
            self._logits, probs = logits_and_probs(logits, probs, validate_args)
            with control_dependencies([asserts.assert_positive(probs)] if validate_args else []):
                self._probs = identity(probs, name="probs")
        self._batch_of = (self._probs,)
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self._probs, self._logits], scope
        )

    @property
    def logits(self) -> Tensor:
        """The log-odds of success [batch...]."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probability of success [batch...]."""
        return self._probs

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        # the logarithm of 0 would be infinite
        smallest = np.finfo(self.dtype.as_numpy_dtype).tiny
        shape = array.concat([[n], array.shape(self.probs)], 0)
        drawn = random.random_uniform(shape, minval=smallest, maxval=1.0, seed=seed, dtype=self.dtype)
        return math.floor(math.log(drawn) / math.log1p(-self.probs))

    def _log_prob(self, value: Tensor) -> Tensor:
        value = self._whole(value) * array.ones_like(self.probs)
        probs = self.probs * array.ones_like(value)
        # 0 · log(1 - 1) would not be a number
        safe = selection.where(math.equal(value, 0.0), array.zeros_like(probs), probs)
        return value * math.log1p(-safe) + math.log(probs)

    def _cdf(self, value: Tensor) -> Tensor:
        value = self._whole(value) * array.ones_like(self.probs)
        below = value < 0.0
        return selection.where(
            below, array.zeros_like(value), -math.expm1((1.0 + value) * math.log1p(-self.probs))
        )

    def _whole(self, value: Tensor) -> Tensor:
        return checked_whole(value) if self.validate_args else math.floor(value)

    def _entropy(self) -> Tensor:
        probs = self.probs
        if self.validate_args:
            text = "Entropy is undefined when logits = inf or probs = 1."
            check = asserts.assert_less(probs, constant(1.0, dtype=probs.dtype), message=text)
            probs = with_dependencies([check], probs)
        return softplus(self.logits) / probs - self.logits

    def _mean(self) -> Tensor:
        return math.exp(-self.logits)

    def _variance(self) -> Tensor:
        return self._mean() / self.probs

    def _mode(self) -> Tensor:
        return array.zeros(self.batch_shape_tensor(), dtype=self.dtype)
