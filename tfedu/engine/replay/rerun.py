"""Repeated runs: the recorded turns up to a point, changes there, then turns by a policy. `RepeatedRun(…).go(names, changes)`.

The changes: `SetValue` and `SetVariable` (another value), `Choose` (another ready node takes the next turn), and, in a graph
that changed_run.py rewired before the run, `AddControl` and `CutControl`. State: `RepeatedRun`, a run under way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np

from ..base import dtypes, errors
from ..base.coded_errors import Refusal
from ..base.dead import DEAD
from ..base.dtypes import DType
from ..base.shapes import Shape, TensorShape
from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from ..op.constant import as_array
from ..ops.control_flow import ENTERS
from ..ops.state import VARIABLES
from ..runtime.exclusive import exclusive
from ..runtime.feeds import fits
from ..runtime.pickers import Key, Picker
from ..runtime.prune import data_inputs, waits_for
from ..runtime.schedule import Policy, Schedule
from ..runtime.store import Buffer, Store, View
from ..runtime.tokens import Activation, Iteration, Tokens, Turn
from .recorder import MOST_TURNS, Recorder, Run, Trace, loops_under_way, out_of_turns

_MOST_LISTED: Final = 5  # nodes in the text of an error
NOTHING: Final = "–"  # an empty list, in any language


class ForkError(Refusal, ValueError):
    """A change that is impossible at this point of the run; the text says why."""

    group = "fork"
    texts: ClassVar[Mapping[str, str]] = {
        "again": "The run cannot be repeated: node {node} is not ready any more where it was.",
        "broken": "The graph would not run any more: {error}",
        "cycle": "{node} cannot wait for {first}: that would close a cycle, {path}.",
        "dead": "{tensor} is dead here: nothing was computed, and a value would come to nobody.",
        "dtype": "{name} holds {dtype}, and {value} is none.",
        "ended": "The run has ended by an error: nothing comes after it.\n  fix: go back to a step before it",
        "file": "{node} ({type}) writes a file, and a run that is made again would write it again.",
        "handle": "{tensor} holds a {dtype}, which stands for something and is no number.",
        "has_run": "{node} has run already. Ready are: {ready}.",
        "late": "That comes too late: {node} has run already.\n  fix: go back to a step before it",
        "late_first": "That comes too late: {node} has run already, so nothing waits for it any more.\n"
        "  fix: go back to a step before it",
        "later": "{node} was made after these runs were recorded.",
        "many": "A widget shows {most} forks.\n  fix: run the cell again to begin anew",
        "needless": "{node} is no part of this run: nothing that is fetched needs it.",
        "no_edge": "No control edge goes from {first} to {node}; {node} waits for {waits}.",
        "no_edge_none": "No control edge goes from {first} to {node}; {node} waits for nothing.",
        "no_turn": "{node} has no turn in this run: nothing that is fetched needs it.",
        "no_value": "{node} has not run yet, so it has no value.",
        "no_variable": "There is no variable {name} in this run. Variables are: {known}.",
        "not_kept": "These runs were not kept so that they can be made again.\n"
        "  fix: tf.explain.timelines(fetches) or StepThrough(fetches)",
        "not_ready": "{node} is not ready: it waits for {missing}. Ready are: {ready}.",
        "not_reached": "{node} is not ready: nothing has come to it yet. Ready are: {ready}.",
        "other": "The run cannot be repeated: {node} ({type}) gave something else the second time.",
        "outputs": "{node} has {count} outputs: name one of them, as '{node}:0'.",
        "shape": "{name} has the shape {shape}, and {value} has {given}.",
        "taken": "{tensor} has been taken by all that take it ({takers}): a new value would come too late.",
        "unknown": "{name} is not in the graph: no node has that name.",
        "unreadable": "{text} is no value: write a number as 2.5, or a list as [1, 2].",
        "view": "{tensor} is the variable {variable} in another shape.\n  fix: change the variable {variable}",
        "waits_already": "{node} waits for {first} already.",
    }


@dataclass(frozen=True)
class SetValue:
    """Replaces an output of a node that has run, for the consumers that have not run yet."""

    tensor: Tensor
    value: Any


@dataclass(frozen=True)
class SetVariable:
    """Gives a variable another value from this turn on."""

    name: str
    value: Any


@dataclass(frozen=True)
class Choose:
    """Makes this ready node take the next turn."""

    op: Operation


@dataclass(frozen=True)
class AddControl:
    """Adds a control edge: `then` waits for `first`."""

    first: Operation
    then: Operation


@dataclass(frozen=True)
class CutControl:
    """Removes a control edge: `then` no longer waits for `first`."""

    first: Operation
    then: Operation


Change: TypeAlias = SetValue | SetVariable | Choose | AddControl | CutControl


@dataclass(frozen=True)
class Applied:
    """A change and its point: the index of the run, and the number of turns before the change."""

    run: int
    turn: int
    change: Change


class NodeMap:
    """Maps nodes and tensors of a graph to those of a copy with the same ids."""

    def __init__(self, graph: Graph) -> None:
        self.nodes = graph.operations

    def of(self, element: Any) -> Any:
        if isinstance(element, Operation):
            return self.nodes[element.id]
        return self.nodes[element.op.id].outputs[element.index]


class _PickerByName(Picker):
    """A picker that can also take a ready turn by its name."""

    def __init__(self, inner: Picker) -> None:
        self.inner = inner
        self.turns: dict[str, Turn] = {}

    def add(self, key: Key, name: str, turn: Any) -> None:
        self.turns[name] = turn
        self.inner.add(key, name, turn)

    def pick(self) -> Turn:
        turn: Turn = self.inner.pick()
        del self.turns[turn.name]
        return turn

    def take_named(self, name: str) -> Turn:
        turn = self.turns.pop(name)
        self.inner.take(name, turn)
        return turn

    def __len__(self) -> int:
        return len(self.turns)


class RepeatedRun:
    """A run under way that repeats recorded turns, is changed, and continues by a policy."""

    def __init__(self, scheduled: Schedule, policy: Policy, store: Store, trace: Trace, node_map: NodeMap) -> None:
        self.store, self.trace, self.node_map = store, trace, node_map
        self.recorder = Recorder(store)
        self.has_loops = scheduled.frames is not None
        self.ready = _PickerByName(exclusive(policy.start(), scheduled.order, store))
        self.tokens = Tokens(scheduled, store, trace.fed, trace.computed, self.recorder, ready=self.ready)
        self.taken: set[Turn] = set()
        self.chosen: Turn | None = None

    def go(self, names: Sequence[str], changes: Sequence[Applied]) -> tuple[Run, list[Any]]:
        """Takes the turns of these names, makes each change at its turn, and continues to the end: the record, the values.

        Raises: ForkError for a change that is impossible at its turn.
        """
        run = self.recorder.run
        values: list[Any] = []
        try:
            with np.errstate(all="ignore"):
                for at in count():
                    for applied in changes:
                        if applied.turn == at:
                            self._apply(applied.change)
                    turn = self._next(names[at] if at < len(names) else None)
                    if turn is None:
                        break
                    if at == MOST_TURNS and self.has_loops:
                        run.end("turns", out_of_turns(at), loops_under_way(self.tokens.root))
                        return run, values
                    if self.tokens.take(turn):
                        self.taken.add(turn)
            values = self.tokens.fetch(self.trace.computed)
        except errors.OpError as error:
            run.end("error", error, loops_under_way(self.tokens.root))
        else:
            run.end("finished")
        return run, values

    def _next(self, name: str | None) -> Turn | None:
        if name is not None:
            if name not in self.ready.turns:
                raise ForkError("again", node=name)
            return self.ready.take_named(name)
        if self.chosen is not None:
            turn, self.chosen = self.chosen, None
            return self.ready.take_named(turn.name)
        return self.ready.pick() if len(self.ready) else None

    def _apply(self, change: Change) -> None:
        if isinstance(change, Choose):
            self.chosen = self._ready_turn(self.node_map.of(change.op))
        elif isinstance(change, SetVariable):
            self._set_variable(change)
        elif isinstance(change, SetValue):
            self._set_value(change)
        else:
            # With another control edge other nodes may be needed and wait: the step records all pending counts.
            counts = self.tokens.counts
            pending = [(op, self.tokens.root.pending.get(op, counts[op])) for op in counts]
            self.recorder.changed(change, self.node_map.of(change.then), pending=pending)

    def _ready_turn(self, op: Operation) -> Turn:
        waiting = self.tokens.waiting
        turns = sorted([turn for turn in waiting if turn.op is op], key=waiting.__getitem__)
        if turns:
            return turns[0]
        if op not in self.tokens.counts:
            raise ForkError("no_turn", node=op.name)
        if any(turn.op is op for turn in self.taken):
            raise ForkError("has_run", node=op.name, ready=listed(t.op for t in waiting))
        sources = dict.fromkeys((*data_inputs(op, set(self.trace.fed)), *waits_for(op, set(self.trace.fed))))
        ran = {turn.op for turn in self.taken}
        missing = [source for source in sources if source not in ran]
        code = "not_ready" if missing else "not_reached"
        raise ForkError(code, node=op.name, missing=listed(missing), ready=listed(t.op for t in waiting))

    # -- changed values ----------------------------------------------------------------------------------------------

    def _set_variable(self, change: SetVariable) -> None:
        buffers = [buffer for buffer in self.store.buffers.values() if buffer.name == change.name]
        if not buffers:
            names = ", ".join(sorted({buffer.name for buffer in self.store.buffers.values()})) or NOTHING
            raise ForkError("no_variable", name=repr(change.name), known=names)
        for buffer in buffers:
            self._set_buffer(buffer, change)

    def _set_buffer(self, buffer: Buffer, change: SetValue | SetVariable) -> None:
        shape: Shape = buffer.shape
        if shape is None and buffer.value is not None:
            shape = np.shape(buffer.value)
        dtype = buffer.dtype or dtypes.as_dtype(np.asarray(buffer.value).dtype)
        buffer.assign(converted(change.value, dtype, shape, buffer.name))
        variables = (op for op in self.trace.graph.operations if buffer.name in (op.name, _shared_name(op)))
        self.recorder.changed(change, next(variables))

    def _set_value(self, change: SetValue) -> None:
        tensor: Tensor = self.node_map.of(change.tensor)
        op = tensor.op
        iterations = [
            at for at in _iterations(self.tokens.root) if op.id in at.values and at.values[op.id][tensor.index] is not None
        ]
        if not iterations:
            if op not in self.tokens.counts:
                raise ForkError("needless", node=op.name)
            raise ForkError("no_value", node=op.name)
        old = iterations[-1].values[op.id][tensor.index]
        if old is DEAD:
            raise ForkError("dead", tensor=tensor.name)
        if isinstance(old, Buffer):
            self._set_buffer(old, change)
            return
        if isinstance(old, View):
            raise ForkError("view", tensor=tensor.name, variable=old.name)
        if not isinstance(old, (np.ndarray, np.generic, bytes, str)):
            raise ForkError("handle", tensor=tensor.name, dtype=tensor.dtype.base_dtype.name)
        consumers = [c for c in dict.fromkeys(tensor.consumers()) if c in self.tokens.counts]
        fetched = tensor in self.trace.computed
        unfinished = [at for at in iterations if any(Turn(c, at) not in self.taken for c in consumers)]
        constant = op.type in ENTERS and op.attrs["is_constant"]
        if not unfinished and not constant and not (fetched and self.tokens.root in iterations):
            raise ForkError("taken", tensor=tensor.name, takers=listed(consumers))
        new = converted(change.value, tensor.dtype.base_dtype, tensor.raw_shape, tensor.name)
        for at in iterations if constant else unfinished[-1:] or [self.tokens.root]:
            at.values[op.id] = [new if i == tensor.index else value for i, value in enumerate(at.values[op.id])]
            last = at
        if constant:
            _set_loop_constant(last.activation, op, tensor.index, new)
        if tensor in self.tokens.fed:
            self.tokens.fed[tensor] = new
        self.recorder.changed(change, op, last.values[op.id], last.path, Turn(op, last).frame)


def _iterations(at: Iteration) -> Iterator[Iteration]:
    """All iterations under way, the outer before the inner and the older before the younger."""
    yield at
    for activation in at.inner.values():
        for index in sorted(activation.running):
            yield from _iterations(activation.running[index])


def _set_loop_constant(activation: Activation, op: Operation, index: int, value: Any) -> None:
    """Gives later iterations the new value of a loop constant too."""
    activation.constant = [
        (enter, [value if enter is op and i == index else output for i, output in enumerate(outputs)], dead)
        for enter, outputs, dead in activation.constant
    ]


def converted(value: Any, dtype: DType, shape: Shape, name: str) -> Any:
    """The value as an array of the dtype. Raises: ForkError when the dtype or shape does not fit."""
    try:
        array: Any = np.asarray(value, dtype=object if dtype is dtypes.string else None)
        if dtype is dtypes.string:
            array = np.asarray(as_array(array, dtypes.string), dtype=object)
        elif dtype.numpy is None or not np.can_cast(array.dtype, dtype.numpy, "same_kind"):
            raise TypeError
        else:
            wide, array = array, array.astype(dtype.numpy)
            if dtype.is_integer and not np.array_equal(wide, array):
                raise TypeError
    except (TypeError, ValueError, OverflowError):
        raise ForkError("dtype", name=name, dtype=dtype.name, value=_short(value)) from None
    if not fits(array.shape, shape):
        shapes = {"shape": TensorShape.of(shape), "given": TensorShape.of(array.shape)}
        raise ForkError("shape", name=name, value=_short(value), **shapes)
    return array if array.ndim else array[()]


def _shared_name(op: Operation) -> Any:
    return op.attrs.get("shared_name") if op.type in VARIABLES else None


def listed(operations: Iterable[Operation]) -> str:
    names = list(dict.fromkeys(op.name for op in operations))
    more = f", … +{len(names) - _MOST_LISTED}" if len(names) > _MOST_LISTED else ""
    return ", ".join(names[:_MOST_LISTED]) + more if names else NOTHING


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"
