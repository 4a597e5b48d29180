"""Xception: blocks of separable convolutions with what they take added. No state.

Source: Chollet, "Xception: deep learning with depthwise separable convolutions" (2016).
"""

from __future__ import annotations

from typing import Any

from ..keras_images.global_pooling import GlobalAveragePooling2D
from ..keras_images.keras_convolution import Conv2D
from ..keras_images.keras_pooling import MaxPooling2D
from ..keras_images.keras_separable import SeparableConv2D
from ..keras_layers.keras_core import Dense
from ..keras_layers.keras_normalization import BatchNormalization
from ..keras_layers.merge_layers import add
from ..keras_layers.shape_layers import Activation
from ..keras_models.model import Model
from .application_parts import Network, assemble, channel_axis


def _norm(x: Any, name: str | None = None) -> Any:
    return BatchNormalization(axis=channel_axis(), name=name)(x)


def _relu(x: Any, name: str) -> Any:
    return Activation("relu", name=name)(x)


def _separable(x: Any, width: int, name: str) -> Any:
    x = SeparableConv2D(width, 3, padding="same", use_bias=False, name=name)(x)
    return _norm(x, f"{name}_bn")


def _projected(x: Any, width: int) -> Any:
    """What a block takes, at half the size."""
    return _norm(Conv2D(width, 1, strides=2, padding="same", use_bias=False)(x))


def _halving(x: Any, block: int, widths: tuple[int, int]) -> Any:
    """Two separable convolutions and a pooling that halves the size."""
    shortcut, name = _projected(x, widths[1]), f"block{block}"
    for number, width in enumerate(widths, start=1):
        if block > 2 or number > 1:
            # the first relu of block 2 is that of the convolution before it
            x = _relu(x, f"{name}_sepconv{number}_act")
        x = _separable(x, width, f"{name}_sepconv{number}")
    x = MaxPooling2D(3, strides=2, padding="same", name=f"{name}_pool")(x)
    return add([x, shortcut])


def _body(x: Any) -> Any:
    x = Conv2D(32, 3, strides=2, use_bias=False, name="block1_conv1")(x)
    x = _relu(_norm(x, "block1_conv1_bn"), "block1_conv1_act")
    x = Conv2D(64, 3, use_bias=False, name="block1_conv2")(x)
    x = _relu(_norm(x, "block1_conv2_bn"), "block1_conv2_act")
    for block, width in ((2, 128), (3, 256), (4, 728)):
        x = _halving(x, block, (width, width))
    for block in range(5, 13):
        shortcut = x
        for number in (1, 2, 3):
            name = f"block{block}_sepconv{number}"
            x = _separable(_relu(x, f"{name}_act"), 728, name)
        x = add([x, shortcut])
    x = _halving(x, 13, (728, 1024))
    for number, width in ((1, 1536), (2, 2048)):
        name = f"block14_sepconv{number}"
        x = _relu(_separable(x, width, name), f"{name}_act")
    return x


def _top(x: Any, classes: int) -> Any:
    return Dense(classes, activation="softmax", name="predictions")(
        GlobalAveragePooling2D(name="avg_pool")(x)
    )


def Xception(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 36 convolutions, for pictures 299 × 299. Arguments and errors: as `assemble`."""
    network = Network("xception", _body, _top, 299, 71, "xception_weights_tf_dim_ordering_tf_kernels{top}.h5")
    return assemble(network, include_top, weights, input_tensor, input_shape, pooling, classes)


__all__ = ["Xception"]
