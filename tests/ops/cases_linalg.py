"""Rows of the op table: linear algebra."""

import numpy as np
from cases import case, form, inf, named, nan

A = np.float32([[4, 1, 0.5], [1, 3, 0.25], [0.5, 0.25, 2]])
BATCH = np.stack([A, A @ A, A + np.eye(3, dtype=np.float32)])
WIDE = np.float32([[1, 2, 3, 4], [0, 1, 0, 2], [5, 1, 1, 0]])
RHS = np.float32([[1, 2], [3, 4], [5, 6]])
COMPLEX = (BATCH + 1j * np.triu(BATCH, 1) - 1j * np.tril(BATCH, -1)).astype(np.complex64)
DTYPES = ("float16", "float64", "complex64", "complex128")


def several(symbol, f, values, dtypes=DTYPES):
    """The same call in several dtypes."""
    for dtype in dtypes:
        case(symbol, dtype, f, values.astype(dtype))


# -- one matrix ----------------------------------------------------------------------------------------------------

for symbol in ("matrix_inverse", "linalg.inv"):
    f = named(symbol)
    form(symbol, "form", f, BATCH)
    form(symbol, "adjoint", lambda tf, x, f=f: f(tf, x, True, name="mine"), COMPLEX)
f = named("matrix_inverse")
several("matrix_inverse", f, A, DTYPES[1:])
case("matrix_inverse", "singular", f, np.zeros((2, 2), np.float32))
case("matrix_inverse", "empty", f, np.zeros((0, 0), np.float32))
case("matrix_inverse", "not square", f, WIDE)
case("matrix_inverse", "vector", f, A[0])
case("matrix_inverse", "integers", f, A.astype(np.int32))
for symbol in ("matrix_determinant", "linalg.det"):
    form(symbol, "form", named(symbol), BATCH)
f = named("matrix_determinant")
several("matrix_determinant", f, A, DTYPES[1:])
case("matrix_determinant", "not square", f, WIDE)
case("matrix_determinant", "empty", f, np.zeros((0, 0), np.float32))
case("matrix_determinant", "singular", f, np.ones((3, 3), np.float64))
form("linalg.slogdet", "form", lambda tf, x: list(tf.linalg.slogdet(x)), BATCH)
several("linalg.slogdet", lambda tf, x: list(tf.linalg.slogdet(x)), -A, DTYPES[1:])
case("linalg.slogdet", "not square", lambda tf, x: list(tf.linalg.slogdet(x)), WIDE)
case("linalg.slogdet", "complex batch", lambda tf, x: list(tf.linalg.slogdet(x)), COMPLEX)
form("linalg.logdet", "form", named("linalg.logdet"), BATCH)
for symbol in ("cholesky", "linalg.cholesky"):
    form(symbol, "form", named(symbol), BATCH)
several("cholesky", named("cholesky"), A, DTYPES[1:])
case("cholesky", "complex batch", named("cholesky"), COMPLEX)
case("cholesky", "not square", named("cholesky"), WIDE)
case("cholesky", "upper part is not read", named("cholesky"), np.tril(A) + np.triu(A + 9, 1))
for symbol in ("linalg.sqrtm", "matrix_square_root"):
    form(symbol, "form", named(symbol), BATCH)
