"""Ops that only the gradients of sparse ops use: they carry gradients from a result's entries back to the operands'."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backends.combined_rows import combine_rows
from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op.define import Sym, op
from ..op.gradient_rules import NO_RULE_IN_TF
from ..op.shape_checks import Any_, Number, at_least, invalid, of_rank, text_of, vector
from .sparse import int64, must_be
from .sparse_math import SegmentFloat, Tidx, Tsegmentids


def _values_at(entries: Any, wanted: Any, values: Any) -> Any:
    """The values of the entries at the wanted indices, 0 where there is none: entries [n, rank], wanted [m, rank] -> [m]."""
    out = np.zeros(len(wanted), values.dtype)
    if len(entries) and len(wanted):
        _, number = np.unique(np.concatenate([entries, wanted]), axis=0, return_inverse=True)
        number = np.ravel(number)
        place = np.full(number.max() + 1, -1)
        place[number[: len(entries)]] = np.arange(len(entries))
        positions = place[number[len(entries) :]]
        out[positions >= 0] = values[positions[positions >= 0]]
    return out


@op("SparseAddGrad", not_differentiable=NO_RULE_IN_TF, out="a_val_grad b_val_grad", fresh=True)
def sparse_add_grad(
    xp: Any, backprop_val_grad: Number, a_indices: int64, b_indices: int64, sum_indices: int64
) -> tuple[Number, Number]:
    """The gradients of both operands' values from the sum's: backprop_val_grad [m], a_indices [n, rank], b_indices [k,
    rank], sum_indices [m, rank] -> a_val_grad [n], b_val_grad [k].
    """
    if any(np.ndim(i) != 2 for i in (a_indices, b_indices, sum_indices)):
        listed = ", ".join(text_of(np.shape(i)) for i in (a_indices, b_indices, sum_indices))
        raise invalid(f"Inputs a_indices, b_indices, sum_indices should be matrices but received shapes: {listed}")
    must_be(backprop_val_grad, 1, "Input backprop_val_grad should be a vector but received shape: {}")
    if len({i.shape[1] for i in (a_indices, b_indices, sum_indices)}) > 1:
        raise invalid(
            f"The densified operands should have the same ndims; for A, B, sum got: {a_indices.shape[1]}"
            f"{b_indices.shape[1]}{sum_indices.shape[1]}"
        )
    if len(backprop_val_grad) != len(sum_indices):
        raise invalid(
            "# elements of backprop_val_grad and # rows of sum_indices should match (#nnz of sum): got "
            f"{len(backprop_val_grad)} and {len(sum_indices)}"
        )
    return _values_at(sum_indices, a_indices, backprop_val_grad), _values_at(sum_indices, b_indices, backprop_val_grad)


@sparse_add_grad.shape
def _(backprop_val_grad: Sym, a_indices: Sym, b_indices: Sym, sum_indices: Sym) -> list[Shape]:
    first, second = of_rank(a_indices.shape, 2), of_rank(b_indices.shape, 2)
    return [(first[0],), (second[0],)]


@op("SparseSliceGrad", out="val_grad", fresh=True)
def sparse_slice_grad(
    xp: Any, backprop_val_grad: Number, input_indices: int64, input_start: int64, output_indices: int64
) -> Number:
    """The gradient of a sparse tensor's values from its slice's: backprop_val_grad [m], input_indices [n, rank],
    input_start [rank], output_indices [m, rank] -> val_grad [n].
    """
    must_be(backprop_val_grad, 1, "Input backprop_val_grad should be a vector but received shape: {}")
    if np.ndim(input_indices) != 2 or np.ndim(output_indices) != 2:
        raise invalid(
            "Input indices should be matrices but received shapes: "
            f"{text_of(np.shape(input_indices))} and {text_of(np.shape(output_indices))}"
        )
    if input_indices.shape[1] != output_indices.shape[1]:
        raise invalid(
            f"The input and output should have the same ndims: got: {input_indices.shape[1]} and {output_indices.shape[1]}"
        )
    if len(output_indices) > len(input_indices):
        raise invalid(
            "# rows of output_indices should be not greater than of input_indices, got "
            f"{len(output_indices)} and {len(input_indices)}"
        )
    must_be(input_start, 1, "Input start should be a vector but received shape {}")
    if len(input_start) != input_indices.shape[1]:
        raise invalid(
            f"Expected input_start to be a vector of length {input_indices.shape[1]} but got length {len(input_start)}"
        )
    if len(backprop_val_grad) != len(output_indices):
        raise invalid(
            "# elements of backprop_val_grad and # rows of output_indices should match (#nnz of sum): got "
            f"{len(backprop_val_grad)} and {len(output_indices)}"
        )
    return _values_at(output_indices + input_start, input_indices, backprop_val_grad)


@sparse_slice_grad.shape
def _(backprop_val_grad: Sym, input_indices: Sym, input_start: Sym, output_indices: Sym) -> Shape:
    return (of_rank(input_indices.shape, 2)[0],)


@op("SparseFillEmptyRowsGrad", out="d_values d_default_value", fresh=True)
def sparse_fill_empty_rows_grad(xp: Any, reverse_index_map: int64, grad_values: Any_) -> tuple[Any_, Any_]:
    """The gradients of the original values and of the default: reverse_index_map [n], grad_values [m] -> d_values [n],
    d_default_value scalar.
    """
    must_be(reverse_index_map, 1, "reverse_index_map must be a vector, saw: {}")
    must_be(grad_values, 1, "grad_values must be a vector, saw: {}")
    bad = (reverse_index_map < 0) | (reverse_index_map >= len(grad_values))
    if bad.any():
        raise invalid(f"Elements in reverse index must be in [0, {len(grad_values)}) but got {reverse_index_map[bad][0]}")
    added = np.ones(len(grad_values), bool)
    added[reverse_index_map] = False
    return grad_values[reverse_index_map], grad_values[added].sum(dtype=grad_values.dtype)


@sparse_fill_empty_rows_grad.shape
def _(reverse_index_map: Sym, grad_values: Sym) -> list[Shape]:
    vector(grad_values)
    return [(vector(reverse_index_map),), ()]


def _of_segments(type: str, power: float, doc: str) -> Any:
    def kernel(xp: Any, grad: Any, indices: Any, segment_ids: Any, output_dim0: Any) -> Any:
        wanted = must_be(indices, 1, "indices should be a vector.")
        ids = must_be(segment_ids, 1, "segment_ids should be a vector.")
        rows = int(must_be(output_dim0, 0, "output_dim0 should be a scalar."))
        if len(wanted) != len(ids):
            raise invalid("segment_ids and indices should have same size.")
        if len(ids) and ids[-1] >= len(grad):
            raise invalid("Invalid number of segments")
        bad_rows, bad_ids = (wanted < 0) | (wanted >= rows), (ids < 0) | (ids >= len(grad))
        if (bad_rows | bad_ids).any():
            at = int(np.argmax(bad_rows | bad_ids))
            if bad_rows[at]:
                raise invalid(f"Index {wanted[at]} out of range [0, {rows}).")
            raise invalid(f"Segment id {ids[at]} out of range [0, {len(grad)}).")
        kind = np.dtype(np.float32) if grad.dtype == np.float16 else grad.dtype
        sizes = np.maximum(np.bincount(ids, minlength=len(grad)), 1).astype(kind) ** kind.type(power)
        shared = grad.astype(kind) / sizes.reshape(-1, *[1] * (grad.ndim - 1))
        out = np.zeros((rows, *grad.shape[1:]), kind)
        combine_rows(np.add, out, wanted, shared[ids])
        return out.astype(grad.dtype, copy=False)

    kernel.__name__ = type
    kernel.__doc__ = f"{doc}: grad [segments, ...], indices [n], segment_ids [n], output_dim0 scalar -> [output_dim0, ...]."
    kernel.__annotations__ = {
        "grad": SegmentFloat, "indices": Tidx, "segment_ids": Tsegmentids, "output_dim0": dtypes.int32,
        "return": SegmentFloat,
    }  # fmt: skip
    return op(type, shape=_segments_shape, fresh=True)(kernel)


def _segments_shape(grad: Sym, indices: Sym, segment_ids: Sym, output_dim0: Sym) -> Shape:
    grad_shape = at_least(grad.shape, 1)
    shapes.merge((vector(segment_ids),), (vector(indices),))
    of_rank(output_dim0.shape, 0)
    count = output_dim0.value
    if count is not None and count < 0:
        raise ShapeMismatch("Cannot specify a negative value for output_dim0")
    return None if grad_shape is None else (None if count is None else int(count), *grad_shape[1:])


sparse_segment_mean_grad = _of_segments(
    "SparseSegmentMeanGrad", 1, "The gradient of SparseSegmentMean's data: each row's share of its segment's gradient"
)
sparse_segment_sqrt_n_grad = _of_segments(
    "SparseSegmentSqrtNGrad", 0.5, "The gradient of SparseSegmentSqrtN's data: each row's share of its segment's gradient"
)
