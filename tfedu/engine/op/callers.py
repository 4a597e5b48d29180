"""`nodes.MatMul(a, b)`: adds a node of any op type, whichever table describes it.

Gradient rules and the functions that they share call the ops of other tables so: no table imports another one for its rules,
and a table that few programs use is read when the first node of a type of its own is wanted. No state but that cache.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .definition import REGISTRY


class _Callers:
    """The caller of each op type as an attribute of that name.

    Raises: AttributeError when there is no such op type.
    """

    def __getattr__(self, type: str) -> Callable[..., Any]:
        definition = REGISTRY.get(type)
        if definition is None:
            raise AttributeError(f"no op type {type!r}")
        caller: Callable[..., Any] = definition.caller
        setattr(self, type, caller)  # found at once the next time
        return caller


nodes = _Callers()

__all__ = ["nodes"]
