"""Distinct elements: Unique and its forms, and ListDiff. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType
from ..base.shapes import Shape, ShapeMismatch
from ..op.define import Sym, op, typevar
from ..op.shape_checks import (
    INDEX,
    Any_,
    as_array,
    axis_at,
    invalid,
    needs_rank,
    vector,
)  # fmt: skip


def _first_occurrences(x: Any) -> tuple[Any, Any, Any]:
    """(distinct values in order of first appearance, each element's position among them, how often each occurs)."""
    flat = as_array(x)
    needs_rank(flat, 1, "unique expects a 1D vector.")
    unique_parts = np.unique(flat, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)
    _, first, inverse, counts = unique_parts
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return flat[first[order]], rank[inverse], counts[order]


@op("Unique", out="y idx", fresh=True)
def unique(xp: Any, x: Any_, *, out_idx: typevar("out_idx", INDEX) = dtypes.int32) -> tuple[Any_, "out_idx"]:  # noqa: F821
    """The distinct elements in order of first appearance, and the position of each element's value among them: x [n] ->
    y [k], idx [n].
    """
    values, places, _ = _first_occurrences(x)
    return values, places.astype(out_idx.numpy)


@unique.shape
def _(x: Sym, *, out_idx: DType) -> list[Shape]:
    vector(x)
    return [(None,), x.shape]


@op("UniqueWithCounts", out="y idx count", fresh=True)
def unique_with_counts(
    xp: Any, x: Any_, *, out_idx: typevar("out_idx", INDEX) = dtypes.int32
) -> tuple[Any_, "out_idx", "out_idx"]:  # noqa: F821
    """The distinct elements in order of first appearance, each element's position among them, and how often each
    occurs: x [n] -> y [k], idx [n], count [k].
    """
    values, places, counts = _first_occurrences(x)
    return values, places.astype(out_idx.numpy), counts.astype(out_idx.numpy)


@unique_with_counts.shape
def _(x: Sym, *, out_idx: DType) -> list[Shape]:
    return [(None,), x.shape, (None,)]


def _slices_in_order(x: Any, axis: Any) -> tuple[Any, Any, Any]:
    """_first_occurrences of the slices along an axis [1], or of a vector's elements without axis [0]."""
    array = as_array(x)
    needs_rank(axis, 1, "axis expects a 1D vector.")
    if np.size(axis) > 1:
        raise invalid("axis does not support input tensors larger than 1 elements")
    if not np.size(axis):
        return _first_occurrences(array)
    at = axis_at(axis[0], array.ndim, "axis has to be between [0, {rank})")
    lines = np.moveaxis(array, at, 0)
    flat = lines.reshape(len(lines), int(np.prod(lines.shape[1:])))
    _, names = np.unique(flat, axis=0, return_inverse=True) if flat.size else (None, np.zeros(len(lines), np.int64))
    _, places, counts = _first_occurrences(names.reshape(-1))
    first = [int(np.argmax(places == i)) for i in range(len(counts))]
    return np.moveaxis(lines[first], 0, at), places, counts


def _slices_shape(x: Sym, axis: Sym, *, out_idx: DType) -> list[Shape]:
    input_shape = x.shape
    if input_shape is None:
        return [None, (None,)]
    which = axis.value
    if which is None:
        return [(None,) * len(input_shape), (None,)]
    if np.ndim(which) != 1:
        raise ShapeMismatch("axis expects a 1D vector.")
    if np.size(which) > 1:
        raise ShapeMismatch("axis does not support input tensors larger than 1 elements.")
    if not np.size(which):
        if len(input_shape) != 1:
            raise ShapeMismatch("x expects a 1D vector.")
        return [(None,), x.shape]
    at, rank = int(np.ravel(which)[0]), len(input_shape)
    if not -rank <= at < rank:
        raise ShapeMismatch(f"axis expects to be in the range [{-rank}, {rank})")
    return [(None,) * rank, (input_shape[at],)]


Taxis = typevar("Taxis", INDEX, default=dtypes.int64)


@op("UniqueV2", out="y idx", shape=_slices_shape, fresh=True)
def unique_v2(
    xp: Any, x: Any_, axis: Taxis, *, out_idx: typevar("out_idx", INDEX) = dtypes.int32
) -> tuple[Any_, "out_idx"]:  # noqa: F821
    """Unique of the slices along an axis: x [n, ...], axis [1] (or [0] for a vector) -> y [k, ...], idx [n].

    Raises: InvalidArgumentError for an axis outside x.
    """
    values, places, _ = _slices_in_order(x, axis)
    return values, places.astype(out_idx.numpy)


@op(
    "UniqueWithCountsV2",
    out="y idx count",
    shape=lambda x, axis, *, out_idx: [*_slices_shape(x, axis, out_idx=out_idx), (None,)],
    fresh=True,
)
def unique_with_counts_v2(
    xp: Any, x: Any_, axis: Taxis, *, out_idx: typevar("out_idx", INDEX) = dtypes.int32
) -> tuple[Any_, "out_idx", "out_idx"]:  # noqa: F821
    """UniqueWithCounts of the slices along an axis: x [n, ...], axis [1] (or [0] for a vector) -> y [k, ...], idx [n],
    count [k].

    Raises: InvalidArgumentError for an axis outside x.
    """
    values, places, counts = _slices_in_order(x, axis)
    return values, places.astype(out_idx.numpy), counts.astype(out_idx.numpy)


@op("ListDiff", out="out idx", fresh=True)
def list_diff(
    xp: Any, x: Any_, y: Any_, *, out_idx: typevar("out_idx", INDEX) = dtypes.int32
) -> tuple[Any_, "out_idx"]:  # noqa: F821
    """The elements of x that are not in y, and their positions in x: x [m], y [n] -> out [k], idx [k]."""
    needs_rank(x, 1, "x should be a 1D vector.")
    needs_rank(y, 1, "y should be a 1D vector.")
    excluded = set(y.tolist())
    places = [i for i, value in enumerate(x.tolist()) if value not in excluded]
    return x[places], np.array(places, out_idx.numpy)


@list_diff.shape
def _(x: Sym, y: Sym, *, out_idx: DType) -> list[Shape]:
    vector(x)
    vector(y)
    return [(None,), (None,)]
