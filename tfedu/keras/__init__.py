"""`tf.keras`: models of layers, trained by `compile` and `fit`, in graph mode."""

# ruff: noqa: I001 - the names stand in paragraphs
from . import losses, metrics, optimizers
from ..engine.models.keras_layers.input_layer import Input

__all__ = [
    "Input", "losses", "metrics", "optimizers",
]  # fmt: skip
