"""Wrong mental models as executors: `MODELS["M2"].predict(y, runs=3)` returns what a learner with this misconception expects.

A model runs any graph, fetches and feeds, and returns stories (story.py) to compare with the engine's: `model.diverges(y)` is
the first difference. Models share the engine's kernels and differ in which nodes run, when and how often. No model knows a
node by its name. State: `MODELS`, the models by code.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...engine.base import errors
from ...engine.base.dead import DEAD
from ...engine.graph.copies import Copied, copied
from ...engine.graph.nodes import Operation, Tensor
from ...engine.ops.control_flow import MERGES, SWITCHES
from ...engine.ops.state import is_variable_read
from ...engine.runtime.node_turn import compute
from ...engine.runtime.place import Placed
from ...engine.runtime.prune import prune
from ...engine.runtime.schedule import schedule
from ...engine.runtime.store import Buffer, Store, View
from ..graph_walks import descendants
from ..lint.relabelled_tensors import relabels, waiting_identity
from .graph_parts import (
    flat,
    initializers,
    items_of,
    order_of,
    own_read,
    program_order,
    restricted,
    updates,
    variable_parts,
    variable_reads,
)
from .story import Divergence, Story, Task, UnfinishedError, Walk, diverges, engine_stories, failed_stories


class Model:
    """A misconception about graphs, as an executor. code: its key in `MODELS` and in messages."""

    code: str

    def stories(self, task: Task) -> list[Story]:
        """The runs as this model expects them; if none can begin (a cycle), all have failed.

        Raises: UnfinishedError for a run that does not end within MOST_TURNS turns: what the model expects is not known.
        """
        try:
            return self._stories(task)
        except UnfinishedError:
            raise
        except errors.OpError as error:
            return failed_stories(task, error)

    def _stories(self, task: Task) -> list[Story]:
        raise NotImplementedError

    def predict(self, fetches: Any, feed_dict: Any = None, runs: int = 3) -> list[list[Any]]:
        """The fetched values that this model expects of each run; those of a failing run are `Failure`s.

        Raises: TypeError and ValueError for wrong fetches and feeds, as Session.run does; DeadlineExceededError if a run does not
        end within 50,000 turns of nodes, so that what the model expects is not known.
        """
        return [story.fetched for story in self.stories(Task(fetches, feed_dict, runs))]

    def diverges(self, fetches: Any, feed_dict: Any = None, runs: int = 3) -> Divergence | None:
        """The first difference between this model and the engine; None if there is none in these runs.

        Raises: as predict.
        """
        task = Task(fetches, feed_dict, runs)
        return diverges(
            self.stories(task), engine_stories(task), task.tensors, len(task.graph.operations)
        )

    def __repr__(self) -> str:
        return f"<tfedu.explain model {self.code}>"


# -- shared by several models ---------------------------------------------------------------------------------------


def _fetch_now(walk: Walk, task: Task) -> list[Any]:
    """The fetched values; a fetched variable is read again."""
    for read in variable_reads(task.tensors):
        if read.id in walk.values and not any(t in task.fed for t in read.outputs):
            walk.values[read.id] = list(compute(read, [walk.value(read.inputs[0])], walk.store))
    return walk.fetch(task.tensors)


# -- the models ------------------------------------------------------------------------------------------------------


class TopToBottom(Model):
    """M1: Python executes each line once, where it is written; runs only look at the results."""

    code = "M1"

    def _stories(self, task: Task) -> list[Story]:
        written = Walk(Store(), task.fed, required=())
        first = written.run(program_order(task.graph, task), ())
        stories = []
        for run in range(task.runs):
            walk = Walk(written.store, task.fed)
            walk.values, walk.dead = written.values, written.dead
            story = walk.run((), ())
            if run == 0:
                story = first
            story.fetched = _fetched(walk, task)
            stories.append(story)
        return stories


def _fetched(walk: Walk, task: Task) -> list[Any]:
    """The fetched values, or failures, at the end of a run."""
    end = Walk(walk.store, walk.fed, walk.act, walk.required)
    end.values, end.dead = walk.values, walk.dead
    end.fetch = lambda tensors: _fetch_now(walk, task)  # type: ignore[method-assign]
    return end.run((), task.tensors).fetched


class BlockHoldsNames(Model):
    """M2: a tensor that a `with control_dependencies` block only names waits for the block too."""

    code = "M2"

    def _stories(self, task: Task) -> list[Story]:
        copy = copied(task.graph)
        identities: dict[Tensor, Tensor] = {}
        for relabel in relabels(task.graph):
            for tensor in relabel.tensors:
                identity = waiting_identity(copy, tensor, relabel.block.control_inputs)
                identities[tensor] = identity
                for consumer, index in relabel.uses(tensor):
                    copy.graph.update_input(copy.of(consumer), index, identity)
        tensors = [identities[t] if t in identities else copy.of(t) for t in task.tensors]
        fed = {copy.of(t): value for t, value in task.fed.items()}
        return _runs_on(copy, task, tensors, fed)


def _runs_on(copy: Copied, task: Task, tensors: list[Tensor], fed: dict[Tensor, Any]) -> list[Story]:
    """The task's runs in a changed copy of its graph."""
    computed = [t for t in tensors if t not in fed]
    targets = [*(t.op for t in computed), *(copy.of(op) for op in task.operations)]
    scheduled = schedule(Placed(prune(copy.graph, targets, fed)), task.policy)
    order = items_of(scheduled)
    store = task.store()
    return [Walk(store, fed).run(order, tensors) for _ in range(task.runs)]


