"""`LinearOperatorHouseholder`. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import InvalidArgumentError, error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ..arrays import array
from ..control.grouping import no_op
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..linalg import linalg
from ..math import math, products
from .linear_operator import LinearOperator
from .operator_parts import implied_hint


class LinearOperatorHouseholder(LinearOperator):
    """Reflections I - 2 v vᴴ at the planes that are orthogonal to v = reflection_axis [batch..., n], of any length but 0.

    Raises: ValueError for a scalar and for promises that a reflection cannot keep.
    """

    @atomic
    def __init__(
        self,
        reflection_axis: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorHouseholder",
    ) -> None:
        with name_scope(name, values=[reflection_axis]):
            self._reflection_axis = convert_to_tensor(reflection_axis, name="reflection_axis")
            if self._reflection_axis.shape.rank is not None and self._reflection_axis.shape.rank < 1:
                raise ValueError(
                    error_text(
                        f"Argument reflection_axis must have at least 1 dimension.  Found: {self._reflection_axis}"
                    )
                )
            is_self_adjoint = implied_hint(is_self_adjoint, "A Householder operator is always self adjoint.")
            if is_positive_definite:
                raise ValueError(error_text("A Householder operator is always non-positive definite."))
            is_square = implied_hint(is_square, "A Householder operator is always square.")
            super().__init__(
                self._reflection_axis.dtype,
                [self._reflection_axis],
                is_non_singular,
                is_self_adjoint,
                False,
                is_square,
                name,
            )

    @property
    def reflection_axis(self) -> Tensor:
        """v [batch..., n]."""
        return self._reflection_axis

    def _shape(self) -> TensorShape:
        shape = self._reflection_axis.shape
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Tensor:
        shape = array.shape(self._reflection_axis)
        return array.concat((shape, [shape[-1]]), 0)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        x = linalg.adjoint(x) if adjoint_arg else x
        axis = self._unit_axis()[..., None]
        along = products.matmul(axis, x, adjoint_a=True)
        return x - 2 * axis * along

    def _unit_axis(self) -> Tensor:
        return self._reflection_axis / linalg.norm(self._reflection_axis, axis=-1, keepdims=True)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._matmul(rhs, adjoint, adjoint_arg)  # a reflection is its own inverse

    def _trace(self) -> Tensor:
        side = self.domain_dimension_tensor()
        return math.cast(side - 2, self.dtype) * array.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _determinant(self) -> Tensor:
        return -array.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self) -> Tensor:
        return array.zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _to_dense(self) -> Tensor:
        axis = self._unit_axis()[..., None]
        dense = -2 * products.matmul(axis, axis, adjoint_b=True)
        return linalg.matrix_set_diag(dense, 1.0 + linalg.matrix_diag_part(dense))

    def _diag_part(self) -> Tensor:
        axis = self._unit_axis()
        return 1.0 - 2 * axis * math.conj(axis)

    def _assert_non_singular(self) -> Operation:
        return no_op("assert_non_singular")

    def _assert_positive_definite(self) -> Operation:
        raise InvalidArgumentError(
            None, None, error_text("Householder operators are always non-positive definite.")
        )

    def _assert_self_adjoint(self) -> Operation:
        return no_op("assert_self_adjoint")