several("linalg.sqrtm", named("linalg.sqrtm"), A + np.triu(A), DTYPES[1:])
case("linalg.sqrtm", "rotation", named("linalg.sqrtm"), np.float64([[0, -1], [1, 0]]))
case("linalg.sqrtm", "triangular", named("linalg.sqrtm"), np.float64([[4, 1, 2], [0, 4, 3], [0, 0, 9]]))
case("linalg.sqrtm", "no real root", named("linalg.sqrtm"), np.float64([[-1, 0], [0, 1]]))
case("linalg.sqrtm", "empty", named("linalg.sqrtm"), np.zeros([2, 0, 0]))
case("linalg.sqrtm", "singular", named("linalg.sqrtm"), np.float64([[1, 0], [0, 0]]))
case("linalg.sqrtm", "not square", named("linalg.sqrtm"), WIDE)
form("linalg.logm", "form", named("linalg.logm"), COMPLEX)
case("linalg.logm", "complex128", named("linalg.logm"), np.complex128([[4, 1, 2], [0, 4, 3], [0, 0, 9]]))
case("linalg.logm", "rotation", named("linalg.logm"), np.complex128([[0, -1], [1, 0]]))
case("linalg.logm", "real", named("linalg.logm"), A)
form("linalg.lu", "form", lambda tf, x: list(tf.linalg.lu(x)), np.stack([A[::-1], A[[1, 2, 0]]]))
several("linalg.lu", lambda tf, x: list(tf.linalg.lu(x)), A[[2, 0, 1]], DTYPES[1:])
case("linalg.lu", "int64", lambda tf, x: list(tf.linalg.lu(x, tf.int64, name="mine")), A, nodes=True)
case("linalg.lu", "singular", lambda tf, x: list(tf.linalg.lu(x)), np.zeros((2, 2), np.float32))
case("linalg.lu", "not square", lambda tf, x: list(tf.linalg.lu(x)), WIDE)
for symbol in ("qr", "linalg.qr"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: [tf.abs(t) for t in f(tf, x)], WIDE)
case("qr", "product", lambda tf, x: (lambda q, r: tf.matmul(q, r))(*tf.qr(x)), COMPLEX)
case("qr", "full", lambda tf, x: [tf.abs(t) for t in tf.qr(x, full_matrices=True)], RHS, nodes=True)
for symbol in ("svd", "linalg.svd"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: [tf.abs(t) for t in f(tf, x)], WIDE)
    form(symbol, "values", lambda tf, x, f=f: f(tf, x, compute_uv=False), BATCH)
case("svd", "full", lambda tf, x: [tf.abs(t) for t in tf.svd(x, full_matrices=True)], RHS.T.astype(np.float64), nodes=True)
case("svd", "complex", lambda tf, x: tf.svd(x, compute_uv=False), COMPLEX)
for symbol in ("self_adjoint_eig", "linalg.eigh"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: [tf.abs(t) for t in f(tf, x)], BATCH)
for symbol in ("self_adjoint_eigvals", "linalg.eigvalsh"):
    f = named(symbol)
    form(symbol, "form", f, BATCH)
    case(symbol, "float64", f, A.astype(np.float64))
    case(symbol, "complex", f, COMPLEX)
    case(symbol, "not square", f, WIDE)
form("linalg.matrix_rank", "form", named("linalg.matrix_rank"), np.stack([A, np.ones((3, 3), np.float32)]))
case("linalg.matrix_rank", "tolerance", lambda tf, x: tf.linalg.matrix_rank(x, 3.0), A, nodes=True)
case("linalg.matrix_rank", "integers", named("linalg.matrix_rank"), A.astype(np.int32))
case("linalg.matrix_rank", "vector", named("linalg.matrix_rank"), A[0])
UNKNOWN_RANK = lambda tf, x: tf.placeholder_with_default(x, None)
for name in ("linalg.matrix_rank", "linalg.pinv"):
    for label, x in (("matrix", A), ("vector", A[0])):
        case(
            name, f"{label} whose rank the run checks",
            lambda tf, x, name=name: named(name)(tf, UNKNOWN_RANK(tf, x), validate_args=True), x, nodes=True,
        )  # fmt: skip
form("linalg.pinv", "form", named("linalg.pinv"), WIDE)
case("linalg.pinv", "rcond", lambda tf, x: tf.linalg.pinv(x, 0.5), A.astype(np.float64), nodes=True)
case("linalg.pinv", "rank deficient", named("linalg.pinv"), np.ones((2, 3)))
case("linalg.pinv", "integers", named("linalg.pinv"), A.astype(np.int32))
case("linalg.pinv", "vector", named("linalg.pinv"), A[0])
for symbol in ("linalg.adjoint",):
    form(symbol, "form", named(symbol), COMPLEX)
    case(symbol, "real", named(symbol), WIDE, nodes=True)
