"""`separable_conv1d` and `separable_conv2d`: a filter for each channel, then a mixture of the channels. No state."""

from __future__ import annotations

from ...lib.variables.initializers import Zeros
from ..keras_images import keras_separable
from .layer import Layer
from .layer_functions import layer_function, of_tf_layers

ZEROS = Zeros()


@of_tf_layers(
    data_format="channels_last", depthwise_initializer=None, pointwise_initializer=None, bias_initializer=ZEROS,
    trainable=True,
)  # fmt: skip
class SeparableConv1D(keras_separable.SeparableConv1D, Layer):
    pass


@of_tf_layers(
    data_format="channels_last", depthwise_initializer=None, pointwise_initializer=None, bias_initializer=ZEROS,
    trainable=True,
)  # fmt: skip
class SeparableConv2D(keras_separable.SeparableConv2D, Layer):
    pass


separable_conv1d = layer_function(SeparableConv1D, "separable_conv1d")
separable_conv2d = layer_function(SeparableConv2D, "separable_conv2d")

__all__ = [
    "SeparableConv1D", "SeparableConv2D", "separable_conv1d", "separable_conv2d",
]  # fmt: skip
