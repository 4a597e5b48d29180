"""`compute_average_loss(losses)`, `scale_regularization_loss(loss)`: losses for a batch, as in TF 1.15. No state.

TF divides the work among replicas; here one machine computes it all.
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ..arrays import array
from ..checks import asserts
from ..control.cond import cond
from ..framework.scope_blocks import waiting_for
from ..math import math, reductions
from .sample_weights import broadcast_weights

_REPLICAS = 1
_WRONG_RANK = "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1"


@atomic
def compute_average_loss(per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None) -> Tensor:
    """The sum of all losses [n, ...], times sample_weight, divided by global_batch_size, which is n by default: [].

    sample_weight: a scalar, [n], or what broadcasts with the losses.
    Raises: ValueError for a scalar loss and for weights that do not fit.
    """
    losses = convert_to_tensor(per_example_loss)
    kind = losses.dtype.base_dtype
    rank = losses.shape.ndims
    if rank == 0:
        raise ValueError(error_text(f"{_WRONG_RANK}, received: {losses}", [losses]))
    checks = []
    if rank is None:
        found = array.rank(losses)
        checks = [asserts.assert_greater_equal(found, math.cast(1, dtypes.int32), message=f"{_WRONG_RANK}.")]
    with waiting_for(checks):
        if sample_weight is not None:
            losses = math.cast(_weighted(math.cast(losses, dtypes.float32), sample_weight), kind)
        if global_batch_size is None:
            global_batch_size = math.cast(array.shape(losses)[0] * _REPLICAS, kind)
        average: Tensor = reductions.reduce_sum(losses) / global_batch_size
        return average


def _weighted(losses: Tensor, sample_weight: Any) -> Tensor:
    weights = _of_rank_of(losses, math.cast(sample_weight, dtypes.float32))
    return math.multiply(losses, broadcast_weights(weights, losses))


def _of_rank_of(losses: Tensor, weights: Tensor) -> Tensor:
    """The weights with one axis of size 1 less or more at the end, where that gives the losses' rank."""
    ranks = weights.shape.ndims, losses.shape.ndims
    if ranks[0] == 0:
        return weights
    if ranks[0] is not None and ranks[1] is not None:
        if ranks[0] - ranks[1] == 1:
            return array.squeeze(weights, [-1])
        return array.expand_dims(weights, [-1]) if ranks[1] - ranks[0] == 1 else weights
    weights_rank = array.rank(weights)
    surplus = weights_rank - array.rank(losses)

    def lengthened() -> Tensor:
        return cond(math.equal(surplus, -1), lambda: array.expand_dims(weights, [-1]), lambda: weights)  # type: ignore[no-any-return]

    def fitted() -> Tensor:
        return cond(math.equal(surplus, 1), lambda: array.squeeze(weights, [-1]), lengthened)  # type: ignore[no-any-return]

    fitting: Tensor = cond(math.equal(weights_rank, 0), lambda: weights, fitted)
    return fitting


@atomic
def scale_regularization_loss(regularization_loss: Any) -> Tensor:
    """The sum of the losses [...] for each replica: []."""
    scaled: Tensor = reductions.reduce_sum(regularization_loss) / float(_REPLICAS)
    return scaled


__all__ = ["compute_average_loss", "scale_regularization_loss"]
