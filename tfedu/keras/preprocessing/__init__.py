"""`tf.keras.preprocessing`: texts and sequences as arrays."""
from . import sequence, text

__all__ = [
    "sequence", "text",
]  # fmt: skip
