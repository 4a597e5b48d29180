"""`tf.repeat`: each element, or each slice along an axis, a number of times in a row. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...ops import array as ops
from ...ops import math as math_ops
from ...ops import reduce as reduce_ops
from ..framework.scope_blocks import named
from .array import broadcast_to, concat, expand_dims, ones, rank, reshape, shape, stack
from .constructors import all_axes, sequence_mask
from .slicing import boolean_mask, getitem


@atomic
def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """Each slice along an axis repeats[i] times in a row: [n, ...] with axis 0 and repeats [n] ->
    [sum(repeats), ...].

    axis: None repeats the elements of the flattened input. repeats: a scalar, or one number for each slice.

    Raises: TypeError for an axis that is not an int or repeats that are not integers, ValueError for an axis out of
    range.
    """
    if axis is None:
        input, axis = reshape(input, [-1]), 0
    if not isinstance(axis, int):
        raise TypeError(error_text(f"axis must be an int; got {type(axis).__name__}"))
    with named(name, "Repeat", [input, repeats]):
        data = convert_to_tensor(input, name="data")
        counts = convert_to_tensor(repeats, name="repeats", preferred_dtype=dtypes.int32)
        if not counts.dtype.is_integer:
            raise TypeError(
                error_text(f"repeats must be an integer tensor; dtype=<dtype: '{counts.dtype.name}'>")
            )
        if counts.dtype.base_dtype is not dtypes.int32:
            counts = math_ops.cast(counts, DstT=dtypes.int32)
        counts.shape.with_rank_at_most(1)
        data = _at_least_vector(data)
        sizes = shape(data)
        position = _nonnegative_axis(axis, data.raw_shape)
        known = counts.raw_shape
        if known is not None and len(known) == 1 and data.raw_shape is not None:
            data.shape[position].assert_is_compatible_with(known[0])
        if known == ():
            tiled = _tile_axis(expand_dims(data, position + 1), position + 1, counts)
            return reshape(tiled, concat([sizes[:position], [-1], sizes[position + 1 :]], axis=0))
        if known is None or len(known) != position + 1:
            counts_shape = concat([sizes[: position + 1 - rank(counts)], shape(counts)], axis=0)
            counts = broadcast_to(counts, counts_shape)
            counts.set_shape([None] * (position + 1))
        largest = math_ops.maximum(0, reduce_ops.max_(counts, all_axes(counts)))
        mask = sequence_mask(counts, largest)
        result = boolean_mask(_tile_axis(expand_dims(data, position + 1), position + 1, largest), mask)
        if position:
            result = reshape(result, concat([sizes[:position], [-1], sizes[position + 1 :]], axis=0))
        if data.raw_shape is not None:
            length = 0 if counts.raw_shape is not None and counts.raw_shape[0] == 0 else None
            result.set_shape((*data.raw_shape[:position], length, *data.raw_shape[position + 1 :]))
        return result


def _at_least_vector(data: Tensor) -> Tensor:
    if data.raw_shape is None:
        return reshape(data, getitem(concat([[1], shape(data)], axis=0), slice(-rank(data), None)))
    return data if data.raw_shape else stack([data])


def _nonnegative_axis(axis: int, raw: Any) -> int:
    if raw is None:
        if axis < 0:
            raise ValueError(error_text("axis may only be negative if ndims is statically known."))
        return axis
    count = len(raw)
    if not -count <= axis < count:
        raise ValueError(error_text(f"axis={axis} out of bounds: expected {-count}<=axis<{count}"))
    return axis + count if axis < 0 else axis


def _tile_axis(data: Tensor, axis: int, times: Any) -> Tensor:
    """The tensor tiled along one axis."""
    multiples: Any
    if data.raw_shape is not None:
        multiples = [times if i == axis else 1 for i in range(len(data.raw_shape))]
    else:
        ones_vector = ones(rank(data), dtypes.int32)
        multiples = concat([ones_vector[:axis], [times], ones_vector[axis + 1 :]], axis=0)
    return ops.tile(data, multiples)
