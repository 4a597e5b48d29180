"""The recorder: an observer of the interpreter that records each turn as a `Step`.

A step lists the nodes that were ready, the variables read and written, and the outputs. `trace.record` records whole runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from operator import attrgetter, is_
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from ..backends import CPU
from ..base import errors
from ..base.dead import DEAD
from ..base.memory_use import MemoryUse
from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from ..ops.control_flow import EXITS, NEXTS
from ..runtime.config import SimulatedDevices
from ..runtime.deadline import Check
from ..runtime.exclusive import Hold
from ..runtime.memory import WITHOUT_MEMORY
from ..runtime.schedule import Schedule
from ..runtime.store import Buffer, Handle, Store, View
from ..runtime.tokens import Iteration, Observer, Tokens, Turn, turn_name
from .content_accesses import ContentAccesses
from .tensor_array_accesses import ArrayAccesses, Elements

# Enough turns to understand a run, also one whose loop never ends.
MOST_TURNS: Final = 50_000

# What ended a run: all its turns are over; an error; so many turns, or so much time, that the recorder gave up.
Ending = Literal["finished", "error", "turns", "deadline"]

_VALUE: Final = attrgetter("value")


@dataclass(frozen=True)
class Output:
    """One output of a step, with its value at that time."""

    value: Any
    alias: str | None  # the variable, where the value is a reference to its buffer
    dead: bool
    elements: Elements | None = None  # of the tensor array whose handle it is


@dataclass(frozen=True)
class Step:
    """One turn of one node. frame, iteration: the loop of the turn, and the iteration of each loop around it.

    In a "began" step a node only began its turn: it did a part of its work at a queue, and a later step ends the turn.
    A "changed" step is no turn: there a fork changed a value or an edge (changed_run.py).
    """

    op: Operation
    outcome: str  # "ran" | "dead" | "began" | "error" | "changed"
    outputs: tuple[Output, ...]
    reads: tuple[tuple[str, Any], ...]  # variable, value
    writes: tuple[tuple[str, Any, Any], ...]  # variable, before, after
    ready: tuple[Operation, ...]  # after this step: the nodes that can take their turns
    pending: tuple[tuple[Operation, int], ...]  # the pending counts that changed
    error: str | None = None
    frame: str = ""
    iteration: tuple[int, ...] = ()
    # of tensor arrays: name with index, value; of queues and iterators: name, content as text
    elements_read: tuple[tuple[str, Any], ...] = ()
    elements_written: tuple[tuple[str, Any, Any], ...] = ()  # name with index, before, after
    times: tuple[int, int] = field(default=(0, 0), compare=False)  # begin and end, in nanoseconds since 1970
    change: Any = None  # of a "changed" step: the change
    held: tuple[Operation, ...] = ()  # the ready nodes that a queue or a mutex holds back after this step
    memory: MemoryUse | None = field(default=None, compare=False)  # of the node's device, where that is counted

    @property
    def dead_outputs(self) -> tuple[bool, ...]:
        """For each output, whether it was dead."""
        return tuple([output.dead for output in self.outputs])

    @property
    def leads_on(self) -> bool:
        """Whether tokens leave the node: a dead one goes neither into a next iteration nor out of a loop."""
        stays = self.outcome == "dead" and self.iteration and self.op.type in (*NEXTS, *EXITS)
        return self.outcome in ("ran", "dead") and not stays


@dataclass
class Run:
    """One run: its ready nodes, pending counts and variables at the start, its steps and the fetched values.

    held: the ready nodes that a queue or a mutex holds back at the start. ended_by: what ended the run; None while it is under
    way. loops: the frames of the loops that were under way at its end. contents: the names and contents of the queues and
    iterators that earlier runs made.
    """

    ready: tuple[Operation, ...]
    pending: tuple[tuple[Operation, int], ...]
    variables: tuple[tuple[str, Any], ...]
    steps: list[Step] = field(default_factory=list)
    fetched: list[Any] = field(default_factory=list)
    error: errors.OpError | None = None
    ended_by: Ending | None = None
    loops: tuple[str, ...] = ()
    contents: tuple[tuple[str, str], ...] = ()
    held: tuple[Operation, ...] = ()

    @property
    def is_unfinished(self) -> bool:
        """Whether the run was given up: what has not happened in it may still happen."""
        return self.ended_by in ("turns", "deadline")

    def end(self, ended_by: Ending, error: errors.OpError | None = None, loops: Iterable[str] = ()) -> None:
        """Notes the end of the run, and the loops that were under way."""
        self.ended_by, self.error, self.loops = ended_by, error, tuple(loops)

    @property
    def text(self) -> str:
        """The order of the turns, as `schedule.replay` reads it: in a run that failed, with those that had begun once more."""
        begun: dict[str, None] = {}
        for step in self.steps if self.error is not None else ():
            name = turn_name(step.op, step.iteration)
            if step.outcome == "began":
                begun[name] = None
            else:
                begun.pop(name, None)
        return " ".join([*self.turns, *begun])

    @property
    def turns(self) -> list[str]:
        """The names of the turns in their order."""
        return [turn_name(step.op, step.iteration) for step in self.steps if step.outcome != "changed"]


@dataclass
class Trace:
    """Several runs of one (fetches, feeds) on one graph.

    starts: the session's store before each run; empty where the runs cannot be repeated. wanted: the number of runs requested.
    speeds: of the simulated devices, if the session has several; their clock is made from them.
    """

    graph: Graph
    fetches: tuple[tuple[str, Tensor | Operation], ...]  # label, element
    fed: dict[Tensor, Any]
    schedule: Schedule
    runs: list[Run] = field(default_factory=list)
    starts: list[Store] = field(default_factory=list, repr=False)
    wanted: int = 1
    speeds: SimulatedDevices | None = None

    @property
    def computed(self) -> tuple[Tensor, ...]:
        """The fetched tensors that a run computes."""
        return tuple([e for _, e in self.fetches if isinstance(e, Tensor) and e not in self.fed])

    @property
    def size(self) -> int:
        """The bytes of the values: each array once, however many steps have it."""
        outputs = [output.value for run in self.runs for step in run.steps for output in step.outputs]
        return sum(array.nbytes for array in {id(v): v for v in outputs if isinstance(v, np.ndarray)}.values())

    def keep_fetched(self, run: Run, values: Sequence[Any]) -> None:
        """Stores the fetched values of a run that did not fail; `values` belong to `computed`."""
        if run.error is None:
            value_of: dict[Any, Any] = {**self.fed, **dict(zip(self.computed, values))}
            run.fetched = [value_of.get(element) for _, element in self.fetches]


def loops_under_way(at: Iteration) -> dict[str, None]:
    """The frames of the loops under way inside an iteration, the outer before the inner ones, each once."""
    frames: dict[str, None] = {}
    for inside in at.inner.values():
        frames[str(inside.frame)] = None
        for iteration in inside.running.values():
            frames.update(loops_under_way(iteration))
    return frames


def out_of_turns(turns: int) -> errors.DeadlineExceededError:
    """The error of a run that a recorder ended."""
    return errors.DeadlineExceededError(None, None, f"The run was ended after {turns} turns: a loop may never end.")


class Recorder:
    """The observer that records a run. memory: tells what the last turn did in the memory of the GPU."""

    def __init__(self, store: Store, memory: Callable[[], MemoryUse] | None = None) -> None:
        self.store, self.memory = store, memory
        self.watch = Watch(store)
        self.arrays = ArrayAccesses()
        self.contents = ContentAccesses(store)
        self.run = Run((), (), tuple(self.watch.values.items()), contents=self.contents.contents)

    def begin(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.hold = Hold(tokens.position, self.store)
        self.run.ready, self.run.held = self._ready()
        self.run.pending = tuple([(op, count) for op, count in tokens.counts.items() if count])
        self.since = time.time_ns()

    def step(self, turn: Turn, inputs: Sequence[Any], outputs: Sequence[Any], dead: bool) -> None:
        end = max(self.since, time.time_ns())
        reads = [] if dead else reads_of(turn.op, inputs, self.watch.values)
        elements_read, elements_written = ((), ()) if dead else self._elements(turn.op, inputs, outputs)
        self.hold.take(turn)
        ready, held = self._ready()
        self.run.steps.append(
            Step(
                op=turn.op,
                outcome="dead" if dead else "ran",
                outputs=self._outputs(outputs),
                reads=tuple(reads),
                writes=self.watch.written() if _may_write(turn.op, inputs) else (),
                ready=ready,
                held=held,
                pending=tuple(self.tokens.changed),
                frame=turn.frame,
                iteration=turn.iteration,
                elements_read=elements_read,
                elements_written=elements_written,
                times=(self.since, end),
                memory=None if dead else self._memory(turn.op, outputs),
            )
        )
        self.since = time.time_ns()

    def _memory(self, op: Operation, outputs: Sequence[Any]) -> MemoryUse | None:
        """What the turn did in the memory of the GPU, or in one with a limit: there the outputs are what it took."""
        if self.memory is not None:
            return self.memory()
        memory = None if self.store.memory is None else self.store.memory.of(op)
        if memory is None:
            return None
        d = op.definition
        is_new = d is not None and d.alias_index < 0 and d.view_index < 0 and d.role not in WITHOUT_MEMORY
        size = sum([value.nbytes for value in outputs if isinstance(value, np.ndarray)]) if is_new else 0
        return MemoryUse(memory.device or CPU.device, size, size, size, memory.held(self.store))

    def _elements(self, op: Operation, inputs: Sequence[Any], outputs: Sequence[Any]) -> tuple[Any, Any]:
        """The elements of tensor arrays, and the contents of queues and iterators, that a turn read and wrote."""
        if op.definition.resource == "tensor_array":
            return self.arrays.step(op, inputs, outputs)
        return self.contents.step(op, inputs, outputs, lambda: [turn for turn in self.tokens.waiting if turn.op is not op])

    def began(self, turn: Turn, inputs: Sequence[Any]) -> None:
        _, elements_written = self.contents.step(turn.op, inputs, (), lambda: self.tokens.waiting)
        self._add_without_outputs(turn, "began", elements_written=elements_written)

    def failed(self, turn: Turn, error: errors.OpError) -> None:
        self._add_without_outputs(turn, "error", error=str(error.message))
        self.run.error = error

    def _add_without_outputs(self, turn: Turn, outcome: str, **fields: Any) -> None:
        ready, held = self._ready()
        self.run.steps.append(
            Step(
                op=turn.op,
                outcome=outcome,
                outputs=(),
                reads=(),
                writes=(),
                ready=ready,
                held=held,
                pending=(),
                frame=turn.frame,
                iteration=turn.iteration,
                **fields,
            )
        )

    def changed(
        self,
        change: Any,
        op: Operation,
        outputs: Sequence[Any] = (),
        iteration: tuple[int, ...] = (),
        frame: str = "",
        pending: Sequence[tuple[Operation, int]] = (),
    ) -> None:
        """Records a change from outside: of the node's outputs, its variable's value, or the pending counts of its consumers."""
        ready, held = self._ready()
        self.run.steps.append(
            Step(
                op=op,
                outcome="changed",
                outputs=self._outputs(outputs),
                reads=(),
                writes=self.watch.written(),
                ready=ready,
                held=held,
                pending=tuple(pending),
                frame=frame,
                iteration=iteration,
                change=change,
            )
        )

    def _outputs(self, values: Sequence[Any]) -> tuple[Output, ...]:
        return tuple(
            [Output(None if v is DEAD else read_now(v), _alias(v), v is DEAD, self.arrays.elements(v)) for v in values]
        )

    def _ready(self) -> tuple[tuple[Operation, ...], tuple[Operation, ...]]:
        """Returns the ready nodes in the policy's order, and apart from them those that a queue or a mutex holds back."""
        waiting = self.tokens.waiting
        ready: list[Operation] = []
        held: list[Operation] = []
        for turn in sorted(waiting, key=waiting.__getitem__):
            (held if self.hold.holds(turn) else ready).append(turn.op)
        return tuple(ready), tuple(held)


