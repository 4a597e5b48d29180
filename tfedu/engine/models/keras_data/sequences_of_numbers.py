"""`pad_sequences` and its relatives: lists of numbers of different lengths as arrays; pairs for word vectors. No state."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from ...base.errors import error_text


def pad_sequences(
    sequences: Any, maxlen: int | None = None, dtype: Any = "int32", padding: str = "pre", truncating: str = "pre",
    value: Any = 0.0,
) -> Any:  # fmt: skip
    """Lists of numbers as one array [n, maxlen, ...], with `value` before ("pre") or after ("post") the shorter ones.

    Raises: ValueError for what is no list of lists, elements of different shapes, and an unknown padding or truncating.
    """
    if not hasattr(sequences, "__len__"):
        raise ValueError(error_text("`sequences` must be iterable."))
    for x in sequences:
        if not hasattr(x, "__len__"):
            raise ValueError(error_text(f"`sequences` must be a list of iterables. Found non-iterable: {x}"))
    lengths = [len(x) for x in sequences]
    maxlen = max(lengths, default=0) if maxlen is None else maxlen
    sample = next((np.asarray(x).shape[1:] for x in sequences if len(x)), ())
    if isinstance(value, str) and dtype is not object and not np.issubdtype(dtype, np.str_):
        raise ValueError(
            error_text(
                f"`dtype` {dtype} is not compatible with `value`'s type: {type(value)}\nYou should set `dtype=object` for "
                "variable length strings."
            )
        )
    found = np.full((len(lengths), maxlen, *sample), value, dtype=dtype)
    for row, x in enumerate(sequences):
        if not len(x):
            continue
        if truncating not in ("pre", "post"):
            raise ValueError(error_text(f'Truncating type "{truncating}" not understood'))
        kept = np.asarray(x[-maxlen:] if truncating == "pre" else x[:maxlen], dtype=dtype)
        if kept.shape[1:] != sample:
            raise ValueError(
                error_text(
                    f"Shape of sample {kept.shape[1:]} of sequence at position {row} is different from expected shape {sample}"
                )
            )
        if padding == "post":
            found[row, : len(kept)] = kept
        elif padding == "pre":
            found[row, maxlen - len(kept) :] = kept
        else:
            raise ValueError(error_text(f'Padding type "{padding}" not understood'))
    return found


def make_sampling_table(size: int, sampling_factor: float = 1e-05) -> Any:
    """The probability [size] with which the word of each rank stays in a sample, by Zipf's law. Source: Mikolov et al., 2013."""
    rank = np.arange(size)
    rank[0] = 1
    inverse = rank * (np.log(rank) + 0.577) + 0.5 - 1.0 / (12.0 * rank)
    share = sampling_factor * inverse
    return np.minimum(1.0, share / np.sqrt(share))


def skipgrams(
    sequence: Any, vocabulary_size: int, window_size: int = 4, negative_samples: float = 1.0, shuffle: bool = True,
    categorical: bool = False, sampling_table: Any = None, seed: int | None = None,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    """(pairs of a word and one near it or a random one, labels 1 and 0). Word 0 is none. Source: Mikolov et al., 2013."""
    couples: list[Any] = []
    labels: list[Any] = []
    for i, word in enumerate(sequence):
        if not word or (sampling_table is not None and sampling_table[word] < random.random()):
            continue
        for j in range(max(0, i - window_size), min(len(sequence), i + window_size + 1)):
            if j != i and sequence[j]:
                couples.append([word, sequence[j]])
                labels.append([0, 1] if categorical else 1)
    if negative_samples > 0:
        count = int(len(labels) * negative_samples)
        words = [couple[0] for couple in couples]
        random.shuffle(words)
        couples += [[words[i % len(words)], random.randint(1, vocabulary_size - 1)] for i in range(count)]
        labels += [[1, 0] if categorical else 0] * count
    if shuffle:
        seed = random.randint(0, 10**6) if seed is None else seed
        for each in (couples, labels):
            random.seed(seed)
            random.shuffle(each)
    return couples, labels


class TimeseriesGenerator:
    """Batches of windows of a series: element i is ([n, length / sampling_rate, ...], the targets after each window).

    Raises: ValueError for data and targets of different lengths, and when no window fits.
    """

    def __init__(
        self, data: Any, targets: Any, length: int, sampling_rate: int = 1, stride: int = 1, start_index: int = 0,
        end_index: int | None = None, shuffle: bool = False, reverse: bool = False, batch_size: int = 128,
    ) -> None:  # fmt: skip
        if len(data) != len(targets):
            raise ValueError(
                error_text(
                    f"Data and targets have to be of same length. Data length is {len(data)} while target length is "
                    f"{len(targets)}"
                )
            )
        self.data, self.targets, self.length = data, targets, length
        self.sampling_rate, self.stride, self.batch_size = sampling_rate, stride, batch_size
        self.start_index = start_index + length
        self.end_index = len(data) - 1 if end_index is None else end_index
        self.shuffle, self.reverse = shuffle, reverse
        if self.start_index > self.end_index:
            raise ValueError(
                error_text(
                    f"`start_index+length={self.start_index} > end_index={self.end_index}` is disallowed, as no part of the "
                    "sequence would be left to be used as current step."
                )
            )

    def __len__(self) -> int:
        return (self.end_index - self.start_index + self.batch_size * self.stride) // (self.batch_size * self.stride)

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        if self.shuffle:
            rows = np.random.randint(self.start_index, self.end_index + 1, size=self.batch_size)
        else:
            first = self.start_index + self.batch_size * self.stride * index
            last = min(first + self.batch_size * self.stride, self.end_index + 1)
            rows = np.arange(first, last, self.stride)
        if index >= len(self):
            raise IndexError(index)
        samples = np.array([self.data[row - self.length : row : self.sampling_rate] for row in rows])
        targets = np.array([self.targets[row] for row in rows])
        return (samples[:, ::-1, ...], targets) if self.reverse else (samples, targets)


__all__ = ["TimeseriesGenerator", "make_sampling_table", "pad_sequences", "skipgrams"]
