"""Padding: Pad, PadV2 and MirrorPad. No state."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import Sym, op, typevar
from ..op.shape_checks import (
    INDEX,
    Any_,
    as_array,
    invalid,
    needs_rank,
    of_rank,
    text_of,
    unwrapped,
    with_value,
)  # fmt: skip

Tpaddings = typevar("Tpaddings", INDEX, default=dtypes.int32)


def _pad_shape(input: Sym, paddings: Sym) -> Shape:
    table = of_rank(paddings.shape, 2)
    with_value(table[1], 2)
    input_shape = input.shape
    if table[0] is not None:
        input_shape = of_rank(input_shape, table[0])
    around = paddings.value
    if around is None:
        return None if input_shape is None else (None,) * len(input_shape)
    input_shape = of_rank(input_shape, len(around))
    for before, after in around.tolist():
        if before < 0 or after < 0:
            raise ShapeMismatch("Paddings must be non-negative")
    return tuple(None if n is None else n + int(b) + int(a) for n, (b, a) in zip(input_shape, around))


def _check_paddings(input: Any, paddings: Any, between: str = "", what: str = "Paddings") -> list[tuple[int, int]]:
    paddings_shape = np.shape(paddings)
    if len(paddings_shape) != 2 or paddings_shape[1] != 2:
        raise invalid(f"paddings must be a matrix with 2 columns: {text_of(paddings_shape)}")
    if paddings_shape[0] != input.ndim:
        both = f"{text_of(paddings_shape)}{between} {text_of(input.shape)}"
        raise invalid(f"The first dimension of paddings must be the rank of inputs{both}")
    around = list(map(tuple, paddings.tolist()))
    for b, a in around:
        if b < 0 or a < 0:
            raise invalid(f"{what} must be non-negative: {b} {a}")
    return around


@op("Pad", shape=_pad_shape, fresh=True)
def pad(xp: Any, input: Any_, paddings: Tpaddings) -> Any_:
    """Surrounds the input with zeros: input [d...], paddings [rank, 2], (before, after) for each axis -> [before + d +
    after...].

    Raises: InvalidArgumentError for negative paddings.
    """
    array = as_array(input)
    fill = b"" if array.dtype == object else 0
    return _padded(xp, array, _check_paddings(array, paddings), fill)


@pad.grad
def _of_pad(op: Any, g: Any) -> Any:
    x, paddings = op.inputs[:2]
    before = nodes.Slice(paddings, [0, 0], functions.stack([functions.rank(x), 1]))
    dx = nodes.Slice(g, nodes.Reshape(before, [-1]), functions.shape(x))
    return dx, *[None] * (len(op.inputs) - 1)


def _padded(xp: Any, array: Any, around: list[tuple[int, int]], fill: Any) -> Any:
    out = xp.full([b + n + a for n, (b, a) in zip(array.shape, around)], fill, array.dtype)
    out[tuple(slice(b, b + n) for n, (b, _) in zip(array.shape, around))] = array
    return unwrapped(out)


@op("PadV2", shape=lambda input, paddings, constant_values: _pad_shape(input, paddings), fresh=True)
def pad_v2(xp: Any, input: Any_, paddings: Tpaddings, constant_values: Any_) -> Any_:
    """Surrounds the input with constant_values (a scalar): input [d...], paddings [rank, 2], (before, after) for each
    axis -> [before + d + after...].

    Raises: InvalidArgumentError for negative paddings.
    """
    needs_rank(constant_values, 0, "constant_values must be a scalar. Found: {shape}")
    array = as_array(input)
    return _padded(xp, array, _check_paddings(array, paddings), constant_values)


pad_v2.grad(_of_pad)


@op("MirrorPad", shape=lambda input, paddings, *, mode: _pad_shape(input, paddings), fresh=True)
def mirror_pad(xp: Any, input: Any_, paddings: Tpaddings, *, mode: Literal["REFLECT", "SYMMETRIC"]) -> Any_:
    """Surrounds the input with its mirror image: input [d...], paddings [rank, 2] -> [before + d + after...]; REFLECT
    leaves the edge itself out, SYMMETRIC repeats it.

    Raises: InvalidArgumentError for more padding than there is to mirror.
    """
    around = _check_paddings(input, paddings, ",", "paddings")
    edge = 1 if mode == "REFLECT" else 0
    for i, (b, a) in enumerate(around):
        if max(b, a) > input.shape[i] - edge:
            raise invalid(
                f"paddings must be {'less than' if edge else 'no greater than'} the dimension size: "
                f"{b}, {a} {'not less than' if edge else 'greater than'} {input.shape[i]}"
            )
    return np.pad(input, around, mode="reflect" if edge else "symmetric")


@mirror_pad.grad
def _(op: Any, g: Any) -> Any:
    return nodes.MirrorPadGrad(g, op.inputs[1], mode=op.attrs["mode"]), None
