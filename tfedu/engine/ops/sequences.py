"""Sequences: Range and LinSpace create them; Cumsum, Cumprod and CumulativeLogsumexp accumulate. No state."""

from __future__ import annotations

import math as scalar_math
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import Shape, ShapeMismatch
from ..op.callers import nodes
from ..op.define import Sym, op, typevar
from ..op.gradient_rules import WHOLE_NUMBERS
from ..op.shape_checks import Float, Number, Tidx, as_array, invalid, kinds, needs_rank, scalar, text_of

RangeT = typevar(
    "Tidx", kinds("bfloat16 half float double int8 int16 int32 int64 uint16 uint32"), default=dtypes.int32
)


@op("Range", not_differentiable=WHOLE_NUMBERS, fresh=True)
def range_(xp: Any, start: RangeT, limit: RangeT, delta: RangeT) -> RangeT:
    """start, start + delta, ... below limit (above it for delta < 0): three scalars -> [ceil((limit - start) / delta)].

    Raises: InvalidArgumentError for delta 0, or one that leads away from limit.
    """
    if np.ndim(start) or np.ndim(limit) or np.ndim(delta):
        # TF also accepts vectors of one element.
        for name, value in (("start", start), ("limit", limit), ("delta", delta)):
            if np.size(value) != 1:
                raise invalid(f"{name} must be a scalar, not shape {text_of(np.shape(value))}")
        start, limit, delta = (np.ravel(value)[0] for value in (start, limit, delta))
    return xp.asarray(start + np.arange(_range_size(start, limit, delta)).astype(start.dtype) * delta)


