"""`tf.keras.activations`: functions that layers apply to their outputs."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.models.keras_layers.activation_functions import (
    elu, exponential, hard_sigmoid, linear, relu, selu, sigmoid, softmax, softplus, softsign, tanh,
)  # fmt: skip
from ..engine.models.keras_layers.identifiers import activation_named as get
from ..engine.models.keras_layers.serialization import activation_as_data as serialize, activation_from as deserialize

__all__ = [
    "deserialize", "elu", "exponential", "get", "hard_sigmoid", "linear", "relu", "selu", "serialize",
    "sigmoid", "softmax", "softplus", "softsign", "tanh",
]  # fmt: skip
