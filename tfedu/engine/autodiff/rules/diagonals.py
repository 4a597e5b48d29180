"""Gradients of what puts diagonals into matrices and takes them out of matrices."""

from __future__ import annotations

from typing import Any

from ...base.shapes import is_full, merge
from ...graph.conversion import convert_to_tensor
from ...lib.arrays import array, slicing
from ...lib.control.cond import cond
from ...lib.linalg import linalg
from ...lib.math import math, reductions
from ...ops import diagonals as bands
from ...ops import linalg as ops

ops.diag.grad(lambda op, g: linalg.diag_part(g))
ops.diag_part.grad(lambda op, g: linalg.diag(g))
ops.matrix_diag.grad(lambda op, g: linalg.matrix_diag_part(g))


def _sides(x: Any) -> tuple[int | None, int | None]:
    shape = x.raw_shape
    return (None, None) if shape is None or len(shape) < 2 else shape[-2:]


@ops.matrix_diag_part.grad
def _(op: Any, g: Any) -> Any:
    rows, columns = _sides(op.inputs[0])
    if rows is not None and rows == columns:
        return linalg.matrix_diag(g)
    return linalg.matrix_set_diag(array.zeros_like(op.inputs[0]), g)


@ops.matrix_set_diag.grad
def _(op: Any, g: Any) -> Any:
    whole = merge(op.inputs[0].raw_shape, g.raw_shape)
    diagonal = op.inputs[1].raw_shape
    batch = None if whole is None else whole[:-2]
    if diagonal is not None:
        batch = merge(batch, diagonal[:-1])
    sizes: Any
    if whole is not None and is_full(batch) and is_full(whole[-2:]):
        sizes = [*batch, min(whole[-2:])]
    else:
        with op.graph.colocate_with(g):
            shape, rank = array.shape(g), array.rank(g)
            outer, sides = slicing.slice(shape, [0], [rank - 2]), slicing.slice(shape, [rank - 2], [2])
            sizes = array.concat([outer, [reductions.reduce_min(sides)]], 0)
    return linalg.matrix_set_diag(g, array.zeros(sizes, dtype=g.dtype)), linalg.matrix_diag_part(g)


@ops.matrix_band_part.grad
def _(op: Any, g: Any) -> Any:
    return linalg.matrix_band_part(g, *op.inputs[1:]), None, None


# -- several diagonals at once ---------------------------------------------------------------------------------------------


@bands.matrix_diag_v2.grad
def _(op: Any, g: Any) -> Any:
    return linalg.matrix_diag_part(g, k=op.inputs[1]), None, None, None, None


@bands.matrix_diag_part_v2.grad
def _(op: Any, g: Any) -> Any:
    x, k, _ = op.inputs
    rows, columns = _sides(x)
    if rows is not None and columns is not None:
        return linalg.matrix_diag(g, k=k, num_rows=rows, num_cols=columns), None, None
    return linalg.matrix_set_diag(array.zeros_like(x), g, k=k), None, None


@bands.matrix_set_diag_v2.grad
def _(op: Any, g: Any) -> Any:
    k = op.inputs[2]
    known = op.inputs[1].raw_shape
    sizes = known if is_full(known) else _diagonal_sizes(g, k)
    zeros = array.zeros(sizes, dtype=g.dtype)
    return linalg.matrix_set_diag(g, zeros, k=k), linalg.matrix_diag_part(g, k=k), None


def _diagonal_sizes(g: Any, k: Any) -> Any:
    """The shape of the diagonals k of matrices like g, as nodes."""
    shape = array.shape(g)
    batch, sides = shape[:-2], shape[-2:]
    ends = array.reshape(k, [-1])
    low, high = ends[0], ends[-1]
    rows = cond(math.less(high, 0), lambda: high, lambda: 0)
    columns = cond(math.greater(low, 0), lambda: -low, lambda: 0)
    longest = math.minimum(sides[0] + rows, sides[1] + columns)
    last = cond(
        math.equal(low, high),
        lambda: convert_to_tensor([longest]),
        lambda: convert_to_tensor([high - low + 1, longest]),
    )
    return array.concat([batch, last], 0)
