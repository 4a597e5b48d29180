"""InceptionV3, InceptionResNetV2: blocks of branches with convolutions of different sizes, side by side. No state.

Source: Szegedy et al., "Rethinking the Inception architecture for computer vision" (2015); "Inception-v4, Inception-ResNet and
the impact of residual connections on learning" (2016).
"""

from __future__ import annotations

from typing import Any

from ..keras_images.global_pooling import GlobalAveragePooling2D
from ..keras_images.keras_convolution import Conv2D
from ..keras_images.keras_pooling import AveragePooling2D, MaxPooling2D
from ..keras_layers.keras_core import Dense
from ..keras_layers.keras_normalization import BatchNormalization
from ..keras_layers.layer_nodes import static_shape
from ..keras_layers.merge_layers import concatenate
from ..keras_layers.shape_layers import Activation, Lambda
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


def _reduced(x: Any, number: Any, branches: Branches) -> Any:
    """Branches that halve the size, and a maximum pooling, joined."""
    found = [_convolved(x, *steps) for steps in branches]
    return concatenate([*found, MaxPooling2D(3, strides=2)(x)], axis=channel_axis(), name=f"mixed{number}")


def _by_two(x: Any) -> Any:
    return [_convolved(x, (384, 1, 3)), _convolved(x, (384, 3, 1))]


def _stem(x: Any) -> Any:
    x = _convolved(x, (32, 3, 3, 2), (32, 3, 3, 1), (64, 3, 3))
    x = MaxPooling2D(3, strides=2)(x)
    x = _convolved(x, (80, 1, 1, 1), (192, 3, 3, 1))
    return MaxPooling2D(3, strides=2)(x)


def _body(x: Any) -> Any:
    x = _stem(x)
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


# -- InceptionResNetV2 --------------------------------------------------------------------------------------------------

# a kind of block: its branches, the part of their result that is added, and how often the block is there
_RESIDUALS: dict[str, tuple[Branches, float, int]] = {
    "block35": ([[(32, 1, 1)], [(32, 1, 1), (32, 3, 3)], [(32, 1, 1), (48, 3, 3), (64, 3, 3)]], 0.17, 10),
    "block17": ([[(192, 1, 1)], [(128, 1, 1), (160, 1, 7), (192, 7, 1)]], 0.1, 20),
    "block8": ([[(192, 1, 1)], [(192, 1, 1), (224, 1, 3), (256, 3, 1)]], 0.2, 10),
}


def residual_sum(inputs: Any, scale: float) -> Any:
    """The first of two tensors plus `scale` times the second: the function of InceptionResNetV2's Lambda layers."""
    return inputs[0] + inputs[1] * scale


def _residual(x: Any, branches: Branches, scale: float, name: str, is_last: bool) -> Any:
    """What a block takes plus a part of what its branches find, then a relu; the last block adds all of it, without a relu."""
    axis = channel_axis()
    shape = static_shape(x)
    found = concatenate([_convolved(x, *steps) for steps in branches], axis=axis, name=f"{name}_mixed")
    found = Conv2D(shape[axis], 1, padding="same", name=f"{name}_conv")(found)
    arguments = {"scale": 1.0 if is_last else scale}
    x = Lambda(residual_sum, output_shape=shape[1:], arguments=arguments, name=name)([x, found])
    return x if is_last else Activation("relu", name=f"{name}_ac")(x)


def _residuals(x: Any, kind: str) -> Any:
    branches, scale, count = _RESIDUALS[kind]
    for number in range(1, count + 1):
        x = _residual(x, branches, scale, f"{kind}_{number}", kind == "block8" and number == count)
    return x


def _residual_body(x: Any) -> Any:
    x = _stem(x)
    x = _mixed(x, "_5b", [[(96, 1, 1)], [(48, 1, 1), (64, 5, 5)], [(64, 1, 1), (96, 3, 3), (96, 3, 3)]], 64)
    x = _residuals(x, "block35")
    x = _reduced(x, "_6a", [[(384, 3, 3, 2)], [(256, 1, 1), (256, 3, 3), (384, 3, 3, 2)]])
    x = _residuals(x, "block17")
    branches = [
        [(256, 1, 1), (384, 3, 3, 2)], [(256, 1, 1), (288, 3, 3, 2)], [(256, 1, 1), (288, 3, 3), (320, 3, 3, 2)],
    ]  # fmt: skip
    x = _residuals(_reduced(x, "_7a", branches), "block8")
    x = Conv2D(1536, 1, padding="same", use_bias=False, name="conv_7b")(x)
    x = BatchNormalization(axis=channel_axis(), scale=False, name="conv_7b_bn")(x)
    return Activation("relu", name="conv_7b_ac")(x)


def InceptionResNetV2(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 43 blocks of branches, of which 40 add what they take, for pictures 299 × 299. Arguments and errors: as
    `assemble`.
    """
    name = "inception_resnet_v2"
    network = Network(name, _residual_body, _top, 299, 75, name + "_weights_tf_dim_ordering_tf_kernels{top}.h5")
    return assemble(network, include_top, weights, input_tensor, input_shape, pooling, classes)


__all__ = ["InceptionResNetV2", "InceptionV3"]
