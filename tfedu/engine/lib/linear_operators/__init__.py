"""Matrices that are known by what they do: `tf.linalg.LinearOperator` and its classes, as in TF 1.15."""
