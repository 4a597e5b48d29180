"""`tf.io`: files, and what is read from and written to them."""

from . import gfile

__all__ = [
    "gfile",
]  # fmt: skip
