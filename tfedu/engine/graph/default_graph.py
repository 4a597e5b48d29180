"""The default graph: `get_default_graph()` is where new nodes of this thread go.

That is the graph of the innermost `with graph.as_default()`, else the thread's own, created on first use.
State: `_own.graph`, the graph that a thread uses outside every block.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from .graph import Graph, graph_of
from .stacks import per_thread


class _Own(threading.local):
    graph: Graph | None = None


_own = _Own()


def get_default_graph() -> Graph:
    """The graph to which new nodes go in this thread."""
    graphs: list[Graph] = per_thread.graphs
    if graphs:
        return graphs[-1]
    graph = _own.graph
    if graph is None:
        graph = _own.graph = Graph()
    return graph


def graph_for(values: Iterable[Any]) -> Graph:
    """Where a node of these values goes: into the function under construction, else into the values' graph, else into the
    default graph.

    Raises: ValueError for values of different graphs.
    """
    default = get_default_graph()
    return default if default.takes_foreign_tensors else graph_of(values) or default


def reset_default_graph() -> None:
    """Replaces the graph that this thread uses outside every `as_default` block.

    Raises: AssertionError inside a `with graph.as_default():` block.
    """
    if per_thread.graphs:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. "
            "If you need a cleared graph, exit the nesting and create a new graph."
        )
    _own.graph = None
