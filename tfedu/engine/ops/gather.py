"""Ops that pick by index: Gather, GatherNd, OneHot, and order and partition: TopK, DynamicStitch.

Indices are checked when the op runs; the error names the first bad one. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.dtypes import DType
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.composites import IndexedSlices
from ..op.define import AtLeast, Many, Sym, op, typevar
from ..op.gradient_rules import WHOLE_NUMBERS, of_places, product_of, rows_of, shape_for_rows, sum_of
from ..op.infer import constant_value
from ..op.shape_checks import (
    INDEX,
    WIDE_INDEX,
    Any_,
    Real,
    Tidx,
    after_prefix,
    as_array,
    at_least,
    axis_at,
    invalid,
    kinds,
    needs_rank,
    of_rank,
    same,
    scalar,
    size_of,
    sizes_of,
    text_of,
    unwrapped,
    vector,
)  # fmt: skip
from . import largest_with_nan

OutType = typevar("out_type", INDEX)


# -- picking -------------------------------------------------------------------------------------------------------


def _gathered(params: Any, indices: Any, axis: int) -> Any:
    wanted = np.asarray(indices)
    length = params.shape[axis]
    bad = wanted < 0
    if not bad.any():
        try:
            return params.take(wanted, axis)
        except IndexError:
            bad = wanted >= length
            if not bad.any():
                raise
    else:
        bad |= wanted >= length
    place = tuple(int(i) for i in np.argwhere(bad)[0]) if wanted.ndim else ()
    where = f"indices[{','.join(map(str, place))}]" if place else "indices"
    raise invalid(f"{where} = {wanted[place]} is not in [0, {length})")


def _not_scalar(params: Any) -> None:
    if not np.ndim(params):
        raise invalid("params must be at least 1 dimensional")


Tparams = typevar("Tparams")


@op("Gather", fresh=True)
def gather(
    xp: Any, params: Tparams, indices: typevar("Tindices", INDEX), *, validate_indices: bool = True
) -> Tparams:
    """The rows of params at the indices: params [n, ...], indices [i...] -> [i..., ...].

    Raises: InvalidArgumentError for an index outside [0, n).
    """
    _not_scalar(params)
    return _gathered(params, indices, 0)


@gather.shape
def _(params: Sym, indices: Sym, *, validate_indices: bool) -> Shape:
    rows = at_least(params.shape, 1)
    if rows is None or indices.shape is None:
        return None
    return (*indices.shape, *rows[1:])


gather.grad(lambda op, g: (rows_of(shape_for_rows(op.inputs[0]), op.inputs[1], g), None))


@op("GatherV2", fresh=True)
def gather_v2(
    xp: Any,
    params: Tparams,
    indices: typevar("Tindices", WIDE_INDEX),
    axis: typevar("Taxis", INDEX),
    *,
    batch_dims: int = 0,
) -> Tparams:
    """The slices of params at the indices along an axis: params [n, ...], indices [i...], axis scalar -> [i..., ...]
    for axis 0; params and indices share their first batch_dims axes.

    Raises: InvalidArgumentError for an index outside [0, n).
    """
    needs_rank(axis, 0, "axis must be scalar")
    _not_scalar(params)
    at = axis_at(axis, params.ndim, "Expected axis in the range [-{rank}, {rank}), but got {at}")
    if not batch_dims:
        return _gathered(params, indices, at)
    rank = np.ndim(indices)
    if not -rank <= batch_dims <= rank:
        raise invalid(f"Expected batch_dims in the range [{-rank}, {rank}], but got {batch_dims}")
    batch = batch_dims + rank if batch_dims < 0 else batch_dims
    if batch >= params.ndim:
        raise invalid(f"batch_dims ({batch}) must be less than rank(params) ({params.ndim}).")
    if at < batch:
        raise invalid(f"batch_dims ({batch}) must be less than or equal to axis ({at}).")
    if params.shape[:batch] != indices.shape[:batch]:
        place = next(i for i in range(batch) if params.shape[i] != indices.shape[i])
        raise invalid(
            f"params.shape[{place}]: {params.shape[place]} should be equal to indices.shape[{place}]: {indices.shape[place]}"
        )
    count = int(np.prod(params.shape[:batch]))
    rows = params.reshape(count, *params.shape[batch:])
    picks = indices.reshape(count, *indices.shape[batch:])
    slices = [np.asarray(_gathered(row, pick, at - batch)) for row, pick in zip(rows, picks)]
    rest = (
        slices[0].shape
        if slices
        else (*params.shape[batch:at], *indices.shape[batch:], *params.shape[at + 1 :])
    )
    return np.array(slices, params.dtype).reshape(*params.shape[:batch], *rest)


@gather_v2.shape
def _(params: Sym, indices: Sym, axis: Sym, *, batch_dims: int) -> Shape:
    scalar(axis)
    params_shape, picks = at_least(params.shape, 1), indices.shape
    if params_shape is None or picks is None:
        return None
    at = axis.value
    batch = batch_dims + len(picks) if batch_dims < 0 else batch_dims
    if batch < 0:
        at_least(picks, -batch_dims)
    if at is None:
        return (None,) * (len(params_shape) - 1 + len(picks) - batch)
    at = int(at)
    at_least(params_shape, at + 1 if at >= 0 else -at)
    at %= len(params_shape)
    return (*params_shape[:at], *picks[batch:], *params_shape[at + 1 :])


@gather_v2.grad
def _(op: Any, g: Any) -> Any:
    params, indices, axis = op.inputs
    batch = op.attrs["batch_dims"]
    if batch < 0:
        batch += len(indices.raw_shape)
    sizes = shape_for_rows(params)
    if constant_value(axis) == 0:
        return rows_of(sizes, indices, g), None, None
    outer, inner = sizes[:axis], sizes[axis:][1:]
    picked = functions.concat([outer, [-1], inner], 0)
    rank, place = functions.size(picked), functions.size(outer)
    first, middle = functions.range(batch), functions.range(batch, place)
    last = functions.range(place + 1, rank)
    values = nodes.Reshape(g, picked)
    moved = functions.transpose(values, functions.concat([first, [place], middle, last], 0))
    sums = _summed_rows(sizes, moved, indices, batch, sizes[axis])
    back = functions.concat([first, middle + 1, [batch], last], 0)
    return functions.transpose(sums, back), None, None


def _summed_rows(sizes: Any, values: Any, indices: Any, batch: int, length: Any) -> Any:
    """The sum of the values for each of `length` rows; values and indices share their first `batch` axes."""
    count = nodes.ExpandDims(functions.size(indices), 0)
    if batch:
        value_sizes = functions.shape(values)
        outer, inner = value_sizes[:batch], value_sizes[batch:][1:]
        flat = functions.concat([[-1], inner], 0)
        length = length * nodes.Prod(outer, [0])
        indices = _offset_by_batch(sizes, indices, batch)
        values = nodes.Reshape(values, flat)
    sums = nodes.UnsortedSegmentSum(values, nodes.Reshape(indices, count), length)
    return nodes.Reshape(sums, functions.concat([outer, flat], 0)) if batch else sums


def _offset_by_batch(sizes: Any, indices: Any, batch: int) -> Any:
    """Indices into each batch's own rows, converted to indices into the rows of all batches."""
    dtype, rank = indices.dtype.base_dtype, len(indices.raw_shape)
    sizes = functions.cast(sizes, dtype)
    step = functions.ones((), dtype=dtype)
    for axis in range(batch, 0, -1):
        count = sizes[axis - 1]
        step = step * sizes[axis]
        starts = functions.range(functions.zeros((), dtype=dtype), count, functions.ones((), dtype=dtype)) * step
        along = functions.stack([1] * (axis - 1) + [count] + [1] * (rank - axis), axis=0)
        indices = indices + nodes.Reshape(starts, along)
    return indices


