"""What happens in some runs, as a story of turns: `Task(fetches, runs=3)`, `engine_stories(task)`, `walk(...)`.

A wrong mental model is an executor of its own that tells such a story; here is what all of them are made of: the
task, the loop over the engine's own `compute`, and the comparison of two stories. No state.
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
from ...engine.replay.recorder import Run, Watch, run_traced
from ...engine.replay.trace import MOST_TURNS, graph_of_fetches, scratch_session
from ...engine.runtime.frames import Item, Segment, is_back_edge
from ...engine.runtime.node_errors import node_error
from ...engine.runtime.node_turn import compute, fetched, is_dead
from ...engine.runtime.schedule import Policy
from ...engine.runtime.store import Buffer, Handle, Store, View

Writes = tuple[tuple[str, Any, Any], ...]  # variable, before, after


@dataclass(frozen=True)
class Failure:
    """What stands for the value of a run that fails."""

    kind: str
    text: str

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True)
class Turn:
    """One node's turn: its outputs as they were then, and the variables that it wrote."""

    id: int
    name: str
    values: tuple[Any, ...]
    writes: Writes


@dataclass
class Story:
    """One run: the variables at its start, the turns, what was fetched."""

    variables: dict[str, Any]
    turns: list[Turn] = field(default_factory=list)
    fetched: list[Any] = field(default_factory=list)


class Task:
    """A question: what `runs` runs of these fetches give, from initialized variables on.

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
        """The nodes that a run is asked for; what is fed and fetched is given back and needs nothing to run."""
        return [*(t.op for t in self.tensors if t not in self.fed), *self.operations]

    def store(self) -> Store:
        """The variables as the first run finds them, in a store of the caller's own."""
        return self.scratch.store.copy()

    def nest(self, values: Sequence[Any]) -> Any:
        """The fetched values in the nest in which they were asked for; the failure when the run fails."""
        failed = next((value for value in values if isinstance(value, Failure)), None)
        return self.structure.rebuild(values) if failed is None else failed


# -- the loop ------------------------------------------------------------------------------------------------------

Act = Callable[[Operation, Sequence[Any], Store], Sequence[Any]]


class Walk:
    """One run, node by node, over the engine's own kernels.

    act: what a node does; the engine's `compute` unless a model thinks otherwise. required: nodes whose failure ends
    the run (None: all); any other node that fails, or whose input is missing for that reason, is passed over.
    A loop is taken as a whole, an iteration at a time. ran, lived: the nodes that ran and the tensors that had a value, in
    one iteration at least.
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
        self.turning: dict[Operation, bool] = {}  # a loop's own Merges: whether they take what comes round
        self.watch = Watch(store)
        self.story = Story(self.watch.held)
        self.fed_ops = {tensor.op.id for tensor in fed}

    def run(self, order: Iterable[Item], tensors: Sequence[Tensor]) -> Story:
        """Takes the nodes in order and reads the fetched tensors at the end."""
        try:
            with np.errstate(all="ignore"):
                self.take_all(order)
                self.story.fetched = self.fetch(tensors)
        except errors.OpError as error:
            self.story.fetched = [failure(error)] * max(len(tensors), 1)
        return self.story

    def take_all(self, order: Iterable[Item]) -> None:
        for item in order:
            if isinstance(item, Segment):
                self.take_loop(item)
            elif self.take(item):
                self.tell(item)

    def tell(self, op: Operation) -> None:
        """Notes the turn that a node took."""
        if len(self.story.turns) == MOST_TURNS:
            raise errors.DeadlineExceededError(None, op, f"the run does not end within {MOST_TURNS} turns")
        values = tuple([self.see(value) for value in self.values[op.id]])
        self.story.turns.append(Turn(op.id, op.name, values, self.watch.written()))

    def take_loop(self, loop: Segment) -> None:
        """Iteration after iteration, until nothing comes to a next one."""
        inside = [op.id for op in loop.flat()]
        own = [item for item in loop.items if isinstance(item, Operation)]
        merges = [op for op in own if op.type in MERGES and any(is_back_edge(t.op, op) for t in op.inputs)]
        round_: dict[int, list[Any]] = {}
        again = False
        while round_ or not again:
            for id in inside:
                self.values.pop(id, None)
                self.dead.discard(id)
            self.values.update(round_)
            self.turning.update(dict.fromkeys(merges, again))
            self.take_all(loop.items)
            again = True
            round_ = {
                op.id: self.values[op.id]
                for op in own
                if op.type in NEXTS and op.id in self.values and op.id not in self.dead
            }

    def take(self, op: Operation) -> bool:
        """One turn; whether the node took it."""
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
        except Exception as raised:
            if self.required is None or op in self.required:
                raise node_error(op, raised, [read_now(value) for value in inputs]) from raised
            return self.fill_fed(op)
        self.values[op.id] = [self.fed.get(t, value) for t, value in zip(op.outputs, outputs)]
        self.lived.update(t for t, value in zip(op.outputs, self.values[op.id]) if value is not DEAD)
        return True

    def see(self, value: Any) -> Any:
        """What a value is at this moment, for the story."""
        return read_now(value)

    def fill_fed(self, op: Operation) -> bool:
        """A node that could not run still has the values that are fed for it."""
        if op.id in self.fed_ops and all(t in self.fed for t in op.outputs):
            self.values[op.id] = [self.fed[t] for t in op.outputs]
            return True
        return False

    def value(self, tensor: Tensor) -> Any:
        if tensor in self.fed:
            return self.fed[tensor]
        return self.values[tensor.op.id][tensor.index]

    def fetch(self, tensors: Sequence[Tensor]) -> list[Any]:
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
    """Runs of which none can begin."""
    return [Story({}, [], [failure(error)] * max(len(task.tensors), 1)) for _ in range(task.runs)]


def failure(error: Exception) -> Failure:
    return Failure(type(error).__name__, str(getattr(error, "message", error)))


def read_now(value: Any) -> Any:
    """What a reference holds at this moment; other values are themselves."""
    return value.value if isinstance(value, (Buffer, View)) else value


# -- what really happens -------------------------------------------------------------------------------------------


def engine_stories(task: Task) -> list[Story]:
    """The runs as the engine does them; after a run that fails the next one starts where it stopped."""
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


# -- where two stories part ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Divergence:
    """The first place where a model and the engine part: a node's value, or the value of the variable that it writes.

    step: the engine's turns that are over then. node: None for one that only the model has.
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
    """Where the model's runs first differ from the engine's; known: how many nodes the engine's graph has."""
    for run, (told, real) in enumerate(zip(model, engine)):
        found = _part(run, told, real, known)
        if found is not None:
            return found
        for i, (mine, true) in enumerate(zip(told.fetched, real.fetched)):
            if not same(mine, true):
                tensor = tensors[i] if i < len(tensors) else None
                name = tensor.name if tensor is not None else ""
                node = tensor.op.id if tensor is not None else None
                return Divergence(run, len(real.turns), node, name, mine, true)
    return None


