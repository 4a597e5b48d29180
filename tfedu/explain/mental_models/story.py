"""Runs as stories of turns: `Task(fetches, runs=3)`, `engine_stories(task)`, `Walk(store, fed).run(order, tensors)`.

A wrong mental model is an executor that returns such stories. Here is what all models share: the task, a walk over nodes with
the engine's own `compute`, and the comparison of two stories. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...engine.base import errors
from ...engine.base.dead import DEAD
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation, Tensor
from ...engine.ops.control_flow import MERGES, NEXTS
from ...engine.replay.recorder import Run, Watch, read_now, run_traced
from ...engine.replay.trace import MOST_TURNS, graph_of_fetches, scratch_session
from ...engine.runtime.frames import Item, Segment, is_back_edge
from ...engine.runtime.node_errors import node_error
from ...engine.runtime.node_turn import compute, fetched, is_dead
from ...engine.runtime.schedule import Policy
from ...engine.runtime.store import Handle, Store

Writes = tuple[tuple[str, Any, Any], ...]  # variable, before, after


@dataclass(frozen=True)
class Failure:
    """Stands for the values of a run that fails."""

    kind: str
    text: str

    def __str__(self) -> str:
        return self.kind


class UnfinishedError(errors.DeadlineExceededError):
    """A run was given up after MOST_TURNS turns, so that its result is not known: a loop may never end."""

    def __init__(self) -> None:
        super().__init__(None, None, f"What the run gives is not known: it did not end within {MOST_TURNS} turns of nodes.")
        self.fix = "a loop whose condition never gets False does not end: ask about a program whose loops end"


@dataclass(frozen=True)
class Turn:
    """One node's turn: its outputs at that time, and the variables that it wrote."""

    id: int
    name: str
    values: tuple[Any, ...]
    writes: Writes


@dataclass
class Story:
    """One run: the variables at its start, the turns, the fetched values."""

    variables: dict[str, Any]
    turns: list[Turn] = field(default_factory=list)
    fetched: list[Any] = field(default_factory=list)


class Task:
    """`runs` runs of some fetches, from initialized variables or from the session's values.

    Raises: TypeError and ValueError for wrong fetches and feeds, as Session.run does.
    """

    def __init__(
        self,
        fetches: Any,
        feed_dict: Any = None,
        runs: int = 3,
        policy: Policy | None = None,
        session: Any = None,
    ) -> None:
        self.runs = runs
        self.policy = policy
        self.graph: Graph = session.graph if session is not None else graph_of_fetches(fetches)
        self.scratch = scratch_session(self.graph, policy, session)
        call = self.scratch.prepare(fetches, feed_dict)
        self.signature = call.signature
        self.structure = call.structure
        self.tensors: list[Tensor] = list(self.structure.tensors)
        self.operations: list[Operation] = list(self.structure.operations)
        self.fed: dict[Tensor, Any] = dict(zip(self.signature.feeds, call.values))

    @property
    def targets(self) -> list[Operation]:
        """The nodes that a run needs; a tensor that is both fed and fetched needs none."""
        return [*(t.op for t in self.tensors if t not in self.fed), *self.operations]

    def store(self) -> Store:
        """A new store with the variables as they are before the first run."""
        return self.scratch.store.copy()

    def nest(self, values: Sequence[Any]) -> Any:
        """The values, nested as the fetches; the failure if the run failed."""
        failed = next((value for value in values if isinstance(value, Failure)), None)
        return self.structure.rebuild(values) if failed is None else failed


# -- a walk over nodes ---------------------------------------------------------------------------------------------

Act = Callable[[Operation, Sequence[Any], Store], Sequence[Any]]


