"""ResNet50, 101, 152 and their second versions: blocks whose result is added to what they take. No state.

Source: He et al., "Deep residual learning for image recognition" (2015); "Identity mappings in deep residual networks" (2016).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..keras_images.global_pooling import GlobalAveragePooling2D
from ..keras_images.keras_convolution import Conv2D
from ..keras_images.keras_pooling import MaxPooling2D
from ..keras_images.resizing_layers import ZeroPadding2D
from ..keras_layers.keras_core import Dense
from ..keras_layers.keras_normalization import BatchNormalization
from ..keras_layers.merge_layers import Add
from ..keras_layers.shape_layers import Activation
from ..keras_models.model import Model
from .application_parts import Network, assemble, channel_axis

Block = Callable[[Any, int, int, bool, str], Any]


def _norm(x: Any, name: str) -> Any:
    return BatchNormalization(axis=channel_axis(), epsilon=1.001e-5, name=name)(x)


def _relu(x: Any, name: str) -> Any:
    return Activation("relu", name=name)(x)


def _block(x: Any, width: int, stride: int, projects: bool, name: str) -> Any:
    """1 × 1, 3 × 3, 1 × 1, each before its normalization. projects: what is added passes through a convolution, too."""
    shortcut = x
    if projects:
        shortcut = _norm(Conv2D(4 * width, 1, strides=stride, name=f"{name}_0_conv")(x), f"{name}_0_bn")
    x = _norm(Conv2D(width, 1, strides=stride, name=f"{name}_1_conv")(x), f"{name}_1_bn")
    x = Conv2D(width, 3, padding="same", name=f"{name}_2_conv")(_relu(x, f"{name}_1_relu"))
    x = _relu(_norm(x, f"{name}_2_bn"), f"{name}_2_relu")
    x = _norm(Conv2D(4 * width, 1, name=f"{name}_3_conv")(x), f"{name}_3_bn")
    return _relu(Add(name=f"{name}_add")([shortcut, x]), f"{name}_out")


def _block_v2(x: Any, width: int, stride: int, projects: bool, name: str) -> Any:
    """The block with its normalizations before the convolutions."""
    before = _relu(_norm(x, f"{name}_preact_bn"), f"{name}_preact_relu")
    if projects:
        shortcut = Conv2D(4 * width, 1, strides=stride, name=f"{name}_0_conv")(before)
    else:
        shortcut = MaxPooling2D(1, strides=stride)(x) if stride > 1 else x
    x = Conv2D(width, 1, use_bias=False, name=f"{name}_1_conv")(before)
    x = ZeroPadding2D(1, name=f"{name}_2_pad")(_relu(_norm(x, f"{name}_1_bn"), f"{name}_1_relu"))
    x = Conv2D(width, 3, strides=stride, use_bias=False, name=f"{name}_2_conv")(x)
    x = _relu(_norm(x, f"{name}_2_bn"), f"{name}_2_relu")
    x = Conv2D(4 * width, 1, name=f"{name}_3_conv")(x)
    return Add(name=f"{name}_out")([shortcut, x])


def _resnet(name: str, depths: tuple[int, ...], version: int) -> Network:
    def body(x: Any) -> Any:
        x = Conv2D(64, 7, strides=2, name="conv1_conv")(ZeroPadding2D(3, name="conv1_pad")(x))
        if version == 1:
            x = _relu(_norm(x, "conv1_bn"), "conv1_relu")
        x = MaxPooling2D(3, strides=2, name="pool1_pool")(ZeroPadding2D(1, name="pool1_pad")(x))
        for stage, depth in enumerate(depths, start=2):
            width = 64 * 2 ** (stage - 2)
            for number in range(1, depth + 1):
                block = f"conv{stage}_block{number}"
                if version == 1:
                    x = _block(x, width, 2 if stage > 2 and number == 1 else 1, number == 1, block)
                else:
                    x = _block_v2(x, width, 2 if stage < 5 and number == depth else 1, number == 1, block)
        return x if version == 1 else _relu(_norm(x, "post_bn"), "post_relu")

    def top(x: Any, classes: int) -> Any:
        return Dense(classes, activation="softmax", name="probs")(GlobalAveragePooling2D(name="avg_pool")(x))

    file = name + "_weights_tf_dim_ordering_tf_kernels{top}.h5"
    return Network(name, body, top, 224, 32, file, ("avg_pool", "max_pool"))


def ResNet50(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 50 layers. Arguments and errors: as `assemble`."""
    return assemble(
        _resnet("resnet50", (3, 4, 6, 3), 1),
        include_top,
        weights,
        input_tensor,
        input_shape,
        pooling,
        classes,
    )


def ResNet101(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 101 layers. Arguments and errors: as `assemble`."""
    return assemble(
        _resnet("resnet101", (3, 4, 23, 3), 1),
        include_top,
        weights,
        input_tensor,
        input_shape,
        pooling,
        classes,
    )


def ResNet152(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The network with 152 layers. Arguments and errors: as `assemble`."""
    return assemble(
        _resnet("resnet152", (3, 8, 36, 3), 1),
        include_top,
        weights,
        input_tensor,
        input_shape,
        pooling,
        classes,
    )


def ResNet50V2(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The second version with 50 layers. Arguments and errors: as `assemble`."""
    return assemble(
        _resnet("resnet50v2", (3, 4, 6, 3), 2),
        include_top,
        weights,
        input_tensor,
        input_shape,
        pooling,
        classes,
    )


def ResNet101V2(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The second version with 101 layers. Arguments and errors: as `assemble`."""
    return assemble(
        _resnet("resnet101v2", (3, 4, 23, 3), 2),
        include_top,
        weights,
        input_tensor,
        input_shape,
        pooling,
        classes,
    )


def ResNet152V2(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The second version with 152 layers. Arguments and errors: as `assemble`."""
    return assemble(
        _resnet("resnet152v2", (3, 8, 36, 3), 2),
        include_top,
        weights,
        input_tensor,
        input_shape,
        pooling,
        classes,
    )


__all__ = ["ResNet50", "ResNet50V2", "ResNet101", "ResNet101V2", "ResNet152", "ResNet152V2"]