for symbol in ("matrix_transpose", "linalg.transpose", "linalg.matrix_transpose"):
    form(symbol, "form", named(symbol), BATCH)
    form(symbol, "conjugate", lambda tf, x, s=symbol: named(s)(tf, x, "mine", True), COMPLEX)
case("matrix_transpose", "vector", named("matrix_transpose"), A[0])
for symbol in ("trace", "linalg.trace"):
    form(symbol, "form", named(symbol), BATCH)
    case(symbol, "wide", named(symbol), WIDE)

# -- systems -------------------------------------------------------------------------------------------------------

for symbol in ("matrix_solve", "linalg.solve"):
    f = named(symbol)
    form(symbol, "form", f, A, RHS)
    form(symbol, "adjoint", lambda tf, a, b, f=f: f(tf, a, b, True, name="mine"), A + np.triu(A, 1), RHS)
f = named("matrix_solve")
for dtype in DTYPES[1:]:
    case("matrix_solve", dtype, f, A.astype(dtype), RHS.astype(dtype))
def singular_values(tf, x):
    return tf.svd(x, compute_uv=False)


for symbol, f in [(s, named(s)) for s in ("matrix_inverse", "self_adjoint_eigvals")] + [("svd", singular_values)]:
    case(symbol, "no number", f, np.array([[np.nan, 2], [2, 1]], np.float32))
    case(symbol, "no number in a batch", f, np.array([[[1, 2], [2, 1]], [[1, 2], [np.nan, 1]]], np.float32))
case("self_adjoint_eigvals", "no number above", named("self_adjoint_eigvals"), np.array([[1, np.nan], [2, 1]], np.float32))
case("svd", "infinite", singular_values, np.array([[np.inf, 2], [2, 1]], np.float32))
case("linalg.lu", "no number", named("linalg.lu"), np.array([[1, 2], [np.nan, 1]], np.float32))
f = named("matrix_solve")
case("matrix_solve", "no number to the right", f, np.array([[1, np.nan], [2, 1]], np.float32), RHS[:2])
case("linalg.lu", "no number to the right", named("linalg.lu"), np.array([[1, np.nan], [2, 1]], np.float32))
case("matrix_solve", "no number", f, np.array([[1, 2], [np.nan, 1]], np.float32), RHS[:2])
case("matrix_solve", "singular", f, np.ones((3, 3), np.float32), RHS)
case("matrix_solve", "sizes", f, A, RHS[:2])
case("matrix_solve", "dtypes", f, A, RHS.astype(np.float64))
case("matrix_solve", "batch", f, BATCH, np.stack([RHS] * 3))
for symbol in ("matrix_triangular_solve", "linalg.triangular_solve"):
    f = named(symbol)
    case(symbol, "form", f, A, RHS, nodes=True)
    case(symbol, "upper", lambda tf, a, b, f=f: f(tf, a, b, lower=False, adjoint=True, name="mine"), A, RHS, nodes=True)
f = named("matrix_triangular_solve")
for dtype in DTYPES[1:]:
    case("matrix_triangular_solve", dtype, f, A.astype(dtype), RHS.astype(dtype))
case("matrix_triangular_solve", "sizes", f, A, RHS[:2])
HOLES = np.array([[4, np.nan, 1], [np.nan, 3, 2], [1, 2, 5]])
for low in (True, False):
    case("matrix_triangular_solve", f"no number, {low}", lambda tf, a, b, f=f, low=low: f(tf, a, b, lower=low), HOLES, np.float64(RHS))
case("matrix_triangular_solve", "no number on the diagonal", f, np.diag([np.nan, 2.0, 3.0]), np.float64(RHS))
for symbol in ("cholesky_solve", "linalg.cholesky_solve"):
    case(symbol, "form", named(symbol), np.linalg.cholesky(A), RHS, nodes=True)
