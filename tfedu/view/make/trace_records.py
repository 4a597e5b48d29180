"""From the engine's trace to a record: `trace_record(trace)`. Which edges each turn used, and why each node ran or did not.

Reached through build.py, with which it is the only place where views look inside the engine. No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, Literal

import numpy as np

from ...engine.base.garbage_collection import collection_paused
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation, Tensor
from ...engine.replay.changed_run import AddControl, Change, Choose, SetValue, SetVariable
from ...engine.replay.provenance import provenance
from ...engine.replay.recorder import Output, Run, Step, Trace
from ...engine.runtime.frames import is_back_edge
from ..records import (
    BranchRecord,
    DeathRecord,
    EdgeRecord,
    FetchedRecord,
    FetchRecord,
    ForkedRecord,
    GraphRecord,
    NodeWhyRecord,
    RunRecord,
    StartRecord,
    StepRecord,
    TraceRecord,
    ValueRecord,
    WhyRecord,
)
from .dead_values import deaths_of
from .graph_records import complete, element_text, elements_text, record_of, value_text
from .trace_values import KeptValues

# A path of a hundred thousand nodes explains nothing: its two ends do, and all paths together stay small.
PATH: Final = 24

# Of a long queue the first nodes are told: all of them, after every step, would make a record grow with the square of the
# run. Which others are ready is seen from the pending counts.
READY: Final = 64

_OUTCOMES: Final[dict[str, Literal["ran", "dead", "fed", "error", "changed"]]] = {
    "ran": "ran",
    "dead": "dead",
    "fed": "fed",
    "error": "error",
    "changed": "changed",
}


@collection_paused()
def trace_record(trace: Trace, number: int | None = None) -> TraceRecord:
    """The record of a trace, with the whole graph that it ran in.

    number: which of its widget's traces it is, where that can be asked for values.
    """
    graph = record_of(complete(trace.graph))
    values = KeptValues(asked=number is not None)
    edges = _Edges(graph, trace)
    pruned, needed = _whys(trace, edges.needed)
    return TraceRecord(
        graph,
        tuple([_fetch(label, element) for label, element in trace.fetches]),
        pruned,
        needed,
        tuple([_run(index, run, trace, edges, values) for index, run in enumerate(trace.runs)]),
        tuple(values.tensors),
        number,
    )


def run_records(trace: Trace, graph: GraphRecord) -> tuple[RunRecord, ...]:
    """The records of the runs alone; graph: that of the trace's graph."""
    edges = _Edges(graph, trace)
    return tuple([_run(index, run, trace, edges, KeptValues(0)) for index, run in enumerate(trace.runs)])


def branch_record(
    first: GraphRecord, trace: Trace, number: int, parent: int, run: int, step: int, change: Change, rewired: bool
) -> BranchRecord:
    """The record of a trace that leaves its parent's at a step; first: the graph as it was before any change."""
    added, cut = _rewired(first, trace.graph) if rewired else ((), ())
    graph = replace(first, edges=(*(edge for edge in first.edges if edge.id not in cut), *added))
    edges = _Edges(graph, trace)
    values = KeptValues(0, asked=True)  # the parent's looks are those of another record
    runs = [_run(index, trace.runs[index], trace, edges, values) for index in range(run, len(trace.runs))]
    runs[0] = replace(runs[0], steps=runs[0].steps[step:])
    pruned, needed = _whys(trace, edges.needed) if rewired else ((), ())
    told = change_record(change)
    return BranchRecord(number, parent, run, step, told, tuple(runs), rewired, added, cut, pruned, needed)


def _rewired(first: GraphRecord, graph: Graph) -> tuple[tuple[EdgeRecord, ...], tuple[int, ...]]:
    """The control edges that a changed copy has besides those of the first graph, under new ids, and those that it lacks."""
    now = {(source.id, op.id): None for op in graph.operations for source in op.control_inputs}
    was = {(edge.source, edge.target): edge.id for edge in first.edges if edge.kind == "control"}
    free = max((edge.id for edge in first.edges), default=-1) + 1
    added = [
        EdgeRecord(free + n, "control", source, None, target, None, "")
        for n, (source, target) in enumerate(pair for pair in now if pair not in was)
    ]
    return tuple(added), tuple([id for pair, id in was.items() if pair not in now])


def change_record(change: Change) -> ForkedRecord:
    """What a fork changed, as it is told."""
    if isinstance(change, SetValue):
        return ForkedRecord("value", {"name": change.tensor.name, "value": _given_text(change.value)})
    if isinstance(change, SetVariable):
        return ForkedRecord("variable", {"name": change.name, "value": _given_text(change.value)})
    if isinstance(change, Choose):
        return ForkedRecord("choose", {"node": change.op.name})
    code: Literal["add", "cut"] = "add" if isinstance(change, AddControl) else "cut"
    return ForkedRecord(code, {"first": change.first.name, "node": change.then.name})


def _given_text(value: Any) -> str:
    """A value as the reader gave it."""
    return value_text(value if isinstance(value, (str, bytes)) else np.asarray(value))


def _whys(trace: Trace, needed: set[int]) -> tuple[tuple[NodeWhyRecord, ...], tuple[NodeWhyRecord, ...]]:
    """Why the nodes that take no part do not, and why the others do."""
    told = reasons(trace.graph, [element for _, element in trace.fetches], trace.fed)
    whys = [NodeWhyRecord(id, why) for id, why in told.items()]
    return tuple([why for why in whys if why.node not in needed]), tuple([why for why in whys if why.node in needed])


def _fetch(label: str, element: Tensor | Operation) -> FetchRecord:
    if isinstance(element, Operation):
        return FetchRecord(label, element.name, element.id, None)
    return FetchRecord(label, element.name, element.op.id, element.index)


