"""`tf.gather`, `tf.where`, `tf.unique`, `tf.nn.top_k` …: elements selected by indices or by their values. No state."""

from __future__ import annotations

import builtins
from numbers import Integral
from typing import Any

import numpy as np

from ...base import dtypes, shapes
from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...op.infer import constant_value
from ...ops import array as array_ops
from ...ops import gather as gather_ops
from ...ops import logic as logic_ops
from ...ops import math as math_ops
from ...ops import reduce as reduce_ops
from ...ops import sequences as sequence_ops
from ...ops import unique as unique_ops
from ..framework.dispatch import takes_ragged
from ..framework.scope_blocks import named
from .array import broadcast_to, concat, ones, reshape, shape, stack, zeros

dynamic_partition, dynamic_stitch = takes_ragged(gather_ops.dynamic_partition), gather_ops.dynamic_stitch


@takes_ragged
@atomic
def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    name: str | None = None,
    axis: Any = None,
    batch_dims: int = 0,
) -> Tensor:
    """The slices of params that indices select along an axis: params [n, ...], indices [m...] -> [m..., ...].

    batch_dims: the number of leading axes that params and indices share.
    """
    if axis is None:
        axis = batch_dims
    static_axis = axis if isinstance(axis, int) else constant_value(convert_to_tensor(axis))
    if static_axis == 0 and hasattr(params, "handle"):
        # A resource variable gathers the rows without reading itself whole.
        return params.sparse_read(indices, name=name)
    return gather_ops.gather_v2(params, indices, axis, batch_dims=batch_dims, name=name)


@takes_ragged
@atomic
def gather_nd(params: Any, indices: Any, name: str | None = None, batch_dims: Any = 0) -> Tensor:
    """The slices of params at the coordinates in the last axis of indices: params [d1, d2, ...], indices [..., 2] ->
    [..., ...].

    batch_dims: the number of leading axes that params and indices share; a tensor must be constant.

    Raises: ValueError for negative batch_dims and for as many as params or indices have axes, and for params of
    unknown rank; TypeError for what is no int.
    """
    known = constant_value(batch_dims) if isinstance(batch_dims, Tensor) else batch_dims
    if not isinstance(known, Integral):
        known = int(known) if isinstance(known, np.ndarray) and known.ndim == 0 else None
    if known is None:
        raise TypeError(error_text(f"batch_dims must be an int; got {batch_dims!r}"))
    batch_dims = int(known)
    if batch_dims == 0:
        if hasattr(params, "handle"):
            # A resource variable gathers the slices without reading itself whole.
            return params.gather_nd(indices, name=name)
        return gather_ops.gather_nd(params, indices, name=name)
    with named(name, "BatchGatherND", [params, indices]):
        indices = convert_to_tensor(indices, name="indices")
        params = convert_to_tensor(params, name="params")
        if batch_dims < 0:
            raise ValueError(error_text("tf.gather_nd does not allow negative batch_dims.", [params, indices]))
        for what, tensor in (("indices", indices), ("params", params)):
            axes = tensor.shape.ndims
            if axes is not None and batch_dims >= axes:
                raise ValueError(
                    error_text(f"batch_dims = {batch_dims} must be less than rank({what}) = {axes}", [params, indices])
                )
        if params.raw_shape is None:
            raise ValueError(error_text("Cannot infer num from shape (?,)", [params, indices]))
        known_sizes = None if indices.raw_shape is None else indices.raw_shape[:batch_dims]
        grid: Any
        if known_sizes is not None and None not in known_sizes:
            grid = constant(np.indices(known_sizes).reshape(batch_dims, -1).T, indices.dtype.base_dtype)  # type: ignore[arg-type]
            sizes: Any = [*known_sizes]
        else:
            sizes = shape(params)[:batch_dims]  # type: ignore[index]
            examples = sequence_ops.range_(0, reduce_ops.prod(sizes, [0]), 1)
            coordinates = gather_ops.unravel_index(examples, sizes)
            grid = math_ops.cast(array_ops.transpose(coordinates, [1, 0]), DstT=indices.dtype.base_dtype)
        # The coordinates of its example [batch..., batch_dims] precede each index [batch..., i..., k].
        inner = ones(array_ops.rank(indices) - batch_dims - 1, dtypes.int32)
        aligned = reshape(grid, concat([sizes, inner, [batch_dims]], 0))
        coordinates_shape = concat([shape(indices)[:-1], [batch_dims]], 0)  # type: ignore[index]
        return gather_ops.gather_nd(params, concat([broadcast_to(aligned, coordinates_shape), indices], -1))


@takes_ragged
@atomic
def batch_gather(params: Any, indices: Any, name: str | None = None) -> Tensor:
    """The elements of each example that its own indices select: params [n..., m], indices [n..., k] -> [n..., k].

    Raises: ValueError for indices of unknown rank.
    """
    with named(name, "BatchGather", [params, indices]):
        indices = convert_to_tensor(indices, name="indices")
        params = convert_to_tensor(params, name="params")
        if indices.raw_shape is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        return _gathered_by_batch(params, indices, len(indices.raw_shape) - 1)


