"""Activation functions: Relu and its variants, Softplus, Softsign, and the softmax of a vector. No state."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ..backends.long_rows import with_each_row
from ..backends.repeated import KEPT, repeated
from ..base import dtypes
from ..base.shapes import Shape, ShapeMismatch
from ..op.callers import nodes
from ..op.define import Sym, op, same_shape, typevar
from ..op.shape_checks import HALF_FIRST, REALS, HalfFloat, Real, invalid
from .reduce import summed


def _activation(type: str, **options: Any) -> Any:
    return op(type, out="activations", shape=same_shape, fresh=True, role="activation", **options)


@_activation("Relu", range=(0, inf), gradient="dx = g · [x > 0]")
def relu(xp: Any, features: typevar("T", (*REALS, dtypes.qint8)), *, out: Any = None) -> "T":  # noqa: F821
    """max(x, 0)."""
    if not features.ndim or not features.flags.c_contiguous:
        return xp.maximum(features, features.dtype.type(0), out=out)
    zeros = repeated(0, min(features.size, KEPT), features.dtype)
    if features.size <= KEPT:
        return xp.maximum(features, zeros.reshape(features.shape), out=out)
    result = xp.empty_like(features) if out is None else out
    flat, into = features.reshape(-1), result.reshape(-1)
    for start in range(0, flat.size, KEPT):
        part = flat[start : start + KEPT]
        xp.maximum(part, zeros[: part.size], out=into[start : start + KEPT])
    return result


relu.grad(lambda op, g: nodes.ReluGrad(g, op.outputs[0]))


@_activation("Relu6", range=(0, 6), gradient="dx = g · [0 < x] · [x < 6]")
def relu6(xp: Any, features: Real) -> Real:
    """x limited to [0, 6]."""
    kind = features.dtype.type
    return xp.minimum(xp.maximum(features, kind(0)), kind(6))


relu6.grad(lambda op, g: nodes.Relu6Grad(g, op.outputs[0]))


@_activation("Elu", range=(-1, inf), gradient="dx = g · (x > 0 ? 1 : y + 1)")
def elu(xp: Any, features: HalfFloat) -> HalfFloat:
    """x for x > 0, exp(x) - 1 below. Source: Clevert et al., 2015."""
    return xp.where(features < 0, xp.expm1(features), features)[()]


elu.grad(lambda op, g: nodes.EluGrad(g, op.outputs[0]))


@_activation("Selu")
def selu(xp: Any, features: HalfFloat) -> HalfFloat:
    """A scaled Elu that keeps mean 0 and variance 1. Source: Klambauer et al., 2017."""
    kind = features.dtype.type
    scale, scaled_alpha = kind(1.0507009873554804934193349852946), kind(1.7580993408473768599402175208123)
    return xp.where(features < 0, scaled_alpha * xp.expm1(features), scale * features)[()]


selu.grad(lambda op, g: nodes.SeluGrad(g, op.outputs[0]))


@op(
    "LeakyRelu", out="activations", shape=lambda features, *, alpha: features.shape, fresh=True,
    role="activation",
)
def leaky_relu(
    xp: Any, features: typevar("T", HALF_FIRST, default=dtypes.float32), *, alpha: float = 0.2
) -> "T":  # noqa: F821
    """x for x > 0, alpha · x below: any shape -> the same shape."""
    return xp.where(features > 0, features, features * features.dtype.type(alpha))[()]


leaky_relu.grad(lambda op, g: nodes.LeakyReluGrad(g, op.inputs[0], alpha=op.attrs["alpha"]))


@_activation("Softplus", range=(0, inf), gradient="dx = g / (1 + exp(-x))")
def softplus(xp: Any, features: HalfFloat) -> HalfFloat:
    """log(1 + exp(x))."""
    return xp.logaddexp(features, features.dtype.type(0))


softplus.grad(lambda op, g: g * nodes.Sigmoid(op.inputs[0]))


@_activation("Softsign", range=(-1, 1), gradient="dx = g / (1 + |x|)²")
def softsign(xp: Any, features: HalfFloat) -> HalfFloat:
    """x / (1 + |x|)."""
    return features / (features.dtype.type(1) + xp.abs(features))


softsign.grad(lambda op, g: nodes.SoftsignGrad(g, op.inputs[0]))


def _logits_shape(logits: Sym) -> Shape:
    if logits.shape is not None and not logits.shape:
        raise ShapeMismatch("Shape must be at least rank 1 but is rank 0")
    return logits.shape


def _check_logits(logits: Any) -> None:
    if not logits.ndim:
        raise invalid("logits must have >= 1 dimension, got []")


# NumPy reduces many shorter rows several times faster along the first axis in memory.
_SHORT = 32
_PART = 1 << 19  # bytes of the rows that are in work at a time: they stay in a core's second cache


def _below_largest(xp: Any, logits: Any, out: Any = None) -> Any:
    """The logits minus the largest one of each row [..., k], in new memory or `out`; short rows lie along the first axis in the
    new.
    """
    if out is None and logits.ndim > 1 and logits.shape[-1] < _SHORT:
        logits = xp.asfortranarray(logits)
    return with_each_row(xp.subtract, logits, logits.max(axis=-1, keepdims=True), out) if logits.size else logits.copy()


@op(
    "Softmax", out="softmax", shape=_logits_shape, fresh=True, multiplies=True, range=(0, 1),
    gradient="dx = (g - Σ g · y) · y",
)  # fmt: skip
def softmax(xp: Any, logits: HalfFloat) -> HalfFloat:
    """exp(x) / sum(exp(x)) over the last axis: logits [..., k] -> softmax [..., k]."""
    _check_logits(logits)
    if logits.nbytes <= _PART or logits.shape[-1] < _SHORT or not isinstance(logits, np.ndarray):
        return xp.ascontiguousarray(_softmax(xp, logits, None))
    rows = logits.reshape(-1, logits.shape[-1])
    powers, at_once = xp.empty(rows.shape, rows.dtype), max(_PART * len(rows) // rows.nbytes, 1)
    for first in range(0, len(rows), at_once):
        _softmax(xp, rows[first : first + at_once], powers[first : first + at_once])
    return powers.reshape(logits.shape)


def _softmax(xp: Any, logits: Any, out: Any) -> Any:
    powers = _below_largest(xp, logits, out)
    xp.exp(powers, out=powers)
    return with_each_row(xp.multiply, powers, 1 / summed(powers, (powers.ndim - 1,), keep=True), powers)


@softmax.grad
def _(op: Any, g: Any) -> Any:
    y = op.outputs[0]
    return (g - nodes.Sum(g * y, -1, keep_dims=True)) * y


@op(
    "LogSoftmax", out="logsoftmax", shape=_logits_shape, fresh=True, multiplies=True,
    gradient="dx = g - Σ g · exp(y)",
)  # fmt: skip
def log_softmax(xp: Any, logits: HalfFloat) -> HalfFloat:
    """log(softmax(x)) over the last axis, computed without its rounding: logits [..., k] -> logsoftmax [..., k]."""
    _check_logits(logits)
    shifted = _below_largest(xp, logits)
    logarithms = xp.log(summed(xp.exp(shifted), (shifted.ndim - 1,), keep=True))
    return xp.ascontiguousarray(with_each_row(xp.subtract, shifted, logarithms, shifted))


@log_softmax.grad
def _(op: Any, g: Any) -> Any:
    return g - nodes.Sum(g, -1, keep_dims=True) * nodes.Exp(op.outputs[0])
