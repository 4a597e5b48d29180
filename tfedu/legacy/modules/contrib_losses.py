"""`tf.contrib.losses`: losses that take predictions before labels. No state."""

from __future__ import annotations

from typing import Any

from ... import losses as _losses
from ...engine.training.losses.losses import add_loss, get_losses, get_regularization_losses, get_total_loss
from .argument_order import turned as _turned

absolute_difference = _turned(_losses.absolute_difference, "absolute_difference")
cosine_distance = _turned(_losses.cosine_distance, "cosine_distance")
log_loss = _turned(_losses.log_loss, "log_loss")
mean_pairwise_squared_error = _turned(_losses.mean_pairwise_squared_error, "mean_pairwise_squared_error")
mean_squared_error = _turned(_losses.mean_squared_error, "mean_squared_error")
sigmoid_cross_entropy = _turned(_losses.sigmoid_cross_entropy, "sigmoid_cross_entropy")
softmax_cross_entropy = _turned(_losses.softmax_cross_entropy, "softmax_cross_entropy")
sparse_softmax_cross_entropy = _turned(_losses.sparse_softmax_cross_entropy, "sparse_softmax_cross_entropy")
compute_weighted_loss = _losses.compute_weighted_loss


def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> Any:
    """max(0, 1 - side · logit) of each element, in no collection; the side is -1 for label 0 and 1 for label 1."""
    return _losses.hinge_loss(labels, logits, scope=scope, loss_collection=None, reduction=_losses.Reduction.NONE)


__all__ = [
    "absolute_difference", "add_loss", "compute_weighted_loss", "cosine_distance", "get_losses",
    "get_regularization_losses", "get_total_loss", "hinge_loss", "log_loss",
    "mean_pairwise_squared_error", "mean_squared_error", "sigmoid_cross_entropy", "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]  # fmt: skip
