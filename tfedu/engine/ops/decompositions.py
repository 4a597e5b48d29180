"""Decompositions of matrices: Cholesky, QR, eigenvalues and singular values. No state.

Source of most gradients: Giles, 2008 (NA-08/01).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.shapes import Shape
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import Sym, op
from ..op.matrix_functions import adjoint, eye, matmul, matrix_transpose
from ..op.name_scopes import waiting_for
from ..op.shape_checks import at_least, invalid
from .linalg import (
    Field,
    check_matrices,
    check_square,
    matrix_band_part,
    matrix_diag,
    matrix_diag_part,
    matrix_set_diag,
    matrix_triangular_solve,
    of_lapack,
    square_shape,
    widened,
)


@op("Cholesky", shape=square_shape, fresh=True, multiplies=True)
def cholesky(xp: Any, input: Field) -> Field:
    """The lower triangular L with L · Lᴴ = input: input [..., n, n] -> [..., n, n].

    Raises: InvalidArgumentError when a matrix is not positive definite.
    """
    check_square(input)
    try:
        return of_lapack(xp.linalg.cholesky, widened(input)).astype(input.dtype, copy=False)
    except np.linalg.LinAlgError:
        raise invalid("Cholesky decomposition was not successful. The input might not be valid.") from None


@cholesky.grad
def _(op: Any, g: Any) -> Any:
    """dA = L⁻ᴴ · P(Lᴴ · dL) · L⁻¹, made symmetric; P keeps the lower triangle and half the diagonal.

    Source: Murray, 2016, "Differentiation of the Cholesky decomposition".
    """
    factor = op.outputs[0]
    side, batch = functions.shape(factor)[-1], functions.shape(factor)[:-2]
    identity = eye(side, batch_shape=batch, dtype=factor.dtype)
    inverse = matrix_triangular_solve(factor, identity)
    middle = matmul(factor, g, adjoint_a=True)
    middle = _with_half_diagonal(middle)
    middle = matrix_band_part(middle, -1, 0)
    dx = matmul(matmul(inverse, middle, adjoint_a=True), inverse)
    dx = dx + adjoint(dx)
    return dx * 0.5


def _with_half_diagonal(x: Any) -> Any:
    diagonal = 0.5 * matrix_diag_part(x, name="diag_part")
    return matrix_set_diag(x, diagonal, name="set_diag")


@op("Qr", out="q r", fresh=True, multiplies=True)
def qr(xp: Any, input: Field, *, full_matrices: bool = False) -> tuple[Field, Field]:
    """Orthonormal q and upper triangular r with q · r = input: input [..., m, n] -> q [..., m, p], r [..., p, n], p =
    min(m, n), or m for full_matrices.
    """
    check_matrices(input)
    q, r = xp.linalg.qr(widened(input), mode="complete" if full_matrices else "reduced")
    return q.astype(input.dtype, copy=False), r.astype(input.dtype, copy=False)


@qr.shape
def _(input: Sym, *, full_matrices: bool) -> list[Shape]:
    shape = at_least(input.shape, 2)
    if shape is None:
        return [None, None]
    *batch, m, n = shape
    p = None if m is None or n is None else min(m, n)
    return [(*batch, m, m), (*batch, m, n)] if full_matrices else [(*batch, m, p), (*batch, p, n)]


@qr.grad
def _(op: Any, dq: Any, dr: Any) -> Any:
    q, r = op.outputs
    if q.dtype.is_complex:
        raise NotImplementedError(f"QrGrad not implemented for dtype: {q.dtype!r}")
    sizes = r.raw_shape
    if sizes is None or None in sizes[-2:]:
        raise NotImplementedError("QrGrad not implemented with dynamic shapes.")
    if sizes[-2] != sizes[-1]:
        raise NotImplementedError(
            "QrGrad not implemented when ncols > nrows or full_matrices is true and ncols != nrows."
        )
    of_q = matmul(q, dq, adjoint_a=True)
    skew_q = of_q - adjoint(of_q)
    of_r = matmul(r, dr, adjoint_b=True)
    lower = matrix_band_part(skew_q + (of_r - adjoint(of_r)), -1, 0)

    def divided(x: Any) -> Any:
        """x · R⁻ᴴ."""
        return adjoint(matrix_triangular_solve(r, adjoint(x), lower=False, adjoint=False))

    first = matmul(q, dr + divided(lower))
    return first + divided(dq - matmul(q, of_q))


@op("Svd", out="s u v", fresh=True, multiplies=True)
def svd(
    xp: Any, input: Field, *, compute_uv: bool = True, full_matrices: bool = False
) -> tuple[Field, Field, Field]:
    """Singular values s in falling order and vectors u, v with u · diag(s) · vᴴ = input: input [..., m, n] -> s [...,
    p], u [..., m, p], v [..., n, p], p = min(m, n); full_matrices: u [..., m, m], v [..., n, n]; without compute_uv u
    and v are [0].
    """
    check_matrices(input)
    # LAPACK refuses a batch with a matrix that is not finite: that matrix is replaced by 0, and its results by NaN.
    bad = ~np.isfinite(input).all(axis=(-2, -1))
    wide = np.where(bad[..., None, None], 0, widened(input)) if bad.any() else widened(input)
    if not compute_uv:
        s = xp.linalg.svd(wide, compute_uv=False).astype(input.dtype)
        s[bad] = np.nan
        return s, np.zeros(0, input.dtype), np.zeros(0, input.dtype)
    u, s, vh = xp.linalg.svd(wide, full_matrices=full_matrices)
    factors = tuple(x.astype(input.dtype) for x in (s, u, xp.conj(xp.swapaxes(vh, -1, -2))))
    for part in factors:
        part[bad] = np.nan
    return factors


@svd.shape
def _(input: Sym, *, compute_uv: bool, full_matrices: bool) -> list[Shape]:
    shape = at_least(input.shape, 2)
    if shape is None:
        return [None, None, None] if compute_uv else [None, (0,), (0,)]
    *batch, m, n = shape
    p = None if m is None or n is None else min(m, n)
    if not compute_uv:
        return [(*batch, p), (0,), (0,)]
    return [(*batch, p), (*batch, m, m if full_matrices else p), (*batch, n, n if full_matrices else p)]


@svd.grad
def _(op: Any, ds: Any, du: Any, dv: Any) -> Any:
    x = op.inputs[0]
    x.shape.with_rank_at_least(2)
    ds_matrix = matrix_diag(ds, name="diag")
    if not op.attrs["compute_uv"]:
        s, u, v = svd(x, compute_uv=True, full_matrices=False)
        functions.real(s)  # tf.svd adds this node too
        dx = matmul(u, matmul(ds_matrix, v, adjoint_b=True))
        dx.set_shape(x.raw_shape)
        return dx
    if x.dtype.is_complex:
        raise NotImplementedError("SVD gradient is not implemented for complex types and compute_uv=True.")
    rows, columns = (None, None) if x.raw_shape is None else x.raw_shape[-2:]
    if rows is None or columns is None:
        raise NotImplementedError("SVD gradient has not been implemented for input with unknown inner matrix shape.")
    full = op.attrs["full_matrices"]
    s, u, v = op.outputs
    is_tall = rows > columns
    if is_tall:  # the wide matrix Aᴴ = V · S · Uᴴ instead
        rows, columns, u, v, du, dv = columns, rows, v, u, dv, du
    with waiting_for([ds, du, dv]):
        if full and abs(rows - columns) > 1:
            raise NotImplementedError(
                "svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True"
            )
        dx = _of_wide_svd((s, u, v), (ds_matrix, du, dv), rows, columns, full)
        if is_tall:
            dx = matrix_transpose(dx)
        dx.set_shape(x.raw_shape)
        return dx


def _of_wide_svd(factors: Any, gradients: Any, rows: int, columns: int, full: bool) -> Any:
    """The gradient of a matrix U · S · Vᴴ with columns >= rows, from the gradients of (S as a matrix, U, V)."""
    s, u, v = factors
    ds_matrix, du, dv = gradients
    s_matrix = matrix_diag(s, name="diag")
    squares = nodes.Square(s)
    gaps = _inverse_gaps(squares, functions.zeros_like(s))
    inverse = matrix_diag(nodes.Reciprocal(s), name="diag")
    v1, dv1 = v[..., :, :rows], dv[..., :, :rows]
    from_u = gaps * matmul(u, du, adjoint_a=True)
    from_v = gaps * matmul(v1, dv1, adjoint_a=True)
    inner = (
        ds_matrix
        + matmul(from_u + adjoint(from_u), s_matrix)
        + matmul(s_matrix, from_v + adjoint(from_v))
    )
    dx = matmul(u, matmul(inner, v1, adjoint_b=True))
    if rows == columns:
        return dx
    dv1_transposed = matrix_transpose(dv1)
    rest = dv1_transposed - matmul(matmul(dv1_transposed, v1), v1, adjoint_b=True)
    if full:
        v2, dv2 = v[..., :, rows:columns], dv[..., :, rows:columns]
        rest = rest - matmul(matmul(v1, dv2, adjoint_a=True), v2, adjoint_b=True)
    return dx + matmul(matmul(u, inverse), rest)


@op("SelfAdjointEigV2", out="e v", fresh=True, multiplies=True)
def self_adjoint_eig_v2(xp: Any, input: Field, *, compute_v: bool = True) -> tuple[Field, Field]:
    """Eigenvalues in rising order and eigenvectors of matrices that equal their adjoints: input [..., n, n] -> e [...,
    n], v [..., n, n], or [0] without compute_v.

    Raises: InvalidArgumentError for NaN in a matrix.
    """
    check_square(input)
    if np.isnan(np.tril(input)).any():
        raise invalid("Self-adjoint eigen decomposition was not successful. The input might not be valid.")
    if not compute_v:
        return xp.linalg.eigvalsh(widened(input)).astype(input.dtype), np.zeros(0, input.dtype)
    e, v = xp.linalg.eigh(widened(input))
    return e.astype(input.dtype), v.astype(input.dtype)


@self_adjoint_eig_v2.shape
def _(input: Sym, *, compute_v: bool) -> list[Shape]:
    shape = square_shape(input)
    if shape is None:
        return [None, None]
    return [shape[:-1], shape if compute_v else (0,)]


@self_adjoint_eig_v2.grad
def _(op: Any, de: Any, dv: Any) -> Any:
    e = op.outputs[0]
    with waiting_for([de, dv]):
        if op.attrs["compute_v"]:
            v = op.outputs[1]
            diagonal = matrix_diag(de, name="diag")
            inner = diagonal + _inverse_gaps(e, functions.zeros_like(e)) * matmul(v, dv, adjoint_a=True)
        else:
            _, v = self_adjoint_eig_v2(op.inputs[0], compute_v=True)
            inner = matrix_diag(de, name="diag")
        dx = matmul(v, matmul(inner, v, adjoint_b=True))
        # The op reads only the lower triangle: the upper triangle's gradient is added to it.
        dx = matrix_band_part(dx + adjoint(dx), -1, 0)
        return _with_half_diagonal(dx)


def _inverse_gaps(values: Any, zeros: Any) -> Any:
    """1 / (value j - value i) off the diagonal, zeros on it; infinite where two values are equal."""
    sizes = functions.shape(values)
    # The identity keeps the diagonal finite, which gradients of the second order need.
    identity = eye(sizes[-1], batch_shape=sizes[:-1], dtype=values.dtype)
    gaps = nodes.ExpandDims(values, -2) - nodes.ExpandDims(values, -1)
    return matrix_set_diag(nodes.Reciprocal(gaps + identity), zeros, name="set_diag")
