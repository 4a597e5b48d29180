"""Tokens: a run in which a node takes a turn in each iteration of its loop, as TensorFlow's executor does it.

`Tokens(schedule, store, fed, fetches).go()` takes turn after turn until none is ready. A node passes values to the nodes of the
same iteration of its frame; Enter, NextIteration and Exit pass them to another iteration or frame. The branch that is not taken
is dead: its nodes take turns that only pass deadness on. A loop ends when no live value reaches a next iteration.
State: `Tokens.root` and from there all activations, their iterations and the values in them; `ready`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from ..base import errors
from ..base.dead import DEAD
from ..base.resources.attempts import Attempt, Begun, TurnKey
from ..graph.nodes import Operation, Tensor
from ..ops.control_flow import ENTERS, EXITS, MERGES, NEXTS
from .deadline import Check
from .exclusive import exclusive
from .frames import Frame, Frames, is_back_edge, walk
from .node_errors import node_error, unread
from .node_turn import all_fetched, compute, fetched, is_dead
from .pickers import Key, Picker
from .prune import waits_for
from .schedule import Schedule, creation, dependencies
from .store import Store, cancelled

_RUNS: Final = count()


class Iteration:
    """One iteration of a loop under way: the outputs of its nodes, and their pending counts.

    run: the number of the run. open: the number of its ready turns and of the loops under way inside it.
    """

    __slots__ = (
        "activation", "run", "index", "path", "key", "values", "dead", "pending", "settled", "died", "open", "inner",
    )  # fmt: skip

    def __init__(self, activation: Activation, index: int) -> None:
        self.activation = activation
        self.index = index
        outer = activation.outer
        self.run: int = next(_RUNS) if outer is None else outer.run
        self.path: tuple[int, ...] = () if outer is None else (*outer.path, index)
        self.key: Key = () if outer is None else (*activation.key, index)
        self.values: dict[int, list[Any]] = {}
        self.dead: set[int] = set()
        self.pending: dict[Operation, int] = {}
        self.settled: set[Operation] = set()  # the Merges at the loop's top that have their value
        self.died: dict[Operation, int] = {}
        self.open = 0
        self.inner: dict[Frame, Activation] = {}


class Activation:
    """A loop under way: its iterations that are not done, and the loop constants, which each of them gets.

    to_come: the number of Enters that have not taken their turns. last: the youngest iteration. late: values for the next
    iteration, which cannot begin yet because `parallel_iterations` of them are under way.
    """

    __slots__ = ("frame", "outer", "key", "to_come", "last", "running", "constant", "dead_exits", "late")

    def __init__(self, frame: Frame, outer: Iteration | None, key: Key) -> None:
        self.frame = frame
        self.outer = outer
        self.key = key
        self.to_come = len(frame.enters)
        self.last = 0
        self.running: dict[int, Iteration] = {0: Iteration(self, 0)}
        self.constant: list[tuple[Operation, list[Any], bool]] = []
        self.dead_exits: list[Operation] = []
        self.late: list[tuple[Operation, list[Any], bool]] = []


class Turn(NamedTuple):
    """A node, and the iteration in which it takes its turn."""

    op: Operation
    at: Iteration

    @property
    def frame(self) -> str:
        return str(self.at.activation.frame)

    @property
    def iteration(self) -> tuple[int, ...]:
        """The number of the iteration of each loop around the node, the outermost first."""
        return self.at.path

    @property
    def name(self) -> str:
        """The turn's name in a recorded schedule."""
        return turn_name(self.op, self.at.path)

    @property
    def key(self) -> TurnKey:
        """What the turn is known by at a queue, which several runs share."""
        return self.at.run, self.name


def turn_name(op: Operation, iteration: Sequence[int]) -> str:
    return f"{op.id}:{'.'.join(map(str, iteration))}" if iteration else str(op.id)


