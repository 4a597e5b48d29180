"""DenseNet121, 169, 201: each block takes the maps of all blocks before it. No state.

Source: Huang et al., "Densely connected convolutional networks" (2016).
"""

from __future__ import annotations

from typing import Any

from ..keras_images.global_pooling import GlobalAveragePooling2D
from ..keras_images.keras_convolution import Conv2D
from ..keras_images.keras_pooling import AveragePooling2D, MaxPooling2D
from ..keras_images.resizing_layers import ZeroPadding2D
from ..keras_layers.keras_core import Dense
from ..keras_layers.keras_normalization import BatchNormalization
from ..keras_layers.layer_nodes import static_shape
from ..keras_layers.merge_layers import Concatenate
from ..keras_layers.shape_layers import Activation
from ..keras_models.model import Model
from .application_parts import Network, assemble, channel_axis

_GROWTH = 32  # the maps that a block adds


def _norm(x: Any, name: str) -> Any:
    return BatchNormalization(axis=channel_axis(), epsilon=1.001e-5, name=name)(x)


def _relu(x: Any, name: str) -> Any:
    return Activation("relu", name=name)(x)


def _block(x: Any, name: str) -> Any:
    made = _relu(_norm(x, f"{name}_0_bn"), f"{name}_0_relu")
    made = Conv2D(4 * _GROWTH, 1, use_bias=False, name=f"{name}_1_conv")(made)
    made = _relu(_norm(made, f"{name}_1_bn"), f"{name}_1_relu")
    made = Conv2D(_GROWTH, 3, padding="same", use_bias=False, name=f"{name}_2_conv")(made)
    return Concatenate(axis=channel_axis(), name=f"{name}_concat")([x, made])


def _narrowed(x: Any, name: str) -> Any:
    """Half the maps, at half the size."""
    x = _relu(_norm(x, f"{name}_bn"), f"{name}_relu")
    x = Conv2D(static_shape(x)[channel_axis()] // 2, 1, use_bias=False, name=f"{name}_conv")(x)
    return AveragePooling2D(2, strides=2, name=f"{name}_pool")(x)


def _densenet(name: str, depths: tuple[int, ...]) -> Network:
    def body(x: Any) -> Any:
        x = Conv2D(64, 7, strides=2, use_bias=False, name="conv1/conv")(ZeroPadding2D(((3, 3), (3, 3)))(x))
        x = ZeroPadding2D(((1, 1), (1, 1)))(_relu(_norm(x, "conv1/bn"), "conv1/relu"))
        x = MaxPooling2D(3, strides=2, name="pool1")(x)
        for stage, depth in enumerate(depths, start=2):
            for number in range(1, depth + 1):
                x = _block(x, f"conv{stage}_block{number}")
            if stage < 5:
                x = _narrowed(x, f"pool{stage}")
        return _relu(_norm(x, "bn"), "relu")

    def top(x: Any, classes: int) -> Any:
        return Dense(classes, activation="softmax", name="fc1000")(GlobalAveragePooling2D(name="avg_pool")(x))

    return Network(
        name,
        body,
        top,
        224,
        32,
        name + "_weights_tf_dim_ordering_tf_kernels{top}.h5",
        ("avg_pool", "max_pool"),
    )


def DenseNet121(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 121 layers. Arguments and errors: as `assemble`."""
    return assemble(
        _densenet("densenet121", (6, 12, 24, 16)),
        include_top,
        weights,
        input_tensor,
        input_shape,
        pooling,
        classes,
    )


def DenseNet169(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 169 layers. Arguments and errors: as `assemble`."""
    return assemble(
        _densenet("densenet169", (6, 12, 32, 32)),
        include_top,
        weights,
        input_tensor,
        input_shape,
        pooling,
        classes,
    )


def DenseNet201(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 201 layers. Arguments and errors: as `assemble`."""
    return assemble(
        _densenet("densenet201", (6, 12, 48, 32)),
        include_top,
        weights,
        input_tensor,
        input_shape,
        pooling,
        classes,
    )


__all__ = ["DenseNet121", "DenseNet169", "DenseNet201"]
