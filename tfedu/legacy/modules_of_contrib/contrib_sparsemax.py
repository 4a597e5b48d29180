"""`tf.contrib.sparsemax`: a softmax with zeros, and its loss."""

from ...engine.models.contrib.nn_functions import sparsemax, sparsemax_loss

__all__ = [
    "sparsemax", "sparsemax_loss",
]  # fmt: skip
