"""MobileNet, MobileNetV2: convolutions channel by channel, then across channels. No state.

Source: Howard et al., "MobileNets" (2017); Sandler et al., "MobileNetV2: inverted residuals and linear bottlenecks" (2018).
"""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ..keras_images.depthwise_layer import DepthwiseConv2D
from ..keras_images.global_pooling import GlobalAveragePooling2D
from ..keras_images.keras_convolution import Conv2D
from ..keras_images.resizing_layers import ZeroPadding2D
from ..keras_layers.activation_layers import ReLU
from ..keras_layers.keras_core import Dense, Dropout
from ..keras_layers.keras_normalization import BatchNormalization
from ..keras_layers.layer_nodes import static_shape
from ..keras_layers.merge_layers import Add
from ..keras_layers.shape_layers import Activation, Reshape
from ..keras_models.model import Model
from ..keras_parts.keras_config import image_data_format
from .application_parts import Network, assemble, channel_axis, halving_padding

# MobileNet: the channels after each block, and its stride
_BLOCKS = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2), (1024, 1)]
# MobileNetV2: the channels after each block, its stride, and how often it is there
_STAGES = [(16, 1, 1), (24, 2, 2), (32, 2, 3), (64, 2, 4), (96, 1, 3), (160, 2, 3), (320, 1, 1)]


def _rows(input_shape: Any) -> int:
    """The size of square pictures of a size with weights of its own, else 224."""
    if input_shape is None:
        return 224
    height, width = input_shape[:2] if image_data_format() == "channels_last" else input_shape[1:]
    return height if height == width and height in (96, 128, 160, 192, 224) else 224


def _told_rows(input_shape: Any, include_top: bool) -> int | None:
    """The rows of a picture, which the name of a network tells: those given, or else 224 for a network with its top."""
    if input_shape is None:
        return 224 if include_top else None
    return input_shape[0 if channel_axis() == 3 else 1]  # type: ignore[no-any-return]


def _size(input_shape: Any, sizes: tuple[int, ...]) -> int:
    rows = _rows(input_shape)
    return rows if rows in sizes else 224


def _check(weights: Any, alpha: float, alphas: tuple[float, ...], depth_multiplier: int = 1) -> None:
    """Raises: ValueError for widths that have no weights of ImageNet."""
    if weights != "imagenet":
        return
    if depth_multiplier != 1:
        raise ValueError(error_text("If imagenet weights are being loaded, depth multiplier must be 1"))
    if alpha not in alphas:
        listed = ", ".join(f"`{each:.2f}`" for each in alphas)
        raise ValueError(
            error_text(f"If imagenet weights are being loaded, alpha can be one of {listed} only.")
        )


