"""`tf.keras.regularizers`: losses of weights."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.models.keras_layers.serialization import regularizer_as_data as serialize, regularizer_from as deserialize
from ..engine.models.keras_layers.penalties import L1L2, Regularizer, l1, l1_l2, l2, regularizer_named as get

__all__ = [
    "L1L2", "Regularizer", "deserialize", "get", "l1", "l1_l2", "l2", "serialize",
]  # fmt: skip
