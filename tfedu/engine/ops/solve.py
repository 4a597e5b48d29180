"""Matrix functions that NumPy lacks: LU, roots and logarithms of matrices, least squares, tridiagonal systems.

Batches come first: matrices are [..., m, n].
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.dtypes import DType
from ..base.shapes import Shape
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.constant import constant
from ..op.define import Sym, op, typevar
from ..op.gradient_rules import product_of
from ..op.matrix_functions import eye, matrix_transpose
from ..op.shape_checks import COMPLEX, INDEX, at_least, invalid, kinds, needs_rank, same, scalar, with_value
from .linalg import Field, check_matrices, check_square, of_lapack, solve_shape, square_shape, widened

# -- LU ------------------------------------------------------------------------------------------------------------


@op("Lu", out="lu p", fresh=True, multiplies=True)
def lu(
    xp: Any, input: Field, *, output_idx_type: typevar("output_idx_type", INDEX) = dtypes.int32
) -> tuple[Field, typevar("output_idx_type", INDEX)]:
    """L and U in one matrix, without the diagonal of L, which is 1, and the order p of the rows, input[p] = L · U:
    input [..., n, n] -> lu [..., n, n], p [..., n].

    Raises: InvalidArgumentError when a matrix is singular.
    """
    if input.ndim < 2:
        raise invalid(f"Input tensor must have rank >= 2, got {input.ndim}")
    check_square(input)
    factors = np.array(widened(input))
    n = factors.shape[-1]
    flat = factors.reshape(-1, n, n)
    order = np.tile(np.arange(n), (len(flat), 1))
    for matrix, rows in zip(flat, order):
        _factor(matrix, rows)
    p = order.reshape(factors.shape[:-1]).astype(output_idx_type.numpy)
    return factors.astype(input.dtype, copy=False), p


def _factor(matrix: Any, rows: Any) -> None:
    """Gaussian elimination in place; the largest element of each column is the pivot."""
    n = len(matrix)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(matrix[k:, k])))
        if matrix[pivot, k] == 0 or (k == 0 and np.isnan(matrix[pivot, k])):
            raise invalid("Input is not invertible.")
        if pivot != k:
            matrix[[k, pivot]] = matrix[[pivot, k]]
            rows[[k, pivot]] = rows[[pivot, k]]
        matrix[k + 1 :, k] /= matrix[k, k]
        matrix[k + 1 :, k + 1 :] -= np.outer(matrix[k + 1 :, k], matrix[k, k + 1 :])


@lu.shape
def _(input: Sym, *, output_idx_type: DType) -> list[Shape]:
    shape = square_shape(input)
    return [shape, None if shape is None else shape[:-1]]


# -- functions of a matrix -----------------------------------------------------------------------------------------


def _schur(matrix: Any) -> tuple[Any, Any]:
    """Schur decomposition (t, u): u unitary, t upper triangular, u · t · uᴴ = matrix; one eigenvector is split off a step."""
    t = matrix.astype(np.complex128)
    n = len(t)
    u = np.eye(n, dtype=np.complex128)
    for k in range(n - 1):
        if not np.any(t[k + 1 :, k]):
            continue
        _, vectors = np.linalg.eig(t[k:, k:])
        q, _ = np.linalg.qr(vectors[:, :1], mode="complete")
        t[k:, k:] = q.conj().T @ t[k:, k:] @ q
        t[:k, k:] = t[:k, k:] @ q
        u[:, k:] = u[:, k:] @ q
        t[k + 1 :, k] = 0
    return t, u


def _root(t: Any) -> Any:
    """The upper triangular root of an upper triangular matrix. Source: Björck and Hammarling, 1983."""
    n = len(t)
    root = np.diag(np.sqrt(np.diag(t)))
    for j in range(n):
        for i in range(j - 1, -1, -1):
            rest = t[i, j] - root[i, i + 1 : j] @ root[i + 1 : j, j]
            root[i, j] = rest / (root[i, i] + root[j, j]) if rest else 0
    return root


@cache
def _gauss() -> list[tuple[float, float]]:
    """Nodes and weights of Gauss's rule on [-1, 1]; NumPy loads its polynomials on first use."""
    nodes, weights = np.polynomial.legendre.leggauss(10)
    return list(zip(nodes.tolist(), weights.tolist()))


def _logarithm(t: Any) -> Any:
    """The logarithm of an upper triangular matrix: of repeated roots until near 1, then by Gauss quadrature."""
    one = np.eye(len(t))
    if not np.all(np.diag(t)):
        return np.full(t.shape, np.nan + np.nan * 1j)
    times = 1.0
    for _ in range(100):
        if np.linalg.norm(t - one) < 0.25:
            break
        t = _root(t)
        times *= 2
    rest = t - one
    total = np.zeros_like(rest)
    for node, weight in _gauss():
        total += weight / 2 * np.linalg.solve(one + (node + 1) / 2 * rest, rest)
    return times * total


