"""`tf.reduce_sum`, `tf.argmax`, `tf.segment_mean` …: reductions along axes and by segments. No state."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ...base import dtypes, shapes
from ...base.dtypes import as_dtype
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...op.infer import constant_value
from ...ops import complex_numbers as complex_ops
from ...ops import gather as gather_ops
from ...ops import logic as logic_ops
from ...ops import math as ops
from ...ops import reduce as reduce_ops
from ..arrays import array
from ..arrays.sequences import range
from ..framework.dispatch import takes_ragged
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from .math import cast, exp, floormod, is_finite, log, maximum, sqrt, square, subtract

segment_sum, segment_mean, segment_prod = reduce_ops.segment_sum, reduce_ops.segment_mean, reduce_ops.segment_prod
segment_max, segment_min = reduce_ops.segment_max, reduce_ops.segment_min
unsorted_segment_sum = takes_ragged(reduce_ops.unsorted_segment_sum)
unsorted_segment_prod = takes_ragged(reduce_ops.unsorted_segment_prod)
unsorted_segment_max = takes_ragged(reduce_ops.unsorted_segment_max)
unsorted_segment_min = takes_ragged(reduce_ops.unsorted_segment_min)


def _axes(x: Any, axis: Any) -> Any:
    """The axes to reduce: all of them where none is named."""
    if axis is not None:
        return axis
    # As TF does: a variable's rank is computed by nodes although it is known.
    if isinstance(x, Tensor) and x.raw_shape is not None:
        return constant(np.arange(len(x.raw_shape)), dtype=dtypes.int32)
    return range(0, array.rank(x))


def _reduce_axes(op_caller: Any, x: Any, axis: Any, keepdims: Any, name: str | None) -> Tensor:
    keep = False if keepdims is None else builtins.bool(keepdims)
    everything = axis is None
    out: Tensor = op_caller(x, _axes(x, axis), keep_dims=keep, name=name)
    if everything and not keep and not shapes.is_full(out.raw_shape):
        out.set_shape(())
    return out


@atomic
def _reduce_all_axes(op_caller: Any, x: Any, axis: None, keepdims: Any, name: str | None) -> Tensor:
    """A reduction over all axes: atomic, because a constant of the axes precedes the op."""
    return _reduce_axes(op_caller, x, axis, keepdims, name)


def _reduction(name: str, op_caller: Any, doc: str) -> Any:
    def reduce(
        input_tensor: Any,
        axis: Any = None,
        keepdims: Any = None,
        name: str | None = None,
        reduction_indices: Any = None,
        keep_dims: Any = None,
    ) -> Tensor:
        axis = renamed("axis", axis, "reduction_indices", reduction_indices)
        keep = renamed("keepdims", keepdims, "keep_dims", keep_dims)
        reducer = _reduce_all_axes if axis is None else _reduce_axes
        return reducer(op_caller, input_tensor, axis, keep, name)

    reduce.__doc__ = (
        f"{doc}: [m, n] with axis 1 -> [m].\n\naxis: the axes to reduce, all by default. keepdims: they stay, with size 1."
    )
    # Python names a function in its own messages by its code.
    reduce.__code__ = reduce.__code__.replace(co_name=name, co_qualname=name)
    reduce.__name__ = reduce.__qualname__ = name
    return takes_ragged(reduce)


reduce_sum = _reduction("reduce_sum", reduce_ops.sum_, "Sums of elements")
reduce_mean = _reduction("reduce_mean", reduce_ops.mean, "Means of elements; of integers truncated towards 0")
reduce_prod = _reduction("reduce_prod", reduce_ops.prod, "Products of elements")
reduce_max = _reduction("reduce_max", reduce_ops.max_, "Largest elements")
reduce_min = _reduction("reduce_min", reduce_ops.min_, "Smallest elements")
reduce_all = _reduction("reduce_all", reduce_ops.all_, "Whether all elements hold")
reduce_any = _reduction("reduce_any", reduce_ops.any_, "Whether any element holds")


@atomic
def reduce_logsumexp(
    input_tensor: Any,
    axis: Any = None,
    keepdims: Any = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: Any = None,
) -> Tensor:
    """log Σ exp(x) along the axes without overflow: [m, n] with axis 1 -> [m]."""

    axis = renamed("axis", axis, "reduction_indices", reduction_indices)
    keep = builtins.bool(renamed("keepdims", keepdims, "keep_dims", keep_dims))
    x = convert_to_tensor(input_tensor)
    with named(name, "ReduceLogSumExp", [x]):
        largest = reduce_max(x, axis=axis, keepdims=True)
        shift = array.stop_gradient(logic_ops.select(is_finite(largest), largest, array.zeros_like(largest)))
        result = log(reduce_sum(exp(subtract(x, shift)), axis=axis, keepdims=keep))
        if not keep:
            shift = array.reshape(shift, array.shape(result))
        total: Tensor = ops.add(result, shift)
        return total


@atomic
def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Tensor:
    """The mean squared distances from the mean along the axes: [m, n] with axis 1 -> [m].

    Raises: TypeError for integers.
    """
    with named(name, "reduce_variance"):
        x = convert_to_tensor(input_tensor)
        means = reduce_mean(x, axis=axis, keepdims=True)
        if means.dtype.is_integer:
            raise TypeError("Input must be either real or complex")
        difference: Tensor = x - means  # type: ignore[operator]
        if difference.dtype.is_complex:
            squares = complex_ops.real(ops.mul(complex_ops.conj(difference), difference), Tout=difference.dtype.real_dtype)
        else:
            squares = square(difference)
        return reduce_mean(squares, axis=axis, keepdims=keepdims)


@atomic
def reduce_std(input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None) -> Tensor:
    """The standard deviations along the axes: [m, n] with axis 1 -> [m].

    Raises: TypeError for integers.
    """
    with named(name, "reduce_std"):
        return sqrt(reduce_variance(convert_to_tensor(input_tensor), axis=axis, keepdims=keepdims))


@atomic
def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Tensor:
    """The square roots of the sums of squares along the axes: [m, n] with axis 1 -> [m]."""
    return _reduce_axes(reduce_ops.euclidean_norm, input_tensor, axis, keepdims, name)


def _arg_reduction(
    op_caller: Any, input: Any, axis: Any, name: str | None, dimension: Any, output_type: Any
) -> Tensor:
    axis = renamed("axis", axis, "dimension", dimension)
    out: Tensor = op_caller(input, 0 if axis is None else axis, output_type=as_dtype(output_type), name=name)
    return out


def argmax(
    input: Any,
    axis: Any = None,
    name: str | None = None,
    dimension: Any = None,
    output_type: Any = dtypes.int64,
) -> Tensor:
    """The index of the largest element along an axis, 0 by default: [m, n] -> [n]."""
    return _arg_reduction(reduce_ops.arg_max, input, axis, name, dimension, output_type)


def argmin(
    input: Any,
    axis: Any = None,
    name: str | None = None,
    dimension: Any = None,
    output_type: Any = dtypes.int64,
) -> Tensor:
    """The index of the smallest element along an axis, 0 by default: [m, n] -> [n]."""
    return _arg_reduction(reduce_ops.arg_min, input, axis, name, dimension, output_type)


arg_max, arg_min = reduce_ops.arg_max, reduce_ops.arg_min


@atomic
def _unsorted_counts(data: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """The number of rows of each segment, at least 1, reshaped to divide the sums."""
    ones = array.ones(array.shape(segment_ids), dtype=data.dtype)
    counts = unsorted_segment_sum(ones, segment_ids, num_segments)
    counts = array.reshape(counts, [num_segments] + [1] * (len(data.shape) - len(segment_ids.shape)))
    return maximum(counts, 1)


@takes_ragged
@atomic
def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The means of the rows with the same segment id: data [n, ...], segment_ids [n] -> [num_segments, ...]."""
    with named(name, "UnsortedSegmentMean"):
        data, ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        counts: Any = _unsorted_counts(data, ids, num_segments)
        return unsorted_segment_sum(data, ids, num_segments) / counts  # type: ignore[no-any-return]


