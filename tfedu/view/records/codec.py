"""Records to JSON types and back: `to_json(record)`, `read(data, kinds)`, `schema_of(kinds)`.

All three follow the dataclasses' annotations. `check_unique` and `check_ids` check what annotations do not say: ids that must
exist. State: caches of the converters for each annotation.
"""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import cache
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen, slots):
        """A dataclass that is frozen for type checkers only: frozen at run time, objects take three times as long to create."""
        return dataclasses.dataclass(slots=slots, unsafe_hash=frozen)


VERSION: Final = 1

Params: TypeAlias = dict[str, str | int]
R = TypeVar("R")


class RecordError(ValueError):
    """Data is not a record. place: where in the data ("graph.nodes[3].id"); the message says what was expected there."""

    def __init__(self, place: str, expected: str, got: object) -> None:
        value_text = repr(got) if isinstance(got, (int, float, bool, type(None))) else type(got).__name__
        if isinstance(got, str):
            value_text = repr(got if len(got) <= 40 else got[:39] + "…")
        super().__init__(f"not a valid record: {place or 'the record'}: expected {expected}, got {value_text}")
        self.place = place


class RecordVersionError(RecordError):
    """The record was written by another version of tfedu."""

    def __init__(self, place: str, expected: str, got: object) -> None:
        super().__init__(place, expected, got)
        self.args = (f"{self}; another version of tfedu wrote it",)


# -- to JSON -----------------------------------------------------------------------------------------------------


def to_json(record: Any) -> Any:
    """The record as dicts, lists, strings, numbers and None."""
    return _writer(_key(type(record)))(record)


@cache
def _writer(hint: Any) -> Callable[[Any], Any]:
    """The function that turns a value of the annotated type into JSON types."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        head = _head(hint)
        members = [(name, _writer(kind)) for name, kind in _members(_key(hint))]

        def write(value: Any) -> Any:
            data = dict(head)
            for name, convert in members:
                data[name] = convert(getattr(value, name))
            return data

        return write
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        inner = _writer(args[0])
        if len(args) == 2 and args[1] is Ellipsis:
            return list if inner is _same else lambda value: [inner(item) for item in value]
        return list
    if origin in (Union, types.UnionType):
        rest = [
            _writer(arg) for arg in args if arg is not types.NoneType and arg is not int and arg is not str
        ]
        if not rest:
            return _same
        convert = rest[0]
        return lambda value: None if value is None else convert(value)
    return dict if origin is dict else _same


def _key(hint: Any) -> Hashable:
    """The annotation, typed as hashable for the caches: type checkers do not know that classes are."""
    key: Hashable = hint
    return key


def _same(value: Any) -> Any:
    return value


def _head(kind: type[Any]) -> dict[str, Any]:
    name = getattr(kind, "KIND", None)
    return {} if name is None else {"version": VERSION, "kind": name}


def fields_of(kind: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The first entries (version, kind) of such a record's JSON, and the names of its fields."""
    return _head(kind), tuple([name for name, _ in _members(_key(kind))])


