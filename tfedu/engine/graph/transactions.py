"""Changes of a graph: one thread at a time makes them, a failed call's are undone, a finalized graph takes none.

`graph.attempt(function, …)` is the one way to make changes that may fail. Ctrl-C can come between any two instructions, so each
change is written into the journal before it is made, and its undoing step may find it made, half made or not made. A `with`
block could not do that: an interrupt at the first instruction of its `__exit__` would leave everything as it is.
State: `_lock`, `_journal` (how to undo the call under way) and `_finalized`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

from ..base.errors import error_text
from .stacks import per_thread

P = ParamSpec("P")
R = TypeVar("R")
Journal: TypeAlias = list[tuple[Any, ...]]
Blocks: TypeAlias = tuple[tuple[Any, ...], int, int]  # the settings, and the lengths of the thread's two stacks
# The journal of the call around it, that of this call, its length, and the blocks that were open.
_Start: TypeAlias = tuple[Journal | None, Journal, int, Blocks]

_FINAL: Final = (
    "make all nodes before graph.finalize(), or before the session that does so: Supervisor's, MonitoredSession"
)


class Changes:
    """The part of a graph that allows, notes and undoes changes."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._journal: list[tuple[Any, ...]] | None = None
        self._finalized = False

    def attempt(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """`function(*args, **kwargs)`; its failure leaves nothing behind: no node, no name, no entry, no open block."""
        start: _Start | None = None
        try:
            with self._lock:
                self.claim_names()
                outer = self._journal
                journal: Journal = [] if outer is None else outer
                start = outer, journal, len(journal), self.open_blocks()
                self._journal = journal
                result = function(*args, **kwargs)
                self._journal = outer
            return result
        except BaseException:
            if start is not None:
                self._roll_back(start)
            raise

    def _roll_back(self, start: _Start) -> None:
        outer, journal, mark, blocks = start
        with self._lock:
            self.claim_names()
            self._journal = None  # the steps are not noted in turn
            while len(journal) > mark:
                step, *args = journal[-1]
                step(*args)
                journal.pop()
            self.settle(blocks)
            self._journal = outer

    def open_blocks(self) -> Blocks:
        """The `with` blocks that are open in this thread, by what they have set."""
        return self._settings_now(), len(per_thread.graphs), len(per_thread.sessions)

    def settle(self, blocks: Blocks) -> None:
        """Makes `blocks`, from `open_blocks`, the open ones, whatever was opened or closed since."""
        settings, graphs, sessions = blocks
        with self._lock:
            self.claim_names()
            self._restore_settings_now(settings)
        del per_thread.graphs[graphs:], per_thread.sessions[sessions:]

    def claim_names(self) -> None:
        """Puts this thread's own settings in force; called with the lock held."""

    def _settings_now(self) -> tuple[Any, ...]:
        """What the open blocks of this thread have set."""
        return ()

    def _restore_settings_now(self, settings: tuple[Any, ...]) -> None:
        """Closes the blocks that were opened since, and opens those that were closed."""

    def on_failure(self, step: Callable[..., Any], *args: Any) -> None:
        """Lets a failure of the call under way also do `step(*args)`, which undoes a change made elsewhere.

        It is called before the change, and the step undoes the change if it was made.
        """
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


def drop(items: list[Any], item: Any) -> None:
    """Undoes `items.append(item)`, if it was done."""
    if item in items:
        items.remove(item)


__all__ = ["Changes", "drop"]
