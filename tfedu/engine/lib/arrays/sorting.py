"""`tf.sort`, `tf.argsort`, `tf.searchsorted`, all built of TopKV2, LowerBound and UpperBound. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...op.infer import constant_value
from ...ops import gather as gather_ops
from ...ops import math as math_ops
from ...ops import sequences as sequence_ops
from ..control import cond
from ..framework.scope_blocks import named
from ..math.math import less, less_equal
from ..math.reductions import reduce_all
from . import array, slicing
from .array import concat, rank, reshape, shape, transpose
from .slicing import getitem


@atomic
def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """The values in ascending or descending order along an axis; the shape [...] stays.

    Raises: ValueError for an unknown direction or an axis that is not a constant scalar.
    """
    with named(name, "sort"):
        values, static_axis = _check_arguments(values, axis, direction)
        if direction == "DESCENDING":
            return _descending(values, static_axis, indices=False)
        return math_ops.neg(_descending(math_ops.neg(values), static_axis, indices=False))


@atomic
def argsort(
    values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Tensor:
    """The indices [...] along an axis that sort the values.

    Raises: ValueError for an unknown direction or an axis that is not a constant scalar.
    """
    with named(name, "argsort"):
        values, static_axis = _check_arguments(values, axis, direction)
        return _descending(math_ops.neg(values) if direction == "ASCENDING" else values, static_axis, indices=True)


def _check_arguments(values: Any, axis: Any, direction: str) -> tuple[Tensor, int]:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(error_text(f"{direction} should be one of ASCENDING, DESCENDING"))
    axis = convert_to_tensor(axis, name="axis")
    static_axis = constant_value(axis)
    if axis.raw_shape != () or static_axis is None:
        raise ValueError(error_text("axis must be a constant scalar"))
    return convert_to_tensor(values, name="values"), int(static_axis)


def _descending(values: Tensor, axis: int, indices: bool) -> Tensor:
    """The values (or their indices) in descending order; TopKV2 sorts the last axis, so other axes are exchanged
    with it.
    """
    count = getitem(shape(values), axis)
    ranks = rank(values)
    known = None if values.raw_shape is None else len(values.raw_shape)
    if axis == -1 or axis + 1 == known:
        top = gather_ops.top_k_v2(values, count)
        return top[1] if indices else top[0]
    order: Any
    if known is not None:
        position = axis + known if axis < 0 else axis
        order = constant(
            np.r_[np.arange(position), [known - 1], np.arange(position + 1, known - 1), [position]], name="transposition"
        )
    else:
        open_at: Any = axis + ranks if axis < 0 else axis
        parts = [
            sequence_ops.range_(0, open_at, 1), [ranks - 1], sequence_ops.range_(open_at + 1, ranks - 1, 1), [open_at],
        ]  # fmt: skip
        order = concat(parts, axis=0)
    top = gather_ops.top_k_v2(transpose(values, order), count)
    return transpose(top[1] if indices else top[0], order)


@atomic
def searchsorted(
    sorted_sequence: Any,
    values: Any,
    side: str = "left",
    out_type: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """The index at which each value would be inserted in its row: sorted_sequence [..., n], values [..., k] ->
    [..., k].

    side: "left" inserts before equal elements, "right" after them.

    Raises: ValueError for another side.
    """
    row_length = getitem(shape(sorted_sequence), -1)
    count = getitem(shape(values), -1)
    rows = reshape(sorted_sequence, [-1, row_length])
    values_rows = reshape(values, [-1, count])
    if side not in ("left", "right"):
        raise ValueError(error_text(f"side must be either 'right' or 'left'.  Saw: {side}."))
    op_caller = gather_ops.upper_bound if side == "right" else gather_ops.lower_bound
    return reshape(op_caller(rows, values_rows, out_type=as_dtype(out_type), name=name), shape(values))


def _differences(x: Any) -> Tensor:
    """The differences [n - 1] of consecutive elements in row-major order.

    Raises: TypeError for a dtype that is not numeric.
    """
    flat = array.reshape(x, [-1])
    kind = flat.dtype.base_dtype
    if not (kind.is_floating or kind.is_integer or kind.is_complex or kind.is_quantized):
        raise TypeError(f"Expected x to be numeric, instead found: {flat}")
    too_few = less(array.size(flat), 2)
    count: Any = array.shape(flat) - 1  # type: ignore[operator]

    def differences() -> Any:
        return slicing.strided_slice(flat, [1], [1] + count) - slicing.strided_slice(flat, [0], count)  # type: ignore[operator]

    return cond.cond(too_few, lambda: convert_to_tensor([], dtype=kind), differences)  # type: ignore[no-any-return]


@atomic
def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Whether no element is below its predecessor in row-major order: x [...] -> bool scalar.

    Raises: TypeError for a dtype that is not numeric.
    """
    with named(name, "is_non_decreasing", [x]):
        differences = _differences(x)
        return reduce_all(less_equal(convert_to_tensor(0, dtype=differences.dtype), differences))


@atomic
def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Whether every element is above its predecessor in row-major order: x [...] -> bool scalar.

    Raises: TypeError for a dtype that is not numeric.
    """
    with named(name, "is_strictly_increasing", [x]):
        differences = _differences(x)
        return reduce_all(less(convert_to_tensor(0, dtype=differences.dtype), differences))
