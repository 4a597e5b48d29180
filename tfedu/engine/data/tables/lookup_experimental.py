"""`tf.lookup.experimental`: a table that nodes change."""

from .mutable import DenseHashTable

__all__ = ["DenseHashTable"]
