"""`conv1d`, `conv2d`, `conv3d` and their classes: layers of filters that slide over sequences, images and volumes. No state."""

from __future__ import annotations

from ...lib.variables.initializers import Zeros
from ..keras_images import keras_convolution
from .layer import Layer
from .layer_functions import layer_function, of_tf_layers

ZEROS = Zeros()


@of_tf_layers(data_format="channels_last", kernel_initializer=None, bias_initializer=ZEROS, trainable=True)
class Conv1D(keras_convolution.Conv1D, Layer):
    pass


@of_tf_layers(data_format="channels_last", kernel_initializer=None, bias_initializer=ZEROS, trainable=True)
class Conv2D(keras_convolution.Conv2D, Layer):
    pass


@of_tf_layers(data_format="channels_last", kernel_initializer=None, bias_initializer=ZEROS, trainable=True)
class Conv3D(keras_convolution.Conv3D, Layer):
    pass


conv1d = layer_function(Conv1D, "conv1d")
conv2d = layer_function(Conv2D, "conv2d")
conv3d = layer_function(Conv3D, "conv3d")

__all__ = [
    "Conv1D", "Conv2D", "Conv3D", "conv1d", "conv2d", "conv3d",
]  # fmt: skip
