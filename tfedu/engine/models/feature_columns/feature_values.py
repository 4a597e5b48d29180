"""`FeatureValues`: the features of one call, and what the columns made of them.

State: the tensors of each feature and column so far.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.dtypes import int64, string
from ...base.errors import error_text
from ...lib.arrays import array, selection
from ...lib.checks.asserts import assert_positive
from ...lib.control.cond import cond
from ...lib.framework.scope_blocks import control_dependencies, name_scope
from ...lib.math import math
from ...lib.sparse import sparse
from ...lib.sparse.composite_values import SparseTensor
from .column_base import FeatureColumn


class FeatureValues:
    """Features by name, and `weights_of`: a function from a column to the variable that the column looks up."""

    def __init__(self, features: dict[str, Any], weights_of: Callable[[Any], Any]) -> None:
        self._features = dict(features)
        self.weights_of = weights_of
        self._found: dict[Any, Any] = {}

    def get(self, key: Any) -> Any:
        """A feature with its axis of examples and at least one more, or what a column makes of the features.

        Raises: ValueError for a feature that is not there; TypeError for what is neither a name nor a column.
        """
        if key not in self._found:
            self._found[key] = self._feature(key) if key in self._features else self._transformed(key)
        return self._found[key]

    def _transformed(self, key: Any) -> Any:
        if isinstance(key, str):
            raise ValueError(error_text(f"Feature {key} is not in features dictionary."))
        if not isinstance(key, FeatureColumn):
            raise TypeError(error_text(f'"key" must be either a "str" or "_FeatureColumn". Provided: {key}'))
        return key.transform(self)

    def _feature(self, key: Any) -> Any:
        feature = sparse.convert_to_tensor_or_sparse_tensor(self._features[key])
        rank = feature.get_shape().ndims
        no_rank_0 = f"Feature (key: {key}) cannot have rank 0. Given: {feature}"
        if rank is None:
            with control_dependencies([assert_positive(array.rank(feature), message=no_rank_0)]):
                is_vector = math.equal(1, array.rank(feature))
                return cond(is_vector, lambda: _as_column(feature), lambda: feature)
        if rank == 0:
            raise ValueError(error_text(no_rank_0))
        return _as_column(feature) if rank == 1 else feature


def _as_column(feature: Any) -> Any:
    """[n] -> [n, 1]."""
    if isinstance(feature, SparseTensor):
        return sparse.reshape(feature, [array.shape(feature)[0], 1])
    return array.expand_dims(feature, -1)


def as_sparse_ids(feature: Any, missing: Any = None) -> SparseTensor:
    """A feature [n, k] as a sparse tensor, without the elements `missing`: by default -1 for integers, "" for strings."""
    feature = sparse.convert_to_tensor_or_sparse_tensor(feature)
    if isinstance(feature, SparseTensor):
        return feature
    with name_scope(None, "to_sparse_input", (feature, missing)):
        if missing is None:
            missing = (
                ""
                if feature.dtype == string
                else -1
                if feature.dtype.is_integer
                else feature.dtype.as_numpy_dtype()
            )
        ignored = math.cast(missing, feature.dtype, name="ignore_value")
        indices = selection.where_v2(math.not_equal(feature, ignored), name="indices")
        entries = selection.gather_nd(feature, indices, name="values")
        return SparseTensor(indices, entries, array.shape(feature, out_type=int64, name="dense_shape"))


__all__ = ["FeatureValues", "as_sparse_ids"]
