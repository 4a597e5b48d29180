"""Ops on sparse tensors, given as indices [n, rank], values [n] and shape [rank]: SparseReorder, SparseConcat, SparseSlice, …

Ops that rearrange entries are here, ops that compute with them in sparse_math.py. Most ops return entries in row-major
order. No state.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import Shape, merge
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.composites import SparseTensor
from ..op.define import AtLeast, Many, Sym, op
from ..op.gradient_rules import NO_RULE_IN_TF
from ..op.shape_checks import (
    Any_,
    as_array,
    ints_of,
    invalid,
    of_rank,
    same,
    scalar,
    sizes_of,
    text_of,
    vector,
)

int64 = dtypes.int64


# -- what the tables share -----------------------------------------------------------------------------------------


def in_order(indices: Any) -> Any:
    """The permutation [n] that sorts indices [n, rank] in row-major order, stable."""
    if not indices.shape[1]:
        return np.arange(len(indices))
    return np.lexsort(indices.T[::-1])


def check_entries(indices: Any, values: Any, shape: Any) -> None:
    """Raises: InvalidArgumentError when the shapes of a sparse tensor's parts do not match."""
    for part, rank, text in ((indices, 2, "indices"), (values, 1, "values"), (shape, 1, "shape")):
        if np.ndim(part) != rank:
            raise invalid(f"Sparse {text} must be rank {rank} but is rank {np.ndim(part)}")
    if len(indices) != len(values):
        raise invalid(f"Number of elements in indices ({len(indices)}) and values ({len(values)}) do not match")
    if indices.shape[1] != len(shape):
        raise invalid(f"Index rank ({indices.shape[1]}) and shape rank ({len(shape)}) do not match")


def check_inside(indices: Any, shape: Any) -> None:
    """Raises: InvalidArgumentError for an index outside the shape."""
    bad = ((indices < 0) | (indices >= shape)).any(axis=1)
    if bad.any():
        at = int(np.argmax(bad))
        place = text_of(indices[at].tolist()).replace(",", ", ")
        raise invalid(f"Sparse index tuple indices[{at}, :] = {place} is out of bounds")


def check_rows(indices: Any, values: Any) -> None:
    """Raises: InvalidArgumentError when the numbers of indices and values differ."""
    if len(indices) != len(values):
        raise invalid(
            f"indices and values rows (indexing dimension) must match. (indices = {len(indices)}, values = {len(values)})"
        )


def check_sizes(shape: Any) -> None:
    """Raises: InvalidArgumentError for a negative size."""
    for n in ints_of(shape):
        if n < 0:
            raise invalid(f"Expected shape dimensions to be non-negative, got {n}")


def check_created(indices: Any, values: Any, shape: Any) -> None:
    """check_entries with other texts: those of SparseTensor::Create in TF."""
    if np.ndim(values) != 1:
        raise invalid(f"vals must be a vec, but got: {text_of(np.shape(values))}")
    check_rows(np.atleast_1d(indices), values)
    if np.ndim(shape) != 1:
        raise invalid("Shape must be a 1D tensor.")
    check_sizes(shape)
    if np.ndim(indices) != 2 or indices.shape[1] != len(shape):
        raise invalid("Order length must be SparseTensor rank.")


def must_be(array: Any, rank: int, text: str) -> Any:
    """The array. Raises: InvalidArgumentError with `text`, in which {} is the shape, when it has another rank."""
    converted = as_array(array)
    if converted.ndim != rank:
        raise invalid(text.format(text_of(converted.shape)))
    return converted


# -- order and shape -----------------------------------------------------------------------------------------------


@op("SparseReorder", out="output_indices output_values", fresh=True)
def sparse_reorder(xp: Any, input_indices: int64, input_values: Any_, input_shape: int64) -> tuple[int64, Any_]:
    """The entries in row-major order: input_indices [n, rank], input_values [n], input_shape [rank] -> output_indices
    [n, rank], output_values [n].
    """
    check_entries(input_indices, input_values, input_shape)
    order = in_order(input_indices)
    return input_indices[order], input_values[order]


@sparse_reorder.shape
def _(input_indices: Sym, input_values: Sym, input_shape: Sym) -> list[Shape]:
    rows, count = of_rank(input_indices.shape, 2), vector(input_values)
    vector(input_shape)
    return [rows, (count,)]


@sparse_reorder.grad
def _(op: Any, _: Any, g: Any) -> Any:
    indices, _values, sizes = op.inputs
    numbers = functions.range(functions.shape(indices)[0])
    places = reordered(SparseTensor(indices, numbers, sizes)).values
    return None, nodes.GatherV2(g, nodes.InvertPermutation(places), 0), None


