"""Columns of numbers: `numeric_column`, `bucketized_column`. No state."""

from __future__ import annotations

import itertools
from collections import namedtuple
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...data.parsing.features import FixedLenFeature
from ...lib.arrays import array
from ...lib.arrays.constructors import one_hot
from ...lib.arrays.sequences import range
from ...lib.framework import nest
from ...lib.math import math
from ...lib.sparse.composite_values import SparseTensor
from ...ops.counting import bucketize
from .column_base import (
    CategoricalColumn,
    DenseColumn,
    IdsAndWeights,
    check_numeric,
    checked_key,
    checked_shape,
)


class NumericColumn(DenseColumn, namedtuple("NumericColumn", "key shape default_value dtype normalizer_fn")):
    """A feature of numbers [n, *shape]."""

    @property
    def name(self) -> str:
        return self.key

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: FixedLenFeature(self.shape, self.dtype, self.default_value)}

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape(self.shape)

    def transform(self, values: Any) -> Any:
        feature = values.get(self.key)
        if isinstance(feature, SparseTensor):
            raise ValueError(
                error_text(
                    "The corresponding Tensor of numerical column must be a Tensor. SparseTensor is not supported. "
                    f"key: {self.key}"
                )
            )
        if self.normalizer_fn is not None:
            feature = self.normalizer_fn(feature)
        return math.cast(feature, dtypes.float32)


class BucketizedColumn(
    DenseColumn, CategoricalColumn, namedtuple("BucketizedColumn", "source_column boundaries")
):
    """The number of the interval between boundaries that each number is in: dense as one-hot vectors, sparse as ids."""

    @property
    def name(self) -> str:
        return f"{self.source_column.name}_bucketized"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return self.source_column.parse_example_spec

    @property
    def _intervals(self) -> int:
        return len(self.boundaries) + 1

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape((*self.source_column.shape, self._intervals))

    @property
    def num_buckets(self) -> int:  # type: ignore[override]
        return self._intervals * self.source_column.shape[0]

    def transform(self, values: Any) -> Any:
        return bucketize(values.get(self.source_column), boundaries=list(self.boundaries))

    def dense_tensor(self, values: Any) -> Any:
        numbers = math.cast(values.get(self), dtypes.int64)
        return one_hot(numbers, depth=self._intervals, on_value=1.0, off_value=0.0)

    def ids_and_weights(self, values: Any) -> IdsAndWeights:
        numbers = values.get(self)
        batch_size, width = array.shape(numbers)[0], self.source_column.shape[0]
        rows = array.reshape(array.tile(array.expand_dims(range(0, batch_size), 1), [1, width]), (-1,))
        columns = array.tile(range(0, width), [batch_size])
        ids = array.reshape(numbers, (-1,)) + self._intervals * columns
        indices = math.cast(array.transpose(array.stack((rows, columns))), dtypes.int64)
        dense_shape = math.cast(array.stack([batch_size, width]), dtypes.int64)
        return IdsAndWeights(SparseTensor(indices, ids, dense_shape))


# -- functions ---------------------------------------------------------------------------------------------------------


def numeric_column(
    key: str,
    shape: Any = (1,),
    default_value: Any = None,
    dtype: Any = dtypes.float32,
    normalizer_fn: Any = None,
) -> NumericColumn:
    """A feature of numbers [n, *shape]. default_value: for Examples without it; normalizer_fn: from the tensor to another.

    Raises: TypeError and ValueError for a shape, dtype or default that do not fit.
    """
    sizes = checked_shape(shape, key)
    check_numeric(dtype, key, None)
    default_value = _checked_default(sizes, default_value, dtype, key)
    check_numeric(dtype, key, normalizer_fn)
    return NumericColumn(checked_key(key), sizes, default_value, dtype, normalizer_fn)


def bucketized_column(source_column: NumericColumn, boundaries: Any) -> BucketizedColumn:
    """The interval of each number: below boundaries[0], from boundaries[0] to below boundaries[1], ….

    Raises: ValueError for another column, one of more than one axis, or boundaries that do not rise.
    """
    if not isinstance(source_column, NumericColumn):
        raise ValueError(
            error_text(
                f"source_column must be a column generated with numeric_column(). Given: {source_column}"
            )
        )
    if len(source_column.shape) > 1:
        raise ValueError(error_text(f"source_column must be one-dimensional column. Given: {source_column}"))
    if not boundaries:
        raise ValueError(error_text("boundaries must not be empty."))
    if not isinstance(boundaries, (list, tuple)) or any(a >= b for a, b in itertools.pairwise(boundaries)):
        raise ValueError(error_text("boundaries must be a sorted list."))
    return BucketizedColumn(source_column, tuple(boundaries))


def _checked_default(shape: tuple[int, ...], default: Any, dtype: Any, key: str) -> Any:
    """The default of a feature as nested tuples of that shape; None for no default.

    Raises: ValueError for another shape, TypeError for numbers that the dtype cannot hold.
    """
    if default is None:
        return None
    if isinstance(default, int) or (isinstance(default, float) and dtype.is_floating):
        return _filled(shape, default)
    default = default.tolist() if hasattr(default, "tolist") else default
    if nest.is_nested(default):
        if not _has_shape(default, shape):
            raise ValueError(
                error_text(
                    "The shape of default_value must be equal to given shape. "
                    f"default_value: {default}, shape: {shape}, key: {key}"
                )
            )
        flat = nest.flatten(default)
        if all(isinstance(value, int) for value in flat):
            return _as_tuples(default)
        if dtype.is_floating and any(isinstance(value, float) for value in flat):
            return _as_tuples(default)
    raise TypeError(
        error_text(
            f"default_value must be compatible with dtype. default_value: {default}, dtype: {dtype}, key: {key}"
        )
    )


def _filled(shape: tuple[int, ...], value: Any) -> Any:
    return (_filled(shape[1:], value),) * shape[0] if shape else value


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if nest.is_nested(value) else value


def _has_shape(value: Any, shape: tuple[int, ...]) -> bool:
    if not (nest.is_nested(value) and shape):
        return not nest.is_nested(value) and not shape
    return len(value) == shape[0] and all(_has_shape(each, shape[1:]) for each in value)


__all__ = ["BucketizedColumn", "NumericColumn", "bucketized_column", "numeric_column"]
