"""Outcomes as a record: `Explorer(fetches).record()`, and on a copy of the graph, in which races are fixed, `.record(fixes)`.

All is run from what the session held when the Explorer was made; the learner's graph and session stay as they are.
State: `Explorer`, what is asked for, and what was found for the last record.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from ...engine.graph.copies import copied
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation
from ...engine.lib.control.contexts import ENTERS
from ...engine.replay.explore import quiet
from ...engine.replay.relations import Relations, bits
from ...engine.replay.trace import Trace, empty_trace, graph_of_fetches, scratch_session, trace_run
from ...engine.runtime.feeds import resolve
from ...engine.runtime.fetches import Rebuild, Structure
from ...engine.runtime.schedule import policy_of, schedule
from ...engine.runtime.session import Session, flat_feeds
from ...view.make.trace_records import run_records, trace_record
from ...view.records import (
    BeforeRecord,
    OrderedRecord,
    OutcomesRecord,
    RaceRecord,
    ResultRecord,
    WayRecord,
    WitnessRecord,
)
from ..models.diagnose import text_of
from .outcomes import Outcomes, Possible, Start, failure_text, search
from .races import Race, Witness, loop_around, races_of

# So many results and ordered pairs are listed, and so many races; the others are counted. A short schedule takes a search.
LISTED: Final = 16
RACES: Final = 8
# A reader waits for the answer: fewer turns are tried than `outcomes` tries.
BUDGET: Final = 10_000
# The ways of a record together have about so many steps; one beyond that is told when it is asked for.
MOST_STEPS: Final = 2_000

Fix = tuple[int, int]
Steps = Sequence[tuple[Start, str]]  # the runs of a way: from where, and by which schedule


class Explorer:
    """What `session.run(fetches, feed_dict)` can give, `runs` times in a row, as records.

    Raises: as `outcomes`.
    """

    def __init__(
        self, fetches: Any, feed_dict: Any = None, runs: int = 1, session: Session | None = None, budget: int = BUDGET
    ) -> None:
        if runs < 1:
            raise ValueError(f"runs must be 1 or more, not {runs}")
        self.graph = graph_of_fetches(fetches) if session is None else session.graph
        self.fetches, self.feed_dict, self.runs, self.budget = fetches, feed_dict, runs, budget
        self.session = scratch_session(self.graph, None, session)
        self._last: tuple[tuple[Fix, ...], _Telling] | None = None

    def record(self, fixes: Iterable[Fix] = ()) -> OutcomesRecord:
        """All that can come out; fixes: in a copy of the graph in which of each pair the second node waits for the first.

        Raises: ValueError for a pair that is none of two nodes, or would make a cycle.
        """
        fixes = tuple([tuple(pair) for pair in fixes])
        return self._telling(fixes).record(fixes)

    def way(self, fixes: Iterable[Fix], name: str) -> WayRecord:
        """One way, by its name: "3" is that of a result, "0.1" that of a race's second order.

        Raises: ValueError for a name that is none.
        """
        return self._telling(tuple([tuple(pair) for pair in fixes])).named(name)

    def _telling(self, fixes: tuple[Fix, ...]) -> _Telling:
        if self._last is None or self._last[0] != fixes:
            self._last = fixes, _Telling(self.graph, *self._found(fixes))
        return self._last[1]

    def _found(self, fixes: tuple[Fix, ...]) -> tuple[Outcomes, Rebuild | None]:
        """The outcomes; and of those of a copy, what puts the values into the nest of the fetches."""
        if not fixes:
            return search(self.fetches, [self.feed_dict] * self.runs, self.session, self.budget), None
        copy = copied(self.graph)
        for first, second in fixes:
            for waiting in _who_waits(self.graph, first, second):
                _wait(copy.graph, first, waiting)
        structure = Structure(self.graph, self.fetches)
        fetches = [copy.of(element) for element in (*structure.tensors, *structure.operations)]
        feeds = {copy.of(resolve(self.graph, key)): value for key, value in flat_feeds(self.feed_dict)}
        session = Session(graph=copy.graph)
        session.store = self.session.store.copy()
        found = search(fetches, [feeds] * self.runs, session, self.budget)
        return found, lambda values: structure.rebuild(values[: len(structure.tensors)])


def _who_waits(graph: Graph, first: int, second: int) -> list[int]:
    """The numbers of the nodes that wait for the first where the second was to: it, or what brings values into its loop."""
    numbers = range(len(graph.operations))
    loop = loop_around(graph.operations[second], graph.operations[first]) if first in numbers and second in numbers else None
    if loop is None:
        return [second]
    return [op.id for op in graph.operations if op._context is loop and op.type in ENTERS]


def _wait(graph: Graph, first: int, second: int) -> None:
    """Lets the second node wait for the first.

    Raises: ValueError for what are no two nodes, or for a second one on which the first depends.
    """
    numbers = range(len(graph.operations))
    if first not in numbers or second not in numbers or first == second:
        raise ValueError(f"a fix is a pair of two nodes' numbers, not {(first, second)!r}"[:200])
    waited, waiting = graph.operations[first], graph.operations[second]
    if _path(waiting, waited):
        raise ValueError(f"{waiting.name} cannot wait for {waited.name}, which waits for it")
    graph.add_control_input(waiting, waited)


def _path(above: Operation, below: Operation) -> tuple[Operation, ...]:
    """A shortest way along the graph's edges from one node to another that needs it or waits for it; none where it does not."""
    came: dict[Operation, Operation | None] = {below: None}
    row = deque([below])
    while row and above not in came:
        at = row.popleft()
        for needed in (*(tensor.op for tensor in at.inputs), *at.control_inputs):
            if needed not in came:
                came[needed] = at
                row.append(needed)
    if above not in came:
        return ()
    path = [above]
    while (following := came[path[-1]]) is not None:
        path.append(following)
    return tuple(path)


