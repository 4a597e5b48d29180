"""Outcomes and races as records: `Explorer(fetches).record()`; `.record(fixes)` for a copy of the graph with races fixed.

Every search starts from the session's values when the Explorer was made; the learner's graph and session stay unchanged.
State: `Explorer`, the run to explore, and the results of the last search.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from ...engine.graph.copies import copied
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation
from ...engine.ops.control_flow import ENTERS
from ...engine.replay.explore import quiet
from ...engine.replay.partitioned import on_one_device
from ...engine.replay.relations import Relations, bits
from ...engine.replay.trace import (
    Trace,
    empty_trace,
    graph_of_fetches,
    scratch_session,
    trace_run,
)
from ...engine.runtime.feeds import resolved
from ...engine.runtime.fetches import Rebuild, Structure
from ...engine.runtime.schedule import policy_of, schedule
from ...engine.runtime.session import Session
from ...view.make.runs.trace_records import run_records, trace_record
from ...view.records import (
    BeforeRecord,
    OrderedRecord,
    OutcomesRecord,
    RaceRecord,
    ResultRecord,
    WayRecord,
    WitnessRecord,
)
from ..mental_models.diagnose import text_of
from .outcomes import Outcomes, Possible, Start, check_threads, failure_text, search
from .races import Race, Witness, loop_around, races_of

# The most results (and ordered pairs) and races of a record, which counts the others: each short schedule takes a search.
LISTED: Final = 16
RACES: Final = 8
# In turns of nodes: fewer than for `outcomes`, since a reader waits.
BUDGET: Final = 10_000
# About the most steps of all orders in a record; the front end asks for the later ones.
MOST_STEPS: Final = 2_000

Fix = tuple[int, int]  # of two nodes' numbers, where the second waits for the first
Steps = Sequence[tuple[Start, str]]  # of each run its start and its schedule


class Explorer:
    """All possible results of `session.run(fetches, feed_dict)`, `runs` times in a row, as records.

    Raises: as `outcomes`.
    """

    def __init__(
        self, fetches: Any, feed_dict: Any = None, runs: int = 1, session: Session | None = None, budget: int = BUDGET,
        threads: bool = False,
    ) -> None:  # fmt: skip
        if threads:
            check_threads(fetches, feed_dict, session)
        if runs < 1:
            raise ValueError(f"runs must be 1 or more, not {runs}")
        fetches, feed_dict, session = on_one_device(fetches, feed_dict, session)
        self.graph = graph_of_fetches(fetches) if session is None else session.graph
        self.fetches, self.feed_dict, self.runs, self.budget = fetches, feed_dict, runs, budget
        self.session = scratch_session(self.graph, None, session)
        self._last: tuple[tuple[Fix, ...], _Results] | None = None

    def record(self, fixes: Iterable[Fix] = ()) -> OutcomesRecord:
        """All possible results. fixes: pairs of nodes of which the second waits for the first, in a copy of the graph.

        Raises: ValueError for a pair that is not two nodes, or that would make a cycle.
        """
        fixes = _pairs(fixes)
        return self._results(fixes).record(fixes)

    def way(self, fixes: Iterable[Fix], name: str) -> WayRecord:
        """The order with this name: "3" is that of result 3, "0.1" the second order of race 0.

        Raises: ValueError for an unknown name.
        """
        return self._results(_pairs(fixes)).named(name)

    def _results(self, fixes: tuple[Fix, ...]) -> _Results:
        if self._last is None or self._last[0] != fixes:
            self._last = fixes, _Results(self.graph, *self._search(fixes))
        return self._last[1]

    def _search(self, fixes: tuple[Fix, ...]) -> tuple[Outcomes, Rebuild | None]:
        """The outcomes; for those of a copy also the function that nests the fetched values."""
        if not fixes:
            return search(self.fetches, [self.feed_dict] * self.runs, self.session, self.budget), None
        copy = copied(self.graph)
        for first, second in fixes:
            for waiting in _who_waits(self.graph, first, second):
                _wait(copy.graph, first, waiting)
        structure = Structure(self.graph, self.fetches)
        fetches = [copy.of(element) for element in (*structure.tensors, *structure.operations)]
        feeds = {copy.of(tensor): value for tensor, value in resolved(self.graph, self.feed_dict).items()}
        session = Session(graph=copy.graph)
        session.store = self.session.store.copy()
        outcomes = search(fetches, [feeds] * self.runs, session, self.budget)
        return outcomes, lambda values: structure.rebuild(values[: len(structure.tensors)])


def _pairs(fixes: Iterable[Iterable[int]]) -> tuple[Fix, ...]:
    """Fixes as the browser sends them, lists of two numbers, as tuples."""
    return tuple([(first, second) for first, second in fixes])


def _who_waits(graph: Graph, first: int, second: int) -> list[int]:
    """The nodes that wait in place of the second: itself, or the Enters of the outermost loop that only it is in."""
    numbers = range(len(graph.operations))
    loop = loop_around(graph.operations[second], graph.operations[first]) if first in numbers and second in numbers else None
    if loop is None:
        return [second]
    return [op.id for op in graph.operations if op._context is loop and op.type in ENTERS]


def _wait(graph: Graph, first: int, second: int) -> None:
    """Lets the second node wait for the first.

    Raises: ValueError for numbers of no two nodes, or if the first depends on the second.
    """
    numbers = range(len(graph.operations))
    if first not in numbers or second not in numbers or first == second:
        raise ValueError(f"a fix is a pair of two nodes' numbers, not {(first, second)!r}"[:200])
    waited, waiting = graph.operations[first], graph.operations[second]
    if _path(waiting, waited):
        raise ValueError(f"{waiting.name} cannot wait for {waited.name}, which waits for it")
    graph.add_control_input(waiting, waited)


def _path(above: Operation, below: Operation) -> tuple[Operation, ...]:
    """A shortest path along the graph's edges from one node to a later one; empty where there is none."""
    next_on_path: dict[Operation, Operation | None] = {below: None}
    queue = deque([below])
    while queue and above not in next_on_path:
        op = queue.popleft()
        for needed in (*(tensor.op for tensor in op.inputs), *op.control_inputs):
            if needed not in next_on_path:
                next_on_path[needed] = op
                queue.append(needed)
    if above not in next_on_path:
        return ()
    path = [above]
    while (following := next_on_path[path[-1]]) is not None:
        path.append(following)
    return tuple(path)


