"""`tf.keras.datasets`: well-known data, from the files in ~/.keras/datasets."""
from . import boston_housing, cifar10, cifar100, fashion_mnist, imdb, mnist, reuters

__all__ = [
    "boston_housing", "cifar10", "cifar100", "fashion_mnist", "imdb", "mnist", "reuters",
]  # fmt: skip
