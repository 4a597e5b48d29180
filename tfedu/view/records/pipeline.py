"""The record of what happens in input pipelines: stages, elements, and their moves on a simulated clock. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import Params, RecordError, check_ids, dataclass
from .graph import SiteRecord

StageKind = Literal["source", "map", "filter", "batch", "shuffle", "repeat", "prefetch", "consumer", "other"]
MomentCode = Literal["move", "end", "error"]
# A sentence of a pipeline is the message `pipeline.<code>`.
SentenceCode = Literal[
    "epochs.apart", "epochs.mixed", "epochs.joined", "order.kept", "order.changed", "order.members", "order.batches",
    "order.early", "pace.consumer", "pace.stage", "pace.lanes", "pace.alone", "pace.waits", "help.prefetch", "help.calls",
    "help.both", "help.none", "both.same", "both.order", "both.others", "both.times",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class SentenceRecord:
    """A sentence about a pipeline: a message and what is filled in."""

    code: SentenceCode
    params: Params


@dataclass(frozen=True, slots=True)
class PipelineStageRecord:
    """A stage; the last one is the consumer. label: its call; "" for the consumer. inputs: the stages that it asks.

    capacity: how many elements its buffer holds, -1 for any number, None: it has no buffer. lanes: its parallel calls.
    inner: a function of another stage makes it. cost: of one element, in milliseconds. busy, starved, idle: milliseconds in
    which it works, waits for its input, or is not asked; they add up to the total. made: how many elements it handed on.
    """

    id: int
    kind: StageKind
    label: str
    inputs: tuple[int, ...]
    site: SiteRecord | None
    capacity: int | None
    lanes: int
    inner: bool
    cost: float
    busy: float
    starved: float
    idle: float
    made: int


@dataclass(frozen=True, slots=True)
class FlowingRecord:
    """An element that a stage hands on. index: its number in that stage, from 0; epoch: the pass over the source, from 0, None
    where passes have no order; sources: the elements that it was made of.

    to: the stage that receives it. comes, goes: the numbers of the moments at which it gets there and leaves it, as part of
    another element or dropped; goes is None if it stays. dropped: nothing was made of it.
    """

    stage: int
    index: int
    epoch: int | None
    text: str
    sources: tuple[int, ...]
    to: int
    comes: int
    goes: int | None
    dropped: bool


@dataclass(frozen=True, slots=True)
class MomentRecord:
    """At `time`, in milliseconds, an element moves on, or a stage has no more elements ("end") or fails ("error")."""

    time: float
    code: MomentCode
    stage: int
    element: int | None


@dataclass(frozen=True, slots=True)
class WorkRecord:
    """The work of a stage's lane at an element, in milliseconds of the clock."""

    stage: int
    lane: int
    start: float
    end: float
    element: int | None


@dataclass(frozen=True, slots=True)
class PipeRecord:
    """One pipeline. elements, by number; ended: it has no more elements than these; error: its error's first line.

    bottleneck: the stage that sets the pace.
    """

    title: str
    stages: tuple[PipelineStageRecord, ...]
    elements: tuple[FlowingRecord, ...]
    moments: tuple[MomentRecord, ...]
    work: tuple[WorkRecord, ...]
    total: float
    ended: bool
    error: str | None
    bottleneck: int
    findings: tuple[SentenceRecord, ...]

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for ids that do not exist, and for stages that are not numbered by their places."""
        stages, elements = range(len(self.stages)), range(len(self.elements))
        if [stage.id for stage in self.stages] != list(stages) or not self.stages:
            raise RecordError(f"{dot}stages", "stages numbered from 0", None)
        for name, known, found in (
            ("stages.inputs", stages, [id for stage in self.stages for id in stage.inputs]),
            ("elements.stage", stages, [id for each in self.elements for id in (each.stage, each.to)]),
            ("elements.sources", elements, [id for each in self.elements for id in each.sources]),
            ("moments.stage", stages, [moment.stage for moment in self.moments]),
            ("moments.element", elements, [moment.element for moment in self.moments]),
            ("work.stage", stages, [work.stage for work in self.work]),
            ("work.element", elements, [work.element for work in self.work]),
            ("bottleneck", stages, [self.bottleneck]),
        ):
            check_ids(found, known, f"{dot}{name}")
        if any(not 0 <= each.comes < len(self.moments) for each in self.elements):
            raise RecordError(f"{dot}elements.comes", "a number of a moment", None)


@dataclass(frozen=True, slots=True)
class PipelineRecord:
    """One pipeline, or two on the same clock with what differs between them."""

    KIND: ClassVar[str] = "pipeline"
    pipes: tuple[PipeRecord, ...]
    differs: tuple[SentenceRecord, ...] = ()

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for a number of pipelines other than one or two, and as its pipelines do."""
        if len(self.pipes) not in (1, 2):
            raise RecordError(f"{dot}pipes", "one pipeline or two", len(self.pipes))
        for number, pipe in enumerate(self.pipes):
            pipe.check(f"{dot}pipes[{number}].")
