"""`with_defaults`: a class's own defaults for the constructor of its base class. No state."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from ...base.errors import error_text

K = TypeVar("K", bound=type)


def with_defaults(*left_out: str, **defaults: Any) -> Callable[[K], K]:
    """A decorator of a class: its constructor is that of its base class with these defaults, which its signature tells.

    left_out: parameters of the base class that the signature does not have.
    """

    def decorate(kind: K) -> K:
        signature = inspect.signature(kind)
        kept = [p for p in signature.parameters.values() if p.name not in left_out]
        told = signature.replace(parameters=[p.replace(default=defaults.get(p.name, p.default)) for p in kept])

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            try:
                given = told.bind_partial(*args, **kwargs).arguments
            except TypeError as error:
                raise TypeError(error_text(f"__init__() {error}")) from None
            others = given.pop("kwargs", {})
            super(kind, self).__init__(**{**defaults, **given, **others})  # type: ignore[misc]

        kind.__init__ = __init__  # type: ignore[misc]
        kind.__signature__ = told  # type: ignore[attr-defined]
        return kind

    return decorate


__all__ = ["with_defaults"]