class Walk:
    """One run, node by node, with the engine's kernels.

    act: computes a node; by default the engine's `compute`. required: nodes whose failure ends the run (None: all); any other
    node that fails, or lacks an input for that reason, is skipped. A loop runs as a unit, iteration by iteration.
    ran, lived: the nodes that ran and the tensors that had a value, in at least one iteration. turning: of the Merges of the
    loops under way, whether they take the value of the NextIteration.
    """

    def __init__(
        self,
        store: Store,
        fed: Mapping[Tensor, Any],
        act: Act = compute,
        required: Collection[Operation] | None = None,
    ) -> None:
        self.store = store
        self.fed = fed
        self.act = act
        self.required = required
        self.values: dict[int, list[Any]] = {}
        self.dead: set[int] = set()
        self.ran: set[int] = set()
        self.lived: set[Tensor] = set()
        self.turning: dict[Operation, bool] = {}
        self.watch = Watch(store)
        self.story = Story(self.watch.values)
        self.fed_ops = {tensor.op.id for tensor in fed}

    def run(self, order: Iterable[Item], tensors: Sequence[Tensor]) -> Story:
        """Runs the nodes in order and reads the fetched tensors at the end. Raises: UnfinishedError."""
        try:
            with np.errstate(all="ignore"):
                self.take_all(order)
                self.story.fetched = self.fetch(tensors)
        except UnfinishedError:
            raise
        except errors.OpError as error:
            self.story.fetched = [failure(error)] * max(len(tensors), 1)
        return self.story

    def take_all(self, order: Iterable[Item]) -> None:
        """Runs nodes and loops in order."""
        for item in order:
            if isinstance(item, Segment):
                self.take_loop(item)
            elif self.take(item):
                self.record_turn(item)

    def record_turn(self, op: Operation) -> None:
        """Adds a node's turn to the story."""
        if len(self.story.turns) == MOST_TURNS:
            raise UnfinishedError
        values = tuple([self.value_now(value) for value in self.values[op.id]])
        self.story.turns.append(Turn(op.id, op.name, values, self.watch.written()))

    def take_loop(self, loop: Segment) -> None:
        """Runs the iterations of a loop until none of its NextIterations has a value."""
        inside = [op.id for op in loop.flat()]
        own = [item for item in loop.items if isinstance(item, Operation)]
        merges = [op for op in own if op.type in MERGES and any(is_back_edge(t.op, op) for t in op.inputs)]
        next_values: dict[int, list[Any]] = {}
        again = False
        while next_values or not again:
            for id in inside:
                self.values.pop(id, None)
                self.dead.discard(id)
            self.values.update(next_values)
            self.turning.update(dict.fromkeys(merges, again))
            self.take_all(loop.items)
            again = True
            next_values = {
                op.id: self.values[op.id]
                for op in own
                if op.type in NEXTS and op.id in self.values and op.id not in self.dead
            }

    def take(self, op: Operation) -> bool:
        """Runs one node; returns whether it ran, dead or alive."""
        try:
            if op in self.turning:
                again = self.turning[op]
                inputs = [self.value(t) if is_back_edge(t.op, op) == again else DEAD for t in op.inputs]
            else:
                inputs = [self.value(t) for t in op.inputs]
        except KeyError:
            if self.required is None or op in self.required:
                text = f"an input of {op.name} could not be computed"
                raise errors.InvalidArgumentError(None, op, text) from None
            return self.fill_fed(op)
        try:
            if op.definition is None:
                raise errors.NotFoundError(None, None, f"Op type not registered '{op.type}'")
            if is_dead(op, inputs, self.dead):
                self.dead.add(op.id)
                outputs: Sequence[Any] = [DEAD] * len(op.outputs)
            else:
                outputs = self.act(op, inputs, self.store)
                self.ran.add(op.id)
        except BaseException as raised:
            error = node_error(op, raised, [read_now(value) for value in inputs])
            if not isinstance(error, errors.OpError) or self.required is None or op in self.required:
                raise error  # noqa: B904 - it has its cause
            return self.fill_fed(op)
        self.values[op.id] = [self.fed.get(t, value) for t, value in zip(op.outputs, outputs)]
        self.lived.update(t for t, value in zip(op.outputs, self.values[op.id]) if value is not DEAD)
        return True

    def value_now(self, value: Any) -> Any:
        """A node's output for the story: of a reference its present value."""
        return read_now(value)

    def fill_fed(self, op: Operation) -> bool:
        """Gives a node that could not run its fed values; whether it has them."""
        if op.id in self.fed_ops and all(t in self.fed for t in op.outputs):
            self.values[op.id] = [self.fed[t] for t in op.outputs]
            return True
        return False

    def value(self, tensor: Tensor) -> Any:
        """A tensor's value, fed or computed. Raises: KeyError if it has none."""
        if tensor in self.fed:
            return self.fed[tensor]
        return self.values[tensor.op.id][tensor.index]

    def fetch(self, tensors: Sequence[Tensor]) -> list[Any]:
        """The fetched values. Raises: InvalidArgumentError for a tensor without a value."""
        result: list[Any] = []
        for i, tensor in enumerate(tensors):
            try:
                value = self.value(tensor)
            except KeyError:
                text = f"{tensor.name} could not be computed"
                raise errors.InvalidArgumentError(None, tensor.op, text) from None
            result.append(fetched(value, i))
        return result


def failed_stories(task: Task, error: Exception) -> list[Story]:
    """The stories of runs that all fail before their first turn."""
    return [Story({}, [], [failure(error)] * max(len(task.tensors), 1)) for _ in range(task.runs)]


def failure(error: Exception) -> Failure:
    """The failure that stands for the values of a run with this error."""
    return Failure(type(error).__name__, str(getattr(error, "message", error)))


# -- the engine's stories ------------------------------------------------------------------------------------------


def engine_stories(task: Task) -> list[Story]:
    """The engine's runs; the run after a failed one starts from the variables that it left. Raises: UnfinishedError."""
    signature = task.signature
    try:
        signature.schedule()
    except errors.OpError as error:
        return failed_stories(task, error)
    store = task.store()
    values = [task.fed[t] for t in signature.feeds]
    stories = []
    for _ in range(task.runs):
        run, computed = run_traced(signature.schedule(), store, task.fed, signature.computed, MOST_TURNS)
        if run.is_unfinished:
            raise UnfinishedError
        stories.append(_story(run, signature.with_fed(computed, values) if run.error is None else None, task))
    return stories


