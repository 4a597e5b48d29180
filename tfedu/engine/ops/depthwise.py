"""Depthwise convolution: every channel of an image meets filters of its own. DepthwiseConv2dNative and its two gradients.

An image [n, h, w, c] meets a filter [kh, kw, c, m] with m filters for each channel; channel i gives the output's channels i·m to
i·m + m - 1. There is nothing to sum over but the window, so no matrix product helps: the kernels go through the elements of the
window, each of which meets a slice of the images. No state.
"""

# ruff: noqa: B006 - the defaults of list attributes

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.define import Sym, op
from ..op.shape_checks import HalfFloat, ints_of, invalid, of_rank, same, text_of
from ..op.windows import Slide, elements, layout_of, output_shape, slides
from .convolution import Format2D, Padding, as_images, attrs_of, channels_last, size_given, wide

LAST = layout_of("NHWC")
PART = 1 << 18  # bytes of the images that are in work at a time: they and their products stay in the cache


# -- kernels -----------------------------------------------------------------------------------------------------------


def _stride(strides: Sequence[int], data_format: str) -> int:
    """The stride along both axes. Raises: InvalidArgumentError as TF's kernels do."""
    layout = layout_of(data_format)
    if len(strides) != 4:
        raise invalid("Sliding window strides field must specify 4 dimensions")
    rows, columns = layout.pick(strides)
    if rows != columns:
        raise invalid(
            "Current implementation only supports equal length strides in the row and column dimensions.",
            "strides=[1, s, s, 1], or [1, 1, s, s] for NCHW",
        )
    if layout.others(strides) != (1, 1):
        raise invalid("Current implementation does not yet support strides in the batch and depth dimensions.")
    if rows <= 0:
        raise invalid(f"Stride must be > 0, but got {rows}")
    return rows


def _along(image: Sequence[int], filter: Sequence[int], stride: int, padding: str, data_format: str) -> tuple[Slide, ...]:
    return slides(layout_of(data_format).pick(image), filter[:2], (stride, stride), (1, 1), padding)


def _images(xp: Any, value: Any, data_format: str) -> Any:
    return wide(xp, xp.ascontiguousarray(channels_last(xp, value, layout_of(data_format))))


