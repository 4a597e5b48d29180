"""The records of a run that the learner makes, turn by turn. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import Params, check_ids, dataclass
from .graph import GraphRecord
from .trace import FetchedRecord, FetchRecord, RunRecord, TraceRecord

MoveCode = Literal[
    "ran", "dead", "failed", "asks", "right", "wrong",
    "pruned", "fed", "data", "control", "merge", "begins", "goes_on", "again", "had", "had_dead", "answer_first", "over",
    "which",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameRecord:
    """What is played: the graph, what is fetched and how often. Which nodes run, and when, is the learner's to find."""

    KIND: ClassVar[str] = "game"
    prompt: str
    graph: GraphRecord
    fetches: tuple[FetchRecord, ...]
    runs: int

    def check(self) -> None:
        """Raises: RecordError for ids that do not exist."""
        self.graph.check("graph.")
        check_ids([fetch.node for fetch in self.fetches], {node.id for node in self.graph.nodes}, "fetches")


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """What came of the last click: the message `play.<code>` with these params; whether the engine could do so, too."""

    node: int
    code: MoveCode
    params: Params
    legal: bool


@dataclass(frozen=True, slots=True)
class RunEndRecord:
    """What one run gave, or the error that ended it."""

    fetched: tuple[FetchedRecord, ...]
    error: str | None


@dataclass(frozen=True, slots=True)
class EndRecord:
    """What the learner's order led to. usual: what the default order gives; differs: whether that is something else.

    schedules: the order of each run, as a session takes it. possible: how many results legal orders can give, 0 where that
    is not known; found: how many of them the learner has reached. trace: the runs to look at again, with nothing left out.
    """

    usual: tuple[RunEndRecord, ...]
    differs: bool
    schedules: tuple[str, ...]
    possible: int
    found: int
    trace: TraceRecord


@dataclass(frozen=True, slots=True)
class PlayedRecord:
    """How far the learner is. runs: what has run, without what is ready next; that is told only after a hint.

    right, wrong: of the values that were asked for. asked: the node whose value is asked for now. choices: the iterations in
    which the node of the last click is ready, the oldest first, where it is asked which of them is meant.
    """

    KIND: ClassVar[str] = "played"
    runs: tuple[RunRecord, ...]
    move: MoveRecord | None
    legal: int
    illegal: int
    hints: int
    right: int
    wrong: int
    asked: int | None
    choices: tuple[tuple[int, ...], ...]
    end: EndRecord | None
