"""`tf.keras.preprocessing.text`: texts as numbers."""
from ...engine.models.keras_data.texts_as_numbers import (
    Tokenizer,
    hashing_trick,
    one_hot,
    text_to_word_sequence,
    tokenizer_from_json,
)

__all__ = [
    "Tokenizer", "hashing_trick", "one_hot", "text_to_word_sequence", "tokenizer_from_json",
]  # fmt: skip
