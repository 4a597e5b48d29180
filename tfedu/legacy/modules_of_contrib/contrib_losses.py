"""`tf.contrib.losses`: the losses before `tf.losses`, which take predictions before labels."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.models.contrib.older_losses import (
    absolute_difference, add_loss, compute_weighted_loss, cosine_distance, get_total_loss, hinge_loss, log_loss,
    mean_pairwise_squared_error, mean_squared_error, sigmoid_cross_entropy, softmax_cross_entropy,
    sparse_softmax_cross_entropy,
)  # fmt: skip
from ...engine.training.losses.losses import get_losses, get_regularization_losses

__all__ = [
    "absolute_difference", "add_loss", "compute_weighted_loss", "cosine_distance", "get_losses",
    "get_regularization_losses", "get_total_loss", "hinge_loss", "log_loss",
    "mean_pairwise_squared_error", "mean_squared_error", "sigmoid_cross_entropy", "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]  # fmt: skip
