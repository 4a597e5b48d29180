"""Gradients of inverses, determinants, factors and solutions. Source of the formulas: Giles, 2008 (NA-08/01)."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...lib.arrays import array, slicing
from ...lib.control.cond import cond
from ...lib.framework.scope_blocks import waiting_for
from ...lib.linalg import linalg
from ...lib.linalg.solve import regularized_factor
from ...lib.math import math, products, reductions
from ...op.constant import constant
from ...ops import linalg as ops
from ...ops import solve as solve_ops

matmul, adjoint, band = products.matmul, linalg.adjoint, linalg.matrix_band_part

# -- inverses and determinants ---------------------------------------------------------------------------------------------


@ops.matrix_inverse.grad
def _(op: Any, g: Any) -> Any:
    y = op.outputs[0]
    if op.attrs["adjoint"]:  # 1.15 forgets it, and with it the second order of determinants
        return -matmul(y, matmul(g, y, adjoint_a=True))
    return -matmul(y, matmul(g, y, adjoint_b=True), adjoint_a=True)


def _times_inverse(x: Any, factor: Any, like: Any) -> Any:
    """A number for each matrix, times the matrix's inverse adjoint."""
    inverse = linalg.matrix_inverse(x, adjoint=True)
    return array.reshape(factor(), array.concat([array.shape(like), [1, 1]], 0)) * inverse


@ops.matrix_determinant.grad
def _(op: Any, g: Any) -> Any:
    y = op.outputs[0]
    return _times_inverse(op.inputs[0], lambda: g * y, y)


@ops.log_matrix_determinant.grad
def _(op: Any, _: Any, g: Any) -> Any:
    return _times_inverse(op.inputs[0], lambda: g, op.outputs[1])


# -- factors ---------------------------------------------------------------------------------------------------------------


@ops.cholesky.grad
def _(op: Any, g: Any) -> Any:
    # With P = the lower triangle, half the diagonal: dA = L⁻ᴴ · P(Lᴴ · dL) · L⁻¹, made symmetric.
    factor = op.outputs[0]
    side, batch = array.shape(factor)[-1], array.shape(factor)[:-2]
    identity = linalg.eye(side, batch_shape=batch, dtype=factor.dtype)
    inverse = linalg.matrix_triangular_solve(factor, identity)
    middle = matmul(factor, g, adjoint_a=True)
    middle = linalg.matrix_set_diag(middle, 0.5 * linalg.matrix_diag_part(middle))
    middle = band(middle, -1, 0)
    dx = matmul(matmul(inverse, middle, adjoint_a=True), inverse)
    dx = dx + adjoint(dx)
    return dx * 0.5


@ops.qr.grad
def _(op: Any, dq: Any, dr: Any) -> Any:
    q, r = op.outputs
    if q.dtype.is_complex:
        raise NotImplementedError(f"QrGrad not implemented for dtype: {q.dtype!r}")
    shape = r.raw_shape
    if shape is None or None in shape[-2:]:
        raise NotImplementedError("QrGrad not implemented with dynamic shapes.")
    if shape[-2] != shape[-1]:
        raise NotImplementedError(
            "QrGrad not implemented when ncols > nrows or full_matrices is true and ncols != nrows."
        )
    left = matmul(q, dq, adjoint_a=True)
    turned = left - adjoint(left)
    right = matmul(r, dr, adjoint_b=True)
    lower = band(turned + (right - adjoint(right)), -1, 0)

    def divided(x: Any) -> Any:
        """x · R⁻ᴴ."""
        return adjoint(linalg.matrix_triangular_solve(r, adjoint(x), lower=False, adjoint=False))

    first = matmul(q, dr + divided(lower))
    return first + divided(dq - matmul(q, left))


def _gaps(values: Any, zeros: Any) -> Any:
    """1 / (value j - value i) off the diagonal, zeros on it; infinite where two values are equal."""
    sizes = array.shape(values)
    # The identity keeps the diagonal finite, which the second order needs.
    identity = linalg.eye(sizes[-1], batch_shape=sizes[:-1], dtype=values.dtype)
    gaps = array.expand_dims(values, -2) - array.expand_dims(values, -1)
    return linalg.matrix_set_diag(math.reciprocal(gaps + identity), zeros)


@ops.self_adjoint_eig_v2.grad
def _(op: Any, de: Any, dv: Any) -> Any:
    e = op.outputs[0]
    with waiting_for([de, dv]):
        if op.attrs["compute_v"]:
            v = op.outputs[1]
            inner = linalg.matrix_diag(de) + _gaps(e, array.zeros_like(e)) * matmul(v, dv, adjoint_a=True)
        else:
            _, v = linalg.self_adjoint_eig(op.inputs[0])
            inner = linalg.matrix_diag(de)
        dx = matmul(v, matmul(inner, v, adjoint_b=True))
        # Only the lower triangle is read: what belongs to the upper one counts there.
        dx = band(dx + adjoint(dx), -1, 0)
        return linalg.matrix_set_diag(dx, 0.5 * linalg.matrix_diag_part(dx))


