"""Checks and lengths of row partitions, which several methods of RaggedTensor share. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...op.constant import constant
from ..arrays import array, selection, sequences
from ..arrays.repeat import repeat
from ..checks import asserts
from ..math import math, reductions


def check_flag(validate: Any) -> None:
    """Raises: TypeError unless `validate` is a bool."""
    if not isinstance(validate, bool):
        raise TypeError(error_text("validate must have type bool"))


def assert_non_decreasing(tensor: Any, message: str) -> Operation:
    """An operation that fails when an element of the vector [n] is below its predecessor."""
    return asserts.assert_non_negative(tensor[1:] - tensor[:-1], message=f"{message}:monotonic")


def prepend_zero(ends: Tensor) -> Tensor:
    """The row ends [rows] with a 0 in front: splits [rows + 1]."""
    return array.concat([array.zeros([1], ends.dtype), ends], axis=0)


def lengths_of(splits: Any) -> Tensor:
    """The row lengths [rows] of splits [rows + 1]."""
    return splits[1:] - splits[:-1]  # type: ignore[no-any-return]


def longest_row(splits: Tensor, kind: DType) -> Tensor:
    """The length of the longest row of splits [rows + 1], a scalar."""
    longest = math.maximum(reductions.reduce_max(lengths_of(splits)), constant(0, splits.dtype))
    return longest if kind is splits.dtype else math.cast(longest, kind)


def static_size(tensor: Tensor, axis: int) -> int | None:
    """The static size of an axis of a tensor [...], or None."""
    raw = tensor.raw_shape
    return None if raw is None else raw[axis]


def unpadded_lengths(tensor: Tensor, padding: Tensor, columns: Any, kind: DType) -> Tensor:
    """The length [rows] of each row of a tensor [rows, columns, ...] without trailing padding.

    Raises: ValueError for a tensor of unknown rank.
    """
    padding.shape.assert_is_compatible_with(tensor.shape[2:])
    is_value = math.not_equal(tensor, padding)
    rank = tensor.shape.ndims
    if rank is None:
        raise ValueError(error_text("padding needs a tensor of known rank"))
    if rank > 2:
        is_value = reductions.reduce_any(is_value, axis=list(range(2, rank)))
    return reductions.reduce_max(math.cast(is_value, kind) * sequences.range(1, columns + 1), axis=1)


@atomic
def assert_packed_to_the_left(indices: Any) -> Operation:
    """An operation that fails unless each row of a sparse matrix with these indices [nnz, 2] is filled from its
    start.
    """
    continues_row = math.equal(indices[1:, 0], indices[:-1, 0])
    expected_columns = selection.where(continues_row, indices[:-1, 1] + 1, array.zeros_like(indices[1:, 1]))
    is_packed = math.logical_and(
        reductions.reduce_all(math.equal(indices[:1, 1], constant(0, dtypes.int64))),
        reductions.reduce_all(math.equal(indices[1:, 1], expected_columns)),
    )
    return asserts.Assert(is_packed, ["SparseTensor is not right-ragged", "SparseTensor.indices =", indices])


@atomic
def row_numbers(splits: Any) -> Tensor:
    """The row number [values] of each value, from splits [rows + 1]."""
    return repeat(sequences.range(array.shape(splits, out_type=splits.dtype)[0] - 1), lengths_of(splits), axis=0)
