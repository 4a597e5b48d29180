"""Columns of categories: ids by hash, by a vocabulary, or as given; weighted and crossed. No state."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...base import dtypes, log
from ...base.errors import error_text
from ...data.parsing.features import VarLenFeature
from ...data.tables.index_tables import index_table_from_file, index_table_from_tensor
from ...files import gfile
from ...lib.arrays import array, selection
from ...lib.checks.asserts import assert_greater_equal, assert_less
from ...lib.control.grouping import identity
from ...lib.framework.scope_blocks import control_dependencies
from ...lib.math import math
from ...lib.sparse import sparse
from ...lib.sparse.composite_values import SparseTensor
from ...lib.sparse.sparse_math import cross_hashed
from ...lib.strings.strings import as_string, string_to_hash_bucket_fast
from .column_base import CategoricalColumn, IdsAndWeights, check_string_or_integer, checked_key
from .feature_values import as_sparse_ids


class _OfOneFeature(CategoricalColumn):
    """A column of the entries of one feature, as strings or integers."""

    key: str
    dtype: Any

    @property
    def name(self) -> str:
        return self.key

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: VarLenFeature(self.dtype)}

    def transform(self, values: Any) -> SparseTensor:
        return self._ids(as_sparse_ids(values.get(self.key)))

    def _ids(self, entries: SparseTensor) -> SparseTensor:
        """The ids of the entries."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define _ids"))

    def _check_entries(self, entries: SparseTensor, kind_first: bool) -> None:
        """Raises: ValueError for entries of another kind. kind_first: whether to ask first for strings or integers."""
        if kind_first:
            check_string_or_integer(entries.dtype, f"column_name: {self.key} input_tensor")
        if self.dtype.is_integer != entries.dtype.is_integer:
            raise ValueError(
                error_text(
                    f"Column dtype and SparseTensors dtype must be compatible. key: {self.key}, column dtype: {self.dtype}, "
                    f"tensor dtype: {entries.dtype}"
                )
            )
        check_string_or_integer(entries.dtype, f"column_name: {self.key} input_tensor")


class HashedCategoricalColumn(
    _OfOneFeature, namedtuple("HashedCategoricalColumn", "key hash_bucket_size dtype")
):
    """Ids are hashes of strings, or of integers as text."""

    @property
    def num_buckets(self) -> int:  # type: ignore[override]
        return self.hash_bucket_size

    def _ids(self, entries: SparseTensor) -> SparseTensor:
        self._check_entries(entries, True)
        texts = entries.values if self.dtype == dtypes.string else as_string(entries.values)
        ids = string_to_hash_bucket_fast(texts, self.hash_bucket_size, name="lookup")
        return SparseTensor(entries.indices, ids, entries.dense_shape)


