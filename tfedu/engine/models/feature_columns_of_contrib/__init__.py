"""The feature columns of `tf.contrib.layers`, which are older than `tf.feature_column`, and what programs make of them."""