for symbol in ("matrix_solve_ls", "linalg.lstsq"):
    f = named(symbol)
    form(symbol, "tall", f, WIDE.T.copy(), np.float32([[1], [2], [3], [5]]))
    case(symbol, "wide", lambda tf, a, b, f=f: f(tf, a, b), WIDE, RHS, nodes=True)
    case(symbol, "regularizer", lambda tf, a, b, f=f: f(tf, a, b, 0.5, name="mine"), WIDE, RHS, nodes=True)
    form(symbol, "slow", lambda tf, a, b, f=f: f(tf, a, b, fast=False), WIDE, RHS)
    case(symbol, "complex128", lambda tf, a, b, f=f: f(tf, a, b, 0.5), A.astype(np.complex128), RHS.astype(np.complex128))
    case(symbol, "rank deficient, slow", lambda tf, a, b, f=f: f(tf, a, b, fast=False), np.ones((3, 2)), np.ones((3, 1)))
MANY = np.stack([np.eye(2) * (i + 1) for i in range(20000)])
case("matrix_solve_ls", "many", lambda tf: tf.matrix_solve_ls(tf.constant(MANY), tf.constant(MANY))[::4000])
UPPER, MAIN, LOWER = np.float64([2, 3, 0]), np.float64([1, 4, 5]), np.float64([0, 7, 8])
COMPACT = np.stack([UPPER, MAIN, LOWER])
MATRIX = np.diag(MAIN) + np.diag(UPPER[:-1], 1) + np.diag(LOWER[1:], -1)
solve = named("linalg.tridiagonal_solve")
case("linalg.tridiagonal_solve", "compact", solve, COMPACT, RHS.astype(np.float64), nodes=True)
case("linalg.tridiagonal_solve", "vector", solve, COMPACT, MAIN, nodes=True)
case("linalg.tridiagonal_solve", "no pivots", lambda tf, a, b: solve(tf, a, b, partial_pivoting=False), COMPACT, MAIN, nodes=True)
case("linalg.tridiagonal_solve", "batch", solve, np.stack([COMPACT, COMPACT + 1]), np.stack([RHS, RHS + 1]).astype(np.float64))
case("linalg.tridiagonal_solve", "sequence", lambda tf, u, m, w, b: solve(tf, (u, m, w), b, "sequence"), UPPER, MAIN, LOWER, MAIN, nodes=True)
case("linalg.tridiagonal_solve", "short sequence", lambda tf, u, m, w, b: solve(tf, [u, m, w], b, "sequence"), UPPER[:2], MAIN, LOWER[1:], MAIN, nodes=True)
case("linalg.tridiagonal_solve", "matrix", lambda tf, a, b: solve(tf, a, b, diagonals_format="matrix"), MATRIX, MAIN)
case("linalg.tridiagonal_solve", "transposed", lambda tf, a, b: solve(tf, a, b, transpose_rhs=True, conjugate_rhs=True), COMPACT.astype(np.complex64), (RHS.T * 1j).astype(np.complex64), nodes=True)
case("linalg.tridiagonal_solve", "conjugated", lambda tf, a, b: solve(tf, a, b, conjugate_rhs=True), COMPACT.astype(np.complex128), RHS * 1j)
case("linalg.tridiagonal_solve", "singular", solve, COMPACT * 0, MAIN)
case("linalg.tridiagonal_solve", "zero pivot", solve, COMPACT * [[1], [0], [1]] + [[0], [1e-3], [0]], MAIN)
case("linalg.tridiagonal_solve", "two rows", solve, COMPACT[:2], MAIN)
case("linalg.tridiagonal_solve", "sizes", solve, COMPACT, RHS[:2].astype(np.float64))
case("linalg.tridiagonal_solve", "no such format", lambda tf, a, b: solve(tf, a, b, "sparse"), COMPACT, MAIN)
f2 = named("linalg.tridiagonal_matmul")
form("linalg.tridiagonal_matmul", "compact", f2, COMPACT, RHS.astype(np.float64))
case("linalg.tridiagonal_matmul", "sequence", lambda tf, u, m, w, b: f2(tf, [u, m, w], b, "sequence"), UPPER, MAIN, LOWER, RHS.astype(np.float64), nodes=True)
case("linalg.tridiagonal_matmul", "matrix", lambda tf, a, b: f2(tf, a, b, "matrix", name="mine"), MATRIX, RHS.astype(np.float64))
case("linalg.tridiagonal_matmul", "complex", f2, COMPACT.astype(np.complex64), RHS.astype(np.complex64))
case("linalg.tridiagonal_matmul", "no such format", lambda tf, a, b: f2(tf, a, b, "sparse"), COMPACT, RHS.astype(np.float64))

