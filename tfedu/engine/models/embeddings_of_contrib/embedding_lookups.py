"""`tf.contrib.layers.embedding_lookup_unique` and the contrib form of `safe_embedding_lookup_sparse`. No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection
from ...lib.checks.type_asserts import assert_same_float_dtype
from ...lib.framework.scope_blocks import named
from ...lib.math import reductions
from ...lib.nn import embeddings


@atomic
def embedding_lookup_unique(params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None) -> Tensor:
    """`tf.nn.embedding_lookup` that picks each different id once: params [n, ...], ids [i...] -> [i..., ...]."""
    with named(name, "EmbeddingLookupUnique", [params, ids]):
        ids = convert_to_tensor(ids)
        sizes = array.shape(ids)
        flat = array.reshape(ids, reductions.reduce_prod(sizes, keepdims=True))
        different, places = selection.unique(flat)
        rows: Any = embeddings.embedding_lookup(params, different, partition_strategy)
        picked = selection.gather(rows, places)
        result = array.reshape(picked, array.concat([sizes, array.shape(rows)[1:]], 0))
        result.set_shape(ids.get_shape().concatenate(rows.get_shape()[1:]))
        return result


@atomic
def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: Any,
    sparse_weights: Any = None,
    combiner: str | None = None,
    default_id: Any = None,
    name: str | None = None,
    partition_strategy: str = "div",
    max_norm: Any = None,
) -> Tensor:
    """`tf.nn.safe_embedding_lookup_sparse` for ids [d..., k] -> [d..., ...] whose parts and weights have one dtype.

    It reads resource variables whole, and its default combiner is "mean" with a warning.

    Raises: ValueError for no embedding_weights, and for different dtypes.
    """
    combiner = embeddings.checked_combiner(combiner)
    parts = embeddings.checked_parts(embedding_weights)
    dtype = None if sparse_weights is None else sparse_weights.dtype
    tensors = [convert_to_tensor(part, dtype=dtype) for part in parts]
    assert_same_float_dtype([*tensors, sparse_weights])
    return embeddings.lookup_with_empty_rows(
        tensors, sparse_ids, sparse_weights, combiner, default_id, name, partition_strategy, max_norm
    )


__all__ = ["embedding_lookup_unique", "safe_embedding_lookup_sparse"]
