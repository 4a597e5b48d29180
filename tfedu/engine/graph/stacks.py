"""The two stacks of the engine: the default graph and the default session, each one a thread.

`get_default_graph()` answers the innermost `with graph.as_default()`, else the thread's own graph, made on first use.
State: `_local.graphs`, `_local.sessions` and `_local.base` (the graph used outside every block), all per thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .graph import Graph


class _Local(threading.local):
    def __init__(self) -> None:
        self.graphs: list[Graph] = []
        self.sessions: list[Any] = []
        self.base: Graph | None = None


_local = _Local()
_new_graph: list[Callable[[], Graph]] = []


def use_graph_class(make: Callable[[], Graph]) -> Callable[[], Graph]:
    """Tells how a graph is made: the class is defined above this module."""
    _new_graph[:] = [make]
    return make


def get_default_graph() -> Graph:
    """The graph to which new nodes go in this thread."""
    graphs = _local.graphs
    if graphs:
        return graphs[-1]
    base = _local.base
    if base is None:
        base = _local.base = _new_graph[0]()
    return base


def reset_default_graph() -> None:
    """Replaces the graph that this thread uses outside every `as_default` block.

    Raises: AssertionError inside a `with graph.as_default():` block.
    """
    if _local.graphs:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. "
            "If you need a cleared graph, exit the nesting and create a new graph."
        )
    _local.base = None


def get_default_session() -> Any | None:
    """The innermost session of this thread's `with` blocks, or None."""
    sessions = _local.sessions
    return sessions[-1] if sessions else None


class Entry:
    """A `with` block that puts one value on a stack, and takes it off again in order."""

    __slots__ = ("name", "value", "enforce")

    def __init__(self, name: str, value: Any, enforce: bool = True) -> None:
        self.name = name
        self.value = value
        self.enforce = enforce

    def __enter__(self) -> Any:
        getattr(_local, self.name).append(self.value)
        return self.value

    def __exit__(self, *exc: object) -> None:
        stack = getattr(_local, self.name)
        if stack and stack[-1] is self.value:
            stack.pop()
        elif self.enforce:
            raise AssertionError(f"Nesting violated for default stack of {type(self.value)} objects")
        elif self.value in stack:
            stack.remove(self.value)