def MobileNet(
    input_shape: Any = None, alpha: float = 1.0, depth_multiplier: int = 1, dropout: float = 1e-3, include_top: bool = True,
    weights: Any = "imagenet", input_tensor: Any = None, pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 13 separable convolutions. alpha: a factor for all channels; depth_multiplier: of the convolutions channel
    by channel. Other arguments and errors: as `assemble`.
    """
    _check(weights, alpha, (0.25, 0.5, 0.75, 1.0), depth_multiplier)

    def norm(x: Any, name: str) -> Any:
        x = BatchNormalization(axis=channel_axis(), name=f"{name}_bn")(x)
        return ReLU(6.0, name=f"{name}_relu")(x)

    def body(x: Any) -> Any:
        x = ZeroPadding2D(((0, 1), (0, 1)), name="conv1_pad")(x)
        x = norm(Conv2D(int(32 * alpha), 3, strides=2, use_bias=False, name="conv1")(x), "conv1")
        for number, (width, stride) in enumerate(_BLOCKS, start=1):
            if stride > 1:
                x = ZeroPadding2D(((0, 1), (0, 1)), name=f"conv_pad_{number}")(x)
            name = f"conv_dw_{number}"
            x = DepthwiseConv2D(
                3, strides=stride, padding="same" if stride == 1 else "valid", depth_multiplier=depth_multiplier, use_bias=False,
                name=name,
            )(x)  # fmt: skip
            x = norm(x, name)
            name = f"conv_pw_{number}"
            x = norm(Conv2D(int(width * alpha), 1, padding="same", use_bias=False, name=name)(x), name)
        return x

    def top(x: Any, classes: int) -> Any:
        channels = int(1024 * alpha)
        x = GlobalAveragePooling2D()(x)
        x = Reshape((1, 1, channels) if channel_axis() == 3 else (channels, 1, 1), name="reshape_1")(x)
        x = Conv2D(classes, 1, padding="same", name="conv_preds")(Dropout(dropout, name="dropout")(x))
        return Activation("softmax", name="act_softmax")(Reshape((classes,), name="reshape_2")(x))

    rows = _size(input_shape, (128, 160, 192, 224))
    text = {1.0: "1_0", 0.75: "7_5", 0.5: "5_0"}.get(alpha, "2_5")
    file = f"mobilenet_{text}_{rows}_tf{'' if include_top else '_no_top'}.h5"
    network = Network(f"mobilenet_{alpha:.2f}_{_told_rows(input_shape, include_top)}", body, top, rows, 32, file)
    return assemble(network, include_top, weights, input_tensor, input_shape, pooling, classes)


def _divisible(width: float) -> int:
    """The multiple of 8 next to a number of channels, not less than 9/10 of it."""
    near = max(8, int(width + 4) // 8 * 8)
    return near + 8 if near < 0.9 * width else near


def MobileNetV2(
    input_shape: Any = None, alpha: float = 1.0, include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 17 blocks that widen, convolve channel by channel, and narrow again. alpha: a factor for all channels.
    Other arguments and errors: as `assemble`.
    """
    _check(weights, alpha, (0.35, 0.5, 0.75, 1.0, 1.3, 1.4))

    def norm(x: Any, name: str) -> Any:
        return BatchNormalization(axis=channel_axis(), epsilon=1e-3, momentum=0.999, name=name)(x)

    def padded(x: Any, name: str) -> Any:
        return ZeroPadding2D(halving_padding(x, 3), name=name)(x)

    def block(x: Any, number: int, width: int, stride: int) -> Any:
        name = f"block_{number}_" if number else "expanded_conv_"
        channels = static_shape(x)[channel_axis()]
        made = x
        if number:
            made = Conv2D(6 * channels, 1, padding="same", use_bias=False, name=f"{name}expand")(made)
            made = ReLU(6.0, name=f"{name}expand_relu")(norm(made, f"{name}expand_BN"))
        if stride == 2:
            made = padded(made, f"{name}pad")
        padding = "same" if stride == 1 else "valid"
        made = DepthwiseConv2D(3, strides=stride, use_bias=False, padding=padding, name=f"{name}depthwise")(
            made
        )
        made = ReLU(6.0, name=f"{name}depthwise_relu")(norm(made, f"{name}depthwise_BN"))
        made = norm(
            Conv2D(width, 1, padding="same", use_bias=False, name=f"{name}project")(made), f"{name}project_BN"
        )
        return Add(name=f"{name}add")([x, made]) if channels == width and stride == 1 else made

    def body(x: Any) -> Any:
        x = Conv2D(_divisible(32 * alpha), 3, strides=2, use_bias=False, name="Conv1")(padded(x, "Conv1_pad"))
        x = ReLU(6.0, name="Conv1_relu")(norm(x, "bn_Conv1"))
        number = 0
        for width, stride, count in _STAGES:
            for place in range(count):
                x = block(x, number, _divisible(width * alpha), stride if place == 0 else 1)
                number += 1
        last = _divisible(1280 * alpha) if alpha > 1.0 else 1280
        x = norm(Conv2D(last, 1, use_bias=False, name="Conv_1")(x), "Conv_1_bn")
        return ReLU(6.0, name="out_relu")(x)

    def top(x: Any, classes: int) -> Any:
        return Dense(classes, activation="softmax", name="Logits")(GlobalAveragePooling2D()(x))

    rows = _size(input_shape, (96, 128, 160, 192, 224))
    file = (
        f"mobilenet_v2_weights_tf_dim_ordering_tf_kernels_{alpha}_{rows}{'' if include_top else '_no_top'}.h5"
    )
    network = Network(f"mobilenetv2_{alpha:.2f}_{_told_rows(input_shape, include_top)}", body, top, rows, 32, file)
    return assemble(network, include_top, weights, input_tensor, input_shape, pooling, classes)


__all__ = ["MobileNet", "MobileNetV2"]
