"""`ragged[key]`: rows picked and cut. A ragged tensor becomes one again, or a plain one where a single row is picked.

State: none; `RaggedTensor.__getitem__` is set here.
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
    """The piece that the key names: numbers, slices, `...` and `tf.newaxis`, for the outer axes first.

    Raises: ValueError for a number along a ragged axis, TypeError for what is no key.
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
        return _outer(ragged, _without_dots(ragged, keys))


def _is_number(key: Any) -> bool:
    if isinstance(key, Tensor):
        return key.dtype in (dtypes.int32, dtypes.int64) and key.raw_shape in ((), None)
    return hasattr(key, "__index__") and not isinstance(key, bool)


def _without_dots(ragged: RaggedTensor, keys: list[Any]) -> list[Any]:
    """Dots are as many whole axes as the other keys leave over."""
    at = next((i for i, key in enumerate(keys) if key is Ellipsis), None)
    if at is None:
        return keys
    rank = ragged.shape.ndims
    if rank is None:
        raise ValueError(error_text("Ellipsis not supported for unknown shape RaggedTensors"))
    left = rank - sum(key is not None and key is not Ellipsis for key in keys)
    return [*keys[:at], *[slice(None)] * left, *(key for key in keys[at + 1 :] if key is not Ellipsis)]


def _outer(value: Any, keys: list[Any]) -> Any:
    """The keys for the outermost axis and those inside it."""
    if not isinstance(value, RaggedTensor):
        return value[tuple(keys)] if keys else value
    if not keys:
        return value
    key, *rest = keys
    if key is None:
        inner = _outer(value, rest)
        ends = array.stack([constant(0, value.row_splits.dtype), _rows(inner, value)])
        return RaggedTensor.from_row_splits(inner, ends, validate=False)
    splits: Any = value.row_splits
    if isinstance(key, slice):
        if key == slice(None):
            return _inner(value, rest)
        known = _known(value, key)
        if known is not None:
            return _inner(_run(value, *known), rest)
        starts, limits = splits[:-1][key], splits[1:][key]
        return _inner(_cut(value, starts, limits, constant(1, splits.dtype)), rest)
    at = key if isinstance(key, Tensor) else operator.index(key)
    return _outer(_outer(value.values, [slice(splits[:-1][at], splits[1:][at])]), rest)


def _known(value: RaggedTensor, key: slice) -> tuple[int, int] | None:
    """The first row of a slice and the one behind its last, if they can be told before a run and lie side by side."""
    count = value.shape[0].value
    given = (key.start, key.stop)
    bounds = [constant_value(b) if isinstance(b, Tensor) else b for b in given]
    if count is None or key.step not in (None, 1) or any(b is None and k is not None for b, k in zip(bounds, given)):
        return None
    first, end, _ = slice(*[None if b is None else operator.index(b) for b in bounds]).indices(count)
    return first, max(first, end)


def _run(value: RaggedTensor, first: int, end: int) -> RaggedTensor:
    """The rows from `first` up to `end`."""
    splits: Any = value.row_splits[first : end + 1]  # type: ignore[index]
    values = _outer(value.values, [slice(splits[0], splits[-1])])
    return RaggedTensor.from_row_splits(values, splits if first == 0 else splits - splits[0], validate=False)


def _rows(value: Any, like: RaggedTensor) -> Tensor:
    kind = like.row_splits.dtype
    if isinstance(value, RaggedTensor):
        return value.nrows(out_type=kind)
    return array.shape(value, out_type=kind)[0]  # type: ignore[index, no-any-return]


def _inner(value: RaggedTensor, keys: list[Any]) -> Any:
    """The keys for the axes inside the rows."""
    if not keys:
        return value
    key, *rest = keys
    kind = value.row_splits.dtype
    if key is None:
        whole = sequences.range(value.nrows() + 1)
        return RaggedTensor.from_row_splits(_inner(value, rest), whole, validate=False)
    if not isinstance(key, slice):
        raise ValueError(error_text("Cannot index into an inner ragged dimension."))
    if key != slice(None):
        starts, limits, step = _within(value, key)
        value = _cut(value, starts, limits, constant(step, kind))
    if not rest:
        return value
    values = value.values
    changed = _inner(values, rest) if isinstance(values, RaggedTensor) else values[(slice(None), *rest)]
    return value.with_values(changed)


def _within(value: RaggedTensor, key: slice) -> tuple[Any, Any, int]:
    """Where the slice of each row begins and ends among the values."""
    splits: Any = value.row_splits
    step = 1 if key.step is None else operator.index(key.step)
    if step == 0:
        raise ValueError(error_text("slice step cannot be zero"))
    lengths = splits[1:] - splits[:-1]
    low, high = (0, lengths) if step > 0 else (-1, lengths - 1)

    def place(bound: Any, default: Any) -> Any:
        if bound is None:
            return default
        at = math.cast(bound, splits.dtype) if isinstance(bound, Tensor) else constant(operator.index(bound), splits.dtype)
        zero = constant(0, splits.dtype)
        counted = selection.where(math.less(at + array.zeros_like(lengths), zero), lengths + at, at + array.zeros_like(lengths))
        return math.minimum(math.maximum(counted, constant(low, splits.dtype)), high)

    first, last = (low, high) if step > 0 else (high, low)
    return splits[:-1] + place(key.start, first), splits[:-1] + place(key.stop, last), step


def _cut(value: RaggedTensor, starts: Any, limits: Any, step: Tensor) -> RaggedTensor:
    """Rows of the values between new bounds."""
    chosen = ops.ragged_range(starts, limits, step, Tsplits=value.row_splits.dtype)
    values = gathered(value.values, chosen.rt_dense_values)
    return RaggedTensor.from_row_splits(values, chosen.rt_nested_splits, validate=False)


@atomic
def gathered(params: Any, indices: Any) -> Any:
    """The rows of a ragged or dense tensor that `indices` [n, …] names."""
    if not isinstance(params, RaggedTensor):
        return selection.gather(params, indices)
    rank = 1 if indices.raw_shape is None else len(indices.raw_shape)
    found = ops.ragged_gather(
        params.nested_row_splits, params.flat_values, indices, OUTPUT_RAGGED_RANK=params.ragged_rank + rank - 1
    )
    return RaggedTensor.from_nested_row_splits(
        found.output_dense_values, found.output_nested_splits, validate=False
    )


RaggedTensor.__getitem__ = getitem  # type: ignore[attr-defined]
