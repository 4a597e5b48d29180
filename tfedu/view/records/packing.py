"""Records as messages: `packed(record)` says the same JSON in a fifth of the length, `unpacked(data)` gives it back.

A record repeats itself: every node has the same fields, most texts come again, names begin as the one before. Here each
field is one column over all nodes. The front end's side is widgets/src/base/unpacking.ts. No state.

A column is one of:
    [...]                         the values as they are
    {"every": v, "count": n}      the same text, number or None n times
    {"lines": "a\\nb"}              texts, none of which has a line break
    {"ints": "3 1 4"}             whole numbers
    {"from": f, "count": n}       the whole numbers f, f + 1, …
    {"table": column, "at": ints} values that come again: where each stands in the table; -1 is None
    {"same": ints, "rest": column} texts: how many characters each has in common with the one before, and what follows
    {"sizes": ints, "of": column} lists: their lengths, and all their items in one column
    {"first": ints, "at": ints, "keep": ints, "last": ints, "of": column}   lists, such as a queue after each step: so many new
                                  items, so many of the list before from there on, and so many new ones
    {"fields": {name: column}, "count": n}   objects with the same fields
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from itertools import chain
from operator import attrgetter
from types import NoneType
from typing import Any, Final

import numpy as np

from .codec import fields_of, to_json

Column = list[Any] | dict[str, Any]

# So many texts are compared at once, up to so many characters together: the processor keeps them at hand.
_TEXTS: Final = 512
_CHARACTERS: Final = 1 << 16

_NEAR: Final = 4  # so many new items a list may begin with, before what it has of the one before
_SAMPLE: Final = 64  # so many objects tell whether the same ones come again

SHORT: Final = 1000
"""Records of fewer nodes, edges or steps than this stay as they are: a saved notebook with them can be read and compared."""


def packed_message(record: Any, size: int) -> dict[str, Any]:
    """The record as JSON types, packed where it has SHORT or more rows (edges, steps); `size` counts them."""
    message: dict[str, Any] = packed(record) if size >= SHORT else to_json(record)
    return message


def packed(record: Any) -> dict[str, Any]:
    """The message for a record, or for its JSON types."""
    head = fields_of(type(record))[0] if is_dataclass(record) else record
    return {"version": head["version"], "kind": head["kind"], "packed": _column([record])}


def unpacked(data: Any) -> Any:
    """The record that a message carries; what is not packed is given back as it is.

    Raises: ValueError for a message that is damaged.
    """
    if not isinstance(data, dict) or "packed" not in data:
        return data
    try:
        return _values(data["packed"])[0]
    except (KeyError, IndexError, TypeError, AttributeError, StopIteration) as error:
        raise ValueError(f"not a packed record: {error!r}") from None


def _column(values: Sequence[Any]) -> Column:
    """The column of values as records hold them, or of JSON types: records are not made dicts first, which takes as long."""
    kinds = set(map(type, values))
    if len(kinds) == 1:
        (kind,) = kinds
        if len(values) >= 8 and kind in (str, int, bool, NoneType) and values.count(values[0]) == len(values):
            return {"every": values[0], "count": len(values)}
        if is_dataclass(kind):
            # Sites: the same few lines of the program over and over, each told by one object.
            if 2 * len(set(map(id, values[:_SAMPLE]))) <= len(values[:_SAMPLE]):
                own = list(map(id, values))
                return _tabled(own, dict(zip(own, values, strict=True)))
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
        # Shapes, some of which nobody knows.
        keys = _keys(kind, values)
        if keys is not None:
            return _tabled(keys, {key: value for key, value in zip(keys, values, strict=True) if value is not None})
    return [_plain(value) for value in values]


def _keys(kind: type[Any], values: Sequence[Any]) -> Sequence[Any] | None:
    """What tells objects or lists of one kind apart, if that is no more than texts and numbers; None for None."""
    key: Callable[[Any], tuple[Any, ...]] = tuple
    if is_dataclass(kind):
        names = fields_of(kind)[1]
        key = lambda value: tuple([getattr(value, name) for name in names])
    elif kind is dict:
        key = lambda value: (*value, *value.values())
    elif kind is not tuple and kind is not list:
        return None
    keys = [None if value is None else key(value) for value in values]
    # True and 1, or 0.0 and -0.0, are one key, but not one value.
    is_told = {type(item) for key in keys if key is not None for item in key} <= {int, str, NoneType}
    return keys if is_told else None


def _plain(value: Any) -> Any:
    """The value in JSON types."""
    return [_plain(item) for item in value] if isinstance(value, (tuple, list)) else to_json(value)


def _ints(values: Sequence[int]) -> Column:
    first, count = values[0], len(values)
    if values[-1] - first == count - 1 and values == list(range(first, first + count)):
        return {"from": first, "count": count}
    # Most are few and come again: the text of each is made once.
    texts = {value: str(value) for value in set(values)}
    return {"ints": " ".join(map(texts.__getitem__, values))}


def _tabled(keys: Sequence[Any], distinct: Mapping[Any, Any]) -> Column:
    places = {key: str(place) for place, key in enumerate(distinct)} | {None: "-1"}
    table = list(distinct.values())
    small = len(table) < len(keys) and not isinstance(table[0], int)
    return {"table": _column(table) if small else _plain(table), "at": {"ints": " ".join(map(places.__getitem__, keys))}}


def _front_coded(values: Sequence[str]) -> Column:
    same = [0]
    for start in range(0, len(values) - 1, _TEXTS):
        same += _in_common(values[start : start + _TEXTS + 1])
    return {"same": _ints(same), "rest": _lines([value[length:] for value, length in zip(values, same, strict=True)])}


def _sliced(values: Sequence[Sequence[Any]], items: list[Any]) -> Column | None:
    """Lists of whole numbers by what each has of the one before; nothing where that is not much shorter."""
    if len(items) < 4 * len(values) or set(map(type, items)) != {int}:
        return None
    rows: list[tuple[int, int, int, int]] = []
    fresh: list[int] = []
    before = values[0][:0]
    for value in values:
        first, at, keep = next(_shared(before, value), (len(value), 0, 0))
        fresh += value[:first]
        fresh += value[first + keep :]
        rows.append((first, at, keep, len(value) - first - keep))
        before = value
    if 2 * len(fresh) > len(items):
        return None
    names = ("first", "at", "keep", "last")
    return {**dict(zip(names, map(_column, zip(*rows, strict=True)), strict=True)), "of": _column(fresh)}


def _shared(before: Sequence[int], value: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Slices of the list before that `value` has near its beginning: after how many items, from where, and how many."""
    for first, item in enumerate(value[:_NEAR]):
        if item in before:
            at = before.index(item)
            keep = min(len(before) - at, len(value) - first)
            if value[first : first + keep] == before[at : at + keep]:
                yield first, at, keep


