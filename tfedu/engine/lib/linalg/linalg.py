"""`tf.matrix_inverse`, `tf.diag`, `tf.norm` and most of TensorFlow's linear algebra, as in TF 1.15.

Leading axes are batches: matrices are [..., m, n]. No state.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op import matrix_functions
from ...ops import decompositions as decompositions_ops
from ...ops import diagonals as band_ops
from ...ops import linalg as ops
from ...ops import math as math_ops
from ...ops import solve as solve_ops
from ..arrays import array, constructors
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from ..math import clip, math, products, reductions
from ..math.reductions import reduce_sum

diag, tensor_diag, cholesky = ops.diag, ops.diag, decompositions_ops.cholesky
matrix_band_part, matrix_determinant = ops.matrix_band_part, ops.matrix_determinant
matrix_inverse, matrix_solve = ops.matrix_inverse, ops.matrix_solve
matrix_triangular_solve, qr, slogdet = ops.matrix_triangular_solve, decompositions_ops.qr, ops.log_matrix_determinant
matrix_transpose, eye, tensordot = array.matrix_transpose, constructors.eye, products.tensordot
adjoint = matrix_functions.adjoint
triangular_solve = matrix_triangular_solve
sqrtm, logm, lu = solve_ops.matrix_square_root, solve_ops.matrix_logarithm, solve_ops.lu
matmul, matvec, cross = products.matmul, products.matvec, math.cross
l2_normalize, global_norm = clip.l2_normalize, clip.global_norm


def diag_part(input: Any, name: str | None = None) -> Tensor:
    """The diagonal of a tensor: [d..., d...] -> [d...]."""
    out: Tensor = ops.diag_part(input, name=name)
    return out


tensor_diag_part = diag_part


def _as_padding(padding_value: Any, tensor: Any) -> Any:
    """padding_value as the tensor's dtype accepts it: False instead of 0 for bool."""
    return bool(padding_value) if tensor.dtype.is_bool and isinstance(padding_value, int) else padding_value


@atomic
def matrix_diag(
    diagonal: Any, name: str = "diag", k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0
) -> Tensor:
    """Matrices with the given diagonals: [..., n] -> [..., n, n].

    k: another diagonal (above 0: superdiagonals), or the lowest and highest of a band. padding_value: the other
    elements.

    Differs from TF: 1.15 ignores all but the first two arguments, because older runtimes lack the op that they need.
    """
    if _is_int(k, 0) and _is_int(num_rows, -1) and _is_int(num_cols, -1) and _is_int(padding_value, 0):
        out: Tensor = ops.matrix_diag(diagonal, name=name)
        return out
    diagonal = convert_to_tensor(diagonal)
    return band_ops.matrix_diag_v2(  # type: ignore[no-any-return]
        diagonal, k, num_rows, num_cols, _as_padding(padding_value, diagonal), name=name
    )


@atomic
def matrix_diag_part(input: Any, name: str = "diag_part", k: Any = 0, padding_value: Any = 0) -> Tensor:
    """The diagonals of matrices: [..., m, n] -> [..., min(m, n)].

    k: another diagonal, or the lowest and highest of a band. Differs from TF: 1.15 ignores k.
    """
    if _is_int(k, 0):
        out: Tensor = ops.matrix_diag_part(input, name=name)
        return out
    input = convert_to_tensor(input)
    return band_ops.matrix_diag_part_v2(input, k, _as_padding(padding_value, input), name=name)  # type: ignore[no-any-return]


@atomic
def matrix_set_diag(input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0) -> Tensor:
    """The matrices [..., m, n] with their diagonals replaced by diagonal [..., min(m, n)].

    k: another diagonal, or the lowest and highest of a band. Differs from TF: 1.15 ignores k.
    """
    out: Tensor = (
        ops.matrix_set_diag(input, diagonal, name=name)
        if _is_int(k, 0)
        else band_ops.matrix_set_diag_v2(input, diagonal, k, name=name)
    )
    return out


def _is_int(value: Any, number: int) -> bool:
    return isinstance(value, int) and value == number


@atomic
def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """X [..., m, k] with A · X = rhs [..., m, k], where chol [..., m, m] is the lower Cholesky factor of A."""
    with named(name, "cholesky_solve", [chol, rhs]):
        half = matrix_triangular_solve(chol, rhs, adjoint=False, lower=True)
        return matrix_triangular_solve(chol, half, adjoint=True, lower=True)


