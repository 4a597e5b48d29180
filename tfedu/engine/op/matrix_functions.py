"""`matmul(a, b)`, `adjoint(x)`, `eye(n)`: the functions on matrices that gradient rules and the library share.

Each adds the nodes that TF's Python function of that name adds, under the same names. Matrices are [..., m, n]. No state.
"""

from __future__ import annotations

from typing import Any

from ..base import dtypes
from ..base.shapes import Dimension
from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor
from ..graph.nodes import Tensor
from .callers import nodes
from .name_scopes import named
from .tensor_functions import concat, conj, ones, rank, transpose, zeros


@atomic
def matrix_transpose(a: Any, name: str | None = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """The last two axes exchanged: [..., m, n] -> [..., n, m].

    Raises: ValueError for a rank below 2.
    """
    with named(name, "matrix_transpose", [a]):
        a = convert_to_tensor(a, name="a")
        raw = a.raw_shape
        if raw is not None:
            if len(raw) < 2:
                raise ValueError(
                    f"Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: {a.shape}"
                )
            perm: Any = [*range(len(raw) - 2), len(raw) - 1, len(raw) - 2]
        else:
            count = rank(a)
            front = nodes.Range(0, nodes.Sub(count, 2, name="sub"), 1)
            ends = [nodes.Sub(count, 1, name="sub"), nodes.Sub(count, 2, name="sub")]
            perm = concat((front, ends), 0)
        return transpose(a, perm=perm, conjugate=conjugate)


@atomic
def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """The conjugate transposes of matrices: [..., m, n] -> [..., n, m]."""
    with named(name, "adjoint", [matrix]):
        return matrix_transpose(convert_to_tensor(matrix, name="matrix"), conjugate=True)


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Matrix products: a [..., m, k] · b [..., k, n] -> [..., m, n].

    Raises: ValueError when one matrix is to be both transposed and adjoined, or when the sizes do not fit.
    """
    if (
        type(a) is Tensor and type(b) is Tensor and a.raw_shape is not None and b.raw_shape is not None
        and len(a.raw_shape) == 2 == len(b.raw_shape)
        and not (adjoint_a or adjoint_b or a_is_sparse or b_is_sparse)
    ):  # fmt: skip
        # The usual case is one node, which needs no scope around it.
        product: Tensor = nodes.MatMul(
            a, b, transpose_a=transpose_a, transpose_b=transpose_b, name=name
        )
        return product
    return _matmul(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, a_is_sparse, b_is_sparse, name)


@atomic
def _matmul(
    a: Any,
    b: Any,
    transpose_a: bool,
    transpose_b: bool,
    adjoint_a: bool,
    adjoint_b: bool,
    a_is_sparse: bool,
    b_is_sparse: bool,
    name: str | None,
) -> Tensor:
    with named(name, "MatMul", [a, b]) as scope:
        if transpose_a and adjoint_a:
            raise ValueError("Only one of transpose_a and adjoint_a can be True.")
        if transpose_b and adjoint_b:
            raise ValueError("Only one of transpose_b and adjoint_b can be True.")
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, preferred_dtype=a.dtype.base_dtype, name="b")
        ranks = [None if t.raw_shape is None else len(t.raw_shape) for t in (a, b)]
        if any(rank is None or rank > 2 for rank in ranks) and not a_is_sparse and not b_is_sparse:
            # The batched op knows adjoints alone: a transpose is the adjoint of the conjugate.
            if transpose_a:
                a, adjoint_a = conj(a), True
            if transpose_b:
                b, adjoint_b = conj(b), True
            return nodes.BatchMatMulV2(a, b, adj_x=adjoint_a, adj_y=adjoint_b, name=scope)
        if adjoint_a:
            a, transpose_a = conj(a), True
        if adjoint_b:
            b, transpose_b = conj(b), True
        sparse = (dtypes.bfloat16, dtypes.float32)
        if (a_is_sparse or b_is_sparse) and a.dtype.base_dtype in sparse and b.dtype.base_dtype in sparse:
            return nodes.SparseMatMul(
                a, b, transpose_a=transpose_a, transpose_b=transpose_b, a_is_sparse=a_is_sparse, b_is_sparse=b_is_sparse,
                name=scope,
            )  # fmt: skip
        return nodes.MatMul(a, b, transpose_a=transpose_a, transpose_b=transpose_b, name=scope)


@atomic
def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Identity matrices [batch_shape..., num_rows, num_columns]."""
    with named(name, "eye", [num_rows, num_columns, batch_shape]):
        is_square = num_columns is None or num_columns is num_rows
        columns = num_rows if num_columns is None else num_columns
        batch = [] if batch_shape is None else batch_shape
        if isinstance(num_rows, Tensor) or isinstance(columns, Tensor):
            diagonal: Any = nodes.Minimum(num_rows, columns)
        else:
            is_square = num_rows == columns
            diagonal = min(int(num_rows), int(columns))
        if isinstance(batch, Tensor) or isinstance(diagonal, Tensor):
            batch = convert_to_tensor(batch, name="shape", dtype=dtypes.int32)
            diagonal_shape: Any = concat((batch, [diagonal]), axis=0)
            matrix_shape: Any = None if is_square else concat((batch, [num_rows, columns]), axis=0)
        else:
            batch = [d.value if isinstance(d, Dimension) else d for d in batch]
            diagonal_shape, matrix_shape = [*batch, diagonal], [*batch, num_rows, columns]
        ones_diagonal = ones(diagonal_shape, dtype=dtype)
        if is_square:
            return nodes.MatrixDiag(ones_diagonal, name="diag")
        return nodes.MatrixSetDiag(zeros(matrix_shape, dtype=dtype), ones_diagonal, name="set_diag")