@op("GatherNd", fresh=True)
def gather_nd(xp: Any, params: Tparams, indices: typevar("Tindices", WIDE_INDEX)) -> Tparams:
    """The slices of params at coordinates: params [d...], indices [i..., k] -> [i..., d[k:]...].

    Raises: InvalidArgumentError for coordinates outside params.
    """
    for what, value in (("params", params), ("indices", indices)):
        if not np.ndim(value):
            raise invalid(f"{what} must be at least a vector")
    depth = indices.shape[-1]
    if depth > params.ndim:
        raise invalid(
            f"index innermost dimension length must be <= params rank; saw: {depth} vs. {params.ndim}"
        )
    if indices.size and not params.size:
        raise invalid(f"Requested more than 0 entries, but params is empty.  Params shape: {text_of(params.shape)}")
    sizes = np.array(params.shape[:depth], np.int64)
    bad = ((indices < 0) | (indices >= sizes)).any(axis=-1)
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        raise invalid(
            f"indices{text_of(place) if place else ''} = {indices[place].tolist()} does not index into "
            f"param shape {text_of(params.shape)}"
        )
    if not depth:  # an index without coordinates names all of params
        return unwrapped(np.array(np.broadcast_to(params, (*indices.shape[:-1], *params.shape))))
    return unwrapped(np.asarray(params[tuple(np.moveaxis(indices, -1, 0))]))


