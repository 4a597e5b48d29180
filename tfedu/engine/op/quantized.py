"""Tensors of quantized types: integers in an array of the quantized dtype, and the range of floats that they stand for.

MIN_FIRST, which the quantized ops of networks share, has 0.0 exactly on a step: the integer of a float is round(x · scale),
counted from round(min · scale), with scale the steps per 1.0. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import DType
from .shape_checks import kinds

QUANTIZED = kinds("qint8 quint8 qint32 qint16 quint16")


def whole_of(values: Any) -> Any:
    """The integers of a quantized array, without a copy."""
    return values.view(values.dtype[0])


def as_quantized(whole: Any, dtype: DType) -> Any:
    """Integers of the right width as an array of a quantized dtype, without a copy."""
    return np.asarray(whole).view(dtype.numpy)


def saturated(xp: Any, whole: Any, limits: np.iinfo[Any]) -> Any:
    """Whole floats as integers; what is beyond the type's limits becomes the limit."""
    return xp.clip(whole.astype(np.float64), limits.min, limits.max).astype(limits.dtype)


def rounded(xp: Any, x: Any) -> Any:
    """The nearest whole float; a half goes away from zero."""
    return xp.copysign(xp.floor(xp.abs(x) + x.dtype.type(0.5)), x)


def limited(xp: Any, x: Any, low: Any, high: Any) -> Any:
    """x limited to [low, high]; to low where the range ends before it begins, as TF has it."""
    return xp.maximum(xp.minimum(x, high), low)


def at_steps(xp: Any, floats: Any, low: Any, high: Any, limits: np.iinfo[Any]) -> Any:
    """The integers of float32 numbers, MIN_FIRST; those outside [low, high] become the nearest limit."""
    scale = _steps_per_one(low, high, limits)
    whole = rounded(xp, floats * scale) - (rounded(xp, low * scale) - np.float32(limits.min))
    # float32 has no 2^31 - 1: the number below it is the largest that an int32 holds.
    most = np.float32(min(limits.max, 2**31 - 128))
    return xp.clip(whole, np.float32(limits.min), most).astype(np.int64).astype(limits.dtype)


def from_steps(xp: Any, whole: Any, low: Any, high: Any) -> Any:
    """The float32 numbers of integers, MIN_FIRST."""
    limits = np.iinfo(whole.dtype)
    step = (float(high) - float(low)) / (float(limits.max) - float(limits.min))
    narrow = np.float32(step)
    first = low if low == high else rounded(xp, low / narrow) * narrow
    return ((whole.astype(np.float64) - limits.min) * step + first).astype(np.float32)


def _steps_per_one(low: Any, high: Any, limits: np.iinfo[Any]) -> Any:
    return np.float32(0) if low == high else np.float32((float(limits.max) - float(limits.min)) / (high - low))
