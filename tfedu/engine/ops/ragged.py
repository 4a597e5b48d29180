"""Ragged tensors: ranges, gathered rows, conversion to sparse and dense tensors.

A ragged tensor is its values and, for each ragged axis, the positions in them at which rows end and the next begin
(`splits`, [rows + 1], from 0 to the number of values). No state.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.dtypes import runtime_name
from ..base.shapes import Shape, ShapeMismatch
from ..graph.conversion import convert_to_tensor
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.composites import IndexedSlices
from ..op.define import AtLeast, Many, Sym, op, typevar
from ..op.name_scopes import named
from ..op.shape_checks import INDEX, at_least, at_most, invalid, kinds, of_rank, vector

T = typevar("T")
Tvalues = typevar("Tvalues")
Tindices = typevar("Tindices", INDEX)
Tindex = typevar("Tindex", INDEX)
Tshape = typevar("Tshape", INDEX)
Tsplits = typevar("Tsplits", INDEX, default=dtypes.int64)
Step = typevar("T", kinds("bfloat16 float double int32 int64"), default=dtypes.int32)


def _filled(lengths: Any, starts: Any) -> Any:
    """start, start + 1, … for each row, concatenated: lengths [rows], starts [rows] -> [sum of lengths]."""
    lengths = np.asarray(lengths, np.intp)
    total = int(lengths.sum())
    ends = np.cumsum(lengths)
    return np.arange(total) - np.repeat(ends - lengths - np.asarray(starts, np.int64), lengths)


def _check(splits: Any, count: int) -> None:
    if not len(splits):
        raise invalid("ragged splits may not be empty.")
    if splits[0] != 0:
        raise invalid("First value of ragged splits must be 0.")
    if (np.diff(splits) < 0).any():
        raise invalid("Ragged splits must be sorted")
    if splits[-1] != count:
        raise invalid("Final value of ragged splits must match the length the corresponding ragged values.")


def _check_inside(splits: Any, limit: int) -> None:
    if not len(splits):
        raise invalid("Ragged splits may not be empty")
    if splits[0] < 0:
        raise invalid("Ragged splits must be non-negative")
    if splits[-1] > limit:
        raise invalid("Ragged splits must not point past values")
    if (np.diff(splits) < 0).any():
        raise invalid("Ragged splits must be sorted")


def _places(nested: Sequence[Any]) -> list[Any]:
    """The coordinates of each value: its row, its place in the row, its place in that, …, one array [values] an axis."""
    rows = [np.repeat(np.arange(len(splits) - 1), np.diff(splits).astype(np.intp)) for splits in nested]
    inner = [np.arange(len(row_ids)) - splits[row_ids] for row_ids, splits in zip(rows, nested)]
    # From the innermost axis outward: `at` is each value's row on the axis one further out.
    at = np.arange(len(rows[-1]))
    columns = []
    for level in range(len(nested) - 1, -1, -1):
        columns.append(inner[level][at])
        at = rows[level][at]
    return [at, *columns[::-1]]


def _range_shape(starts: Sym, limits: Sym, deltas: Sym, **_: Any) -> list[Shape]:
    count: int | None = None
    known = False
    for sym in (starts, limits, deltas):
        at_most(sym.shape, 1)
        if sym.shape:
            if known and None not in (count, sym.shape[0]) and count != sym.shape[0]:
                raise ShapeMismatch(f"Dimensions must be equal, but are {sym.shape[0]} and {count}")
            count = sym.shape[0] if count is None else count
            known = True
    if not known:
        unknown = any(sym.shape is None for sym in (starts, limits, deltas))
        return [(None if unknown else 2,), (None,)]
    return [(None if count is None else count + 1,), (None,)]


@op("RaggedRange", out="rt_nested_splits rt_dense_values", shape=_range_shape)
def ragged_range(
    xp: Any, starts: Step, limits: Step, deltas: Step, *, Tsplits: Tsplits = dtypes.int64
) -> tuple["Tsplits", Step]:
    """A row of numbers from start to limit (not included) for each element: starts, limits and deltas [n] or scalars ->
    rt_nested_splits [n + 1], rt_dense_values [values].

    Raises: InvalidArgumentError for a delta of 0.
    """
    parts = [np.asarray(v) for v in (starts, limits, deltas)]
    for part, name in zip(parts, ("starts", "limits", "deltas")):
        if part.ndim > 1:
            raise invalid(f"{name} must be a scalar or vector")
    counts = {len(p) for p in parts if p.ndim}
    if len(counts) > 1:
        raise invalid("starts, limits, and deltas must have the same shape")
    rows = counts.pop() if counts else 1
    first, last, step = (np.broadcast_to(p, (rows,)) for p in parts)
    if (step == 0).any():
        raise invalid("Requires delta != 0")
    if first.dtype.kind == "f":
        sizes = np.ceil(np.abs((last - first) / step))
    else:
        sizes = -((np.abs(last.astype(np.int64) - first)) // -np.abs(step.astype(np.int64)))
    sizes = np.where(((step > 0) & (first >= last)) | ((step < 0) & (first <= last)), 0, sizes).astype(np.intp)
    splits = np.concatenate([[0], np.cumsum(sizes)]).astype(Tsplits.as_numpy_dtype)
    values = np.repeat(first, sizes) + _filled(sizes, np.zeros(rows)).astype(first.dtype) * np.repeat(step, sizes)
    return splits, values.astype(first.dtype)


def _gather_shape(
    params_nested_splits: list[Sym], params_dense_values: Sym, indices: Sym, *, OUTPUT_RAGGED_RANK: int
) -> list[Any]:
    for sym in params_nested_splits:
        vector(sym)
    at_least(params_dense_values.shape, 1)
    rank = OUTPUT_RAGGED_RANK - len(params_nested_splits) + 1
    if indices.shape is not None and len(indices.shape) != rank:
        raise ShapeMismatch(f"Shape must be rank {rank} but is rank {len(indices.shape)}")
    values = params_dense_values.shape
    return [*[(None,)] * OUTPUT_RAGGED_RANK, None if values is None else (None, *values[1:])]


@op("RaggedGather", out="output_nested_splits output_dense_values", shape=_gather_shape)
def ragged_gather(
    xp: Any,
    params_nested_splits: Many[Tsplits, "PARAMS_RAGGED_RANK"],  # noqa: F821
    params_dense_values: Tvalues,
    indices: Tindices,
    *,
    OUTPUT_RAGGED_RANK: AtLeast[0],
) -> tuple[Many[Tsplits, "OUTPUT_RAGGED_RANK"], Tvalues]:  # noqa: F821
    """The rows of a ragged tensor at the indices: a list of splits [rows + 1], params_dense_values [values, ...],
    indices [i...] -> a list of splits, output_dense_values [n, ...].

    Raises: InvalidArgumentError for an index outside the rows.
    """
    values = np.asarray(params_dense_values)
    if not values.ndim:
        raise invalid("params.rank must be nonzero")
    if any(np.ndim(splits) == 0 for splits in params_nested_splits):
        raise invalid("Split tensors must not be scalars")
    chosen = np.asarray(indices)
    rows = chosen.reshape(-1).astype(np.int64)
    count = len(params_nested_splits[0]) - 1
    wrong = np.flatnonzero((rows < 0) | (rows >= count))
    if len(wrong):
        place = ",".join(map(str, np.unravel_index(wrong[0], chosen.shape)))
        raise invalid(f"indices[{place}] = {rows[wrong[0]]} is not in [0, {count})")
    for splits, following in zip(params_nested_splits, [*params_nested_splits[1:], None]):
        _check_inside(splits, len(values) if following is None else len(following))
    kind = params_nested_splits[0].dtype
    # The outer axes of the indices become ragged axes whose rows all have one length.
    nested = [
        np.arange(int(np.prod(chosen.shape[: i + 1])) + 1).astype(kind) * kind.type(chosen.shape[i + 1])
        for i in range(chosen.ndim - 1)
    ]
    for splits in params_nested_splits:
        lengths = splits[rows + 1] - splits[rows]
        nested.append(np.concatenate([[0], np.cumsum(lengths)]).astype(kind))
        rows = _filled(lengths, splits[rows])
    # One index takes one row, which has no splits of its own.
    return nested if chosen.ndim else nested[1:], values[rows]  # type: ignore[return-value]


@ragged_gather.grad
def _(op: Any, *gs: Any) -> Any:
    *nested, values, indices = op.inputs
    # The splits of the values into rows of the outermost axis.
    splits = nested[0]
    for inner in nested[1:]:
        splits = nodes.GatherV2(inner, splits, 0)
    rows = nodes.Reshape(indices, [-1])
    starts, limits = nodes.GatherV2(splits, rows, 0), nodes.GatherV2(splits[1:], rows, 0)
    with named(None, "RaggedRange") as scope:
        deltas = functions.cast(convert_to_tensor(1, name="deltas"), starts.dtype)
        places = ragged_range(starts, limits, deltas, name=scope).rt_dense_values
    return [*[None] * len(nested), IndexedSlices(gs[-1], places, functions.shape(values)), None]


def _sparse_shape(rt_nested_splits: list[Sym], rt_dense_values: Sym) -> list[Shape]:
    for sym in rt_nested_splits:
        vector(sym)
    at_least(rt_dense_values.shape, 1)
    values = rt_dense_values.shape
    rank = None if values is None else len(rt_nested_splits) + len(values)
    count: int | None = None
    if values is not None and None not in values:
        count = int(np.prod([d or 0 for d in values]))
    return [(count, rank), (count,), (rank,)]


@op("RaggedTensorToSparse", out="sparse_indices sparse_values sparse_dense_shape", shape=_sparse_shape)
def ragged_tensor_to_sparse(
    xp: Any, rt_nested_splits: Many[Tsplits, "RAGGED_RANK"], rt_dense_values: T  # noqa: F821
) -> tuple[dtypes.int64, T, dtypes.int64]:
    """A ragged tensor as a sparse one: a list of splits [rows + 1], rt_dense_values [values, ...] -> sparse_indices [n,
    rank], sparse_values [n], sparse_dense_shape [rank].

    Raises: InvalidArgumentError for splits that fall or do not end at the number of values.
    """
    nested = [np.ravel(splits) for splits in rt_nested_splits]
    for splits, following in itertools.pairwise(nested):
        _check(splits, len(following) - 1)
    _check(nested[-1], len(rt_dense_values) if np.ndim(rt_dense_values) else -1)
    inner = rt_dense_values.shape[1:]
    each = int(np.prod(inner))
    places = [np.repeat(column, each) for column in _places(nested)]
    behind = np.indices(inner).reshape(len(inner), each) if inner else ()
    columns = [*places, *(np.tile(column, len(rt_dense_values)) for column in behind)]
    sizes = [len(nested[0]) - 1, *_widths(nested), *inner]
    return np.stack(columns, 1).astype(np.int64), rt_dense_values.reshape(-1), np.array(sizes, np.int64)


@ragged_tensor_to_sparse.grad
def _(op: Any, _: Any, g: Any, *others: Any) -> Any:
    *nested, values = op.inputs
    return [*[None] * len(nested), nodes.Reshape(g, functions.shape(values))]


def _widths(nested: Sequence[Any]) -> list[int]:
    """The length of the longest row along each ragged axis."""
    return [int(np.diff(splits).max(initial=0)) for splits in nested]


def _too_deep(default: Sequence[int | None], values: Sequence[int | None]) -> str | None:
    """TF's text if the default has as many axes as the values or more, else None."""
    if len(default) < len(values):
        return None
    one, other = (shapes.fmt(tuple(s)).replace(" ", "") for s in (default, values))
    return (
        f"default_value.shape={one} and rt_input.flat_values.shape={other} are incompatible: default_value.rank = "
        f"{len(default)}  must be less than rt_input.flat_values.rank = {len(values)}"
    )