@ops.svd.grad
def _(op: Any, ds: Any, du: Any, dv: Any) -> Any:
    x = op.inputs[0]
    x.shape.with_rank_at_least(2)
    ds_matrix = linalg.matrix_diag(ds)
    if not op.attrs["compute_uv"]:
        _, u, v = linalg.svd(x, compute_uv=True)
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
    turned = rows > columns
    if turned:  # the wide matrix Aᴴ = V · S · Uᴴ instead
        rows, columns, u, v, du, dv = columns, rows, v, u, dv, du
    with waiting_for([ds, du, dv]):
        if full and abs(rows - columns) > 1:
            raise NotImplementedError(
                "svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True"
            )
        dx = _of_wide_svd(s, u, v, (ds_matrix, du, dv), rows, columns, full)
        if turned:
            dx = array.matrix_transpose(dx)
        dx.set_shape(x.raw_shape)
        return dx


def _of_wide_svd(s: Any, u: Any, v: Any, given: tuple[Any, Any, Any], rows: int, columns: int, full: bool) -> Any:
    ds_matrix, du, dv = given
    s_matrix = linalg.matrix_diag(s)
    squares = math.square(s)
    gaps = _gaps(squares, array.zeros_like(s))
    inverse = linalg.matrix_diag(math.reciprocal(s))
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
    turned = array.matrix_transpose(dv1)
    rest = turned - matmul(matmul(turned, v1), v1, adjoint_b=True)
    if full:
        v2, dv2 = v[..., :, rows:columns], dv[..., :, rows:columns]
        rest = rest - matmul(matmul(v1, dv2, adjoint_a=True), v2, adjoint_b=True)
    return dx + matmul(matmul(u, inverse), rest)


@solve_ops.matrix_square_root.grad
def _(op: Any, g: Any) -> Any:
    # A = R · R, so dA = R · dR + dR · R: a system of linear equations for dR's elements.
    root = op.outputs[0]
    shape = array.shape(root)
    side = shape[-1]
    count = reductions.reduce_prod(shape[0:-2])
    identity = array.reshape(linalg.eye(side, dtype=root.dtype), [-1])
    identities = array.reshape(array.tile(identity, [count]), shape)
    turned = array.matrix_transpose(root)
    system = math.add(_kronecker(identities, turned), _kronecker(root, identities))
    batch = slicing.slice(shape, [0], [math.subtract(array.size(shape), 2)])
    column = array.concat([batch, [side * side], [1]], 0)
    rows = array.reshape(array.matrix_transpose(g), column)
    solution = linalg.matrix_solve(system, rows)
    return array.matrix_transpose(array.reshape(solution, shape))


def _kronecker(x: Any, y: Any) -> Any:
    """The product of every element of x with all of y, as one matrix."""
    sx, sy = array.shape(x), array.shape(y)
    nx, ny = sx[-1], sy[-1]
    batch = slicing.slice(sx, [0], [math.subtract(array.size(sx), 2)])
    at_x = array.concat([batch, [nx], [1], [nx], [1]], 0)
    at_y = array.concat([batch, [1], [ny], [1], [ny]], 0)
    x, y = array.reshape(x, at_x), array.reshape(y, at_y)
    side = nx * ny
    return array.reshape(x * y, array.concat([batch, [side], [side]], 0))


# -- solutions -------------------------------------------------------------------------------------------------------------


def _of_solution(op: Any, db: Any) -> Any:
    x = op.outputs[0]
    if op.attrs["adjoint"]:
        return -matmul(x, db, adjoint_b=True)
    return -matmul(db, x, adjoint_b=True)


@ops.matrix_solve.grad
def _(op: Any, g: Any) -> Any:
    db = linalg.matrix_solve(op.inputs[0], g, adjoint=not op.attrs["adjoint"])
    return _of_solution(op, db), db


@ops.matrix_triangular_solve.grad
def _(op: Any, g: Any) -> Any:
    lower = op.attrs["lower"]
    db = linalg.matrix_triangular_solve(op.inputs[0], g, lower=lower, adjoint=not op.attrs["adjoint"])
    da = _of_solution(op, db)
    return (band(da, -1, 0) if lower else band(da, 0, -1)), db


@solve_ops.matrix_solve_ls.grad
def _(op: Any, g: Any) -> Any:
    if not op.attrs["fast"]:
        raise ValueError("Gradient not defined for fast=False")
    a = op.inputs[0]
    shape = a.raw_shape
    if shape is not None and None not in shape[-2:]:
        return (_of_tall if shape[-2] >= shape[-1] else _of_wide)(op, g)
    sides = array.shape(a)[-2:]
    return [*cond(sides[-2] >= sides[-1], lambda: _of_tall(op, g)[:2], lambda: _of_wide(op, g)[:2]), None]


