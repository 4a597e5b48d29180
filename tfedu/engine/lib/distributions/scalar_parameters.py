"""Distributions of numbers with two parameters: `LocationScale` (loc, scale), `ConcentrationRate` (concentration, rate).

No state.
"""

from __future__ import annotations

from typing import Any

from ...graph.nodes import Tensor
from ..checks import asserts
from ..checks.type_asserts import assert_same_float_dtype
from ..control.grouping import identity
from ..framework.scope_blocks import control_dependencies, name_scope
from .distribution import FULLY_REPARAMETERIZED, ReparameterizationType
from .scalar_events import ScalarDistribution


class LocationScale(ScalarDistribution):
    """Numbers loc + scale · z; both parameters broadcast to [batch...]. A derived class calls `_make` in its constructor.

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
        """The location [...]: the centre of the density."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """The scale [...]: a sample is loc + scale · (a sample of the standard distribution)."""
        return self._scale

    def _standardized(self, value: Tensor) -> Tensor:
        with name_scope("standardize", values=[value]):
            return (value - self.loc) / self.scale


class ConcentrationRate(ScalarDistribution):
    """Gamma distributions and those of functions of their numbers: shape parameter `concentration` and `rate`, broadcast to
    [batch...]. A derived class calls `_make` in its constructor.

    Raises: ValueError for parameters that are not floating or of different dtypes; in the run, under validate_args,
    InvalidArgumentError unless parameters and values are positive.
    """

    def _make(
        self, concentration: Any, rate: Any, reparameterization: ReparameterizationType, validate_args: bool,
        allow_nan_stats: bool, name: str, parameters: dict[str, Any],
    ) -> None:  # fmt: skip
        with name_scope(name, values=[concentration, rate]) as scope:
            with control_dependencies(
                [asserts.assert_positive(concentration), asserts.assert_positive(rate)] if validate_args else []
            ):
                self._concentration = identity(concentration, name="concentration")
                self._rate = identity(rate, name="rate")
                assert_same_float_dtype([self._concentration, self._rate])
        self._batch_of = (self._concentration, self._rate)
        super().__init__(
            self._concentration.dtype, reparameterization, validate_args, allow_nan_stats, parameters, self._batch_of, scope
        )

    @staticmethod
    def _param_shapes(sample_shape: Tensor) -> dict[str, Tensor]:
        return {"concentration": sample_shape, "rate": sample_shape}

    @property
    def concentration(self) -> Tensor:
        """The shape parameter [...]."""
        return self._concentration

    @property
    def rate(self) -> Tensor:
        """The rate of the gamma distribution [...]."""
        return self._rate
