"""When each stage of a pipeline works, on a simulated clock in milliseconds: `simulated(flow, costs)`.

An element costs a stage the time of the stage's kind. A stage works in its consumer's time, unless it has threads of its own:
`prefetch` has one, which fills its buffer ahead; a stage with parallel calls has one that asks for inputs, and a lane for each
call. Results keep their order. The same flow and costs always give the same times. No state.

Differs from TF: where TF chooses a number while it runs (AUTOTUNE), the clock takes CHOSEN.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from ....engine.data.pipeline.flow import Flow, Stage
from .pipeline_calls import Call, calls_of

# Milliseconds for one element of a kind of stage; stages of other kinds only pass elements on.
COSTS: Final[Mapping[str, float]] = {"source": 1.0, "map": 4.0, "filter": 1.0, "batch": 1.0, "consumer": 6.0}
CHOSEN: Final = 4  # lanes, or elements of a buffer, where the program leaves the number to TF
CONSUMER: Final = -1  # the stage that the consumer's training steps stand at

_KINDS: Final = {"ParallelMap": "map", "MapAndBatch": "map", "PaddedBatch": "batch", "ParallelInterleave": "interleave"}
# Stages that try each input, whether it becomes an output or not.
_TRIES: Final = ("filter",)

Costs: TypeAlias = Mapping[str | int, float]


def kind_of(stage: Stage) -> str:
    """The kind of a stage, which its cost goes by: "source", "map", "batch", …"""
    if not stage.inputs:
        return "source"
    name = stage.op.removesuffix("V2").removesuffix("V3").removesuffix("Dataset")
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
    return _KINDS.get(name, snake)


@dataclass(frozen=True)
class Span:
    """The work of a stage, or of one of its lanes, at one element."""

    stage: int
    lane: int
    start: float
    end: float
    element: int | None


@dataclass(frozen=True)
class Moment:
    """A call ends: an element moves on to the next stage, or the stage has no more. order: of the call's event in the flow."""

    time: float
    order: int
    stage: int
    kind: str
    element: int | None


@dataclass
class StageTime:
    """How a stage spends the time, in milliseconds. busy: in one lane at least; starved: it waits for its input; idle: nobody
    asks it, or its buffer is full. The three add up to the total. work: the work of all lanes. thread: the stage in whose time
    this one works, CONSUMER for the training loop. lanes: how many there are.
    """

    busy: float = 0.0
    starved: float = 0.0
    idle: float = 0.0
    work: float = 0.0
    made: int = 0
    thread: int = CONSUMER
    lanes: int = 1


@dataclass
class Times:
    """The course of a pipeline on the clock. used: the share of the time, 0 to 1, that the busiest thread works, the one of
    `bottleneck`."""

    moments: list[Moment] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    stages: dict[int, StageTime] = field(default_factory=dict)
    total: float = 0.0
    bottleneck: int = CONSUMER
    used: float = 0.0


def simulated(flow: Flow, costs: Costs | None = None, lanes: Mapping[int, int] | None = None, ahead: int = 0) -> Times:
    """The times of a flow.

    costs: milliseconds by kind of stage or by a stage's number, over COSTS. lanes: numbers of parallel calls that replace the
    program's, by stage. ahead: how many elements a prefetch after the last stage may hold; 0 for none.
    """
    return _Clock(flow, costs or {}, lanes or {}, ahead).run()


@dataclass
class _Line:
    """A pass of a stage: since when it is free, and when its last results were taken."""

    free: float = 0.0
    taken: list[float] = field(default_factory=list)
    fresh: bool = True


