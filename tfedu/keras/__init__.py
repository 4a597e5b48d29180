"""`tf.keras`: models of layers, trained by `compile` and `fit`, in graph mode."""

# ruff: noqa: I001 - the names stand in paragraphs
from . import backend, callbacks, layers, losses, metrics, optimizers
from ..engine.models.keras_layers.input_layer import Input
from ..engine.models.keras_models.model import Model
from ..engine.models.keras_models.sequential import Sequential

__all__ = [
    "Input", "Model", "Sequential", "backend", "callbacks", "layers", "losses", "metrics", "optimizers",
]  # fmt: skip
