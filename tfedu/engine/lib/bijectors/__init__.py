"""Invertible transformations of random events: `tf.contrib.distributions.bijectors`, one module a family. No state."""
