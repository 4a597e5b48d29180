"""Bitwise ops on integers: And, Or, Xor, Invert, shifts, PopulationCount. No state."""

from __future__ import annotations

from typing import Any

from ..base import dtypes
from ..op.define import binary, unary
from ..op.gradient_rules import WHOLE_NUMBERS
from .math import Integer, elementwise, pairwise

invert = unary(
    "Invert", "invert", Integer, "Flips every bit of x.", name="invert", expr="~{x}", not_differentiable=WHOLE_NUMBERS
)


@elementwise("PopulationCount", not_differentiable=WHOLE_NUMBERS)
def population_count(xp: Any, x: Integer) -> dtypes.uint8:
    """The number of bits of x that are set."""
    return xp.bitwise_count(x.view(f"u{x.dtype.itemsize}"))


bitwise_and = binary(
    "BitwiseAnd", "bitwise_and", Integer, "The bits that are set in both x and y.", name="bitwise_and", expr="{x} & {y}",
    not_differentiable=WHOLE_NUMBERS,
)
bitwise_or = binary(
    "BitwiseOr", "bitwise_or", Integer, "The bits that are set in x or y.", name="bitwise_or", expr="{x} | {y}",
    not_differentiable=WHOLE_NUMBERS,
)
bitwise_xor = binary(
    "BitwiseXor", "bitwise_xor", Integer, "The bits that are set in one of x and y.", name="bitwise_xor", expr="{x} ^ {y}",
    not_differentiable=WHOLE_NUMBERS,
)


@pairwise("LeftShift", not_differentiable=WHOLE_NUMBERS)
def left_shift(xp: Any, x: Integer, y: Integer) -> Integer:
    """The bits of x shifted left by y places."""
    return xp.left_shift(x, _shift(xp, y))


@pairwise("RightShift", not_differentiable=WHOLE_NUMBERS)
def right_shift(xp: Any, x: Integer, y: Integer) -> Integer:
    """The bits of x shifted right by y places; the sign stays."""
    return xp.right_shift(x, _shift(xp, y))


def _shift(xp: Any, y: Any) -> Any:
    # A negative shift, or one by the whole width or more, is undefined in C: TF takes the nearest defined one.
    return xp.clip(y, 0, y.dtype.itemsize * 8 - 1)
