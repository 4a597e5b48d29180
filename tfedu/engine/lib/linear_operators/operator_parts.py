"""What several linear operators share: hints, checks, batches of matrices that broadcast. No state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.nodes import Operation, Tensor
from ...ops import linalg as ops
from ..arrays import array
from ..checks import asserts
from ..control.grouping import no_op
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..linalg import linalg
from ..math import math


def agreed_hint(known: bool | None, given: bool | None, message: str) -> bool | None:
    """One hint out of what an operator knows of itself and what the caller says; None where neither says anything.

    Raises: ValueError(message) when the two contradict each other.
    """
    if known is not None and given is not None and known != given:
        raise ValueError(error_text(message))
    return given if known is None else known


def implied_hint(given: bool | None, message: str) -> bool:
    """True, which the kind of the operator implies.

    Raises: ValueError(message) where the caller says False.
    """
    if given is False:
        raise ValueError(error_text(message))
    return True


def all_hints(operators: Iterable[Any], hint: str) -> bool:
    """Whether every operator has this hint."""
    return all(getattr(operator, hint) for operator in operators)


def checked_dtype(operators: list[Any]) -> Any:
    """The one dtype of all operators.

    Raises: TypeError where they differ.
    """
    dtype = operators[0].dtype
    if any(operator.dtype != dtype for operator in operators):
        named = [(operator.name, operator.dtype) for operator in operators]
        raise TypeError(error_text(f"Expected all operators to have the same dtype.  Found {_pairs(named)}"))
    return dtype


def _pairs(named: list[tuple[str, Any]]) -> str:
    return "   ".join(str(pair) for pair in named)


def assert_no_zero(x: Any, message: str, name: str = "assert_no_entries_with_modulus_zero") -> Operation:
    """An operation that fails in the run if an entry of x [...] is 0."""
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        dtype = x.dtype.real_dtype.base_dtype
        zero = convert_to_tensor(0, dtype=dtype)
        return asserts.assert_less(zero, math.abs(x), message=message)


def assert_real(x: Any, message: str, name: str = "assert_zero_imag_part") -> Operation:
    """An operation that fails in the run if an entry of x [...] has an imaginary part."""
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_floating:
            return no_op()
        zero = convert_to_tensor(0, dtype=x.dtype.real_dtype)
        return asserts.assert_equal(zero, math.imag(x), message=message)


def assert_compatible(operator: Any, x: Tensor) -> Operation:
    """An operation that fails in the run unless the operator can be multiplied with x [..., n, k]."""
    return asserts.assert_equal(
        array.shape(x)[-2], operator.domain_dimension_tensor(), message="Incompatible matrix dimensions."
    )


def shape_as_tensor(shape: Any, name: str | None = None) -> Tensor:
    """A shape as an int32 vector, also where it has no entries."""
    return convert_to_tensor(shape, dtype=dtypes.int32, name=name)


def broadcast_batches(matrices: list[Any], name: str | None = None) -> list[Tensor]:
    """The matrices [..., m, n], their leading axes broadcast to a common shape."""
    with name_scope(name or "broadcast_matrix_batch_dims", values=matrices):
        matrices = [convert_to_tensor(matrix) for matrix in matrices]
        if len(matrices) == 1:
            return matrices
        batch = matrices[0].shape[:-2]
        for matrix in matrices:
            batch = array.broadcast_static_shape(batch, matrix.shape[:-2])
        if batch.is_fully_defined():
            return [
                matrix if matrix.shape[:-2] == batch
                else array.broadcast_to(matrix, array.concat([batch.as_list(), array.shape(matrix)[-2:]], 0))
                for matrix in matrices
            ]  # fmt: skip
        sizes = array.shape(matrices[0])[:-2]
        for matrix in matrices[1:]:
            sizes = array.broadcast_dynamic_shape(sizes, array.shape(matrix)[:-2])
        return [array.broadcast_to(m, array.concat([sizes, array.shape(m)[-2:]], 0)) for m in matrices]


def _solved(label: str, solve: Any, matrix: Any, rhs: Any) -> Tensor:
    with name_scope(label, values=[matrix, rhs]):
        matrix, rhs = (
            convert_to_tensor(matrix, name="matrix"),
            convert_to_tensor(rhs, name="rhs", dtype=matrix.dtype),
        )
        if (
            matrix.shape.rank is not None
            and rhs.shape.rank is not None
            and matrix.shape[:-2] == rhs.shape[:-2]
        ):
            return solve(matrix, rhs)  # type: ignore[no-any-return]
        return solve(*broadcast_batches([matrix, rhs]))  # type: ignore[no-any-return]


def cholesky_solve(factor: Tensor, rhs: Tensor) -> Tensor:
    """X [..., m, k] with factor · factorᴴ · X = rhs; the batches broadcast."""
    return _solved("CholeskySolveWithBroadcast", linalg.cholesky_solve, factor, rhs)


def matrix_solve(matrix: Tensor, rhs: Tensor, adjoint: bool = False) -> Tensor:
    """X [..., m, k] with matrix · X = rhs; the batches broadcast."""
    return _solved(
        "MatrixSolveWithBroadcast", lambda a, b: ops.matrix_solve(a, b, adjoint=adjoint), matrix, rhs
    )


def triangular_solve(matrix: Tensor, rhs: Tensor, adjoint: bool = False) -> Tensor:
    """X [..., m, k] with matrix · X = rhs for lower triangular matrices; the batches broadcast."""
    return _solved(
        "MatrixTriangularSolve",
        lambda a, b: ops.matrix_triangular_solve(a, b, lower=True, adjoint=adjoint),
        matrix,
        rhs,
    )
