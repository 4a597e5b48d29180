"""Schedule: the order in which the nodes of a run take their turns. The order is the meaning of a run.

A graph leaves many orders legal; a policy picks one: `creation()` (the default: the oldest ready node), `random(seed)` (any
ready node, the same order for the same seed), `replay("3 1 2")` (a recorded order by node ids; `Schedule.text` writes one)
and `before("3<1")` (as creation, but node 1 not before node 3). The text of a policy is "creation", "random(1)", "3 1 2" or
"3<1". A loop's nodes are contiguous in the order and take their turns in every iteration. No state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from ..base import errors
from ..graph.nodes import Operation
from ..ops.control_flow import EXITS, MERGES
from .exclusive import exclusive
from .frames import Frame, Frames, Item, Segment, frames_of, has_loops, is_back_edge
from .locks import Locks
from .pickers import Guided, Oldest, Ordered, Picker, Random, Recorded
from .place import Placed
from .prune import data_inputs, waits_for


class Policy:
    """A rule that picks the next of the ready turns.

    in_run: in a graph with loops it picks during the run, turn by turn; a recorded order does so in each graph.
    recorded: the number of turns of a recorded order.
    """

    def __init__(self, name: str, start: Callable[[], Picker], in_run: bool = False, recorded: int = 0) -> None:
        self.name = name
        self.start = start
        self.in_run = in_run
        self.recorded = recorded

    def __repr__(self) -> str:
        return self.name


def creation() -> Policy:
    """The oldest ready node first; a loop runs to its end, iteration by iteration."""
    return Policy("creation", Oldest)


def random(seed: int) -> Policy:
    """Any ready node, of any iteration; the same seed gives the same order."""
    return Policy(f"random({seed})", lambda: Random(seed), in_run=True)


def replay(text: str) -> Policy:
    """The order of `text`: node ids, separated by spaces; in loops with their iteration, as 7:0 7:1.

    A node that stood in line at a queue before its turn ended is there twice.

    Raises: ValueError for text that is no such list; a run raises InvalidArgumentError for an illegal order.
    """
    names = text.split()
    if not all(_TURN.fullmatch(name) for name in names):
        raise ValueError(f"A schedule is a list of node ids, as '3 1 2', not {text[:80]!r}.")
    in_run = ":" in text or len(set(names)) < len(names)
    return Policy("replay", lambda: Recorded(names), in_run, len(names))


def before(text: str) -> Policy:
    """The order of creation, but for pairs of node ids as 7<3: node 3 takes its turn after node 7. In loops 7:1<3:0.

    Raises: ValueError for text that is no such list; a run raises InvalidArgumentError where the graph requires the opposite.
    """
    pairs = [pair.split("<") for pair in text.split()]
    if not all(len(pair) == 2 and all(_TURN.fullmatch(name) for name in pair) for pair in pairs):
        raise ValueError(f"A schedule by what comes first is a list of pairs of node ids, as '7<3 9<8', not {text[:80]!r}.")
    named = [(first, then) for first, then in pairs]
    return Policy(" ".join("<".join(pair) for pair in named), lambda: Ordered(named), in_run=True)


def guided(names: Sequence[str], name: str, in_run: bool = False) -> Policy:
    """A recorded order of turns by name, followed as far as a changed run allows."""
    return Policy(name, lambda: Guided(names), in_run)


_TURN: Final = re.compile(r"\d{1,18}(:\d{1,18}(\.\d{1,18})*)?")
_RANDOM: Final = re.compile(r"random\((\d{1,18})\)")


def policy_of(schedule: Policy | str | None) -> Policy | None:
    """The policy of a text.

    Raises: TypeError for a value that is neither text nor policy, ValueError for a text of no policy.
    """
    if schedule is None or isinstance(schedule, Policy):
        return schedule
    if not isinstance(schedule, str):
        raise TypeError(f"schedule must be a text such as 'random(1)', not {type(schedule).__name__}")
    if schedule.strip() in ("", "creation"):
        return creation()
    seed = _RANDOM.fullmatch(schedule.strip())
    if seed:
        return random(int(seed[1]))
    return before(schedule) if "<" in schedule else replay(schedule)


@dataclass(frozen=True)
class Schedule:
    """The nodes of a run in the order of their turns; a loop's nodes are contiguous and take their turns in each iteration.

    frames: the loops' frames; None without loops. segment: the order by frames; None where two loops wait for each other's
    nodes, so that neither can run to its end before the other.
    """

    placed: Placed
    order: tuple[Operation, ...]
    policy: Policy
    frames: Frames | None = None
    segment: Segment | None = None

    @property
    def in_run(self) -> bool:
        """Whether the interpreter asks the policy for each next turn during the run.

        It must where iterations of a loop may overlap, and where a turn may end later than it begins.
        """
        return self.policy.in_run and (self.frames is not None or self.policy.name == "replay")

    @property
    def text(self) -> str:
        """The order as text, for `replay`."""
        return " ".join(str(op.id) for op in self.order)

    def __str__(self) -> str:
        if self.segment is None:
            return "\n".join(f"{turn}. {op.name}" for turn, op in enumerate(self.order, 1))
        lines: list[str] = []
        _list_segment(self.segment, "", lines, count(1))
        return "\n".join(lines)


def _list_segment(segment: Segment, indent: str, lines: list[str], turns: Iterator[int]) -> None:
    for item in segment.items:
        if isinstance(item, Segment):
            lines.append(f"{indent}loop {item.frame.name}:")
            _list_segment(item, f"{indent}  ", lines, turns)
        else:
            lines.append(f"{indent}{next(turns)}. {item.name}")


def dependencies(placed: Placed) -> tuple[dict[Operation, int], dict[Operation, list[Operation]]]:
    """The pending count of each node, and the nodes that wait for it; within one iteration."""
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

    Raises: InvalidArgumentError for a cycle, which control edges can close, and for nodes with inputs of several frames.
    """
    policy = policy or creation()
    operations = placed.pruned.operations
    if has_loops(placed.pruned):
        return _with_loops(placed, policy)
    if policy.name == "replay" and policy.in_run:
        return replace(schedule(placed), policy=policy)
    if (
        policy.name == "creation"
        and all(all(t.op.id < op.id for t in op.inputs) and all(w.id < op.id for w in op.waits) for op in operations)
        and not Locks(operations)
    ):
        # Every node is younger than its inputs and control inputs: the heap would return the order of creation.
        return Schedule(placed, operations, policy)
    pending, after = dependencies(placed)
    order = _picked(pending, after, policy)
    if len(order) < len(operations):
        raise _cycle_error(placed, order)
    return Schedule(placed, tuple(order), policy)


