"""`conv2d_transpose` and `conv3d_transpose`: layers that spread each input element over the window of a filter. No state."""

from __future__ import annotations

from ...lib.variables.initializers import Zeros
from ..keras_images import keras_transposed
from .layer import Layer
from .layer_functions import layer_function, of_tf_layers

ZEROS = Zeros()


@of_tf_layers(
    "output_padding", "dilation_rate", data_format="channels_last", kernel_initializer=None, bias_initializer=ZEROS,
    trainable=True,
)  # fmt: skip
class Conv2DTranspose(keras_transposed.Conv2DTranspose, Layer):
    pass


@of_tf_layers(
    "output_padding", "dilation_rate", data_format="channels_last", kernel_initializer=None, bias_initializer=ZEROS,
    trainable=True,
)  # fmt: skip
class Conv3DTranspose(keras_transposed.Conv3DTranspose, Layer):
    pass


conv2d_transpose = layer_function(Conv2DTranspose, "conv2d_transpose")
conv3d_transpose = layer_function(Conv3DTranspose, "conv3d_transpose")

__all__ = [
    "Conv2DTranspose", "Conv3DTranspose", "conv2d_transpose", "conv3d_transpose",
]  # fmt: skip