def reordered(entries: SparseTensor, name: str | None = None) -> SparseTensor:
    """The same entries in row-major order."""
    indices, values = sparse_reorder(entries.indices, entries.values, entries.dense_shape, name=name)
    known = entries.get_shape()
    sizes = known.as_list() if known.is_fully_defined() else nodes.Identity(entries.dense_shape)
    return SparseTensor(indices, values, sizes)


@op("SparseReshape", out="output_indices output_shape", fresh=True)
def sparse_reshape(xp: Any, input_indices: int64, input_shape: int64, new_shape: int64) -> tuple[int64, int64]:
    """The entries' indices in another shape of the same size: input_indices [n, r], input_shape [r], new_shape [s] ->
    output_indices [n, s], output_shape [s]; one size of -1 is computed.

    Raises: InvalidArgumentError when the sizes differ.
    """
    must_be(input_indices, 2, "Input must be a matrix.")
    must_be(input_shape, 1, "Input shape must be a vector.")
    must_be(new_shape, 1, "Target shape should be a vector but received shape {}")
    check_sizes(input_shape)
    if input_indices.shape[1] != len(input_shape):
        raise invalid("Input tensor rank must match input shape length.")
    sizes, old_sizes = list(ints_of(new_shape)), ints_of(input_shape)
    open_at = -1
    for i, n in enumerate(sizes):
        if n == -1:
            if open_at >= 0:
                raise invalid(f"only one output dimension may be -1, not both {open_at} and {i}")
            open_at = i
        elif n < 0:
            raise invalid(f"size {i} must be non-negative, not {n}")
    total = math.prod(old_sizes)
    if open_at >= 0:
        sizes[open_at] = 1
        rest = math.prod(sizes)
        if not rest:
            raise invalid(
                "reshape cannot infer the missing input size for an empty tensor unless all specified input sizes are "
                "non-zero"
            )
        sizes[open_at] = total // rest
        if sizes[open_at] * rest != total:
            raise invalid(
                f"Input to reshape is a SparseTensor with {total} dense values, but the requested shape requires a multiple of "
                f"{rest}. input_shape={text_of(old_sizes)} output_shape={text_of(sizes)}"
            )
    if math.prod(sizes) != total:
        raise invalid(
            f"Input to reshape is a tensor with {total} dense values, but the requested shape has {math.prod(sizes)}. "
            f"input_shape={text_of(old_sizes)} output_shape={text_of(sizes)}"
        )
    flat = input_indices @ _strides(old_sizes)
    out = np.empty((len(flat), len(sizes)), np.int64)
    for i, stride in enumerate(_strides(sizes).tolist()):
        out[:, i], flat = np.divmod(flat, stride) if stride else (0, flat)
    return out, np.array(sizes, np.int64)


def _strides(sizes: Any) -> Any:
    """The distance in elements between neighbours along each axis, in row-major order."""
    return np.array([math.prod(sizes[i + 1 :]) for i in range(len(sizes))], np.int64)


@sparse_reshape.shape
def _(input_indices: Sym, input_shape: Sym, new_shape: Sym) -> list[Shape]:
    count = of_rank(input_indices.shape, 2)[0]
    vector(input_shape)
    rank = vector(new_shape)
    return [(count, rank), (rank,)]


# -- joining and cutting -------------------------------------------------------------------------------------------


