"""The record of how a program made its graph, line by line. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import RecordError, check_ids, check_unique, dataclass
from .graph import GraphRecord


@dataclass(frozen=True, slots=True)
class CodeRecord:
    """Lines of a cell or file, from line `first` on."""

    place: str
    first: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BuiltRecord:
    """One line's turn in building: lines `line` to `end` of a code, and the nodes and edges that it added.

    code: the message `film.live.<code>`. "made": nodes; "nothing": none; "renamed": none in a control_dependencies block that
    stays empty; "block": none, but what is made inside waits; "calls": none yet, a function's lines follow; "again": nodes that
    the rest of the line made after that. blocks: those that the line opens. many: the line may have run several times in
    this step. waits: control edges, as pairs of who waits and for whom.
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
    """How the lines of a program made its graph, in the order in which they ran."""

    KIND: ClassVar[str] = "build-film"
    graph: GraphRecord
    codes: tuple[CodeRecord, ...] = ()
    steps: tuple[BuiltRecord, ...] = ()

    def check(self) -> None:
        """Raises: RecordError for ids that do not exist, and for a node that is made twice or never."""
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
            check_ids((step.source,), range(len(self.codes)), f"{place}.source")
        for what, known in (("nodes", nodes), ("edges", edges), ("blocks", blocks)):
            made = [id for step in self.steps for id in getattr(step, what)]
            check_unique(made, f"steps.{what}")
            if len(made) != len(known):
                raise RecordError(f"steps.{what}", f"all {len(known)} {what}", len(made))
