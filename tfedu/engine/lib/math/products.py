"""Sums and products of several tensors: `tf.add_n`, `tf.matmul`, `tf.tensordot`, as in TF 1.15. No state."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import as_dtype
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op import matrix_functions
from ...op.composites import IndexedSlices
from ...ops import linalg as linalg_ops
from ...ops import math as ops
from ...ops import unique as unique_ops
from ..arrays import array, selection
from ..arrays.sequences import range
from ..control.grouping import identity
from ..framework.dispatch import takes_ragged
from ..framework.scope_blocks import named
from .reductions import reduce_prod

_ADD_N = "inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape"


matmul, sparse_matmul = matrix_functions.matmul, linalg_ops.sparse_mat_mul


@takes_ragged
@atomic
def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The elementwise sum of n tensors of one shape [...].

    Raises: ValueError for an empty list or another container.
    """
    if not inputs or not isinstance(inputs, list | builtins.tuple):
        raise ValueError(_ADD_N)
    # IndexedSlices become dense inside the op's scope.
    parts = [x if type(x) is Tensor or isinstance(x, IndexedSlices) else convert_to_tensor(x, name=None) for x in inputs]
    if len(parts) == 1:
        (tensor,) = map(convert_to_tensor, parts)
        return identity(tensor, name=name) if name else tensor
    return ops.add_n(parts, name=name)  # type: ignore[no-any-return]


@atomic
def accumulate_n(inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None) -> Tensor:
    """The elementwise sum of n tensors of one shape [...], merged with the static `shape`.

    Raises: ValueError for an empty list or unequal shapes and dtypes, TypeError when tensor_dtype is not theirs.
    """
    if not inputs or not isinstance(inputs, list | builtins.tuple):
        raise ValueError("inputs must be a list of at least one Tensor with the same dtype and shape")
    tensors = [convert_to_tensor(x) for x in inputs]
    if any(t.dtype is not tensors[0].dtype for t in tensors):
        raise ValueError("inputs must be a list of at least one Tensor with the same dtype and shape")
    known = TensorShape(None) if shape is None else TensorShape(shape)
    for tensor in tensors:
        known = known.merge_with(tensor.shape)
    if tensor_dtype is not None and as_dtype(tensor_dtype) is not tensors[0].dtype:
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but input is of type {tensors[0].dtype}")
    if len(tensors) == 1 and name is None:
        return tensors[0]
    if len(tensors) == 1:
        return identity(tensors[0], name=name)
    total: Tensor = ops.accumulate_nv2(tensors, shape=known.raw, name=name)
    return total


@atomic
def matvec(
    a: Any,
    b: Any,
    transpose_a: builtins.bool = False,
    adjoint_a: builtins.bool = False,
    a_is_sparse: builtins.bool = False,
    b_is_sparse: builtins.bool = False,
    name: str | None = None,
) -> Tensor:
    """Products of matrices and vectors: a [..., m, k] · b [..., k] -> [..., m].

    Raises: ValueError when the matrix is to be both transposed and adjoined, or when the sizes do not fit.
    """

    with named(name, "MatVec", [a, b]):
        product = matmul(
            a, array.expand_dims(b, axis=-1), transpose_a=transpose_a, adjoint_a=adjoint_a, a_is_sparse=a_is_sparse,
            b_is_sparse=b_is_sparse,
        )  # fmt: skip
        return array.squeeze(product, axis=-1)


@atomic
def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """Sums of products over pairs of axes: a [m, k], b [k, n] with axes 1 -> [m, n].

    axes: n contracts the last n axes of a with the first n of b; a pair of lists names the axes of each.

    Raises: ValueError for axes that do not fit.
    """
    with named(name, "Tensordot", [a, b, axes]) as scope:
        a, b = convert_to_tensor(a, name="a"), convert_to_tensor(b, name="b")
        left_axes, right_axes = _dot_axes(a, axes)
        left, left_free, left_known = _dot_matrix(a, left_axes, False)
        right, right_free, right_known = _dot_matrix(b, right_axes, True)
        product = matmul(left, right)

        if isinstance(left_free, list) and isinstance(right_free, list):
            return array.reshape(product, left_free + right_free, name=scope)
        parts = [convert_to_tensor(free, dtype=dtypes.int32) for free in (left_free, right_free)]
        out = array.reshape(product, array.concat(parts, 0), name=scope)
        if left_known is not None and right_known is not None:
            out.set_shape(left_known + right_known)
        return out


