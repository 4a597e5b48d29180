"""The distributions that `tf.contrib.distributions` has beside those of `tf.distributions`, one module a family. No state."""
