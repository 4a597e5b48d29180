"""Gradients that depend on shapes which only a run knows: their rules build conds, of which the op tables know nothing.

Source of the formulas for least squares: Giles, 2008 (NA-08/01). No state.
"""

from __future__ import annotations

from typing import Any

from ..base.shapes import is_full
from ..graph.conversion import convert_to_tensor
from ..lib.control.cond import cond
from ..lib.linalg import linalg
from ..lib.linalg.solve import regularized_factor
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.matrix_functions import matmul, matrix_transpose
from ..ops import diagonals, solve


@diagonals.matrix_set_diag_v2.grad
def _(op: Any, g: Any) -> Any:
    diagonal, k = op.inputs[1:]
    sizes = diagonal.raw_shape if is_full(diagonal.raw_shape) else _diagonal_sizes(g, k)
    zeros = functions.zeros(sizes, dtype=g.dtype)
    return linalg.matrix_set_diag(g, zeros, k=k), linalg.matrix_diag_part(g, k=k), None


def _diagonal_sizes(g: Any, k: Any) -> Any:
    """The shape of the diagonals k of matrices like g."""
    sizes = functions.shape(g)
    batch, sides = sizes[:-2], sizes[-2:]
    ends = nodes.Reshape(k, [-1])
    low, high = ends[0], ends[-1]
    rows = cond(nodes.Less(high, 0), lambda: high, lambda: 0)
    columns = cond(nodes.Greater(low, 0), lambda: -low, lambda: 0)
    longest = nodes.Minimum(sides[0] + rows, sides[1] + columns)
    last = cond(
        nodes.Equal(low, high),
        lambda: convert_to_tensor([longest]),
        lambda: convert_to_tensor([high - low + 1, longest]),
    )
    return functions.concat([batch, last], 0)


@solve.matrix_solve_ls.grad
def _(op: Any, g: Any) -> Any:
    if not op.attrs["fast"]:
        raise ValueError("Gradient not defined for fast=False")
    a = op.inputs[0]
    known = a.raw_shape
    if known is not None and None not in known[-2:]:
        return (_of_tall if known[-2] >= known[-1] else _of_wide)(op, g)
    sides = functions.shape(a)[-2:]
    return [*cond(sides[-2] >= sides[-1], lambda: _of_tall(op, g)[:2], lambda: _of_wide(op, g)[:2]), None]


def _of_tall(op: Any, g: Any) -> Any:
    """X = (Aᴴ·A + λ)⁻¹ · Aᴴ · B."""
    a, b, weight = op.inputs
    x = op.outputs[0]
    factor = regularized_factor(a, functions.cast(weight, a.dtype.base_dtype), True, True)
    z = linalg.cholesky_solve(factor, g)
    product = matmul(x, z, adjoint_b=True)
    both = product + matrix_transpose(product)
    return -matmul(a, both) + matmul(b, z, adjoint_b=True), matmul(a, z), None


def _of_wide(op: Any, g: Any) -> Any:
    """X = Aᴴ · (A·Aᴴ + λ)⁻¹ · B."""
    a, b, weight = op.inputs
    factor = regularized_factor(a, functions.cast(weight, a.dtype.base_dtype), True, False)
    db = linalg.cholesky_solve(factor, matmul(a, g))
    z = linalg.cholesky_solve(factor, b)
    first = -matmul(db, matmul(z, a, adjoint_a=True))
    second = matmul(z, g - matmul(a, db, adjoint_a=True), adjoint_b=True)
    return first + second, db, None