@gather_nd.shape
def _(params: Sym, indices: Sym) -> Shape:
    return gather_nd_shape(params.shape, indices)


@gather_nd.grad
def _(op: Any, g: Any) -> Any:
    params, indices = op.inputs
    return of_places(functions.shape(params, out_type=indices.dtype), indices, g), None


def gather_nd_shape(params_shape: Shape, indices: Sym) -> Shape:
    """The shape of GatherNd's result: params [d...], indices [i..., k] -> [i..., d[k:]...]."""
    picks = at_least(indices.shape, 1)
    if params_shape is None or picks is None or picks[-1] is None:
        return None
    depth = picks[-1]
    if depth > len(params_shape):
        raise ShapeMismatch(
            f"indices.shape[-1] must be <= params.rank, but saw indices shape: {shapes.fmt(picks)} and params shape: "
            f"{shapes.fmt(params_shape)}"
        )
    return (*picks[:-1], *params_shape[depth:])


@op("InvertPermutation", not_differentiable=WHOLE_NUMBERS, out="y", fresh=True)
def invert_permutation(xp: Any, x: typevar("T", INDEX, default=dtypes.int32)) -> "T":  # noqa: F821
    """The inverse permutation, y[x[i]] = i: x [n] -> y [n].

    Raises: InvalidArgumentError when x is no permutation of 0 ... n - 1.
    """
    needs_rank(x, 1, "invert_permutation expects a 1D vector.")
    out = np.full(x.shape, -1, x.dtype)
    for i, at in enumerate(x.tolist()):
        if not 0 <= at < len(x):
            raise invalid(f"{at} is not between 0 and {len(x)}")
        if out[at] != -1:
            raise invalid(f"{at} is duplicated in the input.")
        out[at] = i
    return out


@invert_permutation.shape
def _(x: Sym) -> Shape:
    return (vector(x),)


@op("OneHot", not_differentiable=WHOLE_NUMBERS, fresh=True)
def one_hot(
    xp: Any,
    indices: typevar("TI", kinds("uint8 int8 int32 int64"), default=dtypes.int64),
    depth: dtypes.int32,
    on_value: Any_,
    off_value: Any_,
    *,
    axis: int = -1,
) -> Any_:
    """on_value at the position that each index says along a new axis, off_value elsewhere: indices [i...], depth,
    on_value and off_value scalars -> [i..., depth] for axis -1.

    Raises: InvalidArgumentError for a negative depth.
    """
    needs_rank(depth, 0, "depth must be a scalar, but got: {shape}")
    needs_rank(on_value, 0, "on_value must be a scalar, but got: {shape}")
    needs_rank(off_value, 0, "off_value must be a scalar, but got: {shape}")
    rank = np.ndim(indices) + 1
    if axis != -1 and not 0 <= axis < rank:
        raise invalid(f"Expected axis to be -1 or between [0, {rank}).  But received: {axis}")
    if depth < 0:
        raise invalid(f"depth must be non-negative, got: {depth}")
    places = np.expand_dims(as_array(indices), axis)
    counter = np.arange(int(depth)).reshape(
        [-1 if i == axis % places.ndim else 1 for i in range(places.ndim)]
    )
    return np.where(places == counter, as_array(on_value), as_array(off_value))


