"""The recorder: an observer of the interpreter that writes each turn down.

It notes what was ready, what was read and written and what came out; `trace.record` is the way in.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, is_
from typing import Any, Final

from ..base import errors
from ..base.dead import DEAD
from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from .deadline import Check
from .frames import EXITS, NEXTS
from .interpreter import interpret
from .schedule import Schedule
from .store import Buffer, Handle, Store, View
from .tensor_array_accesses import Elements, Touched
from .tokens import Tokens, Turn, turn_name

# Nobody looks at more turns of one run; a loop that never ends is told by its first ones.
MOST_TURNS: Final = 50_000

_VALUE: Final = attrgetter("value")


@dataclass(frozen=True)
class Output:
    """One output of a step: its value as it was then, whose buffer it is when it is a reference, what a tensor array held."""

    value: Any
    alias: str | None
    dead: bool
    elements: Elements | None = None


@dataclass(frozen=True)
class Step:
    """One turn of one node. frame, iteration: the loop in which it took it, and the number of the iteration of each loop.

    "changed" is no turn: there a fork changed something (branch.py).
    """

    op: Operation
    outcome: str  # "ran" | "dead" | "error" | "changed"
    outputs: tuple[Output, ...]
    reads: tuple[tuple[str, Any], ...]  # variable, value
    writes: tuple[tuple[str, Any, Any], ...]  # variable, before, after
    ready: tuple[Operation, ...]  # after this step
    pending: tuple[tuple[Operation, int], ...]  # the counts that changed
    error: str | None = None
    frame: str = ""
    iteration: tuple[int, ...] = ()
    elements_read: tuple[tuple[str, Any], ...] = ()  # of tensor arrays: name with index, value
    elements_written: tuple[tuple[str, Any, Any], ...] = ()  # name with index, before, after
    times: tuple[int, int] = field(default=(0, 0), compare=False)  # nanoseconds of the clock: begin and end
    change: Any = None  # of a "changed" one: what was changed

    @property
    def leads_on(self) -> bool:
        """Whether something comes of the turn: what is dead goes neither into a next iteration nor out of a loop."""
        stays = self.outcome == "dead" and self.iteration and self.op.type in (*NEXTS, *EXITS)
        return self.outcome in ("ran", "dead") and not stays


@dataclass
class Run:
    """One run: where it started, its steps and what was fetched."""

    ready: tuple[Operation, ...]
    pending: tuple[tuple[Operation, int], ...]
    variables: tuple[tuple[str, Any], ...]
    steps: list[Step] = field(default_factory=list)
    fetched: list[Any] = field(default_factory=list)
    error: errors.OpError | None = None

    @property
    def text(self) -> str:
        """The order of the turns, as `schedule.replay` reads it."""
        return " ".join(self.turns)

    @property
    def turns(self) -> list[str]:
        """The names of the turns in their order."""
        return [turn_name(step.op, step.iteration) for step in self.steps if step.outcome != "changed"]


@dataclass
class Trace:
    """Several runs of one (fetches, feeds) on one graph.

    starts: what the session held before each run, where the runs can be made again. wanted: how many were asked for.
    """

    graph: Graph
    fetches: tuple[tuple[str, Tensor | Operation], ...]  # label, element
    fed: dict[Tensor, Any]
    schedule: Schedule
    runs: list[Run] = field(default_factory=list)
    starts: list[Store] = field(default_factory=list, repr=False)
    wanted: int = 1

    @property
    def computed(self) -> tuple[Tensor, ...]:
        """The fetched tensors that a run computes."""
        return tuple([e for _, e in self.fetches if isinstance(e, Tensor) and e not in self.fed])

    def keep_fetched(self, run: Run, values: Sequence[Any]) -> None:
        """Notes what a run that did not fail gave for `computed`."""
        if run.error is None:
            known: dict[Any, Any] = {**self.fed, **dict(zip(self.computed, values))}
            run.fetched = [known.get(element) for _, element in self.fetches]


class Recorder:
    """The observer that writes a run down."""

    def __init__(self, store: Store) -> None:
        self.watch = Watch(store)
        self.arrays = Touched()
        self.run = Run((), (), tuple(self.watch.held.items()))

    def begin(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.run.ready = self._ready()
        self.run.pending = tuple([(op, count) for op, count in tokens.counts.items() if count])
        self.began = time.time_ns()

    def step(self, turn: Turn, inputs: Sequence[Any], outputs: Sequence[Any], dead: bool) -> None:
        times = self.began, max(self.began, time.time_ns())
        reads = [] if dead else _reads(turn.op, inputs, self.watch.held)
        writes = self.watch.written() if _may_write(turn.op, inputs) else ()
        seen, changed = ((), ()) if dead else self.arrays.step(turn.op, inputs, outputs)
        self.run.steps.append(
            Step(
                turn.op,
                "dead" if dead else "ran",
                tuple(Output(_now(v), _alias(v), v is DEAD, self.arrays.elements(v)) for v in outputs),
                tuple(reads),
                writes,
                self._ready(),
                tuple(self.tokens.changed),
                None,
                turn.frame,
                turn.iteration,
                seen,
                changed,
                times,
            )
        )
        self.began = time.time_ns()

    def failed(self, turn: Turn, error: errors.OpError) -> None:
        text = str(error.message)
        self.run.steps.append(
            Step(turn.op, "error", (), (), (), self._ready(), (), text, turn.frame, turn.iteration)
        )
        self.run.error = error

    def changed(
        self,
        change: Any,
        op: Operation,
        outputs: Sequence[Any] = (),
        iteration: tuple[int, ...] = (),
        frame: str = "",
        pending: Sequence[tuple[Operation, int]] = (),
    ) -> None:
        """Somebody from outside changed what the node gave, what its variable holds, or for how many who waits."""
        writes = self.watch.written()
        shown = tuple([Output(_now(v), _alias(v), v is DEAD, self.arrays.elements(v)) for v in outputs])
        ready = self._ready()
        step = Step(op, "changed", shown, (), writes, ready, tuple(pending), None, frame, iteration, change=change)
        self.run.steps.append(step)

    def _ready(self) -> tuple[Operation, ...]:
        """The queue, in the order in which its nodes will be taken."""
        waiting = self.tokens.waiting
        return tuple([turn.op for turn in sorted(waiting, key=waiting.__getitem__)])


class Watch:
    """What the variables of a store hold, by their names, as `written` was asked last; values are replaced, never changed."""

    def __init__(self, store: Store) -> None:
        self.held: dict[str, Any] = {}
        self._store = store
        self._buffers: list[Buffer] = []
        self._values: list[Any] = []
        self.written()

    def written(self) -> tuple[tuple[str, Any, Any], ...]:
        """The variables that hold something else now: name, what it was and what it is, None where there is none."""
        buffers = list(self._store.buffers.values())
        values = list(map(_VALUE, buffers))
        # Most of those who may write do not: to see that must cost little for each of a thousand variables.
        if len(buffers) == len(self._buffers) and all(map(is_, values, self._values)) and all(map(is_, buffers, self._buffers)):
            return ()
        before, self.held = self.held, {buffer.name: value for buffer, value in zip(buffers, values, strict=True)}
        self._buffers, self._values = buffers, values
        return tuple([(name, before.get(name), value) for name, value in self.held.items() if value is not before.get(name)])


def _may_write(op: Operation, inputs: Sequence[Any]) -> bool:
    """Whether the node has hands on a variable: it takes one, or what it does is more than what it gives."""
    stateful: bool = op.definition.stateful
    return stateful or any(isinstance(value, (Buffer, View, Handle)) for value in inputs)


def _now(value: Any) -> Any:
    if isinstance(value, (Buffer, View)):
        return value.value
    return None if value is DEAD else value


def _alias(value: Any) -> str | None:
    return value.name if isinstance(value, (Buffer, View)) else None


def _reads(op: Operation, inputs: Sequence[Any], before: dict[str, Any]) -> list[tuple[str, Any]]:
    """The variables whose value the node took: references that it computes with, and resources that it reads."""
    d = op.definition
    found: dict[str, Any] = {}
    for i, value in enumerate(inputs):
        if isinstance(value, (Buffer, View)):
            # Assign takes its variable and does not look at what it holds.
            if not (d.passes(i) and (d.pure or op.type == "Assign")) and i not in (d.view_index, d.keep_index):
                found[value.name] = before.get(value.name)
        elif op.type in ("ReadVariableOp", "AssignAddVariableOp", "AssignSubVariableOp") and i == 0:
            name = value.buffer.name
            found[name] = before.get(name)
    return list(found.items())


def run_traced(
    schedule: Schedule,
    store: Store,
    fed: Mapping[Tensor, Any],
    tensors: Sequence[Tensor],
    most: int | None = None,
    check: Check | None = None,
) -> tuple[Run, list[Any]]:
    """One traced run; a failing node's error is in the run's record and is not raised.

    most: so many turns end the run with a DeadlineExceededError: a record must end where the loops of a run may not.
    check: is called before every turn, and may end the run by an error.
    """
    recorder = Recorder(store)
    values: list[Any] = []

    def goes_on() -> None:
        if len(recorder.run.steps) == most:
            raise errors.DeadlineExceededError(None, None, f"The run was ended after {most} turns: a loop may never end.")
        if check is not None:
            check()

    try:
        values = interpret(schedule, store, fed, tensors, recorder, goes_on)
    except errors.OpError as error:
        recorder.run.error = error
    return recorder.run, values
