"""The records of a puzzle: a program that the learner builds from pieces and edges. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import Params, check_ids, check_unique, dataclass
from .graph import GraphRecord, Role


@dataclass(frozen=True, slots=True)
class FragmentRecord:
    """A piece of a program. code: its text, with a sign for each hole; gives: the names that it defines for other pieces."""

    id: int
    name: str
    code: str
    role: Role
    gives: tuple[str, ...]
    holes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """The pieces of a puzzle. Which pieces are right, and what the program must do, stays in Python."""

    KIND: ClassVar[str] = "puzzle"
    task: Literal["parsons", "repair"]
    prompt: str
    pieces: tuple[FragmentRecord, ...]

    def check(self) -> None:
        """Raises: RecordError for ids that occur twice."""
        check_unique([piece.id for piece in self.pieces], "pieces")


@dataclass(frozen=True, slots=True)
class CodeLineRecord:
    """A line of the program that the pieces make, and the piece that it comes from."""

    text: str
    indent: int
    piece: int | None


@dataclass(frozen=True, slots=True)
class LinkRecord:
    """An edge from a name that one piece defines to a hole of another piece; without a hole a control edge."""

    source: int
    output: int
    target: int
    hole: int | None


@dataclass(frozen=True, slots=True)
class MissedRecord:
    """A requirement that is not met: the message `exercise.<code>`."""

    code: str
    params: Params


@dataclass(frozen=True, slots=True)
class MarkRecord:
    """The result of a check. met, total: how many requirements; tried: how many orders.

    models: the mental models in which the program would be right.
    """

    grade: Literal["pass", "fail", "error", "not_attempted"]
    error: str
    missed: tuple[MissedRecord, ...]
    met: int
    total: int
    tried: int | None
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SaidRecord:
    """The answer to the last change: the message `puzzle.<code>`."""

    code: Literal["attached", "waits", "circle", "detached", "put", "taken_out", "undone", "begun"]
    params: Params


@dataclass(frozen=True, slots=True)
class ArrangedRecord:
    """The state of a puzzle. canvas: the placed pieces and their edges, as a graph.

    built: the graph that the program builds, once all holes are filled; error: why it builds none. undo: whether a change can be
    undone.
    """

    KIND: ClassVar[str] = "arranged"
    placed: tuple[int, ...]
    links: tuple[LinkRecord, ...]
    lines: tuple[CodeLineRecord, ...]
    canvas: GraphRecord
    built: GraphRecord | None
    error: str
    said: SaidRecord | None
    mark: MarkRecord | None
    undo: bool

    def check(self) -> None:
        """Raises: RecordError for ids that do not exist."""
        self.canvas.check("canvas.")
        placed = {node.id for node in self.canvas.nodes}
        check_ids(self.placed, placed, "placed")
        for index, link in enumerate(self.links):
            check_ids((link.source, link.target), placed, f"links[{index}]")
        if self.built is not None:
            self.built.check("built.")