@one_hot.shape
def _(indices: Sym, depth: Sym, on_value: Sym, off_value: Sym, *, axis: int) -> Shape:
    if axis < -1:
        raise ShapeMismatch("axis must be >= -1")
    indices_shape, count = indices.shape, size_of(depth, 1)
    if indices_shape is None:
        return None
    at = len(indices_shape) if axis == -1 else min(axis, len(indices_shape))
    return (*indices_shape[:at], count, *indices_shape[at:])


# -- order, partition ----------------------------------------------------------------------------------------------


def _largest(input: Any, k: int, is_sorted: bool = True) -> tuple[Any, Any]:
    if k < 0:
        raise invalid(f"Need k >= 0, got {k}")
    if not input.ndim:
        raise invalid("input must be >= 1-D, got shape []")
    if input.shape[-1] < k:
        raise invalid(f"input must have at least k columns. Had {input.shape[-1]}, needed {k}")
    rows = input.reshape(shapes.num_elements(input.shape[:-1]), input.shape[-1])
    order = _positions_of_largest(rows, k)
    if order is None:
        order = _descending(rows)[:, :k]
    if input.dtype.kind == "f":
        for i in np.flatnonzero(np.isnan(rows).any(axis=1)):
            order[i] = largest_with_nan.order(rows[i].tolist(), k, is_sorted)
    order = order.reshape(*input.shape[:-1], k)
    return np.take_along_axis(input, order, -1), order


def _descending(rows: Any) -> Any:
    """The positions of each row's elements in falling order; equal elements keep their order."""
    return rows.shape[-1] - 1 - np.argsort(rows[:, ::-1], axis=-1, kind="stable")[:, ::-1]


def _positions_of_largest(rows: Any, k: int) -> Any:
    """The positions of each row's k largest elements without sorting the rest; None where this does not work or pay.

    Each row is divided into groups. At least k elements are as large as the k-th largest of the groups' maxima, so that this
    maximum is a threshold which all of the k largest elements reach, and few others.
    """
    count, length = rows.shape
    if not 0 < 8 * k <= length:
        return None
    groups = length // min(16, length // (2 * k))
    tops = rows[:, :groups].copy()
    for start in range(groups, length, groups):
        members = rows[:, start : start + groups]
        np.maximum(tops[:, : members.shape[1]], members, out=tops[:, : members.shape[1]])
    if (tops != tops).any():  # NaN is never above a threshold
        return None
    threshold = np.partition(tops, groups - k, axis=-1)[:, groups - k, None]
    chosen = np.flatnonzero(rows >= threshold)[::-1]
    if chosen.size > count * length // 4:  # many elements equal the threshold
        return None
    row, place = np.divmod(chosen, length)
    # `chosen` runs backwards: a stable rising sort read from its end falls, with equal elements in their order.
    place = place[np.lexsort((rows[row, place], -row))][::-1]
    counts = np.bincount(row, minlength=count)
    return place[(np.cumsum(counts) - counts)[:, None] + np.arange(k)]


def _largest_shape(input: Sym, k: int | None) -> list[Shape]:
    input_shape = at_least(input.shape, 1)
    if input_shape is None:
        return [None, None]
    if k is not None:
        if k < 0:
            raise ShapeMismatch(f"Need k >= 0, got {k}")
        if input_shape[-1] is not None and input_shape[-1] < k:
            raise ShapeMismatch(f"input must have last dimension >= k = {k} but is {input_shape[-1]}")
    return [(*input_shape[:-1], k)] * 2


