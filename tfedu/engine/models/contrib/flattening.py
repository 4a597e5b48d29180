"""Inputs of `tf.contrib.layers` in another form: the last axes as one, and dense tensors as sparse ones. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection, slicing
from ...lib.checks.type_asserts import assert_rank_at_least
from ...lib.framework.scope_blocks import control_dependencies, name_scope
from ...lib.math import math, reductions
from ...lib.sparse import sparse
from ...op.composites import SparseTensor


def inner_flatten(inputs: Any, new_rank: int) -> Any:
    """[a, b, c, ...] as a tensor of new_rank axes, the last of which holds all elements of the axes from there on.

    Raises: ValueError for inputs of a rank below new_rank.
    """
    with name_scope(None, "InnerFlatten", [inputs, new_rank]):
        return _flat_sparse(inputs, new_rank) if isinstance(inputs, SparseTensor) else _flat_dense(inputs, new_rank)


def _flat_sparse(inputs: SparseTensor, new_rank: int) -> SparseTensor:
    sizes: Any = inputs.dense_shape
    rank = sizes.shape.as_list()[0]
    if rank < new_rank:
        raise ValueError(
            error_text(
                f"Inputs has rank less than new_rank. {inputs} must have rank at least {new_rank}. Received rank {rank}, "
                f"shape {inputs.shape}"
            )
        )
    outer, inner = sizes[: new_rank - 1], sizes[new_rank - 1 :]
    return sparse.reshape(inputs, array.concat((outer, [reductions.reduce_prod(inner)]), 0))


def _flat_dense(inputs: Any, new_rank: int) -> Tensor:
    inputs = convert_to_tensor(inputs)
    with control_dependencies([assert_rank_at_least(inputs, new_rank, message="inputs has rank less than new_rank")]):
        outer = slicing.strided_slice(array.shape(inputs), [0], [new_rank - 1])
        flat = array.reshape(inputs, array.concat((outer, [-1]), 0))
    if inputs.shape.ndims is not None:
        flat.set_shape([*inputs.shape[: new_rank - 1], inputs.shape[new_rank - 1 :].num_elements()])
    return flat


def without_missing(dense: Any, missing: Any = None) -> SparseTensor:
    """The SparseTensor of all elements of a tensor but `missing`, by default 0 or ""."""
    with name_scope(None, "DenseToSparseTensor"):
        dense = convert_to_tensor(dense)
        if missing is None:
            missing = "" if dense.dtype == dtypes.string else dense.dtype.as_numpy_dtype()
        ignored = math.cast(missing, dense.dtype, name="ignore_value")
        indices = selection.where(math.not_equal(dense, ignored), name="indices")
        values = selection.gather_nd(dense, indices, name="values")
        shape = array.shape(dense, out_type=dtypes.int64, name="dense_shape")
        return SparseTensor(indices=indices, values=values, dense_shape=shape)


__all__ = ["inner_flatten", "without_missing"]
