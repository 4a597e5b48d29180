"""Explore: finds every result of a run over all legal orders. `Exploration(schedule, store, fed, fetches).go()`.

At each point of a run the search tries only the turns of a stubborn set: one ready turn, all turns that access the same
variables or other state, and what must run before these. A point with the same turns taken and the same values as an earlier
one is not searched again. So the search finds all results, often in few turns. After a node fails, the nodes that do not
depend on it still run, as each of them may be the one whose error ends the run.
State: `Exploration`, the points, the edges between them and the results.

Source: Valmari, "Stubborn sets for reduced state space generation" (1990).
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from ..base import dtypes, errors
from ..graph.nodes import Operation, Tensor
from ..op.definition import role_of
from ..ops.control_flow import SWITCHES
from ..runtime.exclusive import attempt_of, may_begin, may_line_up, must_wait, never
from ..runtime.locks import Locks
from ..runtime.node_errors import failure_key
from ..runtime.node_turn import is_dead
from ..runtime.pickers import Key, Picker
from ..runtime.schedule import Schedule
from ..runtime.store import Buffer, Handle, Store
from ..runtime.tokens import Iteration, Tokens, Turn
from .accesses import variable_of
from .fork import contents, fork, restore
from .relations import Relations, bits
from .value_numbers import ValueNumbers, copied_generator, with_generators

BUDGET: Final = 50_000


@dataclass(eq=False, slots=True)
class Edge:
    """The turns from one point to the next: the one that was chosen, and those after it that no order can change.

    target: the next point; None where the run ended first.
    """

    source: Point | None = None
    turn: str = ""
    names: list[str] = field(default_factory=list)  # of all its turns
    ends: tuple[tuple[tuple[str, ...], int], ...] = ()  # (turns of the edge, number of the result that they end in)
    target: Point | None = None
    run_ended: bool = False


@dataclass(eq=False, slots=True)
class Point:
    """A state of the run in which the order of the next turns can matter.

    arrival: the edge on which the search first reached it; untried: how many of its turns the search has not tried yet.
    """

    arrival: Edge
    untried: int
    edges: list[Edge] = field(default_factory=list)

    @property
    def path(self) -> tuple[str, ...]:
        """The turns that lead here."""
        names: tuple[str, ...] = ()
        point: Point | None = self
        while point is not None:
            names = (*point.arrival.names, *names)
            point = point.arrival.source
        return names


@dataclass(frozen=True, eq=False, slots=True)
class Result:
    """One result of a run: its values or its error. Equal results have equal keys.

    stored: the variables and random generators of the session after the run.
    """

    key: Any
    values: tuple[Any, ...]
    error: errors.OpError | None
    path: tuple[str, ...]  # the turns that lead here
    stored: Any = field(repr=False)


class BudgetSpent(Exception):
    """The budget is spent."""


class _Ready(Picker):
    """The ready turns by name."""

    def __init__(self) -> None:
        self.turns: dict[str, tuple[Key, Turn]] = {}

    def add(self, key: Key, name: str, turn: Any) -> None:
        self.turns[name] = key, turn

    def __len__(self) -> int:
        return len(self.turns)


class _KeyedOutputs(list[Any]):
    """The outputs of a node with their part of a point's key, which is computed once for all points that share them."""

    __slots__ = ("key",)
    key: tuple[int, ...]


