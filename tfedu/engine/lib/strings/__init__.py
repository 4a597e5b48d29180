"""Functions of strings, and tf.print."""
