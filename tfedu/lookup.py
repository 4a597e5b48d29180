"""`tf.lookup`: tables from keys to values, which an initializer fills."""


from .engine.data.tables import lookup_experimental as experimental
from .engine.data.tables.initializers import KeyValueTensorInitializer, TextFileIndex, TextFileInitializer
from .engine.data.tables.lookup import StaticHashTable, StaticVocabularyTable

__all__ = [
    "KeyValueTensorInitializer", "StaticHashTable", "StaticVocabularyTable", "TextFileIndex",
    "TextFileInitializer", "experimental",
]  # fmt: skip