@takes_ragged
@atomic
def unsorted_segment_sqrt_n(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The sums of the rows with the same segment id over the roots of their counts: data [n, ...] ->
    [num_segments, ...].
    """
    with named(name, "UnsortedSegmentSqrtN"):
        data, ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        counts = _unsorted_counts(data, ids, num_segments)
        return unsorted_segment_sum(data, ids, num_segments) / sqrt(counts)  # type: ignore[no-any-return]


def reduced_shape(input_shape: Any, axes: Any) -> Tensor:
    """The shape [rank] of a reduction that keeps its axes: input_shape [rank] with 1 at `axes` [k]."""
    known_shape, known_axes = (
        constant_value(convert_to_tensor(input_shape)),
        constant_value(convert_to_tensor(axes)),
    )
    if known_shape is not None and known_axes is not None:
        out = np.array(known_shape)
        out[np.ravel(known_axes)] = 1
        return constant(out, dtypes.int32)

    sizes, axes_vector = cast(input_shape, dtypes.int32), cast(axes, dtypes.int32)
    rank = array.size(sizes)
    axes_vector = floormod(ops.add_v2(axes_vector, rank), rank)
    ones = array.fill(array.shape(axes_vector), 1)
    return gather_ops.dynamic_stitch([range(rank), axes_vector], [sizes, ones])
