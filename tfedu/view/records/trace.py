"""The records of runs, step by step, of timelines that differ from a step on, and of breakpoints. No state."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar, Literal

from .codec import Params, RecordError, check_ids, check_unique, dataclass
from .graph import EdgeRecord, GraphRecord, NoticeRecord
from .value import TensorRecord


@dataclass(frozen=True, slots=True)
class FetchRecord:
    """One fetch of a run."""

    label: str
    name: str
    node: int
    output: int | None


@dataclass(frozen=True, slots=True)
class WhyRecord:
    """Why a node runs or does not: the message `why.<code>`, and the nodes from the fetch to it."""

    code: Literal["fetched", "data", "control", "fed", "pruned", "waiting", "stopped", "failed", "unfinished", "cut_short"]
    params: Params
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NodeWhyRecord:
    """A node, and why it runs or does not."""

    node: int
    why: WhyRecord


@dataclass(frozen=True, slots=True)
class ValueRecord:
    """One output of a step. alias: the variable whose buffer it is, if any.

    tensor: the place of the value among the trace's tensors; None where `text` is the complete value, or only a kernel has it.
    asks: whether a kernel can show the value in more looks.
    """

    text: str
    alias: str | None
    dead: bool
    tensor: int | None = None
    asks: bool = False


@dataclass(frozen=True, slots=True)
class DeathRecord:
    """Why a node is dead in a run: the message `dead.<code>`, and the Switch whose dead output it depends on."""

    code: Literal["branch", "ended", "goes_on"]
    params: Params
    switch: int


@dataclass(frozen=True, slots=True)
class ForkedRecord:
    """What a fork changed: the message `fork.<code>` with these params.

    "value", "variable": it gets another value; "choose": another ready node runs next; "add", "cut": a control edge.
    """

    code: Literal["value", "variable", "choose", "add", "cut"]
    params: Params


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One node's turn in a run, or, with a `change`, the place where a fork changed something.

    consumed, produced: edge ids. reads: (name, value) of each variable and TensorArray element that the node read; writes: (name,
    value before, value after). ready: the first ready nodes after the step that can take their turns; held: those that a queue or
    a mutex holds back. pending: changed pending counts, as (node, count).
    frame: the names of the loops around the node, "" outside; iteration: the iteration of each, outermost first. death: why the
    node is dead.
    """

    node: int
    outcome: Literal["ran", "dead", "fed", "began", "error", "changed"]
    consumed: tuple[int, ...]
    produced: tuple[int, ...]
    reads: tuple[tuple[str, str], ...]
    writes: tuple[tuple[str, str, str], ...]
    outputs: tuple[ValueRecord, ...]
    ready: tuple[int, ...]
    pending: tuple[tuple[int, int], ...]
    error: str | None
    frame: str
    iteration: tuple[int, ...]
    death: DeathRecord | None = None
    change: ForkedRecord | None = None
    held: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StartRecord:
    """The state of a run before its first step; ready, held: as of a step."""

    ready: tuple[int, ...]
    pending: tuple[tuple[int, int], ...]
    variables: tuple[tuple[str, str], ...]
    held: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FetchedRecord:
    """The value of one fetch, as it prints."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class ClockLaneRecord:
    """What works by itself: a device ("GPU:0"), or the link from it to another device."""

    device: str
    to: str | None


@dataclass(frozen=True, slots=True)
class SpanRecord:
    """When a lane worked at a step, in nanoseconds of the simulated clock. lane: its place; bytes: what a transfer copied."""

    lane: int
    step: int
    begin: int
    end: int
    bytes: int


@dataclass(frozen=True, slots=True)
class ClockRecord:
    """The simulated clock of a run on several devices: the devices, then the links, and what they did, in the order of the steps.

    A step that has no span took no time on any device.
    """

    lanes: tuple[ClockLaneRecord, ...]
    spans: tuple[SpanRecord, ...]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One `session.run`. unfinished: why the fate of the nodes that had no turn is not known, if the recorder gave the run up.

    clock: when the devices worked, of a run on several of them.
    """

    index: int
    start: StartRecord
    steps: tuple[StepRecord, ...]
    fetched: tuple[FetchedRecord, ...]
    error: str | None
    unfinished: WhyRecord | None = None
    clock: ClockRecord | None = None


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """Runs of the same fetches, step by step.

    tensors: values in full, each once; outputs name them by place. number: the number of the trace in its widget, for requests of
    values; None where no kernel can be asked.
    """

    KIND: ClassVar[str] = "trace"
    graph: GraphRecord
    fetches: tuple[FetchRecord, ...] = ()
    pruned: tuple[NodeWhyRecord, ...] = ()
    needed: tuple[NodeWhyRecord, ...] = ()
    runs: tuple[RunRecord, ...] = ()
    tensors: tuple[TensorRecord, ...] = ()
    number: int | None = None

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for ids that do not exist."""
        graph = self.graph
        graph.check(f"{dot}graph.")
        nodes = {node.id for node in graph.nodes}
        edges = {edge.id for edge in graph.edges}
        check_ids([fetch.node for fetch in self.fetches], nodes, f"{dot}fetches")
        for name, reasons in (("pruned", self.pruned), ("needed", self.needed)):
            check_ids([reason.node for reason in reasons], nodes, f"{dot}{name}")
            for reason in reasons:
                check_ids(reason.why.path, nodes, f"{dot}{name}")
        for index, tensor in enumerate(self.tensors):
            tensor.check(f"{dot}tensors[{index}].")
        known = range(len(self.tensors))
        for index, run in enumerate(self.runs):
            check_run(run, nodes, edges, known, f"{dot}runs[{index}]")


def check_run(run: RunRecord, nodes: set[int], edges: set[int], tensors: Collection[int], place: str) -> None:
    """Raises: RecordError for ids of nodes, edges and tensors that do not exist."""
    check_ids(run.start.ready, nodes, f"{place}.start.ready")
    check_ids(run.start.held, nodes, f"{place}.start.held")
    check_ids([node for node, _ in run.start.pending], nodes, f"{place}.start.pending")
    for number, step in enumerate(run.steps):
        at = f"{place}.steps[{number}]"
        check_ids((step.node,), nodes, f"{at}.node")
        check_ids(step.ready, nodes, f"{at}.ready")
        check_ids(step.held, nodes, f"{at}.held")
        check_ids([node for node, _ in step.pending], nodes, f"{at}.pending")
        check_ids(step.consumed, edges, f"{at}.consumed")
        check_ids(step.produced, edges, f"{at}.produced")
        check_ids((step.death.switch,) if step.death else (), nodes, f"{at}.death.switch")
        check_ids([output.tensor for output in step.outputs], tensors, f"{at}.outputs")
    if run.clock is not None:
        check_ids([span.lane for span in run.clock.spans], range(len(run.clock.lanes)), f"{place}.clock.spans")
        check_ids([span.step for span in run.clock.spans], range(len(run.steps)), f"{place}.clock.spans")


@dataclass(frozen=True, slots=True)
class BranchRecord:
    """A timeline: the same runs as its parent up to `step` of `run`, then with a change.

    number, parent: numbers of timelines; 0 is the TraceRecord. runs: the rest of `run`, and the runs after it. rewired: whether a
    control edge was changed; then added and cut are the control edges that differ from the TraceRecord's, and pruned and needed
    the reasons of its nodes.
    """

    KIND: ClassVar[str] = "branch"
    number: int
    parent: int
    run: int
    step: int
    change: ForkedRecord
    runs: tuple[RunRecord, ...]
    rewired: bool = False
    added: tuple[EdgeRecord, ...] = ()
    cut: tuple[int, ...] = ()
    pruned: tuple[NodeWhyRecord, ...] = ()
    needed: tuple[NodeWhyRecord, ...] = ()

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for a number that is not above the parent's, and for a branch without runs."""
        if not 0 <= self.parent < self.number:
            raise RecordError(f"{dot}parent", "an earlier timeline", self.parent)
        if self.run < 0 or self.step < 0 or not self.runs:
            raise RecordError(f"{dot}runs", "what follows a step", None)
        check_unique([edge.id for edge in self.added], f"{dot}added")


