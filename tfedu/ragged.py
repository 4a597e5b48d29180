"""`tf.ragged`: tensors whose rows have unequal lengths."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.ragged.ragged_tensor import RaggedTensor as RaggedTensor
from .engine.lib.ragged.ragged_arrays import stack
from .engine.lib.ragged.ragged_constants import constant, constant_value, placeholder
from .engine.lib.ragged.ragged_functions import (
    RaggedTensorValue, boolean_mask, map_flat_values, range, row_splits_to_segment_ids, segment_ids_to_row_splits,
    stack_dynamic_partitions,
)  # fmt: skip

__all__ = [
    "RaggedTensor", "RaggedTensorValue", "boolean_mask", "constant", "constant_value", "map_flat_values",
    "placeholder", "range", "row_splits_to_segment_ids", "segment_ids_to_row_splits", "stack",
    "stack_dynamic_partitions",
]  # fmt: skip
