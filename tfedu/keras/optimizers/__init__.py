"""`tf.keras.optimizers`: how a training step changes the weights."""

# ruff: noqa: I001 - the names stand in paragraphs
from . import schedules
from ...engine.models.keras_parts.base_optimizer import KerasOptimizer as Optimizer
from ...engine.models.keras_parts.keras_optimizers import (
    Adadelta, Adagrad, Adam, Adamax, Ftrl, Nadam, RMSprop, SGD, deserialize, get, serialize,
)  # fmt: skip

__all__ = [
    "Adadelta", "Adagrad", "Adam", "Adamax", "Ftrl", "Nadam", "Optimizer", "RMSprop", "SGD",
    "deserialize", "get", "schedules", "serialize",
]  # fmt: skip
