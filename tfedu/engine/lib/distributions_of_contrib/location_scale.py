"""`tf.contrib.distributions.Cauchy` and `Logistic`: numbers that `loc` moves and `scale` stretches. No state."""

from __future__ import annotations

import math as scalar_math
from typing import Any

import numpy as np

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array
from ..checks import asserts
from ..checks.type_asserts import assert_same_float_dtype
from ..control.grouping import identity
from ..distributions.distribution import FULLY_REPARAMETERIZED
from ..distributions.scalar_events import ScalarDistribution
from ..framework.scope_blocks import control_dependencies, name_scope
from ..math import math, random
from ..nn.activations import softplus


class LocationScale(ScalarDistribution):
    """Numbers loc + scale · z; both broadcast to [batch...].

    Raises: ValueError for parameters that are not floating or of different dtypes; in the run, under validate_args,
    InvalidArgumentError unless scale is positive.
    """

    def _make(
        self, loc: Any, scale: Any, validate_args: bool, allow_nan_stats: bool, name: str, parameters: dict[str, Any]
    ) -> None:
        with name_scope(name, values=[loc, scale]) as scope:
            with control_dependencies([asserts.assert_positive(scale)] if validate_args else []):
                self._loc = identity(loc, name="loc")
                self._scale = identity(scale, name="scale")
                assert_same_float_dtype([self._loc, self._scale])
        self._batch_of = (self._loc, self._scale)
        super().__init__(
            self._scale.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, self._batch_of, scope
        )

    @staticmethod
    def _param_shapes(sample_shape: Tensor) -> dict[str, Tensor]:
        return {"loc": sample_shape, "scale": sample_shape}

    @property
    def loc(self) -> Tensor:
        """The centre [...]."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """The factor of the distance from the centre [...]."""
        return self._scale

    def _standardized(self, value: Tensor) -> Tensor:
        with name_scope("standardize", values=[value]):
            return (value - self.loc) / self.scale

    def _mode(self) -> Tensor:
        return self.loc * array.ones_like(self.scale)


class Cauchy(LocationScale):
    """Cauchy distributions around `loc`, half of which lies within `scale` of it; they have no mean and no variance."""

    @atomic
    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Cauchy"
    ) -> None:
        self._make(loc, scale, validate_args, allow_nan_stats, name, dict(locals()))

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        return self._quantile(random.random_uniform(self._drawn_shape(n), maxval=1.0, dtype=self.dtype, seed=seed))

    def _log_prob(self, value: Tensor) -> Tensor:
        unnormalized = -math.log1p(math.square(self._standardized(value)))
        return unnormalized - (scalar_math.log(scalar_math.pi) + math.log(self.scale))

    def _cdf(self, value: Tensor) -> Tensor:
        return math.atan(self._standardized(value)) / scalar_math.pi + 0.5

    def _log_cdf(self, value: Tensor) -> Tensor:
        return math.log1p(2 / scalar_math.pi * math.atan(self._standardized(value))) - scalar_math.log(2)

    def _entropy(self) -> Tensor:
        return (scalar_math.log(4 * scalar_math.pi) + math.log(self.scale)) * array.ones_like(self.loc)

    def _quantile(self, value: Tensor) -> Tensor:
        return self.loc + self.scale * math.tan(scalar_math.pi * (value - 0.5))

    def _mean(self) -> Tensor:
        return self._undefined("mean")

    def _stddev(self) -> Tensor:
        return self._undefined("stddev")

    def _undefined(self, label: str) -> Tensor:
        if not self.allow_nan_stats:
            raise ValueError(error_text(f"`{label}` is undefined for Cauchy distribution."))
        return self._filled(np.nan)


class Logistic(LocationScale):
    """Logistic distributions around `loc`: their distribution function is sigmoid((x - loc) / scale)."""

    @atomic
    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Logistic"
    ) -> None:
        self._make(loc, scale, validate_args, allow_nan_stats, name, dict(locals()))

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        # the logarithm of 0 would be infinite
        smallest = np.finfo(self.dtype.as_numpy_dtype).tiny
        shape = self._drawn_shape(n)
        drawn = random.random_uniform(shape, minval=smallest, maxval=1.0, dtype=self.dtype, seed=seed)
        return (math.log(drawn) - math.log1p(-1.0 * drawn)) * self.scale + self.loc

    def _log_prob(self, value: Tensor) -> Tensor:
        z = self._standardized(value)
        return -z - 2.0 * softplus(-z) - math.log(self.scale)

    def _log_cdf(self, value: Tensor) -> Tensor:
        return -softplus(-self._standardized(value))

    def _cdf(self, value: Tensor) -> Tensor:
        return math.sigmoid(self._standardized(value))

    def _log_survival_function(self, value: Tensor) -> Tensor:
        return -softplus(self._standardized(value))

    def _survival_function(self, value: Tensor) -> Tensor:
        return math.sigmoid(-self._standardized(value))

    def _entropy(self) -> Tensor:
        return 2.0 + math.log(self.scale * array.ones_like(self.loc))

    def _mean(self) -> Tensor:
        return self.loc * array.ones_like(self.scale)

    def _stddev(self) -> Tensor:
        return self.scale * array.ones_like(self.loc) * scalar_math.pi / scalar_math.sqrt(3)
