"""`tf.keras.optimizers.schedules`: learning rates that depend on the step."""
from ...engine.models.keras_parts.learning_rate_schedules import (
    ExponentialDecay,
    InverseTimeDecay,
    LearningRateSchedule,
    PiecewiseConstantDecay,
    PolynomialDecay,
    deserialize,
    serialize,
)  # fmt: skip

__all__ = [
    "ExponentialDecay", "InverseTimeDecay", "LearningRateSchedule", "PiecewiseConstantDecay",
    "PolynomialDecay", "deserialize", "serialize",
]  # fmt: skip
