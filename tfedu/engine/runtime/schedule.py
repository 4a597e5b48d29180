"""Schedule: in which order the nodes of a run take their turn. The order is the meaning of a run.

A graph leaves many orders legal; a policy picks one: `creation()` (the default: the oldest node that is ready),
`random(seed)` (any ready node, the same ones for the same seed), `replay("3 1 2")` (an order that was noted down, by node
ids; `Schedule.text` is one) and `before("3<1")` (as creation, but node 1 not before node 3). A policy may be given as
text: "creation", "random(1)", "3 1 2", "3<1".
A loop's nodes stand together in the order and take their turns in every iteration. No state.
"""

from __future__ import annotations

import heapq
import random as _random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, TypeAlias

from ..base import errors
from ..graph.nodes import Operation
from ..ops.control_flow import EXITS, MERGES
from .frames import Frame, Frames, Item, Segment, frames_of, has_loops, is_back_edge
from .place import Placed
from .prune import data_inputs, waits_for

Key: TypeAlias = tuple[int, ...]


class Policy:
    """Which of the ready turns comes next. in_run: in a graph with loops this is found out turn by turn."""

    def __init__(self, name: str, start: Callable[[], Picker], in_run: bool = False) -> None:
        self.name = name
        self.start = start
        self.in_run = in_run

    def __repr__(self) -> str:
        return self.name


class Picker:
    """The ready turns of one run: `add` one under its key and its name, `pick` the next, or `take` one that others picked."""

    def add(self, key: Key, name: str, turn: Any) -> None:
        raise NotImplementedError

    def pick(self) -> Any:
        raise NotImplementedError

    def take(self, name: str, turn: Any) -> None:
        """Lets go of a ready turn as if it had been picked: what comes after it is picked as it would have been."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError


class _Oldest(Picker):
    def __init__(self) -> None:
        self.heap: list[tuple[Key, Any]] = []

    def add(self, key: Key, name: str, turn: Any) -> None:
        heapq.heappush(self.heap, (key, turn))

    def pick(self) -> Any:
        return heapq.heappop(self.heap)[1]

    def take(self, name: str, turn: Any) -> None:
        if self.heap[0][1] is turn:
            heapq.heappop(self.heap)
        else:
            self.heap = [item for item in self.heap if item[1] is not turn]
            heapq.heapify(self.heap)

    def __len__(self) -> int:
        return len(self.heap)


class _Random(Picker):
    def __init__(self, seed: int) -> None:
        self.source = _random.Random(seed)
        self.ready: list[Any] = []

    def add(self, key: Key, name: str, turn: Any) -> None:
        self.ready.append(turn)

    def pick(self) -> Any:
        return self._let_go(self.source.randrange(len(self.ready)))

    def take(self, name: str, turn: Any) -> None:
        self.source.randrange(len(self.ready))
        self._let_go(next(at for at, ready in enumerate(self.ready) if ready is turn))

    def _let_go(self, at: int) -> Any:
        self.ready[at], self.ready[-1] = self.ready[-1], self.ready[at]
        return self.ready.pop()

    def __len__(self) -> int:
        return len(self.ready)


class _Noted(Picker):
    def __init__(self, names: Sequence[str]) -> None:
        self.names = iter(names)
        self.ready: dict[str, Any] = {}

    def add(self, key: Key, name: str, turn: Any) -> None:
        self.ready[name] = turn

    def pick(self) -> Any:
        wanted = next(self.names, None)
        if wanted is None:
            raise errors.InvalidArgumentError(None, None, "The replayed schedule ends before the run does.")
        if wanted not in self.ready:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"The replayed schedule runs node {wanted} when it is not ready; ready are [{', '.join(self.ready)}].",
            )
        return self.ready.pop(wanted)

    def take(self, name: str, turn: Any) -> None:
        del self.ready[name]

    def __len__(self) -> int:
        return len(self.ready)


class _Held(_Oldest):
    """The oldest first, but some only after others; what waits for a turn that never comes goes on without it."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.first: dict[str, set[str]] = {}
        for first, then in pairs:
            self.first.setdefault(then, set()).add(first)
        self.names: dict[Any, str] = {}
        self.let_go: dict[str, str] = {}

    def add(self, key: Key, name: str, turn: Any) -> None:
        super().add(key, name, turn)
        self.names[turn] = name

    def pick(self) -> Any:
        skipped = []
        while self.heap and self.first.get(self.names[self.heap[0][1]]):
            skipped.append(heapq.heappop(self.heap))
        if self.heap:
            turn = super().pick()
        else:
            turn = skipped.pop(0)[1]
            self.let_go.update(dict.fromkeys(self.first[self.names[turn]], self.names[turn]))
        for key, waiting in skipped:
            heapq.heappush(self.heap, (key, waiting))
        name = self.names.pop(turn)
        if name in self.let_go:
            raise errors.InvalidArgumentError(
                None, None, f"The schedule runs node {name} before node {self.let_go[name]}, but the graph does not allow that."
            )
        for waits in self.first.values():
            waits.discard(name)
        return turn

    def take(self, name: str, turn: Any) -> None:
        super().take(name, turn)
        del self.names[turn]
        for waits in self.first.values():
            waits.discard(name)


