"""Matrices: products, diagonals and bands, inverses, determinants and solutions; all but MatMul work on batches [..., m, n]."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import Sym, op, typevar
from ..op.gradient_rules import least_of
from ..op.matrix_functions import matmul
from ..op.shape_checks import (
    INDEX,
    Any_,
    at_least,
    fit,
    invalid,
    kinds,
    needs_rank,
    of_rank,
    same,
    text_of,
    unwrapped,
)

Factor = typevar(
    "T", kinds("bfloat16 half float double int32 int64 uint8 uint16 uint32 uint64 complex64 complex128")
)


@op("MatMul", out="product", fresh=True, value_safe=True, role="matmul", gradient="da = g · bᵀ, db = aᵀ · g", multiplies=True)
def mat_mul(xp: Any, a: Factor, b: Factor, *, transpose_a: bool = False, transpose_b: bool = False) -> Factor:
    """Matrix product: a [m, k] · b [k, n] -> product [m, n]. Raises: InvalidArgumentError when the inner sizes differ."""
    if a.ndim != 2 or b.ndim != 2:
        at = 0 if a.ndim != 2 else 1
        raise invalid(f"In[{at}] is not a matrix. Instead it has shape {text_of((a, b)[at].shape)}")
    if a.dtype.char in "fd":
        left, right = a.T if transpose_a else a, b.T if transpose_b else b
        if left.shape[1] == right.shape[0]:
            return left.dot(right)
    left, right = a.T if transpose_a else a, b.T if transpose_b else b
    if left.shape[1] != right.shape[0]:
        raise invalid(f"Matrix size-incompatible: In[0]: {text_of(a.shape)}, In[1]: {text_of(b.shape)}")
    product = xp.matmul(left, right)
    return product if product.dtype is a.dtype else _as(a, product)


def _as(factor: Any, product: Any) -> Any:
    """The product in the factors' dtype: NumPy computes that of bfloat16 in float32."""
    return product.astype(factor.dtype, copy=False)


@mat_mul.shape
def _(a: Sym, b: Sym, *, transpose_a: bool, transpose_b: bool) -> Shape:
    m, k = of_rank(a.shape, 2)[:: -1 if transpose_a else 1]
    k2, n = of_rank(b.shape, 2)[:: -1 if transpose_b else 1]
    same(k, k2)
    return m, n


@mat_mul.grad
def _(op: Any, g: Any) -> Any:
    a, b = map(functions.conj, op.inputs)
    transpose_a, transpose_b = op.attrs["transpose_a"], op.attrs["transpose_b"]
    if transpose_a and transpose_b:
        return mat_mul(b, g, transpose_a=True, transpose_b=True), mat_mul(g, a, transpose_a=True, transpose_b=True)
    if transpose_a:
        return mat_mul(b, g, transpose_b=True), mat_mul(a, g)
    if transpose_b:
        return mat_mul(g, b), mat_mul(g, a, transpose_a=True)
    return mat_mul(g, b, transpose_b=True), mat_mul(a, g, transpose_a=True)


Sparse = kinds("float bfloat16")


@op("SparseMatMul", out="product", fresh=True, multiplies=True)
def sparse_mat_mul(
    xp: Any,
    a: typevar("Ta", Sparse, default=dtypes.float32),
    b: typevar("Tb", Sparse, default=dtypes.float32),
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
) -> dtypes.float32:
    """Matrix product of matrices with many zeros: a [m, k] · b [k, n] -> product [m, n].

    Raises: InvalidArgumentError when the inner sizes differ.
    """
    needs_rank(a, 2, "a is not a matrix")
    needs_rank(b, 2, "b is not a matrix")
    left, right = (dtypes.bfloat16_values(m) if m.dtype != np.float32 else m for m in (a, b))
    left, right = left.T if transpose_a else left, right.T if transpose_b else right
    if left.shape[1] != right.shape[0]:
        raise invalid(f"Matrix size incompatible: a: {text_of(a.shape)}, b: {text_of(b.shape)}")
    return xp.matmul(left, right)


@sparse_mat_mul.shape
def _(a: Sym, b: Sym, *, transpose_a: bool, transpose_b: bool, a_is_sparse: bool, b_is_sparse: bool) -> Shape:
    m, k = of_rank(a.shape, 2)[:: -1 if transpose_a else 1]
    k2, n = of_rank(b.shape, 2)[:: -1 if transpose_b else 1]
    same(k, k2)
    return m, n


