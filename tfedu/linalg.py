"""`tf.linalg`: matrices."""

from .engine.lib.array import eye, matrix_transpose, matrix_transpose as transpose
from .engine.lib.math import cross, global_norm, l2_normalize, matmul, matvec, tensordot, trace

__all__ = [
    "cross", "eye", "global_norm", "l2_normalize", "matmul", "matrix_transpose", "matvec", "tensordot",
    "trace", "transpose",
]  # fmt: skip
