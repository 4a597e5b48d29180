"""`batch_dot(x, y, axes)`: the products of each sample of x with that of y, summed along an axis of each. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.arrays import array
from ...lib.math import reductions
from ...lib.math.math import multiply
from ...lib.math.products import matmul


@atomic
def batch_dot(x: Any, y: Any, axes: Any = None) -> Any:
    """x [n, ...] and y [n, ...] -> [n, ...]: the axes of x without axes[0], then those of y without axes[1].

    axes: the summed axis of each, one of the last two; by default the last one of x and the last but one of y. As in TF 1.15, a
    matrix product makes it: axes between the batch and the last two are those of both, an input with fewer axes gets further
    ones of size 1, and a negative axis means the last but one.

    Raises: ValueError for inputs of an unknown rank or of rank 1, and for sizes that do not fit.
    """
    ranks = x.shape.ndims, y.shape.ndims
    if None in ranks:
        raise ValueError(error_text("batch_dot takes inputs of known ranks", [x, y]))
    first, second = _settled_axes(axes, ranks)
    rank, missing = max(ranks), abs(ranks[0] - ranks[1])
    if ranks == (2, 2):
        left = x if first == second else array.transpose(x, [1, 0])
        return array.expand_dims(reductions.reduce_sum(multiply(left, y), second), 1)
    x, y = (_lengthened(each, missing) if each.shape.ndims < rank else each for each in (x, y))
    out = matmul(x, y, adjoint_a=first != rank - 1, adjoint_b=second == rank - 1)
    if missing:
        begin = sum(ranks) - 3 if ranks[0] > ranks[1] else ranks[0] - 1
        out = array.squeeze(out, list(range(begin, begin + missing)))
    return array.expand_dims(out, 1) if out.shape.ndims == 1 else out


def _settled_axes(axes: Any, ranks: tuple[int, int]) -> tuple[int, int]:
    if axes is None:
        return ranks[0] - 1, ranks[1] - 2
    return (axes, axes) if isinstance(axes, int) else (axes[0], axes[1])


def _lengthened(x: Any, missing: int) -> Any:
    """x with further axes of size 1."""
    return array.reshape(x, array.concat([array.shape(x), [1] * missing], axis=0))


__all__ = ["batch_dot"]
