"""Texts as arrays of numbers, outside the graph: `VocabularyProcessor`, `CategoricalVocabulary`, `ByteProcessor`.

    processor = VocabularyProcessor(max_document_length=20)
    ids = np.array(list(processor.fit_transform(["a text", "another one"])))
    processor.save("vocabulary")

State: a vocabulary's words, and how often each came.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Final

import numpy as np

from ...base import errors
from ...base.errors import error_text
from ...files.gfile import File, Path, local

TOKENIZER_RE: Final = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+", re.UNICODE)
_FORMAT: Final = "tfedu vocabulary 1"
_PICKLE: Final = b"\x80"


def tokenizer(iterator: Iterable[str]) -> Iterator[list[str]]:
    """The words of each text."""
    for text in iterator:
        yield TOKENIZER_RE.findall(text)


class CategoricalVocabulary:
    """Numbers of categories: 0 is the unknown one, a new category gets the next number until the vocabulary is frozen.

    support_reverse: keeps the categories by number for `reverse`.
    """

    def __init__(self, unknown_token: Hashable = "<UNK>", support_reverse: bool = True) -> None:
        self._unknown_token = unknown_token
        self._support_reverse = support_reverse
        self._mapping: dict[Any, int] = {unknown_token: 0}
        self._reverse_mapping: list[Any] = [unknown_token]
        self._freq: dict[Any, int] = {}
        self._freeze = False

    def __len__(self) -> int:
        return len(self._mapping)

    def freeze(self, freeze: bool = True) -> None:
        """Gives further categories the number 0; freeze=False: numbers of their own again."""
        self._freeze = freeze

    def get(self, category: Hashable) -> int:
        """The number of the category; a new one if it has none and the vocabulary is not frozen, else 0."""
        if category not in self._mapping:
            if self._freeze:
                return 0
            self._mapping[category] = len(self._mapping)
            self._reverse_mapping.append(category)
        return self._mapping[category]

    def add(self, category: Hashable, count: int = 1) -> None:
        """Counts the category; one that has the number 0 is not counted.

        Differs from TF: a category that is new after `trim` is counted, where TF raises KeyError.
        """
        if self.get(category) > 0:
            self._freq[category] = self._freq.get(category, 0) + count

    def trim(self, min_frequency: int, max_frequency: int = -1) -> None:
        """Keeps the categories that came more often than min_frequency, and not more often than max_frequency (if positive).

        The most frequent one gets the number 1; equally frequent ones are in their own order.
        """
        ordered = sorted(sorted(self._freq.items(), key=lambda item: item[0]), key=lambda item: item[1], reverse=True)
        kept = [
            (category, count)
            for category, count in ordered
            if count > min_frequency and (max_frequency <= 0 or count < max_frequency)
        ]
        self._reverse_mapping = [self._unknown_token, *(category for category, _ in kept)]
        self._mapping = {category: number for number, category in enumerate(self._reverse_mapping)}
        self._freq = dict(kept)

    def reverse(self, class_id: int) -> Any:
        """The category of a number.

        Raises: ValueError without support_reverse, IndexError for a number that no category has.
        """
        if not self._support_reverse:
            raise ValueError(
                error_text("This vocabulary wasn't initialized with support_reverse to support reverse() function.")
            )
        return self._reverse_mapping[class_id]


class VocabularyProcessor:
    """Texts as arrays of the numbers of their words, cut or filled with 0 to one length.

    max_document_length: the length. min_frequency: words that come as often or less get the number 0. vocabulary: one to
    start with. tokenizer_fn: from texts to lists of words.
    """

    def __init__(
        self,
        max_document_length: int,
        min_frequency: int = 0,
        vocabulary: CategoricalVocabulary | None = None,
        tokenizer_fn: Callable[[Iterable[str]], Iterable[Iterable[str]]] | None = None,
    ) -> None:
        self.max_document_length = max_document_length
        self.min_frequency = min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents: Iterable[str], unused_y: Any = None) -> VocabularyProcessor:
        """Counts the words of all texts and freezes the vocabulary; returns itself.

        Raises: TypeError for a text that is no string.
        """
        for words in self._tokenizer(raw_documents):
            for word in words:
                self.vocabulary_.add(word)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents: Iterable[str], unused_y: Any = None) -> Iterator[np.ndarray]:
        """`fit`, then `transform` of the same texts."""
        documents = list(raw_documents)
        self.fit(documents)
        return self.transform(documents)

    def transform(self, raw_documents: Iterable[str]) -> Iterator[np.ndarray]:
        """The numbers of the words [max_document_length] of each text, int64."""
        for words in self._tokenizer(raw_documents):
            ids = np.zeros(self.max_document_length, np.int64)
            for i, word in enumerate(itertools.islice(words, self.max_document_length)):
                ids[i] = self.vocabulary_.get(word)
            yield ids

    def reverse(self, documents: Iterable[Iterable[int]]) -> Iterator[str]:
        """The words of the numbers of each text, joined by spaces."""
        for ids in documents:
            yield " ".join(self.vocabulary_.reverse(number) for number in ids)

    def save(self, filename: Path) -> None:
        """Writes lengths and vocabulary to a file, as JSON.

        Differs from TF: the file is no pickle, so that reading it runs no code; TF cannot read it.
        Raises: ValueError for a tokenizer_fn or words that are no strings, which JSON does not keep; OpError for a file
        that cannot be written.
        """
        vocabulary = self.vocabulary_
        words = vocabulary._reverse_mapping
        if self._tokenizer is not tokenizer:
            raise ValueError(
                error_text(
                    "A processor with a tokenizer_fn cannot be saved: tfedu writes no Python code into files.",
                    fix="save one without it, and pass its vocabulary_ to VocabularyProcessor(…, vocabulary, tokenizer_fn)",
                )
            )
        if not all(isinstance(word, str) for word in words):
            raise ValueError(error_text("Only a vocabulary of strings can be saved."))
        content = {
            "format": _FORMAT,
            "max_document_length": int(self.max_document_length),
            "min_frequency": int(self.min_frequency),
            "support_reverse": vocabulary._support_reverse,
            "frozen": vocabulary._freeze,
            "words": words,
            "counts": [vocabulary._freq.get(word, 0) for word in words],
        }
        with File(filename, "wb") as file:
            file.write(json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass"))

    @classmethod
    def restore(cls, filename: Path) -> VocabularyProcessor:
        """The processor in a file that `save` has written.

        Raises: NotFoundError for a missing file, DataLossError for a damaged one, UnimplementedError for a pickle of TF.
        """
        with File(filename, "rb") as file:
            data = file.read()
        name = local(filename)
        if data.startswith(_PICKLE):
            raise errors.UnimplementedError(
                None,
                None,
                error_text(
                    f"{name} is a pickle, as TensorFlow writes them; tfedu reads none, since that would run code out of the file",
                    fix="fit the processor again and save it here",
                ),
            )
        try:
            return _from_json(cls, json.loads(data.decode("utf-8", "surrogatepass")))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise errors.DataLossError(
                None, None, error_text(f"{name} is no vocabulary that VocabularyProcessor.save has written")
            ) from None


def _from_json(cls: type[VocabularyProcessor], content: Any) -> VocabularyProcessor:
    """Raises: ValueError, KeyError or TypeError for content that `save` does not write."""
    words, counts = content["words"], content["counts"]
    numbers = [content["max_document_length"], content["min_frequency"], *counts]
    if (
        content["format"] != _FORMAT
        or not words
        or len(words) != len(counts)
        or len(set(words)) != len(words)
        or not all(isinstance(word, str) for word in words)
        or not all(type(number) is int and number >= 0 for number in numbers)
    ):
        raise ValueError("not a vocabulary")
    vocabulary = CategoricalVocabulary(words[0], support_reverse=bool(content["support_reverse"]))
    for word, count in zip(words[1:], counts[1:], strict=True):
        vocabulary.get(word)
        if count:
            vocabulary.add(word, count)
    vocabulary.freeze(bool(content["frozen"]))
    return cls(numbers[0], numbers[1], vocabulary)


class ByteProcessor:
    """Texts as arrays of their bytes in UTF-8, cut or filled with 0 to one length."""

    def __init__(self, max_document_length: int) -> None:
        self.max_document_length = max_document_length

    def fit(self, x: Any) -> None:
        """Does nothing: bytes need no vocabulary."""

    def fit_transform(self, x: Iterable[str | bytes]) -> Iterator[np.ndarray]:
        """`transform`."""
        return self.transform(x)

    def transform(self, x: Iterable[str | bytes]) -> Iterator[np.ndarray]:
        """The bytes [max_document_length] of each text, uint8.

        Raises: TypeError for a value that is no text.
        """
        for document in x:
            data = document.encode("utf-8") if isinstance(document, str) else document
            if not isinstance(data, bytes | bytearray | memoryview):
                raise TypeError(
                    error_text(f"memoryview: a bytes-like object is required, not '{type(data).__name__}'")
                )
            part = np.frombuffer(data, np.uint8)[: self.max_document_length]
            yield np.pad(part, (0, self.max_document_length - len(part)))

    def reverse(self, x: Iterable[np.ndarray]) -> Iterator[str]:
        """The text of each array of bytes without zeros at its end; "" for bytes that are no UTF-8."""
        for data in x:
            document = data.astype(np.uint8).tobytes().rstrip(b"\0")
            try:
                yield document.decode("utf-8")
            except UnicodeDecodeError:
                yield ""


__all__ = ["TOKENIZER_RE", "ByteProcessor", "CategoricalVocabulary", "VocabularyProcessor", "tokenizer"]
