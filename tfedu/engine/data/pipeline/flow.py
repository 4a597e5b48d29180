"""What happens in a pipeline: `record_flow(dataset, 20)` passes over the first elements and tells which stage did what, in order.

Stages ask (pull) and hand on (push); a stage that holds several elements takes them into its buffer and out of it. The order is
that of one thread; times are another question (a simulated clock answers it). No state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...graph.stacks import get_default_session
from ...ops.pipeline.values import Dataset, Failure, Walk
from ...runtime.session import Session
from ...runtime.store import World
from .options import optimizations


@dataclass
class Stage:
    """A node of the pipeline. label: its call; params: its numbers; capacity: how many elements its buffer may hold (None: it has
    none); lanes: how many elements it makes at a time, -1 for any; is_inner: a function of another stage makes this one.
    """

    id: int
    op: str
    label: str
    inputs: list[int]
    site: Any
    params: dict[str, Any]
    capacity: int | None
    lanes: int
    is_inner: bool = False


@dataclass(frozen=True)
class Element:
    """What a stage handed on. index: its number in this stage; epoch: the pass over the source that it came from; sources: the
    elements that it was made of."""

    id: int
    stage: int
    index: int
    epoch: int
    value: Any
    sources: tuple[int, ...]


@dataclass(frozen=True)
class Event:
    """kind: pull, push, buffer_in, buffer_out, end or error."""

    stage: int
    kind: str
    element: int | None = None


@dataclass
class Flow:
    """The stages, sources first; the elements and events in order; whether the pipeline ended, and by which error."""

    stages: list[Stage] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    ended: bool = False
    error: str | None = None


def record_flow(dataset: Any, elements: int = 20, session: Any = None) -> Flow:
    """The first `elements` elements of a dataset and how they came about.

    session: holds the variables and tables that the dataset's functions use; by default the default session, or a new one.

    Raises: the error of a node that the dataset's own nodes need.
    """
    session = session or get_default_session()
    if session is not None:
        return _recorded(dataset, elements, session)
    with Session(graph=dataset.graph) as own:
        return _recorded(dataset, elements, own)


def _recorded(dataset: Any, count: int, session: Any) -> Flow:
    variant = dataset._variant_tensor
    value = session.run(variant)
    # As an iterator does it, but by no node: who looks at a dataset leaves its graph as it is.
    if "shuffle_and_repeat_fusion" in optimizations(dataset.options().experimental_optimization):
        value = value.optimized()
    walk = _RecordedWalk(World(variant.op, session.store))
    last = walk.stage_of(value)
    passed: Any = walk(value)
    for _ in range(count):
        try:
            element = next(passed, None)
        except Exception as error:  # of a stage's own code: the flow up to here is what can be told
            walk.flow.error = str(error)
            break
        if element is None:
            walk.flow.ended = True
            break
        if type(element) is Failure:
            walk.flow.error = str(element.error)
            break
    passed.close()
    walk.flow.stages.sort(key=lambda stage: stage.id)
    assert last in {stage.id for stage in walk.flow.stages}
    return walk.flow


class _RecordedWalk(Walk):
    """A walk that notes what each stage does.

    State: the flow; the stages by their nodes; the elements that live, by identity; how many passes each stage has begun.
    """

    takes_whole_batches = False

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.flow = Flow()
        self._stages: dict[Any, Stage] = {}
        self._alive: dict[int, tuple[Any, int]] = {}
        self._passes: dict[int, int] = {}
        self._pushes: dict[int, int] = {}
        self._asking: list[_Pass] = []

    def stage_of(self, dataset: Dataset, is_inner: bool = False) -> int:
        """The number of the dataset's stage; inputs have smaller ones."""
        stage = self._stages.get(dataset.node)
        if stage is None:
            inputs = [self.stage_of(input, is_inner) for input in dataset.inputs]
            stage = _stage(len(self._stages), dataset, inputs, is_inner)
            self._stages[dataset.node] = stage
            self.flow.stages.append(stage)
        return stage.id

    def __call__(self, dataset: Dataset) -> Iterator[Any]:
        known = dataset.node in self._stages
        number = self.stage_of(dataset, is_inner=not known)
        if not known and self._asking:
            consumer = self.flow.stages[self._asking[-1].stage.id]
            consumer.inputs.append(number)
        self._passes[number] = self._passes.get(number, -1) + 1
        return self._observed(_Pass(self._stages[dataset.node], self._passes[number]), dataset)

    def _observed(self, own: _Pass, dataset: Dataset) -> Iterator[Any]:
        consumer = self._asking[-1] if self._asking else None
        passed: Any = dataset.elements(self, *dataset.inputs)
        events, number = self.flow.events, own.stage.id
        while True:
            if consumer is not None:
                events.append(Event(consumer.stage.id, "pull"))
            self._asking.append(own)
            try:
                element = next(passed, None)
            finally:
                self._asking.pop()
            if element is None:
                events.append(Event(number, "end"))
                return
            if type(element) is Failure:
                events.append(Event(number, "error"))
                own.taken.clear()
                yield element
                continue
            pushed = self._pushed(own, element)
            if consumer is not None:
                consumer.taken.append(pushed)
                if consumer.stage.capacity is not None:
                    events.append(Event(consumer.stage.id, "buffer_in", pushed))
            # A new tuple: a cache hands on the same one in many passes, and identity has to tell which of them this is.
            element = (*element,)
            self._alive[id(element)] = element, pushed
            yield element

    def _pushed(self, own: _Pass, element: Any) -> int:
        """Notes that a stage hands an element on; returns the element's number."""
        flow, number = self.flow, own.stage.id
        known = self._alive.get(id(element))
        if known is not None and known[1] in own.taken:
            sources: tuple[int, ...] = (known[1],)
            own.taken.remove(known[1])
        else:
            sources = tuple(own.taken)
            own.taken.clear()
        if own.stage.capacity is not None:
            flow.events.extend(Event(number, "buffer_out", source) for source in sources)
        epoch = flow.elements[sources[0]].epoch if sources else own.epoch
        index = self._pushes.get(number, 0)
        self._pushes[number] = index + 1
        made = Element(len(flow.elements), number, index, epoch, element, sources)
        flow.elements.append(made)
        flow.events.append(Event(number, "push", made.id))
        return made.id