class _Clock:
    """State: the times so far; for each pass of a stage its line; for each stage when its lanes are free."""

    def __init__(self, flow: Flow, costs: Costs, lanes: Mapping[int, int], ahead: int) -> None:
        self.flow = flow
        self.stages = {stage.id: stage for stage in flow.stages}
        self.kinds = {stage.id: kind_of(stage) for stage in flow.stages}
        by_kind = {**COSTS, **{name: cost for name, cost in costs.items() if isinstance(name, str)}}
        self.cost = {id: float(costs.get(id, by_kind.get(kind, 0.0))) for id, kind in self.kinds.items()}
        self.cost[CONSUMER] = float(by_kind["consumer"])
        self.lanes = {stage.id: lanes.get(stage.id, CHOSEN if stage.lanes < 0 else stage.lanes) for stage in flow.stages}
        self.parallel = {id for id, count in self.lanes.items() if count > 1 or id in lanes}
        self.ahead = ahead
        self.times = Times()
        self._lines: dict[tuple[int, int], _Line] = {}
        self._busy: dict[int, list[float]] = {}
        self._starved: dict[int, list[tuple[float, float]]] = {}

    def run(self) -> Times:
        now = 0.0
        for call in calls_of(self.flow):
            asked = now
            now = self._ahead(call, asked) if self.ahead else self._served(call, asked)
            self._starved.setdefault(CONSUMER, []).append((asked, now))
            self._note(call, now)
            if call.kind == "push":
                now = self._work(CONSUMER, now, call.element)
        times = self.times
        times.moments.sort(key=lambda moment: (moment.time, moment.order))
        times.total = max((now, *(span.end for span in times.spans)))
        for id in (*self.stages, CONSUMER):
            times.stages[id] = self._stage_time(id)
        self._find_bottleneck()
        return times

    # -- one request -------------------------------------------------------------------------------------------

    def _served(self, call: Call, asked: float) -> float:
        """When the stage answers a request of this time."""
        line = self._line(call)
        capacity = self.stages[call.stage].capacity
        if self.kinds[call.stage] == "prefetch" and capacity != 0:
            return self._buffered(call, line, asked, CHOSEN if capacity is None or capacity < 0 else capacity)
        if call.stage in self.parallel:
            return self._called(call, line, asked)
        line.free = self._made(call, max(asked, line.free))
        return line.free

    def _ahead(self, call: Call, asked: float) -> float:
        """The answer of a prefetch that the program does not have."""
        line = self._lines.setdefault((CONSUMER, 0), _Line())
        start = _start(line, asked, self.ahead)
        line.free = self._served(call, start)
        return _taken(line, call, max(asked, line.free))

    def _buffered(self, call: Call, line: _Line, asked: float, capacity: int) -> float:
        """A thread fills the buffer while it has room."""
        line.free = self._made(call, _start(line, asked, capacity))
        return _taken(line, call, max(asked, line.free))

    def _called(self, call: Call, line: _Line, asked: float) -> float:
        """A thread asks for inputs, and each becomes a call in the first free lane."""
        id, lanes = call.stage, self.lanes[call.stage]
        joins = self.kinds[id] == "map"
        results = -(-lanes // max(1, len(call.calls))) if joins else lanes
        now = start = _start(line, asked, results)
        done = now
        for child in call.calls:
            now = self._input(id, child, now)
            if joins and child.kind == "push" and call.kind == "push":
                done = max(done, self._work(id, now, self._product(call, child), lanes))
        done = max(done, now)
        if not joins:
            done = self._work(id, done, call.element, lanes) if call.kind == "push" else done
            now = start
        line.free = now
        return _taken(line, call, max(asked, done))

    def _product(self, call: Call, child: Call) -> int | None:
        """What a lane works at: the result, or the input where several make one result."""
        return call.element if len(call.calls) == 1 else child.element

    def _made(self, call: Call, start: float) -> float:
        """The work for a request, in the time of the one who asks."""
        now, tries = start, self.kinds[call.stage] in _TRIES
        for child in call.calls:
            now = self._input(call.stage, child, now)
            if tries and child.kind == "push":
                now = self._work(call.stage, now, child.element)
        return self._work(call.stage, now, call.element) if call.kind == "push" and not tries else now

    def _input(self, stage: int, child: Call, asked: float) -> float:
        got = self._served(child, asked)
        self._starved.setdefault(stage, []).append((asked, got))
        self._note(child, got)
        return got

    def _work(self, stage: int, ready: float, element: int | None, lanes: int = 0) -> float:
        """Works in the first free lane; lanes: how many there are, 0 for as many as are needed."""
        cost = self.cost[stage]
        if cost == 0.0:
            return ready
        free = self._busy.setdefault(stage, [])
        lane = next((number for number, time in enumerate(free) if time <= ready), len(free))
        if lane == len(free) and lanes and lane >= lanes:
            lane = min(range(len(free)), key=free.__getitem__)
        elif lane == len(free):
            free.append(0.0)
        start = max(ready, free[lane])
        free[lane] = start + cost
        self.times.spans.append(Span(stage, lane, start, start + cost, element))
        return start + cost

    def _note(self, call: Call, time: float) -> None:
        self.times.moments.append(Moment(time, call.order, call.stage, call.kind, call.element))

    def _line(self, call: Call) -> _Line:
        # The passes over an inner stage live side by side; the epoch of an element tells them apart.
        is_inner = self.stages[call.stage].is_inner
        number = self.flow.elements[call.element].epoch if is_inner and call.element is not None else 0
        return self._lines.setdefault((call.stage, number), _Line())

    # -- results -----------------------------------------------------------------------------------------------

    def _stage_time(self, id: int) -> StageTime:
        spans = [(span.start, span.end) for span in self.times.spans if span.stage == id]
        busy, either = _covered(spans), _covered([*spans, *self._starved.get(id, [])])
        made = sum(moment.kind == "push" and moment.stage == id for moment in self.times.moments)
        work = sum(end - start for start, end in spans)
        lanes = max(self.lanes.get(id, 1), len(self._busy.get(id, ())))
        return StageTime(busy, either - busy, self.times.total - either, work, made, self._thread(id), lanes)

    def _thread(self, id: int) -> int:
        """The stage in whose thread a stage works: itself with lanes of its own, or the next one that works ahead."""
        if id in self.parallel:
            return id
        for _ in self.flow.stages:
            if id == CONSUMER:
                break
            if self.kinds[id] == "prefetch" and self.stages[id].capacity != 0:
                return id
            consumer = consumer_of(self.flow, id)
            if consumer in self.parallel and self.kinds[consumer] != "map":
                return consumer  # a lane of an interleave
            if consumer in self.parallel:
                return -2 - consumer  # the thread that asks for the inputs of parallel calls
            id = consumer
        return CONSUMER

    def _find_bottleneck(self) -> None:
        times = self.times
        threads: dict[int, list[int]] = {}
        for id, stage in times.stages.items():
            threads.setdefault(stage.thread, []).append(id)

        def used(thread: int) -> float:
            lanes = self.lanes.get(thread, 1) if thread in self.parallel else 1
            return sum(times.stages[id].work for id in threads[thread]) / (times.total * lanes) if times.total else 0.0

        busiest = max(threads, key=lambda thread: (round(used(thread), 9), -thread))
        times.bottleneck = max(threads[busiest], key=lambda id: times.stages[id].work)
        times.used = min(1.0, used(busiest))


def consumer_of(flow: Flow, id: int) -> int:
    """The stage that asks a stage. A function's stages may ask the very stage that calls the function, as those of windows do."""
    is_inner = {stage.id: stage.is_inner for stage in flow.stages}
    asking = [stage.id for stage in flow.stages if id in stage.inputs and (is_inner[id] or not stage.is_inner)]
    return next((each for each in asking if each != id), CONSUMER)


def _start(line: _Line, asked: float, capacity: int) -> float:
    """When a line that works ahead begins its next result: when it is free and there is room, not before its pass begins."""
    if line.fresh:
        line.fresh = False
        line.taken.clear()
        return max(asked, line.free)
    room = line.taken[-capacity] if len(line.taken) >= capacity else 0.0
    return max(line.free, room)


def _taken(line: _Line, call: Call, time: float) -> float:
    line.taken.append(time)
    line.fresh = call.kind != "push"
    return time


def _covered(spans: Iterable[tuple[float, float]]) -> float:
    """How long at least one of the spans lasts."""
    total, reached = 0.0, 0.0
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total


__all__ = [
    "CHOSEN", "CONSUMER", "COSTS", "Costs", "Moment", "Span", "StageTime", "Times", "consumer_of", "kind_of", "simulated",
]  # fmt: skip