def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """Singular values s [..., p], u [..., m, p], v [..., n, p] of [..., m, n] with u · diag(s) · vᴴ = tensor; p =
    min(m, n).

    full_matrices: u is [..., m, m] and v [..., n, n]. compute_uv: False returns s alone.
    """
    s, u, v = decompositions_ops.svd(tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    return (math.real(s), u, v) if compute_uv else math.real(s)


def self_adjoint_eig(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """(eigenvalues [..., m] in ascending order, eigenvectors [..., m, m] as columns) of self-adjoint matrices
    [..., m, m].
    """
    eigenvalues, eigenvectors = decompositions_ops.self_adjoint_eig_v2(tensor, compute_v=True, name=name)
    return eigenvalues, eigenvectors


def self_adjoint_eigvals(tensor: Any, name: str | None = None) -> Tensor:
    """The eigenvalues [..., m] in ascending order of self-adjoint matrices [..., m, m]."""
    e, _ = decompositions_ops.self_adjoint_eig_v2(tensor, compute_v=False, name=name)
    out: Tensor = e
    return out


@atomic
def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithms of the determinants of positive definite matrices: [..., m, m] -> [...]."""
    with named(name, "logdet", [matrix]):
        factor = cholesky(matrix)
        total: Any = reductions.reduce_sum(math.log(math.real(matrix_diag_part(factor))), axis=[-1])
        return 2.0 * total  # type: ignore[no-any-return]


@atomic
def norm(
    tensor: Any,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: Any = None,
    name: str | None = None,
    keep_dims: Any = None,
) -> Tensor:
    """The norms of vectors [..., n] along an axis, or of matrices over two axes; without axis, of the flattened
    tensor.

    ord: "euclidean", "fro" (matrices), 1, 2, any positive number (vectors), inf.

    Raises: ValueError for an unsupported ord or axis.
    """
    keep = bool(renamed("keepdims", keepdims, "keep_dims", keep_dims))
    axes, is_matrix = _norm_axes(axis)
    if is_matrix and ord not in _MATRIX_NORMS:
        raise ValueError(error_text(f"'ord' must be a supported matrix norm in {_MATRIX_NORMS}, got {ord}"))
    if not is_matrix and ord not in ("euclidean", 1, 2, np.inf) and not (np.isreal(ord) and ord > 0):
        raise ValueError(error_text(f"'ord' must be a supported vector norm, got {ord}"))
    with named(name, "norm", [tensor]):
        x = convert_to_tensor(tensor)
        if is_matrix and ord == 2:
            result = _spectral_norm(x, axes)
        elif ord in ("fro", "euclidean", 2):
            squares = reductions.reduce_sum(math_ops.mul(x, math.conj(x), name="mul"), axes, keepdims=True)
            result = math.sqrt(squares)
        else:
            result = math.abs(x)
            first_axis = None if axes is None else axes[0]
            if ord == 1:
                result = reductions.reduce_sum(result, first_axis, keepdims=True)
                if is_matrix:
                    result = reductions.reduce_max(result, axes[-1], keepdims=True)
            elif ord == np.inf:
                if is_matrix:
                    result = reductions.reduce_sum(result, axes[1], keepdims=True)
                result = reductions.reduce_max(result, first_axis, keepdims=True)
            else:
                powers = reductions.reduce_sum(math.pow(result, ord), axes, keepdims=True)
                result = math.pow(powers, 1.0 / ord)
        if not keep:
            result = array.squeeze(result, axes)
        return result


_MATRIX_NORMS = ["euclidean", "fro", 1, 2, np.inf]


def _norm_axes(axis: Any) -> tuple[Any, bool]:
    """(the axes, whether they are a pair of matrix axes)."""
    if isinstance(axis, tuple | list) and len(axis) == 2:
        first, second = axis
        if isinstance(first, int) and isinstance(second, int) and first != second:
            return tuple(axis), True
    elif axis is None or isinstance(axis, int):
        return None if axis is None else (axis,), False
    raise ValueError(
        error_text(f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}")
    )


def _spectral_norm(x: Tensor, axes: Any) -> Tensor:
    """The largest singular value of each matrix.

    Differs from TF: the rank must be known; TF finds the axes by loops in the graph.
    """
    if x.raw_shape is None:
        raise ValueError(error_text("the spectral norm of matrices needs a tensor of known rank", [x]))
    rank = len(x.raw_shape)
    matrix_axes = [a % rank for a in axes]
    order = [i for i in builtins.range(rank) if i not in matrix_axes] + matrix_axes
    values = decompositions_ops.svd(array.transpose(x, order), compute_uv=False).s
    largest = array.expand_dims(reductions.reduce_max(math.abs(values), axis=-1, keepdims=True), axis=-1)
    return array.transpose(largest, [order.index(i) for i in builtins.range(rank)])


@atomic
def normalize(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """(tensor [...] divided by its norms, the norms), with the norms that `norm` computes along an axis, which it
    keeps.

    Raises: ValueError for an unsupported ord or axis.
    """
    with named(name, "normalize", [tensor]):
        x: Any = convert_to_tensor(tensor)
        size = math.cast(norm(x, ord, axis, keepdims=True), x.dtype)
        return x / size, size


@atomic
def trace(x: Any, name: str | None = None) -> Tensor:
    """The sums of the diagonals of matrices: [..., m, n] -> [...]."""
    with named(name, "Trace", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return reduce_sum(ops.matrix_diag_part(x, name="diag_part"), [-1], name=scope)
