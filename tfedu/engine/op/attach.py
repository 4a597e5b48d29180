"""Attaches `Graph.create_op`, which needs the registry of ops: engine/graph cannot import it."""

from __future__ import annotations

from ..graph.graph import Graph
from .create import create_op

ATTACHED = {(Graph, "create_op"): create_op}


def attach() -> None:
    """Puts each function of the table on its class."""
    for (owner, name), function in ATTACHED.items():
        setattr(owner, name, function)
