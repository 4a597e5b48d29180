"""`LinearOperatorComposition`, `LinearOperatorBlockDiag`, `LinearOperatorKronecker`: several operators in one. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import InvalidArgumentError, error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ..arrays import array, slicing
from ..checks import type_asserts
from ..control.grouping import group
from ..framework.scope_blocks import name_scope
from ..linalg import linalg
from ..math import math
from .linear_operator import LinearOperator
from .operator_parts import all_hints, broadcast_batches, checked_dtype, implied_hint


class _OfOperators(LinearOperator):
    """An operator made of others; its name is theirs, joined by `_JOINT`."""

    _JOINT = ""
    _EMPTY = "Expected a non-empty list of operators."

    @atomic
    def __init__(
        self,
        operators: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        type_asserts.assert_proper_iterable(operators)
        operators = list(operators)
        if not operators:
            raise ValueError(error_text(f"{self._EMPTY} Found: {operators}"))
        self._operators = operators
        dtype = checked_dtype(operators)
        hints = {
            "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
            "is_positive_definite": is_positive_definite, "is_square": is_square,
        }  # fmt: skip
        self._complete(hints)
        parents = [parent for operator in operators for parent in operator.graph_parents]
        name = self._JOINT.join(operator.name for operator in operators) if name is None else name
        with name_scope(name, values=parents):
            super().__init__(dtype, parents, name=name, **hints)

    def _complete(self, hints: dict[str, bool | None]) -> None:
        """Adds what the operators imply. Raises: ValueError where a hint contradicts it."""

    @property
    def operators(self) -> list[Any]:
        """The operators, the first first."""
        return self._operators

    def _static_batch(self) -> TensorShape:
        batch = self._operators[0].batch_shape
        for operator in self._operators[1:]:
            batch = array.broadcast_static_shape(batch, operator.batch_shape)
        return batch

    def _batch_tensor(self) -> Tensor:
        batch = self._operators[0].batch_shape_tensor()
        for operator in self._operators[1:]:
            batch = array.broadcast_dynamic_shape(batch, operator.batch_shape_tensor())
        return batch


def _always(hints: dict[str, bool | None], hint: str, text: str) -> None:
    hints[hint] = implied_hint(hints[hint], text)


class LinearOperatorComposition(_OfOperators):
    """The product of operators: the last one acts first.

    Raises: ValueError for an empty list, TypeError for operators of several dtypes.
    """

    _JOINT = "_o_"

    def _complete(self, hints: dict[str, bool | None]) -> None:
        if all_hints(self._operators, "is_non_singular"):
            _always(
                hints, "is_non_singular", "The composition of non-singular operators is always non-singular."
            )

    def _shape(self) -> TensorShape:
        sides = TensorShape([self._operators[0].range_dimension, self._operators[-1].domain_dimension])
        return self._static_batch().concatenate(sides)

    def _shape_tensor(self) -> Tensor:
        sides = [self._operators[0].range_dimension_tensor(), self._operators[-1].domain_dimension_tensor()]
        return array.concat((self._batch_tensor(), array.stack(sides)), 0)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        first, *others = self._operators if adjoint else self._operators[::-1]
        result = first.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in others:
            result = operator.matmul(result, adjoint=adjoint)
        return result  # type: ignore[no-any-return]

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        first, *others = self._operators[::-1] if adjoint else self._operators
        result = first.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in others:
            result = operator.solve(result, adjoint=adjoint)
        return result  # type: ignore[no-any-return]

    def _determinant(self) -> Tensor:
        result = self._operators[0].determinant()
        for operator in self._operators[1:]:
            result *= operator.determinant()
        return result  # type: ignore[no-any-return]

    def _log_abs_determinant(self) -> Tensor:
        result = self._operators[0].log_abs_determinant()
        for operator in self._operators[1:]:
            result += operator.log_abs_determinant()
        return result  # type: ignore[no-any-return]


class LinearOperatorBlockDiag(_OfOperators):
    """Operators as the blocks on the diagonal of a matrix of zeros.

    Raises: ValueError for an empty list and for is_square=False, TypeError for operators of several dtypes.
    """

    _JOINT = "_ds_"

    def __init__(
        self,
        operators: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        name: str | None = None,
    ) -> None:
        super().__init__(operators, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)

    def _complete(self, hints: dict[str, bool | None]) -> None:
        for hint, word in (
            ("is_non_singular", "non-singular"), ("is_self_adjoint", "self-adjoint"),
            ("is_positive_definite", "positive definite"),
        ):  # fmt: skip
            if all_hints(self._operators, hint):
                _always(hints, hint, f"The direct sum of {word} operators is always {word}.")
        if not (hints["is_square"] and all_hints(self._operators, "is_square")):
            raise ValueError(error_text("Can only represent a block diagonal of square matrices."))

    def _shape(self) -> TensorShape:
        def total(sides: list[Any]) -> int | None:
            return None if any(side.value is None for side in sides) else sum(side.value for side in sides)

        sides = [
            total([operator.range_dimension for operator in self._operators]),
            total([operator.domain_dimension for operator in self._operators]),
        ]
        return self._static_batch().concatenate(TensorShape(sides))

    def _shape_tensor(self) -> Tensor:
        rows = sum(operator.range_dimension_tensor() for operator in self._operators)
        columns = sum(operator.domain_dimension_tensor() for operator in self._operators)
        return array.concat((self._batch_tensor(), array.stack([rows, columns])), 0)

    def _in_blocks(self, x: Tensor, sides: list[Any]) -> list[Tensor]:
        """x [..., n, k], its rows split between the operators."""
        static = [side.value for side in sides]
        if None in static:
            sizes: Any = [operator.domain_dimension_tensor() for operator in self._operators]
        else:
            sizes = static
        return list(slicing.split(x, sizes, axis=-2, num=len(self._operators)))

    def _blockwise(self, x: Tensor, adjoint: bool, adjoint_arg: bool, apply: Callable[..., Tensor]) -> Tensor:
        x = linalg.adjoint(x) if adjoint_arg else x
        blocks = self._in_blocks(x, [operator.domain_dimension for operator in self._operators])
        results = [apply(operator, block, adjoint) for operator, block in zip(self._operators, blocks)]
        return array.concat(broadcast_batches(results), axis=-2)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._blockwise(x, adjoint, adjoint_arg, lambda o, block, flag: o.matmul(block, adjoint=flag))

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._blockwise(rhs, adjoint, adjoint_arg, lambda o, block, flag: o.solve(block, adjoint=flag))

    def _determinant(self) -> Tensor:
        result = self._operators[0].determinant()
        for operator in self._operators[1:]:
            result *= operator.determinant()
        return result  # type: ignore[no-any-return]

    def _log_abs_determinant(self) -> Tensor:
        result = self._operators[0].log_abs_determinant()
        for operator in self._operators[1:]:
            result += operator.log_abs_determinant()
        return result  # type: ignore[no-any-return]

    def _trace(self) -> Tensor:
        result = self._operators[0].trace()
        for operator in self._operators[1:]:
            result += operator.trace()
        return result  # type: ignore[no-any-return]

    def _diag_part(self) -> Tensor:
        columns = [operator.diag_part()[..., None] for operator in self._operators]
        return array.squeeze(array.concat(broadcast_batches(columns), axis=-2), axis=-1)

    def _to_dense(self) -> Tensor:
        blocks = broadcast_batches([operator.to_dense() for operator in self._operators])
        total = array.shape(blocks[0])[-1]
        for block in blocks[1:]:
            total += array.shape(block)[-1]
        rows, left = [], 0
        for block in blocks:
            shape = array.shape(block)
            before = array.concat([shape[:-1], [left]], 0)
            after = array.concat([shape[:-1], [total - left - shape[-1]]], 0)
            parts = [array.zeros(before, self.dtype), block, array.zeros(after, self.dtype)]
            rows.append(array.concat(parts, axis=-1))
            left += shape[-1]
        dense = array.concat(rows, axis=-2)
        dense.set_shape(self.shape)
        return dense

    def _assert_non_singular(self) -> Operation:
        return group(*(operator.assert_non_singular() for operator in self._operators))

    def _assert_positive_definite(self) -> Operation:
        return group(*(operator.assert_positive_definite() for operator in self._operators))

    def _assert_self_adjoint(self) -> Operation:
        return group(*(operator.assert_self_adjoint() for operator in self._operators))


class LinearOperatorKronecker(_OfOperators):
    """The Kronecker product of operators: [[a₁₁ B, a₁₂ B, …], …] for A and B.

    Raises: ValueError for an empty list, TypeError for operators of several dtypes.
    """

    _JOINT = "_x_"
    _EMPTY = "Expected a list of >=1 operators."

    def _complete(self, hints: dict[str, bool | None]) -> None:
        for hint, word in (
            ("is_square", "square"), ("is_non_singular", "non-singular"), ("is_self_adjoint", "self-adjoint"),
            ("is_positive_definite", "positive-definite"),
        ):  # fmt: skip
            if all_hints(self._operators, hint):
                _always(hints, hint, f"The Kronecker product of {word} operators is always {word}.")

    def _shape(self) -> TensorShape:
        rows = columns = TensorShape([1])[0]
        for operator in self._operators:
            rows, columns = rows * operator.range_dimension, columns * operator.domain_dimension
        return self._static_batch().concatenate(TensorShape([rows, columns]))

    def _shape_tensor(self) -> Tensor:
        rows = self._operators[0].range_dimension_tensor()
        columns = self._operators[0].domain_dimension_tensor()
        for operator in self._operators[1:]:
            rows, columns = (
                rows * operator.range_dimension_tensor(),
                columns * operator.domain_dimension_tensor(),
            )
        return array.concat((self._batch_tensor(), array.stack([rows, columns])), 0)

    def _in_turn(
        self, x: Tensor, adjoint_arg: bool, apply: Callable[[Any, Tensor], Tensor], into: str, out: Any
    ) -> Tensor:
        """Every operator applied to its own axis of x [..., n₁·n₂·…, k].

        The rows are read as axes n₁, n₂, …; each operator takes the first one and puts its result behind k, so that after
        the last one k is in front. into: whether an operator takes as many rows as its domain or its range has.
        """
        x = linalg.adjoint(x) if adjoint_arg else x
        static = x.shape
        columns = array.shape(x)[-1]
        for operator in self._operators:
            shape = array.shape(x)
            side = (
                operator.domain_dimension_tensor() if into == "domain" else operator.range_dimension_tensor()
            )
            x = array.reshape(x, array.concat([shape[:-2], [side, -1]], 0))
            x = array.matrix_transpose(apply(operator, x))
        x = array.reshape(x, array.concat([array.shape(x)[:-2], [columns, -1]], 0))
        x = array.matrix_transpose(x)
        if static.rank is not None:
            batch = array.broadcast_static_shape(static[:-2], self.batch_shape)
            x.set_shape(batch.concatenate(TensorShape([out, static[-1]])))
        return x

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        into, out = ("range", self.domain_dimension) if adjoint else ("domain", self.range_dimension)
        return self._in_turn(x, adjoint_arg, lambda o, block: o.matmul(block, adjoint=adjoint), into, out)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        into, out = ("domain", self.range_dimension) if adjoint else ("range", self.domain_dimension)
        return self._in_turn(rhs, adjoint_arg, lambda o, block: o.solve(block, adjoint=adjoint), into, out)

    def _power(self, operator: Any) -> Tensor:
        """How often the operator stands in the product."""
        return math.cast(self.domain_dimension_tensor() / operator.domain_dimension_tensor(), self.dtype)

    def _determinant(self) -> Tensor:
        total: Any = 1.0
        for operator in self._operators:
            total *= operator.determinant() ** self._power(operator)
        return total  # type: ignore[no-any-return]

    def _log_abs_determinant(self) -> Tensor:
        total: Any = 0.0
        for operator in self._operators:
            total += operator.log_abs_determinant() * self._power(operator)
        return total  # type: ignore[no-any-return]

    def _trace(self) -> Tensor:
        total: Any = 1.0
        for operator in self._operators:
            total *= operator.trace()
        return total  # type: ignore[no-any-return]

    def _diag_part(self) -> Tensor:
        product = self._operators[0].diag_part()
        for operator in self._operators[1:]:
            product = product[..., :, None] * operator.diag_part()[..., None, :]
            product = array.reshape(product, array.concat([array.shape(product)[:-2], [-1]], 0))
        sides = self.shape[-2:].as_list() if self.shape.rank is not None else [None, None]
        if None not in sides:
            product.set_shape(self.batch_shape.concatenate(TensorShape([min(sides)])))
        return product  # type: ignore[no-any-return]

    def _to_dense(self) -> Tensor:
        product = self._operators[0].to_dense()
        for operator in self._operators[1:]:
            product = product[..., :, None, :, None] * operator.to_dense()[..., None, :, None, :]
            sizes = array.shape(product)
            sides = [sizes[-4] * sizes[-3], sizes[-2] * sizes[-1]]
            product = array.reshape(product, array.concat([sizes[:-4], sides], 0))
        product.set_shape(self.shape)
        return product  # type: ignore[no-any-return]

    def _assert_non_singular(self) -> Operation:
        if all(operator.is_square for operator in self._operators):
            return group(*(operator.assert_non_singular() for operator in self._operators))
        raise InvalidArgumentError(
            None, None, error_text("All Kronecker factors must be square for the product to be invertible.")
        )

    def _assert_self_adjoint(self) -> Operation:
        if all(operator.is_square for operator in self._operators):
            return group(*(operator.assert_self_adjoint() for operator in self._operators))
        raise InvalidArgumentError(
            None, None, error_text("All Kronecker factors must be square for the product to be self adjoint.")
        )
