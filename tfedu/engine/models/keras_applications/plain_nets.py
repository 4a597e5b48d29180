"""VGG16, VGG19: blocks of convolutions 3 × 3, each twice as wide as the one before. No state.

Source: Simonyan and Zisserman, "Very deep convolutional networks for large-scale image recognition" (2014).
"""

from __future__ import annotations

from typing import Any

from ..keras_images.keras_convolution import Conv2D
from ..keras_images.keras_pooling import MaxPooling2D
from ..keras_layers.keras_core import Dense, Flatten
from ..keras_models.model import Model
from .application_parts import Network, assemble

_WIDTHS = (64, 128, 256, 512, 512)


def _vgg(name: str, depths: tuple[int, ...]) -> Network:
    def body(x: Any) -> Any:
        for block, (depth, width) in enumerate(zip(depths, _WIDTHS), start=1):
            for number in range(1, depth + 1):
                x = Conv2D(width, 3, activation="relu", padding="same", name=f"block{block}_conv{number}")(x)
            x = MaxPooling2D(2, strides=2, name=f"block{block}_pool")(x)
        return x

    def top(x: Any, classes: int) -> Any:
        x = Flatten(name="flatten")(x)
        for number in (1, 2):
            x = Dense(4096, activation="relu", name=f"fc{number}")(x)
        return Dense(classes, activation="softmax", name="predictions")(x)

    return Network(name, body, top, 224, 32, name + "_weights_tf_dim_ordering_tf_kernels{top}.h5")


def VGG16(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 13 convolutions and 3 dense layers. Arguments and errors: as `assemble`."""
    return assemble(
        _vgg("vgg16", (2, 2, 3, 3, 3)), include_top, weights, input_tensor, input_shape, pooling, classes
    )


def VGG19(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 16 convolutions and 3 dense layers. Arguments and errors: as `assemble`."""
    return assemble(
        _vgg("vgg19", (2, 2, 4, 4, 4)), include_top, weights, input_tensor, input_shape, pooling, classes
    )


__all__ = ["VGG16", "VGG19"]
