"""`tf.nn`: activations and what else neural networks are built of, as far as tfedu has it."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.array import depth_to_space, in_top_k, space_to_depth, top_k
from .engine.lib.clip import l2_normalize
from .engine.lib.math import (
    elu, l2_loss, leaky_relu, log_softmax, relu, relu6, selu, sigmoid, softmax, softplus, softsign,
    tanh, zero_fraction,
)  # fmt: skip

__all__ = [
    "depth_to_space", "elu", "in_top_k", "l2_loss", "l2_normalize", "leaky_relu", "log_softmax", "relu",
    "relu6", "selu", "sigmoid", "softmax", "softplus", "softsign", "space_to_depth", "tanh", "top_k",
    "zero_fraction",
]  # fmt: skip
