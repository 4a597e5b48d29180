"""`tf.contrib.distributions.Cauchy` and `Logistic`: numbers that `loc` moves and `scale` stretches. No state."""

from __future__ import annotations

import math as scalar_math
from typing import Any

import numpy as np

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array
from ..distributions.scalar_parameters import LocationScale
from ..math import math, random
from ..nn.activations import softplus


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

    def _mode(self) -> Tensor:
        return self.loc * array.ones_like(self.scale)

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

    def _mode(self) -> Tensor:
        return self.loc * array.ones_like(self.scale)

    def _mean(self) -> Tensor:
        return self.loc * array.ones_like(self.scale)

    def _stddev(self) -> Tensor:
        return self.scale * array.ones_like(self.loc) * scalar_math.pi / scalar_math.sqrt(3)
