"""Wrong mental models as real executors: `MODELS["M2"].predict(y, runs=3)` gives what somebody who thinks so expects.

Each takes any graph, fetches, feeds and number of runs, and tells the runs as stories (story.py) that can be held
against the engine's: `model.diverges(y)` is the first turn in which they part. They share the engine's kernels and
differ in which nodes run, when and how often. None knows a node by its name. State: `MODELS`, the models by code.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...engine.base import errors
from ...engine.base.dead import DEAD
from ...engine.graph.copies import Copied, copied
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation, Tensor
from ...engine.ops.control_flow import MERGES, SWITCHES
from ...engine.ops.state import ASSIGNMENTS, VARIABLES, is_variable_read
from ...engine.runtime.frames import Item, Segment, has_loops
from ...engine.runtime.node_turn import compute
from ...engine.runtime.place import Placed
from ...engine.runtime.prune import prune
from ...engine.runtime.schedule import Schedule, schedule
from ...engine.runtime.store import Buffer, Store, View
from ..lint.relabelled_tensors import relabels, waiting_identity
from .story import Divergence, Story, Task, Walk, diverges, engine_stories, failed_stories


class Model:
    """A way of thinking about a graph, as an executor."""

    code: str

    def stories(self, task: Task) -> list[Story]:
        """The runs as this model expects them; runs that cannot even begin (a cycle) have all failed."""
        try:
            return self._stories(task)
        except errors.OpError as error:
            return failed_stories(task, error)

    def _stories(self, task: Task) -> list[Story]:
        raise NotImplementedError

    def predict(self, fetches: Any, feed_dict: Any = None, runs: int = 3) -> list[list[Any]]:
        """For each run the fetched values that this model expects; a failing run gives `Failure`s.

        Raises: TypeError and ValueError for wrong fetches and feeds, as Session.run does.
        """
        return [story.fetched for story in self.stories(Task(fetches, feed_dict, runs))]

    def diverges(self, fetches: Any, feed_dict: Any = None, runs: int = 3) -> Divergence | None:
        """Where this model and the engine first part; None when they do not in these runs.

        Raises: as predict.
        """
        task = Task(fetches, feed_dict, runs)
        return diverges(
            self.stories(task), engine_stories(task), task.tensors, len(task.graph.operations)
        )

    def __repr__(self) -> str:
        return f"<tfedu.explain model {self.code}>"


# -- what several models need ----------------------------------------------------------------------------------------


def order_of(graph: Graph, targets: Iterable[Operation], task: Task) -> Sequence[Item]:
    """The nodes that a run of these targets takes, in the task's schedule; a loop is one of the items."""
    return _items(schedule(Placed(prune(graph, targets, task.fed)), task.policy))


def _items(scheduled: Schedule) -> Sequence[Item]:
    if scheduled.segment is not None:
        return scheduled.segment.items
    if scheduled.frames is not None:
        raise errors.UnimplementedError(None, None, "loops that wait for each other's nodes are no single story")
    return scheduled.order


def flat(items: Iterable[Item]) -> list[Operation]:
    """The nodes of the items, those of loops among them."""
    return [op for item in items for op in (item.flat() if isinstance(item, Segment) else (item,))]


def kept(items: Iterable[Item], nodes: Collection[Operation]) -> list[Item]:
    """The items without the nodes that are not among `nodes`."""
    found: list[Item] = []
    for item in items:
        if isinstance(item, Segment):
            inside = kept(item.items, nodes)
            if inside:
                found.append(Segment(item.frame, tuple(inside)))
        elif item in nodes:
            found.append(item)
    return found


def in_order(graph: Graph, task: Task) -> Sequence[Item]:
    """All nodes in the order of the program, each after what it needs; those that wait for themselves are left out.

    (A node that a cond takes in is older than the switch that its input then comes from.)
    """
    if has_loops(prune(graph, graph.operations)):
        return order_of(graph, graph.operations, task)
    pending: dict[int, int] = {}
    after: dict[int, list[Operation]] = {}
    for op in graph.operations:
        above = {*(t.op.id for t in op.inputs if t not in task.fed), *(waited.id for waited in op.control_inputs)}
        pending[op.id] = len(above)
        for needed in above:
            after.setdefault(needed, []).append(op)
    ready = [id for id, count in pending.items() if not count]
    order: list[Item] = []
    while ready:
        op = graph.operations[heapq.heappop(ready)]
        order.append(op)
        for waiting in after.get(op.id, ()):
            pending[waiting.id] -= 1
            if not pending[waiting.id]:
                heapq.heappush(ready, waiting.id)
    return order