def _meetings(images: Any, outputs: Any, along: tuple[Slide, ...]) -> Iterator[tuple[int, Any, Any]]:
    """(number of the window's element, what it meets of images [n, h, w, c], outputs [n, p, p, c] at those places)."""
    # A GPU takes all images at once: it has other caches, and each part would be further launches.
    is_here = isinstance(images, np.ndarray)
    step = max(PART // max(outputs[:1].nbytes, images[:1].nbytes, 1), 1) if is_here else max(len(outputs), 1)
    for first in range(0, len(outputs), step):
        image, output = images[first : first + step], outputs[first : first + step]
        for i, (places, met) in enumerate(elements(LAST, along)):
            yield i, image[met], output[places]


def _times(xp: Any, values: Any, weights: Any) -> Any:
    """values [n, h, w, c] · weights [c]; these are repeated along w first, since NumPy is slow on short rows."""
    return values * (xp.ascontiguousarray(xp.broadcast_to(weights, values.shape[2:])) if xp is np else weights)


def _checked(label: str, input: tuple[int, ...], filter: tuple[int, ...], g: tuple[int, ...], data_format: str) -> None:
    """Raises: InvalidArgumentError for shapes that cannot belong together."""
    given = f"the shapes are: input {text_of(input)}, filter {text_of(filter)}, out_backprop {text_of(g)}"
    for name, shape in (("input", input), ("filter", filter), ("out_backprop", g)):
        if len(shape) != 4:
            raise invalid(f"{label}: {name} must be 4-dimensional", given)
    layout = layout_of(data_format)
    if input[0] != g[0]:
        raise invalid(f"{label}: input and out_backprop must have the same batch size", given)
    if input[layout.channels] != filter[2]:
        raise invalid(f"{label}: input and filter must have the same in_depth", given)
    if g[layout.channels] != filter[2] * filter[3]:
        raise invalid(f"{label}: depth_multiplier * in_depth not equal to out_depth", given)


def _fitting(
    label: str,
    input: tuple[int, ...],
    filter: tuple[int, ...],
    g: tuple[int, ...],
    strides: Sequence[int],
    padding: str,
    data_format: str,
) -> tuple[Slide, ...]:
    """The slides of a convolution whose input, filter and gradient have these shapes. Raises: as `_checked`."""
    stride = _stride(strides, data_format)
    _checked(label, input, filter, g, data_format)
    along = _along(input, filter, stride, padding, data_format)
    for name, s, size in zip(("rows", "cols"), along, layout_of(data_format).pick(g)):
        if s.places != size:
            raise invalid(
                f"{label}: Number of {name} of out_backprop doesn't match computed: actual = {size}, computed = {s.places}"
            )
    return along


# -- the op and its gradients ------------------------------------------------------------------------------------------


@op("DepthwiseConv2dNative", fresh=True, value_safe=True, gradient="da = g ∗ b, db = a ⋆ g")
def depthwise_conv2d_native(
    xp: Any,
    input: HalfFloat,
    filter: HalfFloat,
    *,
    strides: list[int],
    padding: Padding,
    data_format: Format2D = "NHWC",
    dilations: list[int] = [1, 1, 1, 1],
) -> HalfFloat:
    """Slides m filters over each channel of images: input [n, h, w, c], filter [kh, kw, c, m] -> [n, places, places, c·m].

    dilations: without effect, as on the processors of TF 1.15.

    Raises: InvalidArgumentError when the numbers of channels differ, and for different strides along h and w.
    Differs from TF: also computes NCHW, which TF 1.15 leaves to GPUs.
    """
    stride = _stride(strides, data_format)
    if input.ndim != 4:
        raise invalid(f"input must be 4-dimensional{text_of(input.shape)}")
    if filter.ndim != 4:
        raise invalid(f"filter must be 4-dimensional: {text_of(filter.shape)}")
    channels = input.shape[layout_of(data_format).channels]
    if channels != filter.shape[2]:
        raise invalid(f"input and filter must have the same depth: {channels} vs {filter.shape[2]}")
    along = _along(input.shape, filter.shape, stride, padding, data_format)
    images, kernel = _images(xp, input, data_format), wide(xp, filter)
    sizes = (len(images), *[s.places for s in along])
    out = xp.zeros((filter.shape[3], *sizes, channels), images.dtype)
    for m, sums in enumerate(out):
        weights = kernel[..., m].reshape(filter.shape[0] * filter.shape[1], channels)
        for i, met, sums_there in _meetings(images, sums, along):
            sums_there += _times(xp, met, weights[i])
    out = xp.moveaxis(out, 0, -1).reshape(*sizes, channels * filter.shape[3])
    return as_images(xp, out, layout_of(data_format), input.dtype)


@depthwise_conv2d_native.shape
def _(input: Sym, filter: Sym, *, strides: Any, padding: str, data_format: str, dilations: Any) -> Shape:
    shape = of_rank(input.shape, 4, "the input is [n, h, w, c]; tf.reshape and tf.expand_dims make it so")
    window = of_rank(filter.shape, 4, "the filter is [kh, kw, c, m], with m filters for each channel")
    if len(strides) != 4:
        raise ShapeMismatch(f"DepthwiseConv2D requires the stride attribute to contain 4 values, but got: {len(strides)}")
    layout = layout_of(data_format)
    channels = same(shape[layout.channels], window[2])
    for stride in layout.pick(strides):
        if stride <= 0:
            raise ShapeMismatch(f"Stride must be > 0, but got {stride}")
    outputs = None if channels is None or window[3] is None else channels * window[3]
    known = None if input.shape is None else shape
    return output_shape(layout, known, window[:2], layout.pick(strides), (1, 1), padding, outputs)


@op("DepthwiseConv2dNativeBackpropInput", fresh=True, value_safe=True)
def depthwise_conv2d_native_backprop_input(
    xp: Any,
    input_sizes: dtypes.int32,
    filter: HalfFloat,
    out_backprop: HalfFloat,
    *,
    strides: list[int],
    padding: Padding,
    data_format: Format2D = "NHWC",
    dilations: list[int] = [1, 1, 1, 1],
) -> HalfFloat:
    """The gradient of DepthwiseConv2dNative with respect to its input, of shape input_sizes [4]: filter [kh, kw, c, m],
    out_backprop [n, places, places, c·m] -> [n, h, w, c].

    Raises: InvalidArgumentError for sizes that do not belong together.
    Differs from TF: also computes NCHW, which TF 1.15 leaves to GPUs.
    """
    label = "DepthwiseConv2DBackpropInput"
    if input_sizes.ndim != 1:
        raise invalid(f"{label}: input_sizes input must be 1-dim, not {input_sizes.ndim}")
    shape = ints_of(input_sizes)
    for i, size in enumerate(shape):
        if size < 0:
            raise invalid(f"Dimension {i} of input_sizes must be >= 0")
    along = _fitting(label, shape, filter.shape, out_backprop.shape, strides, padding, data_format)
    kernel, g = wide(xp, filter), _images(xp, out_backprop, data_format)
    out = xp.zeros((len(g), *[s.size for s in along], filter.shape[2]), g.dtype)
    for m, part in enumerate(_multiples(xp, g, filter.shape[3])):
        weights = kernel[..., m].reshape(filter.shape[0] * filter.shape[1], filter.shape[2])
        for i, met, g_there in _meetings(out, part, along):
            met += _times(xp, g_there, weights[i])
    return as_images(xp, out, layout_of(data_format), out_backprop.dtype)


def _multiples(xp: Any, g: Any, count: int) -> Any:
    """The outputs of each of the filters that a channel has: [n, p, p, c·m] -> [m, n, p, p, c]."""
    return xp.ascontiguousarray(xp.moveaxis(g.reshape(*g.shape[:3], g.shape[3] // max(count, 1), count), -1, 0))


depthwise_conv2d_native_backprop_input.shape(lambda input_sizes, filter, out_backprop, **attrs: size_given(input_sizes, 4))


@op("DepthwiseConv2dNativeBackpropFilter", fresh=True, value_safe=True)
def depthwise_conv2d_native_backprop_filter(
    xp: Any,
    input: HalfFloat,
    filter_sizes: dtypes.int32,
    out_backprop: HalfFloat,
    *,
    strides: list[int],
    padding: Padding,
    data_format: Format2D = "NHWC",
    dilations: list[int] = [1, 1, 1, 1],
) -> HalfFloat:
    """The gradient of DepthwiseConv2dNative with respect to its filter, of shape filter_sizes [4]: input [n, h, w, c],
    out_backprop [n, places, places, c·m] -> [kh, kw, c, m].

    Raises: InvalidArgumentError for sizes that do not belong together.
    Differs from TF: also computes NCHW, which TF 1.15 leaves to GPUs.
    """
    label = "DepthwiseConv2DBackpropFilter"
    if filter_sizes.ndim != 1:
        raise invalid(f"{label}: filter_sizes input must be 1-dim, not {filter_sizes.ndim}")
    shape = ints_of(filter_sizes)
    for i, size in enumerate(shape):
        if size < 0:
            raise invalid(f"Dimension {i} of filter_sizes must be >= 0")
    along = _fitting(label, input.shape, shape, out_backprop.shape, strides, padding, data_format)
    images, g = (_images(xp, value, data_format) for value in (input, out_backprop))
    out = xp.zeros((shape[0] * shape[1], shape[2], shape[3]), g.dtype)
    for m, part in enumerate(_multiples(xp, g, shape[3])):
        for i, met, g_there in _meetings(images, part, along):
            out[i, :, m] += (met * g_there).sum((0, 1, 2))
    return out.reshape(shape).astype(out_backprop.dtype, copy=False)


depthwise_conv2d_native_backprop_filter.shape(
    lambda input, filter_sizes, out_backprop, **attrs: size_given(filter_sizes, 4)
)


@depthwise_conv2d_native.grad
def _(op: Any, g: Any) -> Any:
    input, filter = op.inputs
    attrs = attrs_of(op)
    return (
        depthwise_conv2d_native_backprop_input(functions.shape(input), filter, g, **attrs),
        depthwise_conv2d_native_backprop_filter(input, functions.shape(filter), g, **attrs),
    )


@depthwise_conv2d_native_backprop_input.grad
def _(op: Any, g: Any) -> Any:
    _, filter, dy = op.inputs
    attrs = attrs_of(op)
    return (
        None,
        depthwise_conv2d_native_backprop_filter(g, functions.shape(filter), dy, **attrs),
        depthwise_conv2d_native(g, filter, **attrs),
    )


@depthwise_conv2d_native_backprop_filter.grad
def _(op: Any, g: Any) -> Any:
    input, _, dy = op.inputs
    attrs = attrs_of(op)
    return (
        depthwise_conv2d_native_backprop_input(functions.shape(input), g, dy, **attrs),
        None,
        depthwise_conv2d_native(input, g, **attrs),
    )
