"""Which shapes the variables of a loop keep from iteration to iteration.

`kept_shapes(value, given)` are the shapes of the tensors that `value` consists of; `given` is what the program said. No state.
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
    """Whether all that `wanted` says is also said by `shape`."""
    have, want = shape.raw, wanted.raw
    if want is None:
        return True
    return have is not None and len(have) == len(want) and all(w is None or w == h for h, w in zip(have, want))


def kept_shapes(value: Any, given: Any = None) -> list[TensorShape]:
    """What holds in every iteration for the tensors of a loop variable. given: a shape or spec; else what is known by now.

    Raises: TypeError for a spec of another kind of value; ValueError for what is no shape.
    """
    if isinstance(value, IndexedSlices):
        return _of_slices(value, given)
    if isinstance(value, SparseTensor):
        return _of_sparse(value, given)
    if hasattr(value, "_kept_shapes"):
        return value._kept_shapes(given)  # type: ignore[no-any-return]
    value = flow_of(value)
    if given is None:
        return [TensorShape(value.shape if hasattr(value, "shape") else np.shape(value))]
    if isinstance(given, TypeSpec):
        # A Python number has no dtype yet.
        _check_kind(given, value, isinstance(given, TensorSpec) and getattr(value, "dtype", given.dtype) == given.dtype)
        return [given.shape]  # type: ignore[attr-defined]
    if not isinstance(given, TensorShape):
        raise ValueError(error_text("`shapes` must be a (possibly nested) list of shapes."))
    return [given]


def _check_kind(spec: TypeSpec, value: Any, fits: bool) -> None:
    if not fits:
        word = "TensorSpec" if isinstance(spec, TensorSpec) else "TypeSpec"
        raise TypeError(error_text(f"{word} {spec!r} is not compatible with {value!r}"))


def _checked(value: Any, given: Any) -> Any:
    """The program's word on a value of several tensors: a spec of its kind, or a shape."""
    if isinstance(given, TypeSpec):
        _check_kind(given, value, given.is_compatible_with(value))
    elif given is not None and not isinstance(given, TensorShape):
        raise TypeError(error_text(f"Expected shape to be a TypeSpec or TensorShape, got {given!r}"))
    return given


def _of_sparse(value: SparseTensor, given: Any) -> list[TensorShape]:
    """Of a sparse tensor the shape of its dense_shape is given, which is its rank."""
    given = _checked(value, given)
    if isinstance(given, TensorShape):
        if given.ndims not in (None, 1):
            raise ValueError(error_text("Expected a shape with 1 dimension"))
        rank = None if given.raw is None else given.raw[0]
    else:
        rank = (value if given is None else given).shape.ndims
    return [TensorShape([None, rank]), TensorShape([None]), TensorShape([rank])]


def _of_slices(value: IndexedSlices, given: Any) -> list[TensorShape]:
    """Of slices the shape of their values is given."""
    given = _checked(value, given)
    if isinstance(given, IndexedSlicesSpec):
        whole, _, _, _, rows = given._serialize()
    else:
        values = value.values.shape if given is None else given
        rows = values[:1] if given is not None else value.indices.shape.merge_with(values[:1])
        whole = TensorShape([None]).concatenate(values[1:])
    sizes = [rows.concatenate(whole[1:]), rows]
    return sizes if value.dense_shape is None else [*sizes, TensorShape([whole.ndims])]
