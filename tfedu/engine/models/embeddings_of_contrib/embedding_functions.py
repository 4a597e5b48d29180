"""Embeddings of `tf.contrib.layers` with a variable of their own: embed_sequence, bow_encoder. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.math import reductions
from ...lib.nn import embeddings
from ...lib.variables.variable_scope import variable_scope
from ...op.composites import SparseTensor
from ..contrib.flattening import without_missing
from ..contrib.model_variables import model_variable
from .embedding_lookups import embedding_lookup_unique, safe_embedding_lookup_sparse


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
            sparse = ids if isinstance(ids, SparseTensor) else without_missing(ids)
            return safe_embedding_lookup_sparse(table, sparse, combiner="mean", default_id=0)
        if isinstance(ids, SparseTensor):
            raise TypeError(error_text("ids are expected to be dense Tensor, got: " + str(ids)))
        return reductions.reduce_mean(embeddings.embedding_lookup(table, ids), axis=1)


__all__ = ["bow_encoder", "embed_sequence"]
