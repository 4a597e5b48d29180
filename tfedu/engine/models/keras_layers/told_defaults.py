"""`with_defaults`: defaults that a class's signature tells, where its base class has shorter ones. No state."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

K = TypeVar("K", bound=type)


def with_defaults(**defaults: Any) -> Callable[[K], K]:
    """A decorator of a class: its signature tells these defaults, which mean the same as those of its base class."""

    def decorate(kind: K) -> K:
        signature = inspect.signature(kind)
        told = [p.replace(default=defaults.get(p.name, p.default)) for p in signature.parameters.values()]
        kind.__signature__ = signature.replace(parameters=told)  # type: ignore[attr-defined]
        return kind

    return decorate


__all__ = ["with_defaults"]
