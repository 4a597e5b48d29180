"""Ops that only gradients are made of: TanhGrad, SqrtGrad, …, and BroadcastGradientArgs, which tells what a broadcast repeated.

Their own names for what they take are TF's: y is the forward op's result, dy the gradient that arrives. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape
from .define import Sym, op, same_shape, typevar
from .rules import INDEX, invalid, kinds, needs_rank, text_of, vector

T = typevar("T", kinds("bfloat16 half float double complex64 complex128"))


def _conjugate(y: Any) -> Any:
    return y.conj() if y.dtype.kind == "c" else y


@op("TanhGrad", out="z", shape=same_shape, fresh=True)
def tanh_grad(xp: Any, y: T, dy: T) -> T:
    """dy · (1 - y²), where y is tanh(x)."""
    y = _conjugate(y)
    return dy * (1 - y * y)


@op("SigmoidGrad", out="z", shape=same_shape, fresh=True)
def sigmoid_grad(xp: Any, y: T, dy: T) -> T:
    """dy · y · (1 - y), where y is sigmoid(x)."""
    y = _conjugate(y)
    return dy * y * (1 - y)


@op("SqrtGrad", out="z", shape=same_shape, fresh=True)
def sqrt_grad(xp: Any, y: T, dy: T) -> T:
    """dy / 2y, where y is sqrt(x)."""
    return y.dtype.type(0.5) * dy / _conjugate(y)


@op("RsqrtGrad", out="z", shape=same_shape, fresh=True)
def rsqrt_grad(xp: Any, y: T, dy: T) -> T:
    """-dy · y³ / 2, where y is 1 / sqrt(x)."""
    y = _conjugate(y)
    return y.dtype.type(-0.5) * dy * (y * y * y)


def _of_reciprocal(xp: Any, y: T, dy: T) -> T:
    """-dy · y², where y is 1 / x."""
    y = _conjugate(y)
    return -dy * (y * y)


reciprocal_grad = op("ReciprocalGrad", out="z", shape=same_shape, fresh=True)(_of_reciprocal)
inv_grad = op("InvGrad", out="z", shape=same_shape, fresh=True)(_of_reciprocal)

Sizes = typevar("T", INDEX, default=dtypes.int32)


@op("BroadcastGradientArgs", out="r0 r1", fresh=True)
def broadcast_gradient_args(xp: Any, s0: Sizes, s1: Sizes) -> tuple[Sizes, Sizes]:
    """The axes along which tensors of the shapes s0 and s1 are repeated when they meet: what a gradient is summed over."""
    for i, sizes in enumerate((s0, s1)):
        needs_rank(sizes, 1, f"In[{i}] must be a vector{{shape}}")
    a, b = repeated(s0.tolist(), s1.tolist())
    return np.array(a, s0.dtype), np.array(b, s0.dtype)


def repeated(first: list[int], second: list[int]) -> tuple[list[int], list[int]]:
    """For two shapes the axes of the common shape along which each has size 1; none where the shapes are the same.

    Raises: InvalidArgumentError when they do not broadcast.
    """
    if first == second:
        return [], []
    rank = max(len(first), len(second))
    one, other = [1] * (rank - len(first)) + first, [1] * (rank - len(second)) + second
    if any(a != b and 1 not in (a, b) for a, b in zip(one, other)):
        raise invalid(f"Incompatible shapes: {text_of(first)} vs. {text_of(second)}")
    return [i for i in range(rank) if one[i] == 1], [i for i in range(rank) if other[i] == 1]


@broadcast_gradient_args.shape
def _(s0: Sym, s1: Sym) -> list[Shape]:
    vector(s0)
    vector(s1)
    return [(None,), (None,)]
