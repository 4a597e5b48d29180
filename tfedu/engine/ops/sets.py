"""Sets along the last axis: DenseToDenseSetOperation and its sparse forms, SetSize.

The result of a set operation is sparse, each set's elements in order. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op.define import Sym, op, typevar
from ..op.gradient_rules import WHOLE_NUMBERS
from ..op.shape_checks import as_array, at_least, invalid, kinds, of_rank, text_of, vector
from .sparse import check_created, int64

Element = typevar("T", kinds("int8 int16 int32 int64 uint8 uint16 string"))
Sets = dict[tuple[int, ...], set[Any]]

_OPERATIONS = {
    "a-b": set.difference, "b-a": lambda a, b: b - a, "intersection": set.intersection, "union": set.union,
}  # fmt: skip


# -- reading sets --------------------------------------------------------------------------------------------------


def _check_rank(shape: tuple[int, ...]) -> None:
    if len(shape) < 2:
        raise invalid(f"Shape {text_of(shape)} has rank {len(shape)} < 2")


def _dense_sets(values: Any) -> tuple[Sets, tuple[int, ...]]:
    """(coordinates -> set, the shape without the last axis)."""
    array = as_array(values)
    _check_rank(array.shape)
    outer = array.shape[:-1]
    return {place: set(array[place].tolist()) for place in np.ndindex(*outer)}, outer


def _sparse_sets(indices: Any, values: Any, shape: Any, validate: bool) -> tuple[Sets, tuple[int, ...]]:
    if np.ndim(shape) == 1 and len(shape) < 2:
        raise invalid(f"Invalid rank {len(shape)}.")
    check_created(indices, values, shape)
    sizes = tuple(shape.tolist())
    sets: Sets = {}
    before: list[int] | None = None
    for i, place in enumerate(indices.tolist()):
        if validate:
            if any(not 0 <= at < n for at, n in zip(place, sizes)):
                raise invalid(f"indices[{i}] = {text_of(place)} is out of bounds: need 0 <= index < {text_of(sizes)}")
            if before is not None and place <= before:
                if place == before:
                    raise invalid(f"indices[{i}] = {text_of(place)} is repeated")
                raise invalid(
                    f"indices[{i}] = {text_of(place)} is out of order. Many sparse ops require sorted indices."
                )
            before = place
        sets.setdefault(tuple(place[:-1]), set()).add(values[i])
    return sets, sizes[:-1]


def _combined(
    a: tuple[Sets, tuple[int, ...]], b: tuple[Sets, tuple[int, ...]], how: str, dtype: Any
) -> tuple[Any, Any, Any]:
    """The operation on the two sets at each coordinate, as a sparse tensor (indices, values, shape)."""
    combine = _OPERATIONS.get(how.lower())
    if combine is None:
        raise invalid(f"Invalid set_operation {how}.")
    (first, outer), (second, other) = a, b
    if outer != other:
        raise invalid(f"Mismatched shapes {text_of(outer)} vs {text_of(other)}")
    places: list[tuple[int, ...]] = []
    values: list[Any] = []
    longest = 0
    empty: set[Any] = set()
    for place in sorted(first.keys() | second.keys()):
        elements = sorted(combine(first.get(place, empty), second.get(place, empty)))
        longest = max(longest, len(elements))
        places.extend((*place, i) for i in range(len(elements)))
        values.extend(elements)
    entries = np.empty(len(values), dtype)
    entries[:] = values
    return (
        np.array(places, np.int64).reshape(-1, len(outer) + 1), entries, np.array([*outer, longest], np.int64)
    )  # fmt: skip


# -- shapes --------------------------------------------------------------------------------------------------------


def _sparse_rank(indices: Sym, values: Sym, shape: Sym) -> int | None:
    """The rank of a sparse tensor if known. Raises: ShapeMismatch when the shapes of its parts do not match."""
    count, rank = of_rank(indices.shape, 2)
    entries, sizes = vector(values), vector(shape)
    if count is not None and entries is not None and count != entries:
        raise ShapeMismatch(f"Number of elements in index ({count}) and values ({entries}) do not match.")
    if rank is not None and sizes is not None and rank != sizes:
        raise ShapeMismatch(f"Index rank ({rank}) and shape rank ({sizes}) do not match.")
    return sizes if rank is None else rank


def _of_result(rank: int | None) -> list[Shape]:
    return [(None, rank), (None,), (rank,)]


def _known_rank(rank: int | None, other: int | None) -> int | None:
    if rank is not None and other is not None and rank != other:
        raise ShapeMismatch(f"Dimension must be {rank} but is {other}")
    return other if rank is None else rank


# -- the ops -------------------------------------------------------------------------------------------------------


@op("DenseToDenseSetOperation", not_differentiable=WHOLE_NUMBERS, out="result_indices result_values result_shape", fresh=True)
def dense_to_dense_set_operation(
    xp: Any, set1: Element, set2: Element, *, set_operation: str, validate_indices: bool = True
) -> tuple[int64, Element, int64]:
    """Combines the sets in the last axes of two tensors: set1 [..., m], set2 [..., n] -> a sparse tensor [...,
    longest]: result_indices [k, rank], result_values [k], result_shape [rank].

    Raises: InvalidArgumentError when the other sizes differ.
    """
    return _combined(_dense_sets(set1), _dense_sets(set2), set_operation, as_array(set1).dtype)


@dense_to_dense_set_operation.shape
def _(set1: Sym, set2: Sym, *, set_operation: str, validate_indices: bool) -> list[Shape]:
    first, second = set1.shape, set2.shape
    if first is None:
        return _of_result(None if at_least(second, 2) is None else len(second or ()))
    at_least(first, 2)
    if second is not None:
        of_rank(second, len(first))
        shapes.merge(first[:-1], second[:-1])
    return _of_result(len(first))


@op("DenseToSparseSetOperation", not_differentiable=WHOLE_NUMBERS, out="result_indices result_values result_shape", fresh=True)
def dense_to_sparse_set_operation(
    xp: Any,
    set1: Element,
    set2_indices: int64,
    set2_values: Element,
    set2_shape: int64,
    *,
    set_operation: str,
    validate_indices: bool = True,
) -> tuple[int64, Element, int64]:
    """Combines the sets in the last axes of a dense and a sparse tensor: set1 [..., m], set2_indices [n, rank],
    set2_values [n], set2_shape [rank] -> a sparse tensor: result_indices [k, rank], result_values [k], result_shape
    [rank].

    Raises: InvalidArgumentError when the other sizes differ.
    """
    second = _sparse_sets(set2_indices, set2_values, set2_shape, validate_indices)
    return _combined(_dense_sets(set1), second, set_operation, set2_values.dtype)


@dense_to_sparse_set_operation.shape
def _(
    set1: Sym, set2_indices: Sym, set2_values: Sym, set2_shape: Sym, *, set_operation: str, validate_indices: bool
) -> list[Shape]:
    other = _sparse_rank(set2_indices, set2_values, set2_shape)
    first = at_least(set1.shape, 2)
    return _of_result(_known_rank(None if first is None else len(first), other))


@op(
    "SparseToSparseSetOperation", out="result_indices result_values result_shape", fresh=True,
    not_differentiable=WHOLE_NUMBERS,
)  # fmt: skip
def sparse_to_sparse_set_operation(
    xp: Any,
    set1_indices: int64,
    set1_values: Element,
    set1_shape: int64,
    set2_indices: int64,
    set2_values: Element,
    set2_shape: int64,
    *,
    set_operation: str,
    validate_indices: bool = True,
) -> tuple[int64, Element, int64]:
    """Combines the sets in the last axes of two sparse tensors: indices [n, rank], values [n] and shape [rank] of each
    -> a sparse tensor: result_indices [k, rank], result_values [k], result_shape [rank].

    Raises: InvalidArgumentError when the other sizes differ.
    """
    first = _sparse_sets(set1_indices, set1_values, set1_shape, validate_indices)
    second = _sparse_sets(set2_indices, set2_values, set2_shape, validate_indices)
    return _combined(first, second, set_operation, set1_values.dtype)


@sparse_to_sparse_set_operation.shape
def _(
    set1_indices: Sym,
    set1_values: Sym,
    set1_shape: Sym,
    set2_indices: Sym,
    set2_values: Sym,
    set2_shape: Sym,
    *,
    set_operation: str,
    validate_indices: bool,
) -> list[Shape]:
    first = _sparse_rank(set1_indices, set1_values, set1_shape)
    second = _sparse_rank(set2_indices, set2_values, set2_shape)
    for i, rank in ((0, first), (3, second)):
        if rank is not None and rank < 2:
            raise ShapeMismatch(f"Input {i}, expected rank >= 2, got {rank}.")
    return _of_result(_known_rank(first, second))


@op("SetSize", not_differentiable=WHOLE_NUMBERS, out="size", shape=lambda *_, validate_indices: None, fresh=True)
def set_size(
    xp: Any, set_indices: int64, set_values: Element, set_shape: int64, *, validate_indices: bool = True
) -> dtypes.int32:
    """The number of distinct elements in each set: set_indices [n, rank], set_values [n], set_shape [rank] -> [...], the
    shape without its last axis.
    """
    sets, outer = _sparse_sets(set_indices, set_values, set_shape, validate_indices)
    out = np.zeros(outer, np.int32)
    for place, elements in sets.items():
        out[place] = len(elements)
    return out
