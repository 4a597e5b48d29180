"""`tf.linalg`: matrices."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.arrays.array import matrix_transpose, matrix_transpose as transpose
from .engine.lib.arrays.constructors import eye
from .engine.lib.linalg.linalg import (
    adjoint, cholesky, cholesky_solve, logdet, logm, lu, matrix_band_part as band_part,
    matrix_determinant as det, matrix_diag as diag, matrix_diag_part as diag_part, matrix_inverse as inv,
    matrix_set_diag as set_diag, matrix_solve as solve, norm, normalize, qr, self_adjoint_eig as eigh,
    self_adjoint_eigvals as eigvalsh, slogdet, sqrtm, svd, tensor_diag, tensor_diag_part,
    triangular_solve,
)  # fmt: skip
from .engine.lib.math.clip import global_norm, l2_normalize
from .engine.lib.math.math import cross
from .engine.lib.linalg.linalg import trace
from .engine.lib.math.einsum import einsum
from .engine.lib.linalg.expm import matrix_exponential as expm
from .engine.lib.linalg.solve import (
    matrix_rank, matrix_solve_ls as lstsq, pinv, tridiagonal_matmul, tridiagonal_solve,
)  # fmt: skip
from .engine.lib.math.products import matmul, matvec, tensordot
from .engine.lib.linear_operators.linear_operator import LinearOperator
from .engine.lib.linear_operators.operator_rules import (
    LinearOperatorAdjoint, LinearOperatorBlockDiag, LinearOperatorCirculant, LinearOperatorComposition, LinearOperatorDiag,
    LinearOperatorHouseholder, LinearOperatorIdentity, LinearOperatorInversion, LinearOperatorKronecker,
    LinearOperatorLowerTriangular, LinearOperatorScaledIdentity, LinearOperatorZeros,
)  # fmt: skip
from .engine.lib.linear_operators.circulant_operators import (
    LinearOperatorCirculant2D, LinearOperatorCirculant3D, LinearOperatorToeplitz,
)  # fmt: skip
from .engine.lib.linear_operators.full_operator import LinearOperatorFullMatrix
from .engine.lib.linear_operators.low_rank_update import LinearOperatorLowRankUpdate

__all__ = [
    "LinearOperator", "LinearOperatorAdjoint", "LinearOperatorBlockDiag", "LinearOperatorCirculant",
    "LinearOperatorCirculant2D", "LinearOperatorCirculant3D", "LinearOperatorComposition",
    "LinearOperatorDiag", "LinearOperatorFullMatrix", "LinearOperatorHouseholder",
    "LinearOperatorIdentity", "LinearOperatorInversion", "LinearOperatorKronecker",
    "LinearOperatorLowRankUpdate", "LinearOperatorLowerTriangular", "LinearOperatorScaledIdentity",
    "LinearOperatorToeplitz", "LinearOperatorZeros", "adjoint", "band_part", "cholesky", "cholesky_solve",
    "cross", "det", "diag", "diag_part", "eigh", "eigvalsh", "einsum", "expm", "eye", "global_norm",
    "inv", "l2_normalize", "logdet", "logm", "lstsq", "lu", "matmul", "matrix_rank", "matrix_transpose",
    "matvec", "norm", "normalize", "pinv", "qr", "set_diag", "slogdet", "solve", "sqrtm", "svd",
    "tensor_diag", "tensor_diag_part", "tensordot", "trace", "transpose", "triangular_solve",
    "tridiagonal_matmul", "tridiagonal_solve",
]  # fmt: skip
