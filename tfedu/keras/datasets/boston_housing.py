"""`tf.keras.datasets.boston_housing`."""
from ...engine.models.keras_data.cached_files import load_boston_housing as load_data

__all__ = [
    "load_data",
]  # fmt: skip
