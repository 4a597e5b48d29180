"""`tf.ragged`: ranges, masks and partitions of ragged tensors, and functions of their flat values. No state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ...op.infer import constant_value as known_value
from ...ops import ragged as ops
from ..arrays import array, selection, sequences, slicing
from ..arrays.sorting import argsort
from ..checks import asserts
from ..framework.scope_blocks import control_dependencies, named
from ..math import counting, math
from . import ragged_index
from .ragged_tensor import RaggedTensor, RaggedTensorValue, as_ragged_or_dense
from .row_partitions import row_numbers

# -- ranges and row numbers -------------------------------------------------------------------------------------------------

_RANGE_DTYPES = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


@atomic
def range(
    starts: Any,
    limits: Any = None,
    deltas: Any = 1,
    dtype: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> RaggedTensor:
    """A row of numbers for each start and limit [rows]: a RaggedTensor [rows, (row length)]; scalars apply to every
    row.
    """
    if limits is None:
        starts, limits = 0, starts
    with named(name, "RaggedRange", [starts, limits, deltas]) as scope:
        bounds = [
            convert_to_tensor(value, dtype, name=label)
            for value, label in ((starts, "starts"), (limits, "limits"), (deltas, "deltas"))
        ]
        if dtype is None and all(b.dtype in _RANGE_DTYPES for b in bounds):
            widest = max((b.dtype for b in bounds), key=_RANGE_DTYPES.index)
            bounds = [math.cast(b, widest) for b in bounds]
        rows = ops.ragged_range(*bounds, Tsplits=as_dtype(row_splits_dtype), name=scope)
        return RaggedTensor.from_row_splits(rows.rt_dense_values, rows.rt_nested_splits, validate=False)


@atomic
def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Tensor:
    """The row number [values] of each value: splits [0, 2, 2, 3] become rows [0, 0, 2].

    Raises: ValueError for empty splits or another dtype than int32 and int64.
    """
    with named(name, "RaggedSplitsToSegmentIds", [splits]):
        splits = convert_to_tensor(splits, preferred_dtype=dtypes.int64, name="splits")
        if splits.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError(error_text("splits must have dtype int32 or int64"))
        splits.shape.assert_has_rank(1)
        if splits.raw_shape == (0,):
            raise ValueError(error_text("Invalid row_splits: []"))
        return math.cast(row_numbers(splits), splits.dtype if out_type is None else as_dtype(out_type))


@atomic
def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: str | None = None
) -> Tensor:
    """The splits [rows + 1] of sorted row numbers [values]: rows [0, 0, 2] become splits [0, 2, 2, 3].

    Raises: TypeError for row numbers that are not integers.
    """
    if out_type is None:
        argument_dtypes = [v.dtype for v in (segment_ids, num_segments) if isinstance(v, Tensor)]
        out_type = argument_dtypes[0] if argument_dtypes else dtypes.int64
    with named(name, "SegmentIdsToRaggedSplits", [segment_ids]):
        rows = _integers(segment_ids, "segment_ids")
        rows.shape.assert_has_rank(1)
        count = None if num_segments is None else _integers(num_segments, "num_segments")
        if count is not None:
            count.shape.assert_has_rank(0)
        lengths = counting.bincount(rows, minlength=count, maxlength=count, dtype=as_dtype(out_type))
        splits: Tensor = array.concat([[0], sequences.cumsum(lengths)], axis=0)
        static_count = None if count is None else known_value(count)
        if static_count is not None:
            splits.set_shape([int(static_count) + 1])
        return splits


def _integers(value: Any, name: str) -> Tensor:
    tensor = convert_to_tensor(value, preferred_dtype=dtypes.int64, name=name)
    if not tensor.dtype.is_integer:
        raise TypeError(error_text(f"{name} must be an integer tensor; dtype={tensor.dtype}", [tensor]))
    return math.cast(tensor, dtypes.int32)


# -- functions of the flat values ------------------------------------------------------------------------------------


def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`op`, called with the flat values [values, ...] of all ragged arguments; the result gets their rows.

    Raises: ValueError when the arguments have different ragged ranks or row_splits dtypes.
    """
    ragged_args: list[RaggedTensor] = []

    def flat(value: Any) -> Any:
        if isinstance(value, (RaggedTensor, RaggedTensorValue)):
            value = as_ragged_or_dense(value)
            ragged_args.append(value)
            return value.flat_values
        if isinstance(value, (list, tuple)):
            return type(value)(map(flat, value))
        return {key: flat(part) for key, part in value.items()} if isinstance(value, dict) else value

    inner_args, inner_kwargs = flat(args), flat(kwargs)
    if not ragged_args:
        return op(*args, **kwargs)
    assert_one_splits_dtype(ragged_args)
    with control_dependencies(assert_same_rows([ragged.nested_row_splits for ragged in ragged_args])):
        return RaggedTensor.from_nested_row_splits(
            op(*inner_args, **inner_kwargs), ragged_args[0].nested_row_splits, validate=False
        )


def assert_one_splits_dtype(values: Sequence[RaggedTensor]) -> None:
    """Raises: ValueError when the row splits have several dtypes."""
    if len({ragged.row_splits.dtype for ragged in values}) > 1:
        raise ValueError(
            error_text(
                "Input RaggedTensors have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to convert "
                "them to compatible dtypes."
            )
        )


