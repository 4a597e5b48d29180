"""From the engine's trace to a record: `trace_record(trace)`. Which edges each turn used, and why each node ran or did not.

Reached through build.py, with which it is the only place where views look inside the engine. No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal

from ..engine.graph.graph import Graph
from ..engine.graph.nodes import Operation, Tensor
from ..engine.runtime.frames import is_back_edge
from ..engine.runtime.provenance import provenance
from ..engine.runtime.recorder import Output, Run, Step, Trace
from .deaths import deaths_of
from .graphs import Part, element_text, elements_text, record_of, value_text
from .records import (
    DeathRecord,
    EdgeRecord,
    FetchedRecord,
    FetchRecord,
    GraphRecord,
    NodeWhyRecord,
    RunRecord,
    StartRecord,
    StepRecord,
    TraceRecord,
    ValueRecord,
    WhyRecord,
)

# A path of a hundred thousand nodes explains nothing: its two ends do, and all paths together stay small.
PATH: Final = 24

# Of a long queue the first nodes are told: all of them, after every step, would make a record grow with the square of the
# run. Which others are ready is seen from the pending counts.
READY: Final = 64

_OUTCOMES: Final[dict[str, Literal["ran", "dead", "fed", "error"]]] = {
    "ran": "ran",
    "dead": "dead",
    "fed": "fed",
    "error": "error",
}


def trace_record(trace: Trace) -> TraceRecord:
    """The record of a trace, with the whole graph that it ran in."""
    graph = record_of(Part(trace.graph, tuple(trace.graph.operations), True))
    needed = {op.id for op in trace.schedule.placed.pruned.operations}
    edges = _Edges(graph, needed, trace.fed)
    whys = reasons(trace.graph, [element for _, element in trace.fetches], trace.fed)
    return TraceRecord(
        graph,
        tuple([_fetch(label, element) for label, element in trace.fetches]),
        tuple([NodeWhyRecord(node.id, whys[node.id]) for node in graph.nodes if node.id not in needed]),
        tuple([NodeWhyRecord(node.id, whys[node.id]) for node in graph.nodes if node.id in needed]),
        tuple([_run(index, run, trace, edges) for index, run in enumerate(trace.runs)]),
    )


def _fetch(label: str, element: Tensor | Operation) -> FetchRecord:
    if isinstance(element, Operation):
        return FetchRecord(label, element.name, element.id, None)
    return FetchRecord(label, element.name, element.op.id, element.index)


class _Edges:
    """The edges that carry something in these runs, by the node they leave and the node they enter."""

    def __init__(self, graph: GraphRecord, needed: set[int], fed: Iterable[Tensor]) -> None:
        self.fed = {(tensor.op.id, tensor.index) for tensor in fed}
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


def _run(index: int, run: Run, trace: Trace, edges: _Edges) -> RunRecord:
    ready = tuple([op.id for op in run.ready[:READY]])
    start = StartRecord(
        ready,
        tuple([(op.id, count) for op, count in run.pending]),
        tuple([(name, _state_text(value)) for name, value in run.variables]),
    )
    steps = [_fed_step(tensors, trace, edges, ready) for tensors in _by_node(trace.fed)]
    deaths = deaths_of(run)
    steps.extend(_step(step, edges, deaths.get(place)) for place, step in enumerate(run.steps))
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


def _fed_step(tensors: list[Tensor], trace: Trace, edges: _Edges, ready: tuple[int, ...]) -> StepRecord:
    """What is fed lies on its edges before anything runs: that is a step of the story, though no node's turn."""
    op = tensors[0].op
    given = {tensor.index: trace.fed[tensor] for tensor in tensors}
    outputs = tuple(
        [
            ValueRecord(value_text(given[index]) if index in given else "", None, False)
            for index in range(len(op.outputs))
        ]
    )
    produced = edges.leaving(op.id, fed=True)
    return StepRecord(op.id, "fed", (), produced, (), (), outputs, ready, (), None, "", ())


def _step(step: Step, edges: _Edges, death: DeathRecord | None) -> StepRecord:
    id = step.op.id
    reads = [(name, _state_text(value)) for name, value in step.reads]
    reads += [(name, element_text(value)) for name, value in step.elements_read]
    writes = [(name, _state_text(before), _state_text(after)) for name, before, after in step.writes]
    writes += [(name, element_text(before), element_text(after)) for name, before, after in step.elements_written]
    return StepRecord(
        id,
        _OUTCOMES[step.outcome],
        edges.entering(id) if not step.iteration else edges.coming(step),
        edges.leaving(id, fed=False) if step.leads_on else (),
        tuple(reads),
        tuple(writes),
        tuple([_output(output) for output in step.outputs]),
        tuple([op.id for op in step.ready[:READY]]),
        tuple([(op.id, count) for op, count in step.pending]),
        step.error,
        step.frame,
        step.iteration,
        death,
    )


def _output(output: Output) -> ValueRecord:
    if output.elements is not None:
        return ValueRecord(elements_text(output.elements), None, output.dead)
    return ValueRecord("" if output.dead else _state_text(output.value), output.alias, output.dead)


def _state_text(value: Any) -> str:
    """A variable's value; empty before it has one."""
    return "" if value is None else value_text(value)
