"""`tf.keras.datasets.cifar10`: pictures of ten kinds, from files in ~/.keras/datasets."""
from ...engine.models.keras_data.pickled_datasets import load_cifar10 as load_data

__all__ = [
    "load_data",
]  # fmt: skip
