"""`tf.matrix_inverse`, `tf.diag`, `tf.norm`, `tf.einsum` and the rest of TensorFlow's linear algebra, as in TF 1.15.

Batches come first: matrices are [..., m, n]. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor
from ..graph.nodes import Tensor
from ..ops import linalg as ops
from ..ops import math as math_ops
from . import array, clip, math, products
from .math import _lookup
from .scope import named

diag, tensor_diag, cholesky = ops.diag, ops.diag, ops.cholesky
matrix_band_part, matrix_determinant = ops.matrix_band_part, ops.matrix_determinant
matrix_diag, matrix_diag_part, matrix_set_diag = ops.matrix_diag, ops.matrix_diag_part, ops.matrix_set_diag
matrix_inverse, matrix_solve = ops.matrix_inverse, ops.matrix_solve
matrix_triangular_solve, qr, slogdet = ops.matrix_triangular_solve, ops.qr, ops.log_matrix_determinant
matrix_transpose, eye, trace, tensordot = array.matrix_transpose, array.eye, math.trace, products.tensordot
matmul, matvec, cross = products.matmul, products.matvec, math.cross
l2_normalize, global_norm = clip.l2_normalize, clip.global_norm


def diag_part(input: Any, name: str | None = None) -> Tensor:
    """The diagonal [d…] of a tensor [d…, d…]."""
    out: Tensor = ops.diag_part(input, name=name)
    return out


tensor_diag_part = diag_part


@atomic
def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """X with A · X = rhs, where chol is the Cholesky factor of A."""
    with named(name, "cholesky_solve", [chol, rhs]):
        half = matrix_triangular_solve(chol, rhs, adjoint=False, lower=True)
        return matrix_triangular_solve(chol, half, adjoint=True, lower=True)


def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """(s, u, v) with u · diag(s) · vᴴ = tensor; s alone without compute_uv."""
    s, u, v = ops.svd(tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    return (convert_to_tensor(s), convert_to_tensor(u), convert_to_tensor(v)) if compute_uv else s


def self_adjoint_eig(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """(eigenvalues in rising order, eigenvectors) of matrices that equal their adjoints."""
    e, v = ops.self_adjoint_eig_v2(tensor, compute_v=True, name=name)
    return e, v


def self_adjoint_eigvals(tensor: Any, name: str | None = None) -> Tensor:
    """The eigenvalues, in rising order, of matrices that equal their adjoints."""
    e, _ = ops.self_adjoint_eig_v2(tensor, compute_v=False, name=name)
    out: Tensor = e
    return out


@atomic
def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """The last two axes exchanged, and every element conjugated."""
    with named(name, "adjoint", [matrix]):
        return array.matrix_transpose(convert_to_tensor(matrix, name="matrix"), conjugate=True)


@atomic
def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithm of the determinants of positive definite matrices."""
    with named(name, "logdet", [matrix]):
        factor = cholesky(matrix)
        return math_ops.mul(
            2.0, math.reduce_sum(math.log(math.real(matrix_diag_part(factor))), axis=[-1]), name="mul"
        )


@atomic
def norm(
    tensor: Any,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: Any = None,
    name: str | None = None,
    keep_dims: Any = None,
) -> Tensor:
    """The norm of vectors (or, with two axes, of matrices); ord: "euclidean", "fro", 1, 2, a number, inf.

    Raises: ValueError for an ord or an axis that there is not.
    """
    keep = bool(_lookup("keepdims", keepdims, "keep_dims", keep_dims))
    is_matrix = isinstance(axis, list | tuple) and len(axis) == 2
    if isinstance(axis, list | tuple) and not is_matrix and len(axis) != 1:
        raise ValueError("'axis' must be None, an integer, or a tuple of 2 unique integers")
    if is_matrix and axis[0] == axis[1]:
        raise ValueError("'axis' must be None, an integer, or a tuple of 2 unique integers")
    allowed = ("euclidean", "fro", 1, 2, np.inf) if is_matrix else None
    if allowed is not None and ord not in allowed:
        raise ValueError(f"'ord' must be a supported matrix norm in {list(allowed)}, got {ord}")
    if allowed is None and ord != "euclidean" and (isinstance(ord, str) or ord <= 0):
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
    with named(name, "norm", [tensor]):
        x = convert_to_tensor(tensor)
        if ord in ("fro", "euclidean", 2) and not (is_matrix and ord == 2):
            if (is_matrix and ord == "euclidean") or ord in ("fro", "euclidean", 2):
                squares = math.reduce_sum(math_ops.mul(x, math.conj(x), name="mul"), axis, keepdims=True)
                result: Tensor = math.sqrt(squares)
        elif is_matrix and ord == 2:
            raise NotImplementedError("tfedu's norm has no spectral norm of matrices")
        else:
            result = math.abs(x)
            if ord == 1:
                along = None if axis is None else axis[0] if is_matrix else axis
                result = math.reduce_sum(result, along, keepdims=True)
                if is_matrix:
                    result = math.reduce_max(result, axis[-1], keepdims=True)
            elif ord == np.inf:
                if is_matrix:
                    result = math.reduce_sum(result, axis[1], keepdims=True)
                along = None if axis is None else axis[0] if is_matrix else axis
                result = math.reduce_max(result, along, keepdims=True)
            else:
                powers = math.reduce_sum(math.pow(result, ord), axis, keepdims=True)
                result = math.pow(powers, 1.0 / ord)
        if not keep:
            result = array.squeeze(result, axis)
        return result