@sparse_mat_mul.grad
def _(op: Any, g: Any) -> Any:
    a, b = op.inputs
    transpose_a, transpose_b = op.attrs["transpose_a"], op.attrs["transpose_b"]
    sparse = {a: op.attrs["a_is_sparse"], b: op.attrs["b_is_sparse"], g: g.op.type == "ReluGrad"}

    def product(x: Any, y: Any, like: Any, transpose_x: bool = False, transpose_y: bool = False) -> Any:
        flags = {"a_is_sparse": sparse[x], "b_is_sparse": sparse[y]}
        out = matmul(x, functions.transpose(y) if transpose_y else y, transpose_a=transpose_x, **flags)
        return out if out.dtype is like.dtype else functions.cast(out, like.dtype)

    if transpose_a and transpose_b:
        return product(b, g, a, True, True), product(g, a, b, True, True)
    if transpose_a:
        return product(b, g, a, transpose_y=True), product(a, g, b)
    if transpose_b:
        return product(g, b, a), product(g, a, b, transpose_x=True)
    return product(g, b, a, transpose_y=True), product(a, g, b, transpose_x=True)


def _product(xp: Any, x: Any, y: Any, adj_x: bool, adj_y: bool) -> Any:
    def turned(array: Any) -> Any:
        return xp.conj(xp.swapaxes(array, -1, -2))

    if x.ndim == 2 and y.ndim == 2 and x.dtype.char in "fd":
        # The most common case: real matrices without batch axes.
        left, right = x.T if adj_x else x, y.T if adj_y else y
        if left.shape[1] == right.shape[0]:
            return left.dot(right)
    for at, array in enumerate((x, y)):
        if array.ndim < 2:
            raise invalid(f"In[{at}] ndims must be >= 2: {array.ndim}")
    left, right = turned(x) if adj_x else x, turned(y) if adj_y else y
    if left.shape[-1] != right.shape[-2]:
        raise invalid(f"Matrix size-incompatible: In[0]: {text_of(x.shape)}, In[1]: {text_of(y.shape)}")
    if not fit(left.shape[:-2], right.shape[:-2]):
        both = f"{text_of(x.shape)} vs. {text_of(y.shape)}"
        raise invalid(f"In[0] and In[1] must have compatible batch dimensions: {both}")
    product = xp.matmul(left, right)
    return product if product.dtype is left.dtype else _as(left, product)


def _product_shape(x: Sym, y: Sym, adj_x: bool, adj_y: bool) -> tuple[Shape, Shape, int | None, int | None]:
    """The two batch shapes, and the rows and columns of the product."""
    left, right = at_least(x.shape, 2), at_least(y.shape, 2)
    m, k = left[-2:][:: -1 if adj_x else 1] if left is not None else (None, None)
    k2, n = right[-2:][:: -1 if adj_y else 1] if right is not None else (None, None)
    same(k, k2)
    return None if left is None else left[:-2], None if right is None else right[:-2], m, n


@op("BatchMatMul", fresh=True, value_safe=True, role="matmul", multiplies=True)
def batch_mat_mul(
    xp: Any,
    x: typevar("T", kinds("bfloat16 half float double int32 int64 complex64 complex128")),
    y: "T",  # noqa: F821
    *,
    adj_x: bool = False,
    adj_y: bool = False,
) -> "T":  # noqa: F821
    """Matrix products: x [..., m, k] · y [..., k, n] -> [..., m, n].

    Raises: InvalidArgumentError when the inner or the batch sizes differ.
    """
    if x.ndim != y.ndim:
        raise invalid(f"In[0] and In[1] has different ndims: {text_of(x.shape)} vs. {text_of(y.shape)}")
    for i in range(x.ndim - 2):
        if x.shape[i] != y.shape[i]:
            both = f"{text_of(x.shape)} vs {text_of(y.shape)}"
            raise invalid(f"In[0].dim({i}) and In[1].dim({i}) must be the same: {both}")
    return _product(xp, x, y, adj_x, adj_y)


