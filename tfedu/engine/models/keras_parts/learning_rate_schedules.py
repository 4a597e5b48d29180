"""Schedules of the learning rate: a schedule is called with the step, a scalar tensor, and gives the rate. No state."""

from __future__ import annotations

import abc
from typing import Any, ClassVar, Self

from ...graph.conversion import convert_to_tensor
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math
from ...training.optimizers import learning_rates
from .keras_objects import deserialize_keras_object


class LearningRateSchedule(abc.ABC):
    """A function of the step, which subclasses define as `__call__`."""

    classes: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        if not cls.__name__.startswith("_"):  # a base of schedules, which no configuration names
            LearningRateSchedule.classes[cls.__name__] = cls

    @abc.abstractmethod
    def __call__(self, step: Any) -> Any:
        """The learning rate at a step."""

    @abc.abstractmethod
    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal schedule."""

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """A schedule from the result of `get_config`."""
        return cls(**config)

    @staticmethod
    def deserialized(config: Any, custom_objects: Any = None) -> Any:
        """The schedule of a name or configuration. Raises: ValueError for an unknown one."""
        return deserialize_keras_object(config, LearningRateSchedule.classes, custom_objects, "decay")


class _Schedule(LearningRateSchedule):
    """A schedule whose attributes are its arguments."""

    def get_config(self) -> dict[str, Any]:
        return dict(vars(self))


class _RateDecay(_Schedule):
    """A schedule whose decay is a function of step / decay_steps, which `staircase` rounds down."""

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False, name: str | None = None
    ) -> None:
        self.initial_learning_rate, self.decay_steps, self.decay_rate = initial_learning_rate, decay_steps, decay_rate
        self.staircase, self.name = staircase, name


class ExponentialDecay(_RateDecay):
    """Decays to initial_learning_rate · decay_rate^(step / decay_steps); `staircase` rounds the exponent down."""

    def __call__(self, step: Any) -> Any:
        return learning_rates.exponential_decay(
            self.initial_learning_rate, step, self.decay_steps, self.decay_rate, self.staircase, self.name
        )


class InverseTimeDecay(_RateDecay):
    """Decays to initial_learning_rate / (1 + decay_rate · step / decay_steps); `staircase` rounds step / decay_steps down."""

    def __call__(self, step: Any) -> Any:
        return learning_rates.inverse_time_decay(
            self.initial_learning_rate, step, self.decay_steps, self.decay_rate, self.staircase, self.name
        )


class PolynomialDecay(_Schedule):
    """From initial_learning_rate to end_learning_rate in decay_steps; cycle: again and again."""

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        end_learning_rate: Any = 0.0001,
        power: Any = 1.0,
        cycle: bool = False,
        name: str | None = None,
    ) -> None:
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.end_learning_rate, self.power, self.cycle, self.name = end_learning_rate, power, cycle, name

    def __call__(self, step: Any) -> Any:
        return learning_rates.polynomial_decay(
            self.initial_learning_rate, step, self.decay_steps, self.end_learning_rate, self.power, self.cycle, self.name
        )


class CosineDecay(_Schedule):
    """Half a cosine wave from initial_learning_rate down to alpha · initial_learning_rate at decay_steps."""

    def __init__(self, initial_learning_rate: Any, decay_steps: Any, alpha: Any = 0.0, name: str | None = None) -> None:
        self.initial_learning_rate, self.decay_steps, self.alpha, self.name = initial_learning_rate, decay_steps, alpha, name

    def __call__(self, step: Any) -> Any:
        return learning_rates.cosine_decay(self.initial_learning_rate, step, self.decay_steps, self.alpha, self.name)


class CosineDecayRestarts(_Schedule):
    """Cosine decays one after the other, each t_mul times as long and m_mul times as high as the one before."""

    def __init__(
        self, initial_learning_rate: Any, first_decay_steps: Any, t_mul: Any = 2.0, m_mul: Any = 1.0, alpha: Any = 0.0,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self.initial_learning_rate, self.first_decay_steps = initial_learning_rate, first_decay_steps
        self.t_mul, self.m_mul, self.alpha, self.name = t_mul, m_mul, alpha, name

    def __call__(self, step: Any) -> Any:
        return learning_rates.cosine_decay_restarts(
            self.initial_learning_rate, step, self.first_decay_steps, self.t_mul, self.m_mul, self.alpha, self.name
        )


class LinearCosineDecay(_Schedule):
    """A line from initial_learning_rate to 0 at decay_steps times num_periods cosine waves; alpha and beta raise it."""

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, num_periods: Any = 0.5, alpha: Any = 0.0, beta: Any = 0.001,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self.initial_learning_rate, self.decay_steps, self.num_periods = initial_learning_rate, decay_steps, num_periods
        self.alpha, self.beta, self.name = alpha, beta, name

    def __call__(self, step: Any) -> Any:
        return learning_rates.linear_cosine_decay(
            self.initial_learning_rate, step, self.decay_steps, self.num_periods, self.alpha, self.beta, self.name
        )


class NoisyLinearCosineDecay(_Schedule):
    """`LinearCosineDecay` with normal noise, whose variance initial_variance / (1 + step) ^ variance_decay falls."""

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, initial_variance: Any = 1.0, variance_decay: Any = 0.55,
        num_periods: Any = 0.5, alpha: Any = 0.0, beta: Any = 0.001, name: str | None = None,
    ) -> None:  # fmt: skip
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.initial_variance, self.variance_decay, self.num_periods = initial_variance, variance_decay, num_periods
        self.alpha, self.beta, self.name = alpha, beta, name

    def __call__(self, step: Any) -> Any:
        return learning_rates.noisy_linear_cosine_decay(
            self.initial_learning_rate, step, self.decay_steps, self.initial_variance, self.variance_decay, self.num_periods,
            self.alpha, self.beta, self.name,
        )  # fmt: skip


class PiecewiseConstantDecay(_Schedule):
    """values[i] up to the step boundaries[i], values[-1] after the last."""

    def __init__(self, boundaries: Any, values: Any, name: str | None = None) -> None:
        if len(boundaries) != len(values) - 1:
            raise ValueError("The length of boundaries should be 1 less than the length of values")
        self.boundaries, self.values, self.name = boundaries, values, name

    def __call__(self, step: Any) -> Any:
        with name_scope(self.name or "PiecewiseConstant"):
            edges = [convert_to_tensor(boundary) for boundary in self.boundaries]
            rates = [convert_to_tensor(value) for value in self.values]
            step = convert_to_tensor(step)
            return learning_rates.rate_between(step, [math.cast(edge, step.dtype.base_dtype) for edge in edges], rates)


def serialize(learning_rate_schedule: Any) -> dict[str, Any]:
    """Class name and configuration of a schedule."""
    return {"class_name": type(learning_rate_schedule).__name__, "config": learning_rate_schedule.get_config()}


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The schedule of a name or configuration.

    Raises: ValueError for an unknown one.
    """
    return LearningRateSchedule.deserialized(config, custom_objects)


__all__ = [
    "CosineDecay", "CosineDecayRestarts", "LinearCosineDecay", "NoisyLinearCosineDecay",
    "ExponentialDecay", "InverseTimeDecay", "LearningRateSchedule", "PiecewiseConstantDecay", "PolynomialDecay", "deserialize",
    "serialize",
]  # fmt: skip
