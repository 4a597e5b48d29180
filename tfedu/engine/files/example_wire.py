"""Serialized `tf.train.Example` and `SequenceExample`, read without message objects: `features(data)[b"age"]` is a feature.

A feature stays bytes until somebody asks for its values, as most readers want only some of the features. The rules are those of
TensorFlow's fast parser: the last of two features with one key counts, a length may point past the end of a list but not of a
string, and nothing is allocated from a length: every slice is cut out of the data.
State: `_forms`, the latest form of the messages of each length: those of one data set mostly have few.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

BYTES, FLOATS, INTS = 10, 18, 26
"""The first byte of a feature: the field of its list."""
KINDS: Final = {BYTES: "string", FLOATS: "float", INTS: "int64"}

ITEM: Final = 10
"""The tag of a packed list of numbers, or of a string."""
_KEY, _VALUE, _FLOAT, _INT = 10, 18, 13, 8  # tags within a map entry, and of single numbers
_LONGEST: Final = 10  # bytes of a varint


# A key of a map, and where its value begins and ends.
Span: TypeAlias = tuple[bytes, int, int]


class Broken(ValueError):
    """The bytes are no message of the kind."""


def varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """(the number that begins at `at`, where it ends). Raises: Broken."""
    if at < end and data[at] < 128:
        return data[at], at + 1
    number = shift = 0
    if at + 1 < end and data[at + 1] < 128:
        return data[at] & 127 | data[at + 1] << 7, at + 2
    for place in range(at, min(at + _LONGEST, end)):
        byte = data[place]
        number |= (byte & 127) << shift
        if byte < 128:
            return number & 0xFFFF_FFFF_FFFF_FFFF, place + 1
        shift += 7
    raise Broken


def as_varint(number: int) -> bytes:
    """The number as `varint` reads it; one below zero as that of 64 bits."""
    out = bytearray()
    number &= 0xFFFF_FFFF_FFFF_FFFF
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _list_bounds(data: bytes, at: int, end: int) -> tuple[int, int]:
    """(where the list ends whose length stands at `at`, at most `end`; where it begins). Raises: Broken."""
    length, at = varint(data, at, end)
    return min(at + (length & 0xFFFF_FFFF), end), at


def _skipped(data: bytes, at: int, end: int) -> int:
    """The place after a field that no reader knows. Raises: Broken."""
    tag, at = varint(data, at, end)
    kind = tag & 7
    if kind == 0:
        return varint(data, at, end)[1] if tag else _broken()
    if kind == 2:
        return _list_bounds(data, at, end)[0]
    elif kind in (1, 5):
        at += 8 if kind == 1 else 4
    else:
        raise Broken
    return at if at <= end else _broken()


def check_whole(data: bytes) -> None:
    """Raises: Broken where a field of the message ends after its bytes; the functions below let the last one end with them."""
    at, end = 0, len(data)
    while at < end:
        tag, start = varint(data, at, end)
        if tag & 7 == 2:
            length, start = varint(data, start, end)
            if length > end - start:
                raise Broken
        at = _skipped(data, at, end)


def _broken() -> int:
    raise Broken


def _entries(data: bytes, at: int, end: int, found: list[Span]) -> None:
    """Adds the entries of a map from strings to messages, which is all of data[at:end]. Raises: Broken, IndexError."""
    while at < end:
        if data[at] != _KEY:
            raise Broken
        stop = data[at + 1]
        if stop < 128:
            at += 2
            stop += at
            if stop > end:
                stop = end
        else:
            stop, at = _list_bounds(data, at + 1, end)
        if data[at] != _KEY:
            raise Broken
        length = data[at + 1]
        at += 2
        if length > 127:
            length, at = varint(data, at - 1, stop)
        key = data[at : at + length]
        at += length
        if at >= stop or data[at] != _VALUE:
            raise Broken
        length = data[at + 1]
        at += 2
        if length > 127:
            length, at = varint(data, at - 1, stop)
        if at + length != stop:
            raise Broken
        found.append((key, at, stop))
        at = stop


def _maps(data: bytes, *tags: int) -> list[list[Span]]:
    """The entries of the maps that stand in the fields with these tags. Raises: Broken."""
    found: list[list[Span]] = [[] for _ in tags]
    at, end = 0, len(data)
    try:
        while at < end:
            tag = data[at]
            if tag in tags:
                stop, at = _list_bounds(data, at + 1, end)
                # the message of the field holds nothing but the map, which is its first field
                _entries(data, at, stop, found[tags.index(tag)])
                at = stop
            else:
                at = _skipped(data, at, end)
    except IndexError:
        raise Broken from None
    return found


def features(data: bytes) -> dict[bytes, bytes]:
    """The features of an Example by their keys. Raises: Broken."""
    return {key: data[begin:end] for key, begin, end in _maps(data, _KEY)[0]}


class _Form(NamedTuple):
    """Where the features of a message stand. Messages of one length whose bytes between the values are the same, too, have one
    form: no reader of a message looks at the values.
    """

    cuts: struct.Struct  # cuts a message into the bytes before a value, the value, and so on
    between: tuple[bytes, ...]  # the bytes before each value
    keys: tuple[bytes, ...]


_MOST_FORMS: Final = 512
_LARGEST_FORM: Final = 4096  # bytes between the values
_forms: dict[int, _Form] = {}


class Batch(Sequence[dict[bytes, bytes]]):
    """The features of each serialized Example of a batch, as one dict an Example.

    broken: the first message that is no Example, or None; the parser stops there and leaves the later messages out.
    """

    def __init__(self, messages: Iterable[bytes]) -> None:
        self.keys: list[tuple[bytes, ...]] = []
        self.values: list[tuple[bytes, ...]] = []
        self.broken: bytes | None = None
        self.columns: dict[bytes, tuple[bytes, ...]] | None = None
        for data in messages:
            size = len(data)
            form = _forms.get(size)
            if form is not None:
                cuts, between, keys = form
                parts = cuts.unpack(data)
                if parts[::2] == between:
                    self.keys.append(keys)
                    self.values.append(parts[1::2])
                    continue
            try:
                (spans,) = _maps(data, _KEY)
            except Broken:
                self.broken = data
                break
            keys = tuple([key for key, _, _ in spans])
            self.keys.append(keys)
            self.values.append(tuple([data[begin:end] for _, begin, end in spans]))
            _remember(data, spans, keys)
        if len(set(self.keys)) == 1:
            self.columns = dict(zip(self.keys[0], zip(*self.values)))

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, index: Any) -> Any:
        return dict(zip(self.keys[index], self.values[index]))

    def features(self, key: bytes) -> Sequence[bytes | None]:
        """The feature of each Example, None where it is missing."""
        if self.columns is None:
            return [row.get(key) for row in self]
        return self.columns.get(key) or [None] * len(self)


def _remember(data: bytes, spans: list[Span], keys: tuple[bytes, ...]) -> None:
    """Keeps the form of a message that ends with a value, unless it is large."""
    if not spans or spans[-1][2] != len(data) or len(data) - sum([end - begin for _, begin, end in spans]) > _LARGEST_FORM:
        return
    sizes: list[int] = []
    between: list[bytes] = []
    at = 0
    for _, begin, end in spans:
        sizes += begin - at, end - begin
        between.append(data[at:begin])
        at = end
    if len(_forms) >= _MOST_FORMS:
        _forms.clear()
    _forms[len(data)] = _Form(struct.Struct("s".join(map(str, sizes)) + "s"), tuple(between), keys)


def context_and_lists(data: bytes) -> tuple[dict[bytes, bytes], dict[bytes, bytes]]:
    """The context features and the feature lists of a SequenceExample by their keys. Raises: Broken."""
    context, lists = [{key: data[begin:end] for key, begin, end in spans} for spans in _maps(data, _KEY, _VALUE)]
    return context, lists


def items(feature_list: bytes) -> list[bytes]:
    """The features of a feature list. Raises: Broken."""
    return strings(feature_list, 0, len(feature_list))


def strings(data: bytes, at: int, end: int) -> list[bytes]:
    """The strings, or messages, that data[at:end] consists of. Raises: Broken."""
    found = []
    while at < end:
        if data[at] != ITEM:
            raise Broken
        length, at = varint(data, at + 1, end)
        if at + length > end:
            raise Broken
        found.append(data[at : at + length])
        at += length
    return found


def list_bounds(feature: bytes) -> tuple[int, int]:
    """Where the list of a feature ends, and where it begins. Raises: Broken."""
    return _list_bounds(feature, 1, len(feature))


def packed_again(feature: bytes, at: int, end: int) -> bytes:
    """The numbers of a list in which each has a tag, without the tags. Raises: Broken."""
    found = bytearray()
    tag = _FLOAT if feature[0] == FLOATS else _INT
    while at < end:
        if feature[at] != tag:
            raise Broken
        after = at + 5 if tag == _FLOAT else varint(feature, at + 1, end)[1]
        if after > end:
            raise Broken
        found += feature[at + 1 : after]
        at = after
    return bytes(found)


def varints(data: bytes) -> tuple[Any, Any]:
    """(the integers that the data consists of, as int64 [n]; which bytes end a number). Raises: Broken."""
    raw = np.frombuffer(data, np.uint8)
    is_last = raw < 128
    ends = np.flatnonzero(is_last) + 1
    if not is_last[-1]:
        raise Broken
    lengths = np.diff(ends, prepend=0)
    if lengths.max() > _LONGEST:
        raise Broken
    starts = ends - lengths
    places = np.arange(len(raw)) - np.repeat(starts, lengths)
    parts = (raw & 127).astype(np.uint64) << (7 * places).astype(np.uint64)
    return np.add.reduceat(parts, starts).view(np.int64), is_last


def has_long_number(data: bytes) -> bool:
    """Whether a number among the data is longer than a number can be."""
    return re.search(rb"[\x80-\xff]{%d}" % _LONGEST, data) is not None


__all__ = [
    "BYTES", "FLOATS", "INTS", "ITEM", "KINDS", "Batch", "Broken", "check_whole", "context_and_lists", "features",
    "has_long_number", "as_varint", "items", "list_bounds", "packed_again", "strings", "varint", "varints",
]  # fmt: skip