class Watch:
    """The values of a store's variables by name, as of the last call of `written`. Values are replaced, never changed."""

    def __init__(self, store: Store) -> None:
        self.values: dict[str, Any] = {}
        self._store = store
        self._buffers: list[Buffer] = []
        self._values: list[Any] = []
        self.written()

    def written(self) -> tuple[tuple[str, Any, Any], ...]:
        """The variables whose values changed: name, value before and value now; None where there is no value."""
        buffers = list(self._store.buffers.values())
        values = list(map(_VALUE, buffers))
        # Most nodes that may write do not: this check must stay cheap with a thousand variables.
        if len(buffers) == len(self._buffers) and all(map(is_, values, self._values)) and all(map(is_, buffers, self._buffers)):
            return ()
        before, self.values = self.values, {buffer.name: value for buffer, value in zip(buffers, values, strict=True)}
        self._buffers, self._values = buffers, values
        return tuple([(name, before.get(name), value) for name, value in self.values.items() if value is not before.get(name)])


def _may_write(op: Operation, inputs: Sequence[Any]) -> bool:
    """Whether the node may write a variable: it takes a reference or a handle, or is stateful."""
    stateful: bool = op.definition.stateful
    return stateful or any(isinstance(value, (Buffer, View, Handle)) for value in inputs)


