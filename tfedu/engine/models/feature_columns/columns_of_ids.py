"""Dense columns of ids: `indicator_column` counts them, `embedding_column` looks them up in a table. No state."""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable
from typing import Any

from ...base.dtypes import float32
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...lib.arrays.constructors import one_hot
from ...lib.framework.collections import add_to_collection, get_collection
from ...lib.framework.scope_blocks import name_scope
from ...lib.math.reductions import reduce_sum
from ...lib.nn.embeddings import safe_embedding_lookup_sparse
from ...lib.sparse import sparse
from ...lib.variables.initializers import TruncatedNormal
from ...lib.variables.scatter import scatter_nd
from ...lib.variables.variable_scope import get_variable
from ...training.checkpoints.checkpoint_reader import init_from_checkpoint
from .categorical_columns import WeightedCategoricalColumn
from .column_base import CategoricalColumn, DenseAndLengths, DenseColumn, SequenceDenseColumn
from .sequence_columns import SequenceCategoricalColumn, sequence_lengths


class _OfCategories(DenseColumn, SequenceDenseColumn):
    """A dense column of a categorical one, in an example or in each step of a sequence."""

    categorical_column: Any
    _kind = "embedding_column"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return self.categorical_column.parse_example_spec

    def _dense(self, values: Any) -> tuple[Any, Callable[[], Any]]:
        """The value of the ids [n, ...] or [n, steps, ...], and a function that gives the ids."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define _dense"))

    def dense_tensor(self, values: Any) -> Any:
        column = self.categorical_column
        if isinstance(column, SequenceCategoricalColumn):
            raise ValueError(
                error_text(
                    f"In {self._kind}: {self.name}. categorical_column must not be of type SequenceCategoricalColumn. "
                    "Suggested fix A: If you wish to use DenseFeatures, use a non-sequence categorical_column_with_*. "
                    "Suggested fix B: If you wish to create sequence input, use SequenceFeatures instead of DenseFeatures. "
                    f"Given (type {type(column)}): {column}"
                )
            )
        return self._dense(values)[0]

    def sequence_tensor(self, values: Any) -> DenseAndLengths:
        column = self.categorical_column
        if not isinstance(column, SequenceCategoricalColumn):
            raise ValueError(
                error_text(
                    f"In {self._kind}: {self.name}. categorical_column must be of type SequenceCategoricalColumn to use "
                    "SequenceFeatures. Suggested fix: Use one of sequence_categorical_column_with_*. "
                    f"Given (type {type(column)}): {column}"
                )
            )
        dense, ids = self._dense(values)
        return DenseAndLengths(dense, sequence_lengths(ids()))


class IndicatorColumn(_OfCategories, namedtuple("IndicatorColumn", "categorical_column")):
    """How often each id occurs (or the sum of its weights): [n, num_buckets]."""

    _kind = "indicator_column"

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_indicator"

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([1, self.categorical_column.num_buckets])

    def _dense(self, values: Any) -> tuple[Any, Callable[[], Any]]:
        return values.get(self), lambda: self.categorical_column.ids_and_weights(values).ids

    def transform(self, values: Any) -> Any:
        ids, weights = self.categorical_column.ids_and_weights(values)
        count = self.categorical_column.num_buckets
        if weights is not None:
            by_id = sparse.merge(sp_ids=ids, sp_values=weights, vocab_size=count)
            by_id = sparse.slice(by_id, [0, 0], by_id.dense_shape)
            return scatter_nd(by_id.indices, by_id.values, by_id.dense_shape)
        dense = sparse.to_dense(ids, default_value=-1)
        return reduce_sum(one_hot(dense, depth=count, on_value=1.0, off_value=0.0), axis=[-2])


class _Embedded(_OfCategories):
    """Rows of a table [num_buckets, dimension], combined for each example: [n, dimension]."""

    dimension: int
    combiner: str
    max_norm: Any
    initializer: Any
    trainable: bool
    ckpt_to_load_from: Any
    tensor_name_in_ckpt: Any

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    @property
    def table_shape(self) -> tuple[int, int]:
        """The shape of the table that the column looks up."""
        return self.categorical_column.num_buckets, self.dimension

    def new_table(self, collections: Any, trainable: bool) -> Any:
        """That table as a variable, or the one of its name where the variable scope reuses variables."""
        return get_variable(
            "embedding_weights", shape=self.table_shape, dtype=float32, initializer=self.initializer,
            trainable=self.trainable and trainable, collections=collections,
        )  # fmt: skip

    def _table(self, values: Any) -> Any:
        """The variable of that shape."""
        return values.weights_of(self)

    def transform(self, values: Any) -> Any:
        return values.get(self.categorical_column)

    def _dense(self, values: Any) -> tuple[Any, Callable[[], Any]]:
        ids, weights = self.categorical_column.ids_and_weights(values)
        table = self._table(values)
        if self.ckpt_to_load_from is not None:
            init_from_checkpoint(self.ckpt_to_load_from, {self.tensor_name_in_ckpt: table})
        rows = safe_embedding_lookup_sparse(
            table, ids, weights, combiner=self.combiner, name=f"{self.name}_weights", max_norm=self.max_norm
        )
        return rows, lambda: ids


_FIELDS = "ckpt_to_load_from tensor_name_in_ckpt max_norm trainable"


class EmbeddingColumn(
    _Embedded, namedtuple("EmbeddingColumn", f"categorical_column dimension combiner initializer {_FIELDS}")
):
    """Ids as rows of a table of their own."""

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_embedding"


class _SharedEmbeddingColumn(
    _Embedded,
    namedtuple(
        "_SharedEmbeddingColumn",
        f"categorical_column dimension combiner initializer shared_embedding_collection_name {_FIELDS}",
    ),
):
    """Ids as rows of a table that several columns share: the one variable of a collection of the graph."""

    for_layers = False

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_shared_embedding"

    @property
    def scope_name(self) -> str:
        return self.shared_embedding_collection_name

    def _dense(self, values: Any) -> tuple[Any, Callable[[], Any]]:
        with name_scope(None, default_name=self.name):
            return super()._dense(values)

    def _table(self, values: Any) -> Any:
        collection = self.shared_embedding_collection_name
        found = get_collection(collection)
        fix = (
            "Suggested fix A: Choose a unique name for this collection. Suggested fix B: Do not add any variables to this "
            "collection. The feature_column library already adds a variable under the hood."
        )
        if len(found) > 1:
            raise ValueError(error_text(f"Collection {found} can only contain one variable. {fix}"))
        if not found:
            table = super()._table(values)
            add_to_collection(collection, table)
            return table
        if tuple(found[0].get_shape().as_list()) != self.table_shape:
            raise ValueError(
                error_text(
                    f"Shared embedding collection {collection} contains variable {found[0].name} of unexpected shape "
                    f"{found[0].get_shape()}. Expected shape is {self.table_shape}. {fix}"
                )
            )
        return found[0]


# -- functions ---------------------------------------------------------------------------------------------------------


def indicator_column(categorical_column: CategoricalColumn) -> IndicatorColumn:
    """How often each id of a column occurs in an example, or the sum of its weights: [n, num_buckets]."""
    return IndicatorColumn(categorical_column)


def embedding_column(
    categorical_column: CategoricalColumn,
    dimension: int,
    combiner: str = "mean",
    initializer: Any = None,
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    max_norm: Any = None,
    trainable: bool = True,
) -> EmbeddingColumn:
    """The rows of a table [num_buckets, dimension] at an example's ids, combined ("mean", "sum", "sqrtn"): [n, dimension].

    initializer: of the table, by default normal numbers with deviation 1/√dimension. ckpt_to_load_from,
    tensor_name_in_ckpt: a checkpoint and a name in it, whose value the table begins with.

    Raises: ValueError for a dimension below 1, a name or a checkpoint alone, an initializer that is no function.
    """
    of = f" Embedding of column_name: {categorical_column.name}"
    initializer = _checked(dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt, of)
    return EmbeddingColumn(
        categorical_column,
        dimension,
        combiner,
        initializer,
        ckpt_to_load_from,
        tensor_name_in_ckpt,
        max_norm,
        trainable,
    )


def shared_embedding_columns(
    categorical_columns: Any,
    dimension: int,
    combiner: str = "mean",
    initializer: Any = None,
    shared_embedding_collection_name: str | None = None,
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    max_norm: Any = None,
    trainable: bool = True,
) -> list[_SharedEmbeddingColumn]:
    """Embedding columns of several categorical columns, with one table for all.

    shared_embedding_collection_name: of the graph's collection with the table; by default out of the columns' names.

    Raises: ValueError as `embedding_column`, and for columns of different kinds or numbers of ids.
    """
    initializer = _checked(dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt, "")
    ordered = sorted(categorical_columns, key=lambda column: column.name)
    first, *others = ordered
    if not isinstance(first, CategoricalColumn):
        raise ValueError(
            error_text(
                f"All categorical_columns must be subclasses of _CategoricalColumn. Given: {first}, of type: {type(first)}"
            )
        )
    first = _without_weights(first)
    for other in map(_without_weights, others):
        if not isinstance(other, type(first)):
            raise ValueError(
                error_text(
                    "To use shared_embedding_column, all categorical_columns must have the same type, or be "
                    f"weighted_categorical_column of the same type. Given column: {first} of type: {type(first)} does not match "
                    f"given column: {other} of type: {type(other)}"
                )
            )
        if other.num_buckets != first.num_buckets:
            raise ValueError(
                error_text(
                    "To use shared_embedding_column, all categorical_columns must have the same number of buckets. Given column: "
                    f"{first} with buckets: {first.num_buckets} does  not match column: {other} with buckets: {other.num_buckets}"
                )
            )
    collection = (
        shared_embedding_collection_name or "_".join(each.name for each in ordered) + "_shared_embedding"
    )
    return [
        _SharedEmbeddingColumn(
            column,
            dimension,
            combiner,
            initializer,
            collection,
            ckpt_to_load_from,
            tensor_name_in_ckpt,
            max_norm,
            trainable,
        )
        for column in categorical_columns
    ]


def _without_weights(column: Any) -> Any:
    return column.categorical_column if isinstance(column, WeightedCategoricalColumn) else column


def _checked(dimension: int, initializer: Any, checkpoint: Any, tensor_name: Any, of: str) -> Any:
    """The initializer of a table."""
    if dimension is None or dimension < 1:
        raise ValueError(error_text(f"Invalid dimension {dimension}."))
    if (checkpoint is None) != (tensor_name is None):
        raise ValueError(
            error_text("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
        )
    if initializer is None:
        return TruncatedNormal(mean=0.0, stddev=1 / math.sqrt(dimension))
    if not callable(initializer):
        raise ValueError(error_text(f"initializer must be callable if specified.{of}"))
    return initializer


__all__ = [
    "EmbeddingColumn", "IndicatorColumn", "embedding_column", "indicator_column", "shared_embedding_columns",
]  # fmt: skip