class _OfVocabulary(_OfOneFeature):
    """A column whose ids a table gives."""

    def _ids(self, entries: SparseTensor) -> SparseTensor:
        self._check_entries(entries, False)
        dtype = self.dtype
        if entries.dtype.is_integer:
            dtype = dtypes.int64
            entries = math.cast(entries, dtypes.int64)
        return self._table(dtype, f"{self.key}_lookup").lookup(entries)

    def _table(self, key_dtype: Any, name: str) -> Any:
        """The table from the vocabulary to its numbers."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define _table"))


class VocabularyFileCategoricalColumn(
    _OfVocabulary,
    namedtuple(
        "VocabularyFileCategoricalColumn",
        "key vocabulary_file vocabulary_size num_oov_buckets dtype default_value",
    ),
):
    """Ids are numbers of lines in a file."""

    @property
    def num_buckets(self) -> int:  # type: ignore[override]
        return self.vocabulary_size + self.num_oov_buckets

    def _table(self, key_dtype: Any, name: str) -> Any:
        return index_table_from_file(
            vocabulary_file=self.vocabulary_file, num_oov_buckets=self.num_oov_buckets, vocab_size=self.vocabulary_size,
            default_value=self.default_value, key_dtype=key_dtype, name=name,
        )  # fmt: skip


class VocabularyListCategoricalColumn(
    _OfVocabulary,
    namedtuple("VocabularyListCategoricalColumn", "key vocabulary_list dtype default_value num_oov_buckets"),
):
    """Ids are places in a list."""

    @property
    def num_buckets(self) -> int:  # type: ignore[override]
        return len(self.vocabulary_list) + self.num_oov_buckets

    def _table(self, key_dtype: Any, name: str) -> Any:
        return index_table_from_tensor(
            self.vocabulary_list, default_value=self.default_value, num_oov_buckets=self.num_oov_buckets, dtype=key_dtype,
            name=name,
        )  # fmt: skip


class IdentityCategoricalColumn(
    _OfOneFeature, namedtuple("IdentityCategoricalColumn", "key number_buckets default_value")
):
    """Ids are the integers themselves."""

    dtype = dtypes.int64

    @property
    def num_buckets(self) -> int:  # type: ignore[override]
        return self.number_buckets

    def _ids(self, entries: SparseTensor) -> SparseTensor:
        if not entries.dtype.is_integer:
            raise ValueError(
                error_text(f"Invalid input, not integer. key: {self.key} dtype: {entries.dtype}")
            )
        ids: Any = math.cast(entries.values, dtypes.int64, name="values")
        limit = math.cast(self.num_buckets, dtypes.int64, name="num_buckets")
        zero = math.cast(0, dtypes.int64, name="zero")
        if self.default_value is None:
            checks = (
                assert_less(
                    ids, limit, data=(ids, limit), name="assert_less_than_num_buckets",
                    message=f'Bucket index for categorical column "{self.name}" exceeds number of buckets',
                ),
                assert_greater_equal(
                    ids, zero, data=(ids,), name="assert_greater_or_equal_0",
                    message=f'Negative bucket index for categorical column "{self.name}"',
                ),
            )  # fmt: skip
            with control_dependencies(checks):
                ids = identity(ids)
        else:
            is_outside = math.logical_or(ids < zero, ids >= limit, name="out_of_range")
            default = array.fill(
                dims=array.shape(ids),
                value=math.cast(self.default_value, dtypes.int64),
                name="default_values",
            )
            ids = selection.where_v2(is_outside, default, ids)
        return SparseTensor(entries.indices, ids, entries.dense_shape)


class WeightedCategoricalColumn(
    CategoricalColumn, namedtuple("WeightedCategoricalColumn", "categorical_column weight_feature_key dtype")
):
    """The ids of another column with weights from a feature of their own."""

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_weighted_by_{self.weight_feature_key}"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        spec = self.categorical_column.parse_example_spec
        key = self.weight_feature_key
        if key in spec:
            raise ValueError(error_text(f"Parse config {spec[key]} already exists for {key}."))
        return {**spec, key: VarLenFeature(self.dtype)}

    @property
    def num_buckets(self) -> int:  # type: ignore[override]
        return self.categorical_column.num_buckets

    def transform(self, values: Any) -> IdsAndWeights:
        weights = sparse.convert_to_tensor_or_sparse_tensor(values.get(self.weight_feature_key))
        if self.dtype != weights.dtype.base_dtype:
            raise ValueError(error_text(f"Bad dtype, expected {self.dtype}, but got {weights.dtype}."))
        if not isinstance(weights, SparseTensor):
            weights = as_sparse_ids(weights, missing=0.0)
        if not weights.dtype.is_floating:
            weights = math.cast(weights, dtypes.float32)
        return IdsAndWeights(values.get(self.categorical_column), weights)

    def ids_and_weights(self, values: Any) -> IdsAndWeights:
        return values.get(self)


class CrossedColumn(CategoricalColumn, namedtuple("CrossedColumn", "keys hash_bucket_size hash_key")):
    """Ids are hashes of the combinations of several features' entries in an example."""

    @property
    def name(self) -> str:
        return "_X_".join(sorted(key if isinstance(key, str) else key.name for key in self._leaves()))

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {}
        for key in self.keys:
            spec.update(
                {key: VarLenFeature(dtypes.string)} if isinstance(key, str) else key.parse_example_spec
            )
        return spec

    @property
    def num_buckets(self) -> int:  # type: ignore[override]
        return self.hash_bucket_size

    def _leaves(self) -> Iterator[Any]:
        """The features and columns that are crossed; a crossed column stands for its own."""
        for key in self.keys:
            if isinstance(key, CrossedColumn):
                yield from key._leaves()
            else:
                yield key

    def transform(self, values: Any) -> SparseTensor:
        crossed = []
        for key in self._leaves():
            if isinstance(key, str):
                crossed.append(values.get(key))
                continue
            ids, weights = key.ids_and_weights(values)
            if weights is not None:
                raise ValueError(
                    error_text(
                        "crossed_column does not support weight_tensor, but the given column populates weight_tensor. "
                        f"Given column: {key.name}"
                    )
                )
            crossed.append(ids)
        return cross_hashed(crossed, num_buckets=self.hash_bucket_size, hash_key=self.hash_key)


