"""Records as short messages: `packed(record)` has the same JSON in a fifth of the length, `unpacked(data)` restores it.

A record repeats itself: all nodes have the same fields, most texts occur many times, and a name begins like the one before it.
A packed record therefore has one column for each field, with its values of all nodes. widgets/src/base/unpacking.ts is the front
end's side. No state.

A column is one of:
    [...]                         the values as they are
    {"every": v, "count": n}      one text, number or None, n times
    {"lines": "a\\nb"}              texts without line breaks
    {"ints": "3 1 4"}             whole numbers
    {"from": f, "count": n}       the whole numbers f, f + 1, …
    {"table": column, "at": ints} values that occur many times: the place of each in the table; -1 is None
    {"same": ints, "rest": column} texts: how many characters each shares with the one before, and the rest of it
    {"sizes": ints, "of": column} lists: their lengths, and all their items in one column
    {"first": ints, "at": ints, "keep": ints, "last": ints, "of": column}   lists that change little, as the ready nodes after
                                  each step: `first` new items, `keep` items of the previous list from `at` on, `last` new items
    {"fields": {name: column}, "count": n}   objects with the same fields
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from itertools import chain
from operator import attrgetter
from types import NoneType
from typing import Any, Final, NamedTuple

import numpy as np

from .codec import fields_of, to_json

Column = list[Any] | dict[str, Any]

# So many texts are compared at once, with so many characters together: that fits the processor's cache.
_TEXTS: Final = 512
_CHARACTERS: Final = 1 << 16

_NEAR: Final = 4  # the most new items with which a list begins before it continues the previous one
_SAMPLE: Final = 64  # so many objects show whether a column repeats a few objects

SHORT: Final = 1000
"""A record with fewer edges and steps is not packed, so that people can read and compare a saved notebook that has it."""


def packed_message(record: Any, size: int) -> dict[str, Any]:
    """The record as JSON types, packed where it has SHORT or more rows (edges, steps); `size` counts them."""
    message: dict[str, Any] = packed(record) if size >= SHORT else to_json(record)
    return message


def packed(record: Any) -> dict[str, Any]:
    """The packed message of a record, or of its JSON types."""
    head = fields_of(type(record))[0] if is_dataclass(record) else record
    return {"version": head["version"], "kind": head["kind"], "packed": _column([record])}


def unpacked(data: Any) -> Any:
    """The JSON types of the record in a message; a message that is not packed is returned unchanged.

    Raises: ValueError for a damaged message.
    """
    if not isinstance(data, dict) or "packed" not in data:
        return data
    try:
        return _values(data["packed"])[0]
    except (KeyError, IndexError, TypeError, AttributeError, StopIteration) as error:
        raise ValueError(f"not a packed record: {error!r}") from None


def _column(values: Sequence[Any]) -> Column:
    """The column of values, which are records or JSON types. (To turn records into dicts first would take twice as long.)"""
    kinds = set(map(type, values))
    if len(kinds) == 1:
        (kind,) = kinds
        if len(values) >= 8 and kind in (str, int, bool, NoneType) and values.count(values[0]) == len(values):
            return {"every": values[0], "count": len(values)}
        if is_dataclass(kind):
            # Many nodes share the record of the line that created them.
            if 2 * len(set(map(id, values[:_SAMPLE]))) <= len(values[:_SAMPLE]):
                ids = list(map(id, values))
                return _tabled(ids, dict(zip(ids, values, strict=True)))
            head, names = fields_of(kind)
            fields = {name: _column([value] * len(values)) for name, value in head.items()}
            fields |= {name: _column(list(map(attrgetter(name), values))) for name in names}
            return {"fields": fields, "count": len(values)}
        if kind is dict:
            names = tuple(values[0])
            if all(tuple(value) == names for value in values):
                return {"fields": {name: _column([value[name] for value in values]) for name in names}, "count": len(values)}
        if kind is tuple or kind is list:
            items = list(chain.from_iterable(values))
            return _sliced(values, items) or {"sizes": _column(list(map(len, values))), "of": _column(items)}
        if kind is int and len(values) >= 8:
            return _ints(values)
    kinds.discard(NoneType)
    if len(values) >= 8 and len(kinds) == 1:
        (kind,) = kinds
        if kind in (str, int, bool):
            distinct = dict.fromkeys(values)
            if kind is str and 2 * len(distinct) > len(values) and None not in distinct:
                return _front_coded(values)
            distinct.pop(None, None)
            return _tabled(values, {value: value for value in distinct})
        # Shapes, some of which are unknown: None.
        keys = _keys(kind, values)
        if keys is not None:
            return _tabled(keys, {key: value for key, value in zip(keys, values, strict=True) if value is not None})
    return [_plain(value) for value in values]


def _keys(kind: type[Any], values: Sequence[Any]) -> Sequence[Any] | None:
    """A key for each object or list of one kind, None for None; no keys where equal keys may hide different values."""
    key: Callable[[Any], tuple[Any, ...]] = tuple
    if is_dataclass(kind):
        names = fields_of(kind)[1]
        key = lambda value: tuple([getattr(value, name) for name in names])
    elif kind is dict:
        key = lambda value: (*value, *value.values())
    elif kind is not tuple and kind is not list:
        return None
    keys = [None if value is None else key(value) for value in values]
    # True and 1, or 0.0 and -0.0, are equal as keys, but differ as values.
    is_distinct = {type(item) for key in keys if key is not None for item in key} <= {int, str, NoneType}
    return keys if is_distinct else None


def _plain(value: Any) -> Any:
    """The value in JSON types."""
    return [_plain(item) for item in value] if isinstance(value, (tuple, list)) else to_json(value)


def _ints(values: Sequence[int]) -> Column:
    """A column of whole numbers."""
    first, count = values[0], len(values)
    if values[-1] - first == count - 1 and values == list(range(first, first + count)):
        return {"from": first, "count": count}
    # Most columns repeat a few numbers: each is turned into text once.
    texts = {value: str(value) for value in set(values)}
    return {"ints": " ".join(map(texts.__getitem__, values))}


def _tabled(keys: Sequence[Any], distinct: Mapping[Any, Any]) -> Column:
    """A column with a table: for each row its key, and for each key its value."""
    places = {key: str(place) for place, key in enumerate(distinct)} | {None: "-1"}
    table = list(distinct.values())
    small = len(table) < len(keys) and not isinstance(table[0], int)
    return {"table": _column(table) if small else _plain(table), "at": {"ints": " ".join(map(places.__getitem__, keys))}}


def _front_coded(values: Sequence[str]) -> Column:
    """A column of texts of which each begins like the one before it."""
    same = [0]
    for start in range(0, len(values) - 1, _TEXTS):
        same += _in_common(values[start : start + _TEXTS + 1])
    return {"same": _ints(same), "rest": _lines([value[length:] for value, length in zip(values, same, strict=True)])}


class _Slice(NamedTuple):
    """A list as `first` new items, `keep` items of the previous list from `at` on, and `last` new items."""

    first: int
    at: int
    keep: int
    last: int


def _sliced(values: Sequence[Sequence[Any]], items: list[Any]) -> Column | None:
    """Lists of whole numbers, each as a slice of the previous one and new items; None where that is not much shorter."""
    if len(items) < 4 * len(values) or set(map(type, items)) != {int}:
        return None
    rows: list[_Slice] = []
    new_items: list[int] = []
    previous = values[0][:0]
    for value in values:
        first, at, keep = next(_slices(previous, value), (len(value), 0, 0))
        new_items += value[:first]
        new_items += value[first + keep :]
        rows.append(_Slice(first, at, keep, len(value) - first - keep))
        previous = value
    if 2 * len(new_items) > len(items):
        return None
    columns = map(_column, zip(*rows, strict=True))
    return {**dict(zip(_Slice._fields, columns, strict=True)), "of": _column(new_items)}


def _slices(previous: Sequence[int], value: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Slices of the previous list that `value` contains near its beginning: after how many items, from where, how long."""
    for first, item in enumerate(value[:_NEAR]):
        if item in previous:
            at = previous.index(item)
            keep = min(len(previous) - at, len(value) - first)
            if value[first : first + keep] == previous[at : at + keep]:
                yield first, at, keep


