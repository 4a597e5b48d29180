"""The lists that a graph keeps by name: variables, losses, summaries and anything else a program collects.

State: `_collections`.
"""

from __future__ import annotations

import re
from typing import Any

from .transactions import Changes


class Collected(Changes):
    """The part of a graph that holds its collections."""

    def __init__(self) -> None:
        super().__init__()
        self._collections: dict[Any, list[Any]] = {}

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Appends `value` to the list kept under `name`."""
        self._check_not_finalized()
        items = self.get_collection_ref(name)
        self.on_failure(self._uncollect, items, len(items))
        items.append(value)

    @staticmethod
    def _uncollect(items: list[Any], count: int) -> None:
        del items[count:]

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Appends `value` under each name once."""
        for name in (names,) if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: Any) -> list[Any]:
        """The live list kept under `name`."""
        if name not in self._collections:
            self.on_failure(self._collections.pop, name, None)
        return self._collections.setdefault(name, [])

    def get_collection(self, name: Any, scope: str | None = None) -> list[Any]:
        """A copy of the list under `name`; with `scope`, the items whose name begins with a match of it."""
        items = self._collections.get(name, [])
        if scope is None:
            return list(items)
        pattern = re.compile(scope)
        return [item for item in items if hasattr(item, "name") and pattern.match(item.name)]

    def get_all_collection_keys(self) -> list[Any]:
        return [key for key in self._collections if isinstance(key, str)]

    def clear_collection(self, name: Any) -> None:
        self._check_not_finalized()
        self._collections.pop(name, None)

    @property
    def collections(self) -> list[Any]:
        return list(self._collections)
