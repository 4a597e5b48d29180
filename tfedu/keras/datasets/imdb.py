"""`tf.keras.datasets.imdb`: reviews as lists of ranks, from files in ~/.keras/datasets."""
from ...engine.models.keras_data.pickled_datasets import imdb_word_index as get_word_index
from ...engine.models.keras_data.pickled_datasets import load_imdb as load_data

__all__ = [
    "get_word_index", "load_data",
]  # fmt: skip
