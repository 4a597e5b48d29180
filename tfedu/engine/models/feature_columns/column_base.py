"""What a feature column is: a value that says how features become numbers for a model.

A dense column gives a tensor [n, ...], a categorical one sparse ids [n, k] and their weights; a sequence column gives one of
these for each step. A column makes nodes only when `FeatureValues` asks it to. No state.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...base.dtypes import DType, string
from ...base.errors import error_text
from ...base.shapes import TensorShape, dimension_at_index
from ...lib.framework import nest
from ...lib.sparse.composite_values import SparseTensor


class FeatureColumn:
    """A column; each kind is a named tuple of what the program said."""

    # whether input_layer and linear_model take the column, and whether DenseFeatures and SequenceFeatures do
    for_functions = True
    for_layers = True

    @property
    def name(self) -> str:
        """The name, from that of the feature: `age`, `age_bucketized`."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define name"))

    @property
    def scope_name(self) -> str:
        """The name of the variable scope in `input_layer`."""
        return self.name

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """The features of an Example that the column needs, for `tf.parse_example`."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define parse_example_spec"))

    def transform(self, values: Any) -> Any:
        """What the column makes of the features, once for all columns that use it."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define transform"))

    def __lt__(self, other: Any) -> bool:
        """By the text, so that columns and names can be sorted."""
        return str(self) < str(other)

    def __gt__(self, other: Any) -> bool:
        return str(self) > str(other)


class DenseColumn(FeatureColumn):
    """A column whose value is a tensor [n, ...] of float32."""

    @property
    def variable_shape(self) -> TensorShape:
        """The shape of one example's value."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define variable_shape"))

    def dense_tensor(self, values: Any) -> Any:
        """The value [n, ...]."""
        return values.get(self)

    @property
    def element_count(self) -> int:
        """The number of elements of one example's value."""
        return math.prod(self.variable_shape.as_list())


class IdsAndWeights(NamedTuple):
    """Sparse ids [n, k] and their weights; no weights: all 1."""

    ids: SparseTensor
    weights: Any = None


class CategoricalColumn(FeatureColumn):
    """A column whose value is sparse ids [n, k], from 0 to below num_buckets; -1 is no id."""

    num_buckets: int

    def ids_and_weights(self, values: Any) -> IdsAndWeights:
        """The ids of the features, and their weights."""
        return IdsAndWeights(values.get(self))


class DenseAndLengths(NamedTuple):
    """The values of the steps [n, steps, ...] and the number of steps of each example [n]."""

    dense: Any
    lengths: Any


class SequenceDenseColumn(FeatureColumn):
    """A column that gives a tensor [n, steps, ...] for sequences."""

    def sequence_tensor(self, values: Any) -> DenseAndLengths:
        """The values of the steps, and the sequences' lengths."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define sequence_tensor"))


# -- checks ------------------------------------------------------------------------------------------------------------


def checked_key(key: Any) -> str:
    """Raises: ValueError for a key that is no string."""
    if not isinstance(key, str):
        raise ValueError(error_text(f"key must be a string. Got: type {type(key)}. Given key: {key}."))
    return key


def check_string_or_integer(dtype: DType, prefix: str) -> None:
    """Raises: ValueError for any other dtype."""
    if dtype != string and not dtype.is_integer:
        raise ValueError(error_text(f"{prefix} dtype must be string or integer. dtype: {dtype}."))


def checked_shape(shape: Any, key: str) -> tuple[int, ...]:
    """The shape of one example's feature.

    Raises: TypeError and ValueError for sizes that are not integers above 0.
    """
    sizes = tuple(shape) if nest.is_nested(shape) else (shape,)
    for size in sizes:
        if not isinstance(size, int):
            raise TypeError(error_text(f"shape dimensions must be integer. shape: {sizes}, key: {key}"))
        if size < 1:
            raise ValueError(
                error_text(f"shape dimensions must be greater than 0. shape: {sizes}, key: {key}")
            )
    return sizes


def check_numeric(dtype: DType, key: str, normalizer_fn: Any) -> None:
    """Raises: ValueError for a dtype that is no number's, TypeError for a normalizer that is no function."""
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(error_text(f"dtype must be convertible to float. dtype: {dtype}, key: {key}"))
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(error_text(f"normalizer_fn must be a callable. Given: {normalizer_fn}"))


def normalized(columns: Any, of_functions: bool) -> list[Any]:
    """The columns of a call, sorted by name. of_functions: for `input_layer` and `linear_model`, not for layers.

    Raises: ValueError for what is no column, for none, and for two of one name.
    """
    allowed = "for_functions" if of_functions else "for_layers"
    kind = "_FeatureColumn" if of_functions else "FeatureColumn"
    if isinstance(columns, FeatureColumn):
        columns = [columns]
    if isinstance(columns, collections.abc.Iterator):
        columns = list(columns)
    if isinstance(columns, dict):
        raise ValueError(error_text("Expected feature_columns to be iterable, found dict."))
    found: dict[str, Any] = {}
    for column in columns:
        if not getattr(column, allowed, False):
            raise ValueError(
                error_text(
                    f"Items of feature_columns must be a {kind}. Given (type {type(column)}): {column}."
                )
            )
    if not columns:
        raise ValueError(error_text("feature_columns must not be empty."))
    for column in columns:
        if column.name in found:
            raise ValueError(
                error_text(
                    f"Duplicate feature column name found for columns: {column} and {found[column.name]}. This usually means "
                    "that these columns refer to same base feature. Either one must be discarded or a duplicated but renamed "
                    "item must be inserted in features dict."
                )
            )
        found[column.name] = column
    return sorted(columns, key=lambda column: column.name)


def check_batch_sizes(tensors: Iterable[Any], columns: Iterable[Any]) -> None:
    """Raises: ValueError for tensors whose first sizes are known to differ."""
    known: Iterator[tuple[str, int]] = (
        (column.name, size)
        for tensor, column in zip(tensors, columns)
        if (size := dimension_at_index(tensor.get_shape(), 0).value) is not None
    )
    first = next(known, None)
    for name, size in known:
        if first is not None and size != first[1]:
            raise ValueError(
                error_text(
                    "Batch size (first dimension) of each feature must be same. Batch size of columns "
                    f"({first[0]}, {name}): ({first[1]}, {size})"
                )
            )


__all__ = [
    "CategoricalColumn", "DenseAndLengths", "DenseColumn", "FeatureColumn", "IdsAndWeights", "SequenceDenseColumn",
    "check_batch_sizes", "check_numeric", "check_string_or_integer", "checked_key", "checked_shape", "normalized",
]  # fmt: skip
