"""What to read from an Example: `FixedLenFeature([28, 28], tf.float32)`, `VarLenFeature(tf.int64)`, …

`Wanted` sorts the features of a program into sparse and dense ones, as the parsing ops take them. No state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ...base import dtypes, log
from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays.array import reshape
from ...lib.sparse.composite_values import SparseTensor
from ...lib.sparse.sparse import merge
from ...op.constant import constant


class VarLenFeature(NamedTuple):
    """A feature with any number of values: a SparseTensor."""

    dtype: Any


class SparseFeature(NamedTuple):
    """A sparse tensor out of features of indices (one, or one for each axis) and a feature of values.

    size: the size of the axis, or of each. already_sorted: the indices are in order.
    """

    index_key: Any
    value_key: Any
    dtype: Any
    size: Any
    already_sorted: bool = False


class FixedLenFeature(NamedTuple):
    """A feature with values for one tensor of a known shape. default_value: for examples without the feature."""

    shape: Any
    dtype: Any
    default_value: Any = None


class FixedLenSequenceFeature(NamedTuple):
    """Any number of values of one shape, one after the other: a dense tensor with one axis more.

    allow_missing: an example without the feature has none. default_value: the padding behind shorter examples of a batch.
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


Kinds = tuple[type, ...]
ALL: Final[Kinds] = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)
CONTEXT: Final[Kinds] = (VarLenFeature, FixedLenFeature)
SEQUENCE: Final[Kinds] = (VarLenFeature, FixedLenSequenceFeature)


class Wanted:
    """Features, sorted into sparse and dense ones, each in the order of the keys.

    Raises: ValueError for a feature that says too little, or is of a kind that is not allowed here.
    """

    def __init__(self, features: Mapping[str, Any] | None, kinds: Kinds) -> None:
        self.sparse: dict[str, Any] = {}  # key -> dtype
        self.dense: dict[str, Any] = {}  # key -> dtype
        self.shapes: list[Any] = []
        self.defaults: dict[str, Any] = {}
        for key in sorted(features or {}):
            feature = features[key]  # type: ignore[index]
            add = _ADD.get(type(feature))
            if add is None:
                raise ValueError(error_text(f"Invalid feature {key}:{feature}.", fix="tf.FixedLenFeature(shape, dtype)"))
            if type(feature) not in kinds:
                raise ValueError(error_text(f"Unsupported {type(feature).__name__} {feature}."))
            add(self, key, feature)

    def check_disjoint(self, dense: str = "Dense", sparse: str = "sparse") -> None:
        """Raises: ValueError when a key is sparse and dense, or there is none."""
        both = set(self.dense) & set(self.sparse)
        if both:
            raise ValueError(error_text(f"{dense} and {sparse} keys must not intersect; intersection: {both}"))

    def _add_sparse(self, key: str, dtype: Any) -> None:
        known = self.sparse.setdefault(key, dtype)
        if known != dtype:
            kind = "int64" if dtype is dtypes.int64 else dtype
            raise ValueError(error_text(f"Conflicting type {known} vs {kind} for feature {key}."))

    def _add_variable(self, key: str, feature: VarLenFeature) -> None:
        _check_type(key, feature)
        self.sparse[key] = feature.dtype

    def _add_indexed(self, key: str, feature: SparseFeature) -> None:
        for part in ("index_key", "value_key"):
            if not getattr(feature, part):
                raise ValueError(error_text(f"Missing {part} for SparseFeature {feature}."))
        _check_type(key, feature)
        index_keys = [feature.index_key] if isinstance(feature.index_key, str) else feature.index_key
        if len(index_keys) > 1:
            log.warning(
                "SparseFeature is a complicated feature config and should only be used after careful consideration of "
                "VarLenFeature."
            )
        for index_key in sorted(index_keys):
            self._add_sparse(index_key, dtypes.int64)
        self._add_sparse(feature.value_key, feature.dtype)

    def _add_dense(self, key: str, feature: Any) -> None:
        _check_type(key, feature)
        if feature.shape is None:
            raise ValueError(error_text(f"Missing shape for feature {key}."))
        self.dense[key] = feature.dtype
        self.shapes.append(feature.shape)
        if feature.default_value is not None:
            self.defaults[key] = feature.default_value

    def _add_fixed(self, key: str, feature: FixedLenFeature) -> None:
        if feature.dtype and feature.shape is not None:
            _check_known(key, feature.shape)
        self._add_dense(key, feature)

    def _add_sequence(self, key: str, feature: FixedLenSequenceFeature) -> None:
        if feature.allow_missing:
            self.defaults[key] = None
        self._add_dense(key, feature)


