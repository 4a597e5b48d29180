"""`tf.contrib.seq2seq`: the loss of sequences."""

from ...engine.models.contrib.sequence_losses import sequence_loss

__all__ = [
    "sequence_loss",
]  # fmt: skip