def updates(graph: Graph) -> set[Operation]:
    """The nodes that write a variable."""
    known = [op for op in graph.operations if op.definition is not None]
    return {op for op in known if op.definition.resource == "variable" and op.definition.written_inputs}


def initializers(graph: Graph) -> set[Operation]:
    """The nodes that give variables their first values: a program runs them once, before it starts."""
    found = set()
    for name in ("variables", "local_variables"):
        for variable in graph.get_collection(name):
            initializer = getattr(variable, "initializer", None)
            if isinstance(initializer, Operation):
                found.add(initializer)
    for op in graph.operations:
        if op.type in ASSIGNMENTS and op.inputs[0].op.type in VARIABLES:
            variable = op.inputs[0].op
            if op.site is not None and variable.site is not None and _place(op) == _place(variable):
                found.add(op)
    return found


def _place(op: Operation) -> tuple[Any, int] | None:
    return None if op.site is None else (op.site.code, op.site.line)


def made_with_variables(graph: Graph) -> set[Operation]:
    """The nodes that a variable brings along under its own name: its initial value, its read, its check."""
    owners = {op.name: op for op in graph.operations if op.type in VARIABLES}
    found = set()
    for op in graph.operations:
        scope = op.name
        # Initial values lie up to a few scopes deep, as in Variable/Initializer/initial_value.
        for _ in range(4):
            scope = scope.rpartition("/")[0]
            if not scope:
                break
            owner = owners.get(scope)
            if owner is not None and _place(owner) == _place(op):
                found.add(op)
                break
    return found


def below(graph: Graph, roots: Iterable[Operation]) -> set[Operation]:
    """The roots and all that takes their values or waits for them."""
    found = set(roots)
    stack = list(found)
    while stack:
        op = stack.pop()
        for after in (*(c for t in op.outputs for c in t.consumers()), *op.control_outputs):
            if after not in found:
                found.add(after)
                stack.append(after)
    return found


def own_read(handle: Operation) -> Operation | None:
    """The read that was made with a resource variable and stands for it."""
    reads = [op for op in handle.outputs[0].consumers() if is_variable_read(op)]
    return min(reads, key=lambda op: op.id, default=None)


def standing_reads(tensors: Iterable[Tensor]) -> list[Operation]:
    """Fetched reads that stand for a variable itself, as `sess.run(x)` of a resource variable does."""
    return [
        t.op
        for t in tensors
        if is_variable_read(t.op)
        and not t.op.control_inputs
        and t.op.inputs[0].op.type in VARIABLES
        and own_read(t.op.inputs[0].op) is t.op
    ]


def _look(walk: Walk, task: Task) -> list[Any]:
    """Reads the fetched tensors, a variable itself as it is now."""
    for read in standing_reads(task.tensors):
        if read.id in walk.values and not any(t in task.fed for t in read.outputs):
            walk.values[read.id] = list(compute(read, [walk.value(read.inputs[0])], walk.store))
    return walk.fetch(task.tensors)


# -- the models ------------------------------------------------------------------------------------------------------


class TopToBottom(Model):
    """M1: Python carries each line out where it stands, once; later runs only look at what is there."""

    code = "M1"

    def _stories(self, task: Task) -> list[Story]:
        written = Walk(Store(), task.fed, required=())
        first = written.run(in_order(task.graph, task), ())
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
    """What a look at the fetches gives at the end of a run, a failure included."""
    end = Walk(walk.store, walk.fed, walk.act, walk.required)
    end.values, end.dead = walk.values, walk.dead
    end.fetch = lambda tensors: _look(walk, task)  # type: ignore[method-assign]
    return end.run((), task.tensors).fetched


class BlockHoldsNames(Model):
    """M2: a tensor that only gets a new name inside `with control_dependencies` waits for the block, too."""

    code = "M2"

    def _stories(self, task: Task) -> list[Story]:
        copy = copied(task.graph)
        held: dict[Tensor, Tensor] = {}
        for relabel in relabels(task.graph):
            for tensor in relabel.tensors:
                waiting = waiting_identity(copy, tensor, relabel.block.control_inputs)
                held[tensor] = waiting
                for consumer, index in relabel.uses(tensor):
                    copy.graph.update_input(copy.of(consumer), index, waiting)
        tensors = [held[t] if t in held else copy.of(t) for t in task.tensors]
        fed = {copy.of(t): value for t, value in task.fed.items()}
        return _runs_on(copy, task, tensors, fed)


