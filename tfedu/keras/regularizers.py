"""`tf.keras.regularizers`: losses of weights."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.models.keras_layers.identifiers import config_of as serialize
from ..engine.models.keras_layers.penalties import L1L2, l1, l1_l2, l2, regularizer_named as get

deserialize = get

__all__ = [
    "L1L2", "deserialize", "get", "l1", "l1_l2", "l2", "serialize",
]  # fmt: skip
