"""`tf.nn.depthwise_conv2d` and `separable_conv2d`: filters that slide over each channel by itself, as in TF 1.15. No state."""

# ruff: noqa: B006 - the default dilations are lists in TF's signatures

from __future__ import annotations

from typing import Any

from ...base import log
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...ops import convolution, depthwise
from ..arrays import array
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from .atrous import with_space_to_batch


def _with_rate(
    input: Tensor, filter: Tensor, strides: Any, padding: Any, rate: Any, data_format: str | None, name: str
) -> Tensor:
    """The depthwise convolution with its window's elements `rate` apart."""

    def plain(images: Tensor, _: int, padding: str) -> Tensor:
        out: Tensor = depthwise.depthwise_conv2d_native(
            images, filter, strides=strides, padding=padding, data_format=data_format or "NHWC", name=name
        )
        return out

    shape = array.shape(filter)
    return with_space_to_batch(
        input, [1, 1] if rate is None else rate, padding, plain, filter_shape=shape, data_format=data_format
    )


@atomic
def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """Slides m filters over each channel of images: input [n, h, w, c], filter [kh, kw, c, m] -> [n, places, places, c·m].

    strides: one for each axis. rate: how far apart the window's elements are along h and w; dilations is its newer name.

    Raises: ValueError for shapes, strides or padding that do not fit.
    """
    rate = renamed("dilations", dilations, "rate", rate)
    with named(name, "depthwise", [input, filter]) as scope:
        input = convert_to_tensor(input, name="tensor_in")
        filter = convert_to_tensor(filter, name="filter_in")
        return _with_rate(input, filter, strides, padding, rate, data_format, scope)


@atomic
def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: Any,
    rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """A depthwise convolution, whose channels a 1 x 1 convolution then mixes: input [n, h, w, c], depthwise_filter [kh, kw,
    c, m], pointwise_filter [1, 1, c·m, o] -> [n, places, places, o].

    strides: one for each axis. rate: how far apart the window's elements are along h and w; dilations is its newer name.

    Raises: ValueError for shapes, strides or padding that do not fit.
    """
    rate = renamed("dilations", dilations, "rate", rate)
    with named(name, "separable_conv2d", [input, depthwise_filter, pointwise_filter]) as scope:
        input = convert_to_tensor(input, name="tensor_in")
        depthwise_filter = convert_to_tensor(depthwise_filter, name="depthwise_filter")
        pointwise_filter = convert_to_tensor(pointwise_filter, name="pointwise_filter")
        window = pointwise_filter.shape.with_rank(4)
        for axis in (0, 1):
            window[axis].assert_is_compatible_with(1)
        channels = _with_rate(input, depthwise_filter, strides, padding, rate, data_format, "depthwise")
        out: Tensor = convolution.conv2d(
            channels, pointwise_filter, strides=[1, 1, 1, 1], padding="VALID", data_format=data_format or "NHWC", name=scope
        )
        return out


# -- the ops themselves ----------------------------------------------------------------------------------------------


def _warn_of(dilations: Any) -> None:
    if any(dilation != 1 for dilation in dilations or ()):
        log.warn(
            "The dilations of depthwise_conv2d_native and of its gradients have no effect, as on the processors of TF 1.15. "
            "tf.nn.depthwise_conv2d has a rate."
        )


@atomic
def depthwise_conv2d_native(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = [1, 1, 1, 1],
    name: str | None = None,
) -> Tensor:
    """depthwise_conv2d without rates: input [n, h, w, c], filter [kh, kw, c, m] -> [n, places, places, c·m].

    dilations: without effect, as on the processors of TF 1.15.
    """
    _warn_of(dilations)
    out: Tensor = depthwise.depthwise_conv2d_native(
        input, filter, strides=strides, padding=padding, data_format=data_format, dilations=dilations, name=name
    )
    return out


@atomic
def depthwise_conv2d_native_backprop_input(
    input_sizes: Any,
    filter: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = [1, 1, 1, 1],
    name: str | None = None,
) -> Tensor:
    """The gradient of depthwise_conv2d_native with respect to its input, of shape input_sizes [4]: filter [kh, kw, c, m],
    out_backprop [n, places, places, c·m] -> [n, h, w, c].
    """
    _warn_of(dilations)
    out: Tensor = depthwise.depthwise_conv2d_native_backprop_input(
        input_sizes, filter, out_backprop, strides=strides, padding=padding, data_format=data_format, dilations=dilations,
        name=name,
    )  # fmt: skip
    return out


@atomic
def depthwise_conv2d_native_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = [1, 1, 1, 1],
    name: str | None = None,
) -> Tensor:
    """The gradient of depthwise_conv2d_native with respect to its filter, of shape filter_sizes [4]: input [n, h, w, c],
    out_backprop [n, places, places, c·m] -> [kh, kw, c, m].
    """
    _warn_of(dilations)
    out: Tensor = depthwise.depthwise_conv2d_native_backprop_filter(
        input, filter_sizes, out_backprop, strides=strides, padding=padding, data_format=data_format, dilations=dilations,
        name=name,
    )  # fmt: skip
    return out


depthwise_conv2d_backprop_input = depthwise_conv2d_native_backprop_input
depthwise_conv2d_backprop_filter = depthwise_conv2d_native_backprop_filter

__all__ = [
    "depthwise_conv2d", "depthwise_conv2d_backprop_filter", "depthwise_conv2d_backprop_input", "depthwise_conv2d_native",
    "depthwise_conv2d_native_backprop_filter", "depthwise_conv2d_native_backprop_input", "separable_conv2d",
]  # fmt: skip
