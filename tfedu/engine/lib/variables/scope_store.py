"""What a graph keeps about its variable scopes: the one that is open, and how often each name was opened.

`scopes_of(graph).current` is the open scope (None: the outermost one, not yet made). State: the graph's collection
`("__varscope",)`, which holds one `ScopeStore`; each thread has its own scopes, as in TF.
"""

from __future__ import annotations

import threading
from typing import Any

from ...graph.graph import Graph

_KEY = ("__varscope",)


class ScopeStore(threading.local):
    """The open variable scope of this thread and its counts."""

    def __init__(self) -> None:
        self.current: Any = None
        self.counts: dict[str, int] = {}

    def opened(self, name: str) -> None:
        """Counts one more scope of that name."""
        self.counts[name] = self.counts.get(name, 0) + 1

    def forget_inside(self, name: str) -> None:
        """Counts from zero again inside that scope: it was left, and may be opened anew."""
        for other in self.counts:
            if other.startswith(f"{name}/"):
                self.counts[other] = 0

    def unique(self, prefix: str) -> str:
        """`prefix`, or `prefix_1`, … when the open scope has had it."""
        inside = self.current.name if self.current is not None else ""
        path = f"{inside}/{prefix}" if inside else prefix
        name, index = prefix, 0
        while self.counts.get(path if not index else f"{path}_{index}"):
            index += 1
            name = f"{prefix}_{index}"
        return name


def scopes_of(graph: Graph) -> ScopeStore:
    """The graph's store, made on first use."""
    kept = graph.get_collection_ref(_KEY)
    if not kept:
        kept.append(ScopeStore())
    store: ScopeStore = kept[0]
    return store
