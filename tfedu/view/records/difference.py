"""The record of what became of a graph: one graph that has the nodes of both, and what changed at each. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import check_ids, check_unique, dataclass
from .graph import EdgeKind, GraphRecord

Change = Literal["added", "removed", "renamed", "rewired", "changed"]
Side = Literal["added", "removed"]


@dataclass(frozen=True, slots=True)
class InputChangeRecord:
    """What a node takes now and took before, by the names of that time; "" is nothing. A control input has no number."""

    kind: EdgeKind
    input: int | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class NodeChangeRecord:
    """A node that is not as it was: `before` and `after` are its names, attrs what else it is, each before and after."""

    node: int
    changes: tuple[Change, ...]
    before: str
    after: str
    inputs: tuple[InputChangeRecord, ...]
    attrs: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class EdgeChangeRecord:
    """An edge that is there in only one of the two."""

    edge: int
    change: Side


@dataclass(frozen=True, slots=True)
class BlockChangeRecord:
    """An empty block that is there in only one of the two."""

    block: int
    change: Side


@dataclass(frozen=True, slots=True)
class GraphDiffRecord:
    """Two graphs as one: its nodes and edges are those of the second graph, and those of the first that are gone.

    same: how many nodes are as before, those that the graph leaves out among them.
    """

    KIND: ClassVar[str] = "graph-diff"
    graph: GraphRecord
    nodes: tuple[NodeChangeRecord, ...] = ()
    edges: tuple[EdgeChangeRecord, ...] = ()
    blocks: tuple[BlockChangeRecord, ...] = ()
    same: int = 0

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for ids that do not exist, or that change twice."""
        graph = self.graph
        graph.check(f"{dot}graph.")
        for name, changed, known in (
            ("nodes", [change.node for change in self.nodes], {node.id for node in graph.nodes}),
            ("edges", [change.edge for change in self.edges], {edge.id for edge in graph.edges}),
            ("blocks", [change.block for change in self.blocks], {block.id for block in graph.blocks}),
        ):
            check_unique(changed, f"{dot}{name}")
            check_ids(changed, known, f"{dot}{name}")
