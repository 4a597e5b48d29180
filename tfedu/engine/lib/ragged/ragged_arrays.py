"""`tf.concat`, `stack`, `tile`, `expand_dims`, `squeeze`, `where`, `one_hot` … of ragged tensors. No state.

A function of an inner axis applies to the values: along axis 2 of [rows, (row length), (length)] it is the same function along
axis 1 of `values`, under the same row splits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ...op.constant import constant
from ...op.infer import constant_value
from ..arrays import array, constructors, selection, sequences
from ..arrays.repeat import repeat
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import control_dependencies, named
from ..math import math, reductions
from .ragged_functions import assert_same_rows, map_flat_values, stack_dynamic_partitions
from .ragged_index import gather_rows
from .ragged_tensor import RaggedTensor, RaggedTensorValue, as_ragged_or_dense


def position(axis: Any, rank: int | None, label: str = "axis") -> int:
    """A non-negative axis.

    Raises: TypeError unless it is an int, ValueError when it is out of bounds, or negative where the rank is unknown.
    """
    if not isinstance(axis, int):
        raise TypeError(error_text(f"axis must be an int; got {type(axis).__name__}"))
    if rank is None:
        if axis < 0:
            raise ValueError(error_text(f"axis={axis} may only be negative if ndims is statically known."))
        return axis
    if not -rank <= axis < rank:
        raise ValueError(error_text(f"{label}={axis} out of bounds: expected {-rank}<={label}<{rank}"))
    return axis % rank if rank else axis


# -- joining ---------------------------------------------------------------------------------------------------------


def concat(values: Any, axis: Any, name: str | None = None) -> Any:
    """The values of one rank, ragged or not, one after the other along an axis: [rows, (row length)] at axis 1 ->
    [rows, (sum of the lengths)].

    Raises: ValueError for an empty list, unequal ranks, or an axis out of bounds.
    """
    return _joined(_as_list(values), axis, name, is_stack=False)


def stack(values: Any, axis: Any = 0, name: str | None = None) -> Any:
    """The k values of one rank, ragged or not, along a new axis: [rows, (row length)] at axis 0 -> [k, (rows), (row
    length)].

    Raises: ValueError for an empty list, unequal ranks, or an axis out of bounds.
    """
    return _joined(_as_list(values), axis, name, is_stack=True)


def _as_list(values: Any) -> list[Any]:
    return list(values) if isinstance(values, (list, tuple)) else [values]


def _joined(values: list[Any], axis: Any, name: str | None, is_stack: bool) -> Any:
    if not values:
        raise ValueError(error_text("rt_inputs may not be empty."))
    with named(name, "RaggedConcat"):
        parts = [as_ragged_or_dense(value, name="rt_input") for value in values]
        rank = next((p.shape.ndims for p in parts if p.shape.ndims is not None), None)
        for part in parts:
            part.shape.assert_has_rank(rank)
        axis = position(axis, rank if rank is None else rank + is_stack)
        if all(isinstance(p, Tensor) for p in parts) and (axis > 0 or rank == 0 or not is_stack):
            return array.stack(parts, axis) if is_stack else array.concat(parts, axis)
        if is_stack and rank == 1:
            lengths = array.stack([array.shape(p)[0] for p in parts])  # type: ignore[index]
            return RaggedTensor.from_row_lengths(array.concat(parts, 0), lengths, validate=False)
        if is_stack:
            parts = [with_axis(p, axis) for p in parts]
        return _concat(parts, axis)


def _concat(parts: Sequence[Any], axis: int) -> Any:
    if all(isinstance(p, Tensor) for p in parts):
        return array.concat(parts, axis)
    parts = _of_one_depth(parts)
    if len(parts) == 1:
        return parts[0]
    if axis == 0:
        return _concat_rows(parts)
    splits = [p.row_splits for p in parts]
    if axis > 1:
        with control_dependencies(assert_same_rows([[s] for s in splits])):
            return parts[0].with_values(_concat([p.values for p in parts], axis - 1))
    counts = [p.nrows() for p in parts]
    for part in parts[1:]:
        part.row_splits.shape.assert_is_compatible_with(splits[0].shape)
    check = [asserts.assert_equal(counts[0], count, message=_ROWS) for count in counts[1:]]
    # Row i of every part, in the order of the parts: of k rows each, whose values stand one after the other.
    with control_dependencies(check):
        first_rows = sequences.cumsum(array.stack(counts), exclusive=True)
        row_indices = array.expand_dims(sequences.range(counts[0]), 1) + array.expand_dims(first_rows, 0)
        rows = gather_rows(_concat_rows(parts), array.reshape(row_indices, [-1]))
        ends = rows.row_splits[:: len(parts)]
        ends.set_shape(splits[0].shape)
        return RaggedTensor.from_row_splits(rows.values, ends, validate=False)


_ROWS = "Input tensors have incompatible shapes."


def _of_one_depth(parts: Sequence[Any]) -> list[RaggedTensor]:
    """The parts with the same number of ragged axes, uniform ones among them."""
    depth = max(p.ragged_rank for p in parts if isinstance(p, RaggedTensor))
    kind = next(p.row_splits.dtype for p in parts if isinstance(p, RaggedTensor))
    return [deepened(p, depth, kind) for p in parts]


def deepened(value: Any, depth: int, kind: Any) -> Any:
    """The value with `depth` ragged axes, the last of which may be uniform."""
    if depth == 0:
        return value
    if not isinstance(value, RaggedTensor):
        return RaggedTensor.from_tensor(value, ragged_rank=depth, row_splits_dtype=kind)
    return value if value.ragged_rank >= depth else value.with_values(deepened(value.values, depth - 1, kind))


def _concat_rows(parts: Sequence[RaggedTensor]) -> RaggedTensor:
    """The rows of all parts, in the order of the parts."""
    inner = [p.values for p in parts]
    values = _concat_rows(inner) if isinstance(inner[0], RaggedTensor) else array.concat(inner, axis=0)
    lengths = array.concat([p.row_lengths() for p in parts], axis=0)
    return RaggedTensor.from_row_lengths(values, lengths, validate=False)


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """The input repeated along each of its axes: [rows, (row length)] with multiples [m, k] -> [m · rows, (k · row
    length)].

    Raises: TypeError for multiples that are not integers, ValueError unless there is one an axis.
    """
    with named(name, "RaggedTile"):
        ragged = as_ragged_or_dense(input, name="input")
        counts = convert_to_tensor(multiples, preferred_dtype=ragged.row_splits.dtype, name="multiples")
        if not counts.dtype.is_integer:
            raise TypeError(error_text(f"multiples must be an integer tensor; dtype={counts.dtype}"))
        rank = ragged.shape.ndims
        counts.shape.assert_is_compatible_with([rank])
        return _tiled(ragged, math.cast(counts, ragged.row_splits.dtype))


def _tiled(value: Any, counts: Any) -> Any:
    if not isinstance(value, RaggedTensor):
        return array.tile(value, counts)
    if not _is_one(counts[1]):
        # Each row as often as it is to stand in its row, then the rows joined again.
        again = gather_rows(value, repeat(sequences.range(value.nrows()), counts[1], axis=0))
        value = RaggedTensor.from_row_lengths(again.values, value.row_lengths() * counts[1], validate=False)
    if isinstance(value.values, RaggedTensor) or value.values.shape.ndims != 1:
        value = value.with_values(_tiled(value.values, array.concat([[1], counts[2:]], 0)))
    if _is_one(counts[0]):
        return value
    rows: Any = value.nrows()
    numbers = math.floormod(sequences.range(rows * counts[0]), math.maximum(rows, constant(1, rows.dtype)))
    tiled = gather_rows(value, numbers)
    static, again = value.shape[0].value, _known(counts[0])
    if static is not None and again is not None:
        tiled.row_splits.set_shape([static * again + 1])
    return tiled


def _known(count: Any) -> Any:
    known = constant_value(count)
    return None if known is None else int(known)


def _is_one(count: Any) -> bool:
    return _known(count) == 1


# -- axes of size 1 --------------------------------------------------------------------------------------------------


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """The input with a new axis of size 1: [rows, (row length)] at axis 1 -> [rows, (1), (row length)].

    Raises: TypeError unless the axis is an int, ValueError when it is out of bounds.
    """
    axis = renamed("axis", axis, "dim", dim)
    with named(name, "RaggedExpandDims", [_parts(input)]):
        ragged = as_ragged_or_dense(input, name="input")
        rank = ragged.shape.ndims
        return with_axis(ragged, position(axis, None if rank is None else rank + 1))


def with_axis(value: Any, axis: int) -> Any:
    """The value with a new axis of size 1: [rows, (row length)] at axis 0 -> [1, (rows), (row length)]."""
    if not isinstance(value, RaggedTensor):
        return RaggedTensor.from_tensor(array.expand_dims(value, 0)) if axis == 0 else array.expand_dims(value, axis)
    if axis == 0:
        ends = array.stack([constant(0, value.row_splits.dtype), value.nrows()])
        return RaggedTensor.from_row_splits(value, ends, validate=False)
    if axis == 1:
        return RaggedTensor.from_row_splits(value, sequences.range(value.nrows() + 1), validate=False)
    values = value.values
    return value.with_values(
        with_axis(values, axis - 1) if isinstance(values, RaggedTensor) else array.expand_dims(values, axis - 1)
    )


def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Any:
    """The input without axes of size 1: [rows, (1), (row length)] at axis 1 -> [rows, (row length)].

    Raises: ValueError without an axis, or for one that is out of bounds; in the run InvalidArgumentError for an axis of
    another size.
    """
    axis = renamed("axis", axis, "squeeze_dims", squeeze_dims)
    with named(name, "RaggedSqueeze", [_parts(input)]):
        ragged = as_ragged_or_dense(input)
        if axis is None:
            raise ValueError(error_text("Ragged.squeeze must have an axis argument."))
        rank = ragged.shape.ndims
        axes = {position(a, rank) for a in (axis if isinstance(axis, (list, tuple)) else [axis])}
        return _without_axes(ragged, axes)


def _without_axes(value: Any, axes: set[int]) -> Any:
    """The value without the axes, each of which has size 1."""
    if not isinstance(value, RaggedTensor):
        return array.squeeze(value, sorted(axes)) if axes else value
    inner = {axis - 1 for axis in axes if axis > 0}
    if 0 in axes:
        is_one = math.equal(value.nrows(), constant(1, value.row_splits.dtype))
        return _after(_squeezable(is_one, 0), _without_axes(value.values, inner))
    if 1 in axes:
        is_one = reductions.reduce_all(math.equal(value.row_lengths(), constant(1, value.row_splits.dtype)))
        # The rows have one value each, so that the values are the rows.
        rest = {axis - 1 for axis in axes if axis > 1}
        return _after(_squeezable(is_one, 1), _without_axes(value.values, rest))
    return value.with_values(_without_axes(value.values, inner)) if inner else value


def _squeezable(is_one: Tensor, axis: int) -> Operation:
    return asserts.Assert(is_one, [f"the given axis (axis = {axis}) is not squeezable!"])


def _after(check: Operation, value: Any) -> Any:
    """The value, which waits for the check."""
    return map_flat_values(lambda values: with_dependencies([check], values), value)


# -- sizes and elements ----------------------------------------------------------------------------------------------


def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes, a scalar."""
    with named(name, "RaggedRank", [_parts(input)]):
        ragged = as_ragged_or_dense(input)
        return ragged.ragged_rank + array.rank(ragged.flat_values)  # type: ignore[no-any-return]


