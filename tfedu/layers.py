"""`tf.layers`: layers that create their variables and build their nodes."""
from .engine.models.layers.input_spec import InputSpec
from .engine.models.layers.layer import Layer

__all__ = [
    "InputSpec", "Layer",
]  # fmt: skip
