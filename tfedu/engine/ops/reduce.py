"""Reductions over axes (Sum, Mean, Max, All, …), the positions of extremes, and sums by segment.

A reduction of `input [d...]` has the shape without the reduced axes, or with 1 there if `keep_dims`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..backends.combined_rows import combine_rows
from ..backends.repeated import repeated
from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.constant import constant
from ..op.define import Sym, op, typevar
from ..op.gradient_rules import NO_RULE_IN_TF, flat, product_of, quotient, reduced_shape, repeated_over
from ..op.shape_checks import (
    INDEX,
    REALS_AND_QUANTIZED,
    WIDE_INDEX,
    Number,
    Real,
    Tidx,
    as_array,
    at_least,
    at_most,
    axes_of,
    invalid,
    kinds,
    needs_rank,
    outside_segments,
    scalar,
    size_of,
    text_of,
)  # fmt: skip

RealOrQuantized = typevar("T", REALS_AND_QUANTIZED)


def _reduced_shape(input: Sym, reduction_indices: Sym, *, keep_dims: bool) -> Shape:
    at_most(reduction_indices.shape, 1)
    shape, axes = input.shape, reduction_indices.value
    if shape is None:
        return None
    if axes is None:
        return (None,) * len(shape) if keep_dims else None
    wanted = [int(i) for i in np.ravel(axes)]
    rank = len(shape)
    reduced = set()
    for i in wanted:
        if not -rank <= i < rank:
            raise ShapeMismatch(f"Invalid reduction dimension {i} for input with {rank} dimensions.")
        reduced.add(i % rank)
    if keep_dims:
        return tuple(1 if i in reduced else size for i, size in enumerate(shape))
    return tuple(size for i, size in enumerate(shape) if i not in reduced)


def _reduction(type: str, function: Callable[..., Any], T: Any, doc: str, name: str, **options: Any) -> Any:
    """A reduction over axes. function(xp, array, axes, keep_dims): its kernel; doc: its meaning, without a full stop."""

    def kernel(xp: Any, input: Any, reduction_indices: Any, *, keep_dims: bool = False) -> Any:
        array = xp.asarray(input)
        axes = axes_of(reduction_indices, array.ndim)
        if array.dtype.kind == "V" and not array.dtype.names:
            wide = function(xp, dtypes.bfloat16_values(array), axes, keep_dims)
            return dtypes.bfloat16_bits(wide)[()]
        return function(xp, array, axes, keep_dims)

    shapes_in_words = "any shape, axes a scalar or [k] -> the shape without those axes, or with 1 there if keep_dims."
    kernel.__name__, kernel.__doc__ = name, f"{doc}: {shapes_in_words}"
    kernel.__annotations__ = {"input": T, "reduction_indices": Tidx, "keep_dims": bool, "return": T}
    facts = {"role": "reduction", "raw_names": {"reduction_indices": "axis"}, **options}
    return op(type, shape=_reduced_shape, value_safe=True, **facts)(kernel)


# From this size on a product with ones is faster than NumPy's sum, which adds short rows one by one.
_MIN_PRODUCT_SIZE = 1 << 12
# A long row is summed in pieces of this size, then the pieces' sums: each number is rounded less often.
_PIECE = 1 << 12


def summed(array: Any, axes: tuple[int, ...], keep: bool = False) -> Any:
    """The sum over axes, in the array's dtype; as a product with ones where the axes are adjacent in memory."""
    first, last = min(axes, default=0), max(axes, default=-1) + 1
    if (
        array.size < _MIN_PRODUCT_SIZE
        or array.dtype.char not in "fd"
        or last - first != len(axes)
        or not axes
        or not isinstance(array, np.ndarray)
        or not array.flags.c_contiguous
    ):
        return array.sum(axis=axes, keepdims=keep, dtype=array.dtype)
    shape = array.shape
    count, behind = math.prod(shape[first:last]), math.prod(shape[last:])
    if count == 1 or (count == array.size and count < 8 * _PIECE):
        return array.sum(axis=axes, keepdims=keep)
    if count == array.size:
        flat = array.reshape(-1)
        pieces = flat[: count - count % _PIECE].reshape(-1, _PIECE) @ repeated(1, _PIECE, array.dtype)
        total = pieces.sum() + flat[count - count % _PIECE :].sum()
    elif behind == 1:
        total = array.reshape(-1, count) @ repeated(1, count, array.dtype)
    elif first == 0:  # one product; the general case below needs one for each matrix of a stack
        total = repeated(1, count, array.dtype) @ array.reshape(count, behind)
    else:
        total = repeated(1, count, array.dtype) @ array.reshape(-1, count, behind)
    return total.reshape((*shape[:first], *((1,) * len(axes) if keep else ()), *shape[last:]))[()]


