"""Columns of categories of `tf.contrib.layers`: by hash, keys, a file or as given; weighted and crossed. No state."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...base import dtypes, log
from ...base.dtypes import DType
from ...base.errors import error_text
from ...data.parsing.features import VarLenFeature
from ...data.tables.index_tables import index_table_from_file, index_table_from_tensor
from ...lib.framework import nest
from ...lib.math import math
from ...lib.sparse import sparse
from ...lib.strings.strings import as_string, string_to_hash_bucket_fast, string_to_hash_bucket_strong
from ...op.composites import SparseTensor
from ..contrib.flattening import without_missing
from ..embeddings_of_contrib.feature_crosses import sparse_feature_cross
from ..feature_columns.column_base import CategoricalColumn, IdsAndWeights
from .number_columns import _BucketizedColumn
from .older_columns import Lookup, OlderColumn, Tables, of_rank


class _SparseIdLookupConfig(NamedTuple):
    """Where a table of a column has its entries from."""

    vocabulary_file: Any = None
    keys: tuple[Any, ...] | None = None
    num_oov_buckets: int = 0
    vocab_size: int | None = None
    default_value: int = -1


class OlderCategoricalColumn(OlderColumn, CategoricalColumn):
    """A column whose value is sparse ids [n, k], from 0 to below `length`, and perhaps their weights."""

    combiner: str
    # as errors name the kind, and what to use in a network instead
    _told_as = "SparseColumn"
    _instead = "embedding_column or one_hot_column"

    @property
    def length(self) -> int:
        """The number of different ids."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define length"))

    @property
    def num_buckets(self) -> int:
        return self.length

    def id_tensor(self, input_tensor: Any) -> SparseTensor:
        """The ids of a prepared value."""
        return input_tensor

    def weight_tensor(self, input_tensor: Any) -> Any:
        """The weights of a prepared value; None for none."""
        return None

    def ids_and_weights(self, values: Any) -> IdsAndWeights:
        value = values.get(self)
        return IdsAndWeights(self.id_tensor(value), self.weight_tensor(value))

    def as_input(self, value: Any, tables: Tables, rank: int = 2) -> Any:
        raise ValueError(
            error_text(f"{self._told_as} is not supported in DNN. Please use {self._instead}. column: {self}")
        )

    def lookup(self, value: Any) -> Lookup:
        return Lookup(self.id_tensor(value), self.weight_tensor(value), self.length, self.combiner)


