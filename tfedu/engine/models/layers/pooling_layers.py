"""`max_pooling2d`, `average_pooling2d` and their relatives: the largest element or the mean of each window. No state."""

from __future__ import annotations

from ..keras_images import keras_pooling
from .layer import Layer
from .layer_functions import layer_function, of_tf_layers


@of_tf_layers(pool_size=..., strides=..., data_format="channels_last")
class MaxPooling1D(keras_pooling.MaxPooling1D, Layer):
    pass


@of_tf_layers(pool_size=..., strides=..., data_format="channels_last")
class MaxPooling2D(keras_pooling.MaxPooling2D, Layer):
    pass


@of_tf_layers(pool_size=..., strides=..., data_format="channels_last")
class MaxPooling3D(keras_pooling.MaxPooling3D, Layer):
    pass


@of_tf_layers(pool_size=..., strides=..., data_format="channels_last")
class AveragePooling1D(keras_pooling.AveragePooling1D, Layer):
    pass


@of_tf_layers(pool_size=..., strides=..., data_format="channels_last")
class AveragePooling2D(keras_pooling.AveragePooling2D, Layer):
    pass


@of_tf_layers(pool_size=..., strides=..., data_format="channels_last")
class AveragePooling3D(keras_pooling.AveragePooling3D, Layer):
    pass


max_pooling1d = layer_function(MaxPooling1D, "max_pooling1d", shares=False)
max_pooling2d = layer_function(MaxPooling2D, "max_pooling2d", shares=False)
max_pooling3d = layer_function(MaxPooling3D, "max_pooling3d", shares=False)
average_pooling1d = layer_function(AveragePooling1D, "average_pooling1d", shares=False)
average_pooling2d = layer_function(AveragePooling2D, "average_pooling2d", shares=False)
average_pooling3d = layer_function(AveragePooling3D, "average_pooling3d", shares=False)

__all__ = [
    "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "MaxPooling1D", "MaxPooling2D", "MaxPooling3D",
    "average_pooling1d", "average_pooling2d", "average_pooling3d", "max_pooling1d", "max_pooling2d", "max_pooling3d",
]  # fmt: skip