class EverythingRuns(Model):
    """M3: each run runs the whole graph, both branches of conds too, except what only initializes variables."""

    code = "M3"

    def _stories(self, task: Task) -> list[Story]:
        graph = task.graph
        needed = set(prune(graph, task.targets, task.fed).operations)
        once = {*descendants(initializers(graph)), *variable_parts(graph)} - needed
        targets = [op for op in graph.operations if op not in once]
        wanted = prune(graph, [*targets, *task.targets], task.fed).needed_by
        possible = [op for op in flat(program_order(graph, task)) if op in wanted]
        # A cycle far from the fetches does not keep them from running.
        order = order_of(graph, possible, task) if needed <= set(possible) else order_of(graph, needed, task)
        store = task.store()
        stories = []
        for _ in range(task.runs):
            # A run on a copy of the variables shows which branch each cond takes.
            rehearsal = Walk(store.copy(), task.fed, required=needed)
            rehearsal.run(order, ())
            walk = _BothBranches(store, task.fed, needed, rehearsal)
            story = walk.run(order, ())
            if not story.fetched:
                story.fetched = _fetched(walk, task)
            stories.append(story)
        return stories


class _BothBranches(Walk):
    """A run in which no branch of a cond is dead; a Merge picks the result of the branch that the rehearsal took.

    In loops conds work as in the engine, since their branches change from one iteration to the next.
    """

    def __init__(self, store: Store, fed: Mapping[Tensor, Any], required: Collection[Operation], rehearsal: Walk) -> None:
        super().__init__(store, fed, self._act, required)
        self.rehearsal = rehearsal

    def _act(self, op: Operation, inputs: Sequence[Any], store: Store) -> Sequence[Any]:
        if self.turning:
            return compute(op, inputs, store)
        if op.type in SWITCHES:
            return [inputs[0], inputs[0]]
        if op.type in MERGES:
            index = next((i for i, tensor in enumerate(op.inputs) if _lives(tensor, self.rehearsal)), 0)
            return [inputs[index], np.int32(index)]
        return compute(op, inputs, store)