class _SparseColumn(
    OlderCategoricalColumn,
    namedtuple("_SparseColumn", "column_name is_integerized bucket_size lookup_config combiner dtype"),
):
    """A column of the entries of one feature, as strings or integers."""

    @property
    def name(self) -> str:
        return self.column_name

    @property
    def length(self) -> int:
        if self.bucket_size is not None:
            return self.bucket_size
        return self.lookup_config.vocab_size + self.lookup_config.num_oov_buckets

    @property
    def config(self) -> dict[str, Any]:
        return {self.column_name: VarLenFeature(self.dtype)}

    def transform(self, values: Any) -> SparseTensor:
        entries = values.get(self.column_name)
        if not isinstance(entries, SparseTensor):
            missing = "" if entries.dtype == dtypes.string else -1
            entries = without_missing(of_rank(entries, 2, self.column_name), missing)
        return self._ids(entries)

    def _ids(self, entries: SparseTensor) -> SparseTensor:
        """The ids of the entries."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define _ids"))

    def is_compatible(self, other_column: Any) -> bool:
        """Whether the columns can share a table; warns where their vocabularies may differ."""
        if self.lookup_config and other_column.lookup_config:
            return self.lookup_config == other_column.lookup_config
        same = self.dtype == other_column.dtype or (self.dtype.is_integer and other_column.dtype.is_integer)
        if self.length != other_column.length or not same:
            return False
        log.warn(f"Column {self.name} and {other_column.name} may not have the same vocabulary.")
        return True


class _SparseColumnIntegerized(_SparseColumn):
    """Ids are the remainders of the integers."""

    def _ids(self, entries: SparseTensor) -> SparseTensor:
        return _with_values(entries, math.mod(entries.values, self.bucket_size, name="mod"))


class _SparseColumnHashed(_SparseColumn):
    """Ids are hashes of the strings, or of integers as text; with hash_keys, one for each key."""

    hash_keys: list[list[int]] | None = None

    def _ids(self, entries: SparseTensor) -> SparseTensor:
        texts = as_string(entries.values) if self.dtype.is_integer else entries.values
        if not self.hash_keys:
            return _with_values(entries, string_to_hash_bucket_fast(texts, self.bucket_size, name="lookup"))
        ids = [string_to_hash_bucket_strong(texts, self.bucket_size, key) for key in self.hash_keys]
        return sparse.concat(axis=1, sp_inputs=[_with_values(entries, each) for each in ids], name="lookup")


class _SparseColumnKeys(_SparseColumn):
    """Ids are places in a list."""

    def _ids(self, entries: SparseTensor) -> SparseTensor:
        given = self.lookup_config
        table = index_table_from_tensor(given.keys, default_value=given.default_value, dtype=self.dtype, name="lookup")
        return table.lookup(entries)


class _SparseColumnVocabulary(_SparseColumn):
    """Ids are numbers of lines in a file."""

    def _ids(self, entries: SparseTensor) -> SparseTensor:
        given = self.lookup_config
        if self.dtype.is_integer:
            entries = _with_values(entries, as_string(entries.values))
        table = index_table_from_file(
            vocabulary_file=given.vocabulary_file, num_oov_buckets=given.num_oov_buckets, vocab_size=given.vocab_size,
            default_value=given.default_value, name=f"{self.name}_lookup",
        )  # fmt: skip
        return table.lookup(entries)


def _with_values(entries: SparseTensor, values: Any) -> SparseTensor:
    return SparseTensor(entries.indices, values, entries.dense_shape)


class _WeightedSparseColumn(
    OlderCategoricalColumn, namedtuple("_WeightedSparseColumn", "sparse_id_column weight_column_name dtype")
):
    """The ids of another column with weights from a feature of their own."""

    _told_as = "WeightedSparseColumn"

    @property
    def name(self) -> str:
        return f"{self.sparse_id_column.name}_weighted_by_{self.weight_column_name}"

    @property
    def length(self) -> int:
        return self.sparse_id_column.length

    @property
    def combiner(self) -> str:
        return self.sparse_id_column.combiner

    @property
    def lookup_config(self) -> Any:
        """That of the column of ids."""
        return self.sparse_id_column.lookup_config

    @property
    def config(self) -> dict[str, Any]:
        return {**feature_spec(self.sparse_id_column), self.weight_column_name: VarLenFeature(self.dtype)}

    def id_tensor(self, input_tensor: Any) -> SparseTensor:
        return input_tensor[0]

    def weight_tensor(self, input_tensor: Any) -> Any:
        return input_tensor[1]

    def transform(self, values: Any) -> tuple[SparseTensor, SparseTensor]:
        ids, weights = values.get(self.sparse_id_column), values.get(self.weight_column_name)
        if not isinstance(weights, SparseTensor):
            weights = without_missing(weights)
        return ids, weights if self.dtype.is_floating else math.cast(weights, dtypes.float32)

    def is_compatible(self, other_column: Any) -> bool:
        """Whether the columns can share a table."""
        if isinstance(other_column, _WeightedSparseColumn):
            other_column = other_column.sparse_id_column
        return self.sparse_id_column.is_compatible(other_column)


class _CrossedColumn(
    OlderCategoricalColumn,
    namedtuple("_CrossedColumn", "columns hash_bucket_size hash_key combiner ckpt_to_load_from tensor_name_in_ckpt"),
):
    """Ids are hashes of the combinations of several columns' entries in an example."""

    _told_as = "CrossedColumn"
    _instead = "embedding_column"

    @property
    def name(self) -> str:
        return "_X_".join(sorted(column.name for column in self.columns))

    @property
    def length(self) -> int:
        return self.hash_bucket_size

    @property
    def config(self) -> dict[str, Any]:
        return {key: feature for column in self.columns for key, feature in feature_spec(column).items()}

    @property
    def checkpoint(self) -> tuple[str, str] | None:
        return None if self.ckpt_to_load_from is None else (self.ckpt_to_load_from, self.tensor_name_in_ckpt)

    def _leaves(self) -> Iterator[Any]:
        """The columns that are crossed; a crossed column stands for its own."""
        for column in self.columns:
            if isinstance(column, _CrossedColumn):
                yield from column._leaves()
            else:
                yield column

    def transform(self, values: Any) -> SparseTensor:
        features = [
            column.to_sparse_tensor(values.get(column)) if isinstance(column, _BucketizedColumn) else values.get(column.name)
            for column in self._leaves()
        ]
        return sparse_feature_cross(
            features, hashed_output=True, num_buckets=self.hash_bucket_size, hash_key=self.hash_key, name="cross"
        )


