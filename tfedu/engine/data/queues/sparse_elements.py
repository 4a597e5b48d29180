"""Sparse tensors on their way through a queue: it holds a number for each, and the session keeps the tensor. No state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...base import dtypes
from ...base.shapes import as_raw
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ...lib.arrays.array import expand_dims, ones, shape, squeeze
from ...lib.arrays.selection import gather
from ...lib.control.grouping import with_dependencies
from ...lib.control.smart_cond import smart_cond
from ...lib.framework.scope_blocks import colocate_with
from ...lib.sparse.composite_values import SparseTensor
from ...lib.sparse.sparse import retain
from ...op.constant import constant
from ...ops import sparse_maps as ops


class Stored(NamedTuple):
    """What `restored` needs for a component: the node whose name the map has, None of a dense component; the rank."""

    map_op: Operation | None
    rank: int | None
    dtype: Any


def stored(
    components: Sequence[Any], enqueue_many: bool, keep_input: Tensor, shared: Sequence[Stored] | None = None
) -> tuple[list[Any], list[Stored]]:
    """The components with numbers in the place of sparse tensors. shared: of another element, whose maps are used too."""
    results: list[Any] = []
    notes: list[Stored] = []
    for position, value in enumerate(components):
        if not isinstance(value, SparseTensor):
            results.append(value)
            notes.append(Stored(None, None, None))
            continue
        first = None if shared is None else shared[position].map_op
        numbers, map_op = _numbers(value, enqueue_many, keep_input, first)
        rank = as_raw(value.dense_shape.shape)[0]  # type: ignore[index]
        if rank is not None and enqueue_many:
            rank -= 1
        # Unlike a scalar, a vector of one number can be told from a missing one.
        results.append(expand_dims(numbers, [-1]))
        notes.append(Stored(map_op, rank, value.dtype))
    return results, notes


def _numbers(value: Any, enqueue_many: bool, keep_input: Tensor, first: Operation | None) -> tuple[Tensor, Operation]:
    """The numbers of a sparse tensor's parts, or its own, and the node that named the map."""
    maker = ops.add_many_sparse_to_tensors_map if enqueue_many else ops.add_sparse_to_tensors_map
    made: list[Operation] = []

    def keep(tensor: Any) -> Tensor:
        shared_name = "" if first is None else first.name
        numbers: Tensor = maker(tensor.indices, tensor.values, tensor.dense_shape, shared_name=shared_name)
        made.append(numbers.op)
        return numbers

    def leave_out() -> Any:
        if enqueue_many:
            return -1 * ones(shape(value)[0:1], dtype=dtypes.int64)
        return constant(-1, dtype=dtypes.int64)

    if keep_input.shape.ndims == 1:
        numbers: Tensor = keep(retain(value, gather(keep_input, value.indices[:, 0])))
    else:
        numbers = smart_cond(keep_input, lambda: keep(value), leave_out)
    numbers.set_shape([None] if enqueue_many else [])
    return numbers, first or made[0]


def restored(components: Any, notes: Sequence[Stored]) -> Any:
    """The components of a batch, sparse tensors in the place of their numbers: of rank + 1."""
    is_sequence = isinstance(components, (list, tuple))
    listed = list(components) if is_sequence else [components]
    values = [_taken(value, note) if note.map_op is not None else value for value, note in zip(listed, notes)]
    if not any(note.map_op is not None for note in notes):
        return values if is_sequence else values[0]
    # No component comes out before all the maps have given their tensors.
    last = [value.values if isinstance(value, SparseTensor) else value for value in values]
    after = [_after(value, last) for value in values]
    return after if is_sequence else values[0]


def _taken(numbers: Tensor, note: Stored) -> SparseTensor:
    assert note.map_op is not None
    numbers = squeeze(numbers, [1])
    with colocate_with(note.map_op):
        indices, values, dense_shape = ops.take_many_sparse_from_tensors_map(
            numbers, dtype=note.dtype, shared_name=note.map_op.get_attr("shared_name") or note.map_op.name
        )
    rank = None if note.rank is None else note.rank + 1
    indices.set_shape([None, rank])
    dense_shape.set_shape([rank])
    return SparseTensor(indices, values, dense_shape)


def _after(value: Any, others: Sequence[Tensor]) -> Any:
    if not isinstance(value, SparseTensor):
        return with_dependencies(others, value)
    parts = [with_dependencies(others, part) for part in (value.indices, value.values, value.dense_shape)]
    return SparseTensor(*parts)


def as_component(value: Any) -> Any:
    """The value as a tensor, or a SparseTensor as it is."""
    return value if isinstance(value, SparseTensor) else convert_to_tensor(value)


__all__ = ["Stored", "as_component", "restored", "stored"]
