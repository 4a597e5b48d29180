"""`tf.keras.activations`: functions that layers apply to their outputs."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.lib.math.math import exp as exponential, sigmoid, tanh
from ..engine.lib.nn.activations import softmax, softplus, softsign
from ..engine.models.keras_layers.identifiers import (
    activation_named as get, config_of as serialize, elu_of as elu, hard_sigmoid, linear, relu_of as relu, selu,
)  # fmt: skip

deserialize = get

__all__ = [
    "deserialize", "elu", "exponential", "get", "hard_sigmoid", "linear", "relu", "selu", "serialize",
    "sigmoid", "softmax", "softplus", "softsign", "tanh",
]  # fmt: skip