@op("SparseConcat", not_differentiable=NO_RULE_IN_TF, out="output_indices output_values output_shape", fresh=True)
def sparse_concat(
    xp: Any,
    indices: Many[int64, "N", 2],  # noqa: F821
    values: Many[Any_, "N", 2],  # noqa: F821
    shapes: Many[int64, "N", 2],  # noqa: F821
    *,
    concat_dim: int,
) -> tuple[int64, Any_, int64]:
    """Joins sparse tensors along an axis, the entries in row-major order: lists indices [n, rank], values [n], shapes
    [rank] -> output_indices [N, rank], output_values [N], output_shape [rank].

    Raises: InvalidArgumentError when other sizes differ.
    """
    for what, group, rank, kind in (
        ("indices", indices, 2, "a matrix"), ("values", values, 1, "a vector"), ("shapes", shapes, 1, "a vector"),
    ):  # fmt: skip
        for i, part in enumerate(group):
            must_be(part, rank, f"Input {what} should be {kind} but received shape {{}} at position {i}")
    if any((sizes < 0).any() for sizes in shapes):
        raise errors.InternalError(None, None, "Encountered overflow from large input shape.")
    first = shapes[0].copy()
    rank = len(first)
    if not -rank <= concat_dim < rank:
        raise invalid(f"Concat dimension must be in range [{-rank}, {rank}), got {concat_dim}")
    at = concat_dim % rank
    for i, sizes in enumerate(shapes[1:], 1):
        if len(sizes) != rank:
            raise invalid(f"Ranks of all input tensors must match: expected {rank} but got {len(sizes)} at position {i}")
        for axis in range(rank):
            if axis != at and sizes[axis] != first[axis]:
                raise invalid(
                    f"Input shapes must match: expected {first[axis]} for dimension {axis} but got {sizes[axis]} at position {i}"
                )
    begin, moved = 0, []
    for part, entries, sizes in zip(indices, values, shapes):
        check_rows(part, entries)
        part = part.copy()
        part[:, at] += begin
        begin += int(sizes[at])
        moved.append(part)
    joined, entries = np.concatenate(moved), np.concatenate(values)
    first[at] = begin
    order = in_order(joined)
    return joined[order], entries[order], first


@sparse_concat.shape
def _(indices: list[Sym], values: list[Sym], shapes: list[Sym], *, concat_dim: int) -> list[Shape]:
    total: int | None = 0
    columns: int | None = None
    sizes: Shape = None
    for index, value in zip(indices, values):
        count, rank = of_rank(index.shape, 2)
        count = same(count, vector(value))
        total = None if total is None or count is None else total + count
        columns = same(columns, rank)
    for shape in shapes:
        sizes = merge(sizes, (vector(shape),))
    return [(total, columns), (total,), sizes]