class _Results:
    """The outcomes and races of one search, as records. rebuild: nests the values, where the search was in a copy."""

    def __init__(self, graph: Graph, outcomes: Outcomes, rebuild: Rebuild | None) -> None:
        self.outcomes = outcomes
        self.rebuild = rebuild
        self.start = outcomes.starts[0]
        self.trace = empty_trace(self.start.call)
        self.trace_record = trace_record(self.trace)
        # The races of a copy, with the original's nodes: a copy does not know its branches and loops.
        ops = graph.operations
        self.races = [replace(race, first=ops[race.first.id], second=ops[race.second.id]) for race in races_of(outcomes)]
        self.steps = 0

    def record(self, fixes: tuple[Fix, ...]) -> OutcomesRecord:
        outcomes, races, self.steps = self.outcomes, self.races, 0
        ordered = list(_ordered(self.start)) if outcomes.is_deterministic else []
        return OutcomesRecord(
            self.trace_record,
            outcomes.exact,
            outcomes.turns,
            tuple([op.id for op in outcomes.outside]),
            tuple([self._result(possible) for possible in outcomes[:LISTED]]),
            max(0, len(outcomes) - LISTED),
            tuple([self._race(race) for race in races[:RACES]]),
            max(0, len(races) - RACES),
            tuple(ordered[:LISTED]),
            max(0, len(ordered) - LISTED),
            fixes,
        )

    def named(self, name: str) -> WayRecord:
        """The order with this name. Raises: ValueError for an unknown name."""
        number, _, side = (name := str(name)).partition(".")
        is_valid = name.replace(".", "").isdecimal() and side in ("", "0", "1")
        index = int(number) if is_valid else -1
        if not 0 <= index < len(self.races if side else self.outcomes):
            raise ValueError(f"no way is called {name!r:.40}")
        if not side:
            return self._way(_of_result(self.outcomes[index]))
        return self._way(_of_witness(self.races[index].other if side == "1" else self.races[index].one))

    def _result(self, possible: Possible) -> ResultRecord:
        values = tuple([self._text(value) for value in possible.values])
        error = None if possible.error is None else failure_text(possible.error)
        return ResultRecord(values, error, self._short(possible.runs, lambda: _of_result(possible)))

    def _text(self, value: Any) -> str:
        return text_of(value if self.rebuild is None else self.rebuild(value))

    def _race(self, race: Race) -> RaceRecord:
        kind: Any = "itself" if race.first is race.second else race.kind.replace("/", "_")
        return RaceRecord(
            race.first.id,
            race.second.id,
            kind,
            race.variable,
            self._witness(race.one),
            self._witness(race.other),
            race.advice,
            race.fix or "",
        )

    def _witness(self, witness: Witness) -> WitnessRecord:
        text = self._text(witness.value) if witness.error is None else failure_text(witness.error)
        return WitnessRecord(text, self._short([(witness.start, None)], lambda: _of_witness(witness)))

    def _short(self, runs: Sequence[tuple[Start, Any]], steps: Callable[[], Steps]) -> WayRecord:
        """The order of these steps; an empty one if the record has many steps already."""
        if self.steps >= MOST_STEPS:
            return WayRecord((), (), ())
        self.steps += sum(len(start.call.signature.schedule().order) for start, _ in runs)
        return self._way(steps())

    def _way(self, steps: Steps) -> WayRecord:
        trace = Trace(self.trace.graph, self.trace.fetches, self.trace.fed, self.trace.schedule)
        for start, text in steps:
            order = schedule(start.call.signature.schedule().placed, policy_of(text))
            with quiet(order.order):
                trace_run(trace, start.call, order, start.store.copy())
        before = tuple([tuple(_before(text)) for _, text in steps])
        return WayRecord(tuple([text for _, text in steps]), before, run_records(trace, self.trace_record.graph))


