"""A graph's record of its variable scopes: the open one, and how often each name was opened.

`scopes_of(graph).current` is the open scope (None: the outermost, not yet created). State: the graph's collection
`("__varscope",)`, which holds one `ScopeStore`; each thread has its own scopes, as in TF.
"""

from __future__ import annotations

import threading
from typing import Any

from ...graph.graph import Graph

_KEY = ("__varscope",)


class ScopeStore(threading.local):
    """This thread's open variable scope, and the number of times that each scope name was opened."""

    def __init__(self) -> None:
        self.current: Any = None
        self.counts: dict[str, int] = {}

    def restore(self, current: Any, counts: dict[str, int]) -> None:
        """Makes this the open scope again, and these the counts."""
        self.current, self.counts = current, counts

    def opened(self, name: str) -> None:
        """Counts one more scope of that name."""
        self.counts[name] = self.counts.get(name, 0) + 1

    def forget_inside(self, name: str) -> None:
        """Resets the counts of the scopes nested in a scope that was left."""
        for other in self.counts:
            if other.startswith(f"{name}/"):
                self.counts[other] = 0

    def unique(self, prefix: str) -> str:
        """`prefix`, or the first of `prefix_1`, … that the open scope has not used."""
        scope_name = self.current.name if self.current is not None else ""
        path = f"{scope_name}/{prefix}" if scope_name else prefix
        name, index = prefix, 0
        while self.counts.get(path if not index else f"{path}_{index}"):
            index += 1
            name = f"{prefix}_{index}"
        return name


def scopes_of(graph: Graph) -> ScopeStore:
    """The graph's store, created on first use."""
    stores = graph.get_collection_ref(_KEY)
    if not stores:
        stores.append(ScopeStore())
    store: ScopeStore = stores[0]
    return store