class _State:
    """A run under way.

    resources: the temporary variables, tensor arrays and stacks that it created. contents: what these and the store contain.
    """

    __slots__ = (
        "tokens", "ready", "turns_taken", "nodes_done", "failed", "unreachable", "resources", "contents", "held", "begun",
    )  # fmt: skip

    def __init__(self, tokens: Tokens, ready: _Ready) -> None:
        self.tokens = tokens
        self.ready = ready
        self.turns_taken = 0  # a bit for each turn
        self.nodes_done = 0  # a bit for each node outside loops
        self.failed: tuple[str, ...] = ()
        self.unreachable = 0  # nodes that cannot run, because a node that they depend on failed
        self.resources: tuple[Any, ...] = ()
        self.contents: Any = None
        self.held: frozenset[Any] = frozenset()  # the mutexes that a lock holds
        self.begun: tuple[str, ...] = ()  # the turns that began at a queue and have not ended, or ended by an error

    def fork(self) -> _State:
        ready = _Ready()
        items = list(self.ready.turns.items())
        tokens, turns = fork(self.tokens, [turn for _, (_, turn) in items], ready)
        ready.turns = {name: (key, turn) for (name, (key, _)), turn in zip(items, turns)}
        state = _State(tokens, ready)
        state.turns_taken, state.nodes_done = self.turns_taken, self.nodes_done
        state.failed, state.unreachable = self.failed, self.unreachable
        state.resources, state.contents, state.held, state.begun = self.resources, self.contents, self.held, self.begun
        return state


