"""`nodes.MatMul(a, b)`: adds a node of any op type, whichever table describes it.

Gradient rules and the functions that they share call the ops of other tables in this way: no table imports another one for its
rules, and a rarely used table is imported with the first node of one of its types. State: a cache of the callers.
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
