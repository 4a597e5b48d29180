"""`tf.keras.datasets.cifar100`: pictures of 100 kinds, from files in ~/.keras/datasets."""
from ...engine.models.keras_data.pickled_datasets import load_cifar100 as load_data

__all__ = [
    "load_data",
]  # fmt: skip
