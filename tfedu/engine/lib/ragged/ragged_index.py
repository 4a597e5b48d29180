"""`ragged[key]`: selects and slices rows. The result is ragged, or dense where a single row is selected.

State: none; this module sets `RaggedTensor.__getitem__`.
"""

from __future__ import annotations

import operator
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...op.infer import constant_value
from ...ops import ragged as ops
from ..arrays import array, selection, sequences
from ..framework.scope_blocks import named
from ..math import math
from .ragged_tensor import RaggedTensor


@atomic
def getitem(ragged: RaggedTensor, key: Any) -> Any:
    """The part that the key selects: numbers, slices, `...` and `tf.newaxis`, outer axes first; [rows, (length)][1:]
    is ragged.

    Raises: ValueError for a number along a ragged axis, TypeError for other keys.
    """
    keys = list(key) if isinstance(key, (list, tuple)) else [key]
    for part in keys:
        if part is None or part is Ellipsis or isinstance(part, slice) or _is_number(part):
            continue
        raise TypeError(
            error_text(
                "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are "
                f"valid indices, got {part!r}"
            )
        )
    with named(None, "RaggedGetItem", [ragged.flat_values]):
        return _index_rows(ragged, _expand_ellipsis(ragged, keys))


def _is_number(key: Any) -> bool:
    if isinstance(key, Tensor):
        return key.dtype in (dtypes.int32, dtypes.int64) and key.raw_shape in ((), None)
    return hasattr(key, "__index__") and not isinstance(key, bool)


def _expand_ellipsis(ragged: RaggedTensor, keys: list[Any]) -> list[Any]:
    """The keys with `...` replaced by full slices for the remaining axes."""
    position = next((i for i, key in enumerate(keys) if key is Ellipsis), None)
    if position is None:
        return keys
    rank = ragged.shape.ndims
    if rank is None:
        raise ValueError(error_text("Ellipsis not supported for unknown shape RaggedTensors"))
    remaining = rank - sum(key is not None and key is not Ellipsis for key in keys)
    return [*keys[:position], *[slice(None)] * remaining, *(key for key in keys[position + 1 :] if key is not Ellipsis)]


def _index_rows(value: Any, keys: list[Any]) -> Any:
    """The value, indexed by the keys of its outermost axis and of the inner axes."""
    if not isinstance(value, RaggedTensor):
        return value[tuple(keys)] if keys else value
    if not keys:
        return value
    key, *rest = keys
    if key is None:
        inner = _index_rows(value, rest)
        ends = array.stack([constant(0, value.row_splits.dtype), _row_count(inner, value)])
        return RaggedTensor.from_row_splits(inner, ends, validate=False)
    splits: Any = value.row_splits
    if isinstance(key, slice):
        if key == slice(None):
            return _index_inside_rows(value, rest)
        bounds = _static_bounds(value, key)
        if bounds is not None:
            return _index_inside_rows(_consecutive_rows(value, *bounds), rest)
        starts, limits = splits[:-1][key], splits[1:][key]
        return _index_inside_rows(_slice_values(value, starts, limits, constant(1, splits.dtype)), rest)
    row = key if isinstance(key, Tensor) else operator.index(key)
    return _index_rows(_index_rows(value.values, [slice(splits[:-1][row], splits[1:][row])]), rest)


def _static_bounds(value: RaggedTensor, key: slice) -> tuple[int, int] | None:
    """The first row of a slice and the row after its last, if both are static and the step is 1."""
    count = value.shape[0].value
    limits = (key.start, key.stop)
    bounds = [constant_value(b) if isinstance(b, Tensor) else b for b in limits]
    if count is None or key.step not in (None, 1) or any(b is None and k is not None for b, k in zip(bounds, limits)):
        return None
    first, end, _ = slice(*[None if b is None else operator.index(b) for b in bounds]).indices(count)
    return first, max(first, end)


def _consecutive_rows(value: RaggedTensor, first: int, end: int) -> RaggedTensor:
    """The rows from `first` up to, but not including `end`."""
    splits: Any = value.row_splits[first : end + 1]  # type: ignore[index]
    values = _index_rows(value.values, [slice(splits[0], splits[-1])])
    return RaggedTensor.from_row_splits(values, splits if first == 0 else splits - splits[0], validate=False)


def _row_count(value: Any, like: RaggedTensor) -> Tensor:
    kind = like.row_splits.dtype
    if isinstance(value, RaggedTensor):
        return value.nrows(out_type=kind)
    return array.shape(value, out_type=kind)[0]  # type: ignore[index, no-any-return]


def _index_inside_rows(value: RaggedTensor, keys: list[Any]) -> Any:
    """The value, indexed by the keys of the axes inside its rows."""
    if not keys:
        return value
    key, *rest = keys
    kind = value.row_splits.dtype
    if key is None:
        splits = sequences.range(value.nrows() + 1)
        return RaggedTensor.from_row_splits(_index_inside_rows(value, rest), splits, validate=False)
    if not isinstance(key, slice):
        raise ValueError(error_text("Cannot index into an inner ragged dimension."))
    if key != slice(None):
        starts, limits, step = _slice_bounds(value, key)
        value = _slice_values(value, starts, limits, constant(step, kind))
    if not rest:
        return value
    values = value.values
    new_values = _index_inside_rows(values, rest) if isinstance(values, RaggedTensor) else values[(slice(None), *rest)]
    return value.with_values(new_values)


def _slice_bounds(value: RaggedTensor, key: slice) -> tuple[Any, Any, int]:
    """For each row, the bounds of its slice among the values, and the step."""
    splits: Any = value.row_splits
    step = 1 if key.step is None else operator.index(key.step)
    if step == 0:
        raise ValueError(error_text("slice step cannot be zero"))
    lengths = splits[1:] - splits[:-1]
    low, high = (0, lengths) if step > 0 else (-1, lengths - 1)

    def clamp(bound: Any, default: Any) -> Any:
        if bound is None:
            return default
        offset = math.cast(bound, splits.dtype) if isinstance(bound, Tensor) else constant(operator.index(bound), splits.dtype)
        zero = constant(0, splits.dtype)
        is_negative = math.less(offset + array.zeros_like(lengths), zero)
        from_start = selection.where(is_negative, lengths + offset, offset + array.zeros_like(lengths))
        return math.minimum(math.maximum(from_start, constant(low, splits.dtype)), high)

    first, last = (low, high) if step > 0 else (high, low)
    return splits[:-1] + clamp(key.start, first), splits[:-1] + clamp(key.stop, last), step


def _slice_values(value: RaggedTensor, starts: Any, limits: Any, step: Tensor) -> RaggedTensor:
    """Rows of the values between new bounds."""
    indices = ops.ragged_range(starts, limits, step, Tsplits=value.row_splits.dtype)
    values = gather_rows(value.values, indices.rt_dense_values)
    return RaggedTensor.from_row_splits(values, indices.rt_nested_splits, validate=False)


@atomic
def gather_rows(params: Any, indices: Any) -> Any:
    """The rows of a ragged or dense tensor [rows, ...] at `indices` [n, ...]: [n, ..., ...]."""
    if not isinstance(params, RaggedTensor):
        return selection.gather(params, indices)
    rank = 1 if indices.raw_shape is None else len(indices.raw_shape)
    rows = ops.ragged_gather(
        params.nested_row_splits, params.flat_values, indices, OUTPUT_RAGGED_RANK=params.ragged_rank + rank - 1
    )
    return RaggedTensor.from_nested_row_splits(
        rows.output_dense_values, rows.output_nested_splits, validate=False
    )


RaggedTensor.__getitem__ = getitem  # type: ignore[attr-defined]
