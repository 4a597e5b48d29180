"""Gradients of sums and extremes by segments: each element gets the gradient of its segment."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...lib.arrays import array, selection, sequences
from ...lib.math import math, reductions
from ...lib.variables import scatter
from ...op.constant import constant
from ...ops import gather as gather_ops
from ...ops import reduce as ops

ops.segment_sum.grad(lambda op, g: (selection.gather(g, op.inputs[1]), None))


@ops.segment_mean.grad
def _(op: Any, g: Any) -> Any:
    x, ids = op.inputs
    rank = array.rank(x)
    sizes = array.concat([array.shape(ids), array.fill(array.expand_dims(rank - 1, 0), 1)], 0)
    ones = array.fill(sizes, constant(1, dtype=g.dtype.base_dtype))
    return selection.gather(math.divide(g, reductions.segment_sum(ones, ids)), ids), None


def _of_extreme(op: Any, g: Any) -> Any:
    x, ids = op.inputs
    zeros = array.zeros_like(x, dtype=x.dtype.base_dtype)
    found = math.equal(x, selection.gather(op.outputs[0], ids))
    count = reductions.segment_sum(math.cast(found, g.dtype), ids)
    shared = selection.gather(math.divide(g, count), ids)
    return selection.where(found, shared, zeros), None


ops.segment_min.grad(_of_extreme)
ops.segment_max.grad(_of_extreme)


def _taken(rows: Any, ids: Any, clipped: Any = None, valid: Any = None) -> tuple[Any, Any, Any]:
    """The rows that ids name, zeros for a negative id; also the ids that are safe and where they were."""
    if clipped is None:
        clipped = math.maximum(ids, array.zeros_like(ids))
    taken = selection.gather(rows, clipped)
    if valid is None:
        valid = math.greater_equal(ids, 0)
        for _ in range(len(taken.raw_shape) - len(valid.raw_shape)):
            valid = array.expand_dims(valid, -1)
        valid = math.logical_and(valid, array.ones_like(taken, dtype=dtypes.bool))
    return selection.where(valid, taken, array.zeros_like(taken)), clipped, valid


ops.unsorted_segment_sum.grad(lambda op, g: (_taken(g, op.inputs[1])[0], None, None))


def _of_unsorted_extreme(op: Any, g: Any) -> Any:
    x, ids, count = op.inputs
    extremes, clipped, valid = _taken(op.outputs[0], ids)
    found = math.logical_and(math.equal(x, extremes), valid)
    shares = reductions.unsorted_segment_sum(math.cast(found, g.dtype), ids, count)
    shared = _taken(math.divide(g, shares), None, clipped, valid)[0]
    return selection.where(found, shared, array.zeros_like(shared)), None, None


ops.unsorted_segment_max.grad(_of_unsorted_extreme)
ops.unsorted_segment_min.grad(_of_unsorted_extreme)


@ops.unsorted_segment_prod.grad
def _(op: Any, g: Any) -> Any:
    # One zero in a segment: only its own derivative is not 0. Two: none is.
    x, ids, count = op.inputs
    is_zero = math.equal(x, 0)
    zeros = ops.unsorted_segment_sum(math.cast(is_zero, dtype=dtypes.int32), ids, count)
    g = selection.where(math.greater(zeros, 1), array.zeros_like(g), g)
    others = ops.unsorted_segment_prod(selection.where(is_zero, array.ones_like(x), x), ids, count)
    clipped = math.maximum(ids, array.zeros_like(ids))
    product = selection.gather(op.outputs[0], clipped)
    partial = selection.where(is_zero, selection.gather(others, clipped), product / x)
    return _taken(g, ids, clipped)[0] * partial, None, None


@gather_ops.top_k_v2.grad
def _(op: Any, g: Any, _: Any) -> Any:
    x, places = op.inputs[0], op.outputs[1]
    shape, kept = array.shape(x), array.shape(places)
    count = selection.gather(math.cast(kept, dtypes.int64), array.size(kept) - 1)
    rows = array.reshape(places, array.stack([-1, count]))
    length = selection.gather(math.cast(shape, dtypes.int64), array.size(shape) - 1)
    ends = math.cast(array.shape(rows)[0], dtypes.int64) * length
    starts = math.cast(array.expand_dims(sequences.range(0, ends, length), -1), dtypes.int32)
    flat = array.expand_dims(array.reshape(rows + starts, [-1]), -1)
    spread = scatter.scatter_nd(flat, array.reshape(g, [-1]), [reductions.reduce_prod(shape)])
    return array.reshape(spread, shape), array.zeros([], dtype=dtypes.int32)
