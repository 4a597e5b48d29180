"""`tf.signal.hann_window` and `hamming_window`: raised cosines, as in TF 1.15. No state."""

from __future__ import annotations

import math as scalar_math
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array, sequences
from ..control import cond
from ..framework.scope_blocks import named
from ..framework.static_value import get_static_value
from . import math


@atomic
def hann_window(
    window_length: Any, periodic: Any = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """The Hann window [window_length]; periodic: of a period of window_length, else symmetric.

    Raises: ValueError for a dtype that is not floating, or a window_length that is no scalar.
    """
    return _raised_cosine("hann_window", window_length, periodic, dtype, name, 0.5, 0.5)


@atomic
def hamming_window(
    window_length: Any, periodic: Any = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """The Hamming window [window_length]; periodic: of a period of window_length, else symmetric.

    Raises: ValueError for a dtype that is not floating, or a window_length that is no scalar.
    """
    return _raised_cosine("hamming_window", window_length, periodic, dtype, name, 0.54, 0.46)


def _raised_cosine(
    label: str, window_length: Any, periodic: Any, dtype: Any, name: str | None, offset: float, height: float
) -> Tensor:
    """offset - height · cos(2π i / n) for i below window_length."""
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(error_text(f"dtype must be a floating point type. Found {dtype}"))
    with named(name, label, [window_length, periodic]):
        length = convert_to_tensor(window_length, dtype=dtypes.int32, name="window_length")
        length.shape.assert_has_rank(0)
        known = get_static_value(length)
        if known == 1:
            return array.ones([1], dtype=dtype)
        is_periodic = math.cast(convert_to_tensor(periodic, dtype=dtypes.bool, name="periodic"), dtypes.int32)
        even = 1 - math.floormod(length, 2)
        n = math.cast(length + is_periodic * even - 1, dtype)
        count = math.cast(sequences.range(length), dtype)
        argument = constant(np.array(2 * scalar_math.pi), dtype=dtype) * count / n
        window: Tensor
        if known is not None:
            window = offset - height * math.cos(argument)
            return window
        window = cond.cond(
            math.equal(length, 1),
            lambda: array.ones([1], dtype=dtype),
            lambda: offset - height * math.cos(argument),
        )
        return window


__all__ = ["hamming_window", "hann_window"]