# -- functions ---------------------------------------------------------------------------------------------------------


def categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: int, dtype: Any = dtypes.string
) -> HashedCategoricalColumn:
    """Ids below hash_bucket_size, which are hashes of the feature's strings or integers.

    Raises: ValueError for a size below 1, or another dtype.
    """
    if hash_bucket_size is None:
        raise ValueError(error_text(f"hash_bucket_size must be set. key: {key}"))
    if hash_bucket_size < 1:
        raise ValueError(
            error_text(
                f"hash_bucket_size must be at least 1. hash_bucket_size: {hash_bucket_size}, key: {key}"
            )
        )
    checked_key(key)
    check_string_or_integer(dtype, f"column_name: {key}")
    return HashedCategoricalColumn(key, hash_bucket_size, dtype)


def categorical_column_with_vocabulary_file(
    key: str,
    vocabulary_file: str,
    vocabulary_size: int | None = None,
    num_oov_buckets: int = 0,
    default_value: int | None = None,
    dtype: Any = dtypes.string,
) -> VocabularyFileCategoricalColumn:
    """Ids are numbers of lines in a file. Entries that are in no line have default_value (-1, no id), or one of
    num_oov_buckets ids more.

    Raises: ValueError for no file, fewer than one line, or both of the last two arguments.
    """
    if not vocabulary_file:
        raise ValueError(error_text(f"Missing vocabulary_file in {key}."))
    if vocabulary_size is None:
        if not gfile.exists(vocabulary_file):
            raise ValueError(error_text(f"vocabulary_file in {key} does not exist."))
        with gfile.File(vocabulary_file) as file:
            vocabulary_size = sum(1 for _ in file)
        log.info(
            f"vocabulary_size = {vocabulary_size} in {key} is inferred from the number of elements in the vocabulary_file "
            f"{vocabulary_file}."
        )
    if vocabulary_size < 1:
        raise ValueError(error_text(f"Invalid vocabulary_size in {key}."))
    _check_buckets(key, num_oov_buckets, default_value is not None)
    check_string_or_integer(dtype, f"column_name: {key}")
    return VocabularyFileCategoricalColumn(
        checked_key(key), vocabulary_file, vocabulary_size, num_oov_buckets or 0, dtype=dtype,
        default_value=-1 if default_value is None else default_value,
    )  # fmt: skip


def categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Any, dtype: Any = None, default_value: int = -1, num_oov_buckets: int = 0
) -> VocabularyListCategoricalColumn:
    """Ids are places in a list of strings or integers. Other entries have default_value (-1, no id), or one of
    num_oov_buckets ids more.

    Raises: ValueError for an empty list, one with duplicates, or both of the last two arguments.
    """
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(
            error_text(f"vocabulary_list {vocabulary_list} must be non-empty, column_name: {key}")
        )
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(
            error_text(f"Duplicate keys in vocabulary_list {vocabulary_list}, column_name: {key}")
        )
    kind = dtypes.as_dtype(np.array(vocabulary_list).dtype)
    _check_buckets(key, num_oov_buckets, default_value != -1)
    check_string_or_integer(kind, f"column_name: {key} vocabulary")
    if dtype is None:
        dtype = kind
    elif dtype.is_integer != kind.is_integer:
        raise ValueError(
            error_text(f"dtype {dtype} and vocabulary dtype {kind} do not match, column_name: {key}")
        )
    check_string_or_integer(dtype, f"column_name: {key}")
    return VocabularyListCategoricalColumn(
        checked_key(key), tuple(vocabulary_list), dtype, default_value, num_oov_buckets
    )


def _check_buckets(key: str, num_oov_buckets: int, has_default: bool) -> None:
    if num_oov_buckets and has_default:
        raise ValueError(error_text(f"Can't specify both num_oov_buckets and default_value in {key}."))
    if num_oov_buckets and num_oov_buckets < 0:
        raise ValueError(error_text(f"Invalid num_oov_buckets {num_oov_buckets} in {key}."))


def categorical_column_with_identity(
    key: str, num_buckets: int, default_value: int | None = None
) -> IdentityCategoricalColumn:
    """Ids are the feature's integers, from 0 to below num_buckets; others have default_value, or fail in the run.

    Raises: ValueError for fewer than one bucket, or a default that is none of them.
    """
    if num_buckets < 1:
        raise ValueError(error_text(f"num_buckets {num_buckets} < 1, column_name {key}"))
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(
            error_text(f"default_value {default_value} not in range [0, {num_buckets}), column_name {key}")
        )
    return IdentityCategoricalColumn(checked_key(key), num_buckets, default_value)


def weighted_categorical_column(
    categorical_column: CategoricalColumn, weight_feature_key: str, dtype: Any = dtypes.float32
) -> WeightedCategoricalColumn:
    """The ids of a column with weights: the feature weight_feature_key has one for each entry.

    Raises: ValueError for a dtype that is no number's.
    """
    if dtype is None or not (dtype.is_integer or dtype.is_floating):
        raise ValueError(error_text(f"dtype {dtype} is not convertible to float."))
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, dtype)


def crossed_column(keys: Any, hash_bucket_size: int, hash_key: int | None = None) -> CrossedColumn:
    """Ids below hash_bucket_size, which are hashes of the combinations of the features' and columns' entries.

    Raises: ValueError for fewer than two keys, a size below 1, or what cannot be crossed.
    """
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError(error_text(f"hash_bucket_size must be > 1. hash_bucket_size: {hash_bucket_size}"))
    if not keys or len(keys) < 2:
        raise ValueError(error_text(f"keys must be a list with length > 1. Given: {keys}"))
    for key in keys:
        if not isinstance(key, (str, CategoricalColumn)):
            raise ValueError(
                error_text(
                    "Unsupported key type. All keys must be either string, or categorical column except "
                    f"HashedCategoricalColumn. Given: {key}"
                )
            )
        if isinstance(key, HashedCategoricalColumn):
            raise ValueError(
                error_text(
                    "categorical_column_with_hash_bucket is not supported for crossing. Hashing before crossing will increase "
                    f"probability of collision. Instead, use the feature name as a string. Given: {key}"
                )
            )
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)


__all__ = [
    "CrossedColumn", "HashedCategoricalColumn", "IdentityCategoricalColumn", "VocabularyFileCategoricalColumn",
    "VocabularyListCategoricalColumn", "WeightedCategoricalColumn", "categorical_column_with_hash_bucket",
    "categorical_column_with_identity", "categorical_column_with_vocabulary_file",
    "categorical_column_with_vocabulary_list", "crossed_column", "weighted_categorical_column",
]  # fmt: skip