@op("TopKV2", out="values indices", fresh=True)
def top_k_v2(
    xp: Any,
    input: Real,
    k: typevar("Tk", WIDE_INDEX, default=dtypes.int32),
    *,
    sorted: bool = True,
    index_type: typevar("index_type", WIDE_INDEX) = dtypes.int32,
) -> tuple[Real, "index_type"]:  # noqa: F821
    """The k largest elements along the last axis, in falling order, and their positions: input [..., n], k scalar ->
    values [..., k], indices [..., k].

    Raises: InvalidArgumentError unless 0 <= k <= n.
    """
    needs_rank(k, 0, "k must be scalar, got shape {shape}")
    values, order = _largest(input, int(k), sorted)
    return values, order.astype(index_type.numpy)


@top_k_v2.shape
def _(input: Sym, k: Sym, *, sorted: bool, index_type: DType) -> list[Shape]:
    at_least(input.shape, 1)
    return _largest_shape(input, size_of(k, 1))


@top_k_v2.grad
def _(op: Any, g: Any, _: Any) -> Any:
    x, places = op.inputs[0], op.outputs[1]
    sizes, kept = functions.shape(x), functions.shape(places)
    count = gather_v2(functions.cast(kept, dtypes.int64), functions.size(kept) - 1, 0)
    rows = nodes.Reshape(places, functions.stack([-1, count]))
    length = gather_v2(functions.cast(sizes, dtypes.int64), functions.size(sizes) - 1, 0)
    ends = functions.cast(functions.shape(rows)[0], dtypes.int64) * length
    starts = functions.cast(nodes.ExpandDims(functions.range(0, ends, length), -1), dtypes.int32)
    flat = nodes.ExpandDims(nodes.Reshape(rows + starts, [-1]), -1)
    spread = nodes.ScatterNd(flat, nodes.Reshape(g, [-1]), [product_of(sizes)])
    return nodes.Reshape(spread, sizes), functions.zeros([], dtype=dtypes.int32)


def _among_largest(predictions: Any, targets: Any, k: int) -> Any:
    needs_rank(predictions, 2, "predictions must be 2-dimensional")
    needs_rank(targets, 1, "targets must be 1-dimensional")
    rows, classes = predictions.shape
    if rows != len(targets):
        raise invalid(f"First dimension of predictions {rows} must match length of targets {len(targets)}")
    inside = (targets >= 0) & (targets < classes)
    safe = np.where(inside, targets, 0)
    score = predictions[np.arange(rows), safe]
    better = (predictions > score[:, None]).sum(axis=1)
    finite = np.isfinite(predictions).all(axis=1)
    return inside & finite & (better < k)


def _among_shape(predictions: Sym, targets: Sym) -> Shape:
    return (same(of_rank(predictions.shape, 2)[0], vector(targets)),)


@op(
    "InTopK",
    out="precision",
    shape=lambda predictions, targets, *, k: _among_shape(predictions, targets),
    fresh=True,
)
def in_top_k(
    xp: Any, predictions: dtypes.float32, targets: typevar("T", INDEX, default=dtypes.int32), *, k: int
) -> dtypes.bool:
    """Whether each target class is among the k best predictions of its row: predictions [n, c], targets [n] -> [n]."""
    return _among_largest(predictions, targets, k)


@op(
    "InTopKV2",
    out="precision",
    shape=lambda predictions, targets, k: _among_shape(predictions, targets),
    fresh=True,
)
def in_top_k_v2(
    xp: Any,
    predictions: dtypes.float32,
    targets: typevar("T", INDEX, default=dtypes.int32),
    k: "T",  # noqa: F821
) -> dtypes.bool:
    """Whether each target class is among the k best predictions of its row: predictions [n, c], targets [n], k scalar
    -> [n].
    """
    needs_rank(k, 0, "k must be 0-D, got shape {shape}")
    return _among_largest(predictions, targets, int(k))