def _lines(values: list[str]) -> Column:
    """The texts as one text, where none has a line break: a comm handles one text faster than a list of many."""
    joined = "\n".join(values)
    return {"lines": joined} if joined.count("\n") == len(values) - 1 else values


def _in_common(values: Sequence[str], step: int = 1) -> list[int]:
    """How many characters each text but the first shares with the one before. step: 2 compares pairs of texts instead.

    The count ends at the first character that is not ASCII: the front end counts in UTF-16, where a character may be two units.
    All texts are compared at once in an array, in a fifth of the time of a loop; the rest of long texts follows in another call.
    """
    # NumPy pads short texts with 0, and 0 - 1 is a large unsigned number: the padding counts as not ASCII.
    longest = max(map(len, values))
    width = min(longest, _CHARACTERS // len(values))
    characters = np.array(values, f"U{width + 1}").view(np.uint32).reshape(-1, width + 1)
    upper, lower = characters[:-1:step], characters[1::step]
    ends = (lower != upper) | (lower - 1 > 126)
    ends[:, -1] = True
    lengths: list[int] = ends.argmax(axis=1).tolist()
    unfinished = [row for row, length in enumerate(lengths) if length == width < longest]
    if unfinished:
        pairs = [values[row * step + i][width:] for row in unfinished for i in (0, 1)]
        for row, length in zip(unfinished, _in_common(pairs, 2), strict=True):
            lengths[row] += length
    return lengths


def _values(column: Column) -> list[Any]:
    """The values of a column, as lists and JSON types."""
    if isinstance(column, list):
        return column
    if "every" in column:
        return [column["every"]] * column["count"]
    if "lines" in column:
        lines: list[str] = column["lines"].split("\n")
        return lines
    if "ints" in column:
        return [int(text) for text in column["ints"].split(" ")]
    if "from" in column:
        return list(range(column["from"], column["from"] + column["count"]))
    if "table" in column:
        table = [*_values(column["table"]), None]
        return [table[place] for place in _values(column["at"])]
    if "same" in column:
        values: list[Any] = []
        before = ""
        for length, rest in zip(_values(column["same"]), _values(column["rest"]), strict=True):
            before = before[:length] + rest
            values.append(before)
        return values
    if "sizes" in column:
        items = iter(_values(column["of"]))
        return [[next(items) for _ in range(size)] for size in _values(column["sizes"])]
    if "keep" in column:
        items, lists, row = iter(_values(column["of"])), list[Any](), list[Any]()
        columns = [_values(column[name]) for name in _Slice._fields]
        for first, at, keep, last in zip(*columns, strict=True):
            new = [next(items) for _ in range(first + last)]
            row = [*new[:first], *row[at : at + keep], *new[first:]]
            lists.append(row)
        return lists
    fields = {name: _values(inner) for name, inner in column["fields"].items()}
    return [{name: inner[i] for name, inner in fields.items()} for i in range(column["count"])]


__all__ = ["SHORT", "packed", "packed_message", "unpacked"]
