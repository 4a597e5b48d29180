"""Concatenation along an existing axis: Concat, ConcatV2, ParallelConcat. No state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.composites import IndexedSlices
from ..op.constant import constant
from ..op.define import Many, ShapeAttr, Sym, op
from ..op.infer import constant_value
from ..op.shape_checks import (
    Any_,
    Tidx,
    as_array,
    at_least,
    axis_at,
    invalid,
    of_rank,
    scalar,
    text_of,
)  # fmt: skip
from .array import expand_dims, fill, shape_n, squeeze


def _joined(values: list[Any], axis: Any, name: str = "axis") -> Any:
    if np.ndim(axis):
        if np.size(axis) != 1:
            raise invalid(f"{name} tensor should be a scalar integer, but got shape {text_of(np.shape(axis))}")
        axis = np.ravel(axis)[0]
    try:
        return np.concatenate(values, axis)
    except (ValueError, IndexError, TypeError):  # the last is CuPy's for arrays of rank 0
        _check_joined([as_array(v) for v in values], axis)
        raise


def _check_joined(arrays: list[Any], axis: Any) -> None:
    """Raises: InvalidArgumentError for arrays that cannot be joined along the axis."""
    first, rank = arrays[0].shape, arrays[0].ndim
    text = "ConcatOp : Expected concatenating dimensions in the range [-{rank}, {rank}), but got {at}"
    at = axis_at(axis, rank, text)
    for i, array in enumerate(arrays):
        both = f"shape[0] = {text_of(first)} vs. shape[{i}] = {text_of(array.shape)}"
        if not array.ndim:
            raise invalid("ConcatOp : Can't concatenate scalars (use tf.stack instead)")
        if array.ndim != rank:
            raise invalid(f"ConcatOp : Ranks of all input tensors should match: {both}")
        if array.shape[:at] + array.shape[at + 1 :] != first[:at] + first[at + 1 :]:
            place = next(d for d in range(rank) if d != at and first[d] != array.shape[d])
            raise invalid(f"ConcatOp : Dimension {place} in both shapes must be equal: {both}")


def _joined_shape(values: list[Sym], axis: Sym) -> Shape:
    scalar(axis)
    known = next((v.shape for v in values if v.shape is not None), None)
    if known is not None:
        for v in values:
            of_rank(v.shape, len(known))
        if not known:
            raise ShapeMismatch("Can't concatenate scalars (use tf.stack instead)")
    at = axis.value
    if at is None:
        return None if known is None else (None,) * len(known)
    needed = int(at) + 1 if at >= 0 else -int(at)
    for v in values:
        at_least(v.shape, max(needed, 1))
    if known is None:
        return None
    at = int(at) % len(known)
    before: Shape = None
    after: Shape = None
    total: int | None = 0
    for v in values:
        value_shape = v.shape
        if value_shape is None:
            total = None
            continue
        length = value_shape[at]
        total = None if total is None or length is None else total + length
        before = shapes.merge(before, value_shape[:at])
        after = shapes.merge(after, value_shape[at + 1 :])
    return (*(before or ()), total, *(after or ()))


@op("ConcatV2", shape=_joined_shape, fresh=True)
def concat_v2(xp: Any, values: Many[Any_, "N", 2], axis: Tidx) -> Any_:  # noqa: F821
    """Joins n tensors along an axis: values [d...], differing in size along the axis alone, axis scalar -> [d...], the
    sizes along the axis added up.

    Raises: InvalidArgumentError when other sizes differ.
    """
    return _joined(values, axis)


@concat_v2.grad
def _(op: Any, g: Any) -> Any:
    return [*_parts_of(g, op.inputs[-1], op.inputs[:-1]), None]


@op("ParallelConcat", fresh=True)
def parallel_concat(xp: Any, values: Many[Any_], *, shape: ShapeAttr) -> Any_:
    """Joins n tensors [1, d...] along the first axis -> [n, d...]."""
    return _joined(values, 0)


@parallel_concat.shape
def _(values: list[Sym], *, shape: Shape) -> Shape:
    if shape is None or None in shape:
        raise ShapeMismatch("shape attr must be fully defined.")
    for i, sym in enumerate(values):
        if sym.shape is None or None in sym.shape:
            raise ShapeMismatch("All input shapes must be fully defined.")
        if not sym.shape:
            raise ShapeMismatch(f"The rank of all input shapes must be greater than 0, but input {i} had rank 0.")
        if sym.shape[:1] != (1,):
            raise ShapeMismatch("Size of first dimension must be 1.")
        shapes.merge((None, *shape[1:]), sym.shape)
    return shape


@op("Concat", shape=lambda concat_dim, values: _joined_shape(values, concat_dim), fresh=True)
def concat(xp: Any, concat_dim: dtypes.int32, values: Many[Any_, "N", 2]) -> Any_:  # noqa: F821
    """Joins n tensors along an axis: concat_dim scalar, values [d...], differing in size along the axis alone ->
    [d...], the sizes along the axis added up.

    Raises: InvalidArgumentError when other sizes differ.
    """
    return _joined(values, concat_dim, "concat_dim")


@concat.grad
def _(op: Any, g: Any) -> Any:
    return [None, *_parts_of(g, op.inputs[0], op.inputs[1:])]


def _parts_of(g: Any, axis: Any, values: Sequence[Any]) -> list[Any]:
    """The part of a concatenation's gradient that belongs to each value."""
    if len(values) == 1:
        return [g]
    if axis.op.type == "Const" and _context(axis.op) is not _context(g.op):
        axis = constant(constant_value(axis), dtype=axis.dtype)  # like TF: the forward branch or loop keeps its own
    place = axis % functions.rank(values[0])
    if isinstance(g, IndexedSlices):
        return _parts_of_rows(g, axis, place, values)
    sizes: Any = []
    for value in values:
        sizes.append(functions.shape(value))
        if not shapes.is_full(value.raw_shape):
            sizes = shape_n(values, out_type=dtypes.int32)  # like TF, without removing the Shape nodes added before
            break
    if len(sizes) > 16:
        lengths = squeeze(nodes.Slice(functions.stack(sizes, axis=1), [place, 0], [1, -1]))
        parts: list[Any] = nodes.SplitV(g, lengths, place, num_split=len(values), name="split")
        return parts
    return [nodes.Slice(g, begin, size) for begin, size in zip(nodes.ConcatOffset(place, sizes), sizes)]