@cache
def _members(kind: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((item.name, hints[item.name]) for item in dataclasses.fields(kind))


# -- from JSON ---------------------------------------------------------------------------------------------------


def read(data: Any, kinds: Mapping[str, type[Any]], kind: type[R] | None = None) -> R:
    """The record in `data`, of one of `kinds`, or of `kind` where that is named. Calls the record's `check`, if it has one.

    Raises: RecordVersionError for a record of another version, RecordError for data that is no record.
    """
    if not isinstance(data, dict):
        raise RecordError("", "an object", data)
    declared = kinds.get(data["kind"]) if isinstance(data.get("kind"), str) else None
    if kind is None:
        if declared is None:
            raise RecordError("kind", " or ".join(kinds), data.get("kind"))
        kind = declared
    record: Any = _reader(_key(kind))(data, "")
    if hasattr(record, "check"):
        record.check()
    checked_record: R = record
    return checked_record


@cache
def _reader(hint: Any) -> Callable[[Any, str], Any]:
    """The function that checks JSON types against the annotated type and returns its value."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _object_reader(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        return _list_reader(args)
    if origin is Literal:
        return _choice_reader(args)
    if origin is dict:
        return _params
    if origin in (Union, types.UnionType):
        (inner,) = [arg for arg in args if arg is not types.NoneType]
        convert = _reader(inner)
        return lambda value, place: None if value is None else convert(value, place)
    return _scalar_reader(hint)


def _object_reader(kind: type[Any]) -> Callable[[Any, str], Any]:
    head = _head(kind)
    members = [(name, _reader(hint)) for name, hint in _members(_key(kind))]
    known = {*head, *(name for name, _ in members)}

    def read(value: Any, place: str) -> Any:
        if not isinstance(value, dict):
            raise RecordError(place, "an object", value)
        dot = f"{place}." if place else ""
        for key, expected in head.items():
            if value.get(key) != expected or isinstance(value.get(key), bool):
                error = RecordVersionError if key == "version" and _is_int(value.get(key)) else RecordError
                raise error(f"{dot}{key}", repr(expected), value.get(key))
        for key in value:
            if key not in known:
                raise RecordError(place, f"no field {key!r:.60}", value[key])
        parts = []
        for name, convert in members:
            if name not in value:
                raise RecordError(f"{dot}{name}", "a value", None)
            parts.append(convert(value[name], f"{dot}{name}"))
        return kind(*parts)

    return read


def _list_reader(args: tuple[Any, ...]) -> Callable[[Any, str], Any]:
    if len(args) == 2 and args[1] is Ellipsis:
        convert = _reader(args[0])

        def read(value: Any, place: str) -> Any:
            if not isinstance(value, (list, tuple)):
                raise RecordError(place, "a list", value)
            return tuple([convert(item, f"{place}[{index}]") for index, item in enumerate(value)])

        return read
    converts = [_reader(arg) for arg in args]

    def read_fixed(value: Any, place: str) -> Any:
        if not isinstance(value, (list, tuple)) or len(value) != len(converts):
            raise RecordError(place, f"a list of {len(converts)}", value)
        return tuple(
            [
                convert(item, f"{place}[{i}]")
                for i, (convert, item) in enumerate(zip(converts, value, strict=True))
            ]
        )

    return read_fixed


def _choice_reader(choices: tuple[Any, ...]) -> Callable[[Any, str], Any]:
    def read(value: Any, place: str) -> Any:
        if not isinstance(value, str) or value not in choices:
            raise RecordError(place, " or ".join(choices), value)
        return value

    return read


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _params(value: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise RecordError(place, "an object", value)
    for key, item in value.items():
        if not isinstance(key, str) or not (isinstance(item, str) or _is_int(item)):
            raise RecordError(f"{place}.{key!s:.60}", "a string or a whole number", item)
    return dict(value)


def _scalar_reader(kind: Any) -> Callable[[Any, str], Any]:
    names = {int: "a whole number", float: "a finite number", str: "a string", bool: "true or false"}

    def read(value: Any, place: str) -> Any:
        if kind is float and _is_int(value):
            value = float(value) if abs(value) < 1 << 1000 else math.inf
        if kind is float and isinstance(value, float) and not math.isfinite(value):
            raise RecordError(place, names[kind], value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise RecordError(place, names[kind], value)
        return value

    return read


# -- ids that must exist ------------------------------------------------------------------------


def check_unique(ids: list[Any], place: str) -> None:
    """Raises: RecordError for an id that occurs twice."""
    if len(set(ids)) != len(ids):
        raise RecordError(place, "each id once", "an id twice")


def check_ids(ids: Iterable[int | None], known: Collection[int], place: str) -> None:
    """Raises: RecordError for an id that is not known; None is ignored."""
    for id in ids:
        if id is not None and id not in known:
            raise RecordError(place, "ids of the record", id)


# -- schema --------------------------------------------------------------------------------------------------------


def schema_of(kinds: Iterable[type[Any]]) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of these kinds of record."""
    definitions: dict[str, Any] = {}
    top = [_schema_of(kind, definitions) for kind in kinds]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "tfedu records",
        "oneOf": top,
        "$defs": dict(sorted(definitions.items())),
    }


def _schema_of(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        name = hint.__name__
        if name not in definitions:
            definitions[name] = {}  # a placeholder, for members that contain this type
            properties: dict[str, Any] = {key: {"const": value} for key, value in _head(hint).items()}
            for member, kind in _members(_key(hint)):
                properties[member] = _schema_of(kind, definitions)
            definitions[name] = {
                "type": "object",
                "description": (hint.__doc__ or "").strip(),
                "properties": properties,
                "required": list(properties),
                "additionalProperties": False,
            }
        return {"$ref": f"#/$defs/{name}"}
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return {"type": "array", "items": _schema_of(args[0], definitions)}
        items = [_schema_of(arg, definitions) for arg in args]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    if origin is Literal:
        return {"enum": list(args)}
    if origin is dict:
        return {
            "type": "object",
            "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        }
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema_of(arg, definitions) for arg in args]}
    names = {int: "integer", float: "number", str: "string", bool: "boolean", types.NoneType: "null"}
    return {"type": names[hint]}
