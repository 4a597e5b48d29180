"""`tf.keras.datasets.cifar100`, whose files hold pickled objects."""
from ...engine.models.keras_data.cached_files import needs_pickle

load_data = needs_pickle("cifar100")

__all__ = [
    "load_data", "needs_pickle",
]  # fmt: skip
