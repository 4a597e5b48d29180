"""Ops that only gradients use: TanhGrad, SqrtGrad, …, and BroadcastGradientArgs, the axes that a broadcast repeated.

Input y is the forward op's result, dy the gradient that arrives. No state.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import Many, Sym, op, same_shape, typevar
from ..op.gradient_rules import WHOLE_NUMBERS, repeated_axes
from ..op.name_scopes import waiting_for
from ..op.shape_checks import INDEX, Any_, invalid, kinds, needs_rank, of_rank, sizes_of, text_of, vector
from .padding import Tpaddings
from .slicing import MASKS, Masks, cut

T = typevar("T", kinds("bfloat16 half float double complex64 complex128"))


def _conjugate(y: Any) -> Any:
    return y.conj() if y.dtype.kind == "c" else y


@op("TanhGrad", out="z", shape=same_shape, fresh=True)
def tanh_grad(xp: Any, y: T, dy: T) -> T:
    """dy · (1 - y²), where y = tanh(x)."""
    y = _conjugate(y)
    slope = y * y
    slope = xp.subtract(1, slope, out=slope) if slope.ndim else 1 - slope
    slope *= dy
    return slope


@tanh_grad.grad
def _(op: Any, g: Any) -> Any:
    with waiting_for([g]):
        y, dy = functions.conj(op.inputs[0]), functions.conj(op.inputs[1])
        return g * -2.0 * dy * y, tanh_grad(y, g)


@op("SigmoidGrad", out="z", shape=same_shape, fresh=True)
def sigmoid_grad(xp: Any, y: T, dy: T, *, out: Any = None) -> T:
    """dy · y · (1 - y), where y = sigmoid(x)."""
    y = _conjugate(y)
    rest = 1 - y
    product = dy * y if out is None else xp.multiply(dy, y, out=out)
    product *= rest
    return product


@sigmoid_grad.grad
def _(op: Any, g: Any) -> Any:
    with waiting_for([g]):
        y, dy = functions.conj(op.inputs[0]), functions.conj(op.inputs[1])
        product = g * dy
        return product - 2.0 * product * y, sigmoid_grad(y, g)


@op("SqrtGrad", out="z", shape=same_shape, fresh=True)
def sqrt_grad(xp: Any, y: T, dy: T) -> T:
    """dy / (2 · y), where y = sqrt(x)."""
    return y.dtype.type(0.5) * dy / _conjugate(y)


@sqrt_grad.grad
def _(op: Any, g: Any) -> Any:
    with waiting_for([g]):
        quotient = g / op.inputs[0]
        return -functions.conj(quotient) * op.outputs[0], 0.5 * quotient


@op("RsqrtGrad", out="z", shape=same_shape, fresh=True)
def rsqrt_grad(xp: Any, y: T, dy: T) -> T:
    """-dy · y³ / 2, where y = 1 / sqrt(x)."""
    y = _conjugate(y)
    return y.dtype.type(-0.5) * dy * (y * y * y)


@rsqrt_grad.grad
def _(op: Any, g: Any) -> Any:
    y, dy = op.inputs
    with waiting_for([g]):
        y, g_conjugate = functions.conj(y), functions.conj(g)
        return -1.5 * g_conjugate * dy * nodes.Square(y), rsqrt_grad(y, g)


def _of_reciprocal(xp: Any, y: T, dy: T) -> T:
    """-dy · y², where y = 1 / x."""
    y = _conjugate(y)
    return -dy * (y * y)


reciprocal_grad = op("ReciprocalGrad", out="z", shape=same_shape, fresh=True)(_of_reciprocal)
inv_grad = op("InvGrad", out="z", shape=same_shape, fresh=True)(_of_reciprocal)


@inv_grad.grad
@reciprocal_grad.grad
def _(op: Any, g: Any) -> Any:
    dy = op.inputs[1]
    with waiting_for([g]):
        y, g_conjugate = functions.conj(op.inputs[0]), functions.conj(g)
        return g_conjugate * -2.0 * dy * y, reciprocal_grad(y, g)

Sizes = typevar("T", INDEX, default=dtypes.int32)


@op("BroadcastGradientArgs", not_differentiable=WHOLE_NUMBERS, out="r0 r1", fresh=True)
def broadcast_gradient_args(xp: Any, s0: Sizes, s1: Sizes) -> tuple[Sizes, Sizes]:
    """The axes along which broadcasting repeats tensors of the shapes s0 [m] and s1 [n], over which a gradient is
    summed: -> r0 [k], r1 [l].
    """
    for i, sizes in enumerate((s0, s1)):
        needs_rank(sizes, 1, f"In[{i}] must be a vector{{shape}}")
    a, b = repeated_axes(s0.tolist(), s1.tolist())
    return np.array(a, s0.dtype), np.array(b, s0.dtype)


@broadcast_gradient_args.shape
def _(s0: Sym, s1: Sym) -> list[Shape]:
    vector(s0)
    vector(s1)
    return [(None,), (None,)]


# -- of joining and cutting ------------------------------------------------------------------------------------------------

Kept = typevar("shape_type", INDEX, default=dtypes.int32)


@op("ConcatOffset", not_differentiable=WHOLE_NUMBERS, out="offset", fresh=True)
def concat_offset(xp: Any, concat_dim: dtypes.int32, shape: Many[Kept, "N", 2]) -> Many[Kept, "N"]:  # noqa: F821
    """Where each part of a concatenation begins: concat_dim scalar, n shapes [rank] -> n offsets [rank], 0 but along
    concat_dim.

    Raises: InvalidArgumentError when other sizes differ.
    """
    axis = int(concat_dim)
    rank = len(shape[0])
    if not -rank <= axis < rank:
        raise invalid(f"Concat dim is out of range: {axis} vs. {rank}")
    offsets, at = [], 0
    for i, sizes in enumerate(shape):
        same = [n == m or k == axis % rank for k, (n, m) in enumerate(zip(sizes, shape[0]))]
        if len(sizes) != rank or not all(same):
            raise invalid(
                "All dimensions except "
                f"{axis % rank} must match. Input {i} has shape {text_of(sizes.tolist()).replace(',', ' ')} and doesn't match "
                f"input 0 with shape {text_of(shape[0].tolist()).replace(',', ' ')}."
            )
        offset = np.zeros(rank, sizes.dtype)
        offset[axis] = at
        offsets.append(offset)
        at += sizes[axis]
    return offsets


@concat_offset.shape
def _(concat_dim: Sym, shape: list[Sym]) -> list[Shape]:
    of_rank(concat_dim.shape, 0)
    return [s.shape if s.shape is not None else (None,) for s in shape]


@op("StridedSliceGrad", shape=lambda shape, *_, **__: sizes_of(shape), fresh=True)
def strided_slice_grad(
    xp: Any,
    shape: typevar("Index", INDEX),
    begin: "Index",  # noqa: F821
    end: "Index",  # noqa: F821
    strides: "Index",  # noqa: F821
    dy: Any_,
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Any_:
    """Zeros with dy at the place of the slice: shape [rank], begin, end and strides [k], dy of the slice's shape -> a
    tensor of that shape.

    Raises: InvalidArgumentError when dy has another shape than the slice.
    """
    dy = xp.asarray(dy)
    out = xp.zeros([int(n) for n in shape], dy.dtype)
    masks = Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    index, part = cut(out, (begin, end, strides), masks)
    if np.shape(part) != dy.shape:
        raise invalid(f"shape of dy was {text_of(dy.shape)} instead of {text_of(np.shape(part))}")
    out[index] = dy
    return out[()]


@strided_slice_grad.grad
def _(op: Any, g: Any) -> Any:
    masks = {name: op.attrs[name] for name in MASKS}
    return None, None, None, None, nodes.StridedSlice(g, *op.inputs[1:4], **masks)


@op("MirrorPadGrad", fresh=True)
def mirror_pad_grad(xp: Any, input: Any_, paddings: Tpaddings, *, mode: Literal["REFLECT", "SYMMETRIC"]) -> Any_:
    """Adds the padding back to the elements that MirrorPad copied it from: input [before + d + after...], paddings
    [rank, 2] -> [d...].
    """
    out = xp.array(input)
    off = 1 if mode in ("REFLECT", b"REFLECT") else 0
    for axis, (before, after) in enumerate(np.asarray(paddings).tolist()):
        rows = np.moveaxis(out, axis, 0)
        size = len(rows) - before - after
        if min(before, after) < 0 or max(before, after) > size - off:
            raise invalid(f"paddings must be no greater than the dimension size: {before}, {after} greater than {size}")
        core = rows[before : before + size].copy()
        core[off : off + before] += rows[:before][::-1]
        core[size - off - after : size - off] += rows[before + size :][::-1]
        out = np.moveaxis(core, 0, axis)
    return xp.ascontiguousarray(out)


@mirror_pad_grad.shape
def _(input: Sym, paddings: Sym, *, mode: str) -> Shape:
    input_shape, pairs = input.shape, paddings.value
    if input_shape is None or pairs is None:
        return None if input_shape is None else (None,) * len(input_shape)
    return tuple(None if n is None else n - int(a) - int(b) for n, (a, b) in zip(input_shape, pairs))


@mirror_pad_grad.grad
def _(op: Any, g: Any) -> Any:
    return nodes.MirrorPad(g, op.inputs[1], mode=op.attrs["mode"]), None
