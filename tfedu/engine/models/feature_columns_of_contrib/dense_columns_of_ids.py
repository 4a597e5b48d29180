"""Dense columns of ids of `tf.contrib.layers`: counted by `one_hot_column`, looked up by the embedding columns. No state."""

from __future__ import annotations

import math as numbers
from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from ...base import dtypes, log
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...data.parsing.features import VarLenFeature
from ...lib.arrays import array
from ...lib.arrays.constructors import one_hot
from ...lib.framework.collections import get_collection_ref
from ...lib.math.reductions import reduce_sum
from ...lib.sparse import sparse
from ...lib.variables.initializers import TruncatedNormal
from ...training.checkpoints.checkpoint_reader import init_from_checkpoint
from ..contrib.flattening import inner_flatten
from ..embeddings_of_contrib.embedding_lookups import safe_embedding_lookup_sparse
from ..embeddings_of_contrib.scattered_embeddings import scattered_embedding_lookup_sparse
from ..feature_columns.column_base import DenseColumn
from .older_columns import Lookup, OlderColumn, Tables, new_weights
from .sparse_columns import _SparseColumn, _WeightedSparseColumn, check_checkpoint, feature_spec


class _OneHotColumn(OlderColumn, DenseColumn, namedtuple("_OneHotColumn", "sparse_id_column")):
    """How often each id of a column occurs, or the sum of its weights: [n, length]."""

    @property
    def name(self) -> str:
        return f"{self.sparse_id_column.name}_one_hot"

    @property
    def length(self) -> int:
        """The number of different ids."""
        return self.sparse_id_column.length

    @property
    def config(self) -> dict[str, Any]:
        return feature_spec(self.sparse_id_column)

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.length])

    def prepared(self, values: Any) -> Any:
        return values.get(self.sparse_id_column)

    def transform(self, values: Any) -> Any:
        return self.as_input(values.get(self.sparse_id_column), values.weights_of)

    def as_input(self, value: Any, tables: Tables, rank: int = 2) -> Any:
        ids = inner_flatten(self.sparse_id_column.id_tensor(value), rank)
        weights = self.sparse_id_column.weight_tensor(value)
        if weights is not None:
            by_id = sparse.merge(sp_ids=ids, sp_values=weights, vocab_size=self.length)
            by_id = sparse.slice(by_id, array.zeros_like(by_id.dense_shape), by_id.dense_shape)
            dense = sparse.to_dense(by_id)
            return array.reshape(dense, array.concat([array.shape(dense)[:-1], [self.length]], axis=0))
        ones = one_hot(sparse.to_dense(ids, default_value=-1), depth=self.length, on_value=1.0, off_value=0.0)
        return reduce_sum(ones, axis=[rank - 1])


class _Embedded(OlderColumn, DenseColumn):
    """Numbers from a variable for the ids of an example, combined: [n, dimension]."""

    dimension: int
    functions = ("initializer",)

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def dense_tensor(self, values: Any) -> Any:
        return self.as_input(values.get(self), values.weights_of)


