"""`tf.contrib.legacy_seq2seq`: losses and decoders of lists of steps."""

from ...engine.models.contrib.sequence_losses import legacy_sequence_loss as sequence_loss
from ...engine.models.contrib.sequence_losses import sequence_loss_by_example
from ...engine.models.rnn.decoders import basic_rnn_seq2seq, rnn_decoder, tied_rnn_seq2seq

__all__ = [
    "basic_rnn_seq2seq", "rnn_decoder", "sequence_loss", "sequence_loss_by_example", "tied_rnn_seq2seq",
]  # fmt: skip
