"""`tf.contrib.legacy_seq2seq`: losses, decoders and models of lists of steps."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.models.seq2seq.model_buckets import model_with_buckets
from ...engine.models.seq2seq.embedding_decoders import (
    embedding_attention_decoder, embedding_attention_seq2seq, embedding_rnn_decoder, embedding_rnn_seq2seq,
    embedding_tied_rnn_seq2seq, one2many_rnn_seq2seq,
)  # fmt: skip
from ...engine.models.seq2seq.list_attention import attention_decoder
from ...engine.models.seq2seq.list_decoders import basic_rnn_seq2seq, rnn_decoder, tied_rnn_seq2seq
from ...engine.models.seq2seq.sequence_losses import legacy_sequence_loss as sequence_loss
from ...engine.models.seq2seq.sequence_losses import sequence_loss_by_example

__all__ = [
    "attention_decoder", "basic_rnn_seq2seq", "embedding_attention_decoder",
    "embedding_attention_seq2seq", "embedding_rnn_decoder", "embedding_rnn_seq2seq",
    "embedding_tied_rnn_seq2seq", "model_with_buckets", "one2many_rnn_seq2seq", "rnn_decoder",
    "sequence_loss", "sequence_loss_by_example", "tied_rnn_seq2seq",
]  # fmt: skip
