"""Columns of sequences: `sequence_numeric_column` and the `sequence_categorical_column_with_…` functions. No state."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...base import dtypes
from ...base.shapes import TensorShape
from ...data.parsing.features import VarLenFeature
from ...lib.arrays import array
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math
from ...lib.math.reductions import reduce_prod, segment_max
from ...lib.sparse import sparse
from .categorical_columns import (
    categorical_column_with_hash_bucket,
    categorical_column_with_identity,
    categorical_column_with_vocabulary_file,
    categorical_column_with_vocabulary_list,
)
from .column_base import (
    CategoricalColumn,
    DenseAndLengths,
    IdsAndWeights,
    SequenceDenseColumn,
    check_numeric,
    checked_shape,
)


def sequence_lengths(entries: Any, per_step: int = 1) -> Any:
    """The number of steps of each example [n], from sparse entries [n, k, ...]. per_step: how many entries make a step."""
    with name_scope(None, "sequence_length") as scope:
        rows, places = entries.indices[:, 0], entries.indices[:, 1]
        places += array.ones_like(places)
        lengths: Any = segment_max(places, segment_ids=rows)
        lengths = math.cast(math.ceil(lengths / per_step), dtypes.int64)
        behind = array.shape(entries)[:1] - array.shape(lengths)[:1]
        return array.concat([lengths, array.zeros(behind, dtype=lengths.dtype)], axis=0, name=scope)


class SequenceCategoricalColumn(
    CategoricalColumn, namedtuple("SequenceCategoricalColumn", "categorical_column")
):
    """The ids of a categorical column in each step: [n, steps, k]."""

    @property
    def name(self) -> str:
        return self.categorical_column.name

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return self.categorical_column.parse_example_spec

    @property
    def num_buckets(self) -> int:  # type: ignore[override]
        return self.categorical_column.num_buckets

    def transform(self, values: Any) -> Any:
        return self.categorical_column.transform(values)

    def ids_and_weights(self, values: Any) -> IdsAndWeights:
        ids, weights = self.categorical_column.ids_and_weights(values)
        sizes = array.shape(ids)
        shape = [sizes[0], sizes[1], reduce_prod(sizes[2:])]
        ids = sparse.reshape(ids, shape)
        return IdsAndWeights(ids, None if weights is None else sparse.reshape(weights, shape))


class SequenceNumericColumn(
    SequenceDenseColumn, namedtuple("SequenceNumericColumn", "key shape default_value dtype normalizer_fn")
):
    """Numbers in each step: [n, steps, *shape], with default_value behind a shorter sequence."""

    for_functions = False

    @property
    def name(self) -> str:
        return self.key

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: VarLenFeature(self.dtype)}

    @property
    def variable_shape(self) -> TensorShape:
        """The shape of one step's value."""
        return TensorShape(self.shape)

    def transform(self, values: Any) -> Any:
        feature = values.get(self.key)
        return feature if self.normalizer_fn is None else self.normalizer_fn(feature)

    def sequence_tensor(self, values: Any) -> DenseAndLengths:
        entries = values.get(self)
        dense = sparse.to_dense(entries, default_value=self.default_value)
        shape = array.concat([array.shape(dense)[:1], [-1], list(self.shape)], axis=0)
        dense = array.reshape(dense, shape=shape)
        per_step = self.variable_shape.num_elements() if entries.shape.ndims == 2 else 1
        return DenseAndLengths(dense, sequence_lengths(entries, per_step))


# -- functions ---------------------------------------------------------------------------------------------------------


def sequence_categorical_column_with_identity(
    key: str, num_buckets: int, default_value: int | None = None
) -> SequenceCategoricalColumn:
    """`categorical_column_with_identity` in each step of a sequence. Raises: as that."""
    return SequenceCategoricalColumn(categorical_column_with_identity(key, num_buckets, default_value))


def sequence_categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: int, dtype: Any = dtypes.string
) -> SequenceCategoricalColumn:
    """`categorical_column_with_hash_bucket` in each step of a sequence. Raises: as that."""
    return SequenceCategoricalColumn(categorical_column_with_hash_bucket(key, hash_bucket_size, dtype))


def sequence_categorical_column_with_vocabulary_file(
    key: str,
    vocabulary_file: str,
    vocabulary_size: int | None = None,
    num_oov_buckets: int = 0,
    default_value: int | None = None,
    dtype: Any = dtypes.string,
) -> SequenceCategoricalColumn:
    """`categorical_column_with_vocabulary_file` in each step of a sequence. Raises: as that."""
    return SequenceCategoricalColumn(
        categorical_column_with_vocabulary_file(
            key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype
        )
    )


def sequence_categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Any, dtype: Any = None, default_value: int = -1, num_oov_buckets: int = 0
) -> SequenceCategoricalColumn:
    """`categorical_column_with_vocabulary_list` in each step of a sequence. Raises: as that."""
    return SequenceCategoricalColumn(
        categorical_column_with_vocabulary_list(key, vocabulary_list, dtype, default_value, num_oov_buckets)
    )


def sequence_numeric_column(
    key: str,
    shape: Any = (1,),
    default_value: Any = 0.0,
    dtype: Any = dtypes.float32,
    normalizer_fn: Any = None,
) -> SequenceNumericColumn:
    """Numbers in each step of a sequence: sparse [n, k] -> [n, steps, *shape]; default_value stands behind shorter ones.

    Raises: TypeError and ValueError for a shape or dtype that do not fit.
    """
    sizes = checked_shape(shape, key)
    check_numeric(dtype, key, normalizer_fn)
    return SequenceNumericColumn(key, sizes, default_value, dtype, normalizer_fn)


__all__ = [
    "SequenceCategoricalColumn", "SequenceNumericColumn", "sequence_categorical_column_with_hash_bucket",
    "sequence_categorical_column_with_identity", "sequence_categorical_column_with_vocabulary_file",
    "sequence_categorical_column_with_vocabulary_list", "sequence_lengths", "sequence_numeric_column",
]  # fmt: skip
