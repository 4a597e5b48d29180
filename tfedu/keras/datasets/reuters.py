"""`tf.keras.datasets.reuters`: news as lists of ranks, from files in ~/.keras/datasets."""
from ...engine.models.keras_data.pickled_datasets import load_reuters as load_data
from ...engine.models.keras_data.pickled_datasets import reuters_word_index as get_word_index

__all__ = [
    "get_word_index", "load_data",
]  # fmt: skip
