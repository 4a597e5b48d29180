"""The cells that `tf.contrib.rnn` has beside those of `tf.nn.rnn_cell`."""
