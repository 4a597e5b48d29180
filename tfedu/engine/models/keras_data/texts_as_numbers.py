"""`Tokenizer`: texts as lists of numbers, one for each word, and as rows of a matrix. State: a tokenizer's words and counts."""

from __future__ import annotations

import collections
import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np

from ...base.errors import error_text

_COUNTED: Final = ("word_counts", "word_docs", "index_docs", "index_word", "word_index")
_FILTERS: Final = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(text: str, filters: str = _FILTERS, lower: bool = True, split: str = " ") -> list[str]:
    """The words of a text; characters of `filters` separate, too."""
    text = text.lower() if lower else text
    return [word for word in text.translate({ord(c): split for c in filters}).split(split) if word]


def one_hot(text: str, n: int, filters: str = _FILTERS, lower: bool = True, split: str = " ") -> list[int]:
    """A number from 1 to n - 1 for each word, by Python's hash: equal words have equal numbers in one process."""
    return hashing_trick(text, n, hash_function=hash, filters=filters, lower=lower, split=split)


def hashing_trick(
    text: str, n: int, hash_function: Any = None, filters: str = _FILTERS, lower: bool = True, split: str = " "
) -> list[int]:
    """A number from 1 to n - 1 for each word. hash_function: a function, "md5", or None for Python's hash."""
    if hash_function == "md5":
        hash_function = lambda word: int(hashlib.md5(word.encode(), usedforsecurity=False).hexdigest(), 16)
    hashed = hash if hash_function is None else hash_function
    return [hashed(word) % (n - 1) + 1 for word in text_to_word_sequence(text, filters=filters, lower=lower, split=split)]


class Tokenizer:
    """Numbers for words, from the most frequent on.

    num_words: how many numbers there are, 0 among them; others are left out, or get the number of oov_token. char_level: a
    number for each character.
    """

    def __init__(
        self, num_words: int | None = None, filters: str = _FILTERS, lower: bool = True, split: str = " ",
        char_level: bool = False, oov_token: str | None = None, document_count: int = 0, **kwargs: Any,
    ) -> None:  # fmt: skip
        kwargs.pop("nb_words", None)
        if kwargs:
            raise TypeError(error_text(f"Unrecognized keyword arguments: {kwargs}"))
        self.word_counts: dict[str, int] = collections.OrderedDict()
        self.word_docs: dict[str, int] = collections.defaultdict(int)
        self.num_words, self.filters, self.split, self.lower = num_words, filters, split, lower
        self.char_level, self.oov_token, self.document_count = char_level, oov_token, document_count
        self.index_docs: dict[int, int] = collections.defaultdict(int)
        self.word_index: dict[str, int] = {}
        self.index_word: dict[int, str] = {}

    def _words(self, text: Any) -> list[str]:
        if self.char_level or isinstance(text, list):
            parts = text if isinstance(text, list) else list(text)
            return [part.lower() for part in parts] if self.lower else list(parts)
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts: Iterable[Any]) -> None:
        """Counts the words of texts, and numbers them."""
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in set(words):
                self.word_docs[word] += 1
        by_count = sorted(self.word_counts.items(), key=lambda pair: pair[1], reverse=True)
        ordered = ([] if self.oov_token is None else [self.oov_token]) + [word for word, _ in by_count]
        self.word_index = {word: number for number, word in enumerate(ordered, 1)}
        self.index_word = {number: word for word, number in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def fit_on_sequences(self, sequences: Iterable[Any]) -> None:
        """Counts the numbers of lists of numbers."""
        for sequence in sequences:
            self.document_count += 1
            for number in set(sequence):
                self.index_docs[number] += 1

    def texts_to_sequences(self, texts: Iterable[Any]) -> list[list[int]]:
        """A list of numbers for each text."""
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts: Iterable[Any]) -> Iterator[list[int]]:
        """A list of numbers for each text, one by one."""
        unknown = self.word_index.get(self.oov_token) if self.oov_token is not None else None
        for text in texts:
            found = []
            for word in self._words(text):
                number = self.word_index.get(word)
                if number is None or (self.num_words and number >= self.num_words):
                    number = unknown
                if number is not None:
                    found.append(number)
            yield found

    def sequences_to_texts(self, sequences: Iterable[Any]) -> list[str]:
        """A text for each list of numbers, the words between spaces."""
        return list(self.sequences_to_texts_generator(sequences))

    def sequences_to_texts_generator(self, sequences: Iterable[Any]) -> Iterator[str]:
        """A text for each list of numbers, one by one."""
        for sequence in sequences:
            words = []
            for number in sequence:
                word = self.index_word.get(number)
                if word is None or (self.num_words and number >= self.num_words):
                    word = self.oov_token
                if word is not None:
                    words.append(word)
            yield " ".join(words)

    def texts_to_matrix(self, texts: Iterable[Any], mode: str = "binary") -> Any:
        """A row [num_words] for each text: as `sequences_to_matrix`."""
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode=mode)

    def sequences_to_matrix(self, sequences: Any, mode: str = "binary") -> Any:
        """A row [num_words] for each list of numbers. mode: "binary", "count", "freq", or "tfidf".

        Raises: ValueError without words, or for another mode.
        """
        if not self.num_words and not self.word_index:
            raise ValueError(error_text("Specify a dimension (`num_words` argument), or fit on some text data first."))
        if mode == "tfidf" and not self.document_count:
            raise ValueError(error_text("Fit the Tokenizer on some data before using tfidf mode."))
        width = self.num_words or len(self.word_index) + 1
        matrix = np.zeros((len(sequences), width))
        for row, sequence in enumerate(sequences):
            counts = collections.Counter(number for number in sequence if number < width)
            for number, count in counts.items():
                if mode == "count":
                    matrix[row, number] = count
                elif mode == "freq":
                    matrix[row, number] = count / len(sequence)
                elif mode == "binary":
                    matrix[row, number] = 1
                elif mode == "tfidf":
                    idf = np.log(1 + self.document_count / (1 + self.index_docs.get(number, 0)))
                    matrix[row, number] = (1 + np.log(count)) * idf
                else:
                    raise ValueError(error_text(f"('Unknown vectorization mode:', {mode!r})"))
        return matrix

    def get_config(self) -> dict[str, Any]:
        """The arguments and what was counted; dicts as JSON."""
        plain = ("num_words", "filters", "lower", "split", "char_level", "oov_token", "document_count")
        told = {name: getattr(self, name) for name in plain}
        return {**told, **{name: json.dumps(getattr(self, name)) for name in _COUNTED}}

    def to_json(self, **kwargs: Any) -> str:
        """The configuration as JSON. kwargs: as of `json.dumps`."""
        return json.dumps({"class_name": type(self).__name__, "config": self.get_config()}, **kwargs)


def tokenizer_from_json(json_string: str) -> Tokenizer:
    """The tokenizer of `to_json`."""
    config = json.loads(json_string)["config"]
    counted = {name: json.loads(config.pop(name)) for name in _COUNTED}
    tokenizer = Tokenizer(**config)
    tokenizer.word_counts.update(counted["word_counts"])
    tokenizer.word_docs.update(counted["word_docs"])
    tokenizer.index_docs.update({int(key): value for key, value in counted["index_docs"].items()})
    tokenizer.index_word = {int(key): value for key, value in counted["index_word"].items()}
    tokenizer.word_index = counted["word_index"]
    return tokenizer


__all__ = ["Tokenizer", "hashing_trick", "one_hot", "text_to_word_sequence", "tokenizer_from_json"]
