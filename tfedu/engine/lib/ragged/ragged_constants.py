"""Ragged constants and placeholders: `tf.ragged.constant([[3, 1], [], [4]])`. No state."""

from __future__ import annotations

import builtins
import itertools
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...op.constant import constant as dense_constant
from ..framework.placeholders import placeholder as dense_placeholder
from ..framework.scope_blocks import named
from .ragged_tensor import RaggedTensor, RaggedTensorValue


def _is_nested(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or np.ndim(value) != 0


def _depths(value: Any) -> tuple[int | None, int]:
    """(the depth of the scalars, None without scalars; the depth of the deepest list).

    Raises: ValueError for scalars at different depths.
    """
    if not _is_nested(value):
        return 0, 0
    scalars: int | None = None
    deepest = 1
    for child in value:
        inner, list_depth = _depths(child)
        if inner is not None:
            if scalars is not None and scalars != inner + 1:
                raise ValueError(error_text("all scalar values must have the same nesting depth"))
            scalars = inner + 1
        deepest = max(deepest, list_depth + 1)
    return scalars, deepest


def _inner_shape(value: Any, ragged_rank: int) -> tuple[int, ...]:
    """The shape of the values below the ragged axes.

    Raises: ValueError when they have several.
    """
    flat = [value]
    for depth in builtins.range(ragged_rank + 1):
        if not all(map(_is_nested, flat)):
            raise ValueError(
                error_text(
                    f"pylist has scalar values depth {depth}, but ragged_rank={ragged_rank} requires scalar value depth "
                    f"greater than {ragged_rank}"
                )
            )
        flat = [item for part in flat for item in part]
    shape: list[int] = []
    first = flat[0] if flat else 0
    while _is_nested(first):
        shape.append(len(first))
        first = first[0] if len(first) else 0
    level = flat
    for size in [*shape, None]:
        if any(_is_nested(item) != (size is not None) or (size is not None and len(item) != size) for item in level):
            raise ValueError(error_text("inner values have inconsistent shape"))
        level = [item for part in level for item in part] if size is not None else level
    return tuple(shape)


def _flatten_rows(
    pylist: Any, ragged_rank: int | None, inner_shape: Any
) -> tuple[Any, list[list[int]], tuple[int, ...]] | None:
    """(the flat values, the row splits of each ragged axis, the shape of a value); None when no axis is ragged.

    Raises: ValueError or TypeError for a list that does not fit ragged_rank and inner_shape.
    """
    if isinstance(pylist, (RaggedTensor, RaggedTensorValue)):
        raise TypeError(error_text("pylist may not be a RaggedTensor or RaggedTensorValue."))
    if not _is_nested(pylist):
        if ragged_rank:
            raise ValueError(
                error_text(f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank}")
            )
        if inner_shape:
            raise ValueError(
                error_text(f"Invalid pylist={pylist!r}: incompatible with dim(inner_shape)={len(inner_shape)}")
            )
        return None
    if ragged_rank is not None and ragged_rank < 0:
        raise ValueError(error_text(f"Invalid ragged_rank={ragged_rank!r}: must be nonnegative"))
    scalars, deepest = _depths(pylist)
    if scalars is not None and deepest > scalars:
        raise ValueError(
            error_text(f"Invalid pylist={pylist!r}: empty list nesting is greater than scalar value nesting")
        )
    if inner_shape is not None and ragged_rank is not None:
        expected = ragged_rank + len(inner_shape) + 1
        if (scalars is not None and expected != scalars) or (scalars is None and expected < deepest):
            raise ValueError(
                error_text(
                    f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank} and "
                    f"dim(inner_shape)={len(inner_shape)}"
                )
            )
    if ragged_rank == 0 or (ragged_rank is None and deepest - len(inner_shape or ()) < 2):
        return None
    if inner_shape is None:
        inner = () if ragged_rank is None else _inner_shape(pylist, ragged_rank)
    else:
        inner = tuple(inner_shape)
    if ragged_rank is None:
        ragged_rank = max(1, deepest - 1) if scalars is None else max(1, scalars - 1 - len(inner))
    values = pylist
    nested = []
    for _ in builtins.range(ragged_rank):
        nested.append([0, *itertools.accumulate(len(row) for row in values)])
        values = [item for row in values for item in row]
    return values, nested, inner


def _partition(pylist: Any, ragged_rank: int | None, inner_shape: Any) -> Any:
    """As `_flatten_rows`, which walks the lists recursively. Raises: ValueError for lists that are nested too deeply."""
    try:
        return _flatten_rows(pylist, ragged_rank, inner_shape)
    except RecursionError:
        raise ValueError(error_text("The rows are nested too deeply: a list of lists of … lists.")) from None


@atomic
def constant(
    pylist: Any,
    dtype: Any = None,
    ragged_rank: int | None = None,
    inner_shape: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> Any:
    """The RaggedTensor [rows, (row length)...] of nested lists; a dense tensor where no axis is ragged.

    inner_shape: the shape of the values below the ragged axes.

    Raises: ValueError for scalars at different depths.
    """
    with named(name, "RaggedConstant"):
        partition = _partition(pylist, ragged_rank, inner_shape)
        if partition is None:
            return dense_constant(pylist, dtype, shape=inner_shape)
        values, nested, inner = partition
        ragged: Any = dense_constant(values, dtype, shape=(len(values), *inner), name="values")
        for splits in reversed(nested):
            ends = dense_constant(splits, row_splits_dtype)
            ragged = RaggedTensor.from_row_splits(ragged, ends, validate=False)
        return ragged


def constant_value(
    pylist: Any,
    dtype: Any = None,
    ragged_rank: int | None = None,
    inner_shape: Any = None,
    row_splits_dtype: Any = "int64",
) -> Any:
    """The RaggedTensorValue [rows, (row length)...] of nested lists; a NumPy array where no axis is ragged.

    Raises: ValueError for scalars at different depths.
    """
    kind = dtype.as_numpy_dtype if isinstance(dtype, DType) else dtype
    partition = _partition(pylist, ragged_rank, inner_shape)
    if partition is None:
        return np.array(pylist, kind) if inner_shape is None else np.reshape(np.array(pylist, kind), inner_shape)
    values, nested, inner = partition
    ragged: Any = np.reshape(np.array(values, kind), (len(values), *inner))
    for splits in reversed(nested):
        ragged = RaggedTensorValue(ragged, np.array(splits, as_dtype(row_splits_dtype).as_numpy_dtype))
    return ragged


@atomic
def placeholder(dtype: Any, ragged_rank: int, value_shape: Any = None, name: str | None = None) -> Any:
    """A RaggedTensor with values [..., value_shape...] that every run feeds with a RaggedTensorValue."""
    if ragged_rank == 0:
        return dense_placeholder(dtype, value_shape, name)
    with named(name, "RaggedPlaceholder"):
        shape = None if value_shape is None else [None, *value_shape]
        ragged: Any = dense_placeholder(dtype, shape, "flat_values")
        for level in builtins.range(ragged_rank - 1, -1, -1):
            splits = dense_placeholder(dtypes.int64, [None], f"row_splits_{level}")
            ragged = RaggedTensor.from_row_splits(ragged, splits, validate=False)
        return ragged


__all__ = ["constant", "constant_value", "placeholder"]
