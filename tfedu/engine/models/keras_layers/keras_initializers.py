"""Keras' random initializers, which draw from narrower ranges than tf.random_uniform_initializer and the like. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...lib.variables import initializers


class RandomUniform(initializers.RandomUniform):
    """Uniform random numbers from minval to maxval."""

    def __init__(
        self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None, dtype: Any = dtypes.float32
    ) -> None:
        super().__init__(minval=minval, maxval=maxval, seed=seed, dtype=dtype)


class RandomNormal(initializers.RandomNormal):
    """Normal random numbers."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(mean=mean, stddev=stddev, seed=seed, dtype=dtype)


class TruncatedNormal(initializers.TruncatedNormal):
    """Normal random numbers within two standard deviations."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(mean=mean, stddev=stddev, seed=seed, dtype=dtype)


__all__ = ["RandomNormal", "RandomUniform", "TruncatedNormal"]
