"""Changes of a graph: one thread at a time makes them, a failed call's are undone, a finalized graph takes none.

State: `_lock`, `_journal` (how to undo the call under way) and `_finalized`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from threading import get_ident
from typing import TYPE_CHECKING, Any

from ..base.errors import error_text

if TYPE_CHECKING:
    from .graph import Graph


class Changes:
    """What of a graph allows, keeps and undoes changes."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._journal: list[tuple[Any, ...]] | None = None
        self._finalized = False

    def on_failure(self, step: Callable[..., Any], *args: Any) -> None:
        """Lets a failure of the call under way also do `step(*args)`: how what is kept elsewhere is taken back."""
        if self._journal is not None:
            self._journal.append((step, *args))

    def finalize(self) -> None:
        """Refuses every later change."""
        self._finalized = True

    def _unsafe_unfinalize(self) -> None:
        """Takes finalize() back; for who finalized the graph and is done with it."""
        self._finalized = False

    @property
    def finalized(self) -> bool:
        return self._finalized

    def _check_not_finalized(self) -> None:
        if self._finalized:
            raise RuntimeError(error_text("Graph is finalized and cannot be modified.", fix=_FINAL))


_FINAL = "make all nodes before graph.finalize(), or before the session that does so: Supervisor's, MonitoredSession"


class Transaction:
    """Holds the graph's lock; on a failure undoes what was done since it was entered."""

    __slots__ = ("graph", "mark")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.mark = -1

    def __enter__(self) -> Graph:
        graph = self.graph
        graph._lock.acquire()
        if graph._scope_owner != get_ident():
            graph.claim_names()
        if graph._journal is None:
            graph._journal = []
        else:
            self.mark = len(graph._journal)
        return graph

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        graph = self.graph
        journal = graph._journal
        assert journal is not None
        if kind is not None:
            undo, graph._journal = journal[max(self.mark, 0) :], None
            for step, *args in reversed(undo):
                step(*args)
            del journal[max(self.mark, 0) :]
        graph._journal = None if self.mark < 0 else journal
        graph._lock.release()