def read_now(value: Any) -> Any:
    """The present value of a reference; any other value itself."""
    return value.value if isinstance(value, (Buffer, View)) else value


def _alias(value: Any) -> str | None:
    return value.name if isinstance(value, (Buffer, View)) else None


def reads_of(op: Operation, inputs: Sequence[Any], before: dict[str, Any]) -> list[tuple[str, Any]]:
    """The variables whose value the node took: references that it computes with, and resources that it reads."""
    d = op.definition
    reads: dict[str, Any] = {}
    for i, value in enumerate(inputs):
        if isinstance(value, (Buffer, View)):
            if d.reads_reference(i):
                reads[value.name] = before.get(value.name)
        elif i in d.read_inputs and d.resource == "variable":
            name = value.buffer.name
            reads[name] = before.get(name)
    return list(reads.items())


def run_traced(
    schedule: Schedule,
    store: Store,
    fed: Mapping[Tensor, Any],
    tensors: Sequence[Tensor],
    max_turns: int | None = None,
    check: Check | None = None,
    memory: Callable[[], MemoryUse] | None = None,
) -> tuple[Run, list[Any]]:
    """One traced run; a failing node's error is in the run's record and is not raised.

    max_turns: the number of turns after which a DeadlineExceededError ends a run with loops, so that an endless one has a record.
    check: is called before every turn, and may end the run by a DeadlineExceededError.
    memory: tells what the last turn did in the memory of the GPU.
    """
    recorder = Recorder(store, memory)
    end = run_observed(schedule, store, fed, tensors, recorder, max_turns, check)
    recorder.run.end(end.by, end.error, end.loops)
    return recorder.run, end.values


