"""Statistics over axes: `moments(x, [0])`, `weighted_moments`, `sufficient_statistics`, as in TF 1.15. No state."""

from __future__ import annotations

import math as numbers
from typing import Any

from ...base import dtypes
from ...base.shapes import is_full
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...ops import basic
from ...ops import math as ops
from ..arrays import array, selection
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from ..math import math, reductions


@atomic
def moments(
    x: Any,
    axes: Any,
    shift: Any = None,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor]:
    """(mean, variance) over the axes: x [n, ..., c] with axes [0] -> two tensors [..., c]. shift: unused, as in TF
    1.15.
    """
    keep = renamed("keepdims", keepdims, "keep_dims", keep_dims) or False
    with named(name, "moments", [x, axes]):
        x = convert_to_tensor(x)
        y = math.cast(x, dtypes.float32) if x.dtype.base_dtype is dtypes.float16 else x
        mean = reductions.reduce_mean(y, axes, keepdims=True, name="mean")
        spread = math.squared_difference(y, basic.stop_gradient(mean))
        variance = reductions.reduce_mean(spread, axes, keepdims=True, name="variance")
        if not keep:
            mean, variance = array.squeeze(mean, axes), array.squeeze(variance, axes)
        if x.dtype.base_dtype is dtypes.float16:
            return math.cast(mean, dtypes.float16), math.cast(variance, dtypes.float16)
        return mean, variance


@atomic
def sufficient_statistics(
    x: Any,
    axes: Any,
    shift: Any = None,
    keep_dims: bool | None = None,
    name: str | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """(number of elements [], sum, sum of squares, shift) over a list of axes: x [n, ..., c] with axes [0] -> sums [..., c].

    shift: a number near the mean, subtracted from x first, so that the sums lose fewer digits.
    """
    axes = sorted(set(axes))
    keep = renamed("keepdims", keepdims, "keep_dims", keep_dims) or False
    with named(name, "sufficient_statistics", [x, shift] if isinstance(shift, Tensor) else [x]):
        x = convert_to_tensor(x, name="x")
        sizes = None if x.raw_shape is None else tuple(x.raw_shape[axis] for axis in axes)
        if is_full(sizes):
            count = constant(numbers.prod(sizes or ()), dtype=x.dtype.base_dtype)
        else:
            all_sizes = math.cast(array.shape(x), x.dtype)
            count = reductions.reduce_prod(selection.gather(all_sizes, axes), name="count")
        if shift is not None:
            shift = convert_to_tensor(shift, name="shift")
            values, squares = math.subtract(x, shift), math.squared_difference(x, shift)
        else:
            values, squares = x, math.square(x)
        total = reductions.reduce_sum(values, axes, keepdims=keep, name="mean_ss")
        total_of_squares = reductions.reduce_sum(squares, axes, keepdims=keep, name="var_ss")
        return count, total, total_of_squares, shift


@atomic
def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """(mean, variance) [...] of what `sufficient_statistics` returns: counts [], two sums [...], shift [] or None."""
    with named(name, "normalize", [v for v in (counts, mean_ss, variance_ss, shift) if v is not None]):
        divisor = ops.reciprocal(counts, name="divisor")
        if shift is not None:
            shifted_mean = math.multiply(mean_ss, divisor, name="shifted_mean")
            mean = math.add(shifted_mean, shift, name="mean")
        else:
            mean = shifted_mean = math.multiply(mean_ss, divisor, name="mean")
        mean_of_squares = math.multiply(variance_ss, divisor)
        return mean, math.subtract(mean_of_squares, math.square(shifted_mean), name="variance")


@atomic
def weighted_moments(
    x: Any,
    axes: Any,
    frequency_weights: Any,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor]:
    """(mean, variance) over the axes, where each element counts `frequency_weights` times: x [n, ..., c], weights that broadcast
    with it, axes [0] -> two tensors [..., c].
    """
    keep = renamed("keepdims", keepdims, "keep_dims", keep_dims) or False
    with named(name, "weighted_moments", [x, frequency_weights, axes]):
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(frequency_weights, name="frequency_weights")
        is_half = x.dtype.base_dtype is dtypes.float16
        y = math.cast(x, dtypes.float32) if is_half else x
        weights = math.cast(weights, y.dtype)
        total = reductions.reduce_sum(weights * y, axes, name="weighted_input_sum", keepdims=True)
        # The weights as often as they count, in the shape of y.
        repeated = weights + array.zeros_like(y)
        weight_sum = reductions.reduce_sum(repeated, axes, name="sum_of_weights", keepdims=True)
        divisor = ops.reciprocal(weight_sum, name="inv_weight_sum")
        mean = math.multiply(total, divisor)
        distances = weights * math.squared_difference(y, mean)
        spread = reductions.reduce_sum(distances, axes, name="weighted_distsq", keepdims=True)
        variance = math.multiply(spread, divisor)
        if not keep:
            mean, variance = array.squeeze(mean, axes), array.squeeze(variance, axes)
        if is_half:
            return math.cast(mean, dtypes.float16), math.cast(variance, dtypes.float16)
        return mean, variance


__all__ = ["moments", "normalize_moments", "sufficient_statistics", "weighted_moments"]