def _context(op: Any) -> Any:
    """The cond or loop that the outputs of a node belong to; None outside of all."""
    context = op._get_control_flow_context()
    return context.outer_context if context is not None and op.type in ("Exit", "RefExit") else context


def _parts_of_rows(g: IndexedSlices, axis: Any, place: Any, values: Sequence[Any]) -> list[Any]:
    known = constant_value(axis)
    if known is None:
        raise ValueError("Can only compute IndexedSlices gradient with statically-known concat_dim")
    if known < 0:
        if values[0].raw_shape is None:
            raise ValueError(
                "Can only compute IndexedSlices gradient with negative concat_dim when first value rank is statically-known."
            )
        known %= len(values[0].raw_shape)
    sizes = [functions.shape(v) for v in values]
    return _parts_within_rows(g, place, sizes) if known > 0 else _parts_by_rows(g, place, sizes)


def _parts_within_rows(g: IndexedSlices, place: Any, sizes: Sequence[Any]) -> list[Any]:
    """Each value's part of IndexedSlices when the concatenation was along a later axis: parts of the rows, all indices."""
    count = functions.shape(sizes[0])
    mask = functions.concat([fill(expand_dims(place, 0), 0), [1], fill(count - place - 1, 0)], 0)
    begin = fill(count, 0)
    parts = []
    for size in sizes:
        lengths = functions.concat([[-1], nodes.Slice(size, [1], [-1])], 0)
        parts.append(IndexedSlices(nodes.Slice(g.values, begin, lengths), g.indices, size))
        begin = nodes.Add(begin, size * mask)
    return parts


def _parts_by_rows(g: IndexedSlices, place: Any, sizes: Sequence[Any]) -> list[Any]:
    """Each value's part of IndexedSlices when the concatenation was along axis 0: the rows whose indices lie within it."""
    parts = []
    start: Any = constant(0, dtype=g.indices.dtype.base_dtype)
    for size in sizes:
        end = start + functions.cast(nodes.GatherV2(size, place, 0), g.indices.dtype)
        chosen = squeeze(nodes.Where(nodes.LogicalAnd(g.indices >= start, g.indices < end)), squeeze_dims=[1])
        indices = nodes.GatherV2(g.indices, chosen, 0) - start
        parts.append(IndexedSlices(nodes.GatherV2(g.values, chosen, 0), indices, size))
        start = end
    return parts
