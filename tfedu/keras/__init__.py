"""`tf.keras`: models of layers, trained by `compile` and `fit`, in graph mode."""
from ..engine.models.keras_layers.input_layer import Input

__all__ = [
    "Input",
]  # fmt: skip