@batch_mat_mul.shape
def _(x: Sym, y: Sym, *, adj_x: bool, adj_y: bool) -> Shape:
    left, right, m, n = _product_shape(x, y, adj_x, adj_y)
    batch = shapes.merge(left, right)
    return None if batch is None else (*batch, m, n)


@batch_mat_mul.grad
def _of_batch(op: Any, g: Any) -> Any:
    x, y = op.inputs
    adj_x, adj_y = op.attrs["adj_x"], op.attrs["adj_y"]
    if adj_x and adj_y:
        return matmul(y, g, adjoint_a=True, adjoint_b=True), matmul(g, x, adjoint_a=True, adjoint_b=True)
    if adj_x:
        return matmul(y, g, adjoint_b=True), matmul(x, g)
    if adj_y:
        return matmul(g, y), matmul(g, x, adjoint_a=True)
    return matmul(g, y, adjoint_b=True), matmul(x, g, adjoint_a=True)


@op("BatchMatMulV2", fresh=True, value_safe=True, role="matmul", multiplies=True)
def batch_mat_mul_v2(
    xp: Any,
    x: typevar(
        "T",
        kinds("bfloat16 half float double int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128"),
    ),
    y: "T",  # noqa: F821
    *,
    adj_x: bool = False,
    adj_y: bool = False,
) -> "T":  # noqa: F821
    """Matrix products with broadcasting of the batch axes: x [..., m, k] · y [..., k, n] -> [..., m, n].

    Raises: InvalidArgumentError when the inner sizes differ or the batch does not broadcast.
    """
    return _product(xp, x, y, adj_x, adj_y)


@batch_mat_mul_v2.shape
def _(x: Sym, y: Sym, *, adj_x: bool, adj_y: bool) -> Shape:
    left, right, m, n = _product_shape(x, y, adj_x, adj_y)
    batch = shapes.broadcast(left, right)
    return None if batch is None else (*batch, m, n)


@batch_mat_mul_v2.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs
    dx, dy = _of_batch(op, g)
    if x.shape.is_fully_defined() and y.shape.is_fully_defined() and x.raw_shape == y.raw_shape:
        return dx, dy
    sx, sy = functions.shape(x), functions.shape(y)
    rx, ry = nodes.BroadcastGradientArgs(sx[:-2], sy[:-2])
    return nodes.Reshape(nodes.Sum(dx, rx), sx), nodes.Reshape(nodes.Sum(dy, ry), sy)


# -- diagonals and bands -------------------------------------------------------------------------------------------

Diagonal = typevar("T", kinds("bfloat16 half float double int32 int64 complex64 complex128"))


@op("Diag", fresh=True)
def diag(xp: Any, diagonal: Diagonal) -> Diagonal:
    """The input on the diagonal, 0 elsewhere: diagonal [d...] -> [d..., d...]."""
    if not diagonal.ndim:
        raise invalid("Input must be at least rank 1, got 0")
    return xp.diag(xp.ravel(diagonal)).reshape(diagonal.shape * 2)


@diag.shape
def _(diagonal: Sym) -> Shape:
    shape = at_least(diagonal.shape, 1)
    return None if shape is None else (*shape, *shape)


diag.grad(lambda op, g: diag_part(g))


@op("DiagPart", out="diagonal", fresh=True)
def diag_part(xp: Any, input: Diagonal) -> Diagonal:
    """The diagonal of a tensor: input [d..., d...] -> diagonal [d...].

    Raises: InvalidArgumentError when the two halves of the shape differ.
    """
    half = input.ndim // 2
    if input.ndim % 2:
        raise invalid(f"The rank of the tensor should be even and positive, got shape {text_of(input.shape)}")
    for i in range(half):
        if input.shape[i] != input.shape[half + i]:
            raise invalid(f"Invalid shape {text_of(input.shape)}: dimensions {i} and {half + i} do not match.")
    rest = input.shape[:half]
    size = int(np.prod(rest))
    return xp.diagonal(input.reshape(size, size)).reshape(rest).copy()


@diag_part.shape
def _(input: Sym) -> Shape:
    shape = input.shape
    if shape is None:
        return None
    if len(shape) % 2 or not shape:
        raise ShapeMismatch("Input must have even and non-zero rank, input rank is " + str(len(shape)))
    half = len(shape) // 2
    return tuple(same(a, b) for a, b in zip(shape[:half], shape[half:]))