@op("DynamicPartition", out="outputs", fresh=True)
def dynamic_partition(
    xp: Any, data: Any_, partitions: dtypes.int32, *, num_partitions: AtLeast[1]
) -> Many[Any_, "num_partitions"]:  # noqa: F821
    """Sorts the slices of data into partitions: data [i..., ...], partitions [i...] -> num_partitions times [n, ...].

    Raises: InvalidArgumentError for a partition outside [0, num_partitions).
    """
    array, parts = as_array(data), as_array(partitions)
    if array.shape[: parts.ndim] != parts.shape:
        both = f"data.shape = {text_of(array.shape)}, partitions.shape = {text_of(parts.shape)}"
        raise invalid(f"data.shape must start with partitions.shape, got {both}")
    bad = (parts < 0) | (parts >= num_partitions)
    if bad.any():
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise invalid(f"partitions{list(at) if at else ''} = {parts[at]} is not in [0, {num_partitions})")
    return [array[parts == i] for i in range(num_partitions)]


@dynamic_partition.shape
def _(data: Sym, partitions: Sym, *, num_partitions: int) -> list[Shape]:
    rest = after_prefix(data.shape, partitions.shape)
    return [None if rest is None else (None, *rest)] * num_partitions


@dynamic_partition.grad
def _(op: Any, *gs: Any) -> Any:
    data, partitions = op.inputs
    sizes = functions.shape(partitions)
    places = nodes.Reshape(functions.range(product_of(sizes)), sizes)
    parts = dynamic_partition(places, partitions, op.attrs["num_partitions"])
    return nodes.Reshape(dynamic_stitch(parts, list(gs)), functions.shape(data)), None


def _stitched(indices: list[Any], data: list[Any]) -> Any:
    places = [as_array(i) for i in indices]
    rows = [as_array(d) for d in data]
    rest = rows[0].shape[places[0].ndim :]
    for i, (place, row) in enumerate(zip(places, rows)):
        if row.shape[: place.ndim] != place.shape:
            raise invalid(
                f"data[{i}].shape = {text_of(row.shape)} does not start with indices[{i}].shape = {text_of(place.shape)}"
            )
        if row.shape[place.ndim :] != rest:
            raise invalid(
                f"Need data[0].shape[{places[0].ndim}:] = data[{i}].shape[{place.ndim}:], got data[0].shape = "
                f"{text_of(rows[0].shape)}, data[{i}].shape = {text_of(row.shape)}, indices[0].shape = "
                f"{text_of(places[0].shape)}, indices[{i}].shape = {text_of(place.shape)}"
            )
    for i, place in enumerate(places):
        if (place < 0).any():
            raise invalid(f"indices[{i}] is out of range")
    count = max((int(p.max()) + 1 for p in places if p.size), default=0)
    out = np.zeros((count, *rest), rows[0].dtype)
    for place, row in zip(places, rows):
        out[place.reshape(-1)] = row.reshape(-1, *rest)
    return out


def _stitched_shape(indices: list[Sym], data: list[Sym]) -> Shape:
    rest: Shape = None
    count: int | None = 0
    for place, row in zip(indices, data):
        value = place.value
        count = None if count is None or value is None else max(count, int(np.max(value, initial=-1)) + 1)
        rest = shapes.merge(rest, after_prefix(row.shape, place.shape))
    return None if rest is None else (count, *rest)


@op("DynamicStitch", out="merged", shape=_stitched_shape, fresh=True)
def dynamic_stitch(xp: Any, indices: Many[dtypes.int32], data: Many[Any_]) -> Any_:
    """Puts the slices of data at the positions in indices: lists indices [i...] and data [i..., ...] -> merged [largest
    index + 1, ...]; a later slice overwrites an earlier one.

    Raises: InvalidArgumentError for a negative index.
    """
    return _stitched(indices, data)