@dataclass(frozen=True, slots=True)
class LeafRecord:
    """A timeline among others. parts: the run and step from which on it differs from the first one; None for no difference."""

    number: int
    steps: int
    parts: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class LeafRowRecord:
    """One value at the end of each timeline. groups: a number for each timeline; equal numbers mean values equal in every bit."""

    code: Literal["fetched", "variable", "order", "error"]
    run: int
    name: str
    texts: tuple[str, ...]
    groups: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LeavesRecord:
    """The ends of the timelines, side by side. same: how many variables are equal in all of them, and have no row."""

    KIND: ClassVar[str] = "leaves"
    leaves: tuple[LeafRecord, ...] = ()
    rows: tuple[LeafRowRecord, ...] = ()
    same: int = 0

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for a row without one entry for each timeline."""
        for index, row in enumerate(self.rows):
            if not len(row.texts) == len(row.groups) == len(self.leaves):
                raise RecordError(f"{dot}rows[{index}].texts", "one text a timeline", len(row.texts))


@dataclass(frozen=True, slots=True)
class HitsRecord:
    """The steps of one run of a timeline at which a breakpoint hits."""

    timeline: int
    run: int
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BreakRecord:
    """A breakpoint: its text, its node if it is on one, its hits, and a message `break.note.<code>` about them."""

    number: int
    kind: Literal["node", "value", "event", "python"]
    text: str
    node: int | None
    hits: tuple[HitsRecord, ...]
    note: NoticeRecord | None = None


@dataclass(frozen=True, slots=True)
class BreaksRecord:
    """The breakpoints of a widget."""

    KIND: ClassVar[str] = "breaks"
    breaks: tuple[BreakRecord, ...] = ()
