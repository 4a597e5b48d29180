"""Initializers whose scale depends on the shape, so that a layer preserves the variance of its inputs.

`tf.glorot_uniform_initializer()([784, 10])`; also orthogonal and identity matrices. No state.
"""

from __future__ import annotations

import math
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.nodes import Tensor
from ..arrays import array, constructors, slicing
from ..linalg import linalg
from ..math import math as lib_math
from ..math import random
from .initializers import Initializer, floating

# The standard deviation of a standard normal distribution truncated at ±2.
_TRUNCATED_DEVIATION = 0.87962566103423978


def _full_shape(shape: Any, partition_info: Any) -> Any:
    """The shape of the variable; `shape` may be that of a part."""
    return shape if partition_info is None else partition_info.full_shape


def fans(shape: Any) -> tuple[int, int]:
    """(inputs, outputs) of each unit of a layer with weights [m, k], or of a convolution with a kernel [h, w, m, k]."""
    sizes = list(shape)
    if len(sizes) < 2:
        size = int(sizes[0]) if sizes else 1
        return size, size
    receptive_field = math.prod(int(size) for size in sizes[:-2])
    return int(sizes[-2]) * receptive_field, int(sizes[-1]) * receptive_field


class UniformUnitScaling(Initializer):
    """Uniform numbers [m, ...] in ±factor · √(3 / m), which preserve the variance of x in x · w."""

    def __init__(self, factor: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.factor = factor
        self.seed = seed
        self.dtype = floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        inputs = max(math.prod(float(size) for size in list(_full_shape(shape, partition_info))[:-1]), 1.0)
        limit = math.sqrt(3 / inputs) * self.factor
        output: Tensor = random.random_uniform(shape, -limit, limit, self._kind(dtype), seed=self.seed)
        return output


class VarianceScaling(Initializer):
    """Random numbers [shape] of variance scale / n, where n is the number of inputs, of outputs, or their mean, by
    `mode`.

    mode: "fan_in", "fan_out" or "fan_avg". distribution: "uniform", "truncated_normal" ("normal") or
    "untruncated_normal".

    Raises: ValueError for another mode or distribution, and for a scale that is not positive.
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        dtype: Any = dtypes.float32,
    ) -> None:
        if scale <= 0.0:
            raise ValueError(error_text("`scale` must be positive float."))
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(error_text(f"Invalid `mode` argument: {mode}"))
        distribution = distribution.lower()
        if distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(error_text(f"Invalid `distribution` argument: {distribution}"))
        self.scale = scale
        self.mode = mode
        self.distribution = distribution
        self.seed = seed
        self.dtype = floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        fan_in, fan_out = fans(_full_shape(shape, partition_info))
        count = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(1.0, count)
        kind = self._kind(dtype)
        output: Tensor
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            output = random.random_uniform(shape, -limit, limit, kind, seed=self.seed)
        elif self.distribution == "untruncated_normal":
            output = random.random_normal(shape, 0.0, math.sqrt(variance), kind, seed=self.seed)
        else:
            output = random.truncated_normal(shape, 0.0, math.sqrt(variance) / _TRUNCATED_DEVIATION, kind, seed=self.seed)
        return output


class GlorotUniform(VarianceScaling):
    """Uniform numbers [shape] of variance 2 / (inputs + outputs). As in TF, only a call's dtype counts.

    Source: Glorot and Bengio, Understanding the difficulty of training deep feedforward neural networks, 2010.
    """

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed)


class GlorotNormal(VarianceScaling):
    """Truncated normal numbers [shape] of variance 2 / (inputs + outputs). As in TF, only a call's dtype counts.

    Source: Glorot and Bengio, Understanding the difficulty of training deep feedforward neural networks, 2010.
    """

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed)


def lecun_normal(seed: int | None = None) -> VarianceScaling:
    """An initializer of truncated normal numbers [shape] of variance 1 / inputs.

    Source: LeCun et al., Efficient BackProp, 1998.
    """
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed: int | None = None) -> VarianceScaling:
    """An initializer of uniform numbers [shape] of variance 1 / inputs.

    Source: LeCun et al., Efficient BackProp, 1998.
    """
    return VarianceScaling(1.0, "fan_in", "uniform", seed)


def he_normal(seed: int | None = None) -> VarianceScaling:
    """An initializer of truncated normal numbers [shape] of variance 2 / inputs, for layers with relu.

    Source: He et al., Delving Deep into Rectifiers, 2015.
    """
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed: int | None = None) -> VarianceScaling:
    """An initializer of uniform numbers [shape] of variance 2 / inputs, for layers with relu.

    Source: He et al., Delving Deep into Rectifiers, 2015.
    """
    return VarianceScaling(2.0, "fan_in", "uniform", seed)


class Orthogonal(Initializer):
    """A random matrix [m..., n] with orthogonal columns (or rows, if there are fewer rows), times `gain`.

    Raises: ValueError, when called, for a rank below 2.
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.gain = gain
        self.seed = seed
        self.dtype = floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        sizes = [int(size) for size in shape]
        if len(sizes) < 2:
            raise ValueError(error_text("The tensor to initialize must be at least two-dimensional"))
        rows, columns = math.prod(sizes[:-1]), sizes[-1]
        flat = (max(rows, columns), min(rows, columns))
        drawn = random.random_normal(flat, dtype=self._kind(dtype), seed=self.seed)
        q, r = linalg.qr(drawn, full_matrices=False)
        # The signs of R's diagonal make all orthogonal matrices equally likely.
        q = q * lib_math.sign(linalg.diag_part(r))
        if rows < columns:
            q = array.matrix_transpose(q)
        matrix: Tensor = array.reshape(q, shape)
        return self.gain * matrix


class Identity(Initializer):
    """The identity matrix [m, n] times `gain`.

    Raises: ValueError, when called, for a rank other than 2.
    """

    def __init__(self, gain: float = 1.0, dtype: Any = dtypes.float32) -> None:
        self.gain = gain
        self.dtype = floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        full_shape = list(_full_shape(shape, partition_info))
        if len(full_shape) != 2:
            raise ValueError(error_text("Identity matrix initializer can only be used for 2D matrices."))
        matrix: Tensor = constructors.eye(full_shape[0], full_shape[1], dtype=self._kind(dtype))
        if partition_info is not None:
            matrix = slicing.slice(matrix, partition_info.var_offset, shape)
        return self.gain * matrix


uniform_unit_scaling_initializer = UniformUnitScaling
variance_scaling_initializer = VarianceScaling
glorot_uniform_initializer = GlorotUniform
glorot_normal_initializer = GlorotNormal
orthogonal_initializer = Orthogonal
identity_initializer = Identity

__all__ = [
    "glorot_normal_initializer",
    "glorot_uniform_initializer",
    "he_normal",
    "he_uniform",
    "identity_initializer",
    "lecun_normal",
    "lecun_uniform",
    "orthogonal_initializer",
    "uniform_unit_scaling_initializer",
    "variance_scaling_initializer",
]