# -- diagonals and bands -------------------------------------------------------------------------------------------

for symbol in ("matrix_diag", "linalg.diag"):
    f = named(symbol)
    form(symbol, "form", f, RHS)
    form(symbol, "named", lambda tf, x, f=f: f(tf, x, name="mine"), RHS[:, 0])
    case(symbol, "scalar", f, np.float32(1))
for symbol in ("matrix_diag_part", "linalg.diag_part"):
    f = named(symbol)
    form(symbol, "form", f, BATCH)
    case(symbol, "wide", f, WIDE)
    case(symbol, "vector", f, A[0])
for symbol in ("matrix_set_diag", "linalg.set_diag"):
    f = named(symbol)
    form(symbol, "form", f, WIDE, np.float32([7, 8, 9]))
    case(symbol, "sizes", f, WIDE, np.float32([7, 8]))
for symbol in ("diag", "linalg.tensor_diag"):
    form(symbol, "form", named(symbol), RHS)
    several(symbol, named(symbol), RHS[0], ("float64", "int32", "int64", "complex64", "complex128"))
for symbol in ("diag_part", "linalg.tensor_diag_part"):
    form(symbol, "form", named(symbol), np.arange(36, dtype=np.float32).reshape(2, 3, 2, 3))
    case(symbol, "odd rank", named(symbol), RHS[0])
    case(symbol, "sizes", named(symbol), RHS)
for symbol in ("matrix_band_part", "linalg.band_part"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, a, b, f=f: f(tf, x, a, b), BATCH, np.int64(1), np.int64(0))
    case(symbol, "lower", lambda tf, x, f=f: f(tf, x, np.int64(-1), np.int64(0), name="mine"), WIDE, nodes=True)
    case(symbol, "upper", lambda tf, x, f=f: f(tf, x, np.int64(0), np.int64(-1)), WIDE.astype(np.int32))
    case(symbol, "bools", lambda tf, x, f=f: f(tf, x, np.int64(0), np.int64(1)), WIDE > 0)
    case(symbol, "too wide", lambda tf, x, f=f: f(tf, x, np.int64(9), np.int64(1)), WIDE)
for symbol in ("eye", "linalg.eye"):
    f = named(symbol)
    case(symbol, "square", lambda tf, f=f: f(tf, 3), nodes=True)
    case(symbol, "batch", lambda tf, f=f: f(tf, 2, 3, [2], tf.int32, name="mine"), nodes=True)
    case(symbol, "tensor", lambda tf, n, f=f: f(tf, n, batch_shape=[2]), np.int32(2), nodes=True)

# -- products and norms --------------------------------------------------------------------------------------------

for symbol in ("matmul", "linalg.matmul"):
    f = named(symbol)
    form(symbol, "form", f, A, WIDE)
    form(symbol, "batch", lambda tf, a, b, f=f: f(tf, a, b, adjoint_b=True), BATCH, BATCH)
for symbol in ("linalg.matvec",):
    f = named(symbol)
    form(symbol, "form", f, A, A[0])
    case(symbol, "transposed", lambda tf, a, b, f=f: f(tf, a, b, transpose_a=True, name="mine"), WIDE, A[0], nodes=True)
    case(symbol, "batch", f, BATCH, A)
