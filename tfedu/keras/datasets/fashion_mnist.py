"""`tf.keras.datasets.fashion_mnist`."""
from ...engine.models.keras_data.cached_files import load_fashion_mnist as load_data

__all__ = [
    "load_data",
]  # fmt: skip
