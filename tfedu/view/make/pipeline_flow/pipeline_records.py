"""Input pipelines → record: `flow_record([dataset])` passes over the first elements and times them. No state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, get_args

from ....engine.data.pipeline.flow import Flow, record_flow
from ...labels import shorten
from ...records import (
    FlowingRecord,
    MomentRecord,
    PipelineRecord,
    PipelineStageRecord,
    PipeRecord,
    StageKind,
    WorkRecord,
)
from ..graph_records import site_record, value_text
from .pipeline_calls import Call, calls_of, walked
from .pipeline_findings import Origins, both_findings, order_findings, pace_findings
from .pipeline_times import CONSUMER, COSTS, Costs, Times, kind_of, simulated

TEXT: Final = 40  # characters of a value
MOST: Final = 20_000  # moves of elements
TAKEN: Final = 200  # elements that are taken from a dataset


def flow_record(
    datasets: Iterable[Any], elements: int = 20, costs: Costs | None = None, session: Any = None
) -> PipelineRecord:
    """The passes over one or two datasets, alone or in a dict by title.

    elements: how many are taken from each. costs: milliseconds by kind of stage or by the number of a stage.
    Raises: TypeError for what is no dataset or number, ValueError for numbers out of range, and as pipeline_record.
    """
    if isinstance(elements, bool) or not isinstance(elements, int):
        raise TypeError(f"elements must be a whole number, not {type(elements).__name__}")
    if not 1 <= elements <= TAKEN:
        raise ValueError(f"elements must be from 1 to {TAKEN}, not {elements}")
    titled: list[tuple[str, Any]] = []
    for dataset in datasets:
        titled.extend(dataset.items() if isinstance(dataset, Mapping) else [("", dataset)])
    return pipeline_record(titled, elements, costs, session)


def pipeline_record(
    datasets: Sequence[tuple[str, Any]], elements: int = 20, costs: Costs | None = None, session: Any = None
) -> PipelineRecord:
    """The passes over one dataset, or over two of them, each with its title; "" stands for the names of the stages.

    Raises: TypeError for an object that is no dataset, ValueError for wrong costs and for a pipeline with more than MOST moves.
    """
    if len(datasets) not in (1, 2):
        raise ValueError(f"a pipeline stands alone or beside one other, not {len(datasets)}")
    flows = []
    for _, dataset in datasets:
        if not hasattr(dataset, "output_classes"):
            raise TypeError(f"a tf.data.Dataset is expected, not {type(dataset).__name__}")
        flows.append(record_flow(dataset, elements, session))
    for flow in flows:
        if len(flow.elements) > MOST:
            raise ValueError(
                f"{len(flow.elements)} elements moved, and at most {MOST} can be shown\n"
                "  fix: take a smaller buffer_size or batch_size, or fewer elements: PipelineView(dataset, elements=5)"
            )
        _check_costs(costs, flow)
    times = [simulated(flow, costs) for flow in flows]
    pipes = tuple(
        _Pipe(flow, course, costs).record(title) for (title, _), flow, course in zip(datasets, flows, times, strict=True)
    )
    differs = both_findings(flows[0], flows[1], (times[0], times[1])) if len(flows) == 2 else []
    return PipelineRecord(pipes, tuple(differs))


def _check_costs(costs: Costs | None, flow: Flow) -> None:
    """Raises: TypeError for a cost that is no number, ValueError for one below 0 and for an unknown stage."""
    known = {*COSTS, *map(kind_of, flow.stages), *(stage.id for stage in flow.stages)}
    for name, cost in (costs or {}).items():
        if isinstance(cost, bool) or not isinstance(cost, (int, float)):
            raise TypeError(f"the cost of {name!r} must be a number of milliseconds, not {type(cost).__name__}")
        if not 0 <= cost < 1e9:
            raise ValueError(f"the cost of {name!r} must be a number of milliseconds from 0, not {cost}")
        if name not in known:
            kinds = ", ".join(sorted(name for name in known if isinstance(name, str)))
            raise ValueError(f"no stage is a {name!r}\n  fix: costs go by a stage's number, or by one of: {kinds}")


class _Pipe:
    """One pipeline on its way to a record.

    State: the numbers of stages and elements in the record, by those in the flow.
    """

    def __init__(self, flow: Flow, times: Times, costs: Costs | None) -> None:
        self.flow, self.times, self.costs = flow, times, costs
        self.origins = Origins(flow)
        self.number = {stage.id: number for number, stage in enumerate(flow.stages)}
        self.number[CONSUMER] = len(flow.stages)
        self.inner = {stage.id for stage in flow.stages if stage.is_inner}
        ends = {self.origins.last, *(stage.id for stage in flow.stages if not stage.inputs)} - self.inner
        echoes = _echoes(calls_of(flow))
        self.moments = [
            each for each in times.moments
            if (each.kind != "end" or each.stage in ends) and each.order not in echoes
        ]  # fmt: skip
        moved = sorted(each.element for each in self.moments if each.element is not None)
        self.element = {id: number for number, id in enumerate(moved)}

    def record(self, title: str) -> PipeRecord:
        flow, times = self.flow, self.times
        codes: dict[str, Any] = {"push": "move", "end": "end", "error": "error"}
        return PipeRecord(
            title=shorten(title, 60) or " → ".join(stage.label.partition("(")[0] for stage in flow.stages if not stage.is_inner),
            stages=(*map(self._stage, flow.stages), self._consumer()),
            elements=self._elements(),
            moments=tuple(
                MomentRecord(_ms(each.time), codes[each.kind], self.number[each.stage], self._known(each.element))
                for each in self.moments
            ),
            work=tuple(
                WorkRecord(self.number[span.stage], span.lane, _ms(span.start), _ms(span.end), self._known(span.element))
                for span in sorted(times.spans, key=lambda span: (span.stage, span.lane, span.start))
            ),
            total=_ms(times.total),
            ended=flow.ended,
            error=None if flow.error is None else shorten(flow.error.partition("\n")[0], 300),
            bottleneck=self.number[times.bottleneck],
            findings=(*order_findings(self.origins), *pace_findings(flow, times, self.costs)),
        )

    def _stage(self, stage: Any) -> PipelineStageRecord:
        time = self.times.stages[stage.id]
        kind: Any = kind_of(stage)
        # What parallel calls work at is in their lanes, also where they make batches.
        capacity = None if kind == "map" else stage.capacity
        return PipelineStageRecord(
            id=self.number[stage.id],
            kind=kind if kind in get_args(StageKind) else "other",
            label=shorten(stage.label, 80),
            inputs=tuple(dict.fromkeys(self.number[id] for id in stage.inputs if id in self.inner or not stage.is_inner)),
            site=site_record(stage.site),
            capacity=capacity if capacity is None or capacity >= 0 else -1,
            lanes=time.lanes,
            inner=stage.is_inner,
            cost=self._cost(stage.id, kind),
            busy=_ms(time.busy),
            starved=_ms(time.starved),
            idle=_ms(time.idle),
            made=time.made,
        )

    def _consumer(self) -> PipelineStageRecord:
        time = self.times.stages[CONSUMER]
        last = () if not self.flow.stages else (self.number[self.origins.last],)
        return PipelineStageRecord(
            self.number[CONSUMER], "consumer", "", last, None, None, 1, False, self._cost(CONSUMER, "consumer"),
            _ms(time.busy), _ms(time.starved), _ms(time.idle), len(self.origins.outputs),
        )  # fmt: skip

    def _cost(self, id: int, kind: str) -> float:
        costs = self.costs or {}
        return float(costs.get(id, costs.get(kind, COSTS.get(kind, 0.0))))

    def _known(self, element: int | None) -> int | None:
        return None if element is None else self.element.get(element)

    def _elements(self) -> tuple[FlowingRecord, ...]:
        comes = {each.element: number for number, each in enumerate(self.moments) if each.element is not None}
        goes: dict[int, int] = {}
        for id in self.element:
            for source in self.flow.elements[id].sources:
                goes[source] = min(goes.get(source, comes[id]), comes[id])
        receivers = dict(_receivers(calls_of(self.flow), CONSUMER))
        leaves = self._without_heirs(comes, goes, receivers)
        openers = {
            stage.id for stage in self.flow.stages if not stage.is_inner and self.inner.intersection(stage.inputs)
        }  # fmt: skip
        records = []
        for id in self.element:
            element = self.flow.elements[id]
            records.append(
                FlowingRecord(
                    stage=self.number[element.stage],
                    index=self.origins.number(element),
                    epoch=self.origins.epoch(element),
                    text=_text(element.value),
                    sources=tuple(self.element[source] for source in element.sources if source in self.element),
                    to=self.number[receivers[id]],
                    comes=comes[id],
                    goes=leaves.get(id, goes.get(id)),
                    dropped=id in leaves and receivers[id] not in openers,
                )
            )
        return tuple(records)

    def _without_heirs(
        self, comes: Mapping[int, int], goes: Mapping[int, int], receivers: Mapping[int, int]
    ) -> dict[int, int]:
        """When the elements leave of which no other was made: with the next one that their stage gets or hands on."""
        at: dict[int, list[int]] = {}
        for number, each in enumerate(self.moments):
            at.setdefault(each.stage, []).append(number)
            if each.element is not None:
                at.setdefault(receivers[each.element], []).append(number)
        buffers = {stage.id for stage in self.flow.stages if stage.capacity is not None} | {CONSUMER}
        found = {}
        for id in self.element:
            if id not in goes and receivers[id] not in buffers:
                later = [number for number in at.get(receivers[id], ()) if number > comes[id]]
                if later:
                    found[id] = later[0]
        return found


def _receivers(calls: list[Call], receiver: int) -> list[tuple[int, int]]:
    """Each element with the stage that asked for it."""
    found = []
    for call in calls:
        found.extend(_receivers(call.calls, call.stage))
        if call.element is not None:
            found.append((call.element, receiver))
    return found


def _echoes(calls: list[Call]) -> set[int]:
    """The events in which a stage only passes on the error of its input."""
    return {
        call.order for call in walked(calls)
        if call.kind == "error" and any(child.kind == "error" for child in call.calls)
    }  # fmt: skip


def _text(value: Any) -> str:
    """A value in one line; the components of an element with several in brackets."""
    parts = value if isinstance(value, tuple) else (value,)
    texts = [value_text(part, TEXT) for part in parts[:8]]
    return texts[0] if len(parts) == 1 else shorten(f"({', '.join(texts)})", TEXT)


def _ms(time: float) -> float:
    return round(time, 3)


__all__ = ["flow_record", "pipeline_record"]
