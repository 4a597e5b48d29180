"""Feature columns as data, for the configurations of layers. No state.

column_as_data(numeric_column("age"))     # {"class_name": "NumericColumn", "config": {"key": "age", "shape": (1,), …}}
"""

from __future__ import annotations

from typing import Any

from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...lib.framework import nest
from ..keras_layers.identifiers import initializer_named
from ..keras_parts.keras_objects import deserialize_keras_object, serialize_keras_object
from .categorical_columns import (
    CrossedColumn,
    HashedCategoricalColumn,
    IdentityCategoricalColumn,
    VocabularyFileCategoricalColumn,
    VocabularyListCategoricalColumn,
    WeightedCategoricalColumn,
)
from .column_base import FeatureColumn
from .columns_of_ids import EmbeddingColumn, IndicatorColumn
from .numeric_columns import BucketizedColumn, NumericColumn
from .sequence_columns import SequenceCategoricalColumn, SequenceNumericColumn

_KINDS = {
    kind.__name__: kind
    for kind in (
        BucketizedColumn, CrossedColumn, EmbeddingColumn, HashedCategoricalColumn, IdentityCategoricalColumn, IndicatorColumn,
        NumericColumn, SequenceCategoricalColumn, SequenceNumericColumn, VocabularyFileCategoricalColumn,
        VocabularyListCategoricalColumn, WeightedCategoricalColumn,
    )
}  # fmt: skip
_FUNCTIONS = ("normalizer_fn", "initializer")


def column_as_data(column: Any) -> Any:
    """Class name and configuration of a column; a feature's name stays.

    Raises: ValueError for what is neither.
    """
    if isinstance(column, str):
        return column
    if not isinstance(column, FeatureColumn):
        raise ValueError(error_text(f"Instance: {column} is not a FeatureColumn"))
    return {
        "class_name": type(column).__name__,
        "config": {field: _field_as_data(field, value) for field, value in zip(column._fields, column)},
    }


def _field_as_data(field: str, value: Any) -> Any:
    if field in _FUNCTIONS:
        return serialize_keras_object(value)
    if isinstance(value, DType):
        return value.name
    if isinstance(value, FeatureColumn):
        return column_as_data(value)
    if field == "keys":
        return tuple(map(column_as_data, value))
    return value


def column_from(data: Any, custom_objects: Any = None) -> Any:
    """The column of a configuration; a feature's name stays. custom_objects: the program's own columns and functions by name.

    Raises: ValueError for an unknown class and for wrong fields.
    """
    if isinstance(data, str):
        return data
    kinds = {**_KINDS, **(custom_objects or {})}
    if data["class_name"] not in kinds:
        raise ValueError(
            error_text(
                f"Unknown feature_column: {data['class_name']}", fix=f"one of {', '.join(sorted(kinds))}"
            )
        )
    kind, config = kinds[data["class_name"]], data["config"]
    if set(config) != set(kind._fields):
        raise ValueError(error_text(f"Invalid config: {config}, expected keys: {kind._fields}"))
    return kind(**{field: _field_from(field, value, custom_objects) for field, value in config.items()})


def _field_from(field: str, value: Any, custom_objects: Any) -> Any:
    if value is None:
        return None
    if field == "normalizer_fn":
        return deserialize_keras_object(
            value, custom_objects=custom_objects, printable_module_name="normalizer_fn"
        )
    if field == "initializer":
        return initializer_named(value)
    if field == "dtype":
        return as_dtype(value)
    if field == "keys":
        return tuple(column_from(each, custom_objects) for each in value)
    if field in ("source_column", "categorical_column"):
        return column_from(value, custom_objects)
    return _as_tuples(value)


def _as_tuples(value: Any) -> Any:
    """Lists, which JSON has made of tuples, as tuples."""
    return tuple(map(_as_tuples, value)) if nest.is_nested(value) else value


__all__ = ["column_as_data", "column_from"]
