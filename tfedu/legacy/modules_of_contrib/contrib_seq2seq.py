"""`tf.contrib.seq2seq`: the loss of sequences."""

from ...engine.models.seq2seq.sequence_losses import sequence_loss

__all__ = [
    "sequence_loss",
]  # fmt: skip
