"""`tf.contrib.distributions.HalfNormal`. No state."""

from __future__ import annotations

import math as scalar_math
from typing import Any

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array
from ..checks import asserts
from ..control.grouping import identity
from ..distributions.distribution import FULLY_REPARAMETERIZED
from ..distributions.normal_integrals import ndtri
from ..distributions.scalar_events import ScalarDistribution
from ..framework.scope_blocks import control_dependencies, name_scope
from ..math import math, random, special
from ..nn import activations


class HalfNormal(ScalarDistribution):
    """Absolute values of normal numbers with mean 0 and standard deviation `scale` [batch...].

    Raises: in the run, under validate_args, InvalidArgumentError unless scale is positive.
    """

    @atomic
    def __init__(
        self, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "HalfNormal"
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[scale]) as scope:
            with control_dependencies([asserts.assert_positive(scale)] if validate_args else []):
                self._scale = identity(scale, name="scale")
        self._batch_of = (self._scale,)
        super().__init__(
            self._scale.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, self._batch_of, scope
        )

    @staticmethod
    def _param_shapes(sample_shape: Tensor) -> dict[str, Tensor]:
        return {"scale": sample_shape}

    @property
    def scale(self) -> Tensor:
        """The standard deviation of the normal numbers [batch...]."""
        return self._scale

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        drawn = random.random_normal(self._drawn_shape(n), mean=0.0, stddev=1.0, dtype=self.dtype, seed=seed)
        return math.abs(drawn * self.scale)

    def _prob(self, value: Tensor) -> Tensor:
        highest = scalar_math.sqrt(2) / self.scale / scalar_math.sqrt(scalar_math.pi)
        density = highest * math.exp(-0.5 * (value / self.scale) ** 2.0)
        return density * math.cast(value >= 0.0, self.dtype)

    def _cdf(self, value: Tensor) -> Tensor:
        return special.erf(activations.relu(value) / self.scale / scalar_math.sqrt(2.0))

    def _entropy(self) -> Tensor:
        return 0.5 * math.log(scalar_math.pi * self.scale**2.0 / 2.0) + 0.5

    def _mean(self) -> Tensor:
        return self.scale * scalar_math.sqrt(2.0) / scalar_math.sqrt(scalar_math.pi)

    def _quantile(self, value: Tensor) -> Tensor:
        widest = scalar_math.sqrt(2.0) * self.scale
        with name_scope("erfinv", values=[value]):
            inverse = ndtri((value + 1.0) / 2.0) / scalar_math.sqrt(2.0)
        return widest * inverse

    def _mode(self) -> Tensor:
        return array.zeros(self.batch_shape_tensor())

    def _variance(self) -> Tensor:
        return self.scale**2.0 * (1.0 - 2.0 / scalar_math.pi)
