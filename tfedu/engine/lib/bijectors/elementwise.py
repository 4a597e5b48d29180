"""Bijectors of numbers without parameters, or with a power alone: `Exp`, `Softplus`, `Sigmoid`, `Square` … No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import selection
from ..arrays.array import ones_like
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope, named
from ..framework.static_value import get_static_value
from ..math import math
from ..nn.activations import softplus
from .bijector import Bijector


class NumberBijector(Bijector):
    """A bijector of numbers, an element at a time."""

    def __init__(self, validate_args: bool, name: str) -> None:
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _if_valid(self, value: Tensor, *checks: Callable[[], Any]) -> Tensor:
        """The value, which waits for these checks under validate_args."""
        return with_dependencies([check() for check in checks], value) if self.validate_args else value


class PowerTransform(NumberBijector):
    """y = (1 + power · x)^(1 / power), and exp(x) for power 0, which is its limit.

    Raises: ValueError for a power that is negative or not known before the run; in the run, under validate_args,
    InvalidArgumentError for an x below -1 / power and a y that is not positive.
    """

    @atomic
    def __init__(self, power: Any = 0.0, validate_args: bool = False, name: str = "power_transform") -> None:
        self._name = name
        self._graph_parents = []
        with self._name_scope("init"):
            known = get_static_value(convert_to_tensor(power, name="power"))
        if known is None or known < 0:
            raise ValueError(error_text("`power` must be a non-negative TF constant."))
        self._power = known
        super().__init__(validate_args, name)

    @property
    def power(self) -> Any:
        """The power, a NumPy scalar."""
        return self._power

    def _valid_x(self, x: Tensor) -> Tensor:
        if self.power == 0.0:
            return x
        return self._if_valid(
            x,
            lambda: asserts.assert_non_negative(
                1.0 + self.power * x, message=f"Forward transformation input must be at least {-1.0 / self.power}."
            ),
        )

    def _valid_y(self, y: Tensor) -> Tensor:
        message = "Inverse transformation input must be greater than 0."
        return self._if_valid(y, lambda: asserts.assert_positive(y, message=message))

    def _forward(self, x: Tensor) -> Tensor:
        x = self._valid_x(x)
        if self.power == 0.0:
            return math.exp(x)
        return math.exp(math.log1p(x * self.power) / self.power)

    def _inverse(self, y: Tensor) -> Tensor:
        logarithm = math.log(self._valid_y(y))
        if self.power == 0.0:
            return logarithm
        return math.expm1(logarithm * self.power) / self.power

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return (self.power - 1.0) * math.log(self._valid_y(y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        x = self._valid_x(x)
        if self.power == 0.0:
            return x
        return (1.0 / self.power - 1.0) * math.log1p(x * self.power)


class Exp(PowerTransform):
    """y = exp(x)."""

    @atomic
    def __init__(self, validate_args: bool = False, name: str = "exp") -> None:
        super().__init__(validate_args=validate_args, name=name)


class Softplus(NumberBijector):
    """y = c · log(1 + exp(x / c)), a smooth form of max(0, x). hinge_softness: c, by default 1.

    Raises: in the run, under validate_args, InvalidArgumentError for c = 0.
    """

    @atomic
    def __init__(
        self, hinge_softness: Any = None, validate_args: bool = False, name: str = "softplus"
    ) -> None:
        with name_scope(name, values=[hinge_softness]):
            self._hinge_softness = (
                None if hinge_softness is None else convert_to_tensor(hinge_softness, name="hinge_softness")
            )
            if validate_args and self._hinge_softness is not None:
                check = asserts.assert_none_equal(
                    constant(0, dtype=self._hinge_softness.dtype),
                    self._hinge_softness,
                    message="hinge_softness must be non-zero",
                )
                self._hinge_softness = with_dependencies([check], self._hinge_softness)
        super().__init__(validate_args, name)

    @property
    def hinge_softness(self) -> Tensor | None:
        """The constant c [...]."""
        return self._hinge_softness

    def _scaled(self, function: Callable[[Tensor], Tensor], value: Tensor) -> Tensor:
        """c · function(value / c)."""
        if self.hinge_softness is None:
            return function(value)
        softness = math.cast(self.hinge_softness, value.dtype)
        return softness * function(value / softness)

    def _divided(self, value: Tensor) -> Tensor:
        return value if self.hinge_softness is None else value / math.cast(self.hinge_softness, value.dtype)

    def _forward(self, x: Tensor) -> Tensor:
        return self._scaled(softplus, x)

    def _inverse(self, y: Tensor) -> Tensor:
        return self._scaled(softplus_inverse, y)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return -math.log(-math.expm1(-self._divided(y)))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return -softplus(-self._divided(x))


class Sigmoid(NumberBijector):
    """y = 1 / (1 + exp(-x))."""

    def __init__(self, validate_args: bool = False, name: str = "sigmoid") -> None:
        super().__init__(validate_args, name)

    def _forward(self, x: Tensor) -> Tensor:
        return math.sigmoid(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return math.log(y) - math.log1p(-y)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return -math.log(y) - math.log1p(-y)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return -softplus(-x) - softplus(x)


class Softsign(NumberBijector):
    """y = x / (1 + |x|), between -1 and 1.

    Raises: in the run, under validate_args, InvalidArgumentError for a y outside.
    """

    def __init__(self, validate_args: bool = False, name: str = "softsign") -> None:
        super().__init__(validate_args, name)

    def _valid_y(self, y: Tensor) -> Tensor:
        texts = (
            "Inverse transformation input must be greater than -1.",
            "Inverse transformation input must be less than 1.",
        )
        return self._if_valid(
            y,
            lambda: asserts.assert_greater(y, math.cast(-1.0, dtype=y.dtype.base_dtype), message=texts[0]),
            lambda: asserts.assert_less(y, math.cast(1.0, dtype=y.dtype.base_dtype), message=texts[1]),
        )

    def _forward(self, x: Tensor) -> Tensor:
        return x / (1.0 + math.abs(x))

    def _inverse(self, y: Tensor) -> Tensor:
        y = self._valid_y(y)
        return y / (1.0 - math.abs(y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return -2.0 * math.log1p(math.abs(x))

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        y = self._valid_y(y)
        return -2.0 * math.log1p(-math.abs(y))


class Square(NumberBijector):
    """y = x² of numbers that are not negative.

    Raises: in the run, under validate_args, InvalidArgumentError for a negative number.
    """

    def __init__(self, validate_args: bool = False, name: str = "square") -> None:
        super().__init__(validate_args, name)

    def _valid(self, value: Tensor) -> Tensor:
        message = "All elements must be non-negative."
        return self._if_valid(value, lambda: asserts.assert_non_negative(value, message=message))

    def _forward(self, x: Tensor) -> Tensor:
        return math.square(self._valid(x))

    def _inverse(self, y: Tensor) -> Tensor:
        return math.sqrt(self._valid(y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        x = self._valid(x)
        return np.log(2.0) + math.log(x)  # type: ignore[no-any-return]


class AbsoluteValue(Bijector):
    """y = |x| of numbers. It is not injective: `inverse` and `inverse_log_det_jacobian` give the pair of -y and y.

    Raises: in the run, under validate_args, InvalidArgumentError for a negative y.
    """

    def __init__(self, validate_args: bool = False, name: str = "absolute_value") -> None:
        with name_scope(name):
            super().__init__(
                forward_min_event_ndims=0, is_constant_jacobian=True, validate_args=validate_args, name=name
            )

    @property
    def _is_injective(self) -> bool:
        return False

    def _valid_y(self, y: Tensor, result: Tensor) -> Tensor:
        if not self.validate_args:
            return result
        return with_dependencies([asserts.assert_non_negative(y, message="Argument y was negative")], result)

    def _forward(self, x: Tensor) -> Tensor:
        return math.abs(x)

    def _inverse(self, y: Tensor) -> tuple[Tensor, Tensor]:
        y = self._valid_y(y, y)
        return -y, y

    def _inverse_log_det_jacobian(self, y: Tensor) -> tuple[Tensor, Tensor]:
        zero = self._valid_y(y, constant(0, dtype=y.dtype))
        return zero, zero


@atomic
def softplus_inverse(x: Any, name: str | None = None) -> Tensor:
    """The number whose softplus x > 0 is: log(exp(x) - 1) [...], exact for small and for large x."""
    with named(name, "softplus_inverse", [x]):
        x = convert_to_tensor(x, name="x")
        # Beyond these bounds log(x) and x differ from the result by less than the dtype can tell
        bound = np.log(np.finfo(x.dtype.as_numpy_dtype).eps) + 2.0
        is_small, is_large = math.less(x, np.exp(bound)), math.greater(x, -bound)
        if_small, if_large = math.log(x), x
        # What is not chosen must be finite, or its gradient is NaN
        x = selection.where_v2(math.logical_or(is_small, is_large), ones_like(x), x)
        between = x + math.log(-math.expm1(-x))
        return selection.where_v2(is_small, if_small, selection.where_v2(is_large, if_large, between))
