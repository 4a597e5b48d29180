"""`tf.io.serialize_sparse(x)`, and sparse tensors from what it gives."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.dtypes import as_dtype
from ...graph.nodes import Tensor
from ...op.composites import SparseTensor
from ...ops import serialized_sparse as ops
from .sparse import as_sparse


def serialize_sparse(sp_input: Any, name: str | None = None, out_type: Any = dtypes.string) -> Tensor:
    """The three parts of a sparse tensor as strings or variants [3].

    Raises: TypeError for what is no SparseTensor.
    """
    x = as_sparse(sp_input)
    output: Tensor = ops.serialize_sparse(x.indices, x.values, x.dense_shape, name=name, out_type=as_dtype(out_type))
    return output


def serialize_many_sparse(sp_input: Any, name: str | None = None, out_type: Any = dtypes.string) -> Tensor:
    """The three parts of each slice along the first axis as strings or variants [size, 3].

    Raises: TypeError for what is no SparseTensor.
    """
    x = as_sparse(sp_input)
    output: Tensor = ops.serialize_many_sparse(x.indices, x.values, x.dense_shape, name=name, out_type=as_dtype(out_type))
    return output


def deserialize_sparse(serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None) -> SparseTensor:
    """The sparse tensor of serialized ones [..., 3]; several become one of a higher rank. rank: the result's, if it is known."""
    return _with_rank(ops.deserialize_sparse(serialized_sparse, dtype=as_dtype(dtype), name=name), rank)


def deserialize_many_sparse(serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None) -> SparseTensor:
    """The sparse tensor of serialized ones [size, 3]. rank: the result's, if it is known."""
    return _with_rank(ops.deserialize_many_sparse(serialized_sparse, dtype=as_dtype(dtype), name=name), rank)


def _with_rank(parts: Any, rank: int | None) -> SparseTensor:
    indices, values, shape = parts
    indices.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(indices, values, shape)


__all__ = ["deserialize_many_sparse", "deserialize_sparse", "serialize_many_sparse", "serialize_sparse"]
