"""Gradients of matrix products."""

from __future__ import annotations

from typing import Any

from ...lib.arrays import array
from ...lib.math import math, products, reductions
from ...ops import gradient_ops
from ...ops import linalg as ops


@ops.mat_mul.grad
def _(op: Any, g: Any) -> Any:
    a, b = map(math.conj, op.inputs)
    turned_a, turned_b = op.attrs["transpose_a"], op.attrs["transpose_b"]
    product = ops.mat_mul
    if turned_a and turned_b:
        return product(b, g, transpose_a=True, transpose_b=True), product(g, a, transpose_a=True, transpose_b=True)
    if turned_a:
        return product(b, g, transpose_b=True), product(a, g)
    if turned_b:
        return product(g, b), product(g, a, transpose_a=True)
    return product(g, b, transpose_b=True), product(a, g, transpose_a=True)


def _of_batch(op: Any, g: Any) -> Any:
    x, y = op.inputs
    turned_x, turned_y = op.attrs["adj_x"], op.attrs["adj_y"]
    product = products.matmul
    if turned_x and turned_y:
        return product(y, g, adjoint_a=True, adjoint_b=True), product(g, x, adjoint_a=True, adjoint_b=True)
    if turned_x:
        return product(y, g, adjoint_b=True), product(x, g)
    if turned_y:
        return product(g, y), product(g, x, adjoint_a=True)
    return product(g, y, adjoint_b=True), product(x, g, adjoint_a=True)


ops.batch_mat_mul.grad(_of_batch)


@ops.batch_mat_mul_v2.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs
    dx, dy = _of_batch(op, g)
    if x.shape.is_fully_defined() and y.shape.is_fully_defined() and x.raw_shape == y.raw_shape:
        return dx, dy
    sx, sy = array.shape(x), array.shape(y)
    rx, ry = gradient_ops.broadcast_gradient_args(sx[:-2], sy[:-2])
    return array.reshape(reductions.reduce_sum(dx, rx), sx), array.reshape(reductions.reduce_sum(dy, ry), sy)