def _gathered_by_batch(params: Tensor, indices: Tensor, batch_dims: int) -> Tensor:
    """One Gather from the flattened examples: each index is shifted by the offset of its example, as TF builds it."""
    params_shape = params.raw_shape
    if params_shape is not None and batch_dims >= len(params_shape):
        raise ValueError(
            error_text(f"batch_dims = {batch_dims} must be less than rank(params) = {len(params_shape)}")
        )
    indices_shape, params_sizes = shape(indices), shape(params)
    kind = indices.dtype.base_dtype
    stride: Any = ones((), dtype=kind)
    # TF casts here even where the dtype is the same.
    counts = math_ops.cast(params_sizes, DstT=kind)
    shifted = indices
    indices_rank = len(indices.raw_shape or ())
    for dim in builtins.range(batch_dims, 0, -1):
        count = counts[dim - 1]
        stride = stride * counts[dim]
        offsets = sequence_ops.range_(zeros((), dtype=kind), count, ones((), dtype=kind)) * stride
        offsets_shape = stack([*[1] * (dim - 1), count, *[1] * (indices_rank - dim)], axis=0)
        shifted = shifted + reshape(offsets, offsets_shape)
    flat = reshape(shifted, [-1])
    outer = params_sizes[batch_dims + 1 :]
    inner = reduce_ops.prod(params_sizes[: batch_dims + 1], [0], keep_dims=False)
    rows = reshape(params, concat([[inner], outer], axis=0))
    result = reshape(gather(rows, flat), concat([indices_shape, outer], axis=0))
    if params_shape is not None and indices.raw_shape is not None:
        batch_shape = shapes.merge(indices.raw_shape[:batch_dims], params_shape[:batch_dims])
        result.set_shape((*(batch_shape or ()), *indices.raw_shape[batch_dims:], *params_shape[batch_dims + 1 :]))
    return result


@takes_ragged
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """x where the condition [...] holds, else y; without both, the coordinates [count, rank] where it holds.

    condition: of x's shape [n, ...], or a vector [n] that selects rows. `where_v2` broadcasts instead.

    Raises: ValueError when only one of x and y is passed.
    """
    if x is None and y is None:
        return _coordinates(condition, name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    out: Tensor = logic_ops.select(condition, x, y, name=name)
    return out


@atomic
def _coordinates(condition: Any, name: str | None) -> Tensor:
    with named(name, "Where", [condition]) as scope:
        condition = convert_to_tensor(condition, preferred_dtype=dtypes.bool, name="condition")
        return logic_ops.where(condition, name=scope)


@atomic
def where_v2(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """x where the condition holds, else y, all three broadcast to [...]; without both, the coordinates [count, rank].

    Raises: ValueError when only one of x and y is passed.
    """
    if x is None and y is None:
        return where(condition, name=name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    return logic_ops.select_v2(condition, x, y, name=name)


def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Tensor:
    """The coordinates [rank, n] of flat indices [n] into an array of shape dims [rank]."""
    out: Tensor = gather_ops.unravel_index(indices, dims, name=name)
    return out


def unique(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Any:
    """(y, idx): the distinct elements [k] of x [n] in order of appearance, and for each element its index [n] in y."""
    return unique_ops.unique(x, out_idx=as_dtype(out_idx), name=name)


def unique_with_counts(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Any:
    """(y [k], idx [n], count [k]): as `unique`, with the number of occurrences."""
    return unique_ops.unique_with_counts(x, out_idx=as_dtype(out_idx), name=name)


def setdiff1d(x: Any, y: Any, index_dtype: Any = dtypes.int32, name: str | None = None) -> Any:
    """(out, idx): the elements [k] of x [n] that are not in y [m], and their indices [k] in x."""
    return unique_ops.list_diff(x, y, out_idx=as_dtype(index_dtype), name=name)


def top_k(input: Any, k: Any = 1, sorted: bool = True, name: str | None = None) -> Any:
    """(values, indices) of the k largest elements along the last axis: [..., n] -> [..., k] each."""
    return gather_ops.top_k_v2(input, k, sorted=sorted, name=name)


@atomic
def in_top_k(predictions: Any, targets: Any, k: Any, name: str | None = None) -> Tensor:
    """Whether each target is among the k best predictions of its row: predictions [n, classes], targets [n] -> bool
    [n].
    """
    with named(name, "in_top_k"):
        return gather_ops.in_top_k_v2(predictions, targets, k, name=name)


@atomic
def sparse_to_dense(
    sparse_indices: Any,
    output_shape: Any,
    sparse_values: Any,
    default_value: Any = 0,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """default_value everywhere but at sparse_indices [m, rank], which take sparse_values [m]: [output_shape]."""
    return gather_ops.sparse_to_dense(
        sparse_indices,
        output_shape,
        sparse_values,
        default_value,
        validate_indices=validate_indices,
        name=name,
    )
