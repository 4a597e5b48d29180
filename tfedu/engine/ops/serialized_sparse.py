"""Sparse tensors as one tensor: three strings or variants, of the indices, the values and the dense shape; and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType, as_dtype, runtime_name
from ..base.shapes import Shape
from ..graph.default_graph import get_default_graph
from ..op.define import Sym, op, typevar
from ..op.shape_checks import Any_, invalid
from .records import serialize_tensor

int64, string, variant = dtypes.int64, dtypes.string, dtypes.variant
Text = typevar("out_type", (string, variant), default=string)
Serialized = typevar("Tserialized", (string, variant), default=string)


def packed(parts: Sequence[Any], out_type: DType) -> Any:
    """The parts of a sparse tensor as a vector of strings or variants [3]."""
    out = np.empty(len(parts), object)
    for i, part in enumerate(parts):
        out[i] = serialize_tensor.definition.kernel(np, part) if out_type is string else part
    return out


def _of_one(sparse_indices: Sym, sparse_values: Sym, sparse_shape: Sym, *, out_type: DType) -> Shape:
    return (3,)


@op("SerializeSparse", out="serialized_sparse", shape=_of_one)
def serialize_sparse(
    xp: Any, sparse_indices: int64, sparse_values: Any_, sparse_shape: int64, *, out_type: Text = string  # type: ignore[assignment]
) -> "out_type":  # noqa: F821
    """The three parts of a sparse tensor: [n, rank], [n], [rank] -> [3]."""
    return packed((sparse_indices, sparse_values, sparse_shape), out_type)


def _of_many(sparse_indices: Sym, sparse_values: Sym, sparse_shape: Sym, *, out_type: DType) -> Shape:
    return (None, 3)


@op("SerializeManySparse", out="serialized_sparse", shape=_of_many)
def serialize_many_sparse(
    xp: Any, sparse_indices: int64, sparse_values: Any_, sparse_shape: int64, *, out_type: Text = string  # type: ignore[assignment]
) -> "out_type":  # noqa: F821
    """The three parts of each slice of a sparse tensor along its first axis: [n, rank], [n], [rank] -> [size, 3].

    Raises: InvalidArgumentError for a tensor of rank 1 or 0.
    """
    if len(sparse_shape) < 2:
        raise invalid("Rank of input SparseTensor should be > 1, but saw rank: " + str(len(sparse_shape)))
    size = int(sparse_shape[0])
    rows = np.asarray(sparse_indices)[:, 0]
    order = np.argsort(rows, kind="stable")
    starts = np.searchsorted(rows[order], np.arange(size + 1))
    out = np.empty((size, 3), object)
    for i in range(size):
        chosen = order[starts[i] : starts[i + 1]]
        out[i] = packed((sparse_indices[chosen, 1:], sparse_values[chosen], sparse_shape[1:]), out_type)
    return out


def _tensor_of(text: bytes) -> Any:
    """The tensor of a serialized TensorProto. Raises: InvalidArgumentError for other bytes."""
    from ..base import proto

    try:
        return get_default_graph()._read_tensor(proto.TensorProto.FromString(text))  # type: ignore[attr-defined]
    except (proto.DecodeError, TypeError, ValueError):
        raise invalid("A part of a serialized sparse tensor is no TensorProto") from None


def _parts(row: Sequence[Any], dtype: DType, number: int = 0) -> tuple[Any, Any, Any]:
    """The indices, values and dense shape of a serialized sparse tensor. number: its own, for messages."""
    if isinstance(row[0], bytes):
        indices, values, shape = map(_tensor_of, row)
    else:
        indices, values, shape = row
    indices, values, shape = np.asarray(indices), np.asarray(values), np.asarray(shape)
    kind = string if values.dtype == object else as_dtype(values.dtype)
    if kind is not dtype:
        text = f"Requested SparseTensor of type {runtime_name(dtype)} but SparseTensor[{number}].values.dtype() == "
        raise invalid(text + runtime_name(kind))
    if indices.ndim != 2 or values.ndim != 1 or shape.ndim != 1 or indices.shape != (len(values), len(shape)):
        raise invalid("The parts of a serialized sparse tensor do not fit: expected indices [n, rank], values [n], shape [rank]")
    return indices, values, shape


def _deserialized(serialized: Any, dtype: DType) -> tuple[Any, Any, Any]:
    texts = np.asarray(serialized, object)
    if texts.ndim == 0 or texts.shape[-1] != 3:
        raise invalid(f"Serialized sparse should have 3 as the last dimension {list(texts.shape)}")
    if texts.ndim == 1:
        return _parts(texts.tolist(), dtype)
    rows = [_parts(row, dtype, i) for i, row in enumerate(texts.reshape(-1, 3).tolist())]
    if not rows:
        raise invalid("Must have at least 1 serialized SparseTensor, but input matrix has 0 rows")
    rank = len(rows[0][2])
    if any(len(shape) != rank for _, _, shape in rows):
        raise invalid("Inconsistent rank across SparseTensors")
    outer = texts.shape[:-1]
    places = [np.broadcast_to(place, (len(indices), len(outer))) for place, (indices, _, _) in zip(np.ndindex(outer), rows)]
    indices = [np.concatenate([place, row[0]], axis=1) for place, row in zip(places, rows)]
    shape = np.concatenate([outer, np.max([row[2] for row in rows], axis=0)]).astype(np.int64)
    return np.concatenate(indices).astype(np.int64), np.concatenate([row[1] for row in rows]), shape


def _of_unknown_rank(serialized_sparse: Sym, **_: Any) -> list[Shape]:
    return [(None, None), (None,), (None,)]


@op("DeserializeSparse", out="sparse_indices sparse_values sparse_shape", shape=_of_unknown_rank)
def deserialize_sparse(
    xp: Any, serialized_sparse: Serialized, *, dtype: DType
) -> tuple[int64, "dtype", int64]:  # noqa: F821
    """Sparse tensors [..., 3] as one of a higher rank: -> [n, rank], [n], [rank].

    Raises: InvalidArgumentError for parts that do not fit, another dtype, and sparse tensors of different ranks.
    """
    return _deserialized(serialized_sparse, dtype)


@op("DeserializeManySparse", out="sparse_indices sparse_values sparse_shape", shape=_of_unknown_rank)
def deserialize_many_sparse(
    xp: Any, serialized_sparse: string, *, dtype: DType
) -> tuple[int64, "dtype", int64]:  # noqa: F821
    """Sparse tensors [size, 3] as one of a rank higher by 1: -> [n, rank], [n], [rank]. Raises: as DeserializeSparse."""
    return _deserialized(serialized_sparse, dtype)
