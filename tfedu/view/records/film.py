"""The record of how a program built its graph, line by line. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import RecordError, check_ids, check_unique, dataclass
from .graph import GraphRecord


@dataclass(frozen=True, slots=True)
class BuiltRecord:
    """One step of building: lines `line` to `end` of graph.codes[source], and the nodes and edges that they created.

    source: None where no line is known. code: the message `film.live.<code>`: "made" created nodes; "nothing" created none;
    "renamed" created none inside a control_dependencies block that stays empty; "block" opened a block; "calls" calls a function
    whose lines follow; "again" created nodes after such a call. blocks: the blocks that the line opened. many: the line may have
    run several times in this step. waits: control edges, as pairs of the waiting node and the node it waits for.
    """

    code: Literal["made", "nothing", "renamed", "block", "again", "calls"]
    source: int | None
    line: int
    end: int
    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    blocks: tuple[int, ...]
    many: bool
    waits: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class BuildFilmRecord:
    """How the lines of a program built its graph, in the order in which they ran."""

    KIND: ClassVar[str] = "build-film"
    graph: GraphRecord
    steps: tuple[BuiltRecord, ...] = ()

    def check(self) -> None:
        """Raises: RecordError for ids that do not exist, and for a node that no step, or more than one step, created."""
        self.graph.check("graph.")
        nodes = {node.id for node in self.graph.nodes}
        edges = {edge.id for edge in self.graph.edges}
        blocks = {block.id for block in self.graph.blocks}
        for index, step in enumerate(self.steps):
            place = f"steps[{index}]"
            check_ids(step.nodes, nodes, f"{place}.nodes")
            check_ids(step.edges, edges, f"{place}.edges")
            check_ids(step.blocks, blocks, f"{place}.blocks")
            check_ids([id for pair in step.waits for id in pair], nodes, f"{place}.waits")
            check_ids((step.source,), range(len(self.graph.codes)), f"{place}.source")
        for name, known in (("nodes", nodes), ("edges", edges), ("blocks", blocks)):
            created = [id for step in self.steps for id in getattr(step, name)]
            check_unique(created, f"steps.{name}")
            if len(created) != len(known):
                raise RecordError(f"steps.{name}", f"all {len(known)} {name}", len(created))
