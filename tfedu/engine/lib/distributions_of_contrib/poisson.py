"""`tf.contrib.distributions.Poisson`. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..checks import asserts
from ..control.grouping import identity
from ..distributions.distribution import NOT_REPARAMETERIZED
from ..distributions.parameter_checks import checked_whole
from ..distributions.scalar_events import ScalarDistribution
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import control_dependencies, name_scope
from ..math import math, random, special


class Poisson(ScalarDistribution):
    """How many events come in a unit of time, if `rate` [batch...] come on the average; log_rate: its logarithm.

    Raises: ValueError unless just one of rate and log_rate is passed, TypeError when it is not floating; in the run, under
    validate_args, InvalidArgumentError unless the rate is positive and values are whole and not negative.
    """

    @atomic
    def __init__(
        self,
        rate: Any = None,
        log_rate: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Poisson",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as scope:
            if (rate is None) == (log_rate is None):
                raise ValueError(error_text("Must specify exactly one of `rate` and `log_rate`."))
            if log_rate is None:
                rate = _floating(rate, "rate")
                with control_dependencies([asserts.assert_positive(rate)] if validate_args else []):
                    self._rate = identity(rate, name="rate")
                    self._log_rate = math.log(rate, name="log_rate")
            else:
                self._log_rate = _floating(log_rate, "log_rate")
                self._rate = math.exp(self._log_rate, name="rate")
        self._batch_of = (self._rate,)
        super().__init__(
            self._rate.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self._rate], scope
        )

    @property
    def rate(self) -> Tensor:
        """The rate [batch...]."""
        return self._rate

    @property
    def log_rate(self) -> Tensor:
        """The logarithm of the rate [batch...]."""
        return self._log_rate

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        return random.random_poisson(self.rate, [n], dtype=self.dtype, seed=seed)

    def _log_prob(self, value: Tensor) -> Tensor:
        value = checked_whole(value) if self.validate_args else value
        return value * self.log_rate - special.lgamma(1.0 + value) - self.rate

    def _log_cdf(self, value: Tensor) -> Tensor:
        return math.log(self.cdf(value))

    def _cdf(self, value: Tensor) -> Tensor:
        value = checked_whole(value) if self.validate_args else value
        return special.igammac(1.0 + value, self.rate)

    def _mean(self) -> Tensor:
        return identity(self.rate)

    def _variance(self) -> Tensor:
        return identity(self.rate)

    def _mode(self) -> Tensor:
        return math.floor(self.rate)


def _floating(parameter: Any, name: str) -> Tensor:
    tensor = convert_to_tensor(parameter, name=name)
    if not tensor.dtype.is_floating:
        raise TypeError(error_text(f"{name}.dtype ({tensor.dtype.name}) is a not a float-type."))  # TF's own wording
    return tensor
