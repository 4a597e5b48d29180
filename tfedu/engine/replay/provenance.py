"""Provenance: why each node of a graph runs or does not. `provenance(graph, fetched, fed).code(op)`, `.path(op)`.

The codes: "fetched", "data" (its value is needed), "control" (it is waited for), "fed" (its value comes from outside,
so it need not run), "pruned" (nothing asks for it). Each path is a shortest one from what is fetched. No state.
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
    """For each node that runs who asked for it, and how."""

    graph: Graph
    fetched: tuple[Operation, ...]
    fed: frozenset[Tensor]
    asked: dict[Operation, tuple[Operation, Literal["data", "control"]] | None]  # (who asked, "data" or "control"); None: fetched
    fed_over: frozenset[Operation]  # would run if they were not fed

    def code(self, op: Operation) -> Code:
        """Why the node runs or does not: fetched, data, control, fed or pruned."""
        if op not in self.asked:
            return "fed" if op in self.fed_over else "pruned"
        asker = self.asked[op]
        return "fetched" if asker is None else asker[1]

    def path(self, op: Operation, limit: int | None = None) -> tuple[Operation, ...]:
        """The nodes from what is fetched to this one, at most the last `limit`; empty when it does not run."""
        if op not in self.asked:
            return ()
        path = [op]
        asker = self.asked[op]
        while asker is not None and (limit is None or len(path) < limit):
            path.append(asker[0])
            asker = self.asked[asker[0]]
        return tuple(reversed(path))


def provenance(graph: Graph, fetched: Iterable[Tensor | Operation], fed: Iterable[Tensor] = ()) -> Provenance:
    """Who asks for which node, layer by layer from what is fetched, data before control."""
    cut = frozenset(fed)
    elements = list(dict.fromkeys(fetched))
    # A fed tensor that is fetched is given back and needs nothing to run.
    row = list(dict.fromkeys(e if isinstance(e, Operation) else e.op for e in elements if e not in cut))
    targets = tuple(row)
    asked: dict[Operation, tuple[Operation, Literal["data", "control"]] | None] = dict.fromkeys(row)
    while row:
        following: list[Operation] = []
        for op in row:
            for needed in data_inputs(op, cut):
                if needed not in asked:
                    asked[needed] = (op, "data")
                    following.append(needed)
            for needed in waits_for(op, cut):
                if needed not in asked:
                    asked[needed] = (op, "control")
                    following.append(needed)
        row = following
    fetched_fed = set(elements) & cut
    over = frozenset(
        tensor.op
        for tensor in cut
        if tensor.op not in asked
        and (tensor in fetched_fed or any(consumer in asked for consumer in tensor.consumers()))
    )
    return Provenance(graph, targets, cut, asked, over)


__all__ = ["Code", "Provenance", "provenance"]