@dynamic_stitch.grad
def _of_stitch(op: Any, g: Any) -> Any:
    count = len(op.inputs) // 2
    indices = [functions.cast(i, dtypes.int32) for i in op.inputs[:count]]
    if isinstance(g, IndexedSlices):
        merged = op.outputs[0]
        rows = merged.raw_shape[0] if shapes.is_full(merged.raw_shape) else functions.shape(merged)[0]
        g = nodes.UnsortedSegmentSum(g.values, g.indices, rows)
    return [*[None] * count, *[gather_v2(g, i, 0) for i in indices]]


@op("ParallelDynamicStitch", out="merged", shape=_stitched_shape, fresh=True)
def parallel_dynamic_stitch(xp: Any, indices: Many[dtypes.int32], data: Many[Any_]) -> Any_:
    """Puts the slices of data at the positions in indices: lists indices [i...] and data [i..., ...] -> merged [largest
    index + 1, ...].

    Raises: InvalidArgumentError for a negative index.
    """
    return _stitched(indices, data)


parallel_dynamic_stitch.grad(_of_stitch)


@op(
    "CheckNumerics", shape=lambda tensor, *, message: tensor.shape, stateful=True, role="identity",
    gradient="dx = g",
)
def check_numerics(
    xp: Any, tensor: typevar("T", kinds("bfloat16 half float double")), *, message: str
) -> "T":  # noqa: F821
    """The input itself: any shape -> the same shape.

    Raises: InvalidArgumentError with `message` when it holds an infinity or NaN.
    """
    if not xp.isfinite(tensor).all():
        bad_kinds = [
            name for name, bad in (("Inf", xp.isinf(tensor).any()), ("NaN", xp.isnan(tensor).any())) if bad
        ]
        raise invalid(f"{message} : Tensor had {' and '.join(bad_kinds)} values")
    return tensor


@check_numerics.grad
def _(op: Any, g: Any) -> Any:
    message = op.attrs["message"]
    text = message.decode("utf-8", "replace") if isinstance(message, bytes) else message
    return check_numerics(g, f"Not a number (NaN) or infinity (Inf) values detected in gradient. {text}")


@op("SparseToDense", out="dense", fresh=True)
def sparse_to_dense(
    xp: Any,
    sparse_indices: typevar("Tindices", INDEX),
    output_shape: "Tindices",  # noqa: F821
    sparse_values: Any_,
    default_value: Any_,
    *,
    validate_indices: bool = True,
) -> Any_:
    """A dense tensor of one value with others at coordinates: sparse_indices [n, rank], [n] or scalar, output_shape
    [rank], sparse_values [n] or scalar, default_value scalar -> a tensor of output_shape.

    Raises: InvalidArgumentError for indices outside it, and with validate_indices for repeated or unsorted ones.
    """
    default, places = as_array(default_value), as_array(sparse_indices)
    if places.ndim > 2:
        raise invalid(f"sparse_indices should be a scalar, vector, or matrix, got shape {text_of(places.shape)}")
    count, depth = 1 if not places.ndim else places.shape[0], places.shape[1] if places.ndim == 2 else 1
    needs_rank(output_shape, 1, "output_shape must be rank 1, got shape {shape}")
    if len(output_shape) != depth:
        raise invalid(f"output_shape has incorrect number of elements: {len(output_shape)} should be: {depth}")
    if np.shape(sparse_values) not in ((), (count,)):
        raise invalid(f"sparse_values has incorrect shape {text_of(np.shape(sparse_values))}, should be [] or [{count}]")
    needs_rank(default, 0, "default_value should be a scalar.")
    for n in output_shape.tolist():
        if n < 0:
            raise invalid(f"Dimension {n} must be >= 0")
    out = np.full([int(n) for n in output_shape], default, default.dtype)
    places = np.asarray(sparse_indices).reshape(-1, out.ndim)
    for i, place in enumerate(places.tolist()):
        if any(not 0 <= at < n for at, n in zip(place, out.shape)):
            if not validate_indices:
                raise invalid(f"Indices are not valid (out of bounds).  Shape: {text_of(out.shape)}")
            raise invalid(
                f"indices[{i}] = {text_of(place)} is out of bounds: need 0 <= index < {text_of(out.shape)}"
            )
        if validate_indices and i and place <= places[i - 1].tolist():
            same_place = place == places[i - 1].tolist()
            what = "repeated" if same_place else "out of order. Many sparse ops require sorted indices."
            raise invalid(f"indices[{i}] = {text_of(place)} is {what}")
    out[tuple(places.T)] = sparse_values
    return out


