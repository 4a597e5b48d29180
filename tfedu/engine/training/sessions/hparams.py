"""`tf.contrib.training.HParams`: named settings of a model, `HParams(rate=0.1, units=[64, 32]).parse("rate=0.2,units[1]=8")`.

Each keeps the type of its first value. State: an HParams' own names, types and values.
"""

from __future__ import annotations

import json
import numbers
import re
from collections.abc import Callable
from typing import Any, NoReturn

from ...base import log, proto
from ...base.errors import error_text

# name=value, name[index]=value or name=[value, …], with the comma that follows
PARAM_RE = re.compile(
    r"(?P<name>[a-zA-Z][\w.]*)(?:\[\s*(?P<index>\d+)\s*\])?\s*=\s*(?:(?P<val>[^,\[]*)|\[(?P<vals>[^\]]*)\])(?:,\s*|$)"
)


def parse_values(values: str, type_map: dict[str, type], ignore_unknown: bool = False) -> dict[str, Any]:
    """Parses "a=1,b=[x,y],c[2]=0.5": name to value, list of values, or {index: value}.

    type_map: each name's type. ignore_unknown: skips names that it lacks.
    Raises: ValueError for another form, an unknown name, a value of another type and a name that comes twice.
    """
    parsed: dict[str, Any] = {}
    at = 0
    while at < len(values):
        match = PARAM_RE.match(values, at)
        if match is None:
            raise ValueError(error_text(f"Malformed hyperparameter value: {values[at:]}"))
        at = match.end()
        name, index, one, several = match.group("name", "index", "val", "vals")
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError(error_text(f"Unknown hyperparameter type for {name}"))
        read = _reader(name, type_map[name], values)
        if several is not None:
            if index is not None:
                raise ValueError(error_text("Assignment of a list to a list index."))
            if name in parsed:
                _refuse_second(name, values)
            parsed[name] = [read(part, several) for part in re.split("[ ,]", several) if part]
        elif index is None:
            value = read(one, one)
            if name in parsed:
                _refuse_second(name, values)
            parsed[name] = value
        else:
            value = read(one, one)
            by_index = parsed.setdefault(name, {})
            if not isinstance(by_index, dict):
                _refuse_second(name, values)
            if int(index) in by_index:
                _refuse_second(f"{name}[{int(index)}]", values)
            by_index[int(index)] = value
    return parsed


def _reader(name: str, value_type: type, values: str) -> Callable[[str, str], Any]:
    """A function that reads one value; its errors show `context`, the text that the value is part of."""

    def read(text: str, context: str) -> Any:
        try:
            if value_type is not bool:
                return value_type(text)
            if text in ("true", "True", "false", "False"):
                return text in ("true", "True")
            return bool(int(text))
        except ValueError:
            message = f"Could not parse hparam '{name}' of type '{value_type.__name__}' with value '{context}' in {values}"
            raise ValueError(error_text(message)) from None

    return read


def _refuse_second(name: str, values: str) -> NoReturn:
    raise ValueError(error_text(f"Multiple assignments to variable '{name}' in {values}"))


