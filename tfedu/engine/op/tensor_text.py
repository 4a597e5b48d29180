"""Tensors in text: `summary` as in the messages of Assert and Print, `pretty` as `tf.print` writes them. No state."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base import dtypes
from .shape_checks import as_array


def summary(value: Any, entries: int) -> str:
    """The first `entries` elements (-1: all) as TF's kernels print them: `1 2 3...`, rows in brackets."""
    array = np.asarray(value)
    count = array.size
    limit = count if entries < 0 else min(entries, count)
    texts = [_element(item) for item in array.ravel()[:limit]] if array.ndim else [_element(value)] * limit
    if array.ndim <= 1:
        return " ".join(texts) + ("..." if limit < count else "")
    return _rows(array.shape, texts, iter(range(count))) + ("..." if limit < count else "")


def _rows(shape: tuple[int, ...], texts: list[str], places: Iterator[int]) -> str:
    """The elements from the next place on as rows; an incomplete row ends in dots, later rows are left out."""
    if len(shape) == 1:
        row = list(itertools.islice(places, shape[0]))
        text = " ".join(texts[at] for at in row if at < len(texts))
        return text + ("..." if row and row[-1] >= len(texts) else "")
    parts = []
    inner = int(np.prod(shape[1:]))
    for _ in range(shape[0]):
        row_places = list(itertools.islice(places, inner))
        if row_places and row_places[0] < len(texts):
            parts.append(f"[{_rows(shape[1:], texts, iter(row_places))}]")
    return "".join(parts)


def pretty(value: Any, entries: int) -> str:
    """Rows below rows; of each axis the first and the last `entries` elements (-1: all), strings in quotes.

    Bytes that are not UTF-8 become surrogates.
    """
    array = as_array(value)
    limit = array.size if entries < 0 else min(entries, array.size)
    return _bracketed(array, limit, 0)


def _bracketed(array: Any, ends: int, depth: int) -> str:
    if array.ndim == 0:
        item = array[()]
        return f'"{_element(item, "surrogateescape")}"' if isinstance(item, bytes) else _element(item)
    between = " " if array.ndim == 1 else "\n" * (array.ndim - 1) + " " * (depth + 1)
    count = len(array)
    first_parts = [_bracketed(array[i, ...], ends, depth + 1) for i in range(min(ends, count))]
    text = between.join(first_parts)
    if count > 2 * ends:
        text += between + "..."
    for i in range(max(ends, count - ends), count):
        text += between + _bracketed(array[i, ...], ends, depth + 1)
    return f"[{text}]"


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}


def _element(item: Any, errors: str = "backslashreplace") -> str:
    if isinstance(item, bytes):
        text = item.decode("utf-8", errors)
        return "".join(_ESCAPES.get(c) or (f"\\{ord(c):03o}" if ord(c) < 32 or ord(c) == 127 else c) for c in text)
    if isinstance(item, (bool, np.bool_)):
        return str(int(item))
    if isinstance(item, np.void):
        item = dtypes.bfloat16_values(item)[()] if item.dtype == dtypes.bfloat16.numpy else item
    if isinstance(item, np.floating):
        # The shortest of two precisions that gives the value back; a half is printed as the float that it is.
        if item.dtype == np.float16:
            item = np.float32(item)
        few, all_digits = (15, 17) if item.dtype == np.float64 else (6, 9)
        short = f"{float(item):.{few}g}"
        return short if type(item)(short) == item else f"{float(item):.{all_digits}g}"
    if isinstance(item, np.integer):
        return str(int(item))
    return "?"


__all__ = ["pretty", "summary"]
