"""What a program expects of a feature: `FixedLenFeature([2], tf.int64)`, `VarLenFeature(tf.string)`, and others.

`Raw.of(features)` sorts a dict of them into the lists that the ops take.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...base.shapes import TensorShape


class FixedLenFeature(NamedTuple):
    """A feature of `shape` in each example. default_value: for examples without it; None: it is required."""

    shape: Any
    dtype: Any
    default_value: Any = None


class FixedLenSequenceFeature(NamedTuple):
    """A feature of any number of rows of `shape`; a shorter one is filled up with `default_value`. allow_missing: there may be
    none."""

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


class VarLenFeature(NamedTuple):
    """A feature of any number of values, as a SparseTensor."""

    dtype: Any


class SparseFeature(NamedTuple):
    """A sparse tensor [size, …] of two features: the indices, `index_key`, one or several, and the values, `value_key`."""

    index_key: Any
    value_key: str
    dtype: Any
    size: Any
    already_sorted: bool = False


@dataclass
class Raw:
    """The lists that the ops take: the keys and dtypes of sparse features; of dense ones also the shapes, and defaults by key."""

    sparse_keys: list[str] = field(default_factory=list)
    sparse_types: list[DType] = field(default_factory=list)
    dense_keys: list[str] = field(default_factory=list)
    dense_types: list[DType] = field(default_factory=list)
    dense_shapes: list[TensorShape] = field(default_factory=list)
    defaults: dict[str, Any] = field(default_factory=dict)
    may_miss: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, features: Mapping[str, Any] | None, *kinds: type, in_list: bool = False) -> Raw:
        """The lists for a dict of features of these kinds. in_list: they are those of feature lists.

        Raises: ValueError for what is no feature, of another kind, or incomplete.
        """
        raw = cls()
        for key in sorted(features or {}):
            feature = (features or {})[key]
            if not isinstance(feature, _KINDS):
                raise ValueError(error_text(f"Invalid feature {key}:{feature}."))
            if not isinstance(feature, kinds):
                raise ValueError(error_text(f"Unsupported {type(feature).__name__} {feature}."))
            raw._add(key, feature, in_list)
        return raw

    def _add(self, key: str, feature: Any, in_list: bool) -> None:
        if isinstance(feature, VarLenFeature):
            if not feature.dtype:
                raise ValueError(error_text(f"Missing type for feature {key}."))
            self._add_sparse(key, feature.dtype)
        elif isinstance(feature, SparseFeature):
            self._add_pair(key, feature)
        else:
            self._add_dense(key, feature, in_list)

    def _add_sparse(self, key: str, dtype: Any) -> None:
        kind = as_dtype(dtype)
        if key in self.sparse_keys:
            known = self.sparse_types[self.sparse_keys.index(key)]
            if known is not kind:
                raise ValueError(error_text(f"Conflicting type {kind} vs {known} for feature {key}."))
            return
        self.sparse_keys.append(key)
        self.sparse_types.append(kind)

    def _add_pair(self, key: str, feature: SparseFeature) -> None:
        for name in ("index_key", "value_key"):
            if not getattr(feature, name):
                raise ValueError(error_text(f"Missing {name} for SparseFeature {feature}."))
        for index in [feature.index_key] if isinstance(feature.index_key, str) else sorted(feature.index_key):
            self._add_sparse(index, "int64")
        if not feature.dtype:
            raise ValueError(error_text(f"Missing type for feature {key}."))
        self._add_sparse(feature.value_key, feature.dtype)

    def _add_dense(self, key: str, feature: Any, in_list: bool) -> None:
        if not feature.dtype:
            raise ValueError(error_text(f"Missing type for feature {key}."))
        if feature.shape is None:
            raise ValueError(error_text(f"Missing shape for feature {key}."))
        shape = TensorShape(feature.shape)
        if isinstance(feature, FixedLenFeature):
            if shape.ndims and shape.as_list()[0] is None:
                text = f"First dimension of shape for feature {key} unknown. Consider using FixedLenSequenceFeature."
                raise ValueError(error_text(text))
            if not shape.is_fully_defined():
                text = f"All dimensions of shape for feature {key} need to be known but received {shape!s}."
                raise ValueError(error_text(text))
        elif in_list:
            if feature.allow_missing:
                self.may_miss.append(key)
        else:
            if not feature.allow_missing:
                raise ValueError(error_text("Unsupported: FixedLenSequenceFeature requires allow_missing to be True."))
            shape = TensorShape([None]).concatenate(shape)
        self.dense_keys.append(key)
        self.dense_types.append(as_dtype(feature.dtype))
        self.dense_shapes.append(shape)
        if feature.default_value is not None:
            self.defaults[key] = feature.default_value


_KINDS = (FixedLenFeature, FixedLenSequenceFeature, VarLenFeature, SparseFeature)

__all__ = ["FixedLenFeature", "FixedLenSequenceFeature", "Raw", "SparseFeature", "VarLenFeature"]
