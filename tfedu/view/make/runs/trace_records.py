"""From the engine's traces to records: `trace_record(trace)` finds the edges that each step used, and why each node ran.

No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

import numpy as np

from ....engine.base.garbage_collection import collection_paused
from ....engine.graph.graph import Graph
from ....engine.graph.nodes import Operation, Tensor
from ....engine.replay.changed_run import AddControl, Change, Choose, SetValue, SetVariable
from ....engine.replay.device_clock import device_clock
from ....engine.replay.provenance import provenance
from ....engine.replay.recorder import Output, Run, Step, Trace
from ....engine.runtime.frames import is_back_edge
from ...labels import shorten
from ...records import (
    BranchRecord,
    ClockLaneRecord,
    ClockRecord,
    DeathRecord,
    EdgeRecord,
    FetchedRecord,
    FetchRecord,
    ForkedRecord,
    GraphRecord,
    NodeWhyRecord,
    RunRecord,
    SpanRecord,
    StartRecord,
    StepRecord,
    TraceRecord,
    TransferRecord,
    ValueRecord,
    WhyRecord,
)
from ..control_flow_boxes import loop_name
from ..graph_records import complete, element_text, elements_text, record_of, value_text
from .dead_values import deaths_of
from .trace_values import KeptValues

# Of the path from a fetch to a node a record has the last so many nodes, so that all paths together stay small.
PATH: Final = 24

# Of the ready nodes a step lists the first ones: all of them, at every step, would make a record grow with the square of the
# run's length. The pending counts tell which other nodes are ready.
READY: Final = 64

_OUTCOMES: Final[dict[str, Literal["ran", "dead", "fed", "began", "error", "changed"]]] = {
    "ran": "ran",
    "dead": "dead",
    "fed": "fed",
    "began": "began",
    "error": "error",
    "changed": "changed",
}


@collection_paused()
def trace_record(trace: Trace, number: int | None = None) -> TraceRecord:
    """The record of a trace, with the entire graph that it ran in.

    number: the number of the trace in its widget, which can be asked for values; None where nothing can be asked.
    """
    graph = record_of(complete(trace.graph))
    values = KeptValues(asked=number is not None)
    edges = _Edges(graph, trace)
    pruned, needed = _whys(trace, edges.needed)
    fetches = tuple([_fetch(label, element) for label, element in trace.fetches])
    runs = tuple([_run(index, run, trace, edges, values) for index, run in enumerate(trace.runs)])
    graph = replace(graph, transfers=_as_copied(graph, runs))
    return TraceRecord(graph, fetches, pruned, needed, runs, tensors=tuple(values.tensors), number=number)


def run_records(trace: Trace, graph: GraphRecord) -> tuple[RunRecord, ...]:
    """The records of the runs alone. graph: the record of the trace's graph."""
    edges = _Edges(graph, trace)
    return tuple([_run(index, run, trace, edges, KeptValues(0)) for index, run in enumerate(trace.runs)])


def branch_record(
    first: GraphRecord, trace: Trace, number: int, parent: int, run: int, step: int, change: Change, rewired: bool
) -> BranchRecord:
    """The record of a trace that differs from its parent's from a step on. first: the graph before any change."""
    added, cut = _rewired(first, trace.graph) if rewired else ((), ())
    graph = replace(first, edges=(*(edge for edge in first.edges if edge.id not in cut), *added))
    edges = _Edges(graph, trace)
    values = KeptValues(0, asked=True)
    runs = [_run(index, trace.runs[index], trace, edges, values) for index in range(run, len(trace.runs))]
    runs[0] = replace(runs[0], steps=runs[0].steps[step:])
    pruned, needed = _whys(trace, edges.needed) if rewired else ((), ())
    forked = change_record(change)
    return BranchRecord(
        number=number,
        parent=parent,
        run=run,
        step=step,
        change=forked,
        runs=tuple(runs),
        rewired=rewired,
        added=added,
        cut=cut,
        pruned=pruned,
        needed=needed,
    )


def _rewired(first: GraphRecord, graph: Graph) -> tuple[tuple[EdgeRecord, ...], tuple[int, ...]]:
    """The control edges that a changed copy of the first graph adds, under new ids, and the ids of those that it lacks."""
    pairs = {(source.id, op.id): None for op in graph.operations for source in op.control_inputs}
    ids_before = {(edge.source, edge.target): edge.id for edge in first.edges if edge.kind == "control"}
    next_id = max((edge.id for edge in first.edges), default=-1) + 1
    added = [
        EdgeRecord(next_id + n, "control", source, None, target, None, "")
        for n, (source, target) in enumerate(pair for pair in pairs if pair not in ids_before)
    ]
    return tuple(added), tuple([id for pair, id in ids_before.items() if pair not in pairs])


