"""Numbers in few bits: QuantizeV2, Dequantize and QuantizeAndDequantizeV2, which does one after the other.

A quantized tensor is integers with a range [min_range, max_range] of floats that they stand for. Three modes map one to
the other:

    MIN_COMBINED   the smallest integer is min_range, the largest max_range
    MIN_FIRST      the same, but 0.0 is exactly one of the steps
    SCALED         a product: integer = float · scale, so that 0 is 0.0

Each has a fixed number of steps, so the floats between two steps are lost. No state.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape
from ..op.define import Sym, op, typevar
from ..op.quantized import (
    QUANTIZED,
    as_quantized,
    at_steps,
    from_steps,
    limited,
    rounded,
    saturated,
    whole_of,
)
from ..op.shape_checks import FLOATS, invalid, of_rank

Quantized = typevar("T", QUANTIZED)
Floating = typevar("T", FLOATS)
Mode = Literal["MIN_COMBINED", "MIN_FIRST", "SCALED"]

_NO_RANGE = "input_max_range must be larger than input_min_range."


# -- floats to integers and back -------------------------------------------------------------------------------------------


def _scalar_ranges(input: Sym, *ranges: Sym, **attrs: Any) -> tuple[Shape, ...]:
    for limit in ranges:
        of_rank(limit.shape, 0)
    return (input.shape, *[()] * len(ranges))


@op("QuantizeV2", out="output output_min output_max", shape=_scalar_ranges, fresh=True)
def quantize_v2(
    xp: Any,
    input: dtypes.float32,
    min_range: dtypes.float32,
    max_range: dtypes.float32,
    *,
    T: typevar("T", QUANTIZED),
    mode: Mode = "MIN_COMBINED",
    round_mode: Literal["HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN"] = "HALF_AWAY_FROM_ZERO",
) -> tuple[Quantized, dtypes.float32, dtypes.float32]:
    """Encodes floats as integers, and gives the range that the integers cover: any shape, two scalars -> the same shapes.

    The range is widened until it holds 0 and a hundredth of its larger limit (at least 0.01); SCALED widens it to whole steps.

    Raises: InvalidArgumentError for a range that ends before it begins, and for HALF_TO_EVEN in another mode than SCALED.
    """
    if round_mode == "HALF_TO_EVEN" and mode != "SCALED":
        raise invalid(f"Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is '{mode}'.")
    low, high = np.float32(min_range), np.float32(max_range)
    if high < low:
        raise invalid(_NO_RANGE, f"the range given is [{low}, {high}]")
    least = np.float32(max(np.float32(1), abs(low), abs(high)) / np.float32(100))
    low = min(np.float32(0), low)
    high = max(np.float32(0), max(high, low + least))
    limits = np.iinfo(T.numpy[0])
    if mode == "MIN_FIRST":
        return as_quantized(at_steps(xp, input, low, high, limits), T), low, high
    if mode == "MIN_COMBINED":
        scale = np.float32((float(limits.max) - float(limits.min)) / (high - low))
        shifted = (limited(xp, input, low, high) - low) * scale
        if limits.min < 0:
            half = np.float32((float(limits.max) - float(limits.min) + 1) / 2)
            whole = rounded(xp, shifted - half)
        else:
            whole = xp.floor(shifted + np.float32(0.5))
        return as_quantized(saturated(xp, whole, limits), T), low, high
    scale = _scale(low, high, limits.min, limits.max)
    low, high = np.float32(limits.min / scale), np.float32(limits.max / scale)
    scaled = limited(xp, input, low, high) * scale
    whole = xp.rint(scaled) if round_mode == "HALF_TO_EVEN" else rounded(xp, scaled)
    return as_quantized(saturated(xp, whole, limits), T), low, high


def _scale(low: Any, high: Any, least: int, most: int) -> Any:
    """Steps per 1.0, so that neither limit of the range is beyond the integers: the smaller of the two sides."""
    beyond = np.float32(np.finfo(np.float32).max)
    below = np.float32(least / low) if least * float(low) > 0 else beyond
    above = np.float32(most / high) if most * float(high) > 0 else beyond
    return min(below, above)


@op("Dequantize", fresh=True)
def dequantize(
    xp: Any, input: Quantized, min_range: dtypes.float32, max_range: dtypes.float32, *, mode: Mode = "MIN_COMBINED"
) -> dtypes.float32:
    """Decodes integers to the floats that they encode: any shape, two scalars -> the same shape.

    min_range, max_range: what QuantizeV2 gave with the integers.
    """
    whole = whole_of(input)
    limits = np.iinfo(whole.dtype)
    low, high = np.float32(min_range), np.float32(max_range)
    if mode == "MIN_FIRST":
        return from_steps(xp, whole, low, high)
    if mode == "MIN_COMBINED":
        half = np.float32(0 if limits.min == 0 else (float(limits.max) - float(limits.min) + 1) / 2)
        step = np.float32((high - low) / np.float32(float(limits.max) - float(limits.min)))
        return (whole.astype(np.float32) + half) * step + low
    step = max(high / np.float32(limits.max), low / np.float32(limits.min)) if limits.min < 0 else high / np.float32(limits.max)
    return whole.astype(np.float32) * np.float32(step)


@dequantize.shape
def _(input: Sym, min_range: Sym, max_range: Sym, *, mode: str) -> Shape:
    return _scalar_ranges(input, min_range, max_range)[0]


# -- floats at the steps ---------------------------------------------------------------------------------------------------


@op("QuantizeAndDequantizeV2", shape=lambda input, *ranges, **attrs: _scalar_ranges(input, *ranges)[0], fresh=True)
def quantize_and_dequantize_v2(
    xp: Any,
    input: Floating,
    input_min: Floating,
    input_max: Floating,
    *,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    round_mode: Literal["HALF_TO_EVEN", "HALF_UP"] = "HALF_TO_EVEN",
    narrow_range: bool = False,
) -> Floating:
    """Floats moved to the steps of integers of num_bits bits, SCALED: any shape, two scalars -> the same shape.

    range_given: else the range is that of the input. narrow_range: the smallest signed integer is left out.

    Raises: InvalidArgumentError for a given range that ends before it begins, and for num_bits outside 1 to 63.
    """
    if not 0 < num_bits < (62 if signed_input else 63):
        raise invalid(f"num_bits is out of range: {num_bits} with signed_input_ {int(signed_input)}")
    kind = input.dtype.type
    if range_given:
        low, high = kind(input_min), kind(input_max)
        if low > high:
            raise invalid(f"Invalid range: input_min {low:g} > input_max {high:g}")
    else:
        low, high = (kind(input.min()), kind(input.max())) if input.size else (kind(0), kind(0))
    least = -(2 ** (num_bits - 1)) + narrow_range if signed_input else 0
    most = 2 ** (num_bits - 1) - 1 if signed_input else 2**num_bits - 1
    beyond = np.finfo(input.dtype).max
    below = kind(least) / low if least * float(low) > 0 else beyond
    above = kind(most) / high if most * float(high) > 0 else beyond
    if below < above:
        scale, step = below, low / kind(least)
        high = kind(most) * step
    else:
        scale, step = above, (high / kind(most) if most else kind(0))
        low = kind(least) * step
    scaled = (limited(xp, input, low, high) if range_given else input) * scale
    return (xp.rint(scaled) if round_mode == "HALF_TO_EVEN" else xp.floor(scaled + kind(0.5))) * step


quantize_and_dequantize_v2.grad(lambda op, g: (g, None, None))
