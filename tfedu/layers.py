"""`tf.layers`: layers that create their variables and build their nodes."""
from .engine.models.keras_layers.input_spec import InputSpec
from .engine.models.layers import keras_style as experimental
from .engine.models.layers.convolution_layers import Conv1D, Conv2D, Conv3D, conv1d, conv2d, conv3d
from .engine.models.layers.core_layers import Dense, Dropout, Flatten, dense, dropout, flatten
from .engine.models.layers.layer import Layer
from .engine.models.layers.normalization_layers import BatchNormalization, batch_normalization
from .engine.models.layers.pooling_layers import (
    AveragePooling1D,
    AveragePooling2D,
    AveragePooling3D,
    MaxPooling1D,
    MaxPooling2D,
    MaxPooling3D,
    average_pooling1d,
    average_pooling2d,
    average_pooling3d,
    max_pooling1d,
    max_pooling2d,
    max_pooling3d,
)  # fmt: skip
from .engine.models.layers.separable_layers import (
    SeparableConv1D,
    SeparableConv2D,
    separable_conv1d,
    separable_conv2d,
)
from .engine.models.layers.transposed_layers import (
    Conv2DTranspose,
    Conv3DTranspose,
    conv2d_transpose,
    conv3d_transpose,
)

__all__ = [
    "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "BatchNormalization", "Conv1D", "Conv2D",
    "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "Dense", "Dropout", "Flatten", "InputSpec", "Layer",
    "MaxPooling1D", "MaxPooling2D", "MaxPooling3D", "SeparableConv1D", "SeparableConv2D",
    "average_pooling1d", "average_pooling2d", "average_pooling3d", "batch_normalization", "conv1d",
    "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose", "dense", "dropout", "experimental",
    "flatten", "max_pooling1d", "max_pooling2d", "max_pooling3d", "separable_conv1d", "separable_conv2d",
]  # fmt: skip
