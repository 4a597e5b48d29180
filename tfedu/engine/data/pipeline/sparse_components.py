"""Sparse tensors as components of elements: in its flat form one is a vector of three variants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base import dtypes
from ...base.shapes import TensorShape
from ...graph.nodes import Tensor
from ...lib.framework.type_specs import SparseTensorSpec, TypeSpec
from ...lib.sparse import serialized
from ...op.composites import SparseTensor
from . import structure


def _from_tensors(spec: Any, tensors: Sequence[Tensor]) -> SparseTensor:
    return serialized.deserialize_sparse(tensors[0], spec.dtype, spec.shape.ndims)


def _slices(tensor: SparseTensor) -> tuple[TypeSpec, Sequence[Tensor]]:
    return SparseTensorSpec(tensor.shape[1:], tensor.dtype), [serialized.serialize_many_sparse(tensor, out_type=dtypes.variant)]


structure.KINDS[SparseTensorSpec] = structure.Kind(
    SparseTensor,
    lambda tensor: SparseTensorSpec(tensor.shape, tensor.dtype),
    lambda spec: [(dtypes.variant, None)],
    lambda spec, tensor: [serialized.serialize_sparse(tensor, out_type=dtypes.variant)],
    _from_tensors,
    _slices,
    lambda spec, size: SparseTensorSpec(TensorShape([size]).concatenate(spec.shape), spec.dtype),
    lambda dtype, shape: SparseTensorSpec(shape, dtype),
)
structure.LEGACY.add(SparseTensorSpec)