def _picked(pending: dict[Operation, int], after: dict[Operation, list[Operation]], policy: Policy) -> list[Operation]:
    """The nodes as the policy picks them, without the nodes of a cycle."""
    ready = exclusive(policy.start(), pending)
    age = {op: at for at, op in enumerate(pending)}  # in the order of creation, where a transfer follows its tensor
    for op, waits in pending.items():
        if waits == 0:
            ready.add((age[op],), str(op.id), op)
    order: list[Operation] = []
    while len(ready):
        op = ready.pick()
        order.append(op)
        for waiting in after[op]:
            pending[waiting] -= 1
            if pending[waiting] == 0:
                ready.add((age[waiting],), str(waiting.id), waiting)
    return order


def _cycle_error(placed: Placed, order: Sequence[Operation]) -> errors.OpError:
    stuck = _cycle(placed, set(placed.pruned.operations) - set(order))
    unknown = next((op for op in stuck if op.definition is None), None)
    if unknown is not None:
        # An unknown op may be the back edge of a loop that was loaded from a file.
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
    """The order when each loop runs to its end, an iteration at a time."""
    operations = placed.pruned.operations
    frames = frames_of(placed.pruned)
    pending, after = dependencies(placed)
    if policy.name == "replay" and policy.recorded < len(operations):
        # The order of a run that ended before its loops began.
        policy = Policy(policy.name, policy.start, in_run=True)
    recorded = policy.name == "replay" and not policy.in_run
    order = _picked(dict(pending), after, policy) if recorded else list(operations)
    rank = {op: turn for turn, op in enumerate(order)}
    segment = None
    if len(rank) == len(frames.of) == len(operations):
        segment = _segment(frames.root, frames, after, rank)
    if segment is not None:
        by_loops = list(segment.flat())
        if recorded and by_loops != order:
            raise errors.InvalidArgumentError(None, None, "The replayed schedule leaves a loop before its end.")
        order = by_loops
    elif not recorded:
        order = _picked(pending, after, creation())
    if len(order) < len(operations):
        raise _cycle_error(placed, order)
    return Schedule(placed, tuple(order), policy, frames, segment)


def _segment(
    frame: Frame, frames: Frames, after: dict[Operation, list[Operation]], rank: dict[Operation, int]
) -> Segment | None:
    """A frame's nodes and inner loops, by rank among those that are ready.

    A loop is ready when all its Enters are; None where the Enters of a loop wait for each other's outputs.
    """
    inner: dict[Frame, Segment] = {}
    place: dict[Operation | Frame, int] = {op: rank[op] for op in frame.nodes}
    for loop in frame.inner.values():
        inner_segment = _segment(loop, frames, after, rank)
        if inner_segment is None:
            return None
        inner[loop] = inner_segment
        place[loop] = min((rank[op] for op in inner_segment.flat()), default=rank[loop.enters[-1]])
    following: dict[Operation | Frame, dict[Operation | Frame, None]] = {item: {} for item in place}
    for op in frame.nodes:
        target = frames.target_of(op)
        below = after[op] if target is frame else [target] if target in inner else []
        following[op].update(dict.fromkeys(below))
    for loop in inner:
        for op in loop.nodes:
            if op.type in EXITS:
                following[loop].update(dict.fromkeys(after[op]))
    pending = dict.fromkeys(place, 0)
    for item in place:
        for waiting in following[item]:
            pending[waiting] += 1
    ready = exclusive(Oldest(), rank)

    def get_ready(item: Operation | Frame) -> None:
        ready.add((place[item],), "", item if isinstance(item, Operation) else inner[item])

    for item, waits in pending.items():
        if waits == 0:
            get_ready(item)
    items: list[Item] = []
    while len(ready):
        turn = ready.pick()
        items.append(turn)
        for waiting in following[turn.frame if isinstance(turn, Segment) else turn]:
            pending[waiting] -= 1
            if pending[waiting] == 0:
                get_ready(waiting)
    return Segment(frame, tuple(items)) if len(items) == len(place) else None