def _dot_axes(a: Tensor, axes: Any) -> tuple[Any, Any]:
    """The axes of a and of b to contract, as lists or tensors."""
    if isinstance(axes, int):
        if axes < 0:
            raise ValueError("'axes' must be at least 0.")
        if a.raw_shape is None:
            rank = array.rank(a)
            return range(rank - axes, rank, dtype=dtypes.int32), range(axes, dtype=dtypes.int32)
        count = len(a.raw_shape)
        if axes > count:
            raise ValueError(f"'axes' must not be larger than the number of dimensions of tensor {a}.")
        return list(builtins.range(count - axes, count)), list(builtins.range(axes))
    if isinstance(axes, list | builtins.tuple):
        if len(axes) != 2:
            raise ValueError("'axes' must be an integer or have length 2.")
        first, second = axes
        if isinstance(first, int) and isinstance(second, int):
            first, second = [first], [second]
        if len(first) != len(second):
            raise ValueError(
                f"Different number of contraction axes 'a' and 'b', {len(first)} != {len(second)}."
            )
        return first, second
    pair: Any = convert_to_tensor(axes, name="axes", dtype=dtypes.int32)
    return pair[0], pair[1]


def _dot_matrix(a: Tensor, axes: Any, flipped: builtins.bool) -> tuple[Tensor, Any, list[int | None] | None]:
    """`a` as a matrix of its free and its contracted axes; the free axes' sizes; the same where they are static."""

    raw = a.raw_shape
    known = isinstance(axes, list | builtins.tuple)
    if raw is not None and None not in raw and known:
        contracted = [i % len(raw) for i in axes]
        free = [i for i in builtins.range(len(raw)) if i not in contracted]
        free_sizes = [raw[i] for i in free]
        sizes = [int(np.prod(free_sizes)), int(np.prod([raw[i] for i in contracted]))]
        order = [*contracted, *free] if flipped else [*free, *contracted]
        # As in 1.15, a transpose and a reshape that change nothing are built too.
        matrix = array.reshape(array.transpose(a, order), sizes[::-1] if flipped else sizes)
        return matrix, free_sizes, free_sizes
    static: list[int | None] | None = None
    if raw is not None and known:
        contracted = [i % len(raw) for i in axes]
        free = [i for i in builtins.range(len(raw)) if i not in contracted]
        static = [raw[i] for i in free]
        axes_tensor = convert_to_tensor(contracted, dtype=dtypes.int32, name="axes")
        free_tensor = convert_to_tensor(free, dtype=dtypes.int32, name="free")
        shape_tensor = array.shape(a)
    else:
        shape_tensor, rank = array.shape(a), array.rank(a)
        axes_tensor = convert_to_tensor(axes, dtype=dtypes.int32, name="axes")
        axes_tensor = selection.where(axes_tensor >= 0, axes_tensor, axes_tensor + rank)
        free_tensor, _ = unique_ops.list_diff(range(rank), axes_tensor, out_idx=dtypes.int32)
    free_sizes_tensor = selection.gather(shape_tensor, free_tensor)
    axes_sizes_tensor = selection.gather(shape_tensor, axes_tensor)
    free_count, axes_count = reduce_prod(free_sizes_tensor), reduce_prod(axes_sizes_tensor)
    parts, counts = [free_tensor, axes_tensor], [free_count, axes_count]
    if flipped:
        parts, counts = parts[::-1], counts[::-1]
    order_tensor, shape = array.concat(parts, 0), array.stack(counts)
    return array.reshape(array.transpose(a, order_tensor), shape), free_sizes_tensor, static
