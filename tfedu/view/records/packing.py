"""Records as messages: `packed(data)` says the same JSON in a fifth of the length, `unpacked(data)` gives it back.

A record repeats itself: every node has the same fields, most texts come again, names begin as the one before. Here each
field is one column over all nodes. The front end's side is widgets/src/packing.ts. No state.

A column is one of:
    [...]                         the values as they are
    {"ints": "3 1 4"}             whole numbers
    {"from": f, "count": n}       the whole numbers f, f + 1, …
    {"table": column, "at": ints} values that come again: where each stands in the table; -1 is None
    {"same": ints, "rest": […]}   texts: how many characters each has in common with the one before, and what follows
    {"sizes": ints, "of": column} lists: their lengths, and all their items in one column
    {"fields": {name: column}, "count": n}   objects with the same fields
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Final

Column = list[Any] | dict[str, Any]

SHORT: Final = 1000
"""Records of fewer nodes, edges or steps than this stay as they are: a saved notebook with them can be read and compared."""


def packed(data: dict[str, Any]) -> dict[str, Any]:
    """The message for a record in JSON types."""
    return {"version": data["version"], "kind": data["kind"], "packed": _column([data])}


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


def _column(values: list[Any]) -> Column:
    kinds = set(map(type, values))
    if kinds == {dict}:
        names = list(values[0])
        if all(list(value) == names for value in values):
            return {"fields": {name: _column([value[name] for value in values]) for name in names}, "count": len(values)}
    if kinds == {list}:
        return {"sizes": _column([len(value) for value in values]), "of": _column([item for value in values for item in value])}
    if len(values) < 8:
        return values
    if kinds == {int}:
        return _ints(values)
    if kinds == {str} and 2 * len(set(values)) > len(values):
        return _front_coded(values)
    if kinds - {type(None)} in ({str}, {int}, {bool}):
        return _tabled(values, {value: value for value in values if value is not None})
    if kinds == {dict, type(None)}:
        # Sites: the same few lines of the program over and over.
        keys = [None if value is None else tuple(value.items()) for value in values]
        if all(isinstance(item, Hashable) for key in keys if key for _, item in key):
            found = zip(keys, values, strict=True)
            return _tabled(keys, {key: value for key, value in found if key is not None})
    return values


def _ints(values: list[int]) -> Column:
    if values == list(range(values[0], values[0] + len(values))):
        return {"from": values[0], "count": len(values)}
    return {"ints": " ".join(map(str, values))}


def _tabled(keys: list[Any], distinct: Mapping[Any, Any]) -> Column:
    at = {key: place for place, key in enumerate(distinct)} | {None: -1}
    table = list(distinct.values())
    small = len(table) < len(keys) and not isinstance(table[0], int)
    return {"table": _column(table) if small else table, "at": _ints([at[key] for key in keys])}


def _front_coded(values: list[str]) -> Column:
    same: list[int] = []
    rest: list[str] = []
    before = ""
    for value in values:
        # By halves; the front end counts in UTF-16, so what is common must have no character that counts as two there.
        length, most = 0, min(len(before), len(value))
        while length < most:
            middle = (length + most + 1) // 2
            if before[:middle] == value[:middle] and value[:middle].isascii():
                length = middle
            else:
                most = middle - 1
        same.append(length)
        rest.append(value[length:])
        before = value
    return {"same": _ints(same), "rest": rest}


def _values(column: Column) -> list[Any]:
    if isinstance(column, list):
        return column
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
        for length, rest in zip(_values(column["same"]), column["rest"], strict=True):
            before = before[:length] + rest
            values.append(before)
        return values
    if "sizes" in column:
        items = iter(_values(column["of"]))
        return [[next(items) for _ in range(size)] for size in _values(column["sizes"])]
    fields = {name: _values(inner) for name, inner in column["fields"].items()}
    return [{name: inner[i] for name, inner in fields.items()} for i in range(column["count"])]


__all__ = ["SHORT", "packed", "unpacked"]