def _other_rank(shape: Any, rank: int) -> str:
    sizes = ",".join("?" if n < 0 else str(n) for n in shape)
    return (
        f"rt_input.shape and shape=[{sizes}] are incompatible: rt_input.rank = {rank} but shape.rank = {len(shape)}"
    )


def _dense_shape(
    shape: Sym, values: Sym, default_value: Sym, row_partition_tensors: list[Sym], *, row_partition_types: list[str]
) -> Shape:
    if len(row_partition_tensors) != len(row_partition_types):
        raise ShapeMismatch(
            f"Number of row partition tensors ({len(row_partition_tensors)}) does not equal the number of row partition "
            f"types({len(row_partition_types)})."
        )
    shape_value = shape.value
    shape.value_was_read = False
    if shape_value is not None and np.ndim(shape_value) == 0 and shape_value != -1:
        raise ShapeMismatch(
            "Received an invalid shape scalar with a static value that is not '-1': "
            f"Tensor<type: {runtime_name(shape.dtype)} shape: [] values: {shape_value}>"
        )
    for kind, sym in zip(row_partition_types, row_partition_tensors):
        if kind != "FIRST_DIM_SIZE" and sym.shape is not None and len(sym.shape) != 1:
            raise ShapeMismatch("Row partition must be a vector.")
    if values.shape is None:
        return None
    if default_value.shape is not None:
        apart = _too_deep(default_value.shape, values.shape)
        if apart:
            raise ShapeMismatch(apart)
    ragged_rank = sum(kind != "FIRST_DIM_SIZE" for kind in row_partition_types)
    first: int | None = None
    if row_partition_types and row_partition_types[0] == "ROW_SPLITS":
        length = of_rank(row_partition_tensors[0].shape, 1)[0]
        first = None if length is None else length - 1
    elif row_partition_types:
        known = row_partition_tensors[0].value
        first = None if known is None else int(known)
    sizes: list[int | None] = [first, *[None] * ragged_rank, *values.shape[1:]]
    if shape_value is not None and np.ndim(shape_value) == 1:
        if len(shape_value) != len(sizes):
            raise ShapeMismatch(_other_rank(shape_value, len(sizes)))
        return tuple(d if n < 0 else int(n) for d, n in zip(sizes, shape_value))
    if shape_value is None and shape.shape != ():
        return (None,) * len(sizes)
    return tuple(sizes)