def _of_tall(op: Any, g: Any) -> Any:
    """X = (Aᴴ·A + λ)⁻¹ · Aᴴ · B."""
    a, b, weight = op.inputs
    x = op.outputs[0]
    factor = regularized_factor(a, math.cast(weight, a.dtype.base_dtype), True, True)
    z = linalg.cholesky_solve(factor, g)
    product = matmul(x, z, adjoint_b=True)
    both = product + array.matrix_transpose(product)
    return -matmul(a, both) + matmul(b, z, adjoint_b=True), matmul(a, z), None


def _of_wide(op: Any, g: Any) -> Any:
    """X = Aᴴ · (A·Aᴴ + λ)⁻¹ · B."""
    a, b, weight = op.inputs
    factor = regularized_factor(a, math.cast(weight, a.dtype.base_dtype), True, False)
    db = linalg.cholesky_solve(factor, matmul(a, g))
    z = linalg.cholesky_solve(factor, b)
    first = -matmul(db, matmul(z, a, adjoint_a=True))
    second = matmul(z, g - matmul(a, db, adjoint_a=True), adjoint_b=True)
    return first + second, db, None


# -- tridiagonal matrices ----------------------------------------------------------------------------------------------------


def _up(x: Any) -> Any:
    """The rows one place up; the last one is 0."""
    outer = array.zeros((array.rank(x) - 2, 2), dtype=dtypes.int32)
    around = array.concat([outer, constant([[0, 1], [0, 0]])], axis=0)
    return array.pad(x[..., 1:, :], around)


def _down(x: Any) -> Any:
    """The rows one place down; the first one is 0."""
    outer = array.zeros((array.rank(x) - 2, 2), dtype=dtypes.int32)
    around = array.concat([outer, constant([[1, 0], [0, 0]])], axis=0)
    return array.pad(x[..., :-1, :], around)


@solve_ops.tridiagonal_mat_mul.grad
def _(op: Any, g: Any) -> Any:
    above, main, below = (array.matrix_transpose(x, conjugate=True) for x in op.inputs[:3])
    right = math.conj(op.inputs[3])
    d_above = reductions.reduce_sum(_up(right) * g, axis=-1)
    d_main = reductions.reduce_sum(right * g, axis=-1)
    d_below = reductions.reduce_sum(_down(right) * g, axis=-1)
    d_right = _down(above * g) + main * g + _up(below * g)
    return *(array.expand_dims(d, -2) for d in (d_above, d_main, d_below)), d_right


@solve_ops.tridiagonal_solve.grad
def _(op: Any, g: Any) -> Any:
    pivoting = op.attrs["partial_pivoting"]
    options = {"partial_pivoting": pivoting}
    d_right = solve_ops.tridiagonal_solve(_transposed(op.inputs[0]), g, **options)
    return -_three_diagonals(d_right, op.outputs[0]), d_right


def _transposed(diagonals: Any) -> Any:
    """The three diagonals [..., 3, n] of the transposed matrix."""
    main = diagonals[..., 1, :]
    if diagonals.shape.is_fully_defined():
        zeros = array.zeros([*diagonals.raw_shape[:-2], 1], dtype=diagonals.dtype)
        above = array.concat((diagonals[..., 2, 1:], zeros), axis=-1)
        below = array.concat((zeros, diagonals[..., 0, :-1]), axis=-1)
    else:
        outer = array.zeros((array.rank(diagonals) - 2, 2), dtype=dtypes.int32)
        above = array.pad(diagonals[..., 2, 1:], array.concat((outer, constant([[0, 1]])), axis=0))
        below = array.pad(diagonals[..., 0, :-1], array.concat((outer, constant([[1, 0]])), axis=0))
    return array.stack([above, main, below], axis=-2)


def _three_diagonals(x: Any, y: Any) -> Any:
    """The three diagonals [..., 3, n] of x · yᵀ, without the rest of the product."""
    main = reductions.reduce_sum(x * y, axis=-1)
    if y.shape.is_fully_defined():
        zeros = array.zeros([*x.raw_shape[:-2], 1, x.raw_shape[-1]], dtype=x.dtype)
        above = reductions.reduce_sum(x * array.concat((y[..., 1:, :], zeros), axis=-2), axis=-1)
        below = reductions.reduce_sum(x * array.concat((zeros, y[..., :-1, :]), axis=-2), axis=-1)
    else:
        above = reductions.reduce_sum(x * _up(y), axis=-1)
        below = reductions.reduce_sum(x * _down(y), axis=-1)
    return array.stack([above, main, below], axis=-2)
