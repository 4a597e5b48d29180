"""The op types that only gradients are made of, by their raw names: TF has no public function for them."""

import numpy as np
from cases import case, form, nan
from harness import raw

A = np.array([0.3, 1.0, 2.5, 7.0, 40.0])
X = np.array([0.2, 3.0, 0.01, 9.5, 30.0])


def made(op_type, *names, **attrs):
    """A call of the op with the tensors under these names."""

    def call(tf, *tensors):
        out = raw(tf, op_type, "g", **dict(zip(names, tensors, strict=True)), **attrs)
        return list(out) if isinstance(out, (list, tuple)) else out

    return call


for _type, _first, _second in (("IgammaGradA", "a", "x"), ("RandomGammaGrad", "alpha", "sample")):
    _call = made(_type, _first, _second)
    form(f"raw_ops.{_type}", "form", _call, np.float32(A[:2]), np.float32(X[:2]))
    case(f"raw_ops.{_type}", "float64", _call, A, X)
    case(f"raw_ops.{_type}", "every pair", _call, np.float32(A)[:4, None], np.float32(X))
    case(f"raw_ops.{_type}", "outside", _call, np.array([1.0, -1.0, 2.0, nan]), np.array([0.0, 1.0, -1.0, 1.0]))
    case(f"raw_ops.{_type}", "empty", _call, np.zeros(0), np.zeros(0))

FIRST = np.int64([[0, 1], [1, 2], [2, 0]])
SECOND = np.int64([[0, 0], [1, 2]])
SUM = np.int64([[0, 0], [0, 1], [1, 2], [2, 0]])
GRADIENT = np.float32([1, 2, 3, 4])
_add = made("SparseAddGrad", "backprop_val_grad", "a_indices", "b_indices", "sum_indices")
form("raw_ops.SparseAddGrad", "form", _add, GRADIENT, FIRST, SECOND, SUM)
case("raw_ops.SparseAddGrad", "an entry that was too small", _add, GRADIENT[:3], FIRST, SECOND, SUM[[0, 1, 3]])
case("raw_ops.SparseAddGrad", "empty", _add, GRADIENT[:0], FIRST, SECOND[:0], SUM[:0])
case("raw_ops.SparseAddGrad", "other counts", _add, GRADIENT[:2], FIRST, SECOND, SUM)
case("raw_ops.SparseAddGrad", "other ranks", _add, GRADIENT, FIRST, SECOND[:, :1], SUM)

_slice = made("SparseSliceGrad", "backprop_val_grad", "input_indices", "input_start", "output_indices")
form("raw_ops.SparseSliceGrad", "form", _slice, GRADIENT[:2], SUM, np.int64([0, 1]), np.int64([[0, 0], [1, 1]]))
case("raw_ops.SparseSliceGrad", "empty", _slice, GRADIENT[:0], SUM, np.int64([0, 1]), np.zeros((0, 2), np.int64))
case("raw_ops.SparseSliceGrad", "other counts", _slice, GRADIENT[:1], SUM, np.int64([0, 1]), np.int64([[0, 0], [1, 1]]))
case("raw_ops.SparseSliceGrad", "start too short", _slice, GRADIENT[:2], SUM, np.int64([0]), np.int64([[0, 0], [1, 1]]))

_fill = made("SparseFillEmptyRowsGrad", "reverse_index_map", "grad_values")
form("raw_ops.SparseFillEmptyRowsGrad", "form", _fill, np.int64([0, 2]), GRADIENT)
case("raw_ops.SparseFillEmptyRowsGrad", "nothing filled in", _fill, np.int64([1, 0]), GRADIENT[:2])
case("raw_ops.SparseFillEmptyRowsGrad", "outside", _fill, np.int64([0, 4]), GRADIENT)

ROWS = np.float32([[1, 2], [3, 4], [5, 6]])
for _type in ("SparseSegmentMeanGrad", "SparseSegmentSqrtNGrad"):
    _call = made(_type, "grad", "indices", "segment_ids", "output_dim0")
    form(f"raw_ops.{_type}", "form", _call, ROWS, np.int32([0, 3, 1, 0]), np.int32([0, 0, 0, 2]), np.int32(4))
    case(f"raw_ops.{_type}", "float64", _call, np.float64(ROWS), np.int64([0, 3, 1]), np.int32([0, 0, 2]), np.int32(5))
    # TF writes no row of the output then, so there are none
    case(f"raw_ops.{_type}", "empty", _call, ROWS, np.int32([]), np.int32([]), np.int32(0))
    case(f"raw_ops.{_type}", "outside", _call, ROWS, np.int32([0, 4]), np.int32([0, 0]), np.int32(4))
    case(f"raw_ops.{_type}", "no such segment", _call, ROWS, np.int32([0, 1]), np.int32([0, 3]), np.int32(4))
    case(f"raw_ops.{_type}", "other counts", _call, ROWS, np.int32([0, 1]), np.int32([0]), np.int32(4))