@op("SparseSplit", out="output_indices output_values output_shape", fresh=True)
def sparse_split(
    xp: Any, split_dim: int64, indices: int64, values: Any_, shape: int64, *, num_split: AtLeast[1]
) -> tuple[Many[int64, "num_split"], Many[Any_, "num_split"], Many[int64, "num_split"]]:  # noqa: F821
    """Cuts a sparse tensor along an axis into num_split parts, the first ones longer by one where they cannot be equal:
    split_dim scalar, indices [n, rank], values [n], shape [rank] -> num_split times indices [m, rank], values [m],
    shape [rank].

    Raises: InvalidArgumentError for more parts than the axis is long.
    """
    axis = int(must_be(split_dim, 0, "Input axis should be a scalar but received shape {}"))
    must_be(indices, 2, "Input indices should be a matrix but received shape {}")
    if np.ndim(values) != 1:
        # TF's text has the indices' shape here.
        raise invalid(f"Input values should be a vector but received shape {text_of(indices.shape)}")
    must_be(shape, 1, "Input shape should be a vector but received shape {}")
    check_entries(indices, values, shape)
    check_inside(indices, shape)
    rank = len(shape)
    if not -rank <= axis < rank:
        raise invalid(f"Input axis should be in range [{-rank}, {rank}), got {axis}")
    at = axis % rank
    length = int(shape[at])
    if not 1 <= num_split <= length:
        raise invalid(
            f"Input num_split should be between 1 and the splitting dimension size ({length}), got {num_split}"
        )
    lengths = [length // num_split + (i < length % num_split) for i in range(num_split)]
    begin, cuts = 0, []
    for n in lengths:
        inside = (indices[:, at] >= begin) & (indices[:, at] < begin + n)
        part, sizes = indices[inside], shape.copy()
        part[:, at] -= begin
        sizes[at] = n
        cuts.append((part, values[inside], sizes))
        begin += n
    return tuple(map(list, zip(*cuts)))  # type: ignore[return-value]


@sparse_split.shape
def _(split_dim: Sym, indices: Sym, values: Sym, shape: Sym, *, num_split: int) -> list[Shape]:
    # TF infers the rank from the shape's value alone.
    known = shape.shape
    rank = None if known is None else (known[0] if len(known) == 1 else None)
    return [(None, rank)] * num_split + [(None,)] * num_split + [known] * num_split


@op("SparseSlice", out="output_indices output_values output_shape", fresh=True)
def sparse_slice(
    xp: Any, indices: int64, values: Any_, shape: int64, start: int64, size: int64
) -> tuple[int64, Any_, int64]:
    """The block that begins at `start`, as far as it lies inside: indices [n, rank], values [n], shape, start and size
    [rank] -> output_indices [m, rank], output_values [m], output_shape [rank].
    """
    check_entries(indices, values, shape)
    must_be(start, 1, "Input start should be a vector but received shape {}")
    must_be(size, 1, "Input size should be a vector but received shape {}")
    for what, part in (("start", start), ("size", size)):
        if len(part) != len(shape):
            raise invalid(f"Expected {what} to be a vector of length {len(shape)} but got length {len(part)}")
    for n in ints_of(size):
        if n < 0:
            raise invalid(f"Expected a non-negative size, got {n}")
    check_sizes(shape)
    inside = ((indices >= start) & (indices < start + size)).all(axis=1)
    out = np.clip(np.minimum(shape - start, size), 0, None)
    return indices[inside] - start, values[inside], out


@sparse_slice.shape
def _(indices: Sym, values: Sym, shape: Sym, start: Sym, size: Sym) -> list[Shape]:
    known = shape.shape
    rank = None if known is None else (known[0] if len(known) == 1 else None)
    return [(None, rank), (None,), known]


@sparse_slice.grad
def _(op: Any, *gs: Any) -> Any:
    dx = nodes.SparseSliceGrad(gs[1], op.inputs[0], op.inputs[3], op.outputs[0])
    dx.set_shape(op.inputs[1].raw_shape)
    return None, dx, None, None, None


@op("SparseFillEmptyRows", out="output_indices output_values empty_row_indicator reverse_index_map", fresh=True)
def sparse_fill_empty_rows(
    xp: Any, indices: int64, values: Any_, dense_shape: int64, default_value: Any_
) -> tuple[int64, Any_, dtypes.bool, int64]:
    """Gives each row without an entry one in column 0: indices [n, rank], values [n], dense_shape [rank], default_value
    scalar -> output_indices [m, rank], output_values [m], empty_row_indicator [rows], reverse_index_map [n], where each
    entry went.

    Raises: InvalidArgumentError for an index outside the rows.
    """
    must_be(dense_shape, 1, "dense_shape must be a vector, saw: {}")
    must_be(indices, 2, "indices must be a matrix, saw: {}")
    must_be(values, 1, "values must be a vector, saw: {}")
    default = must_be(default_value, 0, "default_value must be a scalar, saw: {}")
    if len(indices) != len(values):
        raise invalid(
            f"The length of `values` ({len(values)}) must match the first dimension of `indices` ({len(indices)})."
        )
    if indices.shape[1] != len(dense_shape):
        raise invalid(
            f"The length of `dense_shape` ({len(dense_shape)}) must match the second dimension of `indices` "
            f"({indices.shape[1]})."
        )
    if not len(dense_shape):
        raise invalid("Dense shape cannot be empty.")
    rows, rank = int(dense_shape[0]), len(dense_shape)
    if not rows:
        if len(indices):
            raise invalid(
                f"Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = {len(indices)}"
            )
        return indices, values, np.zeros(0, bool), np.zeros(0, np.int64)
    row = indices[:, 0]
    bad = (row < 0) | (row >= rows)
    if bad.any():
        at = int(np.argmax(bad))
        raise invalid(f"indices({at}, 0) is invalid: {row[at]} >= {rows}")
    empty = np.bincount(row, minlength=rows) == 0
    added = np.zeros((int(empty.sum()), rank), np.int64)
    added[:, 0] = np.flatnonzero(empty)
    joined = np.concatenate([indices, added])
    entries = np.concatenate([values, np.full(len(added), default[()], values.dtype)])
    order = np.argsort(joined[:, 0], kind="stable")
    where = np.empty(len(order), np.int64)
    where[order] = np.arange(len(order))
    return joined[order], entries[order], empty, where[: len(indices)]


@sparse_fill_empty_rows.shape
def _(indices: Sym, values: Sym, dense_shape: Sym, default_value: Sym) -> list[Shape]:
    count, rank = of_rank(indices.shape, 2)
    count = same(count, vector(values))
    rank = same(rank, vector(dense_shape))
    scalar(default_value)
    sizes = sizes_of(dense_shape)
    rows = None if not sizes else sizes[0]
    return [(None, rank), (None,), (rows,), (count,)]


@sparse_fill_empty_rows.grad
def _(op: Any, _: Any, g: Any, *others: Any) -> Any:
    dx, d_default = nodes.SparseFillEmptyRowsGrad(reverse_index_map=op.outputs[3], grad_values=g)
    return None, dx, None, d_default


def known_shape(shape: Sym) -> Shape:
    """The sparse tensor's shape as far as its sizes are constant. Raises: ShapeMismatch when `shape` is no vector."""
    vector(shape)
    return sizes_of(shape)
