"""InceptionV3: blocks of branches with convolutions of different sizes, side by side. No state.

Source: Szegedy et al., "Rethinking the Inception architecture for computer vision" (2015).
"""

from __future__ import annotations

from typing import Any

from ..keras_images.global_pooling import GlobalAveragePooling2D
from ..keras_images.keras_convolution import Conv2D
from ..keras_images.keras_pooling import AveragePooling2D, MaxPooling2D
from ..keras_layers.keras_core import Dense
from ..keras_layers.keras_normalization import BatchNormalization
from ..keras_layers.merge_layers import concatenate
from ..keras_layers.shape_layers import Activation
from ..keras_models.model import Model
from .application_parts import Network, assemble, channel_axis

# a step: channels, height and width of a convolution; of stride 2 without padding where a fourth number says so
Step = tuple[int, ...]
Branches = list[list[Step]]


def _convolved(x: Any, *steps: Step) -> Any:
    """Convolutions one after the other, each with a normalization and a relu. A fourth number: the stride, without padding."""
    for channels, height, width, *stride in steps:
        size, padding = (height, width), "valid" if stride else "same"
        x = Conv2D(channels, size, strides=stride[0] if stride else 1, padding=padding, use_bias=False)(x)
        x = Activation("relu")(BatchNormalization(axis=channel_axis(), scale=False)(x))
    return x


def _mixed(x: Any, number: Any, branches: Branches, pooled: int) -> Any:
    """Branches of convolutions and one of a mean pooling, joined."""
    found = [_convolved(x, *steps) for steps in branches]
    found.append(_convolved(AveragePooling2D(3, strides=1, padding="same")(x), (pooled, 1, 1)))
    return concatenate(found, axis=channel_axis(), name=f"mixed{number}")


def _reduced(x: Any, number: int, branches: Branches) -> Any:
    """Branches that halve the size, and a maximum pooling, joined."""
    found = [_convolved(x, *steps) for steps in branches]
    return concatenate([*found, MaxPooling2D(3, strides=2)(x)], axis=channel_axis(), name=f"mixed{number}")


def _by_two(x: Any) -> Any:
    return [_convolved(x, (384, 1, 3)), _convolved(x, (384, 3, 1))]


def _body(x: Any) -> Any:
    x = _convolved(x, (32, 3, 3, 2), (32, 3, 3, 1), (64, 3, 3))
    x = MaxPooling2D(3, strides=2)(x)
    x = _convolved(x, (80, 1, 1, 1), (192, 3, 3, 1))
    x = MaxPooling2D(3, strides=2)(x)
    for number, pooled in enumerate((32, 64, 64)):
        x = _mixed(
            x, number, [[(64, 1, 1)], [(48, 1, 1), (64, 5, 5)], [(64, 1, 1), (96, 3, 3), (96, 3, 3)]], pooled
        )
    x = _reduced(x, 3, [[(384, 3, 3, 2)], [(64, 1, 1), (96, 3, 3), (96, 3, 3, 2)]])
    for number, width in zip(range(4, 8), (128, 160, 160, 192)):
        branches = [
            [(192, 1, 1)], [(width, 1, 1), (width, 1, 7), (192, 7, 1)],
            [(width, 1, 1), (width, 7, 1), (width, 1, 7), (width, 7, 1), (192, 1, 7)],
        ]  # fmt: skip
        x = _mixed(x, number, branches, 192)
    x = _reduced(
        x, 8, [[(192, 1, 1), (320, 3, 3, 2)], [(192, 1, 1), (192, 1, 7), (192, 7, 1), (192, 3, 3, 2)]]
    )
    for number in range(2):
        x = _mixed_last(x, number)
    return x


def _mixed_last(x: Any, number: int) -> Any:
    """The block whose branches fork again."""
    axis = channel_axis()
    single = _convolved(x, (320, 1, 1))
    narrow = concatenate(_by_two(_convolved(x, (384, 1, 1))), axis=axis, name=f"mixed9_{number}")
    double = concatenate(_by_two(_convolved(x, (448, 1, 1), (384, 3, 3))), axis=axis)
    pooled = _convolved(AveragePooling2D(3, strides=1, padding="same")(x), (192, 1, 1))
    return concatenate([single, narrow, double, pooled], axis=axis, name=f"mixed{9 + number}")


def _top(x: Any, classes: int) -> Any:
    return Dense(classes, activation="softmax", name="predictions")(
        GlobalAveragePooling2D(name="avg_pool")(x)
    )


def InceptionV3(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 11 blocks of branches, for pictures 299 × 299. Arguments and errors: as `assemble`."""
    network = Network(
        "inception_v3", _body, _top, 299, 75, "inception_v3_weights_tf_dim_ordering_tf_kernels{top}.h5"
    )
    return assemble(network, include_top, weights, input_tensor, input_shape, pooling, classes)


__all__ = ["InceptionV3"]