_ADD: Final[dict[type, Callable[..., None]]] = {
    VarLenFeature: Wanted._add_variable, SparseFeature: Wanted._add_indexed, FixedLenFeature: Wanted._add_fixed,
    FixedLenSequenceFeature: Wanted._add_sequence,
}  # fmt: skip


def _check_type(key: str, feature: Any) -> None:
    if not feature.dtype:
        raise ValueError(error_text(f"Missing type for feature {key}."))


def _check_known(key: str, sizes: Any) -> None:
    shape = as_shape(sizes)
    if sizes and shape.ndims and shape.as_list()[0] is None:
        raise ValueError(
            error_text(f"First dimension of shape for feature {key} unknown. Consider using FixedLenSequenceFeature.")
        )
    if not shape.is_fully_defined():
        raise ValueError(error_text(f"All dimensions of shape for feature {key} need to be known but received {sizes}."))


def with_open_axis(features: Mapping[str, Any]) -> dict[str, Any]:
    """The features, each FixedLenSequenceFeature with an open first size in its shape.

    Raises: ValueError for one that must not be missing.
    """
    found = dict(features)
    for key, feature in features.items():
        if isinstance(feature, FixedLenSequenceFeature):
            if not feature.allow_missing:
                raise ValueError(error_text("Unsupported: FixedLenSequenceFeature requires allow_missing to be True."))
            found[key] = feature._replace(shape=[None, *feature.shape])
    return found


# -- defaults ----------------------------------------------------------------------------------------------------------


def safe_name(key: str) -> str:
    """The key as part of a node's name."""
    return re.sub(r"[^A-Za-z0-9_.\-/]", "_", key)


def default_tensors(wanted: Wanted, shapes: Sequence[TensorShape], in_shape: bool = True) -> list[Tensor]:
    """A default for each dense feature: an empty vector where there is none, a scalar of padding for an open first size.

    in_shape: values that are no tensors get the shape of the feature.
    """
    found = []
    for (key, dtype), shape in zip(wanted.dense.items(), shapes):
        default = wanted.defaults.get(key)
        if shape.ndims and shape.as_list()[0] is None:
            if default is None:
                default = convert_to_tensor("" if dtype == dtypes.string else 0, dtype)
            else:
                default = reshape(convert_to_tensor(default, dtype, name=f"padding_{safe_name(key)}"), [])
        elif default is None:
            default = constant([], dtype)
        elif not isinstance(default, Tensor):
            default = convert_to_tensor(default, dtype, name=f"key_{safe_name(key)}")
            if in_shape:
                default = reshape(default, shape)
        found.append(default)
    return found


# -- what comes back ---------------------------------------------------------------------------------------------------


def tensors_by_key(wanted: Wanted, indices: Any, values: Any, shapes: Any, dense: Any) -> dict[str, Any]:
    """The outputs of a parsing op by the keys of their features."""
    sparse = [SparseTensor(*parts) for parts in zip(indices, values, shapes)]
    return dict(zip([*wanted.sparse, *wanted.dense], [*sparse, *dense]))


def only_wanted(features: Mapping[str, Any], tensors: dict[str, Any]) -> dict[str, Any]:
    """The tensors of these features: the parts of a SparseFeature become one sparse tensor."""
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, SparseFeature):
            keys = feature.index_key
            ids = tensors[keys] if isinstance(keys, str) else [tensors[index_key] for index_key in keys]
            tensors[key] = merge(ids, tensors[feature.value_key], feature.size, already_sorted=feature.already_sorted)
    return {key: tensor for key, tensor in tensors.items() if key in features}


__all__ = [
    "ALL", "CONTEXT", "SEQUENCE", "FixedLenFeature", "FixedLenSequenceFeature", "SparseFeature", "VarLenFeature", "Wanted",
    "default_tensors", "only_wanted", "safe_name", "tensors_by_key", "with_open_axis",
]  # fmt: skip
