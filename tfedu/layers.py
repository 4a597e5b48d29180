"""`tf.layers`: layers that create their variables and build their nodes."""
from .engine.models.layers import keras_style as experimental
from .engine.models.layers.core_layers import Dense, Dropout, Flatten, dense, dropout, flatten
from .engine.models.layers.input_spec import InputSpec
from .engine.models.layers.layer import Layer

__all__ = [
    "Dense", "Dropout", "Flatten", "InputSpec", "Layer", "dense", "dropout", "experimental", "flatten",
]  # fmt: skip
