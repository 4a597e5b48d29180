"""`tf.distributions.Uniform`. No state."""

from __future__ import annotations

import math as scalar_math
from typing import Any

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array, selection
from ..checks import asserts
from ..checks.type_asserts import assert_same_float_dtype
from ..control.grouping import identity
from ..framework.scope_blocks import control_dependencies, name_scope
from ..math import math, random
from .distribution import FULLY_REPARAMETERIZED
from .scalar_events import ScalarDistribution


class Uniform(ScalarDistribution):
    """Numbers in [low, high), all of the same density; the bounds broadcast to [batch...].

    Raises: ValueError for bounds that are not floating or of different dtypes; in the run, under validate_args,
    InvalidArgumentError unless low < high.
    """

    @atomic
    def __init__(
        self,
        low: Any = 0.0,
        high: Any = 1.0,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Uniform",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[low, high]) as scope:
            with control_dependencies(
                [asserts.assert_less(low, high, message="uniform not defined when low >= high.")] if validate_args else []
            ):
                self._low = identity(low, name="low")
                self._high = identity(high, name="high")
                assert_same_float_dtype([self._low, self._high])
        self._batch_of = (self._low, self._high)
        super().__init__(
            self._low.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, self._batch_of, scope
        )

    @staticmethod
    def _param_shapes(sample_shape: Tensor) -> dict[str, Tensor]:
        return {"low": sample_shape, "high": sample_shape}

    @property
    def low(self) -> Tensor:
        """The lower bound, which is drawn [...]."""
        return self._low

    @property
    def high(self) -> Tensor:
        """The upper bound, which is not drawn [...]."""
        return self._high

    @atomic
    def range(self, name: str = "range") -> Tensor:
        """high - low [batch...]."""
        with self._name_scope(name):
            return self.high - self.low

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        drawn = random.random_uniform(self._drawn_shape(n), dtype=self.dtype, seed=seed)
        return self.low + self.range() * drawn

    def _prob(self, value: Tensor) -> Tensor:
        value = value * array.ones(self.batch_shape_tensor(), dtype=value.dtype)
        not_a_number = math.is_nan(value)
        outside = math.logical_or(value < self.low, value >= self.high)
        density = selection.where_v2(outside, array.zeros_like(value), array.ones_like(value) / self.range())
        return selection.where_v2(not_a_number, value, density)

    def _cdf(self, value: Tensor) -> Tensor:
        shape = array.broadcast_dynamic_shape(array.shape(value), self.batch_shape_tensor())
        zeros, ones = array.zeros(shape, dtype=self.dtype), array.ones(shape, dtype=self.dtype)
        wide = value * ones
        not_above = selection.where_v2(value < self.low, zeros, (wide - self.low) / self.range())
        return selection.where_v2(value >= self.high, ones, not_above)

    def _entropy(self) -> Tensor:
        return math.log(self.range())

    def _mean(self) -> Tensor:
        return (self.low + self.high) / 2.0

    def _variance(self) -> Tensor:
        return math.square(self.range()) / 12.0

    def _stddev(self) -> Tensor:
        return self.range() / scalar_math.sqrt(12.0)