def feature_spec(column: Any) -> dict[str, Any]:
    """The features that a column needs.

    Raises: TypeError for what is no column of contrib.
    """
    if not isinstance(column, OlderColumn):
        raise TypeError(
            error_text(f"feature_columns should only contain instances of _FeatureColumn. Given column is {column}")
        )
    return column.config


# -- functions ---------------------------------------------------------------------------------------------------------


def sparse_column_with_integerized_feature(
    column_name: str, bucket_size: int, combiner: str = "sum", dtype: DType = dtypes.int64
) -> _SparseColumnIntegerized:
    """Ids are the feature's integers modulo bucket_size. combiner: how linear models combine an example's ids.

    Raises: ValueError for a size below 1, or another dtype.
    """
    if bucket_size is None:
        raise ValueError(
            error_text(f"bucket_size must be set if is_integerized is True. column_name: {column_name}")
        )
    if not dtype.is_integer:
        raise ValueError(
            error_text(
                f"dtype must be an integer if is_integerized is True. dtype: {dtype}, column_name: {column_name}."
            )
        )
    _check_buckets(bucket_size, column_name)
    return _SparseColumnIntegerized(column_name, True, bucket_size, None, combiner, dtype)


def sparse_column_with_hash_bucket(
    column_name: str,
    hash_bucket_size: int,
    combiner: str = "sum",
    dtype: DType = dtypes.string,
    hash_keys: list[list[int]] | None = None,
) -> _SparseColumnHashed:
    """Ids below hash_bucket_size, which are hashes of the feature's strings or integers.

    hash_keys: pairs of integers; the ids are then the hashes by each of them, side by side.

    Raises: ValueError for a size below 1, another dtype, or keys that are no such list.
    """
    _check_keys(hash_keys)
    _check_dtype(dtype, column_name)
    if hash_bucket_size is None:
        raise ValueError(error_text(f"one of bucket_size or lookup_config must be set. column_name: {column_name}"))
    _check_buckets(hash_bucket_size, column_name)
    column = _SparseColumnHashed(column_name, False, hash_bucket_size, None, combiner, dtype)
    column.hash_keys = hash_keys
    return column


def sparse_column_with_keys(
    column_name: str, keys: Any, default_value: int = -1, combiner: str = "sum", dtype: DType = dtypes.string
) -> _SparseColumnKeys:
    """Ids are places in a list of strings or integers; other entries have default_value (-1: no id).

    Raises: ValueError for another dtype.
    """
    _check_dtype(dtype, column_name)
    keys = tuple(keys)
    given = _SparseIdLookupConfig(keys=keys, vocab_size=len(keys), default_value=default_value)
    return _SparseColumnKeys(column_name, False, None, given, combiner, dtype)


