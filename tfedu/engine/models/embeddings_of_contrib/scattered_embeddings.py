"""Embeddings whose numbers lie scattered in one vector, where hashes find them: `scattered_embedding_lookup`. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection
from ...lib.arrays.sequences import range as numbers
from ...lib.framework.scope_blocks import named
from ...lib.math import math
from ...lib.nn import embeddings
from ...lib.nn.embeddings import checked_combiner, parts_of
from ...lib.sparse import sparse
from ...op.composites import SparseTensor
from ...ops import sparse_math as sparse_ops
from .feature_crosses import sparse_feature_cross

# stand for the entries of an example that has none
_NO_TEXT, _NO_NUMBER = "6ZxWzWOHxZ", 1288896567


@atomic
def scattered_embedding_lookup(
    params: Any, values: Any, dimension: Any, name: str | None = None, hash_key: int | None = None
) -> Tensor:
    """For each of values [d...], `dimension` elements of params [n], at hashes of the value and their numbers: [d..., dimension].

    params: a vector or a list of its parts. hash_key: as of `sparse_feature_cross`.

    Raises: ValueError without a dimension above 0, and for parts of other sizes than a vector's in equal parts.
    """
    if dimension is None:
        raise ValueError(error_text("You must specify dimension."))
    if dimension <= 0:
        raise ValueError(error_text(f"Dimension must be >0. Given is {dimension}"))
    parts = parts_of(params)
    with named(name, "scattered_embedding_lookup", [*parts, dimension, values]):
        shape = array.shape(values)
        column = array.reshape(values, [-1, 1])
        places = array.tile(array.expand_dims(numbers(0, dimension), 0), array.shape(column))
        size = _checked_size(parts)
        ids = sparse.to_dense(
            sparse_feature_cross([places, column], hashed_output=True, num_buckets=size, hash_key=hash_key)
        )
        result = embeddings.embedding_lookup(parts, ids, partition_strategy="div")
        return array.reshape(result, array.concat([shape, [dimension]], 0))


def _checked_size(parts: list[Any]) -> int:
    """The number of elements of all parts."""
    sizes: list[int] = []
    for part in parts:
        shape = part.get_shape()
        shape.assert_has_rank(1)
        shape.assert_is_fully_defined()
        sizes.append(shape.as_list()[0])
    for i, size in enumerate(sizes):
        expected = (sum(sizes) - i - 1) // len(parts) + 1
        if size != expected:
            raise ValueError(error_text(f"Tensor {i} in params has size {size}, expected {expected}."))
    return sum(sizes)


@atomic
def scattered_embedding_lookup_sparse(
    params: Any,
    sparse_values: SparseTensor,
    dimension: Any,
    combiner: str | None = None,
    default_value: Any = None,
    name: str | None = None,
    hash_key: int | None = None,
) -> Tensor:
    """`scattered_embedding_lookup` of an example's entries, combined: sparse_values [n, k] -> [n, dimension].

    combiner: "mean" (with a warning, by default), "sum" or "sqrtn". default_value: stands in an example without entries.

    Raises: TypeError for values that are not sparse; ValueError as `scattered_embedding_lookup`, and for another combiner.
    """
    if combiner not in (None, "mean", "sqrtn", "sum"):
        raise ValueError(error_text("Combiner must be one of 'mean', 'sqrtn' or 'sum'."))
    combiner = checked_combiner(combiner)
    parts = parts_of(params)
    if not isinstance(sparse_values, SparseTensor):
        raise TypeError(error_text("sparse_values must be SparseTensor"))
    with named(name, "scattered_embedding_lookup_sparse", [*parts, sparse_values]) as scope:
        if default_value is None:
            default_value = _NO_TEXT if sparse_values.dtype == dtypes.string else _NO_NUMBER
        filled, _ = sparse.fill_empty_rows(sparse_values, default_value)
        segments = math.cast(filled.indices[:, 0], dtypes.int32)
        different, places = selection.unique(filled.values)
        found = scattered_embedding_lookup(parts, different, dimension, hash_key=hash_key)
        combine = {
            "sum": sparse_ops.sparse_segment_sum,
            "mean": sparse_ops.sparse_segment_mean,
            "sqrtn": sparse_ops.sparse_segment_sqrt_n,
        }[combiner]
        combined: Tensor = combine(found, places, segments, name=scope)
        return combined


__all__ = ["scattered_embedding_lookup", "scattered_embedding_lookup_sparse"]