def same_turns(model: Sequence[Story], engine: Sequence[Story]) -> bool:
    """Whether the same nodes take their turns in each run, in whatever order."""
    return all(
        sorted(turn.id for turn in told.turns) == sorted(turn.id for turn in real.turns)
        for told, real in zip(model, engine)
    )


def _part(run: int, told: Story, real: Story, known: int) -> Divergence | None:
    # A node of a loop takes several turns. Where a model's nodes take more of them than the engine's, they are its own.
    places, times = _numbered(told.turns), _numbered(real.turns)
    place = {key: i for i, key in enumerate(places)}
    known_turns = set(times)
    mine, true = dict(told.variables), dict(real.variables)
    at = 0

    def model_only(until: int, step: int) -> Divergence | None:
        """The model's own turns up to one that the engine also takes: they matter when they write."""
        nonlocal at
        while at < until:
            turn = told.turns[at]
            own = places[at] not in known_turns
            at += 1
            for variable, _, after in turn.writes:
                mine[variable] = after
                if own and not same(after, true.get(variable)):
                    node = turn.id if turn.id < known else None
                    return Divergence(run, step, node, turn.name, after, true.get(variable))
        return None

    for step, turn in enumerate(real.turns, 1):
        here = place.get(times[step - 1])
        if here is None:
            for variable, _, after in turn.writes:
                true[variable] = after
                if not same(mine.get(variable), after):
                    return Divergence(run, step, turn.id, turn.name, mine.get(variable), after)
            continue
        found = model_only(here, step - 1)
        if found is not None:
            return found
        if here >= at:
            at = here
            model_only(here + 1, step)
        for variable, _, after in turn.writes:
            true[variable] = after
            if not same(mine.get(variable), after):
                return Divergence(run, step, turn.id, turn.name, mine.get(variable), after)
        for one, other in zip(told.turns[here].values, turn.values):
            # A variable that a model has not given its first value yet is no difference.
            if one is not None and not same(one, other):
                return Divergence(run, step, turn.id, turn.name, one, other)
    return model_only(len(told.turns), len(real.turns))


def _numbered(turns: Iterable[Turn]) -> list[tuple[int, int]]:
    """For each turn its node, and how many turns the node took before."""
    taken: dict[int, int] = {}
    found = []
    for turn in turns:
        count = taken[turn.id] = taken.get(turn.id, -1) + 1
        found.append((turn.id, count))
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal; NaN equals NaN, a failure one of its kind."""
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
    except TypeError:
        # Strings and other objects know no NaN.
        return bool(np.array_equal(left, right))
