"""Arithmetic on quantized tensors: an array holds integers, and a range [low, high] says which floats the integers encode.

The mode MIN_FIRST, which all quantized layers use, encodes 0.0 exactly: a float x becomes round(x · scale) - round(low · scale),
where scale is the number of steps per 1.0. No state.
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
    """Casts whole floats to integers; a float beyond the limits of the type becomes the limit."""
    return xp.clip(whole.astype(np.float64), limits.min, limits.max).astype(limits.dtype)


def rounded(xp: Any, x: Any) -> Any:
    """The nearest whole float; a half goes away from zero."""
    return xp.copysign(xp.floor(xp.abs(x) + x.dtype.type(0.5)), x)


def limited(xp: Any, x: Any, low: Any, high: Any) -> Any:
    """Clips x to [low, high]; where low > high, the result is low, as in TF."""
    return xp.maximum(xp.minimum(x, high), low)


def at_steps(xp: Any, floats: Any, low: Any, high: Any, limits: np.iinfo[Any]) -> Any:
    """Encodes float32 numbers as integers, MIN_FIRST; a number outside [low, high] becomes the nearest limit of the type."""
    scale = _steps_per_one(low, high, limits)
    whole = rounded(xp, floats * scale) - (rounded(xp, low * scale) - np.float32(limits.min))
    # float32 has no 2^31 - 1: the number below it is the largest that an int32 holds.
    most = np.float32(min(limits.max, 2**31 - 128))
    return xp.clip(whole, np.float32(limits.min), most).astype(np.int64).astype(limits.dtype)


def from_steps(xp: Any, whole: Any, low: Any, high: Any) -> Any:
    """Decodes integers to the float32 numbers that they encode, MIN_FIRST."""
    limits = np.iinfo(whole.dtype)
    step = (float(high) - float(low)) / (float(limits.max) - float(limits.min))
    narrow = np.float32(step)
    first = low if low == high else rounded(xp, low / narrow) * narrow
    return ((whole.astype(np.float64) - limits.min) * step + first).astype(np.float32)


def _steps_per_one(low: Any, high: Any, limits: np.iinfo[Any]) -> Any:
    return np.float32(0) if low == high else np.float32((float(limits.max) - float(limits.min)) / (high - low))
