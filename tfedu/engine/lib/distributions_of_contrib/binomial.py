"""`tf.contrib.distributions.Binomial` and `NegativeBinomial`. No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array, selection
from ..checks import asserts
from ..control.grouping import identity, with_dependencies
from ..distributions.derived_seed import derived_seed
from ..distributions.distribution import NOT_REPARAMETERIZED
from ..distributions.parameter_checks import checked_integer_form, checked_whole, logits_and_probs
from ..distributions.scalar_events import ScalarDistribution
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import control_dependencies, name_scope
from ..math import math, random, special
from ..nn.activations import log_sigmoid


class Binomial(ScalarDistribution):
    """How many of `total_count` trials succeed, each with the probability `probs`; both broadcast to [batch...]. `logits`
    are log(probs / (1 - probs)). There are no samples, as in TF.

    Raises: ValueError unless just one of logits and probs is passed, TypeError when it is not floating; in the run, under
    validate_args, InvalidArgumentError for numbers of trials that are not whole, and for values that are not among them.
    """

    @atomic
    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Binomial",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as scope:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = _checked_total(self._total_count)
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args)
        self._batch_of = (self._total_count, self._probs)
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._total_count, self._logits, self._probs], scope,
        )  # fmt: skip

    @property
    def total_count(self) -> Tensor:
        """The number of trials [...]."""
        return self._total_count

    @property
    def logits(self) -> Tensor:
        """The log-odds of success [...]."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probability of success [...]."""
        return self._probs

    def _log_prob(self, value: Tensor) -> Tensor:
        count, total = self._checked(value), self.total_count
        unnormalized = count * math.log(self.probs) + (total - count) * math.log1p(-self.probs)
        count = self._checked(value)
        return unnormalized - (
            special.lgamma(1.0 + total - count) + special.lgamma(1.0 + count) - special.lgamma(1.0 + total)
        )

    def _cdf(self, value: Tensor) -> Tensor:
        value, probs = self._checked(value), self.probs
        if not (value.shape.is_fully_defined() and probs.shape.is_fully_defined() and value.shape == probs.shape):
            probs = probs + array.zeros_like(value)
            value = value + array.zeros_like(probs)
        ones = array.ones_like(self.total_count - value)
        all_succeed = math.equal(value, self.total_count)
        failures = selection.where_v2(all_succeed, ones, self.total_count - value)
        integral = special.betainc(failures, value + 1.0, 1.0 - probs)
        return selection.where_v2(all_succeed, ones, integral)

    def _checked(self, count: Tensor) -> Tensor:
        if not self.validate_args:
            return count
        count = checked_whole(count)
        text = "counts are not less than or equal to n."
        return with_dependencies([asserts.assert_less_equal(count, self.total_count, message=text)], count)

    def _mean(self) -> Tensor:
        return self.total_count * self.probs

    def _variance(self) -> Tensor:
        return self._mean() * (1.0 - self.probs)

    def _mode(self) -> Tensor:
        return math.floor((1.0 + self.total_count) * self.probs)


def _checked_total(count: Tensor) -> Tensor:
    checks = [
        asserts.assert_non_negative(count, message="total_count must be non-negative."),
        checked_integer_form(count, "total_count cannot contain fractional components."),
    ]
    return with_dependencies(checks, count)


class NegativeBinomial(ScalarDistribution):
    """How many trials succeed before `total_count` of them fail; success has the probability `probs`, and both broadcast
    to [batch...]. `logits` are log(probs / (1 - probs)).

    Raises: ValueError unless just one of logits and probs is passed, TypeError when it is not floating; in the run, under
    validate_args, InvalidArgumentError unless total_count is positive and values are whole and not negative.
    """

    @atomic
    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "NegativeBinomial",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as scope:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args)
            with control_dependencies([asserts.assert_positive(total_count)] if validate_args else []):
                self._total_count = identity(total_count)
        self._batch_of = (self._total_count, self._probs)
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._total_count, self._probs, self._logits], scope,
        )  # fmt: skip

    @property
    def total_count(self) -> Tensor:
        """The number of failures [...]."""
        return self._total_count

    @property
    def logits(self) -> Tensor:
        """The log-odds of success [...]."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probability of success [...]."""
        return self._probs

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        # a Poisson number whose rate is a gamma number
        rate = random.random_gamma(
            shape=[n], alpha=self.total_count, beta=math.exp(-self.logits), dtype=self.dtype, seed=seed
        )
        return random.random_poisson(
            rate, shape=[], dtype=self.dtype, seed=derived_seed(seed, "negative_binom")
        )

    def _log_prob(self, value: Tensor) -> Tensor:
        total, count = self.total_count, self._checked(value)
        unnormalized = total * log_sigmoid(-self.logits) + count * log_sigmoid(self.logits)
        count = self._checked(value)
        return unnormalized - (-special.lgamma(total + count) + special.lgamma(1.0 + count) + special.lgamma(total))

    def _cdf(self, value: Tensor) -> Tensor:
        value = self._checked(value)
        return special.betainc(self.total_count, 1.0 + value, math.sigmoid(-self.logits))

    def _checked(self, count: Tensor) -> Tensor:
        return checked_whole(count) if self.validate_args else count

    def _mean(self) -> Tensor:
        return self.total_count * math.exp(self.logits)

    def _variance(self) -> Tensor:
        return self._mean() / math.sigmoid(-self.logits)

    def _mode(self) -> Tensor:
        more_than_one = self.total_count > 1.0
        fewer = selection.where_v2(more_than_one, self.total_count - 1.0, array.zeros_like(self.total_count))
        return math.floor(fewer * math.exp(self.logits))
