"""The record of two traces side by side. No state."""

from __future__ import annotations

from typing import ClassVar

from .codec import RecordError, check_ids, dataclass
from .trace import TraceRecord


@dataclass(frozen=True, slots=True)
class MarksRecord:
    """The nodes and empty blocks that only this side has, and the edges of common nodes that only this side has, by id."""

    nodes: tuple[int, ...] = ()
    edges: tuple[int, ...] = ()
    blocks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SideRecord:
    """One side of a comparison."""

    title: str
    trace: TraceRecord
    marks: MarksRecord


@dataclass(frozen=True, slots=True)
class CompareRecord:
    """Two traces side by side."""

    KIND: ClassVar[str] = "compare"
    sides: tuple[SideRecord, ...]

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for ids that do not exist."""
        if len(self.sides) != 2:
            raise RecordError(f"{dot}sides", "two sides", len(self.sides))
        for index, side in enumerate(self.sides):
            place = f"{dot}sides[{index}]."
            side.trace.check(f"{place}trace.")
            graph = side.trace.graph
            check_ids(side.marks.nodes, {node.id for node in graph.nodes}, f"{place}marks.nodes")
            check_ids(side.marks.edges, {edge.id for edge in graph.edges}, f"{place}marks.edges")
            check_ids(side.marks.blocks, {block.id for block in graph.blocks}, f"{place}marks.blocks")