class Observer(Protocol):
    """An object that is called for each event of a run, in order."""

    def begin(self, tokens: Tokens) -> None:
        """The run is before its first turn."""

    def step(self, turn: Turn, inputs: Sequence[Any], outputs: Sequence[Any], dead: bool) -> None:
        """A node took its turn; the values of references are the buffers themselves."""

    def began(self, turn: Turn, inputs: Sequence[Any]) -> None:
        """A node did a part of its work at a queue, and waits there until it can end its turn."""

    def failed(self, turn: Turn, error: errors.OpError) -> None:
        """A node took its turn and failed; the run ends."""


class Tokens:
    """A run of the scheduled nodes.

    later: tensors that are fed when no more turn is ready without them. ready: a picker in place of the policy's.
    begun: the attempts at queues that turns have begun.
    """

    def __init__(
        self,
        scheduled: Schedule,
        store: Store,
        fed: Mapping[Tensor, Any],
        fetches: Sequence[Tensor],
        observer: Observer | None = None,
        check: Check | None = None,
        later: Iterable[Tensor] = (),
        ready: Picker | None = None,
    ) -> None:
        self.store = store
        self.fed = dict(fed)
        self.fed_ops: set[int] = set()
        self.observer = observer
        self.check = check
        self.counts, self.after = dependencies(scheduled.placed)
        self.position = {op: turn for turn, op in enumerate(scheduled.order)}
        frames = scheduled.frames or Frames(Frame("", None), {})
        self.loop_position = {
            frame: min((self.position[op] for op in frame.nodes), default=0) for frame in walk(frames.root)
        }
        self.turning: dict[Operation, list[Operation]] = {}  # Merges at the top of loops, by their NextIterations
        self.turned: set[Operation] = set()
        self._find_turning(scheduled)
        for tensor in later:
            for op in dict.fromkeys(tensor.consumers()):
                if op in self.counts:
                    self.counts[op] += 1
        # Fetched values of nodes in loops; all others are read at the end.
        self.wanted: dict[Operation, list[tuple[int, Tensor]]] = {}
        self.caught: dict[Tensor, Any] = {}
        for index, tensor in enumerate(fetches):
            if tensor.op in frames.of and frames.target_of(tensor.op) is not frames.root:
                self.wanted.setdefault(tensor.op, []).append((index, tensor))
        if ready is None:
            ready = exclusive((scheduled.policy if scheduled.in_run else creation()).start(), scheduled.order, store)
        self.ready = ready
        self.begun: list[Attempt] = []
        self.waiting: dict[Turn, Key] = {}
        self.changed: list[tuple[Operation, int]] = []
        # The outermost activation does not keep its only iteration: the values are freed with the run.
        self.root = Activation(frames.root, None, ()).running.pop(0)
        self._fill(fed)
        for op in scheduled.order:
            if self.counts[op] == 0:
                self._get_ready(op, self.root)
        if observer is not None:
            observer.begin(self)

    def _find_turning(self, scheduled: Schedule) -> None:
        """A Merge at the top of a loop takes its turn at the first value, from outside or from the iteration before."""
        fed = frozenset(self.fed)
        for op in scheduled.order:
            if op.type in MERGES:
                for tensor in op.inputs:
                    if is_back_edge(tensor.op, op) and tensor not in fed:
                        self.turning.setdefault(tensor.op, []).append(op)
                        self.turned.add(op)
        for op in self.turned:
            self.counts[op] = 1 + len(set(waits_for(op, fed)))

    # -- feeding and fetching --------------------------------------------------------------------------------------

    def _fill(self, fed: Mapping[Tensor, Any]) -> None:
        for tensor, value in fed.items():
            self.fed_ops.add(tensor.op.id)
            values = self.root.values.setdefault(tensor.op.id, [None] * len(tensor.op.outputs))
            values[tensor.index] = value

    def feed(self, feeds: Mapping[Tensor, Any]) -> None:
        """Feeds tensors that were announced as `later`."""
        self.fed.update(feeds)
        self._fill(feeds)
        for tensor in feeds:
            for op in dict.fromkeys(tensor.consumers()):
                if op in self.counts:
                    self._come_one(op, self.root)

    def fetch(self, tensors: Sequence[Tensor]) -> list[Any]:
        """The values of these tensors, when the run is over.

        Raises: InvalidArgumentError for one without a value.
        """
        try:
            return all_fetched([self._value_of(tensor) for tensor in tensors], self.store.gpu)
        except errors.OpError as error:
            raise unread(error, tensors) from None

    def has(self, tensors: Iterable[Tensor]) -> bool:
        """Whether all these tensors have their values."""
        return all(t in self.caught if t.op in self.wanted else t.op.id in self.root.values for t in tensors)

    def _value_of(self, tensor: Tensor) -> Any:
        if tensor.op in self.wanted:
            return self.caught.get(tensor, DEAD)
        values = self.root.values.get(tensor.op.id)
        return DEAD if values is None else values[tensor.index]

    # -- turns -----------------------------------------------------------------------------------------------------

    def go(self, rests: Callable[[], bool] | None = None) -> None:
        """Takes turns until none is ready.

        rests: whether the run may end here for now, asked when each ready turn has to wait for another run.
        Raises: the failing node's error; the effects of the nodes before it remain.
        """
        check, ready, closed = self.check, self.ready, self.store.closed
        try:
            with np.errstate(all="ignore"):
                while len(ready):
                    if rests is not None and ready.waits() and rests():
                        return
                    turn = ready.pick()
                    if check is not None:
                        check(turn.op)
                    if closed:
                        raise node_error(turn.op, cancelled())
                    self.take(turn)
        except BaseException:
            for attempt in self.begun:
                attempt.cancel()
            raise

    def take(self, turn: Turn) -> bool:
        """One ready turn, which the picker has returned; whether it has ended, or only begun at a queue.

        Raises: the node's error; its consumers then get nothing.
        """
        op, at = turn
        observer = self.observer
        if observer is not None:
            del self.waiting[turn]
            self.changed = []
        inputs = [self._value(at, t) for t in op.inputs]
        try:
            if op.definition is None:
                raise errors.NotFoundError(None, None, f"Op type not registered '{op.type}'")
            dead = is_dead(op, inputs, at.dead)
            key = None if op.definition.ready_rule is None else turn.key
            outputs = [DEAD] * len(op.outputs) if dead else list(compute(op, inputs, self.store, key))
        except Begun as begun:
            self.begun.append(begun.attempt)
            self._add_ready(turn)
            if observer is not None:
                observer.began(turn, inputs)
            return False
        except BaseException as raised:
            error = node_error(op, raised, inputs)
            if observer is not None and isinstance(error, errors.OpError):
                observer.failed(turn, error)
            raise error  # noqa: B904 - it has its cause
        if op.id in self.fed_ops:
            outputs = [self.fed.get(t, output) for t, output in zip(op.outputs, outputs)]
        self._send(op, at, outputs, dead)
        at.open -= 1
        self._close(at)
        if observer is not None:
            observer.step(turn, inputs, outputs, dead)
        return True

    @staticmethod
    def _value(at: Iteration, tensor: Tensor) -> Any:
        """The value in this iteration. A Merge at a loop's top gets one value; the other one counts as dead."""
        values = at.values.get(tensor.op.id)
        return DEAD if values is None else values[tensor.index]

    def _send(self, op: Operation, at: Iteration, outputs: list[Any], dead: bool) -> None:
        """Delivers the outputs to the frame and iteration of the consumers."""
        activation = at.activation
        kind = op.type
        if kind in ENTERS:
            frame = activation.frame.inner[op.attrs["frame_name"]]
            inside = at.inner.get(frame)
            if inside is None:
                inside = at.inner[frame] = Activation(frame, at, (*at.key, self.loop_position[frame]))
            inside.to_come -= 1
            if op.attrs["is_constant"]:
                inside.constant.append((op, outputs, dead))
                for iteration in list(inside.running.values()):
                    self._deliver(op, iteration, outputs, dead)
            else:
                self._deliver(op, inside.running[0], outputs, dead)
            if 0 in inside.running:
                self._close(inside.running[0])
        elif activation.outer is None:
            self._deliver(op, at, outputs, dead)
        elif kind in EXITS:
            if not dead:
                self._deliver(op, activation.outer, outputs, dead)
            elif at.index == activation.last:
                activation.dead_exits.append(op)
        elif kind in NEXTS:
            if dead:
                return
            if at.index == activation.last:
                if len(activation.running) >= activation.frame.parallel:
                    activation.late.append((op, outputs, dead))
                    return
                self._begin_next(activation)
            self._deliver(op, activation.running[at.index + 1], outputs, dead)
        else:
            self._deliver(op, at, outputs, dead)

    def _begin_next(self, activation: Activation) -> None:
        activation.last += 1
        activation.running[activation.last] = at = Iteration(activation, activation.last)
        # An Exit that was dead in the last iteration is not dead if another iteration follows.
        activation.dead_exits.clear()
        late, activation.late = activation.late, []
        for op, outputs, dead in (*late, *activation.constant):
            self._deliver(op, at, outputs, dead)

    def _close(self, at: Iteration) -> None:
        """Ends iterations without tokens, and with the last one the loop."""
        activation = at.activation
        outer = activation.outer
        if outer is None:
            return
        running = activation.running
        index = at.index
        while index in running:
            at = running[index]
            before = activation.to_come if index == 0 else index - 1 in running
            if at.open or at.inner or before:
                return
            del running[index]
            if activation.late:
                self._begin_next(activation)
            index += 1
        if not running and outer.inner.get(activation.frame) is activation:
            del outer.inner[activation.frame]
            for op in activation.dead_exits:
                self._deliver(op, outer, [DEAD] * len(op.outputs), True)
            self._close(outer)

    # -- deliveries --------------------------------------------------------------------------------------

    def _deliver(self, op: Operation, at: Iteration, outputs: list[Any], dead: bool) -> None:
        """Delivers the outputs of `op` to its consumers, and to the nodes that wait for it, in one iteration."""
        at.values[op.id] = outputs
        if dead:
            at.dead.add(op.id)
        if op in self.wanted:
            self._catch(op, outputs)
        for waiting in self.after[op]:
            if waiting in self.turned:
                self._come_to_turning(op, waiting, at, outputs)
            else:
                self._come_one(waiting, at)
        for merge in self.turning.get(op, ()):
            self._come_to_turning(op, merge, at, outputs)

    def _come_one(self, op: Operation, at: Iteration) -> None:
        count = at.pending[op] = at.pending.get(op, self.counts[op]) - 1
        if self.observer is not None:
            self.changed.append((op, count))
        if count == 0:
            self._get_ready(op, at)

    def _come_to_turning(self, op: Operation, merge: Operation, at: Iteration, outputs: list[Any]) -> None:
        if merge not in at.settled:
            arrived = [outputs[t.index] for t in merge.inputs if t.op is op]
            at.died[merge] = at.died.get(merge, 0) + sum(value is DEAD for value in arrived)
            live = any(value is not DEAD for value in arrived)
            # A loop on a branch that is not taken gets only a dead Enter.
            if live or (arrived and op.type in ENTERS) or at.died[merge] == len(merge.inputs):
                at.settled.add(merge)
                self._come_one(merge, at)
        if op in merge.waits:
            self._come_one(merge, at)

    def _get_ready(self, op: Operation, at: Iteration) -> None:
        at.open += 1
        self._add_ready(Turn(op, at))

    def _add_ready(self, turn: Turn) -> None:
        key = (*turn.at.key, self.position[turn.op])
        self.ready.add(key, turn.name, turn)
        if self.observer is not None:
            self.waiting[turn] = key

    def _catch(self, op: Operation, outputs: Sequence[Any]) -> None:
        """Keeps the fetched value of a node in a loop, which may have one value only."""
        for index, tensor in self.wanted[op]:
            value = outputs[tensor.index]
            if value is DEAD:
                continue
            if tensor in self.caught:
                node = f"_retval_{op.name}_{tensor.index}_{index}"
                error = errors.InternalError(
                    None, op, f"Retval[{index}] has already been set.\n\t [[{{{{node {node}}}}}]]"
                )
                error.fix = (
                    "the node runs once in each iteration of its loop, and a fetch takes one value: fetch what tf.while_loop "
                    "returned, or collect the values of all iterations in a tf.TensorArray"
                )
                raise error
            self.caught[tensor] = fetched(value, index)