diag_part.grad(lambda op, g: diag(g))


def _check_rank(array: Any, rank: int, name: str) -> None:
    if array.ndim < rank:
        raise invalid(f"{name} must be at least {rank}-dim, received shape: {text_of(array.shape)}")


def unfit_diagonal(input: Any, diagonal: Any, wanted: tuple[int, ...]) -> str:
    """TF's text for a diagonal whose shape does not fit the matrices."""
    return (
        "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not equal to "
        "the longests diagonal in range [lower_diag_index:upper_diag_index].\n"
        f"Input shape: {text_of(input.shape)}\nDiagonal shape: {text_of(diagonal.shape)}\n"
        f"Expected diagonal shape: {text_of(wanted)}"
    )


@op("MatrixDiag", fresh=True)
def matrix_diag(xp: Any, diagonal: Any_) -> Any_:
    """Matrices with the vectors on their diagonals, 0 elsewhere: diagonal [..., n] -> [..., n, n]."""
    if not diagonal.ndim:
        raise invalid("diagonal must be at least 1-dim, received shape: []")
    out = xp.zeros((*diagonal.shape, diagonal.shape[-1]), diagonal.dtype)
    index = xp.arange(diagonal.shape[-1])
    out[..., index, index] = diagonal
    return out


@matrix_diag.shape
def _(diagonal: Sym) -> Shape:
    shape = at_least(diagonal.shape, 1)
    return None if shape is None else (*shape, shape[-1])


matrix_diag.grad(lambda op, g: matrix_diag_part(g, name="diag_part"))


@op("MatrixDiagPart", out="diagonal", fresh=True)
def matrix_diag_part(xp: Any, input: Any_) -> Any_:
    """The diagonals of matrices: input [..., m, n] -> diagonal [..., min(m, n)]."""
    _check_rank(input, 2, "input")
    return xp.diagonal(input, axis1=-2, axis2=-1).copy()


@matrix_diag_part.shape
def _(input: Sym) -> Shape:
    shape = at_least(input.shape, 2)
    if shape is None:
        return None
    m, n = shape[-2:]
    return (*shape[:-2], None if m is None or n is None else min(m, n))


@matrix_diag_part.grad
def _(op: Any, g: Any) -> Any:
    x = op.inputs[0]
    if x.raw_shape is not None and x.raw_shape[-2] is not None and x.raw_shape[-2] == x.raw_shape[-1]:
        return matrix_diag(g, name="diag")
    return matrix_set_diag(functions.zeros_like(x), g, name="set_diag")


@op("MatrixSetDiag", fresh=True)
def matrix_set_diag(xp: Any, input: Any_, diagonal: Any_) -> Any_:
    """The matrices with another diagonal: input [..., m, n], diagonal [..., min(m, n)] -> [..., m, n].

    Raises: InvalidArgumentError when the diagonal has another shape.
    """
    _check_rank(input, 2, "input")
    _check_rank(diagonal, 1, "diagonal")
    out = xp.array(input, copy=True)
    size = min(input.shape[-2:])
    if diagonal.shape != (*input.shape[:-2], size):
        raise invalid(unfit_diagonal(input, diagonal, (*input.shape[:-2], size)))
    index = xp.arange(size)
    out[..., index, index] = diagonal
    return out


@matrix_set_diag.shape
def _(input: Sym, diagonal: Sym) -> Shape:
    shape, line = at_least(input.shape, 2), at_least(diagonal.shape, 1)
    if shape is None or line is None:
        return shape if line is None else (*line[:-1], None, None)
    rows, columns = shape[-2:]
    of_rank(line, len(shape) - 1)
    of_rank(shape, len(line) + 1)
    if rows is not None and columns is not None:
        same(min(rows, columns), line[-1])
    batch = shapes.merge(line[:-1], shape[:-2])
    return (*(batch or ()), rows, columns)


