"""`tf.unsorted_segment_sum`, `tf.reduce_sum`, `tf.strings.reduce_join` … of ragged tensors.

A reduction is a segment function: along axis 1 the values of a row have the row's number as their segment, along axis 0 their
position in the row. No state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...base import dtypes
from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...op.infer import constant_value
from ..arrays import array, selection, sequences
from ..checks import asserts
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import control_dependencies, named
from ..math import math, reductions
from ..strings import strings
from .ragged_arrays import position
from .ragged_tensor import RaggedTensor, as_ragged_or_dense
from .row_partitions import longest_row, prepend_zero, row_numbers

# -- segments --------------------------------------------------------------------------------------------------------


def segments(function: Callable[..., Any], title: str) -> Callable[..., Any]:
    """The ragged form of `function(data, segment_ids, num_segments)`, whose nodes stand in a scope of that title."""

    def of_segments(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        with named(name, title):
            return _segments(function, data, segment_ids, num_segments)

    return of_segments


def _segments(function: Callable[..., Any], data: Any, segment_ids: Any, count: Any) -> Any:
    data = as_ragged_or_dense(data, name="data")
    ids = as_ragged_or_dense(segment_ids, name="segment_ids")
    if ids.dtype not in (dtypes.int32, dtypes.int64):
        raise ValueError(error_text("segment_ids must have dtype int32 or int64."))
    if not isinstance(ids, RaggedTensor):
        return _segments_of_rows(function, data, ids, count)
    if not isinstance(data, RaggedTensor):
        raise ValueError(
            error_text("segment_ids.shape must be a prefix of data.shape, but segment_ids is ragged and data is not.")
        )
    check = asserts.assert_equal(
        ids.row_splits, data.row_splits, message="segment_ids.shape must be a prefix of data.shape"
    )
    with control_dependencies([check]):
        return _segments(function, array.functions.identity(data.values) if isinstance(data.values, Tensor) else data.values,
                         ids.values, count)  # fmt: skip


def _segments_of_rows(function: Callable[..., Any], data: Any, ids: Tensor, count: Any) -> Any:
    """Rows with one number, combined position by position; the result's row is as long as the longest of them."""
    if not isinstance(data, RaggedTensor):
        return function(data, ids, count)
    kind = data.row_splits.dtype
    lengths = data.row_lengths()
    longest = reductions.unsorted_segment_max(lengths, ids, count)
    splits = prepend_zero(sequences.cumsum(math.maximum(longest, constant(0, kind))))
    row_of = row_numbers(data.row_splits)
    starts = selection.gather(splits, ids)
    in_row = sequences.range(data.row_splits[-1]) - selection.gather(data.row_splits, row_of)  # type: ignore[index]
    places = selection.gather(starts, row_of) + in_row
    values = _segments_of_rows(function, data.values, places, splits[-1])
    return RaggedTensor.from_row_splits(values, splits, validate=False)


