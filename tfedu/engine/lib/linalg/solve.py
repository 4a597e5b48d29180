"""`tf.matrix_solve_ls`, `tf.linalg.pinv`, `tf.linalg.tridiagonal_solve` and `tridiagonal_matmul`, as in TF 1.15. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...ops import decompositions as decompositions_ops
from ...ops import solve as ops
from ..arrays import array, constructors, selection
from ..checks import type_asserts
from ..control import cond, grouping
from ..framework.scope_blocks import control_dependencies, named
from ..math import math, products, reductions
from . import linalg

_CACHE_SIZE = 256_000  # bytes; TF's estimate of a processor's cache


@atomic
def matrix_solve_ls(
    matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: bool = True, name: str | None = None
) -> Tensor:
    """X [..., n, k] that minimises |matrix [..., m, n] · X - rhs [..., m, k]|² + l2_regularizer · |X|².

    fast: solves the normal equations, which need a matrix of full rank. Without fast, l2_regularizer is ignored.

    Raises: NotImplementedError for complex128 with a regularizer, as TF does.
    """
    matrix = convert_to_tensor(matrix, name="matrix")
    weighted = isinstance(l2_regularizer, Tensor) or l2_regularizer != 0
    if matrix.dtype.base_dtype is dtypes.complex128 and weighted:
        raise NotImplementedError(
            error_text(
                "matrix_solve_ls is currently disabled for complex128 and l2_regularizer != 0 due to poor accuracy.",
                [matrix],
            )
        )
    if not _builds_steps(matrix, fast):
        return ops.matrix_solve_ls(matrix, rhs, l2_regularizer, fast=fast, name=name)  # type: ignore[no-any-return]
    with named(name, "matrix_solve_ls", [matrix, rhs, l2_regularizer]):

        def tall() -> Tensor:
            factor = regularized_factor(matrix, l2_regularizer, weighted, True)
            return linalg.cholesky_solve(factor, products.matmul(matrix, rhs, adjoint_a=True))

        def wide() -> Tensor:
            factor = regularized_factor(matrix, l2_regularizer, weighted, False)
            return products.matmul(matrix, linalg.cholesky_solve(factor, rhs), adjoint_a=True)

        known = (None, None) if matrix.raw_shape is None else matrix.raw_shape[-2:]
        if None not in known:
            return tall() if known[0] >= known[1] else wide()  # type: ignore[operator]
        sizes: Any = array.shape(matrix)[-2:]  # type: ignore[index]
        return cond.cond(sizes[-2] >= sizes[-1], tall, wide)  # type: ignore[no-any-return]


def _builds_steps(matrix: Tensor, fast: bool) -> bool:
    """Whether TF builds a node for each step: always when fast, except for large batches of small matrices."""
    shape = matrix.raw_shape
    if not fast:
        return False
    if shape is None or None in shape:
        return True
    batch = total = 1
    for n in shape[:-2]:
        batch *= n  # type: ignore[operator]
    for n in shape:
        total *= n  # type: ignore[operator]
    return not (total * matrix.dtype.size > _CACHE_SIZE and batch > min(shape[-2:]))  # type: ignore[type-var]


def regularized_factor(matrix: Tensor, l2_regularizer: Any, weighted: bool, first: bool) -> Tensor:
    """The Cholesky factor of matrixᴴ · matrix [..., n, n] (first) or matrix · matrixᴴ [..., m, m], regularized on
    the diagonal.
    """
    gramian: Any = products.matmul(matrix, matrix, adjoint_a=first, adjoint_b=not first)
    if weighted:
        sizes: Any = array.shape(matrix)
        batch = sizes[:-2]
        count = sizes[-1] if first else sizes[-2]
        identity = constructors.eye(count, batch_shape=batch, dtype=matrix.dtype)
        if matrix.raw_shape is not None:
            side = matrix.raw_shape[-1 if first else -2]
            identity.set_shape((*matrix.raw_shape[:-2], side, side))
        gramian = gramian + l2_regularizer * identity
    return decompositions_ops.cholesky(gramian)  # type: ignore[no-any-return]


# -- by singular values --------------------------------------------------------------------------------------------


def _check_matrices(a: Tensor, validate_args: bool) -> Tensor:
    """The matrices; an unknown rank is checked by the run.

    Raises: TypeError for a dtype that is not floating, ValueError for a rank below 2.
    """
    if not a.dtype.is_floating:
        raise TypeError(error_text(f"Input `a` must have `float`-like `dtype` (saw {a.dtype.name}).", [a]))
    if a.raw_shape is not None:
        if len(a.raw_shape) < 2:
            raise ValueError(
                error_text(f"Input `a` must have at least 2 dimensions (saw: {len(a.raw_shape)}).", [a])
            )
    elif validate_args:
        check = type_asserts.assert_rank_at_least(a, rank=2, message="Input `a` must have at least 2 dimensions.")
        with control_dependencies([check]):
            return grouping.identity(a)
    return a


@atomic
def matrix_rank(a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The number of singular values above tol of each matrix: [..., m, n] -> int32 [...].

    tol: by default the rounding error expected of a singular value 0.

    Raises: TypeError for a dtype that is not floating, ValueError for a rank below 2.
    """
    with named(name, "matrix_rank"):
        a = _check_matrices(convert_to_tensor(a, preferred_dtype=dtypes.float32, name="a"), validate_args)
        values: Any = linalg.svd(a, compute_uv=False)
        if tol is None:
            sides = (None, None) if a.raw_shape is None else a.raw_shape[-2:]
            longest = reductions.reduce_max(array.shape(a)[-2:]) if None in sides else np.int64(max(sides))
            eps = np.finfo(a.dtype.as_numpy_dtype).eps
            tol = eps * math.cast(longest, a.dtype) * reductions.reduce_max(values, axis=-1, keepdims=True)
        return reductions.reduce_sum(math.cast(values > tol, dtypes.int32), axis=-1)