def _cast(name: str, kind: type, value: Any) -> Any:
    """The value, converted to the hyperparameter's type. Raises: ValueError for a value of another type."""
    if type(value) is kind or issubclass(kind, type(None)):
        return value
    fits = (
        (isinstance(value, (str, bytes)) or not issubclass(kind, (str, bytes)))
        and issubclass(kind, bool) == isinstance(value, bool)
        and (isinstance(value, numbers.Integral) or not issubclass(kind, numbers.Integral))
        and (isinstance(value, numbers.Number) or not issubclass(kind, numbers.Number))
    )
    if not fits:
        raise ValueError(error_text(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}"))
    return kind(value)


class HParams:
    """Hyperparameters, each an attribute: a number, string or bool, or a list of one of these types.

    hparam_def: an HParamDef message to read them from, instead of keywords.
    Raises: ValueError for a name that is in use, an empty list, or both a message and keywords.
    """

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None:
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        if hparam_def:
            if kwargs:
                raise ValueError(error_text("hparam_def and initialization values are mutually exclusive"))
            kwargs = {name: _from_message(value) for name, value in hparam_def.hparam.items()}
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name: str, value: Any) -> None:
        """Adds a hyperparameter. Raises: ValueError for a name that is in use, and for an empty list."""
        if getattr(self, name, None) is not None:
            raise ValueError(error_text(f"Hyperparameter name is reserved: {name}"))
        several = isinstance(value, (list, tuple))
        if several and not value:
            raise ValueError(error_text(f"Multi-valued hyperparameters cannot be empty: {name}"))
        self._hparam_types[name] = (type(value[0] if several else value), several)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Sets a value. Raises: KeyError for an unknown name, ValueError for a value of another type."""
        if name not in self._hparam_types:
            raise KeyError(error_text(name, fix=f"add it first: add_hparam({name!r}, …)"))
        kind, several = self._hparam_types[name]
        if isinstance(value, list):
            if not several:
                raise ValueError(error_text(f"Must not pass a list for single-valued parameter: {name}"))
            setattr(self, name, [_cast(name, kind, one) for one in value])
        elif several:
            raise ValueError(error_text(f"Must pass a list for multi-valued parameter: {name}."))
        else:
            setattr(self, name, _cast(name, kind, value))

    def del_hparam(self, name: str) -> None:
        """Removes a hyperparameter, if it exists."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values: str) -> HParams:
        """Sets values from text: see `parse_values`. Raises: ValueError."""
        return self.override_from_dict(parse_values(values, {name: kind for name, (kind, _) in self._hparam_types.items()}))

    def override_from_dict(self, values_dict: dict[str, Any]) -> HParams:
        """Sets the values of a dict. Raises: see `set_hparam`."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def set_from_map(self, values_map: dict[str, Any]) -> HParams:
        """The old name of `override_from_dict`."""
        log.warn("HParams.set_from_map is deprecated: use override_from_dict.")
        return self.override_from_dict(values_map)

    def parse_json(self, values_json: str) -> HParams:
        """Sets the values of a JSON object. Raises: ValueError for other text; see `set_hparam`."""
        return self.override_from_dict(json.loads(values_json))

    def to_json(self, indent: int | None = None, separators: tuple[str, str] | None = None, sort_keys: bool = False) -> str:
        """A JSON object of all values."""
        return json.dumps(self.values(), indent=indent, separators=separators, sort_keys=sort_keys)

    def values(self) -> dict[str, Any]:
        """All values by name."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key: str, default: Any = None) -> Any:
        """A value, or the default for an unknown name. Raises: ValueError for a default of another type."""
        if key not in self._hparam_types:
            return default
        if default is not None:
            kind, several = self._hparam_types[key]
            type_name = f"list<{kind}>" if several else str(kind)
            text = f"Hparam '{key}' of type '{type_name}' is incompatible with default={default}"
            if several != isinstance(default, list):
                raise ValueError(error_text(text))
            try:
                for one in default if several else [default]:
                    _cast(key, kind, one)
            except ValueError as error:
                cause = str(error).partition("\n")[0]
                raise ValueError(error_text(f"{text}. {cause}")) from None
        return getattr(self, key)

    def set_model_structure(self, model_structure: Any) -> None:
        self._model_structure = model_structure

    def get_model_structure(self) -> Any:
        return self._model_structure

    def to_proto(self, export_scope: str | None = None) -> Any:
        """An HParamDef message. Raises: ValueError for a value that it cannot hold."""
        message = proto.HParamDef()
        for name, (kind, several) in self._hparam_types.items():
            value = getattr(self, name)
            values = [_as_bytes(one) for one in (value if several else [value])]
            field = message.hparam[name]
            stem = _field_stem(kind)
            if several:
                getattr(field, f"{stem}_list").value.extend(values)
            else:
                setattr(field, f"{stem}_value", values[0])
        return message

    @staticmethod
    def from_proto(hparam_def: Any, import_scope: str | None = None) -> HParams:
        """The hyperparameters of an HParamDef message."""
        return HParams(hparam_def=hparam_def)

    def __contains__(self, key: str) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({sorted(self.values().items())})"


def _field_stem(kind: type) -> str:
    for kinds, stem in ((bool, "bool"), (int, "int64"), ((str, bytes), "bytes"), (float, "float")):
        if issubclass(kind, kinds):  # type: ignore[arg-type]
            return stem
    raise ValueError(error_text(f"Unsupported parameter type: {kind}"))


def _as_bytes(value: Any) -> Any:
    return value.encode("utf-8") if isinstance(value, str) else value


def _from_message(value: Any) -> Any:
    kind = value.WhichOneof("kind")
    field = getattr(value, kind)
    if kind.endswith("_list"):
        return [_as_text(one) for one in field.value]
    return _as_text(field)


def _as_text(value: Any) -> Any:
    return value.decode("utf-8") if isinstance(value, bytes) else value


__all__ = ["PARAM_RE", "HParams", "parse_values"]
