"""Steps that several methods of a RaggedTensor share: checks of a partition, lengths of rows, padding. No state."""

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
    if not isinstance(validate, bool):
        raise TypeError(error_text("validate must have type bool"))


def assert_rising(tensor: Any, message: str) -> Operation:
    return asserts.assert_non_negative(tensor[1:] - tensor[:-1], message=f"{message}:monotonic")


def behind_zero(ends: Tensor) -> Tensor:
    return array.concat([array.zeros([1], ends.dtype), ends], axis=0)


def lengths_of(splits: Any) -> Tensor:
    return splits[1:] - splits[:-1]  # type: ignore[no-any-return]


def longest_row(splits: Tensor, kind: DType) -> Tensor:
    longest = math.maximum(reductions.reduce_max(lengths_of(splits)), constant(0, splits.dtype))
    return longest if kind is splits.dtype else math.cast(longest, kind)


def static_size(tensor: Tensor, axis: int) -> int | None:
    raw = tensor.raw_shape
    return None if raw is None else raw[axis]


def without_padding(tensor: Tensor, padding: Tensor, columns: Any, kind: DType) -> Tensor:
    """How long each row is without the padding at its end."""
    padding.shape.assert_is_compatible_with(tensor.shape[2:])
    filled = math.not_equal(tensor, padding)
    rank = tensor.shape.ndims
    if rank is None:
        raise ValueError(error_text("padding needs a tensor of known rank"))
    if rank > 2:
        filled = reductions.reduce_any(filled, axis=list(range(2, rank)))
    return reductions.reduce_max(math.cast(filled, kind) * sequences.range(1, columns + 1), axis=1)


@atomic
def assert_packed_to_the_left(indices: Any) -> Operation:
    """Fails unless the values of each row stand at its beginning."""
    follows = math.equal(indices[1:, 0], indices[:-1, 0])
    wanted = selection.where(follows, indices[:-1, 1] + 1, array.zeros_like(indices[1:, 1]))
    right = math.logical_and(
        reductions.reduce_all(math.equal(indices[:1, 1], constant(0, dtypes.int64))),
        reductions.reduce_all(math.equal(indices[1:, 1], wanted)),
    )
    return asserts.Assert(right, ["SparseTensor is not right-ragged", "SparseTensor.indices =", indices])


@atomic
def rows_of(splits: Any) -> Tensor:
    """The row of each value."""
    return repeat(sequences.range(array.shape(splits, out_type=splits.dtype)[0] - 1), lengths_of(splits), axis=0)
