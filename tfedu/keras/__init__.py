"""`tf.keras`: models of layers, trained by `compile` and `fit`, in graph mode."""

# ruff: noqa: I001 - the names stand in paragraphs
from . import losses
from ..engine.models.keras_layers.input_layer import Input

__all__ = [
    "Input", "losses",
]  # fmt: skip
