"""Layers on quantized tensors: QuantizedConv2D, QuantizedMaxPool, QuantizedAvgPool, QuantizedReluX, QuantizedConcat.

Each takes integers and the ranges that they stand for, computes with the integers alone, and says which range its result stands
for; `engine/op/quantized.py` has the arithmetic. No state.
"""

# ruff: noqa: B006 - the defaults of list attributes

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ..base import dtypes
from ..base.dtypes import as_dtype
from ..base.shapes import Shape
from ..op import pools
from ..op.define import Many, Sym, op, typevar
from ..op.quantized import QUANTIZED, as_quantized, at_steps, from_steps, whole_of
from ..op.shape_checks import Any_, invalid, of_rank, unimplemented
from .convolution import conv2d
from .joining import concat
from .pooling import pooled_rule, slides_along

Quantized = typevar("T", QUANTIZED)
Padding = Literal["SAME", "VALID"]
Scalar = dtypes.float32


def _scalars(ranges: Any) -> None:
    for limit in ranges:
        of_rank(limit.shape, 0)


# -- convolution -----------------------------------------------------------------------------------------------------------


@op("QuantizedConv2D", out="output min_output max_output", fresh=True)
def quantized_conv2d(
    xp: Any,
    input: typevar("Tinput", QUANTIZED),
    filter: typevar("Tfilter", QUANTIZED),
    min_input: Scalar,
    max_input: Scalar,
    min_filter: Scalar,
    max_filter: Scalar,
    *,
    out_type: typevar("out_type", QUANTIZED) = dtypes.qint32,
    strides: list[int],
    padding: Padding,
    dilations: list[int] = [1, 1, 1, 1],
) -> tuple["out_type", Scalar, Scalar]:  # noqa: F821
    """Slides filters over images: input [n, h, w, c], filter [kh, kw, c, o] -> qint32 [n, places, places, o] and its range.

    Raises: UnimplementedError for other types than quint8 to qint32 and for dilations, as TF's kernel.
    """
    images, kernel = whole_of(input), whole_of(filter)
    if not images.dtype == kernel.dtype == np.uint8 or out_type is not dtypes.qint32:
        raise unimplemented(f"QuantizedConv2D takes quint8 and gives qint32, not {as_dtype(input.dtype).name}")
    if any(rate != 1 for rate in dilations):
        raise invalid("Current implementation only supports dilated rate as 1 in the row and column dimensions.")
    # A product of two of these differences has 17 bits: float64 adds them without loss.
    zero = _step_of_zero(min_input, max_input)
    # The padding is the byte of that step; where the range does not hold 0, it stands for another number, by so many steps:
    beyond = zero % 256 - zero
    left = images.astype(np.float64) - zero - beyond
    right = kernel.astype(np.float64) - _step_of_zero(min_filter, max_filter)
    run = conv2d.definition.kernel
    sums = run(xp, left, right, strides=strides, padding=padding) + beyond * right.sum(axis=(0, 1, 2))
    one = np.float32(_step(min_input, max_input) * _step(min_filter, max_filter))
    limits = np.iinfo(np.int32)
    return as_quantized(sums.astype(np.int32), out_type), np.float32(one * limits.min), np.float32(one * limits.max)


def _step(low: Any, high: Any) -> Any:
    """The float that a step of quint8 stands for."""
    return np.float32((high - low) / np.float32(255))


def _step_of_zero(low: Any, high: Any) -> int:
    """The quint8 that stands for 0.0; it may lie outside the type."""
    if low == high:
        return 0
    scale = 255 / (float(high) - float(low))
    return int(np.floor(abs(low * scale) + 0.5) * (1 if low <= 0 else -1))


@quantized_conv2d.shape
def _(input: Sym, filter: Sym, *ranges: Sym, out_type: Any, **attrs: Any) -> tuple[Shape, Shape, Shape]:
    _scalars(ranges)
    rule = conv2d.definition.shape_rule
    usual = {"use_cudnn_on_gpu": True, "explicit_paddings": [], "data_format": "NHWC"}
    return rule(input, filter, **usual, **attrs), (), ()


# -- pooling ---------------------------------------------------------------------------------------------------------------


def _pooled(name: str) -> Any:
    rule = pooled_rule(name)

    def shape(input: Sym, min_input: Sym, max_input: Sym, *, ksize: Any, strides: Any, padding: str) -> tuple[Shape, ...]:
        _scalars((min_input, max_input))
        return rule(input, ksize=ksize, strides=strides, padding=padding, data_format="NHWC"), (), ()

    return op(name, out="output min_output max_output", shape=shape, fresh=True)


def _bytes_of(values: Any) -> Any:
    whole = whole_of(values)
    if whole.dtype != np.uint8:
        raise unimplemented(f"quantized pooling takes quint8, not {as_dtype(values.dtype).name}")
    return whole


