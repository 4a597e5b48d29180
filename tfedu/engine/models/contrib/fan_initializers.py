"""The initializers of `tf.contrib.layers`, whose scale depends on the numbers of a unit's inputs and outputs.

    w = tf.get_variable("w", [784, 10], initializer=xavier_initializer())

Source: Glorot and Bengio, 2010 (Xavier); He et al., 2015 (FAN_IN with factor 2). No state.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...base import dtypes
from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...base.shapes import dimension_value
from ...graph.nodes import Tensor
from ...lib.math import random
from ...lib.variables.scaled_initializers import fans

MODES = ("FAN_IN", "FAN_OUT", "FAN_AVG")


def variance_scaling_initializer(
    factor: float = 2.0, mode: str = "FAN_IN", uniform: bool = False, seed: int | None = None, dtype: Any = dtypes.float32
) -> Callable[..., Tensor]:
    """An initializer: random numbers [shape] of variance factor / n, by `mode` the number of inputs, of outputs or their mean.

    uniform: numbers in ±√(3 · factor / n); else normal ones of standard deviation √(1.3 · factor / n), truncated at twice that.
    Raises: TypeError for a dtype that is not floating, and for another mode.
    """
    _check_floating(dtype)
    if mode not in MODES:
        raise TypeError(error_text(f"Unknown mode {mode} [{', '.join(MODES)}]"))

    def _initializer(shape: Any, dtype: Any = dtype, partition_info: Any = None) -> Tensor:
        _check_floating(dtype)
        inputs, outputs = fans([dimension_value(size) for size in shape])
        count = {"FAN_IN": inputs, "FAN_OUT": outputs, "FAN_AVG": (inputs + outputs) / 2.0}[mode]
        if uniform:
            limit = math.sqrt(3.0 * factor / count)
            return random.random_uniform(shape, -limit, limit, dtype, seed=seed)
        deviation = math.sqrt(1.3 * factor / count)
        return random.truncated_normal(shape, 0.0, deviation, dtype, seed=seed)

    return _initializer


def _check_floating(dtype: Any) -> None:
    if not as_dtype(dtype).is_floating:
        raise TypeError(error_text("Cannot create initializer for non-floating point type."))


def xavier_initializer(uniform: bool = True, seed: int | None = None, dtype: Any = dtypes.float32) -> Callable[..., Tensor]:
    """An initializer: random numbers [shape] of variance 2 / (inputs + outputs) of a unit, uniform or truncated normal.

    Raises: TypeError for a dtype that is not floating.
    """
    return variance_scaling_initializer(factor=1.0, mode="FAN_AVG", uniform=uniform, seed=seed, dtype=dtype)


xavier_initializer_conv2d = xavier_initializer

__all__ = ["variance_scaling_initializer", "xavier_initializer", "xavier_initializer_conv2d"]