def run_record(index: int, run: Run, trace: Trace, graph: GraphRecord) -> RunRecord:
    """The record of one run, which may not be over. graph: the record of the trace's graph."""
    return _run(index, run, trace, _Edges(graph, trace), KeptValues(0))


class _Edges:
    """The edges that carry something in these runs, by the node they leave and the node they enter."""

    def __init__(self, graph: GraphRecord, trace: Trace) -> None:
        self.needed = needed = {op.id for op in trace.schedule.placed.pruned.operations}
        self.fed = {(tensor.op.id, tensor.index) for tensor in trace.fed}
        self.into: dict[int, list[EdgeRecord]] = {}
        self.out: dict[int, list[EdgeRecord]] = {}
        for edge in graph.edges:
            if edge.target in needed and (edge.source in needed or self.is_fed(edge)):
                self.into.setdefault(edge.target, []).append(edge)
                self.out.setdefault(edge.source, []).append(edge)

    def is_fed(self, edge: EdgeRecord) -> bool:
        """Whether the value on the edge comes from outside."""
        return edge.output is not None and (edge.source, edge.output) in self.fed

    def leaving(self, node: int, fed: bool) -> tuple[int, ...]:
        return tuple([edge.id for edge in self.out.get(node, ()) if self.is_fed(edge) == fed])

    def entering(self, node: int) -> tuple[int, ...]:
        return tuple([edge.id for edge in self.into.get(node, ())])

    def coming(self, step: Step) -> tuple[int, ...]:
        """The edges on which something came to a turn in a loop: to the Merge at its top from outside or from the body."""
        first = step.iteration[-1] == 0
        again = {i for i, tensor in enumerate(step.op.inputs) if is_back_edge(tensor.op, step.op)}
        return tuple(
            [
                edge.id
                for edge in self.into.get(step.op.id, ())
                if not again or edge.input is None or (edge.input in again) != first
            ]
        )


def reasons(
    graph: Graph, fetches: Iterable[Tensor | Operation], fed: Iterable[Tensor] = ()
) -> dict[int, WhyRecord]:
    """For every node of the graph, by id, why it runs or does not; of a path the PATH nodes before it."""
    told = provenance(graph, fetches, fed)
    return {
        op.id: WhyRecord(told.code(op), {}, tuple([step.id for step in told.path(op, PATH)]))
        for op in graph.operations
    }


def _run(index: int, run: Run, trace: Trace, edges: _Edges, values: KeptValues) -> RunRecord:
    ready = tuple([op.id for op in run.ready[:READY]])
    start = StartRecord(
        ready,
        tuple([(op.id, count) for op, count in run.pending]),
        tuple([(name, _state_text(value)) for name, value in run.variables]),
    )
    steps = [_fed_step(tensors, trace, edges, ready, values) for tensors in _by_node(trace.fed)]
    deaths = deaths_of(run)
    steps.extend(_step(step, edges, deaths.get(place), values) for place, step in enumerate(run.steps))
    fetched = tuple(
        [
            FetchedRecord(label, value_text(value))
            for (label, _), value in zip(trace.fetches, run.fetched, strict=False)
        ]
    )
    return RunRecord(
        index, start, tuple(steps), fetched, None if run.error is None else str(run.error.message)
    )


def _by_node(fed: Iterable[Tensor]) -> list[list[Tensor]]:
    nodes: dict[int, list[Tensor]] = {}
    for tensor in fed:
        nodes.setdefault(tensor.op.id, []).append(tensor)
    return [nodes[id] for id in sorted(nodes)]


def _fed_step(
    tensors: list[Tensor], trace: Trace, edges: _Edges, ready: tuple[int, ...], values: KeptValues
) -> StepRecord:
    """What is fed lies on its edges before anything runs: that is a step of the story, though no node's turn."""
    op = tensors[0].op
    given = {tensor.index: trace.fed[tensor] for tensor in tensors}
    outputs = tuple(
        [
            values.record(value_text(given[index]), given[index]) if index in given else ValueRecord("", None, False)
            for index in range(len(op.outputs))
        ]
    )
    produced = edges.leaving(op.id, fed=True)
    return StepRecord(op.id, "fed", (), produced, (), (), outputs, ready, (), None, "", ())


def _step(step: Step, edges: _Edges, death: DeathRecord | None, values: KeptValues) -> StepRecord:
    id = step.op.id
    if step.outcome == "changed":
        consumed: tuple[int, ...] = ()
    else:
        consumed = edges.entering(id) if not step.iteration else edges.coming(step)
    reads = [(name, _state_text(value)) for name, value in step.reads]
    reads += [(name, element_text(value)) for name, value in step.elements_read]
    writes = [(name, _state_text(before), _state_text(after)) for name, before, after in step.writes]
    writes += [(name, element_text(before), element_text(after)) for name, before, after in step.elements_written]
    return StepRecord(
        id,
        _OUTCOMES[step.outcome],
        consumed,
        edges.leaving(id, fed=False) if step.leads_on else (),
        tuple(reads),
        tuple(writes),
        tuple([_output(output, values) for output in step.outputs]),
        tuple([op.id for op in step.ready[:READY]]),
        tuple([(op.id, count) for op, count in step.pending]),
        step.error,
        step.frame,
        step.iteration,
        death,
        None if step.change is None else change_record(step.change),
    )


def _output(output: Output, values: KeptValues) -> ValueRecord:
    if output.elements is not None:
        return values.record(elements_text(output.elements), output.elements)
    if output.dead or output.value is None:
        return ValueRecord("", output.alias, output.dead)
    return values.record(value_text(output.value), output.value, output.alias)


def _state_text(value: Any) -> str:
    """A variable's value; empty before it has one."""
    return "" if value is None else value_text(value)