def _of_result(possible: Possible) -> Steps:
    return list(zip([start for start, _ in possible.runs], possible.schedules))


def _of_witness(witness: Witness) -> Steps:
    return [(witness.start, witness.schedule)]


def _before(text: str) -> Iterator[BeforeRecord]:
    """The pairs of turns that a schedule such as "8<5" orders; none for a schedule that lists every turn."""
    for pair in text.split() if "<" in text else ():
        (first, iteration), (then, other_iteration) = (name.partition(":")[::2] for name in pair.split("<"))
        yield BeforeRecord(int(first), int(then), iteration, other_iteration)


def _ordered(start: Start) -> Iterator[OrderedRecord]:
    """The pairs of nodes that access one variable, at least one writing it, and why their order makes no difference.

    Of a chain of such nodes only neighbours are listed: the order of the others follows.
    """
    graph: Relations = start.exploration.graph
    for j in sorted(range(graph.count), key=lambda at: graph.order[at].id):
        second = graph.order[j]
        for i in bits(graph.before[j]):
            first = graph.order[i]
            places = graph.accesses[first].conflicts(graph.accesses[second])
            between = bits(graph.before[j] & graph.after[i])
            if not places or any(_writes(graph, k, places) for k in between):
                continue
            one, other = ("write" if graph.accesses[op].writes & places else "read" for op in (first, second))
            code: Any = f"{one}_{other}"
            yield OrderedRecord(code, first.id, second.id, min(places)[-1], tuple([op.id for op in _path(first, second)]))
        for i in bits(graph.conflicts[j]):
            first = graph.order[i]
            if first.id < second.id:
                place = min(graph.accesses[first].conflicts(graph.accesses[second]))
                yield OrderedRecord("alike", first.id, second.id, place[-1], ())


def _writes(graph: Relations, index: int, places: frozenset[Any]) -> bool:
    """Whether a node writes one of these places."""
    return bool(graph.accesses[graph.order[index]].writes & places)


__all__ = ["BUDGET", "Explorer"]
