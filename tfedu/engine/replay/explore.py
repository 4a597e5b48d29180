"""Explore: every legal order of a run, without trying each of them. `Exploration(schedule, store, fed, fetches).go()`.

At each point of a run only such ready turns are tried in turn as can matter to each other (a stubborn set: with a turn
all that touches the same thing, and what must come before that); a point that was reached before, with the same turns
taken and the same values everywhere, is not gone on from again. So all ends of the run are found, and often in few steps.
A node that fails gives nothing to anybody, and the others go on: each of them may be the one that ends the run.
State: `Exploration`, the points found, the ways between them and the results.

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
from ..runtime.node_errors import failure_key
from ..runtime.node_turn import is_dead
from ..runtime.schedule import Key, Picker, Schedule
from ..runtime.store import Buffer, Handle, Store
from ..runtime.tokens import Iteration, Tokens, Turn
from .accesses import variable_of
from .fork import contents, fork, put_back
from .relations import Relations, bits
from .value_numbers import Kept, twin, with_generators

BUDGET: Final = 50_000


@dataclass(eq=False, slots=True)
class Edge:
    """A way on from a point: the turn that was tried, all the turns taken, what ended the run on it or after it.

    target: the point that it leads to; over: it leads to none, since the run came to its end.
    """

    source: Point | None = None
    turn: str = ""
    names: list[str] = field(default_factory=list)
    ends: tuple[tuple[tuple[str, ...], int], ...] = ()  # after these of the turns, this result
    target: Point | None = None
    over: bool = False


@dataclass(eq=False, slots=True)
class Point:
    """A situation in which the order of the next turns can matter. came: the way on which it was found; left: turns to try."""

    came: Edge
    left: int
    edges: list[Edge] = field(default_factory=list)

    @property
    def path(self) -> tuple[str, ...]:
        """The turns that lead here."""
        names: tuple[str, ...] = ()
        point: Point | None = self
        while point is not None:
            names = (*point.came.names, *names)
            point = point.came.source
        return names


@dataclass(frozen=True, eq=False, slots=True)
class Result:
    """One way in which a run can end: the values, or the error; equal keys, equal results. held: what the session then holds."""

    key: Any
    values: tuple[Any, ...]
    error: errors.OpError | None
    path: tuple[str, ...]  # the turns that lead here
    held: Any = field(repr=False)


class Spent(Exception):
    """The budget is spent."""


class _Ready(Picker):
    """The ready turns by name."""

    def __init__(self) -> None:
        self.turns: dict[str, tuple[Key, Turn]] = {}

    def add(self, key: Key, name: str, turn: Any) -> None:
        self.turns[name] = key, turn

    def __len__(self) -> int:
        return len(self.turns)


class _Given(list[Any]):
    """What a node gave, and what that is known by: other points with the same need not look at it again."""

    __slots__ = ("known",)
    known: tuple[int, ...]


class _State:
    """A run under way. things: what it has made that lasts until its end; held: what they and the variables hold."""

    __slots__ = ("tokens", "ready", "taken", "done", "failed", "gone", "things", "held")

    def __init__(self, tokens: Tokens, ready: _Ready) -> None:
        self.tokens = tokens
        self.ready = ready
        self.taken = 0  # a bit for each turn
        self.done = 0  # a bit for each node outside loops
        self.failed: tuple[str, ...] = ()
        self.gone = 0  # nodes that will never run, because one before them failed
        self.things: tuple[Any, ...] = ()
        self.held: Any = None

    def fork(self) -> _State:
        ready = _Ready()
        items = list(self.ready.turns.items())
        tokens, turns = fork(self.tokens, [turn for _, (_, turn) in items], ready)
        ready.turns = {name: (key, turn) for (name, (key, _)), turn in zip(items, turns)}
        twin = _State(tokens, ready)
        twin.taken, twin.done, twin.failed, twin.gone = self.taken, self.done, self.failed, self.gone
        twin.things, twin.held = self.things, self.held
        return twin


class Exploration:
    """All that a run can become. results: in the order in which they were found; exact: whether there are no others."""

    def __init__(
        self,
        scheduled: Schedule,
        store: Store,
        fed: Mapping[Tensor, Any],
        fetches: Sequence[Tensor],
        budget: int = BUDGET,
        kept: Kept | None = None,
        ends_matter: bool = False,
    ) -> None:
        self.graph = Relations(scheduled, store)
        self.store = with_generators(store)
        self.fetches = fetches
        self.budget = budget
        self.kept = kept or Kept()
        self.ends_matter = ends_matter
        self.turns = 0
        self.exact = True
        self.results: list[Result] = []
        self.points: dict[Any, Point] = {}
        self._number_of: dict[Any, int] = {}
        self._behind: dict[Edge, tuple[int, bool]] = {}
        self._place = {op.id: i for i, op in enumerate(self.graph.order)}
        self._bit_of: dict[str, int] = {}
        self._drawing = [op.name for op, its in self.graph.touch.items() if ("generator", op.name) in its.writes]
        self._makers = {
            op
            for op in self.graph.order
            if op.definition is not None
            and op.definition.alias_index < 0
            and (variable_of(op) or ("temporary",))[0] == "temporary"
            and any(t.dtype.is_ref or t.dtype.base_dtype is dtypes.resource for t in op.outputs)
        }
        self._branches = any(op.type in SWITCHES for op in self.graph.order)
        self._live = self._which_differ(scheduled, fetches)
        self._waited_for = self._waited_for_in_branches() if self._branches else []
        ready = _Ready()
        self.first = _State(Tokens(scheduled, store, fed, fetches, ready=ready), ready)
        self.first.held = self._noted(self.first)
        self.begin = Edge()

    def _which_differ(self, scheduled: Schedule, fetches: Sequence[Tensor]) -> list[tuple[int, Operation, int]]:
        """The nodes that give outside loops what an order may change: place, node, who still needs it (-1: the end)."""
        graph, frames = self.graph, scheduled.frames
        fetched = {tensor.op for tensor in fetches}
        found = []
        for i, op in enumerate(graph.order):
            # What a loop gives counts as well: anything in it may have changed it.
            if graph.looping >> i & 1 and (frames is None or frames.target_of(op) is not frames.root):
                continue
            if (i < graph.count or graph.leading[i]) and op.outputs:
                takers = -1 if op in fetched else 0
                for tensor in op.outputs:
                    for taker in tensor.consumers():
                        if taker in graph.at:
                            takers |= 1 << graph.at[taker]
                found.append((i, op, takers))
        return found

    def _waited_for_in_branches(self) -> list[tuple[int, int]]:
        """The nodes whose death others may learn without taking a value of theirs: id, and who waits for them."""
        waiters: dict[Operation, int] = {}
        for op in self.graph.order:
            for waited in op.waits:
                waiters[waited] = waiters.get(waited, 0) | 1 << self.graph.at[op]
        return [(op.id, those) for op, those in waiters.items()]

    # -- going ---------------------------------------------------------------------------------------------------------

    def go(self) -> Exploration:
        """Finds all results, or as many as the budget allows."""
        with quiet(self.graph.order):
            self._all_from(self.first.fork(), self.begin)
        return self

    def _all_from(self, state: _State, edge: Edge) -> None:
        try:
            self._try_all_from(state, edge)
        except Spent:
            self.exact = False

    def _try_all_from(self, state: _State, edge: Edge) -> None:
        row: list[tuple[_State, Point, list[str]]] = []

        def come(state: _State, edge: Edge) -> None:
            choice = self._goes_on(state, edge)
            if not choice:
                edge.over = True
                return
            key = self._key(state)
            point = self.points.get(key)
            if point is None:
                state.held = self._noted(state)
                point = self.points[key] = Point(edge, len(choice))
                row.append((state, point, choice[::-1]))
            edge.target = point

        self._restore(state)
        come(state, edge)
        while row:
            state, point, choice = row[-1]
            name = choice.pop()
            point.left -= 1
            if choice:
                state = state.fork()
            else:
                row.pop()
            edge = Edge(point, name)
            point.edges.append(edge)
            self._restore(state)
            self._take(state, name, edge)
            come(state, edge)

    def _goes_on(self, state: _State, edge: Edge) -> list[str]:
        """Takes turns until there is a choice that matters; gives that, or nothing at the end."""
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
            raise Spent
        _, turn = state.ready.turns.pop(name)
        i = self.graph.at[turn.op]
        state.taken |= 1 << self._bit_of.setdefault(name, len(self._bit_of))
        if not self.graph.looping >> i & 1:
            state.done |= 1 << i
        try:
            state.tokens.take(turn)
        except errors.OpError as error:
            self._failed(error, edge, (*edge.names, name))
            if error.message.startswith("Retval["):
                raise Spent from None  # a value of a loop's inside was fetched, which is an error in any order
            state.failed = (*state.failed, name)
            if not self.graph.looping:
                state.gone |= self.graph.waiting_for(i)
            return
        edge.names.append(name)
        if turn.op in self._makers:
            self._register(state, turn)

    def _register(self, state: _State, turn: Turn) -> None:
        for value in turn.at.values.get(turn.op.id, ()):
            thing = value.buffer if isinstance(value, Handle) else value
            if isinstance(value, (Buffer, Handle)) and not any(thing is known for known in state.things):
                state.things = (*state.things, thing)
                self.kept.label(thing, turn.name)

    # -- what is ready, and which of it matters ------------------------------------------------------------------------

    def _choice(self, state: _State) -> list[str]:
        """The turns to try, in the order of their keys: one, if nothing else can matter to it; none at the end."""
        graph, turns = self.graph, state.ready.turns
        rest = ~(state.done | state.gone)
        live: list[tuple[Key, str, int]] = []
        for name, (key, turn) in turns.items():
            i = graph.at[turn.op]
            if not graph.conflicts[i] & rest or (self._branches and _dead(turn)):
                return [name]
            live.append((key, name, i))
        if not live:
            return []
        live.sort()
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
            found, alike = self._stubborn(n, live, by_node, ready, rest)
            tried |= alike
            if not best or len(found) < len(best):
                best = found
            if len(best) == 1:
                break
        return [live[n][1] for n in sorted(best)]

    def _stubborn(
        self, first: int, live: list[tuple[Key, str, int]], by_node: dict[int, list[int]], ready: int, rest: int
    ) -> tuple[set[int], set[int]]:
        """With a turn, those whose order with it matters, and what leads to such as are not ready yet.

        Gives also those of them from which the same would be found.
        """
        graph = self.graph
        found, alike = {first}, {first}
        nodes = 1 << live[first][2]
        seen = 0
        row = [first]
        while row:
            at = row.pop()
            i = live[at][2]
            against = graph.conflicts[i] & rest & ~seen
            seen |= against
            new: list[int] = []
            for j in bits(against & ready):
                new.extend(by_node[j])
            if at in alike:
                alike.update(new)
            for j in bits(against & (~ready | graph.looping)):
                loops = graph.looping >> j & 1
                if loops or graph.through[j]:
                    for k in bits(graph.leading[j] & ready):
                        new.extend(by_node[k])
                    continue
                leads = graph.before[j] & ready
                if leads and not leads & nodes:
                    new.append(by_node[next(bits(leads))][0])
            for n in new:
                if n not in found:
                    found.add(n)
                    nodes |= 1 << live[n][2]
                    row.append(n)
        return found, alike

    # -- what a point is known by --------------------------------------------------------------------------------------

    def _noted(self, state: _State) -> Any:
        return self._held(self.store), [contents(thing) for thing in state.things]

    def _held(self, store: Store) -> Any:
        """What a session holds."""
        return (
            {key: buffer.value for key, buffer in store.buffers.items()},
            {name: twin(store.generators[name]) for name in self._drawing if name in store.generators},
        )

    def _restore(self, state: _State) -> None:
        (buffers, generators), things = state.held
        for key, buffer in self.store.buffers.items():
            buffer.value = buffers.get(key)
        for thing, noted in zip(state.things, things):
            put_back(thing, noted)
        for name in self._drawing:
            self.store.generators.pop(name, None)
            if name in generators:
                self.store.generators[name] = twin(generators[name])

    def lasting(self, store: Store) -> tuple[Any, ...]:
        """What a session holds, as a key."""
        kept = self.kept
        return (
            tuple([(key, kept(b.value)) for key, b in sorted(store.buffers.items()) if b.value is not None]),
            tuple([(n, store.generators[n]._next) for n in self._drawing if n in store.generators]),
        )

    def _key(self, state: _State) -> Any:
        kept, values = self.kept, state.tokens.root.values
        live = []
        waiting = ~state.done
        given_by = state.done | self.graph.looping
        for i, op, takers in self._live:
            if takers & waiting and op.id in values and given_by >> i & 1:
                given = values[op.id]
                if type(given) is not _Given:
                    given = values[op.id] = _Given(given)
                    given.known = (i, *[kept(value) for value in given])
                live.append(given.known)
        dead = state.tokens.root.dead
        inside: list[Any] = [number for number, those in self._waited_for if number in dead and those & waiting]
        for thing in state.things:
            inside.append((kept.labels[id(thing)], kept(contents(thing))))
        if self.graph.looping:
            self._loops(state.tokens.root, inside)
            inside.append(tuple(sorted((t.name, kept(v)) for t, v in state.tokens.caught.items())))
        return state.taken, state.failed and frozenset(state.failed), tuple(live), tuple(inside), self.lasting(self.store)

    def _loops(self, at: Iteration, found: list[Any]) -> None:
        kept = self.kept
        for frame, activation in at.inner.items():
            for op, outputs, dead in (*activation.constant, *activation.late):
                found.append((op.id, dead, *map(kept, outputs)))
            for index, inner in activation.running.items():
                name = (frame.path, index)
                for number, outputs in sorted(inner.values.items()):
                    found.append((name, number, number in inner.dead, *map(kept, outputs)))
                self._loops(inner, found)

    # -- what is behind a point ----------------------------------------------------------------------------------------

    def against(self, one: str, other: str) -> bool:
        """Whether the order of two turns can matter."""
        i, j = (self._place[int(name.partition(":")[0])] for name in (one, other))
        return bool(self.graph.conflicts[i] >> j & 1)

    def touches(self, name: str) -> bool:
        """Whether the order of a turn with any other one can matter."""
        return self.graph.conflicts[self._place[int(name.partition(":")[0])]] != 0

    def node(self, name: str) -> Operation:
        """The node of a turn."""
        return self.graph.order[self._place[int(name.partition(":")[0])]]

    def after_turns(self, names: Sequence[str]) -> Edge:
        """What follows when these turns are taken first."""
        edge = Edge()
        state = self.first.fork()
        self._restore(state)
        with quiet(self.graph.order):
            try:
                for name in names:
                    self._take(state, name, edge)
            except Spent:
                self.exact = False
            else:
                state.held = self._noted(state)
                self._all_from(state, edge)
        return edge

    def results_behind(self, edge: Edge) -> tuple[int, bool]:
        """The numbers of the results that can follow, as bits; and whether nothing else can."""
        known = self._behind
        row = [edge]
        while row:
            at = row[-1]
            below = at.target.edges if at.target is not None else []
            missing = [e for e in below if e not in known]
            if missing and at not in known:
                row.extend(missing)
                continue
            row.pop()
            if at not in known:
                mine, whole = 0, at.over or (at.target is not None and at.target.left == 0)
                for _, number in at.ends:
                    mine |= 1 << number
                for e in below:
                    mine |= known[e][0]
                    whole = whole and known[e][1]
                known[at] = mine, whole
        return known[edge]

    def way_to(self, edge: Edge, number: int) -> tuple[str, ...]:
        """The turns from the beginning of an edge to a result behind it."""
        names: tuple[str, ...] = ()
        while True:
            for turns, found in edge.ends:
                if found == number:
                    return (*names, *turns)
            assert edge.target is not None
            names = (*names, *edge.names)
            edge = next(e for e in edge.target.edges if self.results_behind(e)[0] >> number & 1)

    # -- results -------------------------------------------------------------------------------------------------------

    def _end(self, state: _State, edge: Edge) -> None:
        if state.failed:
            return
        try:
            values = tuple(state.tokens.fetch(self.fetches))
        except errors.OpError as error:
            self._failed(error, edge, tuple(edge.names))
            return
        self._found(self.key_of(values, None, self.store), edge, tuple(edge.names), values, None)

    def key_of(self, values: Sequence[Any], error: errors.OpError | None, store: Store) -> Any:
        """What tells one result from another."""
        if error is not None:
            return "error", *failure_key(error)
        return tuple(map(self.kept, values)), self.lasting(store) if self.ends_matter else None

    def _failed(self, error: errors.OpError, edge: Edge, names: tuple[str, ...]) -> None:
        self._found(self.key_of((), error, self.store), edge, names, (), error)

    def found(
        self, key: Any, path: tuple[str, ...], values: Sequence[Any], error: errors.OpError | None, after: Store
    ) -> None:
        """A result that is known from elsewhere."""
        self._number_of[key] = len(self.results)
        self.results.append(Result(key, tuple(values), error, path, self._held(after) if self.ends_matter else None))

    def _found(
        self, key: Any, edge: Edge, names: tuple[str, ...], values: tuple[Any, ...], error: errors.OpError | None
    ) -> None:
        if key not in self._number_of:
            self.found(key, names if edge.source is None else (*edge.source.path, *names), values, error, self.store)
        edge.ends = (*edge.ends, (names, self._number_of[key]))

    def store_after(self, number: int) -> Store:
        """A store as this result leaves it."""
        buffers, generators = self.results[number].held
        after = self.store.copy()
        for key, buffer in after.buffers.items():
            buffer.value = buffers.get(key)
        after.generators = {**after.generators, **generators}
        return after


@contextlib.contextmanager
def quiet(operations: Iterable[Operation]) -> Iterator[None]:
    """While a run is tried in many ways, nothing is printed."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(np.errstate(all="ignore"))
        if any(role_of(op) == "print" for op in operations):
            hidden = io.StringIO()
            stack.enter_context(contextlib.redirect_stderr(hidden))
            stack.enter_context(contextlib.redirect_stdout(hidden))
        yield


def _dead(turn: Turn) -> bool:
    op, at = turn
    return is_dead(op, [Tokens._value(at, tensor) for tensor in op.inputs], at.dead)