for symbol in ("tensordot", "linalg.tensordot"):
    f = named(symbol)
    form(symbol, "axes", lambda tf, a, b, f=f: f(tf, a, b, 1), BATCH, WIDE)
    form(symbol, "pairs", lambda tf, a, b, f=f: f(tf, a, b, [[0, 1], [1, 0]], name="mine"), BATCH, BATCH[:, :, 0].copy())
    case(symbol, "outer", lambda tf, a, b, f=f: f(tf, a, b, 0), RHS, RHS)
for symbol in ("cross", "linalg.cross"):
    form(symbol, "form", named(symbol), A, A[::-1].copy())
    several(symbol, lambda tf, a, s=symbol: named(s)(tf, a, a[::-1]), A, ("float64", "int32", "int16", "uint8"))
    case(symbol, "pairs", named(symbol), RHS, RHS)
for symbol in ("norm", "linalg.norm"):
    f = named(symbol)
    form(symbol, "form", f, WIDE)
    for ord in ("euclidean", 1, 2, np.inf, 3, 2.5):
        case(symbol, f"vectors {ord}", lambda tf, x, f=f, o=ord: f(tf, x, o, axis=-1), WIDE, nodes=True)
        case(symbol, f"whole {ord}", lambda tf, x, f=f, o=ord: f(tf, x, o), WIDE.astype(np.float64))
    for ord in ("euclidean", "fro", 1, np.inf):
        case(symbol, f"matrices {ord}", lambda tf, x, f=f, o=ord: f(tf, x, o, axis=(-2, -1), name="mine"), BATCH, nodes=True)
    case(symbol, "spectral", lambda tf, x, f=f: tf.reduce_sum(f(tf, x, 2, axis=[0, 2])), BATCH)
    case(symbol, "complex", lambda tf, x, f=f: [f(tf, x), f(tf, x, 1)], COMPLEX)
    case(symbol, "keepdims", lambda tf, x, f=f: f(tf, x, axis=1, keep_dims=True), WIDE, nodes=True)
    case(symbol, "axes twice", lambda tf, x, f=f: f(tf, x, axis=(1, 1)), WIDE)
    case(symbol, "three axes", lambda tf, x, f=f: f(tf, x, axis=[0, 1, 2]), BATCH)
    case(symbol, "no such vector norm", lambda tf, x, f=f: f(tf, x, ord="fro"), WIDE)
    case(symbol, "no such matrix norm", lambda tf, x, f=f: f(tf, x, ord=3, axis=[0, 1]), WIDE)
    case(symbol, "negative order", lambda tf, x, f=f: f(tf, x, ord=-1), WIDE)
form("linalg.normalize", "form", lambda tf, x: list(tf.linalg.normalize(x)), WIDE)
case("linalg.normalize", "rows", lambda tf, x: list(tf.linalg.normalize(x, 1, axis=1, name="mine")), WIDE, nodes=True)
for symbol in ("linalg.l2_normalize", "math.l2_normalize", "nn.l2_normalize"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: f(tf, x, 1), WIDE)
for symbol in ("global_norm", "linalg.global_norm"):
    f = named(symbol)
    case(symbol, "form", lambda tf, a, b, f=f: f(tf, [a, None, b]), A, WIDE, nodes=True)

# -- einsum --------------------------------------------------------------------------------------------------------

EINSUMS = {
    "ij,jk->ik": (A, WIDE), "ij,jk": (A, WIDE), "ij->ji": (WIDE,), "ij->": (WIDE,), "ij->j": (WIDE,), "ii": (A,),
    "i,i->": (A[0], A[1]), "i,j->ij": (A[0], WIDE[0]), "aij,ajk->aik": (BATCH, BATCH), "aij,jk->aik": (BATCH, WIDE),
    "abc,cd,bd->ad": (BATCH, WIDE, WIDE), "ij,ij->ij": (WIDE, WIDE), "ba,bc->ac": (WIDE, RHS), "ijk,kji->": (BATCH, BATCH),
    "...ij,...jk->...ik": (BATCH, BATCH), "...ij,jk->...ik": (BATCH, WIDE), "i,i,i->i": (A[0], A[1], A[2]),
    "i,i,i->": (A[0], A[1], A[2]), "ij,j,jk->k": (A, A[0], WIDE), "...i,...i": (A, A), " i j , j k -> i k ": (A, WIDE),
    "ijk->kij": (BATCH,),
}  # fmt: skip
for symbol in ("einsum", "linalg.einsum"):
    f = named(symbol)
    for equation, inputs in EINSUMS.items():
        if symbol == "einsum" or equation in ("ij,jk->ik", "i,i,i->"):
            # For a scalar 2.15 tries the shape () as a float first, which leaves a node.
            add = case if equation in ("i,i->", "ijk,kji->") else form
            add(symbol, equation, lambda tf, *x, f=f, e=equation: f(tf, e, *x), *inputs)