def _runs_on(copy: Copied, task: Task, tensors: list[Tensor], fed: dict[Tensor, Any]) -> list[Story]:
    """The task's runs on a changed copy of its graph."""
    computed = [t for t in tensors if t not in fed]
    targets = [*(t.op for t in computed), *(copy.of(op) for op in task.operations)]
    scheduled = schedule(Placed(prune(copy.graph, targets, fed)), task.policy)
    order = _items(scheduled)
    store = task.store()
    return [Walk(store, fed).run(order, tensors) for _ in range(task.runs)]


class EverythingRuns(Model):
    """M3: each run runs the whole graph, both branches of a cond too, but for what only gives variables their first values."""

    code = "M3"

    def _stories(self, task: Task) -> list[Story]:
        graph = task.graph
        needed = set(prune(graph, task.targets, task.fed).operations)
        once = (below(graph, initializers(graph)) | made_with_variables(graph)) - needed
        targets = [op for op in graph.operations if op not in once]
        wanted = prune(graph, [*targets, *task.targets], task.fed).needed_by
        possible = [op for op in flat(in_order(graph, task)) if op in wanted]
        # A cycle far from the fetches does not keep them from running.
        order = order_of(graph, possible, task) if needed <= set(possible) else order_of(graph, needed, task)
        store = task.store()
        stories = []
        for _ in range(task.runs):
            # Which branch a cond takes its result from shows in a run on a copy of the variables.
            rehearsal = Walk(store.copy(), task.fed, required=needed)
            rehearsal.run(order, ())
            walk = _BothBranches(store, task.fed, needed, rehearsal)
            story = walk.run(order, ())
            if not story.fetched:
                story.fetched = _fetched(walk, task)
            stories.append(story)
        return stories


