"""Training and evaluation in one call, as `tf.contrib.layers` and `tf.contrib.slim` have them."""