def _story(run: Run, values: list[Any] | None, task: Task) -> Story:
    if values is None:
        assert run.error is not None
        values = [failure(run.error)] * max(len(task.tensors), 1)
    turns = [
        Turn(
            step.op.id,
            step.op.name,
            tuple([DEAD if output.dead else output.value for output in step.outputs]),
            step.writes,
        )
        for step in run.steps
        if step.outcome != "error"
    ]
    return Story(dict(run.variables), turns, values)


# -- comparison of two stories -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Divergence:
    """The first difference between a model and the engine: a node's value, or that of the variable that it writes.

    step: how many of the engine's turns are over. node: None for one that only the model has.
    """

    run: int
    step: int
    node: int | None
    name: str
    model_value: Any
    engine_value: Any


def diverges(
    model: Sequence[Story], engine: Sequence[Story], tensors: Sequence[Tensor], known: int
) -> Divergence | None:
    """The first difference between the model's runs and the engine's. known: how many nodes the engine's graph has."""
    for run, (imagined, real) in enumerate(zip(model, engine)):
        difference = _Comparison(run, imagined, real, known).first_difference()
        if difference is not None:
            return difference
        for i, (expected, actual) in enumerate(zip(imagined.fetched, real.fetched)):
            if not same(expected, actual):
                tensor = tensors[i] if i < len(tensors) else None
                name = tensor.name if tensor is not None else ""
                node = tensor.op.id if tensor is not None else None
                return Divergence(run, len(real.turns), node, name, expected, actual)
    return None


def same_turns(model: Sequence[Story], engine: Sequence[Story]) -> bool:
    """Whether the same nodes run in each run, in any order."""
    return all(
        sorted(turn.id for turn in imagined.turns) == sorted(turn.id for turn in real.turns)
        for imagined, real in zip(model, engine)
    )


class _Comparison:
    """Finds where a model's run parts from the engine's, turn by turn.

    A node of a loop takes several turns; where it takes more of them in the model than in the engine, they are the model's own,
    as are the turns of nodes that the engine does not run. expected, actual: the variables so far. at: the next imagined turn.
    """

    def __init__(self, run: int, imagined: Story, real: Story, known: int) -> None:
        self.run, self.known = run, known
        self.turns, self.real_turns = imagined.turns, real.turns
        self.keys, self.real_keys = _numbered(imagined.turns), _numbered(real.turns)
        self.is_real = set(self.real_keys)
        self.expected, self.actual = dict(imagined.variables), dict(real.variables)
        self.at = 0

    def first_difference(self) -> Divergence | None:
        """The first turn with another value, or after which a written variable has another value."""
        index_of = {key: i for i, key in enumerate(self.keys)}
        for step, turn in enumerate(self.real_turns, 1):
            index = index_of.get(self.real_keys[step - 1])
            if index is not None:
                difference = self._own_turns(index, step - 1)
                if difference is not None:
                    return difference
                if index >= self.at:
                    self._own_turns(index + 1, step)
            for variable, _, after in turn.writes:
                self.actual[variable] = after
                if not same(self.expected.get(variable), after):
                    return Divergence(self.run, step, turn.id, turn.name, self.expected.get(variable), after)
            for expected, actual in zip(() if index is None else self.turns[index].values, turn.values):
                # A variable that the model has not initialized yet is no difference.
                if expected is not None and not same(expected, actual):
                    return Divergence(self.run, step, turn.id, turn.name, expected, actual)
        return self._own_turns(len(self.turns), len(self.real_turns))

    def _own_turns(self, until: int, step: int) -> Divergence | None:
        """Goes on to the imagined turn `until`; the first of the model's own turns in between that writes another value."""
        while self.at < until:
            turn, key = self.turns[self.at], self.keys[self.at]
            self.at += 1
            for variable, _, after in turn.writes:
                self.expected[variable] = after
                if key not in self.is_real and not same(after, self.actual.get(variable)):
                    node = turn.id if turn.id < self.known else None
                    return Divergence(self.run, step, node, turn.name, after, self.actual.get(variable))
        return None


def _numbered(turns: Iterable[Turn]) -> list[tuple[int, int]]:
    """For each turn its node and the number of the node's earlier turns."""
    counts: dict[int, int] = {}
    keys = []
    for turn in turns:
        count = counts[turn.id] = counts.get(turn.id, -1) + 1
        keys.append((turn.id, count))
    return keys


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal; NaN equals NaN, and a failure any of its kind."""
    if one is other:
        return True
    if isinstance(one, Failure) or isinstance(other, Failure):
        return isinstance(one, Failure) and isinstance(other, Failure) and one.kind == other.kind
    if one is None or other is None or one is DEAD or other is DEAD:
        return False
    if isinstance(one, Handle) and isinstance(other, Handle):
        return bool(one.buffer.name == other.buffer.name)
    left, right = np.asarray(one), np.asarray(other)
    if left.shape != right.shape:
        return False
    try:
        return bool(np.array_equal(left, right, equal_nan=True))
    except TypeError:  # strings and other objects have no NaN
        return bool(np.array_equal(left, right))
