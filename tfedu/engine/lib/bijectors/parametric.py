"""Bijectors of numbers with parameters, which broadcast with the numbers: `AffineScalar`, `Gumbel`, `Kumaraswamy`, `SinhArcsinh`.

No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array, selection
from ..checks import asserts
from ..checks.type_asserts import assert_same_float_dtype
from ..control.grouping import identity, with_dependencies
from ..framework.conversion import convert_to_tensor
from ..math import math
from .elementwise import NumberBijector


class _Parametric(NumberBijector):
    """A bijector of numbers whose parameters stand in the scope `name/init`."""

    def _open(self, name: str) -> Any:
        self._name, self._graph_parents = name, []
        return self._name_scope("init")


class AffineScalar(_Parametric):
    """The bijector y = scale · x + shift of each element x. A scale of None is 1, a shift of None is 0.

    Raises: TypeError for parameters of another dtype than x; in the run, under validate_args, InvalidArgumentError for
    a scale of 0.
    """

    @atomic
    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False, name: str = "affine_scalar"
    ) -> None:
        with self._open(name):
            self._shift = None if shift is None else convert_to_tensor(shift, name="shift")
            self._scale = None if scale is None else convert_to_tensor(scale, name="scale")
            if self._scale is not None and validate_args:
                check = asserts.assert_none_equal(self._scale, array.zeros([], dtype=self._scale.dtype))
                self._scale = with_dependencies([check], self._scale)
        super().__init__(validate_args, name)
        self._is_constant_jacobian = True

    @property
    def shift(self) -> Tensor | None:
        """What is added [...]; None: nothing."""
        return self._shift

    @property
    def scale(self) -> Tensor | None:
        """The factor [...]; None: 1."""
        return self._scale

    def _forward(self, x: Tensor) -> Tensor:
        y = identity(x)
        if self.scale is not None:
            y *= self.scale
        return y if self.shift is None else y + self.shift  # type: ignore[no-any-return]

    def _inverse(self, y: Tensor) -> Tensor:
        x = identity(y)
        if self.shift is not None:
            x -= self.shift
        return x if self.scale is None else x / self.scale  # type: ignore[no-any-return]

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        if self.scale is None:
            return constant(0.0, dtype=x.dtype.base_dtype)
        return math.log(math.abs(self.scale))


class Gumbel(_Parametric):
    """y = exp(-exp(-(x - loc) / scale)): the distribution function of Gumbel's distribution, between 0 and 1.

    Raises: ValueError for parameters of different dtypes; in the run, under validate_args, InvalidArgumentError for a
    scale that is not positive and a y outside [0, 1].
    """

    @atomic
    def __init__(
        self, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool = False, name: str = "gumbel"
    ) -> None:
        with self._open(name):
            self._loc = convert_to_tensor(loc, name="loc")
            self._scale = convert_to_tensor(scale, name="scale")
            assert_same_float_dtype([self._loc, self._scale])
            if validate_args:
                check = asserts.assert_positive(self._scale, message="Argument scale was not positive")
                self._scale = with_dependencies([check], self._scale)
        super().__init__(validate_args, name)

    @property
    def loc(self) -> Tensor:
        """The location [...]."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """The scale [...]."""
        return self._scale

    def _valid_y(self, y: Tensor) -> Tensor:
        texts = (
            "Inverse transformation input must be greater than 0.",
            "Inverse transformation input must be less than or equal to 1.",
        )
        return self._if_valid(
            y,
            lambda: asserts.assert_non_negative(y, message=texts[0]),
            lambda: asserts.assert_less_equal(y, constant(1.0, y.dtype), message=texts[1]),
        )

    def _forward(self, x: Tensor) -> Tensor:
        return math.exp(-math.exp(-((x - self.loc) / self.scale)))

    def _inverse(self, y: Tensor) -> Tensor:
        y = self._valid_y(y)
        return self.loc - self.scale * math.log(-math.log(y))  # type: ignore[no-any-return]

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        y = self._valid_y(y)
        return math.log(self.scale / (-math.log(y) * y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        z = (x - self.loc) / self.scale
        return -z - math.exp(-z) - math.log(self.scale)  # type: ignore[no-any-return]


class Kumaraswamy(_Parametric):
    """y = (1 - (1 - x)^(1 / concentration0))^(1 / concentration1): it makes uniform numbers of Kumaraswamy's distribution.

    Raises: ValueError without both parameters; in the run, under validate_args, InvalidArgumentError for a parameter that
    is not positive and for a number outside [0, 1].
    """

    @atomic
    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        name: str = "kumaraswamy",
    ) -> None:
        with self._open(name):
            self._concentration1, self._concentration0 = (
                _positive(convert_to_tensor(given, name=label), label, validate_args)
                for label, given in (("concentration1", concentration1), ("concentration0", concentration0))
            )
        super().__init__(validate_args, name)

    @property
    def concentration1(self) -> Tensor:
        """The exponent of y [...]."""
        return self._concentration1

    @property
    def concentration0(self) -> Tensor:
        """The exponent of the complement [...]."""
        return self._concentration0

    def _valid(self, value: Tensor) -> Tensor:
        return self._if_valid(
            value,
            lambda: asserts.assert_non_negative(value, message="sample must be non-negative"),
            lambda: asserts.assert_less_equal(
                value,
                array.ones([], self.concentration0.dtype),
                message="sample must be no larger than `1`.",
            ),
        )

    def _forward(self, x: Tensor) -> Tensor:
        x = self._valid(x)
        complement = math.exp(math.log1p(-x) / self.concentration0)
        return math.exp(math.log1p(-complement) / self.concentration1)

    def _inverse(self, y: Tensor) -> Tensor:
        y = self._valid(y)
        return math.exp(math.log1p(-((1 - y**self.concentration1) ** self.concentration0)))

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        y = self._valid(y)
        a, b = self.concentration1, self.concentration0
        of_powers = math.log(a) + math.log(b) + (a - 1) * math.log(y)
        return of_powers + (b - 1) * math.log1p(-(y**a))  # type: ignore[no-any-return]


class SinhArcsinh(_Parametric):
    """y = sinh((arcsinh(x) + skewness) · tailweight); by default 0 and 1, which leave x as it is.

    Raises: in the run, under validate_args, InvalidArgumentError for a tailweight that is not positive.
    """

    @atomic
    def __init__(
        self,
        skewness: Any = None,
        tailweight: Any = None,
        validate_args: bool = False,
        name: str = "SinhArcsinh",
    ) -> None:
        with self._open(name):
            tailweight = 1.0 if tailweight is None else tailweight
            skewness = 0.0 if skewness is None else skewness
            self._skewness = convert_to_tensor(skewness, name="skewness")
            self._tailweight = convert_to_tensor(tailweight, name="tailweight", dtype=self._skewness.dtype)
            assert_same_float_dtype([self._skewness, self._tailweight])
            if validate_args:
                check = asserts.assert_positive(self._tailweight, message="Argument tailweight was not positive")
                self._tailweight = with_dependencies([check], self._tailweight)
        super().__init__(validate_args, name)

    @property
    def skewness(self) -> Tensor:
        """The skewness [...]: of its sign is that of the result."""
        return self._skewness

    @property
    def tailweight(self) -> Tensor:
        """The weight of the tails [...]: above 1 large numbers become larger."""
        return self._tailweight

    def _forward(self, x: Tensor) -> Tensor:
        return math.sinh((math.asinh(x) + self.skewness) * self.tailweight)

    def _inverse(self, y: Tensor) -> Tensor:
        return math.sinh(math.asinh(y) / self.tailweight - self.skewness)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        slope = math.cosh(math.asinh(y) / self.tailweight - self.skewness) / _root_of_square_plus_1(y)
        return math.log(slope) - math.log(self.tailweight)  # type: ignore[no-any-return]

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        slope = math.cosh((math.asinh(x) + self.skewness) * self.tailweight) / _root_of_square_plus_1(x)
        return math.log(slope) + math.log(self.tailweight)  # type: ignore[no-any-return]


def _positive(parameter: Tensor, label: str, is_checked: bool) -> Tensor:
    if not is_checked:
        return parameter
    message = f"Argument {label} must be positive."
    return with_dependencies([asserts.assert_positive(parameter, message=message)], parameter)


def _root_of_square_plus_1(x: Tensor) -> Tensor:
    """√(x² + 1) [...], which is |x| where x² would be too large."""
    eps = np.sqrt(np.finfo(x.dtype.as_numpy_dtype).eps)
    is_small = math.less_equal(math.abs(x) * eps, 1.0)
    return selection.where_v2(is_small, math.sqrt(x**2.0 + 1.0), math.abs(x))
