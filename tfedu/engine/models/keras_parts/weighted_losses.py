"""How Keras weights the losses of samples and makes one number of them. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.control.cond import cond
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math, reductions
from ...lib.nn.sample_weights import broadcast_weights, may_lose_last_axis, remove_squeezable_dimensions


class ReductionV2:
    """How the losses of samples become one number: their sum or mean; NONE leaves them. AUTO: as the training wants it."""

    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """The four keys."""
        return (cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE)

    @classmethod
    def validate(cls, key: Any) -> None:
        """Raises: ValueError for a key that is no reduction."""
        if key not in cls.all():
            raise ValueError(error_text(f"Invalid Reduction Key {key}.", fix=f"the keys: {', '.join(cls.all())}"))


def of_one_rank(y_pred: Any, y_true: Any = None, sample_weight: Any = None) -> tuple[Any, Any, Any]:
    """(y_pred, y_true, sample_weight) without surplus last axes of size 1; the weights' rank becomes that of y_pred."""
    if y_true is not None:
        ranks = y_pred.shape.ndims, y_true.shape.ndims
        if None in ranks or ranks[0] - ranks[1] != 1 or y_pred.shape[-1] == 1:
            y_true, y_pred = remove_squeezable_dimensions(y_true, y_pred)
    if sample_weight is None:
        return y_pred, y_true, None
    sample_weight = convert_to_tensor(sample_weight)
    own, wanted = sample_weight.shape.ndims, y_pred.shape.ndims
    if own == 0:
        return y_pred, y_true, sample_weight
    if None not in (own, wanted):
        if own - wanted == 1:
            sample_weight = array.squeeze(sample_weight, [-1])
        elif wanted - own == 1:
            sample_weight = array.expand_dims(sample_weight, [-1])
        return y_pred, y_true, sample_weight
    return y_pred, y_true, _of_rank_in_run(sample_weight, y_pred)


def _of_rank_in_run(weights: Tensor, values: Tensor) -> Any:
    """The weights with one last axis more or less, for ranks that only the run knows."""
    rank = array.rank(weights)
    surplus = rank - array.rank(values)

    def shorter() -> Any:
        return array.squeeze(weights, [-1]) if may_lose_last_axis(weights) else weights

    def longer() -> Any:
        return cond(math.equal(surplus, -1), lambda: array.expand_dims(weights, [-1]), lambda: weights)

    return cond(math.equal(rank, 0), lambda: weights, lambda: cond(math.equal(surplus, 1), shorter, longer))


def compute_weighted_loss(
    losses: Any, sample_weight: Any = None, reduction: str = ReductionV2.SUM_OVER_BATCH_SIZE, name: str | None = None
) -> Any:
    """losses · sample_weight, reduced: losses [batch, ...], weights that broadcast to them -> a scalar; NONE: [batch, ...].

    Raises: ValueError for an unknown reduction, or weights that do not broadcast.
    """
    ReductionV2.validate(reduction)
    reduction = ReductionV2.SUM_OVER_BATCH_SIZE if reduction == ReductionV2.AUTO else reduction
    with name_scope(name or "weighted_loss"):
        losses = convert_to_tensor(losses)
        dtype = losses.dtype
        losses = math.cast(losses, dtypes.float32)
        weights = math.cast(1.0 if sample_weight is None else sample_weight, dtypes.float32)
        losses, _, weights = of_one_rank(losses, None, weights)
        weighted = math.multiply(losses, broadcast_weights(weights, losses))
        return math.cast(reduce_weighted_loss(weighted, reduction), dtype)


def reduce_weighted_loss(weighted: Tensor, reduction: str = ReductionV2.SUM_OVER_BATCH_SIZE) -> Any:
    """The sum or mean of weighted losses [batch, ...]."""
    if reduction == ReductionV2.NONE:
        return weighted
    loss = reductions.reduce_sum(weighted)
    if reduction not in (ReductionV2.SUM_OVER_BATCH_SIZE, ReductionV2.AUTO):
        return loss
    with name_scope("num_elements") as scope:
        number = math.cast(array.size(weighted, name=scope), weighted.dtype)
    return math.div_no_nan(reductions.reduce_sum(loss), number, name="value")


__all__ = ["ReductionV2", "compute_weighted_loss", "of_one_rank", "reduce_weighted_loss"]
