"""`tf.contrib.nn`: functions that never came to `tf.nn`."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.lib.nn.convolution import conv1d_transpose
from ...engine.models.contrib.nn_functions import (
    alpha_dropout, deprecated_flipped_sigmoid_cross_entropy_with_logits,
    deprecated_flipped_softmax_cross_entropy_with_logits, deprecated_flipped_sparse_softmax_cross_entropy_with_logits,
    nth_element, scaled_softplus,
)  # fmt: skip
from ...engine.models.contrib.sampling_losses import rank_sampled_softmax_loss, sampled_sparse_softmax_loss

__all__ = [
    "alpha_dropout", "conv1d_transpose", "deprecated_flipped_sigmoid_cross_entropy_with_logits",
    "deprecated_flipped_softmax_cross_entropy_with_logits",
    "deprecated_flipped_sparse_softmax_cross_entropy_with_logits", "nth_element",
    "rank_sampled_softmax_loss", "sampled_sparse_softmax_loss", "scaled_softplus",
]  # fmt: skip
