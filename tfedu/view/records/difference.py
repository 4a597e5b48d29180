"""The record of the difference of two graphs: one graph with the nodes of both, and what changed at each. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import check_ids, check_unique, dataclass
from .graph import EdgeKind, GraphRecord

Change = Literal["added", "removed", "renamed", "rewired", "changed"]
Side = Literal["added", "removed"]


@dataclass(frozen=True, slots=True)
class InputChangeRecord:
    """An input of a node: the tensor or node that it took before and takes after, "" for none. A control input has no number."""

    kind: EdgeKind
    input: int | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class NodeChangeRecord:
    """A changed node: its names before and after, and each changed attribute as (name, text before, text after)."""

    node: int
    changes: tuple[Change, ...]
    before: str
    after: str
    inputs: tuple[InputChangeRecord, ...]
    attrs: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class EdgeChangeRecord:
    """An edge that only one of the graphs has."""

    edge: int
    change: Side


@dataclass(frozen=True, slots=True)
class BlockChangeRecord:
    """An empty block that only one of the graphs has."""

    block: int
    change: Side


@dataclass(frozen=True, slots=True)
class GraphDiffRecord:
    """Two graphs as one: the nodes and edges of the second graph, and those of the first that were removed.

    same: how many nodes did not change, including nodes that the graph leaves out.
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