def _function_of(matrices: Any, of_triangle: Callable[[Any], Any]) -> Any:
    """The function of each matrix, by its triangular Schur form: matrices [..., n, n] -> [..., n, n], complex128."""
    n = matrices.shape[-1]
    out = np.empty(matrices.shape, np.complex128)
    if not out.size:
        return out
    for at, matrix in zip(np.ndindex(matrices.shape[:-2]), matrices.reshape(-1, n, n)):
        if not np.isfinite(matrix).all():
            out[at] = np.nan
            continue
        t, u = _schur(matrix)
        out[at] = u @ of_triangle(t) @ u.conj().T
    return out


@op("MatrixSquareRoot", shape=square_shape, fresh=True, multiplies=True)
def matrix_square_root(xp: Any, input: Field) -> Field:
    """The principal square root of matrices: input [..., n, n] -> [..., n, n]; NaN where a real matrix has no real one.
    Source: Björck and Hammarling, 1983.
    """
    check_square(input)
    with np.errstate(all="ignore"):
        root = _function_of(input, _root)
    if input.dtype.kind == "c":
        return root.astype(input.dtype)
    size = np.abs(root).max(axis=(-2, -1), initial=0)[..., None, None]
    complex_ = (np.abs(root.imag) > 1e-7 * size).any(axis=(-2, -1))[..., None, None]
    return np.where(complex_, np.nan, root.real).astype(input.dtype)


@matrix_square_root.grad
def _(op: Any, g: Any) -> Any:
    # A = R · R, so dA = R · dR + dR · R: a system of linear equations for dR's elements.
    root = op.outputs[0]
    sizes = functions.shape(root)
    side = sizes[-1]
    count = product_of(sizes[0:-2])
    identity = nodes.Reshape(eye(side, dtype=root.dtype), [-1])
    identities = nodes.Reshape(nodes.Tile(identity, [count]), sizes)
    root_transposed = matrix_transpose(root)
    system = nodes.Add(_kronecker(identities, root_transposed), _kronecker(root, identities))
    batch = nodes.Slice(sizes, [0], [nodes.Sub(functions.size(sizes), 2)])
    column = functions.concat([batch, [side * side], [1]], 0)
    rows = nodes.Reshape(matrix_transpose(g), column)
    solution = nodes.MatrixSolve(system, rows)
    return matrix_transpose(nodes.Reshape(solution, sizes))


def _kronecker(x: Any, y: Any) -> Any:
    """The Kronecker product: x [..., m, m], y [..., n, n] -> [..., m·n, m·n]."""
    sx, sy = functions.shape(x), functions.shape(y)
    nx, ny = sx[-1], sy[-1]
    batch = nodes.Slice(sx, [0], [nodes.Sub(functions.size(sx), 2)])
    x_sizes = functions.concat([batch, [nx], [1], [nx], [1]], 0)
    y_sizes = functions.concat([batch, [1], [ny], [1], [ny]], 0)
    x, y = nodes.Reshape(x, x_sizes), nodes.Reshape(y, y_sizes)
    side = nx * ny
    return nodes.Reshape(x * y, functions.concat([batch, [side], [side]], 0))


@op("MatrixLogarithm", shape=square_shape, fresh=True, multiplies=True)
def matrix_logarithm(xp: Any, input: typevar("T", COMPLEX)) -> "T":  # noqa: F821
    """The principal logarithm of matrices: input [..., n, n] -> [..., n, n]."""
    check_square(input)
    with np.errstate(all="ignore"):
        return _function_of(input, _logarithm).astype(input.dtype)


# -- least squares -------------------------------------------------------------------------------------------------


@op("MatrixSolveLs", fresh=True, multiplies=True)
def matrix_solve_ls(
    xp: Any, matrix: Field, rhs: Field, l2_regularizer: dtypes.float64, *, fast: bool = True
) -> Field:
    """The smallest X that minimises |matrix · X - rhs|² + l2_regularizer · |X|²: matrix [..., m, n], rhs [..., m, k],
    l2_regularizer scalar -> X [..., n, k]; fast: by the normal equations.

    Raises: InvalidArgumentError when those are singular.
    """
    needs_rank(l2_regularizer, 0, "l2_regularizer must be scalar, got shape {shape}")
    check_matrices(matrix, rhs)
    if matrix.shape[-2] != rhs.shape[-2]:
        raise invalid("Input matrix and rhs are incompatible.")
    if l2_regularizer < 0:
        raise invalid("l2_regularizer must be >= 0.")
    a, b = widened(matrix), widened(rhs)
    m, n = a.shape[-2:]
    if not fast:
        threshold = np.finfo(a.dtype).eps * max(m, n)
        return (np.linalg.pinv(a, rcond=threshold) @ b).astype(rhs.dtype)
    adjoint = np.conj(np.swapaxes(a, -1, -2))
    tall = m >= n
    gramian = adjoint @ a if tall else a @ adjoint
    gramian = gramian + a.dtype.type(l2_regularizer) * np.eye(min(m, n), dtype=a.dtype)
    try:
        factor = of_lapack(np.linalg.cholesky, gramian)
    except np.linalg.LinAlgError:
        raise invalid(
            "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide a larger "
            "l2_regularizer > 0."
        ) from None
    half = np.linalg.solve(factor, adjoint @ b if tall else b)
    solved = np.linalg.solve(np.conj(np.swapaxes(factor, -1, -2)), half)
    return (solved if tall else adjoint @ solved).astype(rhs.dtype)


