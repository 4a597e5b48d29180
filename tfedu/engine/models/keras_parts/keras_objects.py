"""Objects of Keras by name or by configuration: `{"class_name": "Dense", "config": {"units": 2}}`, or "relu".

    with custom_object_scope({"Swish": Swish}):      # names that files and arguments may say
        model = load_model("model.h5")

State: `_custom`, the program's own names.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

from ...base.errors import error_text

_custom: dict[str, Any] = {}


def get_custom_objects() -> dict[str, Any]:
    """The program's own names, a dict that it may change."""
    return _custom


class CustomObjectScope:
    """`with CustomObjectScope({name: object}):` the names mean these objects."""

    def __init__(self, *objects: Mapping[str, Any]) -> None:
        self.custom_objects = objects
        self._before: dict[str, Any] = {}

    def __enter__(self) -> Self:
        self._before = dict(_custom)
        for names in self.custom_objects:
            _custom.update(names)
        return self

    def __exit__(self, *error: object) -> None:
        _custom.clear()
        _custom.update(self._before)


def custom_object_scope(*objects: Mapping[str, Any]) -> CustomObjectScope:
    """`with custom_object_scope({name: object}):` the names mean these objects."""
    return CustomObjectScope(*objects)


@contextmanager
def with_custom_objects(objects: Mapping[str, Any] | None) -> Iterator[None]:
    """The names of a call's `custom_objects` argument, while the call lasts."""
    with CustomObjectScope(objects or {}):
        yield


def serialize_keras_object(instance: Any) -> Any:
    """The class name and configuration of an object, or the name of a function; None for None.

    Raises: ValueError for anything else.
    """
    if instance is None:
        return None
    if hasattr(instance, "get_config"):
        return {"class_name": type(instance).__name__, "config": instance.get_config()}
    if hasattr(instance, "__name__"):
        return instance.__name__
    raise ValueError(error_text(f"('Cannot serialize', {instance!r})"))


def deserialize_keras_object(
    identifier: Any,
    module_objects: Mapping[str, Any] | None = None,
    custom_objects: Mapping[str, Any] | None = None,
    printable_module_name: str = "object",
) -> Any:
    """What a name or a configuration means among the module's and the program's own objects; None for None.

    A class is constructed, a function is given as it is.

    Raises: ValueError for a name that is unknown, and for what is neither a name nor a configuration.
    """
    if identifier is None:
        return None
    known = {**(module_objects or {}), **_custom, **(custom_objects or {})}
    if isinstance(identifier, dict):
        name, config = _name_and_config(identifier)
        found = _known(known, name, printable_module_name, ": ")
        if not hasattr(found, "from_config"):
            return found(**config)
        with CustomObjectScope(custom_objects or {}):
            return found.from_config(config)
    if isinstance(identifier, str):
        found = _known(known, identifier, printable_module_name, ":")
        return found() if inspect.isclass(found) else found
    raise ValueError(error_text(f"Could not interpret serialized {printable_module_name}: {identifier}"))


def object_named(table: Mapping[str, Callable[..., Any]], identifier: Any, what: str, colon: str = ":") -> Any:
    """The object that a constructor of the table makes: for its name, or a configuration.

    Raises: ValueError for a name that the table does not have, and for any other dict.
    """
    if isinstance(identifier, str):
        name, config = identifier, {}
    else:
        name, config = _name_and_config(identifier)
        colon = ": "
    return _known({**table, **_custom}, name, what, colon)(**config)


def _name_and_config(identifier: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if "class_name" not in identifier or "config" not in identifier:
        raise ValueError(error_text(f"Improper config format: {identifier}"))
    return identifier["class_name"], identifier["config"]


def _known(table: Mapping[str, Any], name: str, what: str, colon: str) -> Any:
    if name not in table:
        raise ValueError(error_text(f"Unknown {what}{colon}{name}", fix=f"one of {', '.join(table)}"))
    return table[name]


__all__ = [
    "CustomObjectScope", "custom_object_scope", "deserialize_keras_object", "get_custom_objects", "object_named",
    "serialize_keras_object", "with_custom_objects",
]  # fmt: skip
