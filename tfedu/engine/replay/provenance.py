"""Provenance: why each node of a graph runs or does not. `provenance(graph, fetched, fed).code(op)`, `.path(op)`.

The codes: "fetched", "data" (another node takes its output), "control" (another node waits for it), "fed" (its output is
fed, so it need not run), "pruned" (no fetch needs it). Each path is a shortest one from a fetched node. No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from ..runtime.prune import data_inputs, waits_for

Code = Literal["fetched", "data", "control", "fed", "pruned"]


@dataclass(frozen=True)
class Provenance:
    """For each node that runs the node that needs it, and how.

    needed_by: (node, "data" or "control"); None for a fetched node. fed_instead: nodes that would run if no feed replaced them.
    """

    graph: Graph
    fetched: tuple[Operation, ...]
    fed: frozenset[Tensor]
    needed_by: dict[Operation, tuple[Operation, Literal["data", "control"]] | None]
    fed_instead: frozenset[Operation]

    def code(self, op: Operation) -> Code:
        """Why the node runs or does not: fetched, data, control, fed or pruned."""
        if op not in self.needed_by:
            return "fed" if op in self.fed_instead else "pruned"
        consumer = self.needed_by[op]
        return "fetched" if consumer is None else consumer[1]

    def path(self, op: Operation, limit: int | None = None) -> tuple[Operation, ...]:
        """The nodes from a fetched one to this one, at most the last `limit`; empty when it does not run."""
        if op not in self.needed_by:
            return ()
        path = [op]
        consumer = self.needed_by[op]
        while consumer is not None and (limit is None or len(path) < limit):
            path.append(consumer[0])
            consumer = self.needed_by[consumer[0]]
        return tuple(reversed(path))


def provenance(graph: Graph, fetched: Iterable[Tensor | Operation], fed: Iterable[Tensor] = ()) -> Provenance:
    """Which node needs which, by a breadth-first search from the fetched nodes, data edges before control edges."""
    feeds = frozenset(fed)
    elements = list(dict.fromkeys(fetched))
    # The run returns a fetched tensor that is fed without running any node for it.
    layer = list(dict.fromkeys(e if isinstance(e, Operation) else e.op for e in elements if e not in feeds))
    targets = tuple(layer)
    needed_by: dict[Operation, tuple[Operation, Literal["data", "control"]] | None] = dict.fromkeys(layer)
    while layer:
        next_layer: list[Operation] = []
        for op in layer:
            for source in data_inputs(op, feeds):
                if source not in needed_by:
                    needed_by[source] = (op, "data")
                    next_layer.append(source)
            for source in waits_for(op, feeds):
                if source not in needed_by:
                    needed_by[source] = (op, "control")
                    next_layer.append(source)
        layer = next_layer
    fetched_feeds = set(elements) & feeds
    fed_instead = frozenset(
        tensor.op
        for tensor in feeds
        if tensor.op not in needed_by
        and (tensor in fetched_feeds or any(consumer in needed_by for consumer in tensor.consumers()))
    )
    return Provenance(graph, targets, feeds, needed_by, fed_instead)


__all__ = ["Code", "Provenance", "provenance"]
