"""`tf.keras.wrappers`: Keras models for other libraries."""
from . import scikit_learn

__all__ = [
    "scikit_learn",
]  # fmt: skip