def _quotient(title: str, divisor: Callable[[Any], Any]) -> Callable[..., Any]:
    """The ragged form of a sum that is divided by a function of the number of its terms."""

    def of_segments(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        with named(name, title):
            data = as_ragged_or_dense(data, name="data")
            total = _segments(reductions.unsorted_segment_sum, data, segment_ids, num_segments)
            ones = _with_flat_values(data, array.ones_like)
            terms = _segments(reductions.unsorted_segment_sum, ones, segment_ids, num_segments)
            values = math.truediv(_flat(total), divisor(_flat(terms)))
            return _with_flat_values(total, lambda _: values)

    return of_segments


def _flat(value: Any) -> Tensor:
    return value.flat_values if isinstance(value, RaggedTensor) else value  # type: ignore[no-any-return]


def _with_flat_values(value: Any, function: Callable[[Tensor], Any]) -> Any:
    """The value with `function` of its elements."""
    return value.with_flat_values(function(value.flat_values)) if isinstance(value, RaggedTensor) else function(value)


SEGMENTS = {
    reductions.unsorted_segment_sum: segments(reductions.unsorted_segment_sum, "RaggedSegmentSum"),
    reductions.unsorted_segment_prod: segments(reductions.unsorted_segment_prod, "RaggedSegmentProd"),
    reductions.unsorted_segment_max: segments(reductions.unsorted_segment_max, "RaggedSegmentMax"),
    reductions.unsorted_segment_min: segments(reductions.unsorted_segment_min, "RaggedSegmentMin"),
    reductions.unsorted_segment_mean: _quotient("RaggedSegmentMean", lambda terms: terms),
    reductions.unsorted_segment_sqrt_n: _quotient("RaggedSegmentSqrtN", math.sqrt),
}

# -- reductions ------------------------------------------------------------------------------------------------------


class _Reduction(NamedTuple):
    """of_axes: of a dense tensor along axes. of_segments: of values with segment numbers. title: the nodes' scope."""

    of_axes: Callable[..., Any]
    of_segments: Callable[..., Any]
    title: str


def _reduced(reduction: _Reduction, value: Any, axis: Any) -> Any:
    """The value, reduced along each axis, the last one first."""
    if axis is None:
        return reduction.of_axes(_flat(value), None)
    if not isinstance(axis, (list, tuple)):
        return _reduced_along(reduction, value, position(axis, value.shape.ndims))
    rank = value.shape.ndims
    if rank is None and len(axis) > 1:
        raise ValueError(error_text("The rank must be known statically to reduce several axes"))
    for place in sorted([position(a, rank) for a in axis], reverse=True):
        value = _reduced_along(reduction, value, place)
    return value


def _reduced_along(reduction: _Reduction, value: Any, axis: int) -> Any:
    if not isinstance(value, RaggedTensor):
        return reduction.of_axes(value, axis)
    splits: Any = value.row_splits
    if axis > 1:
        return value.with_values(_reduced_along(reduction, value.values, axis - 1))
    rows = row_numbers(splits)
    if axis == 1:
        return _segments_of_rows(reduction.of_segments, value.values, rows, value.nrows())
    in_row = sequences.range(splits[-1]) - selection.gather(splits, rows)
    return _segments_of_rows(reduction.of_segments, value.values, in_row, longest_row(splits, splits.dtype))


def _refuse_keepdims(keepdims: Any) -> None:
    if keepdims:
        raise ValueError(error_text("keepdims=True is not supported for RaggedTensors."))


def _axis_of(axis: Any) -> Any:
    """The axes as Python numbers, where they are a constant tensor."""
    known = constant_value(axis) if isinstance(axis, Tensor) else None
    return axis if known is None else known.tolist()


def _ragged_form(steps: Callable[[Any, Any], Any], title: str) -> Callable[..., Any]:
    """A public reduction from `steps(value, axis)`."""

    def reduce(
        input_tensor: Any,
        axis: Any = None,
        keepdims: Any = None,
        name: str | None = None,
        reduction_indices: Any = None,
        keep_dims: Any = None,
    ) -> Any:
        axis = renamed("axis", axis, "reduction_indices", reduction_indices)
        _refuse_keepdims(renamed("keepdims", keepdims, "keep_dims", keep_dims))
        with named(name, title):
            return steps(as_ragged_or_dense(input_tensor, name="rt_input"), _axis_of(axis))

    return reduce


_SUM = _Reduction(reductions.reduce_sum, reductions.unsorted_segment_sum, "RaggedReduceSum")
_PROD = _Reduction(reductions.reduce_prod, reductions.unsorted_segment_prod, "RaggedReduceProd")
_MAX = _Reduction(reductions.reduce_max, reductions.unsorted_segment_max, "RaggedReduceMax")
_MIN = _Reduction(reductions.reduce_min, reductions.unsorted_segment_min, "RaggedReduceMin")


def _mean(value: Any, axis: Any) -> Any:
    total = _reduced(_SUM, value, axis)
    terms = _reduced(_SUM, _with_flat_values(value, array.ones_like), axis)
    quotient = math.truediv(_flat(total), _flat(terms))
    return _with_flat_values(total, lambda _: quotient)


def _of_bools(reduction: _Reduction) -> Callable[[Any, Any], Any]:
    """The reduction of booleans: it casts them to 1 and 0, and reduces those numbers."""

    def steps(value: Any, axis: Any) -> Any:
        numbers = _with_flat_values(value, lambda x: math.cast(math.cast(x, dtypes.bool), dtypes.int32))
        return _with_flat_values(_reduced(reduction, numbers, axis), lambda x: math.cast(x, dtypes.bool))

    return steps


def _reduce(reduction: _Reduction) -> Callable[..., Any]:
    return _ragged_form(lambda value, axis: _reduced(reduction, value, axis), reduction.title)


REDUCTIONS = {
    reductions.reduce_sum: _reduce(_SUM),
    reductions.reduce_prod: _reduce(_PROD),
    reductions.reduce_max: _reduce(_MAX),
    reductions.reduce_min: _reduce(_MIN),
    reductions.reduce_mean: _ragged_form(_mean, "RaggedReduceMean"),
    reductions.reduce_any: _ragged_form(_of_bools(_SUM), "RaggedReduceAny"),
    reductions.reduce_all: _ragged_form(_of_bools(_PROD), "RaggedReduceAll"),
}


def reduce_join(
    inputs: Any,
    axis: Any = None,
    keep_dims: Any = None,
    separator: str = "",
    name: str | None = None,
    reduction_indices: Any = None,
    keepdims: Any = None,
) -> Any:
    """The strings [rows, (row length)] joined along the axes: with axis 1 -> [rows].

    Raises: ValueError for keepdims.
    """
    axis = renamed("axis", axis, "reduction_indices", reduction_indices)
    _refuse_keepdims(renamed("keepdims", keepdims, "keep_dims", keep_dims))
    with named(name, "RaggedSegmentJoin"):
        joining = _Reduction(
            lambda x, axis: strings.reduce_join(x, axis, separator=separator),
            lambda x, ids, count: strings.unsorted_segment_join(x, ids, count, separator),
            "RaggedSegmentJoin",
        )
        return _reduced(joining, as_ragged_or_dense(inputs, name="rt_input"), _axis_of(axis))
