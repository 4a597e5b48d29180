"""Gradients of sparse tensors' ops, of segments of picked rows, and of ragged tensors' ops. Indices have none."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...lib.arrays import array, selection, sequences, slicing
from ...lib.math import math, reductions
from ...lib.ragged import ragged_functions
from ...lib.sparse import sparse, sparse_math
from ...op.composites import IndexedSlices, SparseTensor
from ...op.gradient_rules import reduced_shape
from ...ops import gather as gather_ops
from ...ops import gradient_ops_sparse as grads
from ...ops import ragged as ragged_ops
from ...ops import sparse as ops
from ...ops import sparse_math as math_ops

# -- entries -----------------------------------------------------------------------------------------------------------------


@ops.sparse_reorder.grad
def _(op: Any, _: Any, g: Any) -> Any:
    indices, _values, shape = op.inputs
    numbers = sequences.range(array.shape(indices)[0])
    moved = sparse.reorder(SparseTensor(indices, numbers, shape))
    return None, selection.gather(g, math.invert_permutation(moved.values)), None


@math_ops.sparse_add.grad
def _(op: Any, *gs: Any) -> Any:
    da, db = grads.sparse_add_grad(gs[1], op.inputs[0], op.inputs[3], op.outputs[0])
    da.set_shape(op.inputs[1].raw_shape)
    db.set_shape(op.inputs[4].raw_shape)
    return None, da, None, None, db, None, None


@ops.sparse_slice.grad
def _(op: Any, *gs: Any) -> Any:
    dx = grads.sparse_slice_grad(gs[1], op.inputs[0], op.inputs[3], op.outputs[0])
    dx.set_shape(op.inputs[1].raw_shape)
    return None, dx, None, None, None


@ops.sparse_fill_empty_rows.grad
def _(op: Any, _: Any, g: Any, *others: Any) -> Any:
    dx, d_default = grads.sparse_fill_empty_rows_grad(reverse_index_map=op.outputs[3], grad_values=g)
    return None, dx, None, d_default


@gather_ops.sparse_to_dense.grad
def _(op: Any, g: Any) -> Any:
    indices, shape = op.inputs[:2]
    dx = selection.gather_nd(g, indices)
    d_default = reductions.reduce_sum(g) - reductions.reduce_sum(dx)
    return array.zeros_like(indices), array.zeros_like(shape), dx, d_default


# -- with a dense tensor -------------------------------------------------------------------------------------------------------

math_ops.sparse_tensor_dense_add.grad(lambda op, g: (None, selection.gather_nd(g, op.inputs[0]), None, g))


@math_ops.sparse_reduce_sum.grad
def _(op: Any, g: Any) -> Any:
    indices, _, shape, axes = op.inputs
    kept = reduced_shape(shape, axes)
    g = array.reshape(g, kept)
    scale = shape // math.cast(kept, dtypes.int64)
    return None, selection.gather_nd(g, indices // scale), None, None


@math_ops.sparse_tensor_dense_mat_mul.grad
def _(op: Any, g: Any) -> Any:
    indices, values, shape, b = op.inputs
    turned_a, turned_b = op.attrs["adjoint_a"], op.attrs["adjoint_b"]
    if values.dtype.is_complex:
        raise NotImplementedError("SparseTensorDenseMatMul op does not support complex gradients.")
    db = math_ops.sparse_tensor_dense_mat_mul(indices, values, shape, g, adjoint_a=not turned_a)
    if turned_b:
        db = array.transpose(db)
    rows, columns = indices[:, 0], indices[:, 1]
    left = selection.gather(g, columns if turned_a else rows)
    right = selection.gather(array.transpose(b) if turned_b else b, rows if turned_a else columns)
    return None, reductions.reduce_sum(left * right, axis=1), None, db


def _of_factor(caller: Any, divided: bool) -> None:
    def rule(op: Any, g: Any) -> Any:
        indices, values, shape, y = op.inputs
        sizes = math.cast(array.shape(y), dtypes.int64)
        more = array.expand_dims(array.size(shape) - array.size(sizes), 0)
        scale = shape // array.concat([array.ones(more, dtypes.int64), sizes], 0)
        # Where in y each entry's partner stands.
        places = slicing.slice(indices // scale, array.concat([[0], more], 0), [-1, -1])
        partners = selection.gather_nd(y, places)
        if divided:
            dx, dy = g / partners, g * (-values / math.square(partners))
        else:
            dx, dy = g * partners, g * values
        return None, dx, None, sparse_math.add(array.zeros_like(y), SparseTensor(places, dy, sizes))

    caller.grad(rule)


_of_factor(math_ops.sparse_dense_cwise_mul, False)
_of_factor(math_ops.sparse_dense_cwise_div, True)


@math_ops.sparse_softmax.grad
def _(op: Any, g: Any) -> Any:
    indices, _, shape = op.inputs
    y = op.outputs[0]
    product = SparseTensor(indices, y * g, shape)
    sums = -sparse_math.reduce_sum(product, [-1], keepdims=True)
    return None, math_ops.sparse_dense_cwise_add(indices, g, shape, sums) * y, None


def _unwritten(caller: Any, type: str) -> None:
    def rule(op: Any, *gs: Any) -> Any:
        raise NotImplementedError(f"Gradient for {type} is currently not implemented yet.")

    caller.grad(rule)


_unwritten(math_ops.sparse_dense_cwise_add, "SparseDenseCwiseAdd")
_unwritten(math_ops.sparse_sparse_maximum, "SparseSparseMaximum")
_unwritten(math_ops.sparse_sparse_minimum, "SparseSparseMinimum")

# -- segments of picked rows ---------------------------------------------------------------------------------------------------


def _of_segments(form: Any, *callers: Any) -> None:
    def rule(op: Any, g: Any) -> Any:
        x, indices, ids = op.inputs[:3]
        rows = array.shape(x)[0]
        return (form(g, indices, ids, rows), *[None] * (len(op.inputs) - 1))

    for caller in callers:
        caller.grad(rule)


_of_segments(
    lambda g, indices, ids, rows: reductions.unsorted_segment_sum(selection.gather(g, ids), indices, rows),
    math_ops.sparse_segment_sum, math_ops.sparse_segment_sum_with_num_segments,
)  # fmt: skip
_of_segments(
    grads.sparse_segment_mean_grad, math_ops.sparse_segment_mean, math_ops.sparse_segment_mean_with_num_segments
)
_of_segments(
    grads.sparse_segment_sqrt_n_grad, math_ops.sparse_segment_sqrt_n, math_ops.sparse_segment_sqrt_n_with_num_segments
)

# -- ragged tensors --------------------------------------------------------------------------------------------------------------


@ragged_ops.ragged_gather.grad
def _(op: Any, *gs: Any) -> Any:
    *nested, values, indices = op.inputs
    # Which values belong to which row of the outermost axis.
    splits = nested[0]
    for inner in nested[1:]:
        splits = selection.gather(inner, splits)
    rows = array.reshape(indices, [-1])
    places = ragged_functions.range(selection.gather(splits, rows), selection.gather(splits[1:], rows)).values
    return [*[None] * len(nested), IndexedSlices(gs[-1], places, array.shape(values)), None]


@ragged_ops.ragged_tensor_to_sparse.grad
def _(op: Any, _: Any, g: Any, *others: Any) -> Any:
    *nested, values = op.inputs
    return [*[None] * len(nested), array.reshape(g, array.shape(values))]
