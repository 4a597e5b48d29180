"""Embeddings of `tf.contrib.layers`, and the crosses of features that they look up."""
