"""Ragged tensors as components of elements: in its flat form one is a variant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.nodes import Tensor
from ...lib.framework.scope_blocks import name_scope
from ...lib.framework.type_specs import TypeSpec
from ...lib.ragged.ragged_spec import RaggedTensorSpec
from ...lib.ragged.ragged_tensor import RaggedTensor
from ...op.callers import nodes
from . import structure


def _to_variant(ragged: RaggedTensor, batched_input: bool) -> Tensor:
    with name_scope("RaggedToVariant"):
        return nodes.RaggedTensorToVariant(  # type: ignore[no-any-return]
            list(ragged.nested_row_splits), ragged.flat_values, batched_input=batched_input
        )


def _from_tensors(spec: Any, tensors: Sequence[Tensor]) -> Any:
    if spec.ragged_rank < 1:
        fix = "batch the elements: several rows are a ragged tensor again"
        raise ValueError(error_text(f"ragged_rank must be non-negative; got {spec.ragged_rank}.", fix=fix))
    with name_scope("RaggedFromVariant"):
        splits, values = nodes.RaggedTensorFromVariant(
            tensors[0], input_ragged_rank=-1, output_ragged_rank=spec.ragged_rank, Tvalues=spec.dtype,
            Tsplits=spec.row_splits_dtype,
        )  # fmt: skip
    sizes = spec.shape.raw
    if sizes is not None:
        values.set_shape([None, *sizes[spec.ragged_rank + 1 :]])
        if sizes[0] is not None:
            splits[0].set_shape([sizes[0] + 1])
    return RaggedTensor.from_nested_row_splits(values, splits, validate=False)


def _slices(ragged: RaggedTensor) -> tuple[TypeSpec, Sequence[Tensor]]:
    spec = RaggedTensorSpec.from_value(ragged)
    row = RaggedTensorSpec(spec.shape[1:], spec.dtype, spec.ragged_rank - 1, spec.row_splits_dtype)
    return row, [_to_variant(ragged, True)]


structure.KINDS[RaggedTensorSpec] = structure.Kind(
    RaggedTensor,
    RaggedTensorSpec.from_value,
    lambda spec: [(dtypes.variant, None)],
    lambda spec, ragged: [_to_variant(ragged, False)],
    _from_tensors,
    _slices,
    lambda spec, size: RaggedTensorSpec(
        TensorShape([size]).concatenate(spec.shape), spec.dtype, spec.ragged_rank + 1, spec.row_splits_dtype
    ),
)
structure.LEGACY.add(RaggedTensorSpec)