class _Guided(_Oldest):
    """A noted order as far as it can be kept, then the oldest."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.place = {name: place for place, name in enumerate(names)}

    def add(self, key: Key, name: str, turn: Any) -> None:
        super().add((self.place.get(name, len(self.place)), *key), name, turn)


def creation() -> Policy:
    """The oldest ready node first; a loop as a whole, iteration by iteration."""
    return Policy("creation", _Oldest)


def random(seed: int) -> Policy:
    """Any ready node, of any iteration; the same seed gives the same order."""
    return Policy(f"random({seed})", lambda: _Random(seed), in_run=True)


def replay(text: str) -> Policy:
    """The order that `text` notes: node ids, separated by spaces; in loops with their iteration, as 7:0 7:1.

    Raises: ValueError for text that is no such list; a run raises InvalidArgumentError where the order is not legal.
    """
    names = text.split()
    if not all(_TURN.fullmatch(name) for name in names):
        raise ValueError(f"A schedule is a list of node ids, as '3 1 2', not {text[:80]!r}.")
    return Policy("replay", lambda: _Noted(names), in_run=":" in text)


def before(text: str) -> Policy:
    """The order of creation, but for pairs of node ids as 7<3: node 3 takes its turn after node 7. In loops 7:1<3:0.

    Raises: ValueError for text that is no such list; a run raises InvalidArgumentError where the graph has it otherwise.
    """
    pairs = [pair.split("<") for pair in text.split()]
    if not all(len(pair) == 2 and all(_TURN.fullmatch(name) for name in pair) for pair in pairs):
        raise ValueError(f"A schedule by what comes first is a list of pairs of node ids, as '7<3 9<8', not {text[:80]!r}.")
    named = [(first, then) for first, then in pairs]
    return Policy(" ".join("<".join(pair) for pair in named), lambda: _Held(named), in_run=True)


def guided(names: Sequence[str], name: str, in_run: bool = False) -> Policy:
    """An order that was taken, by the names of its turns, as far as a run that went another way can still keep it."""
    return Policy(name, lambda: _Guided(names), in_run)


_TURN: Final = re.compile(r"\d{1,18}(:\d{1,18}(\.\d{1,18})*)?")
_RANDOM: Final = re.compile(r"random\((\d{1,18})\)")


def policy_of(schedule: Policy | str | None) -> Policy | None:
    """The policy that a text names.

    Raises: TypeError for what is neither, ValueError for a text that names none.
    """
    if schedule is None or isinstance(schedule, Policy):
        return schedule
    if not isinstance(schedule, str):
        raise TypeError(f"schedule must be a text such as 'random(1)', not {type(schedule).__name__}")
    if schedule.strip() in ("", "creation"):
        return creation()
    found = _RANDOM.fullmatch(schedule.strip())
    if found:
        return random(int(found[1]))
    return before(schedule) if "<" in schedule else replay(schedule)


@dataclass(frozen=True)
class Schedule:
    """The nodes of a run in the order of their turns; those of a loop stand together and take theirs in each iteration.

    frames: the loops' frames; None where there is no loop. segment: the order by frames; None where two loops wait for
    each other's nodes, so that neither is run as a whole.
    """

    placed: Placed
    order: tuple[Operation, ...]
    policy: Policy
    frames: Frames | None = None
    segment: Segment | None = None

    @property
    def in_run(self) -> bool:
        """Whether the order of the turns is found out in the run: the iterations of a loop may overlap."""
        return self.frames is not None and self.policy.in_run

    @property
    def text(self) -> str:
        """What `replay` reads."""
        return " ".join(str(op.id) for op in self.order)

    def __str__(self) -> str:
        if self.segment is None:
            return "\n".join(f"{turn}. {op.name}" for turn, op in enumerate(self.order, 1))
        lines: list[str] = []
        _tell(self.segment, "", lines, count(1))
        return "\n".join(lines)


def _tell(segment: Segment, indent: str, lines: list[str], turns: Iterator[int]) -> None:
    for item in segment.items:
        if isinstance(item, Segment):
            lines.append(f"{indent}loop {item.frame.name}:")
            _tell(item, f"{indent}  ", lines, turns)
        else:
            lines.append(f"{indent}{next(turns)}. {item.name}")


def dependencies(placed: Placed) -> tuple[dict[Operation, int], dict[Operation, list[Operation]]]:
    """For each node how many nodes it waits for, and which nodes wait for it; within one iteration."""
    fed = frozenset(placed.pruned.fed)
    pending: dict[Operation, int] = {}
    after: dict[Operation, list[Operation]] = {op: [] for op in placed.pruned.operations}
    for op in placed.pruned.operations:
        above = dict.fromkeys((*data_inputs(op, fed), *waits_for(op, fed)))
        if op.type in MERGES:
            above = {needed: None for needed in above if not is_back_edge(needed, op)}
        pending[op] = len(above)
        for needed in above:
            after[needed].append(op)
    return pending, after


def schedule(placed: Placed, policy: Policy | None = None) -> Schedule:
    """A legal order, picked by the policy.

    Raises: InvalidArgumentError for a cycle, which control edges can make, and for nodes between the frames of loops.
    """
    policy = policy or creation()
    operations = placed.pruned.operations
    if has_loops(placed.pruned):
        return _with_loops(placed, policy)
    if policy.name == "creation" and all(
        all(t.op.id < op.id for t in op.inputs) and all(w.id < op.id for w in op.waits)
        for op in operations
    ):
        # Every node is younger than what it needs: the order of creation is the order in which a heap would give them.
        return Schedule(placed, operations, policy)
    pending, after = dependencies(placed)
    order = _picked(pending, after, policy)
    if len(order) < len(operations):
        raise _cycle_error(placed, order)
    return Schedule(placed, tuple(order), policy)


def _picked(pending: dict[Operation, int], after: dict[Operation, list[Operation]], policy: Policy) -> list[Operation]:
    """The nodes as the policy picks them; those that wait for themselves are left out."""
    ready = policy.start()
    for op, waits in pending.items():
        if waits == 0:
            ready.add((op.id,), str(op.id), op)
    order: list[Operation] = []
    while len(ready):
        op = ready.pick()
        order.append(op)
        for waiting in after[op]:
            pending[waiting] -= 1
            if pending[waiting] == 0:
                ready.add((waiting.id,), str(waiting.id), waiting)
    return order


def _cycle_error(placed: Placed, order: Sequence[Operation]) -> errors.OpError:
    stuck = _cycle(placed, set(placed.pruned.operations) - set(order))
    unknown = next((op for op in stuck if op.definition is None), None)
    if unknown is not None:
        # A loop that was loaded from a file is no mistake of the graph's.
        return errors.NotFoundError(None, unknown, f"Op type not registered '{unknown.type}'")
    names = " → ".join(op.name for op in (*stuck, stuck[0]))
    return errors.InvalidArgumentError(
        None, stuck[0], f"Graph is invalid, contains a cycle with {len(stuck)} nodes: {names}"
    )


def _cycle(placed: Placed, stuck: set[Operation]) -> list[Operation]:
    fed = frozenset(placed.pruned.fed)
    at = min(stuck, key=lambda op: op.id)
    path: dict[Operation, None] = {}
    while at not in path:
        path[at] = None
        above = (*data_inputs(at, fed), *waits_for(at, fed))
        at = next(op for op in above if op in stuck and not is_back_edge(op, at))
    nodes = list(path)
    return nodes[nodes.index(at) :][::-1]


# -- loops -----------------------------------------------------------------------------------------------------------


def _with_loops(placed: Placed, policy: Policy) -> Schedule:
    """The order when each loop runs as a whole, an iteration at a time."""
    operations = placed.pruned.operations
    frames = frames_of(placed.pruned)
    pending, after = dependencies(placed)
    noted = policy.name == "replay" and not policy.in_run
    order = _picked(dict(pending), after, policy) if noted else list(operations)
    rank = {op: turn for turn, op in enumerate(order)}
    segment = None
    if len(rank) == len(frames.of) == len(operations):
        segment = _segment(frames.root, frames, after, rank)
    if segment is not None:
        by_loops = list(segment.flat())
        if noted and by_loops != order:
            raise errors.InvalidArgumentError(None, None, "The replayed schedule leaves a loop before its end.")
        order = by_loops
    elif not noted:
        order = _picked(pending, after, creation())
    if len(order) < len(operations):
        raise _cycle_error(placed, order)
    return Schedule(placed, tuple(order), policy, frames, segment)


def _segment(
    frame: Frame, frames: Frames, after: dict[Operation, list[Operation]], rank: dict[Operation, int]
) -> Segment | None:
    """A frame's nodes and inner loops, the first in rank that is ready before the others.

    A loop is ready when all its Enters are; None where that never comes.
    """
    inner: dict[Frame, Segment] = {}
    place: dict[Operation | Frame, int] = {op: rank[op] for op in frame.nodes}
    for loop in frame.inner.values():
        found = _segment(loop, frames, after, rank)
        if found is None:
            return None
        inner[loop] = found
        place[loop] = min((rank[op] for op in found.flat()), default=rank[loop.enters[-1]])
    following: dict[Operation | Frame, dict[Operation | Frame, None]] = {item: {} for item in place}
    for op in frame.nodes:
        given = frames.given_to(op)
        below = after[op] if given is frame else [given] if given in inner else []
        following[op].update(dict.fromkeys(below))
    for loop in inner:
        for op in loop.nodes:
            if op.type in EXITS:
                following[loop].update(dict.fromkeys(after[op]))
    pending = dict.fromkeys(place, 0)
    for item in place:
        for waiting in following[item]:
            pending[waiting] += 1
    ready = [(place[item], item) for item, waits in pending.items() if waits == 0]
    heapq.heapify(ready)
    items: list[Item] = []
    while ready:
        _, item = heapq.heappop(ready)
        items.append(item if isinstance(item, Operation) else inner[item])
        for waiting in following[item]:
            pending[waiting] -= 1
            if pending[waiting] == 0:
                heapq.heappush(ready, (place[waiting], waiting))
    return Segment(frame, tuple(items)) if len(items) == len(place) else None
