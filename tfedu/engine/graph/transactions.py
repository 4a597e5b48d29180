"""Changes of a graph: one thread at a time makes them, a failed call's are undone, a finalized graph takes none.

State: `_lock`, `_journal` (how to undo the call under way) and `_finalized`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final

from ..base.errors import error_text

_FINAL: Final = (
    "make all nodes before graph.finalize(), or before the session that does so: Supervisor's, MonitoredSession"
)


class Changes:
    """The part of a graph that allows, notes and undoes changes."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._journal: list[tuple[Any, ...]] | None = None
        self._finalized = False

    def transaction(self) -> Transaction:
        """`with graph.transaction():` a failure inside leaves nothing behind: no node, no name, no entry."""
        return Transaction(self)

    def claim_names(self) -> None:
        """Puts this thread's own settings in force; called with the lock held."""

    def on_failure(self, step: Callable[..., Any], *args: Any) -> None:
        """Lets a failure of the call under way also do `step(*args)`, which undoes a change made elsewhere."""
        if self._journal is not None:
            self._journal.append((step, *args))

    def finalize(self) -> None:
        """Refuses every later change."""
        self._finalized = True

    def _unsafe_unfinalize(self) -> None:
        """Takes finalize() back; for callers that finalized the graph themselves."""
        self._finalized = False

    @property
    def finalized(self) -> bool:
        return self._finalized

    def _check_not_finalized(self) -> None:
        if self._finalized:
            raise RuntimeError(error_text("Graph is finalized and cannot be modified.", fix=_FINAL))


class Transaction:
    """Holds the graph's lock; a failure inside undoes every change since the block was entered."""

    __slots__ = ("graph", "mark")

    def __init__(self, graph: Changes) -> None:
        self.graph = graph
        self.mark = -1  # where the journal of an enclosing transaction ended

    def __enter__(self) -> None:
        graph = self.graph
        graph._lock.acquire()
        graph.claim_names()
        if graph._journal is None:
            graph._journal = []
        else:
            self.mark = len(graph._journal)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
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
