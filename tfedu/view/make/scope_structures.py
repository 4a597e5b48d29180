"""Which scopes are built alike, wherever they lie: `structures(part)` gives each of them a number, one for each structure.

Two scopes are alike where groups.py would show them as copies of one block. No state.
"""

from __future__ import annotations

from collections.abc import Hashable

from ...engine.base.garbage_collection import collection_paused
from ..records import EDGE_KINDS
from .graph_records import Part, edges_of, parents_of, scopes_of, signature_of
from .repeated_blocks import Node, built_alike


@collection_paused()
def structures(part: Part) -> dict[str, int]:
    """The scopes that have at least one like them, by path."""
    known: dict[Hashable, int] = {}
    scope_of = scopes_of([op.name for op in part.operations])
    places = {op.id: place for place, op in enumerate(part.operations)}
    nodes = [Node(op.name, scope_of[op.name], signature_of(op, known)) for op in part.operations]
    edges = [
        (EDGE_KINDS.index(kind), places[source.id], -1 if output is None else output, target, -1 if input is None else input)
        for target, op in enumerate(part.operations)
        for kind, source, output, input, _ in edges_of(op)
        if source.id in places
    ]
    return built_alike(nodes, edges, parents_of(scope_of.values()))


__all__ = ["structures"]
