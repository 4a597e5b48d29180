"""`LinearOperatorDiag`. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ..arrays import array
from ..checks import asserts
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..linalg import linalg
from ..math import math, reductions
from .linear_operator import LinearOperator
from .operator_parts import assert_no_zero, assert_real, implied_hint


class LinearOperatorDiag(LinearOperator):
    """Diagonal matrices, given by their diagonals diag [batch..., n].

    Raises: ValueError for a scalar and for promises that a diagonal matrix cannot keep.
    """

    @atomic
    def __init__(
        self,
        diag: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorDiag",
    ) -> None:
        with name_scope(name, values=[diag]):
            self._diag = convert_to_tensor(diag, name="diag")
            if self._diag.shape.rank is not None and self._diag.shape.rank < 1:
                raise ValueError(
                    error_text(f"Argument diag must have at least 1 dimension.  Found: {self._diag}")
                )
            if not self._diag.dtype.is_complex:
                is_self_adjoint = implied_hint(
                    is_self_adjoint, "A real diagonal operator is always self adjoint."
                )
            is_square = implied_hint(is_square, "Only square diagonal operators currently supported.")
            super().__init__(
                self._diag.dtype,
                [self._diag],
                is_non_singular,
                is_self_adjoint,
                is_positive_definite,
                is_square,
                name,
            )

    @property
    def diag(self) -> Tensor:
        """The diagonals [batch..., n]."""
        return self._diag

    def _shape(self) -> TensorShape:
        shape = self._diag.shape
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Tensor:
        shape = array.shape(self._diag)
        return array.concat((shape, [shape[-1]]), 0)

    def _entries(self, adjoint: bool) -> Tensor:
        return math.conj(self._diag) if adjoint else self._diag

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        entries = self._entries(adjoint)
        x = linalg.adjoint(x) if adjoint_arg else x
        return array.expand_dims(entries, -1) * x

    def _matvec(self, x: Tensor, adjoint: bool = False) -> Tensor:
        return self._entries(adjoint) * x

    def _determinant(self) -> Tensor:
        return reductions.reduce_prod(self._diag, axis=[-1])

    def _log_abs_determinant(self) -> Tensor:
        total = reductions.reduce_sum(math.log(math.abs(self._diag)), axis=[-1])
        return math.cast(total, self.dtype) if self.dtype.is_complex else total

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        entries = self._entries(adjoint)
        rhs = linalg.adjoint(rhs) if adjoint_arg else rhs
        return rhs * array.expand_dims(1.0 / entries, -1)

    def _to_dense(self) -> Tensor:
        return linalg.matrix_diag(self._diag)

    def _diag_part(self) -> Tensor:
        return self._diag

    def _add_to_tensor(self, x: Tensor) -> Tensor:
        diagonal = linalg.matrix_diag_part(x)
        return linalg.matrix_set_diag(x, self._diag + diagonal)

    def _assert_non_singular(self) -> Operation:
        return assert_no_zero(self._diag, message="Singular operator:  Diagonal contained zero values.")

    def _assert_positive_definite(self) -> Operation:
        if self.dtype.is_complex:
            message = "Diagonal operator had diagonal entries with non-positive real part, thus was not positive definite."
        else:
            message = (
                "Real diagonal operator had non-positive diagonal entries, thus was not positive definite."
            )
        return asserts.assert_positive(math.real(self._diag), message=message)

    def _assert_self_adjoint(self) -> Operation:
        return assert_real(
            self._diag,
            message="This diagonal operator contained non-zero imaginary values.   Thus it was not self-adjoint.",
        )
