"""The two stacks of the engine, the default graphs and the default sessions, each one a thread.

`Entry` is a `with` block's place on a stack; `default_graph.py` reads the stack of graphs. State: `per_thread`.
"""

from __future__ import annotations

import threading
from typing import Any

from ..base.foreign import foreign


class _PerThread(threading.local):
    def __init__(self) -> None:
        self.graphs: list[Any] = []
        self.sessions: list[Any] = []


per_thread = _PerThread()


def get_default_session() -> Any | None:
    """The innermost session of this thread's `with` blocks, or None."""
    sessions = per_thread.sessions
    return sessions[-1] if sessions else None


class Entry:
    """A `with` block that pushes one value on a stack, and takes it off again in order."""

    __slots__ = ("stack", "value", "enforce", "depth")

    def __init__(self, stack: str, value: Any, enforce: bool = True) -> None:
        self.stack = stack  # "graphs" or "sessions": each thread that enters the block has lists of its own
        self.value = value
        self.enforce = enforce
        self.depth = 0  # the length of the stack below the value

    def __enter__(self) -> Any:
        stack = getattr(per_thread, self.stack)
        self.depth = len(stack)
        try:
            stack.append(self.value)
            return self.value
        except BaseException:
            del stack[self.depth :]
            raise

    def __exit__(self, *exc: object) -> None:
        try:
            self._leave()
        except BaseException as error:
            if foreign(error) is not None and len(getattr(per_thread, self.stack)) == self.depth + 1:
                self._leave()
            raise

    def _leave(self) -> None:
        stack = getattr(per_thread, self.stack)
        if stack and stack[-1] is self.value:
            stack.pop()
        elif self.enforce:
            raise AssertionError(f"Nesting violated for default stack of {type(self.value)} objects")
        elif self.value in stack:
            stack.remove(self.value)