def on_host(run: Run, copy_of: Callable[[Any], Any]) -> None:
    """Replaces the values of a record by `copy_of` each, the same value by the same copy."""
    copies: dict[int, Any] = {}

    def once(value: Any) -> Any:
        if id(value) not in copies:
            copies[id(value)] = copy_of(value)
        return copies[id(value)]

    before = run.steps
    run.variables = tuple([(name, once(value)) for name, value in run.variables])
    run.steps = [
        replace(
            step,
            outputs=tuple([replace(output, value=once(output.value)) for output in step.outputs]),
            reads=tuple([(name, once(value)) for name, value in step.reads]),
            writes=tuple([(name, once(old), once(new)) for name, old, new in step.writes]),
        )
        for step in before
    ]


class End(NamedTuple):
    """The end of a run. by: what ended it; loops: the frames of the loops under way then; values: the fetched ones."""

    by: Ending
    error: errors.OpError | None
    loops: tuple[str, ...]
    values: list[Any]

    @property
    def is_unfinished(self) -> bool:
        """Whether the run was given up: what has not happened in it may still happen."""
        return self.by in ("turns", "deadline")


def run_observed(
    schedule: Schedule,
    store: Store,
    fed: Mapping[Tensor, Any],
    tensors: Sequence[Tensor],
    observer: Observer,
    max_turns: int | None = None,
    check: Check | None = None,
) -> End:
    """One run with an observer, and how it ended. Arguments as of `run_traced`."""
    left = count() if max_turns is None or schedule.frames is None else iter(range(max_turns))
    by: Ending = "error"

    def check_turn(op: Operation | None) -> None:
        nonlocal by
        if next(left, None) is None:
            assert max_turns is not None
            by = "turns"
            raise out_of_turns(max_turns)
        if check is not None:
            try:
                check(op)
            except errors.DeadlineExceededError:
                by = "deadline"
                raise

    tokens = Tokens(schedule, store, fed, tensors, observer, check_turn)
    try:
        tokens.go()
        return End("finished", None, (), tokens.fetch(tensors))
    except errors.OpError as error:
        return End(by, error, tuple(loops_under_way(tokens.root)), [])