einsum = named("einsum")
case("einsum", "named", lambda tf, a, b: einsum(tf, "ij,jk->ik", a, b, name="mine"), A, WIDE, nodes=True)
case("einsum", "complex", lambda tf, a: einsum(tf, "aij,ajk->aik", a, a), COMPLEX)
case("einsum", "integers", lambda tf, a, b: einsum(tf, "ij,jk->ik", a, b), A.astype(np.int32), WIDE.astype(np.int32))
for label, equation in {
    "bad letter": "i1->i", "one too few": "ij->ij", "unknown output": "ij,jk->im", "ellipsis twice": "......i,ij->j",
    "lone dots": "i.,ij->j",
}.items():  # fmt: skip
    case("einsum", label, lambda tf, a, b, e=equation: einsum(tf, e, a, b), A, A)
case("einsum", "twice", lambda tf, a: einsum(tf, "ii->i", a), A)
case("einsum", "rank", lambda tf, a, b: einsum(tf, "ijk,kl->l", a, b), A, A)
case("einsum", "sizes", lambda tf, a, b: einsum(tf, "ij,jk->ik", a, b), A, RHS.T.copy())
case("einsum", "keyword", lambda tf, a: einsum(tf, "ij->ji", a, optimize="greedy"), A)

# -- ops that only GraphDefs and gradients name --------------------------------------------------------------------

case("raw_ops.MatrixDiagV2", "band", lambda tf, x, p: tf.raw_ops.MatrixDiagV2(diagonal=x, k=[0, 1], num_rows=-1, num_cols=-1, padding_value=p), np.arange(6.0).reshape(2, 3), np.float64(9), nodes=True)
case("raw_ops.MatrixDiagV2", "above", lambda tf, x, p: tf.raw_ops.MatrixDiagV2(diagonal=x, k=1, num_rows=3, num_cols=-1, padding_value=p), np.arange(3.0), np.float64(9))
case("raw_ops.MatrixDiagV2", "sizes", lambda tf, x, p: tf.raw_ops.MatrixDiagV2(diagonal=x, k=-1, num_rows=4, num_cols=3, padding_value=p), np.arange(3.0), np.float64(9))
case("raw_ops.MatrixDiagPartV2", "band", lambda tf, x, p: tf.raw_ops.MatrixDiagPartV2(input=x, k=[-1, 2], padding_value=p), WIDE, np.float32(9), nodes=True, shapes=True)
case("raw_ops.MatrixDiagPartV2", "above", lambda tf, x, p: tf.raw_ops.MatrixDiagPartV2(input=x, k=1, padding_value=p), BATCH, np.float32(9))
case("raw_ops.MatrixDiagPartV2", "outside", lambda tf, x, p: tf.raw_ops.MatrixDiagPartV2(input=x, k=5, padding_value=p), BATCH, np.float32(9))
case("raw_ops.MatrixSetDiagV2", "band", lambda tf, x, d: tf.raw_ops.MatrixSetDiagV2(input=x, diagonal=d, k=[0, 1]), WIDE, np.float32([[1, 2, 3], [4, 5, 6]]), nodes=True)
case("raw_ops.MatrixSetDiagV2", "sizes", lambda tf, x, d: tf.raw_ops.MatrixSetDiagV2(input=x, diagonal=d, k=[0, 1]), WIDE, np.float32([[1, 2], [4, 5]]))
case("raw_ops.BatchMatMul", "form", lambda tf, a, b: tf.raw_ops.BatchMatMul(x=a, y=b, adj_y=True), BATCH, BATCH, nodes=True, shapes=True)
case("raw_ops.MatrixSolveLs", "fast", lambda tf, a, b: tf.raw_ops.MatrixSolveLs(matrix=a, rhs=b, l2_regularizer=0.25, fast=True), WIDE, RHS, nodes=True, shapes=True)
case("raw_ops.MatrixSolveLs", "rank deficient", lambda tf, a, b: tf.raw_ops.MatrixSolveLs(matrix=a, rhs=b, l2_regularizer=0.0, fast=True), np.zeros((3, 2)), np.ones((3, 1)))
case("raw_ops.MatrixSolveLs", "negative", lambda tf, a, b: tf.raw_ops.MatrixSolveLs(matrix=a, rhs=b, l2_regularizer=-1.0, fast=True), WIDE, RHS)