def _range_size(start: Any, limit: Any, delta: Any) -> int:
    if delta == 0:
        raise invalid("Requires delta != 0: 0")
    if delta > 0 and start > limit:
        raise invalid(f"Requires start <= limit when delta > 0: {start}/{limit}")
    if delta < 0 and start < limit:
        raise invalid(f"Requires start >= limit when delta < 0: {start}/{limit}")
    if np.asarray(start).dtype.kind in "iu":
        return -(-abs(int(limit) - int(start)) // abs(int(delta)))
    return scalar_math.ceil(abs((float(limit) - float(start)) / float(delta)))


@range_.shape
def _(start: Sym, limit: Sym, delta: Sym) -> Shape:
    for sym in (start, limit, delta):
        scalar(sym)
    values = (start.value, limit.value, delta.value)
    if any(v is None for v in values):
        return (None,)
    try:
        return (_range_size(*values),)
    except errors.InvalidArgumentError as error:
        raise ShapeMismatch(error.message.removesuffix(": 0")) from None


@op("LinSpace", not_differentiable=WHOLE_NUMBERS, fresh=True)
def lin_space(xp: Any, start: Float, stop: Float, num: Tidx) -> Float:
    """num evenly spaced numbers from start to stop, both included: three scalars -> [num].

    Raises: InvalidArgumentError for num < 1.
    """
    for name, value in (("start", start), ("stop", stop), ("num", num)):
        needs_rank(value, 0, name + " must be a scalar, not shape {shape}")
    count = int(num)
    if count <= 0:
        raise invalid(f"Requires num > 0: {count}")
    if count == 1:
        return xp.asarray([start])
    step = (stop - start) / start.dtype.type(count - 1)
    out = start + step * np.arange(count).astype(start.dtype)
    out[-1] = stop
    return out


@lin_space.shape
def _(start: Sym, stop: Sym, num: Sym) -> Shape:
    for sym in (start, stop, num):
        scalar(sym)
    count = num.value
    if count is None:
        return (None,)
    if count <= 0:
        raise ShapeMismatch(f"Requires num > 0: {count}")
    return (int(count),)


def _accumulate_shape(x: Sym, axis: Sym, *, exclusive: bool, reverse: bool) -> Shape:
    return x.shape


@op("Cumsum", out="out", shape=_accumulate_shape, fresh=True)
def cumsum(xp: Any, x: Number, axis: Tidx, *, exclusive: bool = False, reverse: bool = False) -> Number:
    """Running sums along an axis: x [d...], axis scalar -> [d...]; exclusive leaves out the element itself, reverse
    starts at the end.

    Raises: InvalidArgumentError for an axis outside x.
    """
    return _accumulated(xp.cumsum, x, axis, exclusive, reverse, 0)


@cumsum.grad
def _(op: Any, g: Any) -> Any:
    return cumsum(g, op.inputs[1], exclusive=op.attrs["exclusive"], reverse=not op.attrs["reverse"]), None


@op("Cumprod", out="out", shape=_accumulate_shape, fresh=True)
def cumprod(xp: Any, x: Number, axis: Tidx, *, exclusive: bool = False, reverse: bool = False) -> Number:
    """Running products along an axis: x [d...], axis scalar -> [d...]; exclusive leaves out the element itself, reverse
    starts at the end.

    Raises: InvalidArgumentError for an axis outside x.
    """
    return _accumulated(xp.cumprod, x, axis, exclusive, reverse, 1)


@cumprod.grad
def _(op: Any, g: Any) -> Any:
    x, axis = op.inputs
    exclusive, reverse = op.attrs["exclusive"], op.attrs["reverse"]
    product = cumprod(x, axis, exclusive=exclusive, reverse=reverse)
    dx = cumsum(product * g, axis, exclusive=exclusive, reverse=not reverse)
    return dx / x, None


@op("CumulativeLogsumexp", out="out", shape=_accumulate_shape, fresh=True)
def cumulative_logsumexp(
    xp: Any, x: Float, axis: Tidx, *, exclusive: bool = False, reverse: bool = False
) -> Float:
    """Running log(sum(exp(x))) along an axis: x [d...], axis scalar -> [d...]; exclusive leaves out the element itself,
    reverse starts at the end.

    Raises: InvalidArgumentError for an axis outside x.
    """
    return _accumulated(_running_logsumexp, x, axis, exclusive, reverse, -np.inf)


def _running_logsumexp(x: Any, axis: int, dtype: Any) -> Any:
    """As np.logaddexp.accumulate; sums with NaN and with two infinities are TF's: it adds to -inf, by < alone."""
    if np.isfinite(x).all():
        return np.logaddexp.accumulate(x, axis=axis, dtype=dtype)
    out = np.moveaxis(np.empty_like(x), axis, 0)
    total = np.full(out.shape[1:], -np.inf, dtype)
    for i, term in enumerate(np.moveaxis(x, axis, 0)):
        larger, smaller = np.where(total < term, term, total), np.where(term < total, term, total)
        total = np.where(larger == -np.inf, larger, larger + np.log1p(np.exp(smaller - larger)))
        out[i] = total
    return np.moveaxis(out, 0, axis)


@cumulative_logsumexp.grad
def _(op: Any, g: Any) -> Any:
    # Only positive numbers have logarithms: positive and negative gradients are summed separately.
    x, axis = op.inputs
    y = op.outputs[0]
    least = g.dtype.min
    options = {"reverse": not op.attrs["reverse"], "exclusive": op.attrs["exclusive"]}
    positive = nodes.SelectV2(nodes.Greater(g, 0), nodes.Log(g), least)
    negative = nodes.SelectV2(nodes.Less(g, 0), nodes.Log(-g), least)
    of_positive, of_negative = (
        nodes.Exp(cumulative_logsumexp(part - y, axis, **options) + x) for part in (positive, negative)
    )
    return of_positive - of_negative, None


def _accumulated(function: Any, x: Any, at: Any, exclusive: bool, reverse: bool, start: float) -> Any:
    needs_rank(at, 0, "ScanOp: axis must be a scalar, not {shape}")
    x, axis = as_array(x), int(at)
    if not -x.ndim <= axis < x.ndim:
        place = axis + x.ndim if axis < 0 else axis
        raise invalid(f"ScanOp: Expected scan axis in the range [{-x.ndim}, {x.ndim}), but got {place}")
    if reverse:
        x = np.flip(x, axis)
    out = function(x, axis=axis, dtype=x.dtype)
    if exclusive:
        first = np.full_like(np.take(x, [0] if x.shape[axis] else [], axis), start)
        out = np.concatenate([first, np.take(out, range(max(x.shape[axis] - 1, 0)), axis)], axis)
    return np.flip(out, axis) if reverse else out
