"""`tf.contrib.learn.preprocessing`: texts as arrays of numbers."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.data.tables.word_vocabularies import (
    TOKENIZER_RE, ByteProcessor, CategoricalVocabulary, VocabularyProcessor, tokenizer,
)  # fmt: skip

__all__ = [
    "ByteProcessor", "CategoricalVocabulary", "TOKENIZER_RE", "VocabularyProcessor", "tokenizer",
]  # fmt: skip
