"""The datasets of tf.keras whose files hold pickles: CIFAR's pictures, the texts of IMDB and Reuters.

`plain_pickles` reads them as data: no code of a file runs. No state.
"""

from __future__ import annotations

import json
import os
import tarfile
import zipfile
from typing import Any

import numpy as np

from ...base.errors import error_text
from . import plain_pickles
from .cached_files import cache_folder, get_file, missing, told

_ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"

Parts = tuple[tuple[Any, Any], tuple[Any, Any]]


# -- pictures --------------------------------------------------------------------------------------------------------------


def load_cifar10() -> Parts:
    """((x_train [50000, 32, 32, 3], y_train [50000, 1]), (x_test, y_test)) of pictures of ten kinds of things."""
    names = [*[f"data_batch_{number}" for number in range(1, 6)], "test_batch"]
    batches = _members("cifar-10-batches-py", names, "cifar-10-python")
    found = [_pictures(batch, "labels") for batch in batches]
    x, y = (np.concatenate(parts) for parts in zip(*found[:-1]))
    return (x, y), found[-1]


def load_cifar100(label_mode: str = "fine") -> Parts:
    """((x_train [50000, 32, 32, 3], y_train [50000, 1]), (x_test, y_test)) of pictures of 100 kinds, or 20 with "coarse".

    Raises: ValueError for another label_mode.
    """
    if label_mode not in ("fine", "coarse"):
        raise ValueError(error_text('`label_mode` must be one of `"fine"`, `"coarse"`.'))
    train, test = _members("cifar-100-python", ["train", "test"], "cifar-100-python")
    return _pictures(train, f"{label_mode}_labels"), _pictures(test, f"{label_mode}_labels")


def _members(name: str, files: list[str], archive: str) -> list[Any]:
    """The pickles of a folder of the cache, or of the archive that holds this folder."""
    folder = os.path.join(cache_folder(), name)
    archives = [f"{folder}.tar.gz", os.path.join(cache_folder(), f"{archive}.tar.gz")]
    packed = next((path for path in archives if os.path.exists(path)), None)
    if not os.path.isdir(folder) and packed is None:
        raise missing(folder, f"https://www.cs.toronto.edu/~kriz/{archive}.tar.gz", "put the folder, or its .tar.gz, there")

    def read(file: str) -> Any:
        if os.path.isdir(folder):
            with open(os.path.join(folder, file), "rb") as opened:
                return plain_pickles.read(opened.read(plain_pickles.MAX_BYTES))
        with tarfile.open(packed) as tar:
            member = tar.extractfile(f"{name}/{file}")
            if member is None:
                raise ValueError(f"it holds no file {file}")
            return plain_pickles.read(member.read(plain_pickles.MAX_BYTES))

    return [told(os.path.join(folder, file), lambda file=file: read(file)) for file in files]  # type: ignore[misc]


def _pictures(batch: Any, labels: str) -> tuple[Any, Any]:
    entries = {key.decode() if isinstance(key, bytes) else key: value for key, value in batch.items()}
    x = entries["data"].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(x), np.reshape(np.array(entries[labels], "uint8"), (-1, 1))


# -- texts -----------------------------------------------------------------------------------------------------------------


def load_imdb(
    path: str = "imdb.npz", num_words: int | None = None, skip_top: int = 0, maxlen: int | None = None, seed: int = 113,
    start_char: int | None = 1, oov_char: int | None = 2, index_from: int = 3, **kwargs: Any,
) -> Parts:  # fmt: skip
    """((x_train, y_train), (x_test, y_test)) of reviews, as lists of the words' ranks, and whether each is good.

    num_words: ranks from there on, and those below skip_top, become oov_char (None: are left out). maxlen: reviews that are not
    shorter are left out. start_char begins each review. index_from: what is added to each rank.

    Raises: TypeError for another argument; ValueError when maxlen leaves no review.
    """
    num_words = _old_arguments(kwargs, num_words)
    x_train, y_train, x_test, y_test = _texts(path, "x_train", "y_train", "x_test", "y_test")
    np.random.seed(seed)  # as 1.15: what the program draws from NumPy afterwards depends on it
    train, test = _shuffled(x_train, y_train), _shuffled(x_test, y_test)
    texts = _marked([*train[0], *test[0]], start_char, index_from)
    texts, labels = _shorter(texts, np.concatenate([train[1], test[1]]), maxlen)
    texts = _limited(texts, num_words, skip_top, oov_char)
    at = len(x_train)
    return (_rows(texts[:at]), np.array(labels[:at])), (_rows(texts[at:]), np.array(labels[at:]))


