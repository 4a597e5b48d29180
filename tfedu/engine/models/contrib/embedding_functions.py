"""Embeddings of `tf.contrib.layers` with a variable of their own: embed_sequence, bow_encoder. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math, reductions
from ...lib.nn import embeddings
from ...lib.variables.variable_scope import variable_scope
from ...op.composites import SparseTensor
from .embedding_lookups import embedding_lookup_unique, safe_embedding_lookup_sparse
from .model_variables import model_variable


@atomic
def embed_sequence(
    ids: Any,
    vocab_size: int | None = None,
    embed_dim: int | None = None,
    unique: bool = False,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    scope: Any = None,
    reuse: Any = None,
) -> Tensor:
    """The rows of a variable "embeddings" [vocab_size, embed_dim] for ids [n, length]: [n, length, embed_dim].

    unique: reads the row of each id once. Raises: ValueError without the sizes, unless the variable is reused.
    """
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError(
            error_text(
                "Must specify vocab size and embedding dimension when not reusing. "
                f"Got vocab_size={vocab_size} and embed_dim={embed_dim}"
            )
        )
    with variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        shape = [vocab_size, embed_dim]
        if reuse and (vocab_size is None or embed_dim is None):
            shape = None
        table = model_variable(
            "embeddings", shape=shape, initializer=initializer, regularizer=regularizer, trainable=trainable
        )
        return embedding_lookup_unique(table, ids) if unique else embeddings.embedding_lookup(table, ids)


@atomic
def bow_encoder(
    ids: Any,
    vocab_size: int,
    embed_dim: int,
    sparse_lookup: bool = True,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    scope: Any = None,
    reuse: Any = None,
) -> Tensor:
    """The mean of the rows of a variable "embeddings" [vocab_size, embed_dim] for ids [n, length]: [n, embed_dim].

    sparse_lookup: leaves out ids 0; of a dense tensor only. Raises: TypeError for a SparseTensor without sparse_lookup.
    """
    with variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        table = model_variable(
            "embeddings",
            shape=[vocab_size, embed_dim],
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
        )
        if sparse_lookup:
            sparse = ids if isinstance(ids, SparseTensor) else _without_padding(ids)
            return safe_embedding_lookup_sparse(table, sparse, combiner="mean", default_id=0)
        if isinstance(ids, SparseTensor):
            raise TypeError(error_text("ids are expected to be dense Tensor, got: " + str(ids)))
        return reductions.reduce_mean(embeddings.embedding_lookup(table, ids), axis=1)


def _without_padding(ids: Any) -> SparseTensor:
    """The SparseTensor of the ids other than 0."""
    with name_scope(None, "DenseToSparseTensor", [ids]):
        ids = convert_to_tensor(ids)
        ignored = math.cast(0, ids.dtype, name="ignore_value")
        indices = selection.where(math.not_equal(ids, ignored), name="indices")
        values = selection.gather_nd(ids, indices, name="values")
        shape = array.shape(ids, out_type=dtypes.int64, name="dense_shape")
        return SparseTensor(indices=indices, values=values, dense_shape=shape)


__all__ = ["bow_encoder", "embed_sequence"]
