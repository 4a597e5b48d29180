"""`LinearOperatorAdjoint` and `LinearOperatorInversion`: one operator, read in another way. No state."""

from __future__ import annotations

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ..arrays import array
from ..framework.scope_blocks import name_scope
from ..linalg import linalg
from ..math import math
from .linear_operator import LinearOperator
from .operator_parts import agreed_hint

_HINTS = {
    "is_non_singular": "non-singular", "is_self_adjoint": "self-adjoint",
    "is_positive_definite": "positive-definite", "is_square": "square",
}  # fmt: skip


class _Derived(LinearOperator):
    _KIND = ""  # what it is to the operator
    _SUFFIX = ""

    @atomic
    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        self._operator = operator
        given = {
            "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
            "is_positive_definite": is_positive_definite, "is_square": is_square,
        }  # fmt: skip
        self._check(given)
        hints = {
            hint: agreed_hint(
                getattr(operator, hint), given[hint],
                f"An operator is {word} if and only if its {self._KIND} is {word}.",
            )
            for hint, word in _HINTS.items()
        }  # fmt: skip
        name = operator.name + self._SUFFIX if name is None else name
        with name_scope(name, values=operator.graph_parents):
            super().__init__(operator.dtype, operator.graph_parents, name=name, **hints)

    def _check(self, given: dict[str, bool | None]) -> None:
        """Completes the given hints. Raises: ValueError where the operator cannot be derived."""

    @property
    def operator(self) -> LinearOperator:
        """The operator that this one is derived from."""
        return self._operator

    def _assert_non_singular(self) -> Operation:
        return self.operator.assert_non_singular()

    def _assert_positive_definite(self) -> Operation:
        return self.operator.assert_positive_definite()

    def _assert_self_adjoint(self) -> Operation:
        return self.operator.assert_self_adjoint()


class LinearOperatorAdjoint(_Derived):
    """The conjugate transposes of the operator's matrices. Raises: ValueError for hints that contradict the operator's."""

    _KIND, _SUFFIX = "adjoint", "_adjoint"

    def _shape(self) -> TensorShape:
        shape = self.operator.shape
        return shape[:-2].concatenate(TensorShape([shape[-1], shape[-2]]))

    def _shape_tensor(self) -> Tensor:
        shape = self.operator.shape_tensor()
        return array.concat([shape[:-2], [shape[-1], shape[-2]]], axis=-1)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self.operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)  # type: ignore[no-any-return]

    def _matvec(self, x: Tensor, adjoint: bool = False) -> Tensor:
        return self.operator.matvec(x, adjoint=not adjoint)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self.operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)  # type: ignore[no-any-return]

    def _solvevec(self, rhs: Tensor, adjoint: bool = False) -> Tensor:
        return self.operator.solvevec(rhs, adjoint=not adjoint)

    def _determinant(self) -> Tensor:
        found = self.operator.determinant()
        return math.conj(found) if self.is_self_adjoint is not True else found

    def _log_abs_determinant(self) -> Tensor:
        return self.operator.log_abs_determinant()

    def _trace(self) -> Tensor:
        found = self.operator.trace()
        return math.conj(found) if self.is_self_adjoint is not True else found

    def _to_dense(self) -> Tensor:
        dense = self.operator.to_dense()
        return linalg.adjoint(dense) if self.is_self_adjoint is not True else dense

    def _add_to_tensor(self, x: Tensor) -> Tensor:
        return self.to_dense() + x


class LinearOperatorInversion(_Derived):
    """The inverses of the operator's matrices.

    Raises: ValueError for an operator that is not square or known to be singular, and for hints that contradict its own.
    """

    _KIND, _SUFFIX = "inverse", "_inv"

    def _check(self, given: dict[str, bool | None]) -> None:
        for hint in ("is_square", "is_non_singular"):
            found = getattr(self.operator, hint), given[hint]
            if False in found:
                raise ValueError(
                    error_text(
                        f"operator and supplied hints must have `{hint}` equal to `True` or `None`.  "
                        f"Found {found[0]}, {found[1]}"
                    )
                )
        given["is_square"] = True

    def _shape(self) -> TensorShape:
        return self.operator.shape

    def _shape_tensor(self) -> Tensor:
        return self.operator.shape_tensor()

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self.operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)  # type: ignore[no-any-return]

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self.operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)  # type: ignore[no-any-return]

    def _determinant(self) -> Tensor:
        return 1.0 / self.operator.determinant()

    def _log_abs_determinant(self) -> Tensor:
        return -1.0 * self.operator.log_abs_determinant()
