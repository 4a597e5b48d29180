"""Schedule: in which order the nodes of a run take their turn. The order is the meaning of a run.

A graph leaves many orders legal; a policy picks one: `creation()` (the default: the oldest node that is ready),
`random(seed)` (any ready node, the same ones for the same seed) and `replay("3 1 2")` (an order that was noted down,
by node ids). `Schedule.text` is what `replay` reads. A policy may be given as text: "creation", "random(1)", "3 1 2".
"""

from __future__ import annotations

import heapq
import random as _random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from ..base import errors
from ..graph.nodes import Operation
from .place import Placed
from .prune import data_inputs, waits_for


class Policy:
    """Which of the ready nodes goes next."""

    def __init__(self, name: str, start: Callable[[], Picker]) -> None:
        self.name = name
        self.start = start

    def __repr__(self) -> str:
        return self.name


class Picker:
    """The ready nodes of one run: `add` one, `pick` the next."""

    def add(self, op: Operation) -> None:
        raise NotImplementedError

    def pick(self) -> Operation:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def waiting(self) -> list[Operation]:
        """The ready nodes in the order in which they stand."""
        raise NotImplementedError


class _Oldest(Picker):
    def __init__(self) -> None:
        self.heap: list[tuple[int, Operation]] = []

    def add(self, op: Operation) -> None:
        heapq.heappush(self.heap, (op.id, op))

    def pick(self) -> Operation:
        return heapq.heappop(self.heap)[1]

    def __len__(self) -> int:
        return len(self.heap)

    def waiting(self) -> list[Operation]:
        return [op for _, op in sorted(self.heap, key=lambda entry: entry[0])]


class _Random(Picker):
    def __init__(self, seed: int) -> None:
        self.source = _random.Random(seed)
        self.ready: list[Operation] = []

    def add(self, op: Operation) -> None:
        self.ready.append(op)

    def pick(self) -> Operation:
        at = self.source.randrange(len(self.ready))
        self.ready[at], self.ready[-1] = self.ready[-1], self.ready[at]
        return self.ready.pop()

    def __len__(self) -> int:
        return len(self.ready)

    def waiting(self) -> list[Operation]:
        return list(self.ready)


class _Noted(Picker):
    def __init__(self, order: list[int]) -> None:
        self.order: Iterator[int] = iter(order)
        self.ready: dict[int, Operation] = {}

    def add(self, op: Operation) -> None:
        self.ready[op.id] = op

    def pick(self) -> Operation:
        wanted = next(self.order, None)
        if wanted is None:
            raise errors.InvalidArgumentError(None, None, "The replayed schedule ends before the run does.")
        if wanted not in self.ready:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"The replayed schedule runs node {wanted} when it is not ready; ready are {sorted(self.ready)}.",
            )
        return self.ready.pop(wanted)

    def __len__(self) -> int:
        return len(self.ready)

    def waiting(self) -> list[Operation]:
        return list(self.ready.values())


def creation() -> Policy:
    """The oldest ready node first."""
    return Policy("creation", _Oldest)


def random(seed: int) -> Policy:
    """Any ready node; the same seed gives the same order."""
    return Policy(f"random({seed})", lambda: _Random(seed))


def replay(text: str) -> Policy:
    """The order that `text` notes: node ids, separated by spaces.

    Raises: ValueError for text that is no list of ids; a run raises InvalidArgumentError where the order is not legal.
    """
    try:
        order = [int(part) for part in text.split()]
    except ValueError:
        raise ValueError(f"A schedule is a list of node ids, as '3 1 2', not {text[:80]!r}.") from None
    return Policy("replay", lambda: _Noted(order))


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
    return random(int(found[1])) if found else replay(schedule)


@dataclass(frozen=True)
class Schedule:
    """The nodes of a run in the order of their turns."""

    placed: Placed
    order: tuple[Operation, ...]
    policy: Policy

    @property
    def text(self) -> str:
        """What `replay` reads."""
        return " ".join(str(op.id) for op in self.order)

    def __str__(self) -> str:
        return "\n".join(f"{turn}. {op.name}" for turn, op in enumerate(self.order, 1))


def dependencies(placed: Placed) -> tuple[dict[Operation, int], dict[Operation, list[Operation]]]:
    """For each node how many nodes it waits for, and which nodes wait for it."""
    fed = frozenset(placed.pruned.fed)
    pending: dict[Operation, int] = {}
    after: dict[Operation, list[Operation]] = {op: [] for op in placed.pruned.operations}
    for op in placed.pruned.operations:
        above = dict.fromkeys((*data_inputs(op, fed), *waits_for(op, fed)))
        pending[op] = len(above)
        for needed in above:
            after[needed].append(op)
    return pending, after


def schedule(placed: Placed, policy: Policy | None = None) -> Schedule:
    """A legal order, picked by the policy.

    Raises: InvalidArgumentError for a cycle, which control edges can make.
    """
    policy = policy or creation()
    operations = placed.pruned.operations
    if policy.name == "creation" and all(
        all(t.op.id < op.id for t in op.inputs) and all(w.id < op.id for w in op.waits)
        for op in operations
    ):
        # Every node is younger than what it needs: the order of creation is the order in which a heap would give them.
        return Schedule(placed, operations, policy)
    pending, after = dependencies(placed)
    ready = policy.start()
    for op, count in pending.items():
        if count == 0:
            ready.add(op)
    order: list[Operation] = []
    while len(ready):
        op = ready.pick()
        order.append(op)
        for waiting in after[op]:
            pending[waiting] -= 1
            if pending[waiting] == 0:
                ready.add(waiting)
    if len(order) < len(operations):
        stuck = _cycle(placed, {op for op, count in pending.items() if count > 0})
        unknown = next((op for op in stuck if op.definition is None), None)
        if unknown is not None:
            # A loop that was loaded from a file is no mistake of the graph's.
            raise errors.NotFoundError(None, unknown, f"Op type not registered '{unknown.type}'")
        names = " → ".join(op.name for op in (*stuck, stuck[0]))
        raise errors.InvalidArgumentError(
            None, stuck[0], f"Graph is invalid, contains a cycle with {len(stuck)} nodes: {names}"
        )
    return Schedule(placed, tuple(order), policy)


def _cycle(placed: Placed, stuck: set[Operation]) -> list[Operation]:
    fed = frozenset(placed.pruned.fed)
    at = min(stuck, key=lambda op: op.id)
    path: dict[Operation, None] = {}
    while at not in path:
        path[at] = None
        at = next(op for op in (*data_inputs(at, fed), *waits_for(at, fed)) if op in stuck)
    nodes = list(path)
    return nodes[nodes.index(at) :][::-1]
