"""Sequence to sequence: `tf.contrib.seq2seq`'s decoders and attention, and `tf.contrib.legacy_seq2seq` over lists of steps."""