def load_reuters(
    path: str = "reuters.npz", num_words: int | None = None, skip_top: int = 0, maxlen: int | None = None,
    test_split: float = 0.2, seed: int = 113, start_char: int | None = 1, oov_char: int | None = 2, index_from: int = 3,
    **kwargs: Any,
) -> Parts:  # fmt: skip
    """((x_train, y_train), (x_test, y_test)) of news, as lists of the words' ranks, and their 46 topics. Arguments: as of IMDB.

    Raises: TypeError for another argument.
    """
    num_words = _old_arguments(kwargs, num_words)
    np.random.seed(seed)
    texts, labels = _shuffled(*_texts(path, "x", "y"))
    texts, labels = _shorter(_marked(texts, start_char, index_from), labels, maxlen, may_be_empty=True)
    texts = _limited(texts, num_words, skip_top, oov_char)
    at = int(len(texts) * (1 - test_split))
    return (_rows(texts[:at]), np.array(labels[:at])), (_rows(texts[at:]), np.array(labels[at:]))


def imdb_word_index(path: str = "imdb_word_index.json") -> Any:
    """The rank of each word of IMDB's reviews."""
    return _word_index(path)


def reuters_word_index(path: str = "reuters_word_index.json") -> Any:
    """The rank of each word of Reuters' news."""
    return _word_index(path)


def _word_index(path: str) -> Any:
    file = path if os.path.isabs(path) else get_file(path, f"{_ORIGIN}{path}")

    def read() -> Any:
        with open(file, encoding="utf-8") as opened:
            return json.load(opened)

    return told(file, read)


def _old_arguments(kwargs: dict[str, Any], num_words: Any) -> Any:
    if "nb_words" in kwargs:
        num_words = kwargs.pop("nb_words")
    if kwargs:
        raise TypeError(error_text(f"Unrecognized keyword arguments: {kwargs}"))
    return num_words


def _texts(path: str, *names: str) -> list[Any]:
    """The arrays of an .npz file; one of lists is a pickle there."""
    file = path if os.path.isabs(path) else get_file(path, f"{_ORIGIN}{path}")

    def read() -> list[Any]:
        found = []
        with zipfile.ZipFile(file) as archive:
            for name in names:
                with archive.open(f"{name}.npy") as member:
                    version = np.lib.format.read_magic(member)
                    header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
                    _, _, dtype = header(member)
                    content = member.read(plain_pickles.MAX_BYTES)
                if dtype.hasobject:
                    found.append(plain_pickles.read(content))
                else:
                    found.append(np.frombuffer(content, dtype))
        return found

    arrays: list[Any] = told(file, read)
    return arrays


def _shuffled(texts: Any, labels: Any) -> tuple[Any, Any]:
    order = np.arange(len(texts))
    np.random.shuffle(order)
    return texts[order], labels[order]


def _marked(texts: Any, start_char: int | None, index_from: int) -> list[list[int]]:
    begin = [] if start_char is None else [start_char]
    return [[*begin, *[rank + index_from for rank in text]] for text in texts]


def _shorter(texts: list[list[int]], labels: Any, maxlen: int | None, may_be_empty: bool = False) -> tuple[Any, Any]:
    if not maxlen:
        return texts, labels
    kept = [(text, label) for text, label in zip(texts, labels) if len(text) < maxlen]
    if not kept and not may_be_empty:
        raise ValueError(
            error_text(f"After filtering for sequences shorter than maxlen={maxlen}, no sequence was kept. Increase maxlen.")
        )
    return [text for text, _ in kept], [label for _, label in kept]


def _limited(texts: list[list[int]], num_words: int | None, skip_top: int, oov_char: int | None) -> list[list[int]]:
    limit = num_words or max(max(text) for text in texts)
    if oov_char is None:
        return [[rank for rank in text if skip_top <= rank < limit] for text in texts]
    return [[rank if skip_top <= rank < limit else oov_char for rank in text] for text in texts]


def _rows(texts: list[list[int]]) -> Any:
    """An array of the lists; of lists of one length, of two axes, as NumPy makes it."""
    if len({len(text) for text in texts}) == 1:
        return np.array(texts)
    rows = np.empty(len(texts), object)
    rows[:] = texts
    return rows


__all__ = [
    "imdb_word_index", "load_cifar10", "load_cifar100", "load_imdb", "load_reuters", "reuters_word_index",
]
