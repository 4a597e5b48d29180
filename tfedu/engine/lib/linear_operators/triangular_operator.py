"""`LinearOperatorLowerTriangular`. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ..arrays import array
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..linalg import linalg
from ..math import math, products, reductions
from .linear_operator import LinearOperator
from .operator_parts import assert_no_zero, implied_hint, triangular_solve


class LinearOperatorLowerTriangular(LinearOperator):
    """Lower triangular matrices tril [batch..., n, n]; what is above the diagonal is ignored.

    Raises: ValueError for fewer than two axes and for is_square=False.
    """

    @atomic
    def __init__(
        self,
        tril: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowerTriangular",
    ) -> None:
        is_square = implied_hint(is_square, "Only square lower triangular operators supported at this time.")
        with name_scope(name, values=[tril]):
            self._tril = convert_to_tensor(tril, name="tril")
            if self._tril.shape.rank is not None and self._tril.shape.rank < 2:
                raise ValueError(
                    error_text(f"Argument tril must have at least 2 dimensions.  Found: {self._tril}")
                )
            super().__init__(
                self._tril.dtype,
                [self._tril],
                is_non_singular,
                is_self_adjoint,
                is_positive_definite,
                is_square,
                name,
            )

    def _lower(self) -> Tensor:
        return linalg.matrix_band_part(self._tril, -1, 0)  # type: ignore[no-any-return]

    def _shape(self) -> TensorShape:
        return self._tril.shape

    def _shape_tensor(self) -> Tensor:
        return array.shape(self._tril)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return products.matmul(self._lower(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _determinant(self) -> Tensor:
        return reductions.reduce_prod(linalg.matrix_diag_part(self._tril), axis=[-1])

    def _log_abs_determinant(self) -> Tensor:
        return reductions.reduce_sum(math.log(math.abs(linalg.matrix_diag_part(self._tril))), axis=[-1])

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rhs = linalg.adjoint(rhs) if adjoint_arg else rhs
        return triangular_solve(self._lower(), rhs, adjoint=adjoint)

    def _to_dense(self) -> Tensor:
        return self._lower()

    def _assert_non_singular(self) -> Operation:
        return assert_no_zero(
            linalg.matrix_diag_part(self._tril), message="Singular operator:  Diagonal contained zero values."
        )