# Its nodes are 1.15's own (2.15 scales each matrix apart): values only.
for dtype in ("float32", "float64", "complex64", "complex128"):
    near = np.array([[[0.1, 0.2], [-0.3, 0.05]], [[1.0, 2.0], [3.0, 4.0]], [[1e-3, 0.0], [0.0, 9.0]]]).astype(dtype)
    case("linalg.expm", f"{dtype}, a batch", named("linalg.expm"), near)
    case("linalg.expm", f"{dtype}, one matrix", named("linalg.expm"), near[1])
case("linalg.expm", "batches of batches", named("linalg.expm"), np.ones((2, 1, 3, 3)) / 4)
case("linalg.expm", "empty", named("linalg.expm"), np.zeros((0, 0), np.float32))
for odd in (np.nan, np.inf):
    case("linalg.expm", f"{odd}", named("linalg.expm"), np.array([[[1, odd], [0, 2]], [[1, 0], [0, 1]]]))
case("linalg.expm", "int32", named("linalg.expm"), np.ones((2, 2), np.int32))
case("linalg.expm", "of unequal sides", named("linalg.expm"), np.ones((2, 3), np.float32))

# -- matrices that are not finite or not positive definite -----------------------------------------------------------

SPECIAL = {
    "NaN": [[1, nan], [2, 3]], "all NaN": [[nan, nan], [nan, nan]], "NaN below": [[4, 1], [nan, 3]], "NaN above": [[4, nan], [1, 3]],
    "infinity": [[inf, 1], [2, 3]], "-infinity": [[1, 2], [-inf, 3]], "infinite diagonal": [[inf, 0], [0, inf]],
    "indefinite": [[1, 2], [2, 1]], "negative": [[-1, 0], [0, -1]], "singular": [[1, 2], [2, 4]], "zero": [[0, 0], [0, 0]],
    "huge": [[1e30, 0], [0, 1e30]],
}  # fmt: skip
for label, matrix in SPECIAL.items():
    for dtype in (np.float32, np.float64):
        value = np.array(matrix, dtype)
        case("linalg.det", f"{label} {dtype.__name__}", lambda tf, x: tf.linalg.det(x), value)
        case("linalg.slogdet", f"{label} {dtype.__name__}", lambda tf, x: list(tf.linalg.slogdet(x)), value)
        case("linalg.inv", f"{label} {dtype.__name__}", lambda tf, x: tf.linalg.inv(x), value)
        case("linalg.inv", f"adjoint of {label} {dtype.__name__}", lambda tf, x: tf.linalg.inv(x, adjoint=True), value)
        case("linalg.expm", f"{label} {dtype.__name__}", lambda tf, x: tf.linalg.expm(x), value)
for label in ("infinity", "huge"):
    for dtype in (np.float32, np.float64):
        value = np.array(SPECIAL[label], dtype)
        case("linalg.logdet", f"{label} {dtype.__name__}", lambda tf, x: tf.linalg.logdet(x), value)
