"""`tf.contrib.slim.learning`: training in one call."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.models.training_of_contrib.slim_learning import (
    add_gradients_summaries, clip_gradient_norms, create_train_op, multiply_gradients, train, train_step,
)  # fmt: skip

__all__ = [
    "add_gradients_summaries", "clip_gradient_norms", "create_train_op", "multiply_gradients", "train",
    "train_step",
]  # fmt: skip
