"""Probability distributions as parts of a graph: `tf.distributions`, one module a family. No state."""
