"""Fetching, feeding and densifying of `IndexedSlices` and `SparseTensor`.

State: this module's entries in the runtime's table of composites and in the conversion registry.
"""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np

from ...base import dtypes
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor, register_tensor_conversion_function
from ...graph.nodes import Tensor
from ...op.composites import IndexedSlices, IndexedSlicesValue, SparseTensor, SparseTensorValue
from ...runtime.fetches import register_composite
from ..framework.placeholders import placeholder
from ..framework.static_value import static_value
from ..math import reductions

_LARGE_SIZE = 100_000_000  # elements; a larger dense tensor is worth a warning

register_composite(
    IndexedSlices,
    lambda slices: slices._parts,
    lambda values: IndexedSlicesValue(*values, *[None] * (3 - len(values))),
)
register_composite(SparseTensor, lambda sparse: sparse._parts, lambda values: SparseTensorValue(*values))


def _to_dense(slices: IndexedSlices, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    """The dense tensor [n, ...]; rows without a slice are 0.

    Raises: ValueError for another dtype, or slices without a dense shape.
    """
    if dtype is not None and not dtype.is_compatible_with(slices.dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {dtype.name} for IndexedSlices with dtype {slices.dtype.name}"
        )
    if slices.dense_shape is None:
        raise ValueError(
            f"Tensor conversion requested for IndexedSlices without dense_shape: {slices}"
        )
    sizes = static_value(slices.dense_shape)
    if sizes is None or np.prod(sizes, dtype=np.int64) >= _LARGE_SIZE:
        extent = "of unknown shape" if sizes is None else f"with {np.prod(sizes, dtype=np.int64)} elements"
        warnings.warn(
            f"Converting sparse IndexedSlices to a dense Tensor {extent}. This may consume a large amount of memory.",
            stacklevel=2,
        )
    dense: Tensor = reductions.unsorted_segment_sum(slices.values, slices.indices, slices.dense_shape[0], name=name)  # type: ignore[index]
    return dense


register_tensor_conversion_function(IndexedSlices, _to_dense)


def _loading(operator: str) -> Any:
    """An operator of SparseTensor before its first use, which loads those of sparse_math.py in its place."""

    def first_use(self: SparseTensor, y: Any) -> Any:
        importlib.import_module(f"{__package__}.sparse_math")
        return getattr(SparseTensor, operator)(self, y)

    return first_use


for _operator in ("__mul__", "__rmul__", "__div__", "__truediv__"):
    setattr(SparseTensor, _operator, _loading(_operator))


@atomic
def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SparseTensor:
    """A SparseTensor [shape] that every run feeds with a SparseTensorValue or a tuple of its parts."""
    part = (lambda label: None) if name is None else f"{name}/{{}}".format
    rank: Any = None
    if isinstance(shape, Tensor):
        rank = None if shape.raw_shape is None else shape.raw_shape[0]
    elif shape is not None:
        rank = len(shape)
    if shape is None or (not isinstance(shape, Tensor) and None in list(shape)):
        dense_shape = placeholder(dtypes.int64, [rank], name=part("shape"))
    else:
        dense_shape = convert_to_tensor(shape, dtypes.int64, name=part("shape"))
    values = placeholder(dtype, [None], name=part("values"))
    indices = placeholder(dtypes.int64, [None, rank], name=part("indices"))
    return SparseTensor(indices, values, dense_shape)


__all__ = ["IndexedSlices", "IndexedSlicesValue", "SparseTensor", "SparseTensorValue", "sparse_placeholder"]
