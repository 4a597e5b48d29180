"""Initializers: objects that compute a variable's initial value when called with its shape.

`tf.zeros_initializer()([2, 3])` is a tensor of zeros; `get_config()` returns an initializer's arguments. Initializers
that depend on the shape are in `scaled_initializers.py`. No state.
"""

from __future__ import annotations

import inspect
from typing import Any, Self

import numpy as np

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array
from ..math import random


class Initializer:
    """Base class: `initializer(shape, dtype)` returns an initial value [shape]. Attributes have the names of the
    arguments.
    """

    dtype: DType

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal initializer."""
        names = [name for name in inspect.signature(type(self)).parameters if hasattr(self, name)]
        return {name: self.dtype.name if name == "dtype" else getattr(self, name) for name in names}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """An initializer from the result of `get_config`."""
        return cls(**config)

    def _kind(self, dtype: Any) -> DType:
        return self.dtype if dtype is None else as_dtype(dtype)


def floating(dtype: Any) -> DType:
    """The dtype, which must be floating.

    Raises: ValueError for any other.
    """
    kind = as_dtype(dtype)
    if not kind.is_floating:
        raise ValueError(error_text(f"Expected floating point type, got {kind}."))
    return kind


class Zeros(Initializer):
    """Zeros [shape]."""

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        self.dtype = as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        output: Tensor = array.zeros(shape, self._kind(dtype))
        return output


class Ones(Initializer):
    """Ones [shape]."""

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        self.dtype = as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        output: Tensor = array.ones(shape, self._kind(dtype))
        return output


class Constant(Initializer):
    """A constant [shape]: a scalar everywhere, or a list or array, whose last element fills the rest.

    Raises: TypeError for a value that is not a scalar, list, tuple or array.
    """

    def __init__(self, value: Any = 0, dtype: Any = dtypes.float32, verify_shape: bool = False) -> None:
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(
                error_text(
                    f"Invalid type for initial value: {type(value)} (expected Python scalar, list or tuple of values, or "
                    "numpy.ndarray)."
                )
            )
        self.value = value
        self.dtype = as_dtype(dtype)
        self._verify_shape = verify_shape

    def __call__(
        self, shape: Any, dtype: Any = None, partition_info: Any = None, verify_shape: bool | None = None
    ) -> Tensor:
        verify = self._verify_shape if verify_shape is None else verify_shape
        return constant(self.value, dtype=self._kind(dtype), shape=shape, verify_shape=verify)


class RandomUniform(Initializer):
    """Uniform numbers [shape] in [minval, maxval)."""

    def __init__(
        self, minval: Any = 0, maxval: Any = None, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self.minval = minval
        self.maxval = maxval
        self.seed = seed
        self.dtype = as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        output: Tensor = random.random_uniform(
            shape, self.minval, self.maxval, self._kind(dtype), seed=self.seed
        )
        return output


class RandomNormal(Initializer):
    """Normally distributed numbers [shape] with mean `mean` and standard deviation `stddev`."""

    _draw = staticmethod(random.random_normal)

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self.mean = mean
        self.stddev = stddev
        self.seed = seed
        self.dtype = floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return self._draw(shape, self.mean, self.stddev, self._kind(dtype), seed=self.seed)


class TruncatedNormal(RandomNormal):
    """Normally distributed numbers [shape] within two standard deviations from the mean."""

    _draw = staticmethod(random.truncated_normal)


zeros_initializer = Zeros
ones_initializer = Ones
constant_initializer = Constant
random_uniform_initializer = RandomUniform
random_normal_initializer = RandomNormal
truncated_normal_initializer = TruncatedNormal

__all__ = [
    "Initializer",
    "constant_initializer",
    "ones_initializer",
    "random_normal_initializer",
    "random_uniform_initializer",
    "truncated_normal_initializer",
    "zeros_initializer",
]