class _EmbeddingColumn(
    _Embedded,
    namedtuple(
        "_EmbeddingColumn",
        "sparse_id_column dimension combiner initializer ckpt_to_load_from tensor_name_in_ckpt shared_embedding_name "
        "shared_vocab_size max_norm trainable",
    ),
):
    """Ids as rows of a table, of the column's own or shared by several columns."""

    @property
    def name(self) -> str:
        kind = "embedding" if self.shared_embedding_name is None else "shared_embedding"
        return f"{self.sparse_id_column.name}_{kind}"

    @property
    def length(self) -> int:
        """The number of rows."""
        return self.sparse_id_column.length if self.shared_vocab_size is None else self.shared_vocab_size

    @property
    def config(self) -> dict[str, Any]:
        return feature_spec(self.sparse_id_column)

    @property
    def checkpoint(self) -> tuple[str, str] | None:
        return None if self.ckpt_to_load_from is None else (self.ckpt_to_load_from, self.tensor_name_in_ckpt)

    def transform(self, values: Any) -> Any:
        return values.get(self.sparse_id_column)

    def lookup(self, value: Any) -> Lookup:
        raise ValueError(error_text(f"Column {self} is not supported in linear models. Please use sparse_column."))

    def as_input(self, value: Any, tables: Tables, rank: int = 2) -> Any:
        ids = inner_flatten(self.sparse_id_column.id_tensor(value), rank)
        weights = self.sparse_id_column.weight_tensor(value)
        if weights is not None:
            weights = inner_flatten(weights, rank)
        table = tables(self)
        restore(self.checkpoint, table)
        return safe_embedding_lookup_sparse(
            table, ids, sparse_weights=weights, combiner=self.combiner, name=f"{self.name}weights", max_norm=self.max_norm
        )

    def new_table(self, collections: Any, trainable: bool) -> Any:
        shape = [self.length, self.dimension]
        trainable = trainable and self.trainable
        name = self.shared_embedding_name
        if name is None:
            return new_weights("weights", shape, self.initializer, collections, trainable)
        shared = get_collection_ref(f"SHARED_EMBEDDING_COLLECTION_{name.upper()}")
        if not shared:
            shared.append(new_weights(name, shape, self.initializer, collections, trainable))
        if len(shared) > 1:
            raise ValueError(
                error_text(
                    f"Collection SHARED_EMBEDDING_COLLECTION_{name.upper()} can only contain one (partitioned) variable."
                )
            )
        if shared[0].get_shape().as_list() != shape:
            raise ValueError(
                error_text(
                    f"The embedding variable with name {name} already exists, but its shape does not match required embedding "
                    "shape here. Please make sure to use different shared_embedding_name for different shared embeddings.",
                    fix=f"{shared[0].name} is {shared[0].get_shape()}, and these columns need {tuple(shape)}",
                )
            )
        return shared[0]


class _ScatteredEmbeddingColumn(
    _Embedded, namedtuple("_ScatteredEmbeddingColumn", "column_name size dimension hash_key combiner initializer")
):
    """Strings as numbers that lie scattered in a vector, where hashes find them."""

    @property
    def name(self) -> str:
        return f"{self.column_name}_scattered_embedding"

    @property
    def config(self) -> dict[str, Any]:
        return {self.column_name: VarLenFeature(dtypes.string)}

    def transform(self, values: Any) -> Any:
        return values.get(self.column_name)

    def as_input(self, value: Any, tables: Tables, rank: int = 2) -> Any:
        if not self.hash_key:
            raise TypeError(
                error_text(f"hash_key of column {self.name} is {self.hash_key}", fix="give scattered_embedding_column an int")
            )
        flat = inner_flatten(value, rank)
        return scattered_embedding_lookup_sparse(
            tables(self), flat, self.dimension, hash_key=self.hash_key, combiner=self.combiner, name="lookup"
        )

    def new_table(self, collections: Any, trainable: bool) -> Any:
        return new_weights("weights", [self.size], self.initializer, collections, trainable)


def restore(checkpoint: tuple[str, str] | None, variable: Any) -> None:
    """Lets a variable begin with the value of a checkpoint, if one is given."""
    if checkpoint is not None:
        path, name = checkpoint
        init_from_checkpoint(path, {name: variable})


# -- functions ---------------------------------------------------------------------------------------------------------


def one_hot_column(sparse_id_column: Any) -> _OneHotColumn:
    """How often each id of a column occurs in an example, or the sum of its weights: [n, length]."""
    return _OneHotColumn(sparse_id_column)


def embedding_column(
    sparse_id_column: Any,
    dimension: int,
    combiner: str = "mean",
    initializer: Any = None,
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    max_norm: Any = None,
    trainable: bool = True,
) -> _EmbeddingColumn:
    """The rows of a table [length, dimension] at an example's ids, combined ("mean", "sum", "sqrtn"): [n, dimension].

    initializer: of the table, by default normal numbers with deviation 1/√length. ckpt_to_load_from, tensor_name_in_ckpt: a
    checkpoint and a name in it, whose value the table begins with.

    Raises: ValueError for a name or a checkpoint alone, and an initializer that is no function.
    """
    rest = ckpt_to_load_from, tensor_name_in_ckpt, None, None, max_norm, trainable
    return _embedding(sparse_id_column, dimension, combiner, initializer, *rest)