class CondIsPythonIf(Model):
    """M4: a cond runs only what the taken branch mentions, even if it was made outside the cond."""

    code = "M4"

    def _stories(self, task: Task) -> list[Story]:
        order = order_of(task.graph, task.targets, task)
        store = task.store()
        stories = []
        for _ in range(task.runs):
            # A run on a copy of the variables shows which branches the conds take.
            rehearsal = Walk(store.copy(), task.fed)
            rehearsal.run(order, ())
            mentioned = self._mentioned(task, rehearsal)
            stories.append(_Reader(store, task.fed).run(restricted(order, mentioned), task.tensors))
        return stories

    @staticmethod
    def _mentioned(task: Task, rehearsal: Walk) -> set[Operation]:
        """The nodes that a reader of the program meets on the way back from the fetches, without branches not taken."""
        ran = rehearsal.ran
        mentioned = set(task.targets)
        stack = list(mentioned)
        while stack:
            op = stack.pop()
            inputs = [t for t in op.inputs if t not in task.fed]
            if op.type in MERGES:
                inputs = [t for t in inputs if _lives(t, rehearsal)] or inputs
            for needed in (*(t.op for t in inputs), *op.control_inputs):
                if needed not in mentioned and (needed.id in ran or op.id not in ran):
                    mentioned.add(needed)
                    stack.append(needed)
        return mentioned


class _Reader(Walk):
    """A run in which tensors that the program does not mention are dead."""

    def value(self, tensor: Tensor) -> Any:
        if tensor not in self.fed and tensor.op.id not in self.values:
            return DEAD
        return super().value(tensor)


def _lives(tensor: Tensor, walk: Walk) -> bool:
    return tensor in walk.fed or tensor in walk.lived


class AssignsWhenWritten(Model):
    """M5: an assign changes the variable when Python executes the line, and not when it runs."""

    code = "M5"

    def _stories(self, task: Task) -> list[Story]:
        writing = updates(task.graph)
        written = Walk(Store(), task.fed, required=())
        first = written.run(program_order(task.graph, task), ())
        store = written.store
        store.generators = task.store().generators

        def act(op: Operation, inputs: Sequence[Any], store: Store) -> Sequence[Any]:
            if op not in writing:
                return compute(op, inputs, store)
            # The assign is done: its result is the variable.
            return [inputs[op.definition.alias_index]] if op.outputs else ()

        order = order_of(task.graph, task.targets, task)
        stories = []
        for run in range(task.runs):
            story = Walk(store, task.fed, act).run(order, task.tensors)
            if run == 0:
                of_assigns = [turn for turn in first.turns if task.graph.operations[turn.id] in writing]
                own = [turn for turn in story.turns if task.graph.operations[turn.id] not in writing]
                story = Story(first.variables, [*of_assigns, *own], story.fetched)
            stories.append(story)
        return stories


class EachFetchRuns(Model):
    """M6: several fetches run the graph several times, one after the other."""

    code = "M6"

    def _stories(self, task: Task) -> list[Story]:
        store = task.store()
        return [self._one(task, store) for _ in range(task.runs)]

    @staticmethod
    def _one(task: Task, store: Store) -> Story:
        elements: list[Tensor | Operation] = [*task.tensors, *task.operations]
        story = Story({buffer.name: buffer.value for buffer in store.buffers.values()})
        for element in elements:
            tensor = isinstance(element, Tensor)
            if tensor and element in task.fed:
                story.fetched.append(task.fed[element])
                continue
            op = element.op if isinstance(element, Tensor) else element
            part = Walk(store, task.fed).run(
                order_of(task.graph, [op], task), [element] if isinstance(element, Tensor) else []
            )
            story.turns.extend(part.turns)
            if tensor or part.fetched:
                story.fetched.extend(part.fetched)
        return story


