"""The static shapes that loop variables keep in every iteration.

`kept_shapes(value, invariant)` returns one shape for each tensor of `value`; `invariant` comes from the program. No
state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...op.composites import IndexedSlices, SparseTensor
from ..framework.type_specs import IndexedSlicesSpec, TensorSpec, TypeSpec
from .tensor_array_flows import flow_of


def is_as_specific(shape: TensorShape, wanted: TensorShape) -> bool:
    """Whether `shape` is at least as specific as `wanted`: [2, 3] is as specific as [None, 3]."""
    if wanted.raw is None:
        return True
    if shape.raw is None or len(shape.raw) != len(wanted.raw):
        return False
    return all(w is None or w == size for size, w in zip(shape.raw, wanted.raw))


def kept_shapes(value: Any, invariant: Any = None) -> list[TensorShape]:
    """The static shape, such as [None, 3], of each tensor of a loop variable; without an invariant, its present
    shape.

    Raises: TypeError for a spec of another class of values; ValueError for an invariant that is not a shape.
    """
    if isinstance(value, IndexedSlices):
        return _of_slices(value, invariant)
    if isinstance(value, SparseTensor):
        return _of_sparse(value, invariant)
    if hasattr(value, "_kept_shapes"):
        return value._kept_shapes(invariant)  # type: ignore[no-any-return]
    value = flow_of(value)
    if invariant is None:
        return [TensorShape(value.shape if hasattr(value, "shape") else np.shape(value))]
    if isinstance(invariant, TypeSpec):
        # A Python number has no dtype yet.
        fits = isinstance(invariant, TensorSpec) and getattr(value, "dtype", invariant.dtype) == invariant.dtype
        _check_kind(invariant, value, fits)
        return [invariant.shape]  # type: ignore[attr-defined]
    if not isinstance(invariant, TensorShape):
        raise ValueError(error_text("`shapes` must be a (possibly nested) list of shapes."))
    return [invariant]


def _check_kind(spec: TypeSpec, value: Any, fits: bool) -> None:
    if not fits:
        spec_class = "TensorSpec" if isinstance(spec, TensorSpec) else "TypeSpec"
        raise TypeError(error_text(f"{spec_class} {spec!r} is not compatible with {value!r}"))


def _check_invariant(value: Any, invariant: Any) -> Any:
    """The invariant of a composite tensor: a spec of its class, or a shape.

    Raises: TypeError for other values.
    """
    if isinstance(invariant, TypeSpec):
        _check_kind(invariant, value, invariant.is_compatible_with(value))
    elif invariant is not None and not isinstance(invariant, TensorShape):
        raise TypeError(error_text(f"Expected shape to be a TypeSpec or TensorShape, got {invariant!r}"))
    return invariant


def _of_sparse(value: SparseTensor, invariant: Any) -> list[TensorShape]:
    """The shapes of a SparseTensor's parts; a shape as its invariant is the shape [rank] of its dense_shape."""
    invariant = _check_invariant(value, invariant)
    if isinstance(invariant, TensorShape):
        if invariant.ndims not in (None, 1):
            raise ValueError(error_text("Expected a shape with 1 dimension"))
        rank = None if invariant.raw is None else invariant.raw[0]
    else:
        rank = (value if invariant is None else invariant).shape.ndims
    return [TensorShape([None, rank]), TensorShape([None]), TensorShape([rank])]


def _of_slices(value: IndexedSlices, invariant: Any) -> list[TensorShape]:
    """The shapes of IndexedSlices' parts; a shape as their invariant is the shape of their values."""
    invariant = _check_invariant(value, invariant)
    if isinstance(invariant, IndexedSlicesSpec):
        dense_shape, _, _, _, rows = invariant._serialize()
    else:
        values = value.values.shape if invariant is None else invariant
        rows = values[:1] if invariant is not None else value.indices.shape.merge_with(values[:1])
        dense_shape = TensorShape([None]).concatenate(values[1:])
    parts_shapes = [rows.concatenate(dense_shape[1:]), rows]
    return parts_shapes if value.dense_shape is None else [*parts_shapes, TensorShape([dense_shape.ndims])]
