"""Broadcasting of ragged tensors: `ragged [rows, (row length)] + column [rows, 1]`.

The outer axes of the result, one more than it has ragged axes, are matched axis by axis. An axis is uniform, of one size, or
ragged, with a length a row. A uniform axis of size 1 is repeated as often as the other operand needs; otherwise the lengths must
agree, which the run checks. What is left below is dense, and the op itself broadcasts it. No state.

Differs from TF 1.15: lengths that do not agree are always an error, a ValueError where they are static, while 1.15 overlooks
some; and a uniform axis of size n fits a ragged one whose rows all have length n, where 1.15 fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...base.dtypes import DType
from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ...op.constant import constant
from ..arrays import array, selection, sequences
from ..arrays.repeat import repeat
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..framework.scope_blocks import named
from ..math import math, reductions
from .ragged_functions import map_flat_values
from .ragged_tensor import RaggedTensor, RaggedTensorValue, as_ragged_or_dense
from .row_partitions import lengths_of, prepend_zero


def elementwise(function: Callable[..., Any], x: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
    """`function(x, y, …)` of two operands, one or both ragged: [rows, (row length), ...], by broadcasting.

    Raises: ValueError for operands of unknown rank or of different row_splits dtypes.
    """
    x, y = _converted(x, y, "x"), _converted(y, x, "y")
    return map_flat_values(function, *_with_common_rows(x, y), *args, **kwargs)


def _converted(value: Any, other: Any, name: str) -> Any:
    if isinstance(value, (RaggedTensor, RaggedTensorValue)):
        return as_ragged_or_dense(value)
    preferred = other.dtype if isinstance(other, (RaggedTensor, RaggedTensorValue)) else None
    return convert_to_tensor(value, preferred_dtype=preferred, name=name)


class _Operand(NamedTuple):
    """rows: the size of axis 0. levels: of each axis below, its size, or its row splits where it is ragged. values: one row
    for each element of the last of these axes.
    """

    rows: int | Tensor
    levels: list[int | Tensor]
    values: Tensor


def _with_common_rows(x: Any, y: Any) -> tuple[Any, Any]:
    """Both operands with the same row splits; a dense one unchanged if it has only axes below the ragged ones."""
    for dense, ragged in ((x, y), (y, x)):
        if isinstance(dense, Tensor) and dense.raw_shape is not None and ragged.flat_values.raw_shape is not None:
            if len(dense.raw_shape) < len(ragged.flat_values.raw_shape):
                return x, y
    splits = [value.nested_row_splits for value in (x, y) if isinstance(value, RaggedTensor)]
    kinds = {partition.dtype for nested in splits for partition in nested}
    if len(kinds) > 1:
        return x, y  # which map_flat_values refuses
    if len(splits) == 2 and len(splits[0]) == len(splits[1]) and all(a is b for a, b in zip(*splits)):
        return x, y
    ranks = [value.shape.ndims for value in (x, y)]
    if None in ranks:
        raise ValueError(error_text("Unable to broadcast: unknown rank"))
    (kind,) = kinds
    with named(None, "RaggedBroadcast"):
        rank = max(ranks)
        depth = max(
            value.ragged_rank + rank - value.shape.ndims for value in (x, y) if isinstance(value, RaggedTensor)
        )
        a, b = _operand(x, rank, depth, kind), _operand(y, rank, depth, kind)
        return _matched(a, b, kind)


def _sizes(tensor: Tensor, kind: DType) -> list[int | Tensor]:
    """The size of each axis, a scalar tensor where it is not static."""
    static = tensor.raw_shape
    assert static is not None
    if None not in static:
        return list(static)  # type: ignore[arg-type]
    dynamic: Any = array.shape(tensor, out_type=kind)
    return [dynamic[axis] if size is None else size for axis, size in enumerate(static)]


def _operand(value: Any, rank: int, depth: int, kind: DType) -> _Operand:
    """The value with axes of size 1 in front up to `rank`, of which those behind `depth` stay dense."""
    axes: list[int | Tensor] = [1] * (rank - value.shape.ndims)
    dense = value.flat_values if isinstance(value, RaggedTensor) else value
    sizes = _sizes(dense, kind)
    if isinstance(value, RaggedTensor):
        static = value.shape[0].value
        axes += [value.nrows() if static is None else static, *value.nested_row_splits]
        sizes = sizes[1:]
        merged = depth + 1 - len(axes)
        axes += sizes[:merged]
    else:
        axes += sizes[: depth + 1 - len(axes)]
        merged = depth + 1 - (rank - value.shape.ndims)
    inner = sizes[merged:]
    if (merged > 0) if isinstance(value, RaggedTensor) else (merged != 1):
        dense = array.reshape(dense, array.stack([-1, *inner]) if inner else [-1])
        if all(isinstance(size, int) for size in inner):
            dense.set_shape([None, *inner])
    return _Operand(axes[0], axes[1:], dense)


class _Rows:
    """Which row of an operand stands at each row of the result; `index` is None while it is the row of the same number."""

    def __init__(self, operand: _Operand, kind: DType) -> None:
        self.operand, self.kind = operand, kind
        self.index: Tensor | None = None

    def select(self, rows: Any, stride: Any) -> None:
        """Row i becomes `stride * i`, for 0 ≤ i < rows."""
        if not (isinstance(stride, int) and stride == 1):
            self.index = sequences.range(math.cast(rows, self.kind)) * stride

    def starts_and_lengths(self, level: int) -> tuple[Any, Any]:
        """Where the part of each row begins on the next axis [rows], and how long it is [rows], or a scalar if uniform."""
        size = self.operand.levels[level]
        if _is_splits(size):
            starts, lengths = size[:-1], lengths_of(size)  # type: ignore[index]
            if self.index is None:
                return starts, lengths
            return selection.gather(starts, self.index), selection.gather(lengths, self.index)
        return None, size

    def descend(self, level: int, starts: Any, row_of: Any, offset: Any, stride: Any, rows: Any) -> None:
        """Moves to the next axis, on which an element has a row and an offset in it."""
        if self.index is None and isinstance(stride, int) and stride == 1:
            return
        if starts is None:
            first = sequences.range(math.cast(rows, self.kind)) if self.index is None else self.index
            starts = first * math.cast(self.operand.levels[level], self.kind)
        self.index = selection.gather(starts, row_of)
        if not isinstance(stride, int) or stride:
            self.index = self.index + offset * stride

    def values(self) -> Tensor:
        return self.operand.values if self.index is None else selection.gather(self.operand.values, self.index)


def _is_splits(size: Any) -> bool:
    return isinstance(size, Tensor) and size.raw_shape != ()


def _matched(a: _Operand, b: _Operand, kind: DType) -> tuple[Any, Any]:
    """Both operands with the rows of the result.

    x: [2, 1], splits       y: [2, (2, 1)]       the index into x's values
       [[5], [6]]              [[1, 2], [3]]     [0, 0, 1]
    """
    checks: list[Operation] = []
    x, y = _Rows(a, kind), _Rows(b, kind)
    rows, x_stride, y_stride = _common_size(a.rows, b.rows, 0, kind, checks)
    x.select(rows, x_stride)
    y.select(rows, y_stride)
    nested: list[Tensor] = []
    for level, (x_size, y_size) in enumerate(zip(a.levels, b.levels)):
        x_starts, x_lengths = x.starts_and_lengths(level)
        y_starts, y_lengths = y.starts_and_lengths(level)
        lengths, x_stride, y_stride = _common_lengths(x_lengths, y_lengths, level + 1, kind, checks)
        if not _is_splits(x_size) and not _is_splits(y_size):
            lengths = array.fill(array.reshape(math.cast(rows, kind), [1]), math.cast(lengths, kind))
        splits = next(
            (size for side, size in ((x, x_size), (y, y_size)) if side.index is None and _is_splits(size)), None
        )  # those of an operand that stands in the result as it is
        if splits is None:
            splits = prepend_zero(sequences.cumsum(lengths))
        count = splits[-1]  # type: ignore[index]
        row_of = repeat(sequences.range(math.cast(rows, kind)), lengths, axis=0)
        offset = sequences.range(count) - selection.gather(splits, row_of)
        x.descend(level, x_starts, row_of, offset, x_stride, rows)
        y.descend(level, y_starts, row_of, offset, y_stride, rows)
        nested.append(splits)
        rows = count
    values = with_dependencies(checks, x.values()) if checks else x.values()
    return tuple([RaggedTensor.from_nested_row_splits(v, nested, validate=False) for v in (values, y.values())])  # type: ignore[return-value]


def _common_size(a: Any, b: Any, axis: int, kind: DType, checks: list[Operation]) -> tuple[Any, Any, Any]:
    """The common size of two uniform axes, and for each the step by which its index grows: 0 if it has size 1."""
    if isinstance(a, int) and isinstance(b, int):
        if a != b and 1 not in (a, b):
            raise ValueError(error_text(f"{_MISMATCH} {axis} lengths={b} dim_size={a}"))
        return (b if a == 1 else a), (0 if a == 1 != b else 1), (0 if b == 1 != a else 1)
    a, b = math.cast(a, kind), math.cast(b, kind)
    a_is_one, b_is_one = math.equal(a, constant(1, kind)), math.equal(b, constant(1, kind))
    agree = math.logical_or(math.logical_or(a_is_one, b_is_one), math.equal(a, b))
    checks.append(_check(agree, axis, b, a))
    strides = [math.cast(math.logical_not(one), kind) for one in (a_is_one, b_is_one)]
    return selection.where(a_is_one, b, a), *strides


def _common_lengths(a: Any, b: Any, axis: int, kind: DType, checks: list[Operation]) -> tuple[Any, Any, Any]:
    """The common length [rows], a scalar for two uniform axes, and the steps of both indices."""
    a_is_ragged, b_is_ragged = _is_splits(a), _is_splits(b)
    if not a_is_ragged and not b_is_ragged:
        return _common_size(a, b, axis, kind, checks)
    if a_is_ragged and b_is_ragged:
        if a is not b:
            checks.append(asserts.assert_equal(a, b, message=_MISMATCH))
        return a, 1, 1
    lengths, size = (a, b) if a_is_ragged else (b, a)
    if isinstance(size, int) and size == 1:
        stride: Any = 0
    else:
        size = math.cast(size, kind)
        fits = reductions.reduce_all(math.equal(lengths, size))
        is_one = math.equal(size, constant(1, kind))
        checks.append(_check(math.logical_or(is_one, fits), axis, lengths, size))
        stride = math.cast(math.logical_not(is_one), kind)
    return (lengths, 1, stride) if a_is_ragged else (lengths, stride, 1)


_MISMATCH = "Unable to broadcast: dimension size mismatch in dimension"


def _check(condition: Tensor, axis: int, lengths: Any, size: Any) -> Operation:
    return asserts.Assert(condition, [_MISMATCH, axis, "lengths=", lengths, "dim_size=", size], summarize=10)