@sparse_to_dense.shape
def _(
    sparse_indices: Sym, output_shape: Sym, sparse_values: Sym, default_value: Sym, *, validate_indices: bool
) -> Shape:
    vector(output_shape)
    return sizes_of(output_shape)


@sparse_to_dense.grad
def _(op: Any, g: Any) -> Any:
    indices, sizes = op.inputs[:2]
    dx = gather_nd(g, indices)
    d_default = sum_of(g) - sum_of(dx)
    return functions.zeros_like(indices), functions.zeros_like(sizes), dx, d_default


@op("UnravelIndex", fresh=True)
def unravel_index(
    xp: Any,
    indices: typevar("Tidx", INDEX, default=dtypes.int32),
    dims: "Tidx",
) -> "Tidx":
    """The coordinates of elements of a flattened tensor: indices [n] or scalar, dims [rank] -> [rank, n] or [rank].

    Raises: InvalidArgumentError for an index outside the tensor.
    """
    if np.ndim(indices) > 1:
        raise invalid(f'The indices can only be scalar or vector, got "{text_of(np.shape(indices))}"')
    needs_rank(dims, 1, 'The indices can only be 1-D, got "{shape}"')
    for i, n in enumerate(dims.tolist()):
        if n < 0:
            raise invalid(f"Input dims cannot be negative. Got dim = {n} at index {i}")
    count = int(np.prod(dims))
    if ((indices < 0) | (indices >= count)).any():
        raise invalid("index is out of bound as with dims")
    return np.array(np.unravel_index(indices, [int(n) for n in dims]), indices.dtype)


@unravel_index.shape
def _(indices: Sym, dims: Sym) -> Shape:
    rank = vector(dims)
    if indices.shape is None:
        return None
    return (rank,) if not indices.shape else (rank, shapes.num_elements(indices.shape))


def _bounds(sorted_inputs: Any, values: Any, side: str, dtype: DType) -> Any:
    needs_rank(sorted_inputs, 2, f"Shape must be rank 2 but is rank {np.ndim(sorted_inputs)} for `sorted_inputs` argument")
    needs_rank(values, 2, f"Shape must be rank 2 but is rank {np.ndim(values)} for `values` argument")
    if len(sorted_inputs) != len(values):
        raise invalid("Leading dim_size of both tensors must match.")
    rows = [np.searchsorted(row, wanted, side=side) for row, wanted in zip(sorted_inputs, values)]
    return np.array(rows, dtype.numpy).reshape(values.shape)


def _bounds_shape(sorted_inputs: Sym, values: Sym, *, out_type: DType) -> Shape:
    of_rank(sorted_inputs.shape, 2)
    of_rank(values.shape, 2)
    return values.shape


@op("LowerBound", shape=_bounds_shape, fresh=True)
def lower_bound(
    xp: Any, sorted_inputs: Any_, values: Any_, *, out_type: OutType = dtypes.int32
) -> "out_type":  # noqa: F821
    """The first position in its sorted row at which each value could be inserted: sorted_inputs [n, m], values [n, k]
    -> [n, k].
    """
    return _bounds(sorted_inputs, values, "left", out_type)


@op("UpperBound", shape=_bounds_shape, fresh=True)
def upper_bound(
    xp: Any, sorted_inputs: Any_, values: Any_, *, out_type: OutType = dtypes.int32
) -> "out_type":  # noqa: F821
    """The last position in its sorted row at which each value could be inserted: sorted_inputs [n, m], values [n, k] ->
    [n, k].
    """
    return _bounds(sorted_inputs, values, "right", out_type)