@atomic
def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The Moore-Penrose pseudo-inverses of matrices: [..., m, n] -> [..., n, m].

    rcond: singular values below this share of the largest count as 0.

    Raises: TypeError for a dtype that is not floating, ValueError for a rank below 2.
    """
    with named(name, "pinv"):
        a = _check_matrices(convert_to_tensor(a, name="a"), validate_args)
        kind = a.dtype.as_numpy_dtype
        if rcond is None:
            known = (None, None) if a.raw_shape is None else a.raw_shape[-2:]
            rows, columns = (array.shape(a)[i] if n is None else n for i, n in zip((-2, -1), known))
            if isinstance(rows, int) and isinstance(columns, int):
                longest: Any = float(max(rows, columns))
            else:
                longest = math.cast(math.maximum(rows, columns), a.dtype)
            rcond = 10.0 * longest * np.finfo(kind).eps
        rcond = convert_to_tensor(rcond, dtype=a.dtype, name="rcond")
        values, left, right = linalg.svd(a, full_matrices=False, compute_uv=True)
        cutoff = rcond * reductions.reduce_max(values, axis=-1)
        # Singular values that count as 0 become infinite, so that their inverses are 0.
        values = selection.where_v2(values > array.expand_dims(cutoff, -1), values, np.array(np.inf, kind))
        out = products.matmul(right / array.expand_dims(values, -2), left, adjoint_b=True)
        if a.raw_shape is not None:
            out.set_shape((*a.raw_shape[:-2], a.raw_shape[-1], a.raw_shape[-2]))
        return out


# -- tridiagonal systems -------------------------------------------------------------------------------------------


@atomic
def tridiagonal_solve(
    diagonals: Any,
    rhs: Any,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
) -> Tensor:
    """X with A · X = rhs [..., m] or [..., m, k] for tridiagonal matrices A.

    diagonals_format: "compact" ([..., 3, m]: above, on, below the diagonal), "sequence" (these three [..., m]) or
    "matrix" ([..., m, m]).

    Raises: ValueError for incompatible shapes and for another format.
    """
    if diagonals_format == "compact":
        rows = convert_to_tensor(diagonals)
    elif diagonals_format == "sequence":
        rows = _stack_diagonals(diagonals)
    elif diagonals_format == "matrix":
        rows = _extract_diagonals(convert_to_tensor(diagonals))
    else:
        raise ValueError(error_text(f"Unrecognized diagonals_format: {diagonals_format}"))
    return _solve_tridiagonal(rows, convert_to_tensor(rhs), transpose_rhs, conjugate_rhs, partial_pivoting, name)


def _stack_diagonals(diagonals: Any) -> Tensor:
    if not isinstance(diagonals, tuple | list) or len(diagonals) != 3:
        raise ValueError(error_text("Expected diagonals to be a sequence of length 3."))
    upper, main, lower = (convert_to_tensor(d) for d in diagonals)
    if not all(d.shape[:-1].is_compatible_with(main.shape[:-1]) for d in (lower, upper)):
        raise ValueError(
            error_text(
                "Tensors representing the three diagonals must have the same shape,except for the last dimension, "
                f"got {lower.shape}, {main.shape}, {upper.shape}",
                [upper, main, lower],
            )
        )
    length = main.shape[-1].value

    def padded(diagonal: Tensor, label: str, sides: list[int]) -> Tensor:
        diagonal_length = diagonal.shape[-1].value
        if not diagonal_length or diagonal_length == length:
            return diagonal
        if diagonal_length == length - 1:
            return array.pad(diagonal, [[0, 0]] * (len(diagonal.shape) - 1) + [sides])
        raise ValueError(
            error_text(f"Expected {label} to be have length {length} or {length - 1}, got {diagonal_length}.", [diagonal])
        )

    lower = padded(lower, "subdiagonal", [1, 0])
    upper = padded(upper, "superdiagonal", [0, 1])
    return array.stack((upper, main, lower), axis=-2)


def _side(matrix: Tensor, text: str) -> int:
    """The number m of rows of square matrices [..., m, m]."""
    first, second = matrix.shape[-1].value, matrix.shape[-2].value
    if first and second and first != second:
        raise ValueError(error_text(text.format(first, second), [matrix]))
    side = first or second
    if not side:
        raise ValueError(
            error_text('The size of the matrix needs to be known for diagonals_format="matrix"', [matrix])
        )
    return side  # type: ignore[no-any-return]


_UNEQUAL = "Expected last two dimensions of diagonals to be same, got {} and {}"


def _extract_diagonals(matrix: Tensor) -> Tensor:
    """The diagonals [..., 3, m] of matrices [..., m, m]; arbitrary elements pad the shorter ones."""
    m = _side(matrix, _UNEQUAL)
    coordinates = [
        [[i + 1, i] if i + 1 < m else [0, 0], [i, i], [i - 1, i] if i else [0, 0]] for i in range(m)
    ]
    return array.transpose(selection.gather_nd(array.transpose(matrix), coordinates))


def _solve_tridiagonal(rows: Tensor, rhs: Tensor, transpose: bool, conjugate: bool, pivoting: bool, name: str | None) -> Tensor:
    rank, rhs_rank = len(rows.shape), len(rhs.shape)
    if rank < 2:
        raise ValueError(error_text(f"Expected diagonals to have rank at least 2, got {rank}", [rows]))
    if rhs_rank not in (rank, rank - 1):
        raise ValueError(
            error_text(f"Expected the rank of rhs to be {rank - 1} or {rank}, got {rhs_rank}", [rows, rhs])
        )
    if rows.raw_shape[-2] not in (None, 3):  # type: ignore[index]
        raise ValueError(error_text(f"Expected 3 diagonals got {rows.shape[-2]}", [rows]))
    if not rows.shape[:-2].is_compatible_with(rhs.shape[: rank - 2]):
        raise ValueError(
            error_text(f"Batch shapes {rows.shape[:-2]} and {rhs.shape[: rank - 2]} are incompatible", [rows, rhs])
        )

    def solve(right: Tensor) -> Tensor:
        left_count, right_count = rows.shape[-1].value, right.shape[-2].value
        if left_count and right_count and left_count != right_count:
            raise ValueError(
                error_text(
                    "Expected number of left-hand sided and right-hand sides to be equal, got "
                    f"{left_count} and {right_count}",
                    [rows, right],
                )
            )
        out: Tensor = ops.tridiagonal_solve(rows, right, partial_pivoting=pivoting, name=name)
        return out

    if rhs_rank == rank - 1:
        vector = math.conj(rhs) if conjugate else rhs
        return array.squeeze(solve(array.expand_dims(vector, -1)), -1)
    if transpose:
        rhs = array.matrix_transpose(rhs, conjugate=conjugate)
    elif conjugate:
        rhs = math.conj(rhs)
    out = solve(rhs)
    return array.matrix_transpose(out) if transpose else out


@atomic
def tridiagonal_matmul(
    diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None
) -> Tensor:
    """A · rhs [..., m, n] for tridiagonal matrices A, given as in `tridiagonal_solve`.

    Raises: ValueError for incompatible shapes and for another format.
    """
    if diagonals_format == "compact":
        rows: Any = convert_to_tensor(diagonals)
        upper, main, lower = rows[..., 0, :], rows[..., 1, :], rows[..., 2, :]
    elif diagonals_format == "sequence":
        upper, main, lower = diagonals
    elif diagonals_format == "matrix":
        matrix = convert_to_tensor(diagonals)
        m = _side(matrix, _UNEQUAL)
        main = linalg.matrix_diag_part(matrix)
        transposed = array.transpose(matrix)
        upper = array.transpose(selection.gather_nd(transposed, [[i + 1, i] for i in range(m - 1)] + [[0, 0]]))
        lower = array.transpose(selection.gather_nd(transposed, [[0, 0]] + [[i - 1, i] for i in range(1, m)]))
    else:
        raise ValueError(error_text(f"Unrecognized diagonals_format: {diagonals_format}"))
    upper, main, lower = (array.expand_dims(d, -2) for d in (upper, main, lower))
    return ops.tridiagonal_mat_mul(upper, main, lower, rhs, name=name)  # type: ignore[no-any-return]