class _Pass:
    """A pass over one stage. taken: the elements that it got and has not handed on, by number."""

    __slots__ = ("stage", "epoch", "taken")

    def __init__(self, stage: Stage, epoch: int) -> None:
        self.stage = stage
        self.epoch = epoch
        self.taken: list[int] = []


_BUFFERS = ("buffer_size", "batch_size", "size")


def _stage(number: int, dataset: Dataset, inputs: list[int], is_inner: bool) -> Stage:
    node, facts = dataset.node, dataset.facts
    params = {name: value for name, value in facts.items() if isinstance(value, (int, float, str, bool))}
    capacity = next((int(facts[name]) for name in _BUFFERS if name in params), None)
    lanes = int(facts.get("calls", 1))
    joined = facts.get("joined")
    names = [node] if joined is None else [joined, node]
    called = ".".join(_call_text(each, facts) for each in names)
    return Stage(number, node.type, called, inputs, node.site, params, capacity, lanes, is_inner)


# What a program calls, where that is another name than the node type's.
_CALLED = {
    "Tensor": "from_tensors", "TensorSlice": "from_tensor_slices", "SparseTensorSlice": "from_sparse_tensor_slices",
    "Generator": "from_generator", "ParallelMap": "map", "ParallelInterleave": "interleave", "TextLine": "TextLineDataset",
    "TFRecord": "TFRecordDataset", "FixedLengthRecord": "FixedLengthRecordDataset",
}  # fmt: skip


def _call_text(node: Any, facts: dict[str, Any]) -> str:
    """The call that made a node, as a program writes it: `shuffle(buffer_size=4)`."""
    kind = node.type.removesuffix("V2").removesuffix("Dataset")
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind).lstrip("_")
    name = _CALLED.get(kind, snake)
    own = {
        key: value for key, value in facts.items()
        if isinstance(value, (int, str)) and value is not False and (key in _ARGUMENTS.get(kind, ()) or kind not in _ARGUMENTS)
    }  # fmt: skip
    arguments = [f"{'num_parallel_calls' if key == 'calls' else key}={value}" for key, value in own.items()]
    function = facts.get("function")
    if function is not None and kind not in _ARGUMENTS:
        arguments.insert(0, str(function).rpartition("_")[0].rsplit("_", 1)[-1])
    return f"{name}({', '.join(arguments)})"


# The facts of stages that TF may join with another one.
_ARGUMENTS = {"Shuffle": ("buffer_size",), "Repeat": ("count",)}


__all__ = ["Element", "Event", "Flow", "Stage", "record_flow"]
