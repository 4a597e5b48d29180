"""Gradients of special functions, of the ops that few programs use, and of numbers drawn at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...lib.arrays import array, selection, sequences
from ...lib.framework.scope_blocks import waiting_for
from ...lib.linalg import linalg
from ...lib.math import math, products, reductions, special
from ...ops import gradient_ops, logic, random
from ...ops import gradient_ops_special as grads
from ...ops import linalg as linalg_ops
from ...ops import math as ops
from ...ops import sequences as sequence_ops
from ...ops import special as special_ops
from .elementwise import back, shapes_of


@special_ops.bessel_i0e.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    with waiting_for([g]):
        return g * (special.bessel_i1e(x) - math.sign(x) * y)


@special_ops.bessel_i1e.grad
def _(op: Any, g: Any) -> Any:
    # At 0 the slope is 1/2; the formula divides by x there.
    x, y = op.inputs[0], op.outputs[0]
    with waiting_for([g]):
        smallest = np.finfo(x.dtype.as_numpy_dtype).eps
        zeros = array.zeros_like(x)
        is_plain = math.abs(x) > smallest
        safe = selection.where(is_plain, x, smallest + zeros)
        slope = special.bessel_i0e(safe) - y * (math.sign(safe) + math.reciprocal(safe))
        return g * selection.where(is_plain, slope, 0.5 + zeros)


def _of_igamma(op: Any, g: Any) -> tuple[Any, Any]:
    a, x = op.inputs
    at_a, at_x = shapes_of(a, x)
    with waiting_for([g]):
        da = grads.igamma_grad_a(a, x)
        dx = math.exp(-x + (a - 1) * math.log(x) - special.lgamma(a))
        return back(da * g, at_a), back(dx * g, at_x)


special_ops.igamma.grad(_of_igamma)


@special_ops.igammac.grad
def _(op: Any, g: Any) -> Any:
    da, dx = _of_igamma(op, g)
    return -da, -dx


@special_ops.betainc.grad
def _(op: Any, g: Any) -> Any:
    a, b, x = op.inputs
    _, at_x = shapes_of(a, x)
    beta = special.lgamma(a) + special.lgamma(b) - special.lgamma(a + b)
    dx = math.exp((b - 1) * math.log(1 - x) + (a - 1) * math.log(x) - beta)
    return None, None, back(dx * g, at_x)


@special_ops.zeta.grad
def _(op: Any, g: Any) -> Any:
    x, q = op.inputs
    _, at_q = shapes_of(x, q)
    with waiting_for([g]):
        x, q = math.conj(x), math.conj(q)
        return None, back(-x * special.zeta(x + 1, q) * g, at_q)


@special_ops.polygamma.grad
def _(op: Any, g: Any) -> Any:
    n, x = op.inputs
    _, at_x = shapes_of(n, x)
    with waiting_for([g]):
        n, x = math.conj(n), math.conj(x)
        return None, back(special.polygamma(n + 1, x) * g, at_x)


@ops.next_after.grad
def _(op: Any, g: Any) -> Any:
    x1, x2 = op.inputs
    at_1, at_2 = shapes_of(x1, x2)
    with waiting_for([g]):
        one, none = array.ones(at_1[0], dtype=x1.dtype), array.zeros(at_2[0], dtype=x2.dtype)
        return back(one * g, at_1), back(none * g, at_2)


@linalg_ops.sparse_mat_mul.grad
def _(op: Any, g: Any) -> Any:
    a, b = op.inputs
    turned_a, turned_b = op.attrs["transpose_a"], op.attrs["transpose_b"]
    sparse = {a: op.attrs["a_is_sparse"], b: op.attrs["b_is_sparse"], g: g.op.type == "ReluGrad"}

    def product(x: Any, y: Any, like: Any, turn_x: bool = False, turn_y: bool = False) -> Any:
        flags = {"a_is_sparse": sparse[x], "b_is_sparse": sparse[y]}
        out = products.matmul(x, array.transpose(y) if turn_y else y, transpose_a=turn_x, **flags)
        return out if out.dtype is like.dtype else math.cast(out, like.dtype)

    if turned_a and turned_b:
        return product(b, g, a, True, True), product(g, a, b, True, True)
    if turned_a:
        return product(b, g, a, turn_y=True), product(a, g, b)
    if turned_b:
        return product(g, b, a), product(g, a, b, turn_x=True)
    return product(g, b, a, turn_y=True), product(a, g, b, turn_x=True)


@ops.cross.grad
def _(op: Any, g: Any) -> Any:
    u, v = op.inputs
    return linalg.cross(v, g), linalg.cross(g, u)


@logic.select_v2.grad
def _(op: Any, g: Any) -> Any:
    chosen, x, y = op.inputs
    zero = array.zeros([], dtype=g.dtype.base_dtype)

    def part(taken: Any, value: Any) -> Any:
        shape = array.shape(value)
        repeated, _ = gradient_ops.broadcast_gradient_args(shape, array.shape(op.outputs[0]))
        return array.reshape(reductions.reduce_sum(taken, keepdims=True, axis=repeated), shape)

    dx = part(selection.where_v2(chosen, g, zero), x)
    return None, dx, part(selection.where_v2(chosen, zero, g), y)


@ops.clip_by_value.grad
def _(op: Any, g: Any) -> Any:
    x, low, high = op.inputs
    sx, sl, sh = (array.shape(t) for t in (x, low, high))
    zeros = array.zeros(array.shape(g), g.dtype)
    below, above = math.less(x, low), math.greater(x, high)
    _, repeated_low = gradient_ops.broadcast_gradient_args(sx, sl)
    repeated, repeated_high = gradient_ops.broadcast_gradient_args(sx, sh)
    parts = (
        (selection.where(math.logical_or(below, above), zeros, g), repeated, sx),
        (selection.where(below, g, zeros), repeated_low, sl),
        (selection.where(above, g, zeros), repeated_high, sh),
    )
    return [array.reshape(reductions.reduce_sum(part, axes), shape) for part, axes, shape in parts]


@sequence_ops.cumulative_logsumexp.grad
def _(op: Any, g: Any) -> Any:
    # Of positive and of negative gradients the logarithms are summed, each on its own.
    x, axis = op.inputs
    y = op.outputs[0]
    least = g.dtype.min
    options = {"reverse": not op.attrs["reverse"], "exclusive": op.attrs["exclusive"]}
    above = selection.where_v2(math.greater(g, 0), math.log(g), least)
    below = selection.where_v2(math.less(g, 0), math.log(-g), least)
    gained, lost = (
        math.exp(sequences.cumulative_logsumexp(part - y, axis=axis, **options) + x) for part in (above, below)
    )
    return gained - lost, None


@random.random_gamma.grad
def _(op: Any, g: Any) -> Any:
    shape, alpha = op.inputs
    with waiting_for([g]):
        rank = array.shape(shape)[0]
        sizes = array.concat([array.ones([rank], dtype=dtypes.int32), array.shape(alpha)], axis=0)
        slope = grads.random_gamma_grad(array.reshape(alpha, sizes), op.outputs[0])
        return None, reductions.reduce_sum(g * slope, axis=sequences.range(rank))
