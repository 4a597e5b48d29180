"""The records of a game in which the learner executes a run, turn by turn. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import Params, check_ids, dataclass
from .graph import GraphRecord
from .trace import FetchedRecord, FetchRecord, RunRecord, TraceRecord

MoveCode = Literal[
    "ran", "dead", "failed", "asks", "right", "wrong",
    "pruned", "fed", "data", "control", "merge", "begins", "goes_on", "again", "had", "had_dead", "answer_first", "over",
    "which", "began", "waits", "locked",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The game: the graph, the fetches, and the number of runs. The learner finds out which nodes run, and when."""

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
    """The answer to the last click: the message `play.<code>` with these params. legal: whether the engine could do the same."""

    node: int
    code: MoveCode
    params: Params
    legal: bool


@dataclass(frozen=True, slots=True)
class RunEndRecord:
    """The fetched values of one run, or the error that ended it."""

    fetched: tuple[FetchedRecord, ...]
    error: str | None


@dataclass(frozen=True, slots=True)
class EndRecord:
    """The result of the learner's order. usual: the result of the default order. differs: whether the learner's is another.

    schedules: the order of each run, as Session's `schedule` takes it. possible: how many different results legal orders have, 0
    where that is unknown. found: how many of them the learner has reached. trace: the runs, complete.
    """

    usual: tuple[RunEndRecord, ...]
    differs: bool
    schedules: tuple[str, ...]
    possible: int
    found: int
    trace: TraceRecord


@dataclass(frozen=True, slots=True)
class PlayedRecord:
    """The state of the game. runs: the steps so far; they list the ready nodes only after a hint.

    right, wrong: how many of the requested values the learner got right and wrong. asked: the node whose value is requested
    now. choices: the iterations in which the clicked node is ready, oldest first, where the learner has to choose one.
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