class Exploration:
    """The search. results: in the order in which the search found them; exact: whether there are no others."""

    def __init__(
        self,
        scheduled: Schedule,
        store: Store,
        fed: Mapping[Tensor, Any],
        fetches: Sequence[Tensor],
        budget: int = BUDGET,
        number_of: ValueNumbers | None = None,
        ends_matter: bool = False,
    ) -> None:
        self.graph = Relations(scheduled, store)
        self.locks = Locks(self.graph.order)
        self.store = with_generators(store)
        self.fetches = fetches
        self.budget = budget
        self.number_of = number_of or ValueNumbers()
        self.ends_matter = ends_matter
        self.turns = 0
        self.exact = True
        self.results: list[Result] = []
        self.points: dict[Any, Point] = {}
        self._result_numbers: dict[Any, int] = {}
        self._results_after: dict[Edge, tuple[int, bool]] = {}
        self._index = {op.id: i for i, op in enumerate(self.graph.order)}
        self._closes = sum(1 << i for i, op in enumerate(self.graph.order) if op.definition and op.definition.waits_to == "close")
        self._turn_bits: dict[str, int] = {}
        self._random_ops = [op.name for op, access in self.graph.accesses.items() if ("generator", op.name) in access.writes]
        self._creators = {
            op
            for op in self.graph.order
            if op.definition is not None
            and op.definition.alias_index < 0
            and (variable_of(op) or ("temporary",))[0] == "temporary"
            and any(t.dtype.is_ref or t.dtype.base_dtype is dtypes.resource for t in op.outputs)
        }
        self._branches = any(op.type in SWITCHES for op in self.graph.order)
        self._live_outputs = self._outputs_that_may_differ(scheduled, fetches)
        self._waiters = self._waiters_in_branches() if self._branches else []
        ready = _Ready()
        self.first = _State(Tokens(scheduled, store, fed, fetches, ready=ready), ready)
        self.first.contents = self._contents(self.first)
        self.start = Edge()

    def _outputs_that_may_differ(self, scheduled: Schedule, fetches: Sequence[Tensor]) -> list[tuple[int, Operation, int]]:
        """The nodes outside loops whose outputs may depend on the order: index, node, its consumers as bits (-1: fetched)."""
        graph, frames = self.graph, scheduled.frames
        fetched = {tensor.op for tensor in fetches}
        outputs = []
        for i, op in enumerate(graph.order):
            # The exits of a loop count as well: any node of the loop may have changed their values.
            if graph.looping >> i & 1 and (frames is None or frames.target_of(op) is not frames.root):
                continue
            if (i < graph.count or graph.leading[i]) and op.outputs:
                consumers = -1 if op in fetched else 0
                for tensor in op.outputs:
                    for consumer in tensor.consumers():
                        if consumer in graph.index_of:
                            consumers |= 1 << graph.index_of[consumer]
                outputs.append((i, op, consumers))
        return outputs

    def _waiters_in_branches(self) -> list[tuple[int, int]]:
        """The sources of control edges, which pass deadness on without a value: id, and the nodes that wait for them as bits."""
        waiters: dict[Operation, int] = {}
        for op in self.graph.order:
            for source in op.waits:
                waiters[source] = waiters.get(source, 0) | 1 << self.graph.index_of[op]
        return [(op.id, waiting) for op, waiting in waiters.items()]

    # -- the search ----------------------------------------------------------------------------------------------------

    def go(self) -> Exploration:
        """Finds all results, or as many as the budget allows."""
        with quiet(self.graph.order):
            self._all_from(self.first.fork(), self.start)
        return self

    def _all_from(self, state: _State, edge: Edge) -> None:
        try:
            self._try_all_from(state, edge)
        except BudgetSpent:
            self.exact = False

    def _try_all_from(self, state: _State, edge: Edge) -> None:
        stack: list[tuple[_State, Point, list[str]]] = []

        def arrive(state: _State, edge: Edge) -> None:
            choice = self._advance(state, edge)
            if not choice:
                edge.run_ended = True
                return
            key = self._key(state)
            point = self.points.get(key)
            if point is None:
                state.contents = self._contents(state)
                point = self.points[key] = Point(edge, len(choice))
                stack.append((state, point, choice[::-1]))
            edge.target = point

        self._restore(state)
        arrive(state, edge)
        while stack:
            state, point, choice = stack[-1]
            name = choice.pop()
            point.untried -= 1
            if choice:
                state = state.fork()
            else:
                stack.pop()
            edge = Edge(point, name)
            point.edges.append(edge)
            self._restore(state)
            self._take(state, name, edge)
            arrive(state, edge)

    def _advance(self, state: _State, edge: Edge) -> list[str]:
        """Takes turns until the order matters; returns the turns to choose from, or none at the end of the run."""
        while True:
            choice = self._choice(state)
            if len(choice) > 1:
                return choice
            if not choice:
                self._end(state, edge)
                return choice
            self._take(state, choice[0], edge)

    def _take(self, state: _State, name: str, edge: Edge) -> None:
        self.turns += 1
        if self.turns > self.budget:
            raise BudgetSpent
        _, turn = state.ready.turns.pop(name)
        i = self.graph.index_of[turn.op]
        has_ended = True
        try:
            has_ended = state.tokens.take(turn)
        except errors.OpError as error:
            self._end_with_error(error, edge, (*edge.names, name, *state.begun))
            if error.message.startswith("Retval["):
                raise BudgetSpent from None  # a value of a loop's inside was fetched, which is an error in any order
            state.failed = (*state.failed, name)
            if not self.graph.looping:
                state.unreachable |= self.graph.waiting_for(i)
            return
        finally:
            if has_ended:
                state.held = self.locks.held_after(state.held, turn)
                state.turns_taken |= 1 << self._turn_bits.setdefault(name, len(self._turn_bits))
                if not self.graph.looping >> i & 1:
                    state.nodes_done |= 1 << i
        edge.names.append(name)
        state.begun = tuple([other for other in state.begun if other != name]) if has_ended else (*state.begun, name)
        if turn.op in self._creators:
            self._register(state, turn)

    def _register(self, state: _State, turn: Turn) -> None:
        """Notes the resources that a turn created."""
        for value in turn.at.values.get(turn.op.id, ()):
            resource = value.buffer if isinstance(value, Handle) else value
            if isinstance(value, (Buffer, Handle)) and not any(resource is earlier for earlier in state.resources):
                state.resources = (*state.resources, resource)
                self.number_of.label(resource, turn.name)

    # -- the ready turns whose order matters ---------------------------------------------------------------------------

    def _choice(self, state: _State) -> list[str]:
        """The turns to try, in the order of their keys: one, if it conflicts with no other; none at the end."""
        graph, turns = self.graph, state.ready.turns
        rest = ~(state.nodes_done | state.unreachable)  # the nodes that may still run
        live: list[tuple[Key, str, int]] = []
        held_back = False
        for name, (key, turn) in turns.items():
            if state.held and state.held & self.locks.taken_by(turn):
                held_back = True
                continue
            i = graph.index_of[turn.op]
            if must_wait(turn, self.store):
                held_back = True
                if not self._stands_in_line(turn, graph.conflicts[i] & rest):
                    continue
            elif attempt_of(turn, self.store) is not None:
                return [name]  # what it did at the queue is over: the order of its end does not matter
            if not graph.conflicts[i] & rest or (self._branches and _is_dead_turn(turn)):
                return [name]
            live.append((key, name, i))
        if not live:
            return []
        live.sort()
        if held_back:
            # What ends the critical section, or the wait at a queue, may come before or after any of these: the graph does not
            # say which.
            return [name for _, name, _ in live]
        by_node: dict[int, list[int]] = {}
        ready = 0
        for n, (_, _, i) in enumerate(live):
            by_node.setdefault(i, []).append(n)
            ready |= 1 << i
        best: set[int] = set()
        tried: set[int] = set()
        for n in range(len(live)):
            if n in tried:
                continue
            stubborn, equivalent = self._stubborn(n, live, by_node, ready, rest)
            tried |= equivalent
            if not best or len(stubborn) < len(best):
                best = stubborn
            if len(best) == 1:
                break
        return [live[n][1] for n in sorted(best)]

    def _stands_in_line(self, turn: Turn, others: int) -> bool:
        """Whether a turn that must wait may begin, and whether that can matter to the other nodes with which it conflicts."""
        if may_begin(turn, self.store) or may_line_up(turn, self.store):
            return True
        # A close waits for the enqueues that stand in line, or cancels them.
        waits = turn.op.definition.waits_to == "put" and others & self._closes
        return bool(waits) and attempt_of(turn, self.store) is None

    def _stubborn(
        self, first: int, live: list[tuple[Key, str, int]], by_node: dict[int, list[int]], ready: int, rest: int
    ) -> tuple[set[int], set[int]]:
        """The stubborn set of a ready turn, as indices into `live`; and those of its turns that have the same set.

        It has the turn, the turns that conflict with one of the set, and of those that are not ready a ready predecessor.
        """
        graph = self.graph
        stubborn, equivalent = {first}, {first}
        nodes = 1 << live[first][2]
        visited = 0
        stack = [first]
        while stack:
            at = stack.pop()
            i = live[at][2]
            conflicting = graph.conflicts[i] & rest & ~visited
            visited |= conflicting
            new: list[int] = []
            for j in bits(conflicting & ready):
                new.extend(by_node[j])
            if at in equivalent:
                equivalent.update(new)
            for j in bits(conflicting & (~ready | graph.looping)):
                loops = graph.looping >> j & 1
                if loops or graph.through[j]:
                    for k in bits(graph.leading[j] & ready):
                        new.extend(by_node[k])
                    continue
                predecessors = graph.before[j] & ready
                if predecessors and not predecessors & nodes:
                    new.append(by_node[next(bits(predecessors))][0])
            for n in new:
                if n not in stubborn:
                    stubborn.add(n)
                    nodes |= 1 << live[n][2]
                    stack.append(n)
        return stubborn, equivalent

    # -- the key of a point --------------------------------------------------------------------------------------------

    def _contents(self, state: _State) -> Any:
        return self._store_contents(self.store), [contents(resource) for resource in state.resources]

    def _store_contents(self, store: Store) -> Any:
        """The values of the variables, copies of the random generators, and the contents of queues."""
        return (
            {key: buffer.value for key, buffer in store.buffers.items()},
            {name: copied_generator(store.generators[name]) for name in self._random_ops if name in store.generators},
            {key: each.state() for key, each in store.resources.items() if hasattr(each, "state")},
        )

    def _restore(self, state: _State) -> None:
        """Puts the contents of the state back into the store and its resources, which all states share."""
        (buffers, generators, queues), resource_contents = state.contents
        for key, buffer in self.store.buffers.items():
            buffer.value = buffers.get(key)
        for resource, content in zip(state.resources, resource_contents):
            restore(resource, content)
        for place, queue in self.store.resources.items():
            if hasattr(queue, "restore"):
                queue.restore(queues.get(place))
        for name in self._random_ops:
            self.store.generators.pop(name, None)
            if name in generators:
                self.store.generators[name] = copied_generator(generators[name])

    def store_key(self, store: Store) -> tuple[Any, ...]:
        """The variables, random generators and queues of a store as a key."""
        number_of = self.number_of
        return (
            tuple([(key, number_of(b.value)) for key, b in sorted(store.buffers.items()) if b.value is not None]),
            tuple([(n, store.generators[n]._next) for n in self._random_ops if n in store.generators]),
            tuple([(key, number_of(q.state())) for key, q in sorted(store.resources.items()) if hasattr(q, "state")]),
        )

    def _key(self, state: _State) -> Any:
        """The key of a state: two states with the same key can end in the same results."""
        number_of, values = self.number_of, state.tokens.root.values
        live = []
        waiting = ~state.nodes_done
        with_outputs = state.nodes_done | self.graph.looping
        for i, op, consumers in self._live_outputs:
            if consumers & waiting and op.id in values and with_outputs >> i & 1:
                outputs = values[op.id]
                if type(outputs) is not _KeyedOutputs:
                    outputs = values[op.id] = _KeyedOutputs(outputs)
                    outputs.key = (i, *[number_of(value) for value in outputs])
                live.append(outputs.key)
        dead = state.tokens.root.dead
        parts: list[Any] = [number for number, waiters in self._waiters if number in dead and waiters & waiting]
        for resource in state.resources:
            parts.append((number_of.labels[id(resource)], number_of(contents(resource))))
        if self.graph.looping:
            self._add_loop_keys(state.tokens.root, parts)
            parts.append(tuple(sorted((t.name, number_of(v)) for t, v in state.tokens.caught.items())))
        return state.turns_taken, state.failed and frozenset(state.failed), tuple(live), tuple(parts), self.store_key(self.store)

    def _add_loop_keys(self, at: Iteration, parts: list[Any]) -> None:
        """Adds the values inside the loops that run in this iteration to the parts of a key."""
        number_of = self.number_of
        for frame, activation in at.inner.items():
            for op, outputs, dead in (*activation.constant, *activation.late):
                parts.append((op.id, dead, *map(number_of, outputs)))
            for index, inner in activation.running.items():
                name = (frame.path, index)
                for number, outputs in sorted(inner.values.items()):
                    parts.append((name, number, number in inner.dead, *map(number_of, outputs)))
                self._add_loop_keys(inner, parts)

    # -- the results after a point -------------------------------------------------------------------------------------

    def conflict(self, first: str, second: str) -> bool:
        """Whether the order of two turns can matter."""
        i, j = (self._index[int(name.partition(":")[0])] for name in (first, second))
        return bool(self.graph.conflicts[i] >> j & 1)

    def has_conflicts(self, name: str) -> bool:
        """Whether the order of a turn with any other one can matter."""
        return self.graph.conflicts[self._index[int(name.partition(":")[0])]] != 0

    def node(self, name: str) -> Operation:
        """The node of a turn."""
        return self.graph.order[self._index[int(name.partition(":")[0])]]

    def after_turns(self, names: Sequence[str]) -> Edge:
        """An edge of these turns from the beginning of the run; explores what follows them."""
        edge = Edge()
        state = self.first.fork()
        self._restore(state)
        with quiet(self.graph.order):
            try:
                for name in names:
                    self._take(state, name, edge)
            except BudgetSpent:
                self.exact = False
            else:
                state.contents = self._contents(state)
                self._all_from(state, edge)
        return edge

    def results_after(self, edge: Edge) -> tuple[int, bool]:
        """The numbers of the results that can follow, as bits; and whether the search tried everything after the edge."""
        results_of = self._results_after
        stack = [edge]
        while stack:
            at = stack[-1]
            next_edges = at.target.edges if at.target is not None else []
            missing = [e for e in next_edges if e not in results_of]
            if missing and at not in results_of:
                stack.extend(missing)
                continue
            stack.pop()
            if at not in results_of:
                results, complete = 0, at.run_ended or (at.target is not None and at.target.untried == 0)
                for _, number in at.ends:
                    results |= 1 << number
                for e in next_edges:
                    results |= results_of[e][0]
                    complete = complete and results_of[e][1]
                results_of[at] = results, complete
        return results_of[edge]

    def path_to(self, edge: Edge, number: int) -> tuple[str, ...]:
        """The turns from the beginning of an edge to a result on it or after it."""
        names: tuple[str, ...] = ()
        while True:
            for turns, result in edge.ends:
                if result == number:
                    return (*names, *turns)
            assert edge.target is not None
            names = (*names, *edge.names)
            edge = next(e for e in edge.target.edges if self.results_after(e)[0] >> number & 1)

    # -- results -------------------------------------------------------------------------------------------------------

    def _end(self, state: _State, edge: Edge) -> None:
        if state.failed:
            return
        waiting = next((turn for _, turn in state.ready.turns.values() if must_wait(turn, self.store)), None)
        if waiting is not None:
            self._end_with_error(never(waiting, self.store), edge, (*edge.names, *state.begun))
            return
        try:
            values = tuple(state.tokens.fetch(self.fetches))
        except errors.OpError as error:
            self._end_with_error(error, edge, tuple(edge.names))
            return
        self._end_with(self.key_of(values, None, self.store), edge, tuple(edge.names), values, None)

    def key_of(self, values: Sequence[Any], error: errors.OpError | None, store: Store) -> Any:
        """The key of a result: equal results have equal keys."""
        if error is not None:
            return "error", *failure_key(error)
        return tuple(map(self.number_of, values)), self.store_key(store) if self.ends_matter else None

    def _end_with_error(self, error: errors.OpError, edge: Edge, names: tuple[str, ...]) -> None:
        """names: with those of the turns that began and did not end once more, so that a replay of the path lets them begin."""
        self._end_with(self.key_of((), error, self.store), edge, names, (), error)

    def add_result(
        self, key: Any, path: tuple[str, ...], values: Sequence[Any], error: errors.OpError | None, after: Store
    ) -> None:
        """Adds a result, also one of a run outside the search. after: the store after the run."""
        self._result_numbers[key] = len(self.results)
        self.results.append(Result(key, tuple(values), error, path, self._store_contents(after) if self.ends_matter else None))

    def _end_with(
        self, key: Any, edge: Edge, names: tuple[str, ...], values: tuple[Any, ...], error: errors.OpError | None
    ) -> None:
        if key not in self._result_numbers:
            self.add_result(key, names if edge.source is None else (*edge.source.path, *names), values, error, self.store)
        edge.ends = (*edge.ends, (names, self._result_numbers[key]))

    def store_after(self, number: int) -> Store:
        """A copy of the store as the run with this result leaves it."""
        buffers, generators, queues = self.results[number].stored
        after = self.store.copy()
        for key, buffer in after.buffers.items():
            buffer.value = buffers.get(key)
        after.generators = {**after.generators, **generators}
        for resource_key, queue in after.resources.items():
            queue.restore(queues.get(resource_key))
        return after


@contextlib.contextmanager
def quiet(operations: Iterable[Operation]) -> Iterator[None]:
    """Hides what print nodes and NumPy's warnings write while a run is tried in many orders."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(np.errstate(all="ignore"))
        if any(role_of(op) == "print" for op in operations):
            hidden = io.StringIO()
            stack.enter_context(contextlib.redirect_stderr(hidden))
            stack.enter_context(contextlib.redirect_stdout(hidden))
        yield


def _is_dead_turn(turn: Turn) -> bool:
    op, at = turn
    return is_dead(op, [Tokens._value(at, tensor) for tensor in op.inputs], at.dead)
