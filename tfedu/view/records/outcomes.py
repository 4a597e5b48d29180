"""The record of all possible results of a run: an order for each result, the races, and what orders the other nodes. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import RecordError, check_ids, dataclass
from .trace import RunRecord, TraceRecord, check_run

RaceKind = Literal["read_write", "write_read", "write_write", "itself"]


@dataclass(frozen=True, slots=True)
class BeforeRecord:
    """One constraint of an order: one node's turn before another's; in a loop, in these iterations ("": outside)."""

    first: int
    second: int
    first_iteration: str
    second_iteration: str


@dataclass(frozen=True, slots=True)
class WayRecord:
    """An order that leads to a result: for each run a schedule, as Session takes it, its constraints, and its steps.

    Empty where the record would be large; the front end then asks for it when the reader opens it.
    """

    schedules: tuple[str, ...]
    before: tuple[tuple[BeforeRecord, ...], ...]
    runs: tuple[RunRecord, ...]


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """One possible result: the fetched values of each run, and the error that ended the last run, if any."""

    values: tuple[str, ...]
    error: str | None
    way: WayRecord


@dataclass(frozen=True, slots=True)
class WitnessRecord:
    """The result of one of the two orders of a race."""

    text: str
    way: WayRecord


@dataclass(frozen=True, slots=True)
class RaceRecord:
    """Two unordered nodes whose order changes the result: the message `race.<kind>`.

    one: the result with the first node first; other: with the second node first. advice: the message `race.<advice>`. line: the
    line of code that removes the race, "" where no single line does.
    """

    first: int
    second: int
    kind: RaceKind
    variable: str
    one: WitnessRecord
    other: WitnessRecord
    advice: Literal["fix", "fix_whole", "fix_loop", "fix_around"]
    line: str


@dataclass(frozen=True, slots=True)
class OrderedRecord:
    """Why two nodes that access one variable are no race: the message `outcomes.<code>`.

    path: the nodes from the first to the second, each of which waits for the one before; empty where both orders are possible and
    have the same result ("alike").
    """

    code: Literal["write_read", "read_write", "write_write", "alike"]
    first: int
    second: int
    variable: str
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OutcomesRecord:
    """All possible results of some runs. trace: the graph, without a run. fixes: control edges that the reader added.

    exact: whether there are no other results. turns: how many turns were tried. outside: nodes whose effects cannot be undone
    and tried again. more_…: how many are not listed.
    """

    KIND: ClassVar[str] = "outcomes"
    trace: TraceRecord
    exact: bool
    turns: int
    outside: tuple[int, ...] = ()
    results: tuple[ResultRecord, ...] = ()
    more_results: int = 0
    races: tuple[RaceRecord, ...] = ()
    more_races: int = 0
    ordered: tuple[OrderedRecord, ...] = ()
    more_ordered: int = 0
    fixes: tuple[tuple[int, int], ...] = ()

    def check(self) -> None:
        """Raises: RecordError for ids that do not exist, and for a record without a result."""
        self.trace.check("trace.")
        nodes = {node.id for node in self.trace.graph.nodes}
        check_ids(self.outside, nodes, "outside")
        check_ids([id for pair in self.fixes for id in pair], nodes, "fixes")
        if not self.results:
            raise RecordError("results", "one result or more", 0)
        for index, result in enumerate(self.results):
            self._check_way(result.way, nodes, f"results[{index}].way")
        for index, race in enumerate(self.races):
            check_ids((race.first, race.second), nodes, f"races[{index}]")
            self._check_way(race.one.way, nodes, f"races[{index}].one.way")
            self._check_way(race.other.way, nodes, f"races[{index}].other.way")
        for index, pair in enumerate(self.ordered):
            check_ids((pair.first, pair.second, *pair.path), nodes, f"ordered[{index}]")

    def _check_way(self, way: WayRecord, nodes: set[int], place: str) -> None:
        if len(way.before) != len(way.schedules):
            raise RecordError(f"{place}.before", "as many as schedules", len(way.before))
        for pairs in way.before:
            check_ids([id for pair in pairs for id in (pair.first, pair.second)], nodes, f"{place}.before")
        edges = {edge.id for edge in self.trace.graph.edges}
        for index, run in enumerate(way.runs):
            check_run(run, nodes, edges, range(len(self.trace.tensors)), f"{place}.runs[{index}]")
