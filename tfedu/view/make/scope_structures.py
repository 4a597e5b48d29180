"""Which scopes have the same structure, anywhere in the graph: `structures(part)` numbers the structures.

Two scopes have the same structure where repeated_blocks.py would show them as copies of one block. No state.
"""

from __future__ import annotations

from collections.abc import Hashable

from ...engine.base.garbage_collection import collection_paused
from ..records import GraphRecord
from .drawn_places import places_of
from .gradient_nodes import gradient_records
from .graph_records import Part, edges_of, signature_of
from .networks.repeated_blocks import Edge, Node, alike, structure_numbers
from .scope_paths import parents_of


@collection_paused()
def structures(part: Part) -> dict[str, int]:
    """For each scope whose structure occurs more than once the number of the structure."""
    known: dict[Hashable, int] = {}
    scope_of, _ = places_of(part.operations, tuple(gradient_records(part.operations)), part.is_complete)
    places = {op.id: place for place, op in enumerate(part.operations)}
    nodes = [Node(op.name, scope_of[op.name], signature_of(op, known)) for op in part.operations]
    edges = [
        Edge.of(edge.kind, places[edge.source.id], edge.output, target, edge.input)
        for target, op in enumerate(part.operations)
        for edge in edges_of(op)
        if edge.source.id in places
    ]
    return structure_numbers(nodes, edges, parents_of(scope_of.values()))


def structures_of(record: GraphRecord) -> dict[str, int]:
    """The same for a record that has all nodes."""
    places = {node.id: place for place, node in enumerate(record.nodes)}
    edges = [Edge.of(edge.kind, places[edge.source], edge.output, places[edge.target], edge.input) for edge in record.edges]
    return structure_numbers(alike(record.nodes), edges, {scope.path: scope.parent for scope in record.scopes})


__all__ = ["structures", "structures_of"]