@matrix_solve_ls.shape
def _(matrix: Sym, rhs: Sym, l2_regularizer: Sym, *, fast: bool) -> Shape:
    scalar(l2_regularizer)
    return solve_shape(at_least(matrix.shape, 2), at_least(rhs.shape, 2), False)


# -- tridiagonal matrices ------------------------------------------------------------------------------------------

Tridiagonal = typevar("T", kinds("double float complex64 complex128"))


@op("TridiagonalSolve", fresh=True)
def tridiagonal_solve(
    xp: Any,
    diagonals: Tridiagonal,
    rhs: Tridiagonal,
    *,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Tridiagonal:
    """X with A · X = rhs, where A has the superdiagonal, diagonal and subdiagonal `diagonals`: diagonals [..., 3, m],
    rhs [..., m, k] -> X [..., m, k]; NaN where A is singular.
    """
    check_matrices(diagonals, rhs)
    if diagonals.shape[-2] != 3:
        raise invalid(
            f"Expected diagonals to be provided as a matrix with 3 rows, got {diagonals.shape[-2]} rows."
        )
    m = diagonals.shape[-1]
    if m != rhs.shape[-2]:
        raise invalid(
            f"Expected the same number of left-hand sides and right-hand sides, got {m} and {rhs.shape[-2]}."
        )
    # The superdiagonal's last element and the subdiagonal's first one lie outside the matrix.
    upper, main, lower = (xp.array(diagonals[..., i, :]) for i in range(3))
    upper[..., m - 1 :] = 0
    second = np.zeros_like(upper)  # the second superdiagonal, which row exchanges fill
    out = np.array(rhs)
    with np.errstate(all="ignore"):
        for i in range(m - 1):
            swap = partial_pivoting & (np.abs(main[..., i]) < np.abs(lower[..., i + 1]))
            first = [main[..., i], upper[..., i], np.zeros_like(main[..., i])]
            below = [lower[..., i + 1], main[..., i + 1], upper[..., i + 1]]
            pivot = [np.where(swap, b, a) for a, b in zip(first, below)]
            other = [np.where(swap, a, b) for a, b in zip(first, below)]
            factor = other[0] / pivot[0]
            main[..., i], upper[..., i], second[..., i] = pivot
            main[..., i + 1] = other[1] - factor * pivot[1]
            upper[..., i + 1] = other[2] - factor * pivot[2]
            rows = np.where(swap[..., None], out[..., i + 1, :], out[..., i, :])
            rest = np.where(swap[..., None], out[..., i, :], out[..., i + 1, :])
            out[..., i, :] = rows
            out[..., i + 1, :] = rest - factor[..., None] * rows
        for i in range(m - 1, -1, -1):
            value = out[..., i, :]
            if i + 1 < m:
                value = value - upper[..., i, None] * out[..., i + 1, :]
            if i + 2 < m:
                value = value - second[..., i, None] * out[..., i + 2, :]
            out[..., i, :] = value / main[..., i, None]
    singular = (main == 0).any(axis=-1)[..., None, None]
    return np.where(singular, np.nan, out).astype(rhs.dtype)


@tridiagonal_solve.shape
def _(diagonals: Sym, rhs: Sym, *, partial_pivoting: bool, perturb_singular: bool) -> Shape:
    left, right = at_least(diagonals.shape, 2), at_least(rhs.shape, 2)
    if left is not None:
        with_value(left[-2], 3)
    if left is None or right is None:
        return right
    shapes.merge(left[:-2], right[:-2])
    same(left[-1], right[-2])
    return right


@tridiagonal_solve.grad
def _(op: Any, g: Any) -> Any:
    transposed = _transposed(op.inputs[0])
    d_right = tridiagonal_solve(transposed, g, partial_pivoting=op.attrs["partial_pivoting"])
    return -_three_diagonals(d_right, op.outputs[0]), d_right


def _transposed(diagonals: Any) -> Any:
    """The three diagonals [..., 3, n] of the transposed matrix."""
    main = diagonals[..., 1, :]
    if diagonals.shape.is_fully_defined():
        zeros = functions.zeros([*diagonals.raw_shape[:-2], 1], dtype=diagonals.dtype)
        above = functions.concat((diagonals[..., 2, 1:], zeros), axis=-1)
        below = functions.concat((zeros, diagonals[..., 0, :-1]), axis=-1)
    else:
        outer = functions.zeros((functions.rank(diagonals) - 2, 2), dtype=dtypes.int32)
        above = nodes.Pad(diagonals[..., 2, 1:], functions.concat((outer, constant([[0, 1]])), axis=0))
        below = nodes.Pad(diagonals[..., 0, :-1], functions.concat((outer, constant([[1, 0]])), axis=0))
    return functions.stack([above, main, below], axis=-2)


def _three_diagonals(x: Any, y: Any) -> Any:
    """The three diagonals [..., 3, m] of x · yᵀ; x, y [..., m, n]."""
    main = nodes.Sum(x * y, -1)
    if y.shape.is_fully_defined():
        zeros = functions.zeros([*x.raw_shape[:-2], 1, x.raw_shape[-1]], dtype=x.dtype)
        above = nodes.Sum(x * functions.concat((y[..., 1:, :], zeros), axis=-2), -1)
        below = nodes.Sum(x * functions.concat((zeros, y[..., :-1, :]), axis=-2), -1)
    else:
        above = nodes.Sum(x * _shifted_up(y), -1)
        below = nodes.Sum(x * _shifted_down(y), -1)
    return functions.stack([above, main, below], axis=-2)


@op("TridiagonalMatMul", fresh=True)
def tridiagonal_mat_mul(
    xp: Any, superdiag: Tridiagonal, maindiag: Tridiagonal, subdiag: Tridiagonal, rhs: Tridiagonal
) -> Tridiagonal:
    """A · rhs, where A has the given diagonals: superdiag, maindiag and subdiag [..., 1, m], rhs [..., m, n] -> [...,
    m, n].
    """
    check_matrices(superdiag, maindiag, subdiag, rhs)
    m = rhs.shape[-2]
    for word, diagonal in (("superdiagonal", superdiag), ("main diagonal", maindiag), ("subdiagonal", subdiag)):
        if diagonal.shape[-2:] != (1, m):
            raise invalid(f"Invalid {word} shape.")
    out = np.swapaxes(maindiag, -1, -2) * rhs
    out[..., :-1, :] += np.swapaxes(superdiag, -1, -2)[..., :-1, :] * rhs[..., 1:, :]
    out[..., 1:, :] += np.swapaxes(subdiag, -1, -2)[..., 1:, :] * rhs[..., :-1, :]
    return out


@tridiagonal_mat_mul.shape
def _(superdiag: Sym, maindiag: Sym, subdiag: Sym, rhs: Sym) -> Shape:
    right = at_least(rhs.shape, 2)
    known = shapes.merge(at_least(superdiag.shape, 2), at_least(maindiag.shape, 2))
    below = at_least(subdiag.shape, 2)
    if known is not None and below is not None:
        shapes.merge(below[:-2], known[:-2])
    known = shapes.merge(below, known)
    if known is not None:
        with_value(known[-2], 1)
        if right is not None:
            shapes.merge(known[:-2], right[:-2])
            same(known[-1], right[-2])
    return right


@tridiagonal_mat_mul.grad
def _(op: Any, g: Any) -> Any:
    above, main, below = (matrix_transpose(x, conjugate=True) for x in op.inputs[:3])
    right = functions.conj(op.inputs[3])
    d_above = nodes.Sum(_shifted_up(right) * g, -1)
    d_main = nodes.Sum(right * g, -1)
    d_below = nodes.Sum(_shifted_down(right) * g, -1)
    d_right = _shifted_down(above * g) + main * g + _shifted_up(below * g)
    return *(nodes.ExpandDims(d, -2) for d in (d_above, d_main, d_below)), d_right


def _shifted_up(x: Any) -> Any:
    """x [..., m, n] with its rows moved up by one; the last row is 0."""
    outer = functions.zeros((functions.rank(x) - 2, 2), dtype=dtypes.int32)
    around = functions.concat([outer, constant([[0, 1], [0, 0]])], axis=0)
    return nodes.Pad(x[..., 1:, :], around)


def _shifted_down(x: Any) -> Any:
    """x [..., m, n] with its rows moved down by one; the first row is 0."""
    outer = functions.zeros((functions.rank(x) - 2, 2), dtype=dtypes.int32)
    around = functions.concat([outer, constant([[1, 0], [0, 0]])], axis=0)
    return nodes.Pad(x[..., :-1, :], around)