def sparse_column_with_vocabulary_file(
    column_name: str,
    vocabulary_file: Any,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    combiner: str = "sum",
    dtype: DType = dtypes.string,
) -> _SparseColumnVocabulary:
    """Ids are numbers of the first vocab_size lines of a file. Entries that are in no line have default_value (-1: no id), or
    one of num_oov_buckets ids more.

    Raises: ValueError without vocab_size, and for another dtype.
    """
    if vocab_size is None:
        raise ValueError(error_text(f"vocab_size should be defined. column_name: {column_name}"))
    _check_dtype(dtype, column_name)
    given = _SparseIdLookupConfig(vocabulary_file, None, num_oov_buckets, vocab_size, default_value)
    return _SparseColumnVocabulary(column_name, False, None, given, combiner, dtype)


def weighted_sparse_column(
    sparse_id_column: Any, weight_column_name: str, dtype: DType = dtypes.float32
) -> _WeightedSparseColumn:
    """The ids of a column with weights: the feature weight_column_name has one for each entry.

    Raises: ValueError for a dtype that is no number's.
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(error_text(f"dtype is not convertible to float. Given {dtype}"))
    return _WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)


def crossed_column(
    columns: Any,
    hash_bucket_size: int,
    combiner: str = "sum",
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    hash_key: int | None = None,
) -> _CrossedColumn:
    """Ids below hash_bucket_size, which are hashes of the combinations of the columns' entries.

    hash_key: as of `sparse_feature_cross`. ckpt_to_load_from, tensor_name_in_ckpt: a checkpoint and a name in it, whose value a
    linear model's weights begin with.

    Raises: TypeError for what cannot be crossed; ValueError for fewer than two columns, a size below 2, a name or a checkpoint
    alone.
    """
    for column in columns:
        if not isinstance(column, (_SparseColumn, _CrossedColumn, _BucketizedColumn)):
            raise TypeError(
                error_text(
                    "columns must be a set of _SparseColumn, _CrossedColumn, or _BucketizedColumn instances. "
                    f"(column {column} is a {type(column).__name__})"
                )
            )
    if len(columns) < 2:
        raise ValueError(error_text(f"columns must contain at least 2 elements. columns: {columns}"))
    if hash_bucket_size < 2:
        raise ValueError(error_text(f"hash_bucket_size must be at least 2. hash_bucket_size: {hash_bucket_size}"))
    check_checkpoint(ckpt_to_load_from, tensor_name_in_ckpt)
    ordered = tuple(sorted(columns, key=lambda column: column.name))
    return _CrossedColumn(ordered, hash_bucket_size, hash_key, combiner, ckpt_to_load_from, tensor_name_in_ckpt)


# -- checks ------------------------------------------------------------------------------------------------------------


def check_checkpoint(checkpoint: Any, tensor_name: Any) -> None:
    """Raises: ValueError for a checkpoint without a name in it, or the other way round."""
    if (checkpoint is None) != (tensor_name is None):
        raise ValueError(
            error_text("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
        )


def _check_dtype(dtype: DType, name: str) -> None:
    if dtype != dtypes.string and not dtype.is_integer:
        raise ValueError(error_text(f"dtype must be string or integer. dtype: {dtype}, column_name: {name}"))


def _check_buckets(size: int, name: str) -> None:
    if size < 1:
        raise ValueError(error_text(f"bucket_size must be at least 1. bucket_size: {size}, column_name: {name}"))


def _check_keys(hash_keys: Any) -> None:
    if hash_keys is None:
        return
    if not isinstance(hash_keys, list) or not hash_keys:
        raise ValueError(error_text("hash_keys must be a non-empty list."))
    are_pairs = all(isinstance(pair, list) and len(pair) == 2 for pair in hash_keys)
    if not are_pairs or not all(isinstance(key, int) for key in nest.flatten(hash_keys)):
        raise ValueError(error_text("Each element of hash_keys must be a pair of integers."))


__all__ = [
    "OlderCategoricalColumn", "check_checkpoint", "crossed_column", "feature_spec",
    "sparse_column_with_hash_bucket", "sparse_column_with_integerized_feature", "sparse_column_with_keys",
    "sparse_column_with_vocabulary_file", "weighted_sparse_column",
]  # fmt: skip
