"""Convolution with holes: `tf.nn.convolution`, `atrous_conv2d`, and `with_space_to_batch`, by which other ops get dilations too.

A window whose elements are r apart meets only every r-th element. So the images are taken apart into r·r smaller ones in the
batch, the plain op slides over these, and its outputs are put together again. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.infer import constant_value
from ...ops import blocks as block_ops
from ...ops import convolution as ops
from ..arrays import array, blocks
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from .convolution import channels_axis, conv2d_transpose, each_axis, plain_convolution


@atomic
def convolution(
    input: Any,
    filter: Any,
    padding: Any,
    strides: Any = None,
    dilation_rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """Slides filters over sequences, images or volumes, as the rank says: input [n, s..., c], filter [k..., c, o] -> [n,
    places..., o].

    strides, dilation_rate: one number, or one for each spatial axis; only one of them may be above 1. data_format: "NC..." for
    input [n, c, s...]. filters, dilations: the newer names of filter and dilation_rate.

    Raises: ValueError for a rank that is unknown or not 3, 4 or 5, and for arguments that do not fit.
    """
    filter = renamed("filters", filters, "filter", filter)
    rate = renamed("dilations", dilations, "dilation_rate", dilation_rate)
    with named(name, "convolution", [input, filter]) as scope:
        input, filter = convert_to_tensor(input, name="input"), convert_to_tensor(filter, name="filter")
        raw = input.raw_shape if input.raw_shape is not None else filter.raw_shape
        if raw is None:
            raise ValueError(error_text("rank of input or filter must be known", [input, filter]))
        if len(raw) not in (3, 4, 5):
            raise ValueError(error_text(f"Input tensor must be of rank 3, 4 or 5 but was {len(raw)}.", [input]))
        spatial = len(raw) - 2
        channels = channels_axis(data_format, spatial)
        strides = each_axis(strides, spatial, channels, "strides")
        rates = each_axis(rate, spatial, channels, "dilations")
        if min(rates) < 1:
            raise ValueError(error_text("all values of dilation_rate must be positive"))
        if max(rates) == 1:
            return plain_convolution(input, filter, spatial, strides, padding, data_format, scope)
        if max(strides) > 1:
            raise ValueError(error_text("strides > 1 not supported in conjunction with dilation_rate > 1"))
        _check_channels(input, filter, channels)
        return with_space_to_batch(
            input, [rates[i] for i in range(1, spatial + 2) if i != channels], padding,
            lambda images, _, padding: plain_convolution(images, filter, spatial, strides, padding, data_format, scope),
            filter_shape=filter.shape, data_format=data_format,
        )  # fmt: skip


def _check_channels(input: Tensor, filter: Tensor, axis: int) -> None:
    if input.raw_shape is None or filter.raw_shape is None or len(filter.raw_shape) != len(input.raw_shape):
        return
    found, wanted = input.raw_shape[axis], filter.raw_shape[-2]
    if found is not None and wanted is not None and found != wanted:
        raise ValueError(
            error_text(
                f"number of input channels does not match corresponding dimension of filter, {found} != {wanted}",
                [input, filter],
            )
        )


@atomic
def atrous_conv2d(value: Any, filters: Any, rate: Any, padding: Any, name: str | None = None) -> Tensor:
    """conv2d whose filter's elements are `rate` apart: value [n, h, w, c], filters [kh, kw, c, o] -> [n, places, places, o].

    Raises: ValueError for shapes, a rate or padding that do not fit.
    """
    return convolution(value, filters, padding, dilation_rate=[rate, rate], name=name)


# -- taking images apart ---------------------------------------------------------------------------------------------


@atomic
def with_space_to_batch(
    input: Any,
    dilation_rate: Any,
    padding: Any,
    op: Callable[[Tensor, int, str], Any],
    filter_shape: Any = None,
    spatial_dims: Any = None,
    data_format: str | None = None,
) -> Tensor:
    """Applies an op that slides a window, with the window's elements dilation_rate [m] apart: input [n, s..., c] -> [n,
    places..., o].

    op(input, m, padding): the op without dilations. filter_shape [m, ...]: the window's, for padding "SAME". spatial_dims: the m
    axes, counted from 0. data_format: "NC..." for input [n, c, s...].

    Raises: ValueError for arguments that do not fit.
    """
    input = convert_to_tensor(input, name="input")
    rate = convert_to_tensor(dilation_rate, dtypes.int32, name="dilation_rate")
    if rate.raw_shape is None or len(rate.raw_shape) != 1:
        raise ValueError(error_text("rate must be rank 1", [rate]))
    if rate.raw_shape[0] is None:
        raise ValueError(error_text("rate must have known static shape", [rate]))
    count = rate.raw_shape[0]
    channels_first = data_format is not None and data_format.startswith("NC")
    axes = _spatial_axes(input, spatial_dims, count, 2 if channels_first else 1)
    known_rate = constant_value(rate)
    if known_rate is not None:
        if (known_rate < 1).any():
            raise ValueError(error_text("dilation_rate must be positive", [rate]))
        if (known_rate == 1).all():
            out: Tensor = op(input, count, padding)
            return out
    around = _padding_around(padding, filter_shape, count, rate if known_rate is None else known_rate)
    paddings, crops = blocks.required_space_to_batch_paddings(_sizes(input, axes), rate, base_paddings=around)
    # Axes between the spatial ones are blocks of 1, which are not padded.
    block = _spread_out(rate, 1, axes)
    paddings, crops = _spread_out(paddings, 0, axes), _spread_out(crops, 0, axes)
    parts = op(block_ops.space_to_batch_nd(input, block, paddings), count, "VALID")
    whole: Tensor = block_ops.batch_to_space_nd(parts, block, crops)
    if channels_first and whole.raw_shape is not None and parts.raw_shape is not None:
        whole.set_shape([whole.raw_shape[0], parts.raw_shape[1], *whole.raw_shape[2:]])
    return whole


def _spatial_axes(input: Tensor, spatial_dims: Any, count: int, first: int) -> list[int]:
    axes = list(range(first, first + count)) if spatial_dims is None else [int(axis) for axis in spatial_dims]
    if axes != sorted(set(axes)) or any(axis < 1 for axis in axes):
        raise ValueError(
            error_text("spatial_dims must be a montonically increasing sequence of positive integers", [input])
        )
    if len(axes) != count:
        raise ValueError(error_text(f"Shapes ({len(axes)},) and [{count}] are incompatible", [input]))
    if input.raw_shape is not None and len(input.raw_shape) <= axes[-1]:
        raise ValueError(error_text(f"input tensor must have rank {axes[-1] + 1} at least", [input]))
    return axes


def _padding_around(padding: Any, filter_shape: Any, count: int, rate: Any) -> Any:
    """The padding [m, 2] of the undivided images. rate: a tensor, or its value."""
    if padding == "VALID":
        return np.zeros([count, 2], np.int32)
    if padding != "SAME":
        raise ValueError(error_text(f"Invalid padding method {padding!r}"))
    if filter_shape is None:
        raise ValueError(error_text("filter_shape must be specified for SAME padding"))
    shape = convert_to_tensor(filter_shape, name="filter_shape")
    known = constant_value(shape)
    window = (shape if known is None else known)[:count]
    extent = window + (window - 1) * (rate - 1)
    total = extent - 1
    before = total // 2
    after = total - before
    return array.stack([[before[i], after[i]] for i in range(count)])


def _sizes(input: Tensor, axes: list[int]) -> Any:
    """The sizes of those axes [m], known or as tensors."""
    raw = input.raw_shape
    known = None if raw is None else [raw[axis] for axis in axes]
    if known is not None and None not in known:
        return np.array(known, np.int32)
    sizes = array.shape(input)
    return array.stack([sizes[axis] for axis in axes])


def _spread_out(values: Tensor, fill: int, axes: Sequence[int]) -> Any:
    """The rows of `values` at their axes, counted from axis 1, and `fill` for the axes between."""
    known = constant_value(values)
    if known is not None:
        whole = np.full((axes[-1], *known.shape[1:]), fill, known.dtype)
        whole[np.array(axes) - 1] = known
        return whole
    width = (values.raw_shape or ())[1:]
    pieces: list[Any] = []
    start, axis = 0, 1
    while start < len(axes):
        if axes[start] > axis:
            pieces.append(np.full((axes[start] - axis, *width), fill, np.int32))
        end = start + 1
        while end < len(axes) and axes[end] == axes[end - 1] + 1:
            end += 1
        pieces.append(values[start:end])
        axis, start = axes[end - 1] + 1, end
    return array.concat(pieces, 0)


# -- transposed ------------------------------------------------------------------------------------------------------


@atomic
def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: Any, padding: Any, name: str | None = None
) -> Tensor:
    """The gradient of atrous_conv2d as a layer: value [n, places, places, o], filters [kh, kw, c, o] -> output_shape, [n, h,
    w, c].

    Raises: ValueError for shapes, a rate or padding that do not fit.
    """
    with named(name, "atrous_conv2d_transpose", [value, filters, output_shape]):
        value = convert_to_tensor(value, name="value")
        filters = convert_to_tensor(filters, name="filters")
        _check_transposed(value, filters)
        if rate < 1:
            raise ValueError(error_text(f"rate {rate} cannot be less than one"))
        if rate == 1:
            return conv2d_transpose(value, filters, output_shape, strides=[1, 1, 1, 1], padding=padding)
        sizes = _output_sizes(output_shape, filters)
        (top, bottom), (left, right) = _surroundings(filters, rate, padding)
        height, width = sizes[1] + top + bottom, sizes[2] + left + right
        # Below and on the right, so much more that blocks of rate · rate fit.
        more_below, more_right = (rate - height % rate) % rate, (rate - width % rate) % rate
        parts = blocks.space_to_batch(value, [[0, more_below], [0, more_right]], block_size=rate)
        part_sizes = [rate * rate * sizes[0], (height + more_below) // rate, (width + more_right) // rate, sizes[3]]
        parts = ops.conv2d_backprop_input(part_sizes, filters, parts, strides=[1, 1, 1, 1], padding="VALID")
        return blocks.batch_to_space(parts, [[top, bottom + more_below], [left, right + more_right]], block_size=rate)


def _check_transposed(value: Tensor, filters: Tensor) -> None:
    for tensor in (value, filters):
        tensor.shape.assert_has_rank(4)
    found, wanted = (None if t.raw_shape is None else t.raw_shape[3] for t in (value, filters))
    if found is not None and wanted is not None and found != wanted:
        raise ValueError(
            error_text(
                f"value's input channels does not match filters' input channels, {found} != {wanted}", [value, filters]
            )
        )


def _output_sizes(output_shape: Any, filters: Tensor) -> Any:
    """The four sizes, as numbers if the program gave numbers, else a tensor."""
    tensor = convert_to_tensor(output_shape, name="output_shape")
    if tensor.raw_shape is not None and tensor.raw_shape != (4,):
        raise ValueError(error_text(f"output_shape must have shape (4,), got {tensor.shape}", [tensor]))
    if isinstance(output_shape, Tensor):
        return tensor
    channels = None if filters.raw_shape is None else filters.raw_shape[2]
    if channels is not None and channels != output_shape[3]:
        raise ValueError(
            error_text(f"output_shape does not match filter's output channels, {output_shape[3]} != {channels}", [filters])
        )
    return [int(size) for size in output_shape]


def _surroundings(filters: Tensor, rate: int, padding: Any) -> Any:
    """((before, after) along h, along w) of the convolution that is transposed."""
    if padding == "VALID":
        return (0, 0), (0, 0)
    if padding != "SAME":
        raise ValueError(error_text(f"padding must be either VALID or SAME: {padding}"))
    raw = filters.raw_shape
    if raw is not None and None not in raw:
        height, width = raw[:2]
    else:
        shape = array.shape(filters)
        height, width = shape[0], shape[1]
    extents = [size + (size - 1) * (rate - 1) for size in (height, width)]
    totals = [extent - 1 for extent in extents]
    return [(total // 2, total - total // 2) for total in totals]