def change_record(change: Change) -> ForkedRecord:
    """The record of what a fork changed."""
    if isinstance(change, SetValue):
        return ForkedRecord("value", {"name": change.tensor.name, "value": _given_text(change.value)})
    if isinstance(change, SetVariable):
        return ForkedRecord("variable", {"name": change.name, "value": _given_text(change.value)})
    if isinstance(change, Choose):
        return ForkedRecord("choose", {"node": change.op.name})
    code: Literal["add", "cut"] = "add" if isinstance(change, AddControl) else "cut"
    return ForkedRecord(code, {"first": change.first.name, "node": change.then.name})


def _given_text(value: Any) -> str:
    """The value that the reader set."""
    return value_text(value if isinstance(value, (str, bytes)) else np.asarray(value))


def _whys(trace: Trace, needed: set[int]) -> tuple[tuple[NodeWhyRecord, ...], tuple[NodeWhyRecord, ...]]:
    """The reasons of the pruned nodes, and those of the needed nodes."""
    why_by_node = reasons(trace.graph, [element for _, element in trace.fetches], trace.fed)
    whys = [NodeWhyRecord(id, why) for id, why in why_by_node.items()]
    return tuple([why for why in whys if why.node not in needed]), tuple([why for why in whys if why.node in needed])


def _fetch(label: str, element: Tensor | Operation) -> FetchRecord:
    if isinstance(element, Operation):
        return FetchRecord(label, element.name, element.id, None)
    return FetchRecord(label, element.name, element.op.id, element.index)


def run_record(index: int, run: Run, trace: Trace, graph: GraphRecord) -> RunRecord:
    """The record of one run, finished or not. graph: the record of the trace's graph."""
    return _run(index, run, trace, _Edges(graph, trace), KeptValues(0))


class _Edges:
    """The edges that the runs use, by source and by target."""

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
        """Whether the value on the edge is fed."""
        return edge.output is not None and (edge.source, edge.output) in self.fed

    def leaving(self, node: int, fed: bool) -> tuple[int, ...]:
        return tuple([edge.id for edge in self.out.get(node, ()) if self.is_fed(edge) == fed])

    def entering(self, node: int) -> tuple[int, ...]:
        return tuple([edge.id for edge in self.into.get(node, ())])

    def coming(self, step: Step) -> tuple[int, ...]:
        """The edges that a step in a loop consumed: a Merge takes its value from outside in iteration 0, later from the body."""
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
    """For each node of the graph, by id, why it runs or does not, with the last PATH nodes of the path to it."""
    explained = provenance(graph, fetches, fed)
    return {
        op.id: WhyRecord(explained.code(op), {}, tuple([step.id for step in explained.path(op, PATH)]))
        for op in graph.operations
    }


def _run(index: int, run: Run, trace: Trace, edges: _Edges, values: KeptValues) -> RunRecord:
    start = StartRecord(
        ready=tuple([op.id for op in run.ready[:READY]]),
        pending=tuple([(op.id, count) for op, count in run.pending]),
        variables=(
            *[(name, _state_text(value)) for name, value in run.variables],
            *[(name, element_text(content)) for name, content in run.contents],
        ),
        held=tuple([op.id for op in run.held[:READY]]),
    )
    steps = [_fed_step(tensors, trace, edges, start, values) for tensors in _by_node(trace.fed)]
    deaths = {place: death.reason for place, death in deaths_of(run.steps).items()}
    steps.extend(_step(step, edges, deaths.get(place), values) for place, step in enumerate(run.steps))
    fetched = tuple(
        [
            FetchedRecord(label, value_text(value))
            for (label, _), value in zip(trace.fetches, run.fetched, strict=False)
        ]
    )
    error = None if run.error is None else str(run.error.message)
    clock = clock_record(run, trace, len(steps) - len(run.steps))
    return RunRecord(index, start, tuple(steps), fetched, error, unfinished_record(run), clock)