def assert_same_rows(lists: Sequence[Sequence[Tensor]]) -> list[Operation]:
    """Operations that check that all splits equal the first ones.

    Raises: ValueError for different ragged ranks.
    """
    first = lists[0]
    if any(len(splits) != len(first) for splits in lists):
        raise ValueError(error_text("Inputs must have identical ragged splits"))
    return [
        asserts.assert_equal(a, b, message="Inputs must have identical ragged splits")
        for splits in lists[1:]
        for a, b in zip(first, splits)
        if a is not b
    ]


@atomic
def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """The values where the mask is True, row by row: data [n, ...], mask [n] or [n, (row length)] -> ragged unless
    mask is [n].

    Raises: ValueError for a mask of rank 0 or unknown rank.
    """
    with named(name, "RaggedMask"):
        data = as_ragged_or_dense(data, name="data")
        mask = as_ragged_or_dense(mask, dtypes.bool, name="mask")
        rank = mask.shape.ndims
        if rank is None:
            raise ValueError(error_text("mask.shape.ndims must be known statically."))
        if rank == 0:
            raise ValueError(error_text("mask cannot be scalar."))
        return _apply_mask(data, mask, rank)


def _apply_mask(data: Any, mask: Any, rank: int) -> Any:
    if rank == 1:
        if not isinstance(data, RaggedTensor):
            return slicing.boolean_mask(data, mask)
        indices = math.cast(array.reshape(selection.where(mask), [-1]), data.row_splits.dtype)
        data.shape[:1].assert_is_compatible_with(mask.shape)
        return ragged_index.gather_rows(data, indices)
    ragged_argument = data if isinstance(data, RaggedTensor) else mask if isinstance(mask, RaggedTensor) else None
    kind = dtypes.int64 if ragged_argument is None else ragged_argument.row_splits.dtype
    if not isinstance(mask, RaggedTensor):
        mask = RaggedTensor.from_tensor(mask, ragged_rank=rank - 1, row_splits_dtype=kind)
    if not isinstance(data, RaggedTensor):
        data = RaggedTensor.from_tensor(data, ragged_rank=mask.ragged_rank, row_splits_dtype=kind)
    data_splits = data.nested_row_splits[: mask.ragged_rank]
    with control_dependencies(assert_same_rows([mask.nested_row_splits, data_splits])):
        inner_mask, inner = mask.values, data.values
        values = _apply_mask(inner, inner_mask, rank - 1)
        if rank > 2:
            return RaggedTensor.from_row_splits(values, mask.row_splits, validate=False)
        rows = slicing.boolean_mask(row_numbers(mask.row_splits), inner_mask)
        return RaggedTensor.from_value_rowids(values, rows, mask.nrows(), validate=False)


# -- partitions ----------------------------------------------------------------------------------------------------


@atomic
def stack_dynamic_partitions(data: Any, partitions: Any, num_partitions: Any, name: str | None = None) -> RaggedTensor:
    """Row i holds the slices of data [n, ...] whose partition number [n] is i: [num_partitions, (row length), ...].

    Raises: TypeError for partitions that are not integers, ValueError for partitions of unknown rank.
    """
    with named(name, "SegmentStack"):
        data = as_ragged_or_dense(data, name="data")
        if isinstance(partitions, (RaggedTensor, RaggedTensorValue)):
            partitions = as_ragged_or_dense(partitions)
        else:
            kind = data.row_splits.dtype if isinstance(data, RaggedTensor) else None
            partitions = convert_to_tensor(partitions, kind, name="partitions")
        if not partitions.dtype.is_integer:
            raise TypeError(error_text(f"partitions must be integers; dtype={partitions.dtype}"))
        count = convert_to_tensor(num_partitions, preferred_dtype=partitions.dtype, name="num_partitions")
        count = math.cast(count, partitions.dtype)
        rank = partitions.shape.ndims
        if rank is None:
            raise ValueError(error_text("partitions must have known rank."))
        count.shape.assert_has_rank(0)
        partitions.shape.assert_is_compatible_with(data.shape[:rank])
        kind = data.row_splits.dtype if isinstance(data, RaggedTensor) else partitions.dtype
        return _stack_partitions(data, partitions, rank, count, kind)


def _stack_partitions(data: Any, partitions: Any, rank: int, count: Tensor, kind: DType) -> RaggedTensor:
    if rank <= 1:
        partitions, count = math.cast(partitions, kind), math.cast(count, kind)
    if rank == 0:
        return RaggedTensor.from_value_rowids(array.stack([data]), array.stack([partitions]), count, validate=False)
    if rank == 1:
        order = argsort(partitions, stable=True)
        rows = selection.gather(partitions, order)
        check = asserts.assert_less(rows[-1:], count, message="partitions must be less than num_partitions")
        with control_dependencies([check]):
            splits = segment_ids_to_row_splits(rows, count, rows.dtype)
            return RaggedTensor.from_row_splits(ragged_index.gather_rows(data, order), splits, validate=False)
    if not isinstance(data, RaggedTensor):
        data = RaggedTensor.from_tensor(data, row_splits_dtype=partitions.dtype)
    if not isinstance(partitions, RaggedTensor):
        depth = max(data.ragged_rank, rank - 1)
        partitions = RaggedTensor.from_tensor(partitions, ragged_rank=depth, row_splits_dtype=partitions.dtype)
    message = "data and partitions have incompatible ragged shapes"
    with control_dependencies([asserts.assert_equal(data.row_splits, partitions.row_splits, message=message)]):
        return _stack_partitions(data.values, partitions.values, rank - 1, count, kind)


__all__ = [
    "RaggedTensorValue", "boolean_mask", "map_flat_values", "range", "row_splits_to_segment_ids",
    "segment_ids_to_row_splits", "stack_dynamic_partitions",
]  # fmt: skip