@matrix_set_diag.grad
def _(op: Any, g: Any) -> Any:
    known = shapes.merge(op.inputs[0].raw_shape, g.raw_shape)
    diagonal = op.inputs[1].raw_shape
    batch = None if known is None else known[:-2]
    if diagonal is not None:
        batch = shapes.merge(batch, diagonal[:-1])
    sizes: Any
    if known is not None and shapes.is_full(batch) and shapes.is_full(known[-2:]):
        sizes = [*batch, min(known[-2:])]
    else:
        with op.graph.colocate_with(g):
            g_sizes, rank = functions.shape(g), functions.rank(g)
            outer, sides = nodes.Slice(g_sizes, [0], [rank - 2]), nodes.Slice(g_sizes, [rank - 2], [2])
            sizes = functions.concat([outer, [least_of(sides)]], 0)
    zeros = functions.zeros(sizes, dtype=g.dtype)
    return matrix_set_diag(g, zeros, name="set_diag"), matrix_diag_part(g, name="diag_part")


@op("MatrixBandPart", out="band", fresh=True)
def matrix_band_part(
    xp: Any,
    input: Any_,
    num_lower: typevar("Tindex", INDEX, default=dtypes.int64),
    num_upper: "Tindex",  # noqa: F821
) -> Any_:
    """The input with 0 outside a band around the diagonal: input [..., m, n], num_lower and num_upper scalars -> band
    [..., m, n]; a negative number keeps the whole side.

    Raises: InvalidArgumentError for num_lower > m or num_upper > n.
    """
    _check_rank(input, 2, "input")
    needs_rank(num_lower, 0, "num_lower must be scalar, got shape {shape}")
    needs_rank(num_upper, 0, "num_upper must be scalar, got shape {shape}")
    m, n = input.shape[-2:]
    below, above = int(num_lower), int(num_upper)
    if below > m:
        raise invalid(f"num_lower must be negative or less or equal to number of rows ({m}) got: {below}")
    if above > n:
        raise invalid(f"num_upper must be negative or less or equal to number of columns ({n}) got: {above}")
    row, column = xp.arange(m)[:, None], xp.arange(n)[None, :]
    kept = ((below < 0) | (row - column <= below)) & ((above < 0) | (column - row <= above))
    return xp.where(kept, input, xp.zeros((), input.dtype))


matrix_band_part.shape(lambda input, num_lower, num_upper: input.shape)


@matrix_band_part.grad
def _(op: Any, g: Any) -> Any:
    return matrix_band_part(g, *op.inputs[1:]), None, None


# -- inverses, determinants, solutions -----------------------------------------------------------------------------

Field = typevar("T", kinds("double float half complex64 complex128"))
HalfField = typevar("T", kinds("half float double complex64 complex128"))


def square_shape(sym: Sym) -> Shape:
    shape = at_least(sym.shape, 2)
    if shape is None:
        return None
    n = same(shape[-2], shape[-1])
    return (*shape[:-2], n, n)


def widened(array: Any) -> Any:
    # LAPACK has no half precision: such matrices are computed in float32.
    return array.astype(np.float32) if array.dtype == np.float16 else array


def _eliminable(matrix: Any) -> Any:
    """The matrix, widened. Raises: LinAlgError for NaN in the first column, where TF finds no pivot."""
    if np.isnan(matrix[..., :1]).any():
        raise np.linalg.LinAlgError
    return widened(matrix)


def of_lapack(function: Any, *arrays: Any) -> Any:
    """`function(*arrays)`, of matrices [..., n, m]. Raises: LinAlgError for a singular one, in a browser's Python, too.

    NumPy learns from floating-point flags of the processor that LAPACK failed; WebAssembly has none, and gives NaN alone.
    """
    result = function(*arrays)
    if sys.platform == "emscripten" and result.size:
        failed = np.isnan(result).all((-2, -1))
        for array in arrays:
            failed &= ~np.isnan(array).any((-2, -1))
        if failed.any():
            raise np.linalg.LinAlgError
    return result


def check_matrices(*arrays: Any) -> None:
    """Raises: InvalidArgumentError unless all are matrices or batches of them, of one rank."""
    if arrays[0].ndim < 2:
        raise invalid(f"Input tensor 0 must have rank >= 2, got {arrays[0].ndim}")
    if any(array.ndim != arrays[0].ndim for array in arrays):
        raise invalid("All input tensors must have the same rank.")


def check_square(array: Any) -> None:
    """Raises: InvalidArgumentError unless the array is a square matrix or a batch of them."""
    check_matrices(array)
    if array.shape[-1] != array.shape[-2]:
        raise invalid(f"Input matrix must be square, got shape {text_of(array.shape)}")


