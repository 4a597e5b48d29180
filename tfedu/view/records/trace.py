"""The records of a few runs of one program, step by step, of other courses of them, and of breakpoints. No state."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar, Literal

from .codec import Params, RecordError, check_ids, check_unique, dataclass
from .graph import EdgeRecord, GraphRecord, NoticeRecord
from .value import TensorRecord


@dataclass(frozen=True, slots=True)
class FetchRecord:
    """What a run was asked for."""

    label: str
    name: str
    node: int
    output: int | None


@dataclass(frozen=True, slots=True)
class WhyRecord:
    """Why a node runs or does not: the message `why.<code>`, and the nodes from the fetch to it."""

    code: Literal["fetched", "data", "control", "fed", "pruned", "waiting", "stopped"]
    params: Params
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NodeWhyRecord:
    """A node and its reason."""

    node: int
    why: WhyRecord


@dataclass(frozen=True, slots=True)
class ValueRecord:
    """One output of a step; `alias` names the variable whose buffer it is.

    tensor: which of the trace's tensors shows it; None where the text says it all, and where it is to be asked for.
    asks: whether it can be shown in more ways than this record does, which a kernel knows.
    """

    text: str
    alias: str | None
    dead: bool
    tensor: int | None = None
    asks: bool = False


@dataclass(frozen=True, slots=True)
class DeathRecord:
    """Why a node is dead in a run: the message `dead.<code>`, and the Switch that gave nothing on that side."""

    code: Literal["branch", "ended", "goes_on"]
    params: Params
    switch: int


@dataclass(frozen=True, slots=True)
class ForkedRecord:
    """What a fork changed: the message `fork.<code>` with these params.

    "value" and "variable" (it has another value), "choose" (another ready node is next), "add", "cut" (a control edge).
    """

    code: Literal["value", "variable", "choose", "add", "cut"]
    params: Params


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One node's turn in a run. `ready` is the front of the queue after it; `pending` has the counts that changed.

    One with a `change` is no turn: there a fork changed something.

    frame: the names of the loops around it, "" outside; iteration: the number of the iteration of each, outermost first.
    reads, writes: what was seen and changed of variables and of the elements of TensorArrays. death: of a dead one.
    """

    node: int
    outcome: Literal["ran", "dead", "fed", "error", "changed"]
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


@dataclass(frozen=True, slots=True)
class StartRecord:
    """How a run stands before its first step."""

    ready: tuple[int, ...]
    pending: tuple[tuple[int, int], ...]
    variables: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FetchedRecord:
    """What a run gave for one fetch, as it prints."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One `session.run`."""

    index: int
    start: StartRecord
    steps: tuple[StepRecord, ...]
    fetched: tuple[FetchedRecord, ...]
    error: str | None


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """A few runs of the same fetches, step by step.

    tensors: what values look like, each once. number: which of its widget's traces this is, for who asks it for a value;
    None where nobody can be asked.
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
            _check_run(run, nodes, edges, known, f"{dot}runs[{index}]")


def _check_run(run: RunRecord, nodes: set[int], edges: set[int], tensors: Collection[int], place: str) -> None:
    check_ids(run.start.ready, nodes, f"{place}.start.ready")
    check_ids([node for node, _ in run.start.pending], nodes, f"{place}.start.pending")
    for number, step in enumerate(run.steps):
        at = f"{place}.steps[{number}]"
        check_ids((step.node,), nodes, f"{at}.node")
        check_ids(step.ready, nodes, f"{at}.ready")
        check_ids([node for node, _ in step.pending], nodes, f"{at}.pending")
        check_ids(step.consumed, edges, f"{at}.consumed")
        check_ids(step.produced, edges, f"{at}.produced")
        check_ids((step.death.switch,) if step.death else (), nodes, f"{at}.death.switch")
        check_ids([output.tensor for output in step.outputs], tensors, f"{at}.outputs")


@dataclass(frozen=True, slots=True)
class BranchRecord:
    """Another course of the same runs: like its parent up to `step` of `run`, then changed.

    number, parent: of timelines; 0 is the TraceRecord. runs: what follows, beginning with the rest of `run`; nothing of what
    came before is told twice. added, cut, pruned, needed: how its graph differs from the TraceRecord's, and who then runs;
    these are told where a control edge was changed (`rewired`).
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
        """Raises: RecordError for a timeline that comes before its parent, and for a branch without runs."""
        if not 0 <= self.parent < self.number:
            raise RecordError(f"{dot}parent", "an earlier timeline", self.parent)
        if self.run < 0 or self.step < 0 or not self.runs:
            raise RecordError(f"{dot}runs", "what follows a step", None)
        check_unique([edge.id for edge in self.added], f"{dot}added")


@dataclass(frozen=True, slots=True)
class LeafRecord:
    """A timeline among others. parts: run and step from which on it is unlike the first; None where it is the same."""

    number: int
    steps: int
    parts: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class LeafRowRecord:
    """One thing that each timeline has at its end. groups: equal numbers, equal values, to the last bit."""

    code: Literal["fetched", "variable", "order", "error"]
    run: int
    name: str
    texts: tuple[str, ...]
    groups: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LeavesRecord:
    """How the timelines end, side by side. same: how many variables are equal in all of them and not listed."""

    KIND: ClassVar[str] = "leaves"
    leaves: tuple[LeafRecord, ...] = ()
    rows: tuple[LeafRowRecord, ...] = ()
    same: int = 0

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for a row that has not one entry for each timeline."""
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
    """A breakpoint: its words, the node that it is on, where it hits, and the message `break.note.<code>` about that."""

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
