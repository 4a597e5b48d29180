"""The records of a program that the learner makes of pieces and edges. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import Params, check_ids, check_unique, dataclass
from .graph import GraphRecord, Role


@dataclass(frozen=True, slots=True)
class FragmentRecord:
    """A piece of a program. code: its text, with a sign for each hole; gives: the names that other pieces can take."""

    id: int
    name: str
    code: str
    role: Role
    gives: tuple[str, ...]
    holes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """What there is to build with. Which pieces are right, and what is asked of the whole, stays in Python."""

    KIND: ClassVar[str] = "puzzle"
    task: Literal["parsons", "repair"]
    prompt: str
    pieces: tuple[FragmentRecord, ...]

    def check(self) -> None:
        """Raises: RecordError for ids that are there twice."""
        check_unique([piece.id for piece in self.pieces], "pieces")


@dataclass(frozen=True, slots=True)
class CodeLineRecord:
    """A line of the program that the pieces make, and the piece that it is of."""

    text: str
    indent: int
    piece: int | None


@dataclass(frozen=True, slots=True)
class LinkRecord:
    """An edge from one of the names that a piece gives to a hole of another; no hole: an order only."""

    source: int
    output: int
    target: int
    hole: int | None


@dataclass(frozen=True, slots=True)
class MissedRecord:
    """What is not met: the message `exercise.<code>`."""

    code: str
    params: Params


@dataclass(frozen=True, slots=True)
class MarkRecord:
    """What a check of the program found. models: the ways of thinking in which it would be right, by code."""

    grade: Literal["pass", "fail", "error", "not_attempted"]
    error: str
    missed: tuple[MissedRecord, ...]
    met: int
    total: int
    tried: int | None
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SaidRecord:
    """What came of the last change: the message `puzzle.<code>`."""

    code: Literal["attached", "waits", "circle", "detached", "put", "taken_out", "undone", "begun"]
    params: Params


@dataclass(frozen=True, slots=True)
class ArrangedRecord:
    """How far the learner is. canvas: the placed pieces and their edges, as a graph; error: why the program builds none.

    built: the graph that the program builds, once no hole is open.
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
