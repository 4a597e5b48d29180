"""`tf.keras.preprocessing`: texts, sequences and pictures as arrays."""
from . import image, sequence, text

__all__ = [
    "image", "sequence", "text",
]  # fmt: skip