def size(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The number of elements of all rows, a scalar."""
    return array.size(as_ragged_or_dense(input).flat_values, out_type=out_type, name=name)  # type: ignore[no-any-return]


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    """on_value (1) where an index points along a new axis, off_value (0) elsewhere: [rows, (row length)] -> [rows,
    (row length), depth].

    Raises: ValueError for an axis among the ragged ones.
    """
    with named(name, "RaggedOneHot", [_parts(indices)]):
        ragged = as_ragged_or_dense(indices, name="indices")
        if axis is not None:
            axis = position(axis, ragged.shape.ndims)
            if axis < ragged.ragged_rank:
                raise ValueError(error_text("axis may not be less than indices.ragged_rank."))
        return ragged.with_flat_values(
            constructors.one_hot(ragged.flat_values, depth, on_value, off_value, axis, dtype)
        )


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """The elements of x where the condition holds, else those of y, all [rows, (row length)] with the same rows, or whole
    rows for a condition [rows]; without x and y, the coordinates [n, rank] at which it holds.

    Raises: ValueError for only one of x and y, or for operands of other shapes.
    """
    if (x is None) != (y is None):
        raise ValueError(error_text("x and y must be either both None or both non-None"))
    with named("RaggedWhere" if name is None else name, "RaggedWhere"):
        condition = as_ragged_or_dense(condition, name="condition")
        if x is None:
            return _coordinates(condition)
        x, y = as_ragged_or_dense(x, name="x"), as_ragged_or_dense(y, name="y")
        if all(isinstance(value, RaggedTensor) for value in (condition, x, y)):
            return map_flat_values(selection.where, condition, x, y)
        if not isinstance(condition, RaggedTensor):
            condition.shape.assert_has_rank(1)
            return _chosen_rows(condition, x, y)
        raise ValueError(error_text("Input shapes do not match."))


def _coordinates(condition: Any) -> Any:
    if not isinstance(condition, RaggedTensor):
        return selection.where(condition)
    inner = _coordinates(condition.values)
    rows = math.cast(condition.value_rowids(), inner.dtype)
    starts = math.cast(condition.row_starts(), inner.dtype)
    row = selection.gather(rows, inner[:, 0])
    column = inner[:, 0] - selection.gather(starts, row)
    return array.concat([array.stack([row, column], axis=1), inner[:, 1:]], axis=1)


def _chosen_rows(condition: Tensor, x: Any, y: Any) -> Any:
    """Row i of x where the condition holds, else row i of y."""
    rows = _concat([x, y], 0)
    numbers = sequences.range(rows.nrows())
    count = x.nrows() if isinstance(x, RaggedTensor) else array.shape(x, out_type=numbers.dtype)[0]  # type: ignore[index]
    return gather_rows(rows, selection.where(condition, numbers[:count], numbers[count:]))


def dynamic_partition(data: Any, partitions: Any, num_partitions: Any, name: str | None = None) -> list[Any]:
    """A list of num_partitions tensors; the slice of data at an index goes to the one whose number stands in `partitions`.

    Raises: TypeError unless num_partitions is an int that is not negative.
    """
    if not isinstance(num_partitions, int) or num_partitions < 0:
        raise TypeError(error_text("num_partitions must be a non-negative integer"))
    stacked: Any = stack_dynamic_partitions(data, partitions, num_partitions, name)
    return [stacked[i] for i in range(num_partitions)]


def _parts(value: Any) -> Any:
    return value.flat_values if isinstance(value, (RaggedTensor, RaggedTensorValue)) else value