class _BothBranches(Walk):
    """A run in which no branch of a cond is dead; the Merge picks a result of those that there are.

    In a loop the engine's way holds: which branch is taken changes from one iteration to the next.
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
    """M4: of a cond only what the taken branch mentions runs, even what was made outside it."""

    code = "M4"

    def _stories(self, task: Task) -> list[Story]:
        order = order_of(task.graph, task.targets, task)
        store = task.store()
        stories = []
        for _ in range(task.runs):
            # Which branches are taken shows in a run on a copy of the variables.
            rehearsal = Walk(store.copy(), task.fed)
            rehearsal.run(order, ())
            mentioned = self._mentioned(task, rehearsal)
            stories.append(_Reader(store, task.fed).run(kept(order, mentioned), task.tensors))
        return stories

    @staticmethod
    def _mentioned(task: Task, rehearsal: Walk) -> set[Operation]:
        """Walks back from the fetches as a reader of the program does, never into a branch that is not taken."""
        ran = rehearsal.ran
        found = set(task.targets)
        stack = list(found)
        while stack:
            op = stack.pop()
            above = [t for t in op.inputs if t not in task.fed]
            if op.type in MERGES:
                above = [t for t in above if _lives(t, rehearsal)] or above
            for needed in (*(t.op for t in above), *op.control_inputs):
                if needed not in found and (needed.id in ran or op.id not in ran):
                    found.add(needed)
                    stack.append(needed)
        return found


class _Reader(Walk):
    """A run in which what nobody mentioned is as dead as a branch that is not taken."""

    def value(self, tensor: Tensor) -> Any:
        if tensor not in self.fed and tensor.op.id not in self.values:
            return DEAD
        return super().value(tensor)


def _lives(tensor: Tensor, walk: Walk) -> bool:
    return tensor in walk.fed or tensor in walk.lived


class AssignsWhenWritten(Model):
    """M5: an assign changes the variable when Python reads the line, and a run does not change it again."""

    code = "M5"

    def _stories(self, task: Task) -> list[Story]:
        writing = updates(task.graph)
        written = Walk(Store(), task.fed, required=())
        first = written.run(in_order(task.graph, task), ())
        store = written.store
        store.generators = task.store().generators

        def act(op: Operation, inputs: Sequence[Any], store: Store) -> Sequence[Any]:
            if op not in writing:
                return compute(op, inputs, store)
            # Nothing to do any more: the name stands for the variable.
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
    """M6: with several fetches each one runs the graph for itself, one after the other."""

    code = "M6"

    def _stories(self, task: Task) -> list[Story]:
        store = task.store()
        return [self._one(task, store) for _ in range(task.runs)]

    @staticmethod
    def _one(task: Task, store: Store) -> Story:
        elements: list[Tensor | Operation] = [*task.tensors, *task.operations]
        whole = Story({buffer.name: buffer.value for buffer in store.buffers.values()})
        for element in elements:
            tensor = isinstance(element, Tensor)
            if tensor and element in task.fed:
                whole.fetched.append(task.fed[element])
                continue
            op = element.op if isinstance(element, Tensor) else element
            part = Walk(store, task.fed).run(
                order_of(task.graph, [op], task), [element] if isinstance(element, Tensor) else []
            )
            whole.turns.extend(part.turns)
            if tensor or part.fetched:
                whole.fetched.extend(part.fetched)
        return whole


class IdentityIsNothing(Model):
    """M7: `tf.identity(x)` is `x`: the node can be left out, and what waits at it with it."""

    code = "M7"

    def _stories(self, task: Task) -> list[Story]:
        copy = copied(task.graph)
        graph = copy.graph
        fed = {copy.of(t): value for t, value in task.fed.items()}
        left_out = {
            op for op in graph.operations if self._is_plain(op) and op.outputs[0] not in fed
        }
        stands: dict[Tensor, Tensor] = {}
        for op in [copy.of(op) for op in flat(in_order(task.graph, task))]:
            if op not in left_out:
                continue
            source = op.inputs[0]
            meant = stands[op.outputs[0]] = stands.get(source, self._meant(op, source))
            for consumer in dict.fromkeys(op.outputs[0].consumers()):
                # What is left out itself takes nothing any more.
                if consumer in left_out:
                    continue
                for index, tensor in enumerate(consumer.inputs):
                    if tensor is op.outputs[0]:
                        graph.update_input(consumer, index, meant)
            for after in op.control_outputs:
                graph.remove_control_input(after, op)
                if after is not meant.op:
                    graph.add_control_input(after, meant.op)
        tensors = [stands.get(t, t) for t in map(copy.of, task.tensors)]
        operations = [op for op in task.operations if copy.of(op) not in left_out]
        return _runs_on(copy, _Without(task, operations), tensors, fed)

    @staticmethod
    def _is_plain(op: Operation) -> bool:
        """An identity that the program asked for, and not one with which a cond chooses its branch."""
        graph = op.graph
        if op.type != "Identity" or not graph.is_fetchable(op):
            return False
        source = op.inputs[0].op
        return graph.is_fetchable(source) and source is not op

    @staticmethod
    def _meant(op: Operation, source: Tensor) -> Tensor:
        """What was given to identity: for a read that was made for it, the variable."""
        made_for_it = is_variable_read(source.op) and source.op.name.startswith(f"{op.name}/")
        if not made_for_it:
            return source
        read = own_read(source.op.inputs[0].op)
        return source if read is None or read is source.op else read.outputs[0]


class _Without(Task):
    """A task without some of its fetched operations."""

    def __init__(self, task: Task, operations: list[Operation]) -> None:
        self.__dict__.update(task.__dict__)
        self.operations = operations


class ReadIsPhotograph(Model):
    """M8: what was read from a variable stays as it was, whatever is written later."""

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
    """A reference and what it held when its node ran."""

    __slots__ = ("reference", "value", "name")

    def __init__(self, reference: Buffer | View) -> None:
        self.reference = reference
        self.name = reference.name
        self.value = reference.value


class _Photographing(Walk):
    def value_now(self, value: Any) -> Any:
        return value.value if isinstance(value, _Photograph) else value

    def fetch(self, tensors: Sequence[Tensor]) -> list[Any]:
        kept = self.values
        self.values = {
            id: [_held(v) if isinstance(v, _Photograph) else v for v in values] for id, values in kept.items()
        }
        try:
            return super().fetch(tensors)
        finally:
            self.values = kept


def _held(photograph: _Photograph) -> Any:
    """The photograph's value as a reference that holds it, so that an empty one fails as an empty variable does."""
    held = Buffer(photograph.name)
    held.value = photograph.value
    return held


def _with_photographs(op: Operation, inputs: Sequence[Any], store: Store) -> Sequence[Any]:
    d = op.definition
    given = []
    for i, value in enumerate(inputs):
        if not isinstance(value, _Photograph):
            given.append(value)
        elif d.inputs[i if d.flat else 0].is_ref:
            given.append(value.reference)
        elif value.value is None:
            given.append(_held(value))
        else:
            given.append(value.value)
    return [_Photograph(v) if isinstance(v, (Buffer, View)) else v for v in compute(op, given, store)]


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
