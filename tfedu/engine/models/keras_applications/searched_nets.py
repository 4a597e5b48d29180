"""NASNetMobile, NASNetLarge: two kinds of cells, which a search has found, put one after the other. No state.

A cell takes the maps of the cell before it and those of the one before that. Source: Zoph et al., "Learning transferable
architectures for scalable image recognition" (2017).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...lib.framework.scope_blocks import name_scope
from ..keras_images.global_pooling import GlobalAveragePooling2D
from ..keras_images.keras_convolution import Conv2D
from ..keras_images.keras_pooling import AveragePooling2D, MaxPooling2D
from ..keras_images.keras_separable import SeparableConv2D
from ..keras_images.resizing_layers import Cropping2D, ZeroPadding2D
from ..keras_layers.keras_core import Dense
from ..keras_layers.keras_normalization import BatchNormalization
from ..keras_layers.layer_nodes import static_shape
from ..keras_layers.merge_layers import add, concatenate
from ..keras_layers.shape_layers import Activation
from ..keras_models.model import Model
from .application_parts import Network, assemble, channel_axis, halving_padding, picture_sizes


def _norm(x: Any, name: str) -> Any:
    return BatchNormalization(axis=channel_axis(), momentum=0.9997, epsilon=1e-3, name=name)(x)


def _relu(x: Any, name: str | None = None) -> Any:
    return Activation("relu", name=name)(x)


def _across(x: Any, width: int, name: str) -> Any:
    """A convolution across the channels alone."""
    return Conv2D(width, 1, padding="same", use_bias=False, kernel_initializer="he_normal", name=name)(x)


def _average(x: Any, name: str) -> Any:
    return AveragePooling2D(3, strides=1, padding="same", name=name)(x)


def _separable(x: Any, width: int, size: int, name: str, stride: int = 1) -> Any:
    """Two separable convolutions, each after a relu and before a normalization. stride: of the first."""
    with name_scope(f"separable_conv_block_{name}"):
        for number in (1, 2):
            x, padding = _relu(x), "same"
            if stride == 2 and number == 1:
                padding = "valid"
                x = ZeroPadding2D(halving_padding(x, size), name=f"separable_conv_1_pad_{name}")(x)
            x = SeparableConv2D(
                width, size, strides=stride if number == 1 else 1, padding=padding, use_bias=False,
                kernel_initializer="he_normal", name=f"separable_conv_{number}_{name}",
            )(x)  # fmt: skip
            x = _norm(x, f"separable_conv_{number}_bn_{name}")
        return x


def _halved(x: Any, width: int, cell: str) -> Any:
    """Half the size: every second pixel, and those one further down and to the right, with half of the channels each."""
    x = _relu(x, f"adjust_relu_1_{cell}")
    shifted = Cropping2D(((1, 0), (1, 0)))(ZeroPadding2D(((0, 1), (0, 1)))(x))
    halves = []
    for number, maps in enumerate((x, shifted), start=1):
        maps = AveragePooling2D(1, strides=2, name=f"adjust_avg_pool_{number}_{cell}")(maps)
        halves.append(_across(maps, width // 2, f"adjust_conv_{number}_{cell}"))
    return concatenate(halves, axis=channel_axis())


def _fitted(before: Any, x: Any, width: int, cell: str) -> Any:
    """The maps `before`, with the size of x and `width` channels; x itself where nothing was before."""
    if before is None:
        return x
    with name_scope("adjust_block"):
        if picture_sizes(before) != picture_sizes(x):
            with name_scope(f"adjust_reduction_block_{cell}"):
                return _norm(_halved(before, width, cell), f"adjust_bn_{cell}")
        if static_shape(before)[channel_axis()] != width:
            with name_scope(f"adjust_projection_block_{cell}"):
                before = _across(_relu(before), width, f"adjust_conv_projection_{cell}")
                return _norm(before, f"adjust_bn_{cell}")
    return before


def _taken(x: Any, before: Any, width: int, kind: str, cell: str) -> tuple[Any, Any]:
    """What a cell takes, with `width` channels each."""
    before = _fitted(before, x, width, cell)
    return _norm(_across(_relu(x), width, f"{kind}_conv_1_{cell}"), f"{kind}_bn_1_{cell}"), before


def _normal(x: Any, before: Any, width: int, cell: str) -> Any:
    """The cell that keeps the size."""

    def separable(x: Any, size: int, place: str) -> Any:
        return _separable(x, width, size, f"normal_{place}_{cell}")

    with name_scope(f"normal_A_block_{cell}"):
        x, before = _taken(x, before, width, "normal", cell)
        pairs: list[Callable[[], list[Any]]] = [
            lambda: [separable(x, 5, "left1"), separable(before, 3, "right1")],
            lambda: [separable(before, 5, "left2"), separable(before, 3, "right2")],
            lambda: [_average(x, f"normal_left3_{cell}"), before],
            lambda: [_average(before, f"normal_left4_{cell}"), _average(before, f"normal_right4_{cell}")],
            lambda: [separable(x, 3, "left5"), x],
        ]
        sums = []
        for number, pair in enumerate(pairs, start=1):
            with name_scope(f"block_{number}"):
                sums.append(add(pair(), name=f"normal_add_{number}_{cell}"))
        return concatenate([before, *sums], axis=channel_axis(), name=f"normal_concat_{cell}")


def _reduction(x: Any, before: Any, width: int, cell: str) -> Any:
    """The cell that halves the size."""

    def separable(x: Any, size: int, place: str, stride: int = 2) -> Any:
        return _separable(x, width, size, f"reduction_{place}_{cell}", stride)

    def pooled(kind: Any, place: str) -> Any:
        return kind(3, strides=2, name=f"reduction_{place}_{cell}")(padded)

    with name_scope(f"reduction_A_block_{cell}"):
        x, before = _taken(x, before, width, "reduction", cell)
        padded = ZeroPadding2D(halving_padding(x, 3), name=f"reduction_pad_1_{cell}")(x)
        with name_scope("block_1"):
            pair = [separable(x, 5, "left1"), separable(before, 7, "right1")]
            first = add(pair, name=f"reduction_add_1_{cell}")
        with name_scope("block_2"):
            pair = [pooled(MaxPooling2D, "left2"), separable(before, 7, "right2")]
            second = add(pair, name=f"reduction_add_2_{cell}")
        with name_scope("block_3"):
            pair = [pooled(AveragePooling2D, "left3"), separable(before, 5, "right3")]
            third = add(pair, name=f"reduction_add3_{cell}")
        with name_scope("block_4"):
            fourth = add([second, _average(first, f"reduction_left4_{cell}")])
        with name_scope("block_5"):
            pair = [separable(first, 3, "left4", 1), pooled(MaxPooling2D, "right5")]
            fifth = add(pair, name=f"reduction_add4_{cell}")
        return concatenate(
            [second, third, fourth, fifth], axis=channel_axis(), name=f"reduction_concat_{cell}"
        )


def _nasnet(
    size: int, stem: int, width: int, repeats: int, skips: bool, file: str, include_top: bool
) -> Network:
    """stem, width: the channels of the first convolution and of the first normal cell. repeats: normal cells in each of three
    stages. skips: the cell after a reduction takes, beside its result, what the reduction took from the cell before the last;
    else what the reduction took from the last.
    """

    def body(x: Any) -> Any:
        x = Conv2D(
            stem, 3, strides=2, use_bias=False, kernel_initializer="he_normal", name="stem_conv1",
        )(x)  # fmt: skip
        x = _norm(x, "stem_bn1")
        x, before = _reduction(x, None, width // 4, "stem_1"), x
        x, before = _reduction(x, before, width // 2, "stem_2"), x
        for stage in range(3):
            channels, number = width * 2**stage, stage * repeats
            if stage:
                taken = x
                x = _reduction(x, before, channels, f"reduce_{number}")
                before = before if skips else taken
                number += 1  # a reduction takes a number, too
            for cell in range(number, number + repeats):
                x, before = _normal(x, before, channels, str(cell)), x
        return _relu(x)

    def top(x: Any, classes: int) -> Any:
        return Dense(classes, activation="softmax", name="predictions")(GlobalAveragePooling2D()(x))

    file = f"{file}{'' if include_top else '_no_top'}.h5"
    return Network("NASNet", body, top, size, 32, file, needs_size=True)


def NASNetMobile(
    input_shape: Any = None, include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The small network, of 12 normal and 4 reducing cells, for pictures 224 × 224. The size of the pictures has to be known.
    Arguments and errors: as `assemble`.
    """
    network = _nasnet(224, 32, 44, 4, False, "nasnet_mobile", include_top)
    return assemble(network, include_top, weights, input_tensor, input_shape, pooling, classes)


def NASNetLarge(
    input_shape: Any = None, include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None,
    pooling: str | None = None, classes: int = 1000,
) -> Model:  # fmt: skip
    """The large network, of 18 normal and 4 reducing cells, for pictures 331 × 331. The size of the pictures has to be known.
    Arguments and errors: as `assemble`.
    """
    network = _nasnet(331, 96, 168, 6, True, "nasnet_large", include_top)
    return assemble(network, include_top, weights, input_tensor, input_shape, pooling, classes)


__all__ = ["NASNetLarge", "NASNetMobile"]