class _Telling:
    """Outcomes on the way to their record."""

    def __init__(self, graph: Graph, found: Outcomes, rebuild: Rebuild | None) -> None:
        self.found = found
        self.rebuild = rebuild
        self.start = found.starts[0]
        self.trace = empty_trace(self.start.call)
        self.told = trace_record(self.trace)
        # A copy does not know which branches and loops its nodes are in.
        ops = graph.operations
        self.races = [replace(race, first=ops[race.first.id], second=ops[race.second.id]) for race in races_of(found)]
        self.steps = 0

    def record(self, fixes: tuple[Fix, ...]) -> OutcomesRecord:
        found, races, self.steps = self.found, self.races, 0
        ordered = list(_ordered(self.start)) if found.is_deterministic else []
        return OutcomesRecord(
            self.told,
            found.exact,
            found.turns,
            tuple([op.id for op in found.outside]),
            tuple([self._result(possible) for possible in found[:LISTED]]),
            max(0, len(found) - LISTED),
            tuple([self._race(race) for race in races[:RACES]]),
            max(0, len(races) - RACES),
            tuple(ordered[:LISTED]),
            max(0, len(ordered) - LISTED),
            fixes,
        )

    def named(self, name: str) -> WayRecord:
        """The way of this name. Raises: ValueError for a name that is none."""
        number, _, side = (name := str(name)).partition(".")
        known = name.replace(".", "").isdecimal() and side in ("", "0", "1")
        at = int(number) if known else -1
        if not 0 <= at < len(self.races if side else self.found):
            raise ValueError(f"no way is called {name!r:.40}")
        if not side:
            return self._way(_of_result(self.found[at]))
        return self._way(_of_witness(self.races[at].other if side == "1" else self.races[at].one))

    def _result(self, possible: Possible) -> ResultRecord:
        values = tuple([self._text(value) for value in possible.values])
        error = None if possible.error is None else failure_text(possible.error)
        return ResultRecord(values, error, self._short(possible.way, lambda: _of_result(possible)))

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
        """The way by these steps; an empty one where the record has many steps already: schedules take time, and traces room."""
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
        return WayRecord(tuple([text for _, text in steps]), before, run_records(trace, self.told.graph))


def _of_result(possible: Possible) -> Steps:
    return list(zip([start for start, _ in possible.way], possible.schedules))


def _of_witness(witness: Witness) -> Steps:
    return [(witness.start, witness.schedule)]


def _before(text: str) -> Iterator[BeforeRecord]:
    """What a schedule says comes before what; nothing of one that names every turn."""
    for pair in text.split() if "<" in text else ():
        (first, at), (then, there) = (name.partition(":")[::2] for name in pair.split("<"))
        yield BeforeRecord(int(first), int(then), at, there)


def _ordered(start: Start) -> Iterator[OrderedRecord]:
    """The pairs of nodes that touch one variable, of which one writes it, and why their order makes no difference.

    Of nodes that follow each other in a row the neighbours are told: the others' order follows.
    """
    graph: Relations = start.exploration.graph
    for j in sorted(range(graph.count), key=lambda at: graph.order[at].id):
        second = graph.order[j]
        for i in bits(graph.before[j]):
            first = graph.order[i]
            places = graph.touch[first].conflicts(graph.touch[second])
            between = bits(graph.before[j] & graph.after[i])
            if not places or any(_touches(graph, k, places) for k in between):
                continue
            mine, its = ("write" if graph.touch[op].writes & places else "read" for op in (first, second))
            code: Any = f"{mine}_{its}"
            yield OrderedRecord(code, first.id, second.id, min(places)[-1], tuple([op.id for op in _path(first, second)]))
        for i in bits(graph.conflicts[j]):
            first = graph.order[i]
            if first.id < second.id:
                place = min(graph.touch[first].conflicts(graph.touch[second]))
                yield OrderedRecord("alike", first.id, second.id, place[-1], ())


def _touches(graph: Relations, at: int, places: frozenset[Any]) -> bool:
    """Whether a node writes one of these places: then it stands between those around it."""
    return bool(graph.touch[graph.order[at]].writes & places)


__all__ = ["BUDGET", "Explorer"]