def _embedding(column: Any, dimension: int, combiner: str, initializer: Any, *rest: Any) -> _EmbeddingColumn:
    if initializer is not None and not callable(initializer):
        raise ValueError(error_text(f"initializer must be callable if specified. Embedding of column_name: {column.name}"))
    check_checkpoint(rest[0], rest[1])
    if initializer is None:
        log.warn(
            'The default stddev value of initializer was changed from "1/sqrt(vocab_size)" to "1/sqrt(dimension)" in core '
            "implementation (tf.feature_column.embedding_column)."
        )
        initializer = TruncatedNormal(mean=0.0, stddev=1 / numbers.sqrt(column.length))
    return _EmbeddingColumn(column, dimension, combiner, initializer, *rest)


def shared_embedding_columns(
    sparse_id_columns: Any,
    dimension: int,
    combiner: str = "mean",
    shared_embedding_name: str | None = None,
    initializer: Any = None,
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    max_norm: Any = None,
    trainable: bool = True,
) -> Any:
    """Embedding columns of several columns of ids, with one table for all.

    shared_embedding_name: of the table; by default out of the columns' names. Other arguments: as of `embedding_column`.

    Raises: TypeError for what is no sequence of sparse columns; ValueError for none, and for columns of different ids.
    """
    if not isinstance(sparse_id_columns, Sequence) or isinstance(sparse_id_columns, str):
        raise TypeError(
            error_text(
                f"sparse_id_columns must be a non-string sequence (ex: list or tuple) instead of type {type(sparse_id_columns)}."
            )
        )
    if not sparse_id_columns:
        raise ValueError(error_text("The input sparse_id_columns should have at least one element."))
    for column in sparse_id_columns:
        if not isinstance(column, (_SparseColumn, _WeightedSparseColumn)):
            raise TypeError(
                error_text(
                    f"Elements of sparse_id_columns must be _SparseColumn or _WeightedSparseColumn, but {column} is not."
                )
            )
    rest = ckpt_to_load_from, tensor_name_in_ckpt
    first, *others = sparse_id_columns
    if not others:
        return [
            _embedding(first, dimension, combiner, initializer, *rest, shared_embedding_name, None, max_norm, trainable)
        ]
    pairs = ((first, other) if isinstance(first, _WeightedSparseColumn) else (other, first) for other in others)
    if not all(one.is_compatible(other) for one, other in pairs):
        raise ValueError(error_text("The input sparse id columns are not compatible."))
    name = shared_embedding_name or _name_of(sparse_id_columns)
    return tuple(
        _embedding(column, dimension, combiner, initializer, *rest, name, first.length, max_norm, trainable)
        for column in sparse_id_columns
    )


def _name_of(columns: Sequence[Any]) -> str:
    """The name of a table that the columns share."""
    plain = sorted((c for c in columns if isinstance(c, _SparseColumn)), key=str)
    weighted = sorted((c for c in columns if not isinstance(c, _SparseColumn)), key=lambda column: column.name)
    names = [column.name for column in plain + weighted]
    others = f"_plus_{len(names) - 3}_others" if len(names) > 3 else ""
    return "_".join(names[:3]) + others + "_shared_embedding"


def scattered_embedding_column(
    column_name: str,
    size: int,
    dimension: int,
    hash_key: int,
    combiner: str = "mean",
    initializer: Any = None,
) -> _ScatteredEmbeddingColumn:
    """`dimension` numbers of a vector [size] for each string of a feature, at hashes of the string, combined: [n, dimension].

    initializer: of the vector, by default normal numbers with deviation 0.1.

    Raises: ValueError for a size or dimension below 1, another combiner, an initializer that is no function.
    """
    if dimension < 1 or size < 1:
        raise ValueError(
            error_text(
                f"Dimension and size must be greater than 0. dimension: {dimension}, size: {size}, column_name: {column_name}"
            )
        )
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError(
            error_text(
                f"Combiner must be one of 'mean', 'sqrtn' or 'sum'. combiner: {combiner}, column_name: {column_name}"
            )
        )
    if initializer is None:
        initializer = TruncatedNormal(mean=0.0, stddev=0.1)
    elif not callable(initializer):
        raise ValueError(error_text(f"initializer must be callable if specified. column_name: {column_name}"))
    return _ScatteredEmbeddingColumn(column_name, size, dimension, hash_key, combiner, initializer)


__all__ = [
    "embedding_column", "one_hot_column", "restore", "scattered_embedding_column", "shared_embedding_columns",
]  # fmt: skip
