"""`with_defaults`: a class's own defaults for the constructor of its base class. No state."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

K = TypeVar("K", bound=type)


def with_defaults(**defaults: Any) -> Callable[[K], K]:
    """A decorator of a class: its constructor is that of its base class with these defaults, which its signature tells."""

    def decorate(kind: K) -> K:
        signature = inspect.signature(kind)
        told = [p.replace(default=defaults.get(p.name, p.default)) for p in signature.parameters.values()]
        places = {p.name: place for place, p in enumerate(told)}

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            missing = {name: value for name, value in defaults.items() if places[name] >= len(args)}
            super(kind, self).__init__(*args, **{**missing, **kwargs})  # type: ignore[misc]

        kind.__init__ = __init__  # type: ignore[misc]
        kind.__signature__ = signature.replace(parameters=told)  # type: ignore[attr-defined]
        return kind

    return decorate


__all__ = ["with_defaults"]
