"""`batch_dot(x, y, axes)`: the products of each sample of x with that of y, summed along an axis of each. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...lib.arrays import array
from ...lib.math import reductions
from ...lib.math.products import matmul


def batch_dot(x: Any, y: Any, axes: Any = None) -> Any:
    """x [n, ...] and y [n, ...] -> [n, ...]: the axes of x without axes[0], then those of y without axes[1].

    Raises: ValueError for an input without an axis beside the batch.
    """
    ranks = len(x.shape), len(y.shape)
    if min(ranks) < 2:
        raise ValueError(error_text("Cannot do batch_dot on inputs with rank < 2."))
    if axes is None:
        axes = [ranks[0] - 1, ranks[1] - 2 if ranks[1] > 2 else ranks[1] - 1]
    axes = [axes] * 2 if isinstance(axes, int) else list(axes)
    axes = [axis % rank for axis, rank in zip(axes, ranks)]
    if ranks == (2, 2):
        return array.expand_dims(reductions.reduce_sum(x * y, axes[0]), 1)
    left = _as_matrices(x, axes[0], last=True)
    right = _as_matrices(y, axes[1], last=False)
    product = matmul(left, right)
    sizes = [*_others(x, axes[0]), *_others(y, axes[1])]
    return array.reshape(product, [array.shape(x)[0], *sizes])


def _others(x: Any, axis: int) -> list[Any]:
    """The sizes beside the batch and the axis, as numbers or tensors."""
    known = x.shape.as_list()
    return [known[i] if known[i] is not None else array.shape(x)[i] for i in range(1, len(known)) if i != axis]


def _as_matrices(x: Any, axis: int, last: bool) -> Any:
    """x as [n, others, size], or [n, size, others], with the axis as size."""
    rank = len(x.shape)
    others = [i for i in range(1, rank) if i != axis]
    order = [0, *others, axis] if last else [0, axis, *others]
    turned = x if order == list(range(rank)) else array.transpose(x, order)
    if rank == 3:
        return turned
    sizes = array.shape(x)
    return array.reshape(turned, [sizes[0], -1, sizes[axis]] if last else [sizes[0], sizes[axis], -1])


__all__ = ["batch_dot"]