@atomic
def einsum(equation: str, *inputs: Any, name: str | None = None) -> Tensor:
    """Sums of products over letters: `einsum("ij,jk->ik", a, b)` is a matrix product.

    Raises: ValueError for an equation that does not fit the inputs.
    """
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if "..." in text or any(not term.isalpha() and term for term in terms):
        raise ValueError(f"Indices have incorrect format: {equation}")
    if len(terms) != len(inputs):
        raise ValueError(f'Got {len(inputs)} arguments for equation "{equation}", expecting {len(terms)}')
    if not arrow:
        letters = "".join(terms)
        right = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    for letter in right:
        if letter not in left:
            raise ValueError(f"Unknown output axis: {letter}")
    with named(name, "einsum", list(inputs)):
        tensors = [convert_to_tensor(x, name=f"input_{i}") for i, x in enumerate(inputs)]
        for term, tensor in zip(terms, tensors):
            if tensor.raw_shape is None or len(tensor.raw_shape) != len(term):
                raise ValueError(f"Subscript {term} does not fit the shape {tensor.shape}")
            if len(set(term)) != len(term):
                raise ValueError(f"Subscript not supported: an axis appears more than once: {term}")
        total, axes = _only(tensors[0], terms[0], "".join(terms[1:]) + right)
        for i in range(1, len(terms)):
            wanted = "".join(terms[i + 1 :]) + right
            other, letters = _only(tensors[i], terms[i], axes + wanted)
            total, axes = _contracted(total, axes, other, letters, wanted)
        if axes != right:
            total = array.transpose(total, [axes.index(c) for c in right])
        return total


def _only(tensor: Tensor, letters: str, needed: str) -> tuple[Tensor, str]:
    """Sums away the axes whose letters are not needed any more."""
    gone = [i for i, c in enumerate(letters) if c not in needed]
    if gone:
        tensor = math.reduce_sum(tensor, axis=gone)
    return tensor, "".join(c for c in letters if c in needed)


def _contracted(a: Tensor, a_letters: str, b: Tensor, b_letters: str, wanted: str) -> tuple[Tensor, str]:
    """One product of two tensors as a batch of matrix products: batch, free of a, free of b; the rest is summed."""
    both = [c for c in a_letters if c in b_letters]
    batch = [c for c in both if c in wanted]
    summed = [c for c in both if c not in wanted]
    a_free = [c for c in a_letters if c not in both]
    b_free = [c for c in b_letters if c not in both]

    def arranged(tensor: Tensor, letters: str, order: list[str]) -> tuple[Tensor, dict[str, Any]]:
        perm = [letters.index(c) for c in order]
        turned = tensor if perm == list(range(len(perm))) else array.transpose(tensor, perm)
        raw = turned.raw_shape or ()
        known = None not in raw
        sizes = None if known else array.shape(turned)
        length = {c: raw[i] if raw[i] is not None else array.getitem(sizes, i) for i, c in enumerate(order)}
        return turned, length

    left, a_size = arranged(a, a_letters, batch + a_free + summed)
    right, b_size = arranged(b, b_letters, batch + summed + b_free)

    def product(sizes: list[Any]) -> Any:
        total: Any = 1
        for size in sizes:
            total = size if isinstance(total, int) and total == 1 else total * size
        return total

    rows, columns = product([a_size[c] for c in a_free]), product([b_size[c] for c in b_free])
    inner = product([a_size[c] for c in summed])
    lead = [a_size[c] for c in batch]
    left = array.reshape(left, array.stack([*lead, rows, inner]))
    right = array.reshape(right, array.stack([*lead, inner, columns]))
    out = products.matmul(left, right)
    shape = [*lead, *(a_size[c] for c in a_free), *(b_size[c] for c in b_free)]
    return array.reshape(out, array.stack(shape) if shape else np.zeros(0, np.int32)), "".join(
        batch + a_free + b_free
    )