@op("MatrixInverse", shape=lambda input, *, adjoint: square_shape(input), fresh=True, multiplies=True)
def matrix_inverse(xp: Any, input: Field, *, adjoint: bool = False) -> Field:
    """The inverses of matrices, or of their adjoints: input [..., n, n] -> [..., n, n].

    Raises: InvalidArgumentError when a matrix is singular.
    """
    check_matrices(input)
    if input.shape[-1] != input.shape[-2]:
        raise invalid("Input matrix must be square.")
    try:
        _eliminable(xp.swapaxes(input, -1, -2) if adjoint else input)
        inverse = of_lapack(xp.linalg.inv, widened(input))
    except np.linalg.LinAlgError:
        raise invalid("Input is not invertible.") from None
    return (xp.conj(xp.swapaxes(inverse, -1, -2)) if adjoint else inverse).astype(input.dtype, copy=False)


@matrix_inverse.grad
def _(op: Any, g: Any) -> Any:
    y = op.outputs[0]
    if op.attrs["adjoint"]:  # TF 1.15 ignores it, so that determinants have a wrong gradient of the second order
        return -matmul(y, matmul(g, y, adjoint_a=True))
    return -matmul(y, matmul(g, y, adjoint_b=True), adjoint_a=True)


@op("MatrixDeterminant", fresh=True, multiplies=True)
def matrix_determinant(xp: Any, input: HalfField) -> HalfField:
    """The determinants of matrices: input [..., n, n] -> [...]."""
    check_square(input)
    wide = widened(input)
    determinant = xp.linalg.det(wide)
    sign, logarithm = _sign_and_logarithm(xp, wide)
    # TF multiplies the two: an infinite logarithm has the sign 0.
    return unwrapped(xp.where(xp.isfinite(logarithm), determinant, sign * xp.exp(logarithm)).astype(input.dtype))


def _sign_and_logarithm(xp: Any, wide: Any) -> Any:
    """As slogdet; without a finite logarithm the sign is 0, and NaN counts as the logarithm of 0, as in TF."""
    sign, logarithm = xp.linalg.slogdet(wide)
    is_finite = xp.isfinite(logarithm)
    infinite = xp.where(logarithm > 0, logarithm, -xp.inf)
    return xp.where(is_finite, sign, 0), xp.where(is_finite, logarithm, infinite)


@matrix_determinant.shape
def _(input: Sym) -> Shape:
    shape = at_least(input.shape, 2)
    if shape is None:
        return None
    same(shape[-1], shape[-2])
    return shape[:-2]


@matrix_determinant.grad
def _(op: Any, g: Any) -> Any:
    y = op.outputs[0]
    return _times_inverse(op.inputs[0], lambda: g * y, y)


def _times_inverse(x: Any, factor: Any, like: Any) -> Any:
    """factor(), one number for each matrix, times the adjoint of the matrix's inverse; like: a tensor of its shape [...]."""
    inverse = matrix_inverse(x, adjoint=True)
    return nodes.Reshape(factor(), functions.concat([functions.shape(like), [1, 1]], 0)) * inverse


@op("LogMatrixDeterminant", out="sign log_abs_determinant", fresh=True, multiplies=True)
def log_matrix_determinant(xp: Any, input: HalfField) -> tuple[HalfField, HalfField]:
    """The sign of the determinants and the logarithm of their absolute values: input [..., n, n] -> sign [...],
    log_abs_determinant [...].
    """
    check_square(input)
    sign, logarithm = _sign_and_logarithm(xp, widened(input))
    return unwrapped(sign.astype(input.dtype)), unwrapped(logarithm.astype(input.dtype))


@log_matrix_determinant.shape
def _(input: Sym) -> list[Shape]:
    shape = at_least(input.shape, 2)
    if shape is None:
        return [None, None]
    same(shape[-1], shape[-2])
    return [shape[:-2]] * 2


@log_matrix_determinant.grad
def _(op: Any, _: Any, g: Any) -> Any:
    return _times_inverse(op.inputs[0], lambda: g, op.outputs[1])


def _solve_shape(matrix: Sym, rhs: Sym) -> Shape:
    return solve_shape(square_shape(matrix), at_least(rhs.shape, 2), True)