def _mean(xp: Any, array: Any, axes: tuple[int, ...], keep: bool) -> Any:
    count = 1
    for axis in axes:
        count *= array.shape[axis]
    if array.dtype.kind not in "iu":
        return summed(array, axes, keep) / array.dtype.type(count)
    wide = np.uint64 if array.dtype.kind == "u" else np.int64
    total = array.sum(axis=axes, keepdims=keep, dtype=wide)
    # Integers are rounded towards 0; the mean of no elements is 0.
    return (np.sign(total) * (np.abs(total) // wide(max(count, 1)))).astype(array.dtype)


def _extreme(function: str) -> Callable[..., Any]:
    def reduce(xp: Any, array: Any, axes: tuple[int, ...], keep: bool) -> Any:
        if array.dtype.kind == "f":
            start = -np.inf if function == "max" else np.inf
        else:
            limits = np.iinfo(array.dtype)
            start = limits.min if function == "max" else limits.max
        if array.size:
            return getattr(array, function)(axis=axes, keepdims=keep)
        sizes = [1 if at in axes else size for at, size in enumerate(array.shape) if keep or at not in axes]
        return xp.full(sizes, start, array.dtype)[()]

    return reduce


sum_ = _reduction(
    "Sum",
    lambda xp, x, axes, keep: summed(x, axes, keep),
    Number,
    "The sum over axes",
    "sum_",
    gradient="dx[i] = g",
    multiplies=True,
)
sum_.grad(lambda op, g: (repeated_over(op, g), None))
mean = _reduction(
    "Mean", _mean, Number, "The mean over axes, rounded towards 0 for integers", "mean",
    gradient="dx[i] = g / n", multiplies=True,
)


@mean.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    spread = repeated_over(op, g)
    if shapes.is_full(x.raw_shape) and shapes.is_full(y.raw_shape):
        count = int(np.prod(x.raw_shape)) // max(int(np.prod(y.raw_shape)), 1)
        factor = constant(count, dtype=spread.dtype)
    else:
        factor = quotient(product_of(functions.shape(x)), product_of(functions.shape(y)))
    return spread / functions.cast(factor, spread.dtype), None
prod = _reduction(
    "Prod",
    lambda xp, x, axes, keep: x.prod(axis=axes, keepdims=keep, dtype=x.dtype),
    Number,
    "The product over axes",
    "prod",
)


@prod.grad
def _(op: Any, g: Any) -> Any:
    # The product divided by an element fails where that is 0; the product of all elements before and after it does not.
    x = op.inputs[0]
    sizes = functions.shape(x)
    axes = nodes.Reshape(op.inputs[1], [-1])
    kept = reduced_shape(sizes, op.inputs[1])
    repeats = quotient(sizes, kept)
    g = nodes.Tile(nodes.Reshape(g, kept), repeats)
    with op.graph.device("/cpu:0"):
        rank = functions.rank(x)
        axes = (axes + rank) % rank
        reduced = functions.cast(axes, dtypes.int32)
        other, _ = nodes.ListDiff(functions.range(0, rank), reduced, out_idx=dtypes.int32)
        order = functions.concat([reduced, other], 0)
        reduced_count = product_of(nodes.GatherV2(sizes, reduced, 0))
        other_count = product_of(nodes.GatherV2(sizes, other, 0))
    moved = functions.transpose(x, order)
    moved_sizes = functions.shape(moved)
    rows = nodes.Reshape(moved, (reduced_count, other_count))
    before = nodes.Cumprod(rows, 0, exclusive=True)
    after = nodes.Cumprod(rows, 0, exclusive=True, reverse=True)
    others = nodes.Reshape(functions.conj(before) * functions.conj(after), moved_sizes)
    dx = g * functions.transpose(others, nodes.InvertPermutation(order))
    return nodes.Reshape(dx, sizes), None
max_ = _reduction(
    "Max", _extreme("max"), RealOrQuantized, "The largest element along axes", "max_",
    gradient="dx[i] = g · [x[i] = y] / n",
)
max_.grad(lambda op, g: _to_the_extremes(op, g))
min_ = _reduction(
    "Min", _extreme("min"), RealOrQuantized, "The smallest element along axes", "min_",
    gradient="dx[i] = g · [x[i] = y] / n",
)


min_.grad(lambda op, g: _to_the_extremes(op, g))


def _to_the_extremes(op: Any, g: Any) -> Any:
    """The gradient goes to the largest (smallest) element, in equal shares where several are."""
    x, indices = op.inputs
    kept = reduced_shape(functions.shape(x), indices)
    y = nodes.Reshape(op.outputs[0], kept)
    g = nodes.Reshape(g, kept)
    is_extreme = functions.cast(nodes.Equal(y, x), g.dtype)
    count = nodes.Reshape(nodes.Sum(is_extreme, indices), kept)
    return is_extreme / count * g, None
any_ = _reduction(
    "Any",
    lambda xp, x, axes, keep: x.any(axis=axes, keepdims=keep),
    dtypes.bool,
    "Whether any element along axes is true",
    "any_",
)
all_ = _reduction(
    "All",
    lambda xp, x, axes, keep: x.all(axis=axes, keepdims=keep),
    dtypes.bool,
    "Whether all elements along axes are true",
    "all_",
)
euclidean_norm = _reduction(
    "EuclideanNorm",
    lambda xp, x, axes, keep: xp.sqrt((xp.conj(x) * x).sum(axis=axes, keepdims=keep, dtype=x.dtype)).astype(x.dtype),
    Number, "The Euclidean norm over axes", "euclidean_norm", role="op", not_differentiable=NO_RULE_IN_TF,
)  # fmt: skip


# -- places of extremes --------------------------------------------------------------------------------------------

Searchable = typevar("T", (*REALS_AND_QUANTIZED, dtypes.bool))


def _place_shape(input: Sym, dimension: Sym, *, output_type: Any) -> Shape:
    scalar(dimension)
    shape = input.shape
    if shape is None:
        return None
    if len(shape) <= 1:
        return ()
    axis = dimension.value
    if axis is None:
        return (None,) * (len(shape) - 1)
    rank = len(shape)
    if not -rank <= axis < rank:
        raise ShapeMismatch(
            f"Dimension ({axis}) must be in the range [{-rank}, {rank}), where {rank} is the number of dimensions in the input."
        )
    at = int(axis) % rank
    return shape[:at] + shape[at + 1 :]


def _place(xp: Any, input: Any, dimension: Any, output_type: Any, largest: bool) -> Any:
    needs_rank(dimension, 0, "dim must be a scalar, but received tensor of shape: {shape}")
    rank, axis = input.ndim, int(dimension)
    if not -rank <= axis < rank:
        raise invalid(f"Expected dimension in the range [{-rank}, {rank}), but got {axis}")
    if not input.shape[axis]:
        raise invalid(f"Reduction axis {axis} is empty in shape {text_of(input.shape)}")
    find = xp.argmax if largest else xp.argmin
    if input.dtype.kind == "f" and (not isinstance(input, np.ndarray) or np.isnan(input).any()):
        # TF never picks NaN as an extreme; NumPy would return its position. (A GPU does not say first whether there is one.)
        input = xp.where(xp.isnan(input), -np.inf if largest else np.inf, input)
    return find(input, axis=axis).astype(output_type.numpy)


@op("ArgMax", shape=_place_shape, fresh=True)
def arg_max(
    xp: Any,
    input: Searchable,
    dimension: typevar("Tidx", WIDE_INDEX, default=dtypes.int32),
    *,
    output_type: typevar("output_type", kinds("int16 uint16 int32 int64")) = dtypes.int64,
) -> "output_type":  # noqa: F821
    """The position of the largest element along an axis, the first of equal ones: input [d...], dimension scalar ->
    [d...] without that axis.

    Raises: InvalidArgumentError for an axis that is outside or has size 0.
    """
    return _place(xp, input, dimension, output_type, True)


arg_max.grad(flat)


@op("ArgMin", shape=_place_shape, fresh=True)
def arg_min(
    xp: Any, input: Searchable, dimension: Tidx, *, output_type: typevar("output_type", INDEX) = dtypes.int64
) -> "output_type":  # noqa: F821
    """The position of the smallest element along an axis, the first of equal ones: input [d...], dimension scalar ->
    [d...] without that axis.

    Raises: InvalidArgumentError for an axis that is outside or has size 0.
    """
    return _place(xp, input, dimension, output_type, False)


arg_min.grad(flat)


# -- segments ------------------------------------------------------------------------------------------------------

Tindices = typevar("Tindices", INDEX)
Tnumsegments = typevar("Tnumsegments", INDEX, default=dtypes.int32)


def _segments_shape(data: Sym, segment_ids: Sym) -> Shape:
    if segment_ids.shape is not None and len(segment_ids.shape) != 1:
        raise ShapeMismatch(f"Shape must be rank 1 but is rank {len(segment_ids.shape)}")
    shape = at_least(data.shape, 1)
    return None if shape is None else (None, *shape[1:])


def _grouped(ufunc: Any, data: Any, ids: Any, count: int, start: Any) -> Any:
    """`ufunc` over the rows of each segment, `start` for an empty one: data [i..., ...], ids [i...] -> [count, ...]."""
    rest = data.shape[ids.ndim :]
    out = np.full((count, *rest), start, data.dtype)
    flat = ids.reshape(-1)
    rows = data.reshape(flat.shape[0], *rest)
    kept = flat >= 0
    if not kept.all():
        flat, rows = flat[kept], rows[kept]
    if ufunc in (np.maximum, np.minimum) and np.isnan(rows).any():
        _with_nan(np.less if ufunc is np.maximum else np.greater, out, flat, rows)
    else:
        combine_rows(ufunc, out, flat, rows)
    return out


def _with_nan(keeps: Any, out: Any, ids: Any, rows: Any) -> None:
    """Extremes as TF takes them, row by row: a number is kept where `keeps(row, number)`, so not before or after NaN."""
    for place, row in zip(ids.tolist(), rows):
        out[place] = np.where(keeps(row, out[place]), out[place], row)


def _lowest(dtype: Any) -> Any:
    return dtypes.as_dtype(dtype).min


def _highest(dtype: Any) -> Any:
    return dtypes.as_dtype(dtype).max


def _sorted_segments(type: str, ufunc: Any, T: Any, doc: str, name: str, mean: bool = False) -> Any:
    def kernel(xp: Any, data: Any, segment_ids: Any) -> Any:
        ids = np.asarray(segment_ids)
        needs_rank(ids, 1, "segment_ids should be a vector.")
        if not np.ndim(data):
            raise invalid("input must be at least rank 1")
        if data.shape[0] != ids.shape[0]:
            raise invalid("segment_ids should be the same size as dimension 0 of input.")
        if ids.size and ids[-1] < 0:
            raise invalid("segment ids must be >= 0")
        count = int(ids[-1]) + 1 if ids.size else 0
        if ids.size and ids[0] < 0:
            raise outside_segments(ids[0], count)
        if np.any(np.diff(ids) < 0):
            raise invalid("segment ids are not increasing")
        if ufunc in (np.maximum, np.minimum):
            infinity = -np.inf if ufunc is np.maximum else np.inf
            limit = _lowest(data.dtype) if ufunc is np.maximum else _highest(data.dtype)
            out = _grouped(ufunc, data, ids, count, infinity if dtypes.as_dtype(data.dtype).is_floating else limit)
            # An id between the others without rows gives 0.
            out[np.bincount(ids, minlength=count) == 0] = 0
            return out
        out = _grouped(ufunc, data, ids, count, 1 if ufunc is np.multiply else 0)
        if mean:
            sizes = np.maximum(np.bincount(ids, minlength=count), 1).reshape(-1, *[1] * (data.ndim - 1))
            out = (out / sizes).astype(data.dtype)
        return out

    kernel.__name__ = name
    kernel.__doc__ = (
        f"{doc}: data [n, ...], segment_ids [n] -> [last id + 1, ...].\n\n"
        "Raises: InvalidArgumentError when the ids fall or are negative."
    )
    kernel.__annotations__ = {"data": T, "segment_ids": Tindices, "return": T}
    return op(type, shape=_segments_shape, fresh=True)(kernel)


segment_sum = _sorted_segments("SegmentSum", np.add, Number, "The sum of each segment's rows", "segment_sum")
segment_sum.grad(lambda op, g: (nodes.GatherV2(g, op.inputs[1], 0), None))
segment_mean = _sorted_segments(
    "SegmentMean", np.add, Number, "The mean of each segment's rows", "segment_mean", True
)


@segment_mean.grad
def _(op: Any, g: Any) -> Any:
    x, ids = op.inputs
    rank = functions.rank(x)
    sizes = functions.concat([functions.shape(ids), nodes.Fill(nodes.ExpandDims(rank - 1, 0), 1)], 0)
    ones = nodes.Fill(sizes, constant(1, dtype=g.dtype.base_dtype))
    return nodes.GatherV2(g / segment_sum(ones, ids), ids, 0), None
segment_prod = _sorted_segments(
    "SegmentProd", np.multiply, Number, "The product of each segment's rows", "segment_prod"
)
segment_max = _sorted_segments(
    "SegmentMax", np.maximum, Real, "The largest of each segment's rows", "segment_max"
)


segment_max.grad(lambda op, g: _to_the_segments_extremes(op, g))


def _to_the_segments_extremes(op: Any, g: Any) -> Any:
    x, ids = op.inputs
    zeros = functions.zeros_like(x, dtype=x.dtype.base_dtype)
    is_extreme = nodes.Equal(x, nodes.GatherV2(op.outputs[0], ids, 0))
    count = segment_sum(functions.cast(is_extreme, g.dtype), ids)
    shared = nodes.GatherV2(g / count, ids, 0)
    return nodes.Select(is_extreme, shared, zeros), None
segment_min = _sorted_segments(
    "SegmentMin", np.minimum, Real, "The smallest of each segment's rows", "segment_min"
)
segment_min.grad(lambda op, g: _to_the_segments_extremes(op, g))


def _unsorted_shape(data: Sym, segment_ids: Sym, num_segments: Sym) -> Shape:
    scalar(num_segments)
    shape, ids, count = data.shape, segment_ids.shape, size_of(num_segments, 2)
    if shape is None or ids is None:
        return None
    if len(ids) > len(shape):
        raise ShapeMismatch(f"Shape must be at least rank {len(ids)} but is rank {len(shape)}")
    for a, b in zip(shape, ids):
        if None not in (a, b) and a != b:
            raise ShapeMismatch(f"Dimensions must be equal, but are {a} and {b}")
    return (count, *shape[len(ids) :])


def _unsorted_segments(
    type: str, ufunc: Any, start: Callable[[Any], Any], T: Any, ids_type: Any, doc: str, name: str
) -> Any:
    def kernel(xp: Any, data: Any, segment_ids: Any, num_segments: Any) -> Any:
        needs_rank(num_segments, 0, "num_segments should be a scalar, not shape {shape}")
        ids, values, count = as_array(segment_ids), as_array(data), int(num_segments)
        if count < 0:
            raise invalid(f"Input num_segments == {count} must not be negative.")
        if values.shape[: ids.ndim] != ids.shape:
            raise invalid(
                f"data.shape = {text_of(values.shape)} does not start with segment_ids.shape = {text_of(ids.shape)}"
            )
        if ids.size and ids.max() >= count:
            at = int(np.argmax(ids.reshape(-1) >= count))
            raise invalid(f"segment_ids[{at}] = {ids.reshape(-1)[at]} is out of range [0, {count})")
        return _grouped(ufunc, values, ids, count, start(values.dtype))

    kernel.__name__ = name
    kernel.__doc__ = (
        f"{doc}: data [i..., ...], segment_ids [i...], num_segments scalar -> [num_segments, ...]; "
        "rows with a negative id are left out.\n\n"
        "Raises: InvalidArgumentError for an id of num_segments or more."
    )
    kernel.__annotations__ = {"data": T, "segment_ids": ids_type, "num_segments": Tnumsegments, "return": T}
    return op(type, shape=_unsorted_shape, fresh=True)(kernel)


unsorted_segment_sum = _unsorted_segments(
    "UnsortedSegmentSum", np.add, lambda _: 0, Number, typevar("Tindices", WIDE_INDEX),
    "The sum of each segment's rows, in any order", "unsorted_segment_sum",
)  # fmt: skip


unsorted_segment_sum.grad(lambda op, g: (_rows_of_segments(g, op.inputs[1])[0], None, None))


def _rows_of_segments(rows: Any, ids: Any, clipped: Any = None, valid: Any = None) -> tuple[Any, Any, Any]:
    """(rows[ids], with zeros for negative ids; the ids clipped at 0; where ids are not negative)."""
    if clipped is None:
        clipped = nodes.Maximum(ids, functions.zeros_like(ids))
    picked = nodes.GatherV2(rows, clipped, 0)
    if valid is None:
        valid = nodes.GreaterEqual(ids, 0)
        for _ in range(len(picked.raw_shape) - len(valid.raw_shape)):
            valid = nodes.ExpandDims(valid, -1)
        valid = nodes.LogicalAnd(valid, functions.ones_like(picked, dtype=dtypes.bool))
    return nodes.Select(valid, picked, functions.zeros_like(picked)), clipped, valid
unsorted_segment_prod = _unsorted_segments(
    "UnsortedSegmentProd", np.multiply, lambda _: 1, Number, Tindices, "The product of each segment's rows, in any order",
    "unsorted_segment_prod",
)  # fmt: skip


@unsorted_segment_prod.grad
def _(op: Any, g: Any) -> Any:
    # With one zero in a segment only that element's derivative is not 0, with two or more none is.
    x, ids, count = op.inputs
    is_zero = nodes.Equal(x, 0)
    zeros = unsorted_segment_sum(functions.cast(is_zero, dtype=dtypes.int32), ids, count)
    g = nodes.Select(nodes.Greater(zeros, 1), functions.zeros_like(g), g)
    others = unsorted_segment_prod(nodes.Select(is_zero, functions.ones_like(x), x), ids, count)
    clipped = nodes.Maximum(ids, functions.zeros_like(ids))
    product = nodes.GatherV2(op.outputs[0], clipped, 0)
    partial = nodes.Select(is_zero, nodes.GatherV2(others, clipped, 0), product / x)
    return _rows_of_segments(g, ids, clipped)[0] * partial, None, None
unsorted_segment_max = _unsorted_segments(
    "UnsortedSegmentMax", np.maximum, _lowest, Real, Tindices, "The largest of each segment's rows, in any order",
    "unsorted_segment_max",
)  # fmt: skip
unsorted_segment_max.grad(lambda op, g: _to_the_unsorted_extremes(op, g))
unsorted_segment_min = _unsorted_segments(
    "UnsortedSegmentMin", np.minimum, _highest, Real, Tindices, "The smallest of each segment's rows, in any order",
    "unsorted_segment_min",
)  # fmt: skip


unsorted_segment_min.grad(lambda op, g: _to_the_unsorted_extremes(op, g))


def _to_the_unsorted_extremes(op: Any, g: Any) -> Any:
    x, ids, count = op.inputs
    extremes, clipped, valid = _rows_of_segments(op.outputs[0], ids)
    is_extreme = nodes.LogicalAnd(nodes.Equal(x, extremes), valid)
    shares = unsorted_segment_sum(functions.cast(is_extreme, g.dtype), ids, count)
    shared = _rows_of_segments(g / shares, None, clipped, valid)[0]
    return nodes.Select(is_extreme, shared, functions.zeros_like(shared)), None, None
