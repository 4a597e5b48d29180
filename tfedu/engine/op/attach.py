"""What the op layer gives the graph's classes: `Graph.create_op` needs the registry, which the graph does not know."""

from __future__ import annotations

from ..graph.graph import Graph
from .create import create_op

ATTACHED = {(Graph, "create_op"): create_op}


def attach() -> None:
    """Puts each function of the table on its class."""
    for (owner, name), function in ATTACHED.items():
        setattr(owner, name, function)