def _as_copied(graph: GraphRecord, runs: Sequence[RunRecord]) -> tuple[TransferRecord, ...]:
    """The transfers with the bytes that the first run copied, where the graph leaves them open."""
    copied = {run.steps[s.step].node: s.bytes for run in runs[:1] if run.clock for s in run.clock.spans}
    sources = {edge.id: edge.source for edge in graph.edges} if graph.transfers else {}
    return tuple([replace(t, bytes=copied.get(sources[t.edge])) if t.bytes is None else t for t in graph.transfers])


def clock_record(run: Run, trace: Trace, before: int = 0) -> ClockRecord | None:
    """The simulated clock of a run on several devices; None for another run. before: the record's steps before the run's own."""
    if trace.speeds is None:
        return None
    clock = device_clock(run, trace.speeds)
    place = {lane: number for number, lane in enumerate(clock.lanes)}
    lanes = [lane.split(" -> ") for lane in place]
    return ClockRecord(
        tuple([ClockLaneRecord(device, to[0] if to else None) for device, *to in lanes]),
        tuple(
            [
                SpanRecord(place[span.lane], before + span.step, round(span.begin * 1e9), round(span.end * 1e9), span.bytes)
                for span in clock.spans
            ]
        ),
    )


def unfinished_record(run: Run) -> WhyRecord | None:
    """Why the fate of the nodes that had no turn is not known, as a reason without a node; None if the run came to its end."""
    if not run.is_unfinished:
        return None
    turns = len(run.turns)
    if not run.loops:
        return WhyRecord("cut_short", {"turns": turns}, ())
    return WhyRecord("unfinished", {"turns": turns, "loops": ", ".join(shorten(loop_name(loop), 60) for loop in run.loops)}, ())


def _by_node(fed: Iterable[Tensor]) -> list[list[Tensor]]:
    nodes: dict[int, list[Tensor]] = {}
    for tensor in fed:
        nodes.setdefault(tensor.op.id, []).append(tensor)
    return [nodes[id] for id in sorted(nodes)]


def _fed_step(
    tensors: list[Tensor], trace: Trace, edges: _Edges, start: StartRecord, values: KeptValues
) -> StepRecord:
    """The step at which fed values are on their edges, before any node runs."""
    op = tensors[0].op
    fed = {tensor.index: trace.fed[tensor] for tensor in tensors}
    outputs = tuple(
        [
            values.record(value_text(fed[index]), fed[index]) if index in fed else ValueRecord("", None, dead=False)
            for index in range(len(op.outputs))
        ]
    )
    produced = edges.leaving(op.id, fed=True)
    return StepRecord(
        node=op.id,
        outcome="fed",
        consumed=(),
        produced=produced,
        reads=(),
        writes=(),
        outputs=outputs,
        ready=start.ready,
        held=start.held,
        pending=(),
        error=None,
        frame="",
        iteration=(),
    )


def _step(step: Step, edges: _Edges, death: DeathRecord | None, values: KeptValues) -> StepRecord:
    id = step.op.id
    if step.outcome in ("began", "changed"):
        consumed: tuple[int, ...] = ()
    else:
        consumed = edges.entering(id) if not step.iteration else edges.coming(step)
    reads = [(name, _state_text(value)) for name, value in step.reads]
    reads += [(name, element_text(value)) for name, value in step.elements_read]
    writes = [(name, _state_text(before), _state_text(after)) for name, before, after in step.writes]
    writes += [(name, element_text(before), element_text(after)) for name, before, after in step.elements_written]
    return StepRecord(
        node=id,
        outcome=_OUTCOMES[step.outcome],
        consumed=consumed,
        produced=edges.leaving(id, fed=False) if step.leads_on else (),
        reads=tuple(reads),
        writes=tuple(writes),
        outputs=tuple([_output(output, values) for output in step.outputs]),
        ready=tuple([op.id for op in step.ready[:READY]]),
        held=tuple([op.id for op in step.held[:READY]]),
        pending=tuple([(op.id, count) for op, count in step.pending]),
        error=step.error,
        frame=step.frame,
        iteration=step.iteration,
        death=death,
        change=None if step.change is None else change_record(step.change),
    )


def _output(output: Output, values: KeptValues) -> ValueRecord:
    if output.elements is not None:
        return values.record(elements_text(output.elements), output.elements)
    if output.dead or output.value is None:
        return ValueRecord("", output.alias, dead=output.dead)
    return values.record(value_text(output.value), output.value, output.alias)


def _state_text(value: Any) -> str:
    """A variable's value; empty for an uninitialized variable."""
    return "" if value is None else value_text(value)