def _lines(values: list[str]) -> Column:
    """As one text, where that can be told apart again: what carries a message goes over each item of a list."""
    joined = "\n".join(values)
    return {"lines": joined} if joined.count("\n") == len(values) - 1 else values


def _in_common(values: Sequence[str], step: int = 1) -> list[int]:
    """How many characters each text but the first has in common with the one before; of each pair alone, where step is 2.

    What is common ends at the first character that is not ASCII: the front end counts in UTF-16, where it may be two.
    """
    # Together they take a fifth of the time that they take one by one; long ones take several turns. NumPy fills short ones up
    # with 0, from which 1 less is a large number.
    longest = max(map(len, values))
    width = min(longest, _CHARACTERS // len(values))
    codes = np.array(values, f"U{width + 1}").view(np.uint32).reshape(-1, width + 1)
    before, after = codes[:-1:step], codes[1::step]
    ends = (after != before) | (after - 1 > 126)
    ends[:, -1] = True
    same: list[int] = ends.argmax(axis=1).tolist()
    alike = [row for row, length in enumerate(same) if length == width < longest]
    if alike:
        pairs = [values[row * step + i][width:] for row in alike for i in (0, 1)]
        for row, length in zip(alike, _in_common(pairs, 2), strict=True):
            same[row] += length
    return same


def _values(column: Column) -> list[Any]:
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
        ways = [_values(column[name]) for name in ("first", "at", "keep", "last")]
        for first, at, keep, last in zip(*ways, strict=True):
            new = [next(items) for _ in range(first + last)]
            row = [*new[:first], *row[at : at + keep], *new[first:]]
            lists.append(row)
        return lists
    fields = {name: _values(inner) for name, inner in column["fields"].items()}
    return [{name: inner[i] for name, inner in fields.items()} for i in range(column["count"])]


__all__ = ["SHORT", "packed", "packed_message", "unpacked"]
