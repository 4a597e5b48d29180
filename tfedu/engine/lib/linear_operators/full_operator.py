"""`LinearOperatorFullMatrix`. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..math import products
from .linear_operator import LinearOperator


class LinearOperatorFullMatrix(LinearOperator):
    """Matrices [batch..., m, n] as they are. Raises: ValueError for fewer than two axes."""

    @atomic
    def __init__(
        self,
        matrix: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorFullMatrix",
    ) -> None:
        with name_scope(name, values=[matrix]):
            self._matrix = convert_to_tensor(matrix, name="matrix")
            if self._matrix.shape.rank is not None and self._matrix.shape.rank < 2:
                raise ValueError(
                    error_text(f"Argument matrix must have at least 2 dimensions.  Found: {self._matrix}")
                )
            super().__init__(
                self._matrix.dtype,
                [self._matrix],
                is_non_singular,
                is_self_adjoint,
                is_positive_definite,
                is_square,
                name,
            )

    def _shape(self) -> TensorShape:
        return self._matrix.shape

    def _shape_tensor(self) -> Tensor:
        return array.shape(self._matrix)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return products.matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self) -> Tensor:
        return self._matrix