@_pooled("QuantizedMaxPool")
def quantized_max_pool(
    xp: Any, input: Quantized, min_input: Scalar, max_input: Scalar, *, ksize: list[int], strides: list[int], padding: Padding
) -> tuple[Quantized, Scalar, Scalar]:
    """The largest integer of each window: quint8 [n, h, w, c] -> [n, places, places, c] in the same range.

    Raises: UnimplementedError for other types than quint8, as TF's kernel.
    """
    whole = _bytes_of(input)
    layout, along = slides_along(whole.shape, ksize, strides, padding, "NHWC")
    largest = pools.combined(xp, whole, layout, along, xp.maximum, np.uint8(0))
    return as_quantized(largest, dtypes.quint8), min_input, max_input


@_pooled("QuantizedAvgPool")
def quantized_avg_pool(
    xp: Any, input: Quantized, min_input: Scalar, max_input: Scalar, *, ksize: list[int], strides: list[int], padding: Padding
) -> tuple[Quantized, Scalar, Scalar]:
    """The mean of each window, rounded down: quint8 [n, h, w, c] -> [n, places, places, c] in the same range.

    Raises: UnimplementedError for other types than quint8, as TF's kernel.
    """
    whole = _bytes_of(input)
    layout, along = slides_along(whole.shape, ksize, strides, padding, "NHWC")
    total = pools.combined(xp, whole.astype(np.int32), layout, along, xp.add, 0)
    mean = total // xp.asarray(pools.counts(xp, layout, along, whole.ndim), np.int32)
    return as_quantized(mean.astype(np.uint8), dtypes.quint8), min_input, max_input


# -- the rest --------------------------------------------------------------------------------------------------------------


def _relu_shape(features: Sym, *limits: Sym, out_type: Any) -> tuple[Shape, Shape, Shape]:
    _scalars(limits)
    return features.shape, (), ()


@op("QuantizedReluX", out="activations min_activations max_activations", shape=_relu_shape, fresh=True, role="activation")
def quantized_relu_x(
    xp: Any,
    features: typevar("Tinput", QUANTIZED),
    max_value: Scalar,
    min_features: Scalar,
    max_features: Scalar,
    *,
    out_type: typevar("out_type", QUANTIZED) = dtypes.quint8,
) -> tuple["out_type", Scalar, Scalar]:  # noqa: F821
    """min(max(x, 0), max_value) of the floats that integers stand for: any shape, three scalars -> the same shape and range.

    Raises: UnimplementedError for an out_type of another width than the input's.
    Differs from TF: its 1.15 has the op without a kernel.
    """
    whole = whole_of(features)
    if out_type.numpy != features.dtype:
        raise unimplemented(f"QuantizedReluX of {as_dtype(features.dtype).name} gives the same type, not {out_type.name}")
    ends = np.asarray([0, max_value], np.float32)
    least, most = at_steps(xp, ends, np.float32(min_features), np.float32(max_features), np.iinfo(whole.dtype))
    return as_quantized(xp.minimum(xp.maximum(whole, least), most), out_type), min_features, max_features


@op("QuantizedConcat", out="output output_min output_max", fresh=True)
def quantized_concat(
    xp: Any,
    concat_dim: dtypes.int32,
    values: Many[Any_, "N", 2],  # noqa: F821
    input_mins: Many[Scalar, "N", 2],  # noqa: F821
    input_maxes: Many[Scalar, "N", 2],  # noqa: F821
) -> tuple[Any_, Scalar, Scalar]:
    """Joins quantized tensors along an axis, in the range that holds all of theirs: each of them is moved to its steps.

    concat_dim: scalar, 0 or more; the values have the same shape but along it. The range begins at 0 or below; that of signed
    integers has 0 in the middle.

    Raises: InvalidArgumentError for an axis that the values do not have.
    """
    rank = values[0].ndim
    if not 0 <= concat_dim < rank:
        raise invalid(f"ConcatOp : Expected concatenating dimensions in the range [0, {rank}), but got {int(concat_dim)}")
    kind = as_dtype(values[0].dtype)
    limits = np.iinfo(whole_of(values[0]).dtype)
    low = np.float32(min(0, *[float(x) for x in input_mins]))
    high = np.float32(max(float(x) for x in input_maxes))
    if limits.min < 0:
        high = max(high, -low)
        low = -high
    moved = []
    for value, old_low, old_high in zip(values, input_mins, input_maxes):
        whole = whole_of(value)
        if (old_low, old_high) != (low, high):
            floats = from_steps(xp, whole, np.float32(old_low), np.float32(old_high))
            whole = at_steps(xp, floats, low, high, limits)
        moved.append(whole)
    return as_quantized(concat.definition.kernel(xp, concat_dim, moved), kind), low, high


@quantized_concat.shape
def _(concat_dim: Sym, values: list[Sym], input_mins: list[Sym], input_maxes: list[Sym]) -> tuple[Shape, Shape, Shape]:
    _scalars((*input_mins, *input_maxes))
    return concat.definition.shape_rule(concat_dim, values), (), ()
