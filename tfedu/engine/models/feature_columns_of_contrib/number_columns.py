"""Columns of numbers of `tf.contrib.layers`: `real_valued_column`, `bucketized_column`. No state."""

from __future__ import annotations

import itertools
from collections import namedtuple
from typing import Any

from ...base import dtypes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...data.parsing.features import FixedLenFeature
from ...lib.arrays import array
from ...lib.arrays.constructors import one_hot
from ...lib.arrays.sequences import range
from ...lib.math import math
from ...op.composites import SparseTensor
from ...ops.counting import bucketize
from ..feature_columns.column_base import CategoricalColumn, DenseColumn, IdsAndWeights
from .older_columns import Lookup, OlderColumn, Tables, of_rank


class _RealValuedColumn(
    OlderColumn, DenseColumn, namedtuple("_RealValuedColumn", "column_name dimension default_value dtype normalizer")
):
    """A feature of numbers [n, dimension]."""

    functions = ("normalizer",)

    @property
    def name(self) -> str:
        return self.column_name

    @property
    def config(self) -> dict[str, Any]:
        default = None if self.default_value is None else list(self.default_value)
        return {self.column_name: FixedLenFeature([self.dimension], self.dtype, default)}

    @property
    def normalizer_fn(self) -> Any:
        """The function that is called with the feature; None for none."""
        return self.normalizer

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def transform(self, values: Any) -> Any:
        feature = values.get(self.column_name)
        return math.cast(feature if self.normalizer is None else self.normalizer(feature), dtypes.float32)

    def as_input(self, value: Any, tables: Tables, rank: int = 2) -> Any:
        return of_rank(value, rank, self.name)

    def numbers(self, value: Any) -> Any:
        return value


class _BucketizedColumn(
    OlderColumn, CategoricalColumn, DenseColumn, namedtuple("_BucketizedColumn", "source_column boundaries")
):
    """The number of the interval between boundaries that each number is in: dense as one-hot vectors, sparse as ids."""

    @property
    def name(self) -> str:
        return f"{self.source_column.name}_bucketized"

    @property
    def length(self) -> int:
        """The number of intervals."""
        return len(self.boundaries) + 1

    @property
    def config(self) -> dict[str, Any]:
        return self.source_column.config

    @property
    def num_buckets(self) -> int:
        return self.length * self.source_column.dimension

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.num_buckets])

    def transform(self, values: Any) -> Any:
        return bucketize(values.get(self.source_column), boundaries=list(self.boundaries), name="bucketize")

    def dense_tensor(self, values: Any) -> Any:
        return self.as_input(values.get(self), values.weights_of)

    def ids_and_weights(self, values: Any) -> IdsAndWeights:
        return IdsAndWeights(self.to_sparse_tensor(values.get(self)))

    def as_input(self, value: Any, tables: Tables, rank: int = 2) -> Any:
        if rank != 2:
            raise ValueError(error_text("BucketizedColumn currently only supports output_rank=2"))
        ones = one_hot(math.cast(value, dtypes.int64), self.length, 1.0, 0.0, name="one_hot")
        return array.reshape(ones, [-1, self.num_buckets], name="reshape")

    def lookup(self, value: Any) -> Lookup:
        return Lookup(self.to_sparse_tensor(value), None, self.num_buckets, "sum")

    def to_sparse_tensor(self, input_tensor: Any) -> SparseTensor:
        """The intervals [n, dimension] as ids, which are different for each of the numbers of an example."""
        width = self.source_column.dimension
        batch_size = array.shape(input_tensor, name="shape")[0]
        if width > 1:
            rows = array.expand_dims(range(0, batch_size), 1, name="expand_dims")
            rows = array.reshape(array.tile(rows, [1, width], name="tile"), [-1], name="reshape")
            columns = array.tile(range(0, width), [batch_size], name="tile")
            ids = array.reshape(input_tensor, [-1], name="reshape") + self.length * columns
        else:
            rows = range(0, batch_size)
            columns = array.zeros([batch_size], dtype=dtypes.int32, name="zeros")
            ids = array.reshape(input_tensor, [-1], name="reshape")
        indices = math.cast(array.transpose(array.stack((rows, columns))), dtypes.int64)
        return SparseTensor(indices, ids, math.cast(array.stack([batch_size, width]), dtypes.int64))


# -- functions ---------------------------------------------------------------------------------------------------------


def real_valued_column(
    column_name: str,
    dimension: int = 1,
    default_value: Any = None,
    dtype: DType = dtypes.float32,
    normalizer: Any = None,
) -> _RealValuedColumn:
    """A feature of numbers [n, dimension]. default_value: for Examples without it; normalizer: from the tensor to another.

    Raises: TypeError for a dimension that is no int and a default that the dtype cannot hold; ValueError for a dimension below
    1, a dtype of no numbers, a list of defaults of another length.
    """
    told = f"dimension: {dimension}, column_name: {column_name}"
    if dimension is None:
        raise TypeError(
            error_text(
                "dimension must be an integer. Use the _real_valued_var_len_column for variable length features." + told,
                fix="give the number of values of an example",
            )
        )
    if not isinstance(dimension, int):
        raise TypeError(error_text(f"dimension must be an integer. {told}"))
    if dimension < 1:
        raise ValueError(error_text(f"dimension must be greater than 0. {told}"))
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(error_text(f"dtype must be convertible to float. dtype: {dtype}, column_name: {column_name}"))
    default = _checked_default(default_value, dimension, dtype, column_name)
    return _RealValuedColumn(column_name, dimension, default, dtype, normalizer)


def _checked_default(default: Any, dimension: int, dtype: DType, name: str) -> tuple[Any, ...] | None:
    """The default as a tuple of that length; None for no default."""
    if default is None:
        return None
    if isinstance(default, list) and len(default) != dimension:
        raise ValueError(
            error_text(
                f"The length of default_value must be equal to dimension. default_value: {default}, dimension: {dimension}, "
                f"column_name: {name}"
            )
        )
    numbers = default if isinstance(default, list) else [default] * dimension
    if dtype.is_integer and all(isinstance(number, int) for number in numbers):
        return tuple(numbers)
    if dtype.is_floating and all(isinstance(number, (int, float)) for number in numbers):
        return tuple(map(float, numbers))
    raise TypeError(
        error_text(f"default_value must be compatible with dtype. default_value: {default}, dtype: {dtype}, column_name: {name}")
    )


def bucketized_column(source_column: _RealValuedColumn, boundaries: Any) -> _BucketizedColumn:
    """The interval of each number: below boundaries[0], from boundaries[0] to below boundaries[1], ….

    Raises: TypeError for another column; ValueError for no boundaries, and for boundaries that fall.
    """
    if not isinstance(source_column, _RealValuedColumn):
        raise TypeError(
            error_text(f"source_column must be an instance of _RealValuedColumn. source_column: {source_column}")
        )
    if not isinstance(boundaries, (list, tuple)) or not boundaries:
        raise ValueError(error_text(f"boundaries must be a non-empty list or tuple. boundaries: {boundaries}"))
    if any(a > b for a, b in itertools.pairwise(boundaries)):
        raise ValueError(error_text(f"boundaries must be a sorted list. boundaries: {boundaries}"))
    return _BucketizedColumn(source_column, tuple(dict.fromkeys(boundaries)))


__all__ = ["bucketized_column", "real_valued_column"]