def solve_shape(left: Shape, right: Shape, square: bool) -> Shape:
    """The shape [..., n, k] of X with left [..., m, n] · X = right [..., m, k]; either may be unknown."""
    batch = shapes.merge(None if left is None else left[:-2], None if right is None else right[:-2])
    m, n = (None, None) if left is None else left[-2:]
    m2, k = (None, None) if right is None else right[-2:]
    rows = same(m, m2)
    return None if batch is None else (*batch, rows if square else n, k)


def _left(xp: Any, matrix: Any, rhs: Any, adjoint: bool) -> Any:
    """The matrix that multiplies X, after checks of the shapes."""
    check_matrices(matrix, rhs)
    if matrix.shape[-1] != matrix.shape[-2]:
        raise invalid("First input (lhs) must be a square matrix.")
    if matrix.shape[-1] != rhs.shape[-2]:
        raise invalid("Input matrix and rhs are incompatible.")
    return xp.conj(xp.swapaxes(matrix, -1, -2)) if adjoint else matrix


@op("MatrixSolve", shape=lambda matrix, rhs, *, adjoint: _solve_shape(matrix, rhs), fresh=True, multiplies=True)
def matrix_solve(xp: Any, matrix: Field, rhs: Field, *, adjoint: bool = False) -> Field:
    """X with matrix · X = rhs: matrix [..., n, n], rhs [..., n, k] -> X [..., n, k].

    Raises: InvalidArgumentError when a matrix is singular.
    """
    try:
        solution = of_lapack(xp.linalg.solve, _eliminable(_left(xp, matrix, rhs, adjoint)), widened(rhs))
    except np.linalg.LinAlgError:
        raise invalid("Input matrix is not invertible.") from None
    return solution.astype(rhs.dtype, copy=False)


@matrix_solve.grad
def _(op: Any, g: Any) -> Any:
    db = matrix_solve(op.inputs[0], g, adjoint=not op.attrs["adjoint"])
    return _of_solution(op, db), db


def _of_solution(op: Any, db: Any) -> Any:
    """The gradient of the matrix from db, the gradient of the right-hand side."""
    x = op.outputs[0]
    if op.attrs["adjoint"]:
        return -matmul(x, db, adjoint_b=True)
    return -matmul(db, x, adjoint_b=True)


@op(
    "MatrixTriangularSolve",
    shape=lambda matrix, rhs, *, lower, adjoint: _solve_shape(matrix, rhs),
    fresh=True,
    multiplies=True,
)
def matrix_triangular_solve(
    xp: Any,
    matrix: typevar("T", kinds("bfloat16 double float half complex64 complex128")),
    rhs: "T",  # noqa: F821
    *,
    lower: bool = True,
    adjoint: bool = False,
) -> "T":  # noqa: F821
    """X with matrix · X = rhs, where only one triangle of the matrix counts: matrix [..., n, n], rhs [..., n, k] -> X
    [..., n, k].

    Raises: InvalidArgumentError for a 0 on the diagonal.
    """
    left = widened(_left(xp, matrix, rhs, adjoint))
    if (xp.diagonal(left, 0, -2, -1) == 0).any():
        raise invalid("Input matrix is not invertible.")
    n, forward = left.shape[-1], lower != adjoint
    batch = np.broadcast_shapes(left.shape[:-2], rhs.shape[:-2])
    solution = xp.array(xp.broadcast_to(widened(rhs), (*batch, *rhs.shape[-2:])))
    # Substitution, not elimination with row exchanges, which would spread a NaN to results that do not depend on it.
    for row in range(n) if forward else reversed(range(n)):
        known = slice(0, row) if forward else slice(row + 1, n)
        solution[..., row, :] -= (left[..., row : row + 1, known] @ solution[..., known, :])[..., 0, :]
        solution[..., row, :] /= left[..., row, row, None]
    return solution.astype(rhs.dtype, copy=False)


@matrix_triangular_solve.grad
def _(op: Any, g: Any) -> Any:
    lower = op.attrs["lower"]
    db = matrix_triangular_solve(op.inputs[0], g, lower=lower, adjoint=not op.attrs["adjoint"])
    da = _of_solution(op, db)
    return (matrix_band_part(da, -1, 0) if lower else matrix_band_part(da, 0, -1)), db
