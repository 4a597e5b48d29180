"""`LinearOperatorLowRankUpdate`. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array
from ..checks import type_asserts
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..linalg import linalg
from ..math import math, products, reductions
from .diagonal_operator import LinearOperatorDiag
from .identity_operators import LinearOperatorIdentity
from .linear_operator import LinearOperator
from .operator_parts import cholesky_solve, matrix_solve


class LinearOperatorLowRankUpdate(LinearOperator):
    """L + U · D · Vᴴ, for an operator L [batch..., m, n], u [batch..., m, k], v [batch..., n, k] and diagonals
    diag_update [batch..., k]; k is much smaller than m and n.

    diag_update: by default ones. v: by default u. is_diag_update_positive: whether D is positive definite. Systems are
    solved through a matrix [batch..., k, k], so L must be non-singular for that.

    Raises: ValueError for sizes that do not fit or hints that contradict each other, TypeError for several dtypes.
    """

    @atomic
    def __init__(
        self,
        base_operator: LinearOperator,
        u: Any,
        diag_update: Any = None,
        v: Any = None,
        is_diag_update_positive: bool | None = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowRankUpdate",
    ) -> None:
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError(
                    error_text(
                        "Default diagonal is the identity, which is positive.  However, user set "
                        "'is_diag_update_positive' to False."
                    )
                )
            is_diag_update_positive = True
        self._use_cholesky = bool(
            base_operator.is_positive_definite
            and base_operator.is_self_adjoint
            and is_diag_update_positive
            and v is None
        )
        if self._use_cholesky:
            implied = "is_positive_definite", "is_self_adjoint", "is_non_singular"
            given = is_positive_definite, is_self_adjoint, is_non_singular
            for hint, value in zip(implied, given):
                if value is False:
                    raise ValueError(error_text(f"Arguments imply {hint} is True, but it was False"))
            is_positive_definite = is_self_adjoint = is_non_singular = True
        values = [*base_operator.graph_parents, u, diag_update, v]
        with name_scope(name, values=[value for value in values if value is not None]):
            self._u = convert_to_tensor(u, name="u")
            self._v = self._u if v is None else convert_to_tensor(v, name="v")
            self._diag_update = (
                None if diag_update is None else convert_to_tensor(diag_update, name="diag_update")
            )
            self._base_operator = base_operator
            own = [self._u, self._v] + ([] if self._diag_update is None else [self._diag_update])
            super().__init__(
                base_operator.dtype, [*base_operator.graph_parents, *self._parents()],
                is_non_singular, is_self_adjoint, is_positive_definite, is_square, name,
            )  # fmt: skip
            self._is_diag_update_positive = is_diag_update_positive
            self._diag_operator = self._make_diag_operator()
            self._check_dtypes(own)
            self._check_sizes()

    def _parents(self) -> list[Tensor]:
        return [part for part in (self._u, self._diag_update, self._v) if part is not None]

    def _make_diag_operator(self) -> LinearOperator:
        if self._diag_update is not None:
            return LinearOperatorDiag(self._diag_update, is_positive_definite=self._is_diag_update_positive)
        rank: Any = self._u.shape[-1].value if self._u.shape.rank is not None else None
        return LinearOperatorIdentity(
            num_rows=array.shape(self._u)[-1] if rank is None else rank, dtype=self.dtype
        )

    def _check_dtypes(self, own: list[Tensor]) -> None:
        if any(part.dtype.base_dtype != self.dtype for part in own):
            type_asserts.assert_same_float_dtype(own, self.dtype)

    def _check_sizes(self) -> None:
        u, v = self._u.shape, self._v.shape
        batch = array.broadcast_static_shape(self._base_operator.batch_shape, u[:-2])
        batch = array.broadcast_static_shape(batch, v[:-2])
        self._base_operator.domain_dimension.assert_is_compatible_with(u[-2])
        if u.rank is not None and v.rank is not None:
            u[-1].assert_is_compatible_with(v[-1])
        if self._diag_update is not None:
            u[-1].assert_is_compatible_with(self._diag_update.shape[-1])
            array.broadcast_static_shape(batch, self._diag_update.shape[:-1])

    @property
    def u(self) -> Tensor:
        """U [batch..., m, k]."""
        return self._u

    @property
    def v(self) -> Tensor:
        """V [batch..., n, k]."""
        return self._v

    @property
    def is_diag_update_positive(self) -> bool | None:
        """Whether D is positive definite; None: not known."""
        return self._is_diag_update_positive

    @property
    def diag_update(self) -> Tensor | None:
        """The diagonals [batch..., k] of D; None for ones."""
        return self._diag_update

    @property
    def diag_operator(self) -> LinearOperator:
        """The operator D."""
        return self._diag_operator

    @property
    def base_operator(self) -> LinearOperator:
        """The operator L."""
        return self._base_operator

    def _shape(self) -> TensorShape:
        batch = array.broadcast_static_shape(self._base_operator.batch_shape, self._diag_operator.batch_shape)
        for part in (self._u, self._v):
            batch = array.broadcast_static_shape(batch, part.shape[:-2])
        return batch.concatenate(self._base_operator.shape[-2:])

    def _shape_tensor(self) -> Tensor:
        batch = array.broadcast_dynamic_shape(
            self._base_operator.batch_shape_tensor(), self._diag_operator.batch_shape_tensor()
        )
        for part in (self._u, self._v):
            batch = array.broadcast_dynamic_shape(batch, array.shape(part)[:-2])
        return array.concat([batch, self._base_operator.shape_tensor()[-2:]], axis=0)

    def _sides(self, adjoint: bool) -> tuple[Tensor, Tensor]:
        """(U, V), in the adjoint (V, U)."""
        return (self._v, self._u) if adjoint else (self._u, self._v)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        left, right = self._sides(adjoint)
        of_base = self._base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = products.matmul(right, x, adjoint_a=True, adjoint_b=adjoint_arg)
        update = products.matmul(left, self._diag_operator.matmul(inner, adjoint=adjoint))
        return of_base + update  # type: ignore[no-any-return]

    def _capacitance(self) -> Tensor:
        """D⁻¹ + Vᴴ · L⁻¹ · U [batch..., k, k]."""
        inner = products.matmul(self._v, self._base_operator.solve(self._u), adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(inner)

    def _determinant(self) -> Tensor:
        if self.is_positive_definite:
            return math.exp(self.log_abs_determinant())
        of_capacitance = linalg.matrix_determinant(self._capacitance())
        of_diagonal, of_base = self._diag_operator.determinant(), self._base_operator.determinant()
        return of_capacitance * of_diagonal * of_base  # type: ignore[no-any-return]

    def _log_abs_determinant(self) -> Tensor:
        of_diagonal, of_base = (
            self._diag_operator.log_abs_determinant(),
            self._base_operator.log_abs_determinant(),
        )
        if self._use_cholesky:
            diagonal = linalg.matrix_diag_part(linalg.cholesky(self._capacitance()))
            of_capacitance = 2 * reductions.reduce_sum(math.log(diagonal), axis=[-1])
        else:
            determinant = linalg.matrix_determinant(self._capacitance())
            of_capacitance = math.log(math.abs(determinant))
            if self.dtype.is_complex:
                of_capacitance = math.cast(of_capacitance, dtype=self.dtype)
        return of_capacitance + of_diagonal + of_base

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        # The identity of Woodbury: (L + U D Vᴴ)⁻¹ = L⁻¹ - L⁻¹ U (D⁻¹ + Vᴴ L⁻¹ U)⁻¹ Vᴴ L⁻¹
        left, right = self._sides(adjoint)
        of_base = self._base_operator.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = products.matmul(right, of_base, adjoint_a=True)
        if self._use_cholesky:
            solved = cholesky_solve(linalg.cholesky(self._capacitance()), inner)
        else:
            solved = matrix_solve(self._capacitance(), inner, adjoint=adjoint)
        update = products.matmul(left, solved)
        return of_base - self._base_operator.solve(update, adjoint=adjoint)  # type: ignore[no-any-return]
