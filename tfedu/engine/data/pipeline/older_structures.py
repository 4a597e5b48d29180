"""`tf.data.experimental.TensorStructure` and its kin: the older names of type specs. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...lib.framework.type_specs import SparseTensorSpec, TensorSpec
from ...lib.ragged.ragged_spec import RaggedTensorSpec
from .dataset import Dataset, DatasetSpec
from .iterators import Iterator


def TensorStructure(dtype: Any, shape: Any) -> TensorSpec:
    """`tf.TensorSpec(shape, dtype)`."""
    return TensorSpec(shape, dtype)


def SparseTensorStructure(dtype: Any, shape: Any) -> SparseTensorSpec:
    """`tf.SparseTensorSpec(shape, dtype)`."""
    return SparseTensorSpec(shape, dtype)


def RaggedTensorStructure(dtype: Any, shape: Any, ragged_rank: int) -> RaggedTensorSpec:
    """`tf.RaggedTensorSpec(shape, dtype, ragged_rank)`."""
    return RaggedTensorSpec(shape, dtype, ragged_rank)


def get_structure(dataset_or_iterator: Any) -> Any:
    """The type specs of the elements that a dataset or an iterator gives, in the nest of an element.

    Raises: TypeError for what is neither a dataset nor an iterator.
    """
    if not isinstance(dataset_or_iterator, (Dataset, Iterator)):
        text = f"`dataset_or_iterator` must be a Dataset or Iterator object, but got {type(dataset_or_iterator)}."
        raise TypeError(error_text(text))
    return dataset_or_iterator.element_spec


def to_variant(dataset: Dataset) -> Tensor:
    """The variant tensor that the node of a dataset outputs."""
    return dataset._variant_tensor


def from_variant(variant: Tensor, structure: Any) -> Dataset:
    """A dataset from the variant tensor of a dataset's node. structure: the type specs of the elements."""
    return Dataset(variant, structure)


DatasetStructure = DatasetSpec

__all__ = [
    "DatasetStructure", "RaggedTensorStructure", "SparseTensorStructure", "TensorStructure", "from_variant", "get_structure",
    "to_variant",
]
