"""The regularizers of `tf.contrib.layers`."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.training.losses.regularizers import (
    apply_regularization, l1_l2_regularizer, l1_regularizer, l2_regularizer, sum_regularizer,
)  # fmt: skip

__all__ = [
    "apply_regularization", "l1_l2_regularizer", "l1_regularizer", "l2_regularizer", "sum_regularizer",
]  # fmt: skip