class IdentityIsNothing(Model):
    """M7: `tf.identity(x)` is `x`: the node and its control edges do nothing."""

    code = "M7"

    def _stories(self, task: Task) -> list[Story]:
        copy = copied(task.graph)
        graph = copy.graph
        fed = {copy.of(t): value for t, value in task.fed.items()}
        left_out = {
            op for op in graph.operations if self._is_plain(op) and op.outputs[0] not in fed
        }
        replacement: dict[Tensor, Tensor] = {}
        for op in [copy.of(op) for op in flat(program_order(task.graph, task))]:
            if op not in left_out:
                continue
            source = op.inputs[0]
            source_tensor = replacement[op.outputs[0]] = replacement.get(source, self._meant(op, source))
            for consumer in dict.fromkeys(op.outputs[0].consumers()):
                # The inputs of a node that is left out do not matter.
                if consumer in left_out:
                    continue
                for index, tensor in enumerate(consumer.inputs):
                    if tensor is op.outputs[0]:
                        graph.update_input(consumer, index, source_tensor)
            for after in op.control_outputs:
                graph.remove_control_input(after, op)
                if after is not source_tensor.op:
                    graph.add_control_input(after, source_tensor.op)
        tensors = [replacement.get(t, t) for t in map(copy.of, task.tensors)]
        operations = [op for op in task.operations if copy.of(op) not in left_out]
        return _runs_on(copy, _Without(task, operations), tensors, fed)

    @staticmethod
    def _is_plain(op: Operation) -> bool:
        """Whether the node is an identity of the program, and not one of a cond's."""
        graph = op.graph
        if op.type != "Identity" or not graph.is_fetchable(op):
            return False
        source = op.inputs[0].op
        return graph.is_fetchable(source) and source is not op

    @staticmethod
    def _meant(op: Operation, source: Tensor) -> Tensor:
        """The argument of tf.identity: the variable's own read where the identity made a read of its own."""
        is_its_read = is_variable_read(source.op) and source.op.name.startswith(f"{op.name}/")
        if not is_its_read:
            return source
        read = own_read(source.op.inputs[0].op)
        return source if read is None or read is source.op else read.outputs[0]


class _Without(Task):
    """A task without some of its fetched operations."""

    def __init__(self, task: Task, operations: list[Operation]) -> None:
        self.__dict__.update(task.__dict__)
        self.operations = operations


class ReadIsPhotograph(Model):
    """M8: the value of a read stays as it was, whatever is written later."""

    code = "M8"

    def _stories(self, task: Task) -> list[Story]:
        order = order_of(task.graph, task.targets, task)
        store = task.store()
        stories = []
        for _ in range(task.runs):
            walk = _Photographing(store, task.fed, _with_photographs)
            stories.append(walk.run(order, task.tensors))
        return stories


class _Photograph:
    """A reference and its value when its node ran."""

    __slots__ = ("reference", "value", "name")

    def __init__(self, reference: Buffer | View) -> None:
        self.reference = reference
        self.name = reference.name
        self.value = reference.value


class _Photographing(Walk):
    """A run in which references are photographs."""

    def value_now(self, value: Any) -> Any:
        return value.value if isinstance(value, _Photograph) else value

    def fetch(self, tensors: Sequence[Tensor]) -> list[Any]:
        kept = self.values
        self.values = {
            id: [_as_reference(v) if isinstance(v, _Photograph) else v for v in values] for id, values in kept.items()
        }
        try:
            return super().fetch(tensors)
        finally:
            self.values = kept


def _as_reference(photograph: _Photograph) -> Any:
    """A reference with the photograph's value, so that an empty one fails as an uninitialized variable does."""
    buffer = Buffer(photograph.name)
    buffer.value = photograph.value
    return buffer


def _with_photographs(op: Operation, inputs: Sequence[Any], store: Store) -> Sequence[Any]:
    d = op.definition
    arguments = []
    for i, value in enumerate(inputs):
        if not isinstance(value, _Photograph):
            arguments.append(value)
        elif d.inputs[i if d.flat else 0].is_ref:
            arguments.append(value.reference)
        elif value.value is None:
            arguments.append(_as_reference(value))
        else:
            arguments.append(value.value)
    return [_Photograph(v) if isinstance(v, (Buffer, View)) else v for v in compute(op, arguments, store)]


MODELS: Final[dict[str, Model]] = {
    model.code: model
    for model in (
        TopToBottom(),
        BlockHoldsNames(),
        EverythingRuns(),
        CondIsPythonIf(),
        AssignsWhenWritten(),
        EachFetchRuns(),
        IdentityIsNothing(),
        ReadIsPhotograph(),
    )
}