@op("RaggedTensorToTensor", out="result", shape=_dense_shape)
def ragged_tensor_to_tensor(
    xp: Any,
    shape: Tshape,
    values: T,
    default_value: T,
    row_partition_tensors: Many[Tindex, "num_row_partition_tensors"],  # noqa: F821
    *,
    row_partition_types: list[str],
) -> T:
    """A ragged tensor as a dense one, short rows filled with the default: shape [rank] or -1, values [n, ...],
    default_value [...], a list of row partitions [rows + 1] or [n] -> [rows, longest row, ...]; a size of -1 is that of
    the longest row, another one cuts or fills.

    Raises: InvalidArgumentError when the ranks do not match.
    """
    apart = _too_deep(np.shape(default_value), np.shape(values))
    if apart:
        raise invalid(apart)
    nested = _splits_of(row_partition_types, row_partition_tensors)
    bounds = [len(nested[0]) - 1, *_widths(nested), *values.shape[1:]]
    if not np.ndim(shape):
        if shape != -1:
            raise invalid("The only valid scalar shape tensor is the fully unknown shape specified as -1.")
    else:
        if len(shape) != len(bounds):
            raise invalid(_other_rank(shape, len(bounds)))
        bounds = [b if n < 0 else int(n) for n, b in zip(shape.tolist(), bounds)]
    out = np.empty(bounds, values.dtype)
    out[...] = default_value
    places = [column[: len(values)] for column in _places(nested)]
    values = values[: len(places[0])]
    depth = len(places)
    inside = np.ones(len(places[0]), bool)
    for column, size in zip(places, bounds):
        inside &= column < size
    cut = tuple(slice(0, min(a, b)) for a, b in zip(bounds[depth:], values.shape[1:]))
    out[(*[column[inside] for column in places], *cut)] = values[(inside, *cut)]
    return out


def _splits_of(names: Sequence[str], tensors: Sequence[Any]) -> list[Any]:
    """Row partitions of any type (ROW_SPLITS, VALUE_ROWIDS) as splits, the outermost first."""
    nested: list[Any] = []
    rows = 0
    for name, tensor in zip(names, tensors):
        if not np.size(tensor):
            raise invalid("Invalid first partition input. Tensor requires at least one element.")
        tensor = np.ravel(tensor)
        if name == "FIRST_DIM_SIZE":
            rows = int(tensor[0])
            continue
        if name == "VALUE_ROWIDS":
            counts = np.bincount(tensor, minlength=rows)
            tensor = np.concatenate([[0], np.cumsum(counts)])
        elif name != "ROW_SPLITS":
            raise invalid(f"Unsupported row partition type: {name}")
        nested.append(tensor)
        rows = int(tensor[-1])
    return nested
