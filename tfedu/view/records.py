"""The records that views, widgets and files exchange: graphs, traces, comparisons, predictions, trainings as JSON types only.

`to_json(record)` gives dicts, lists, strings and numbers; `from_json(data)` checks them and gives the record back, or
raises RecordError with the place of the fault; `schema()` is the JSON schema that the front end's types are checked
against. All three read the dataclasses below, so nothing is said twice. No state but the converters made from them.
"""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import (
    Any,
    ClassVar,
    Final,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

VERSION: Final = 1

Role = Literal["constant", "placeholder", "variable", "read", "update", "noop", "control", "op"]
EdgeKind = Literal["data", "control", "reference"]
BoxKind = Literal["cond", "branch", "loop", "scope"]
Health = Literal["", "fine", "zero", "tiny", "nan", "inf", "dead"]
ShareCode = Literal["passed", "aside", "integer", "none"]
EDGE_KINDS: Final[tuple[EdgeKind, ...]] = ("data", "control", "reference")
Params: TypeAlias = dict[str, str | int]


class RecordError(ValueError):
    """Data is not a record: `place` says where ("graph.nodes[3].id"), the message what was expected there."""

    def __init__(self, place: str, expected: str, got: object) -> None:
        shown = repr(got) if isinstance(got, (int, float, bool, type(None))) else type(got).__name__
        if isinstance(got, str):
            shown = repr(got if len(got) <= 40 else got[:39] + "…")
        super().__init__(f"not a valid record: {place or 'the record'}: expected {expected}, got {shown}")
        self.place = place


class RecordVersionError(RecordError):
    """The record was written by another version of tfedu."""


# -- graphs ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SiteRecord:
    """A line of the user's program."""

    label: str
    source: str
    line: int


@dataclass(frozen=True, slots=True)
class OutputRecord:
    """One output of a node; `text` is its dtype and shape as a picture writes them."""

    name: str
    dtype: str
    shape: tuple[int | None, ...] | None
    text: str


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """One node. `id` is the operation's number in its graph, not its place in the record."""

    id: int
    name: str
    type: str
    scope: str
    role: Role
    device: str
    stateful: bool
    site: SiteRecord | None
    attrs: tuple[tuple[str, str], ...]
    outputs: tuple[OutputRecord, ...]


@dataclass(frozen=True, slots=True)
class EdgeRecord:
    """One edge: a value that flows, a variable that is handed on ("reference"), or an order without a value."""

    id: int
    kind: EdgeKind
    source: int
    output: int | None
    target: int
    input: int | None
    text: str


@dataclass(frozen=True, slots=True)
class ScopeRecord:
    """A name scope and the nodes directly inside; the graph itself is the parent "" and not listed."""

    path: str
    parent: str
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BoxRecord:
    """A cond, one of its branches, a loop, or a name scope beside or inside; `nodes` are those directly in it.

    label: the condition of a cond, the side of a branch, the name of a loop or scope. The graph itself is the parent "".
    """

    path: str
    parent: str
    kind: BoxKind
    label: str
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BlockRecord:
    """One `with control_dependencies(...)` block: what it waits for and which nodes were made inside."""

    id: int
    site: SiteRecord | None
    control_inputs: tuple[int, ...]
    created: tuple[int, ...]
    empty: bool


@dataclass(frozen=True, slots=True)
class VariableRecord:
    """A node that holds state."""

    node: int
    name: str
    kind: Literal["reference", "resource"]


@dataclass(frozen=True, slots=True)
class GradientNodeRecord:
    """A node that `gradients` made, and the node whose gradient it belongs to; a sum or a start belongs to none."""

    node: int
    of: int | None


@dataclass(frozen=True, slots=True)
class NoticeRecord:
    """Something to be told beside the picture: the message `notice.<code>` with these params."""

    code: str
    params: Params


@dataclass(frozen=True, slots=True)
class GraphRecord:
    """A graph, or a part of one. `boxes` put the same nodes together as `scopes`, each cond and each loop as one box;

    there are none in a graph that has neither.
    """

    KIND: ClassVar[str] = "graph"
    nodes: tuple[NodeRecord, ...] = ()
    edges: tuple[EdgeRecord, ...] = ()
    scopes: tuple[ScopeRecord, ...] = ()
    blocks: tuple[BlockRecord, ...] = ()
    variables: tuple[VariableRecord, ...] = ()
    gradients: tuple[GradientNodeRecord, ...] = ()
    notices: tuple[NoticeRecord, ...] = ()
    boxes: tuple[BoxRecord, ...] = ()


# -- traces ------------------------------------------------------------------------------------------------------


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

    code: Literal["fetched", "data", "control", "fed", "pruned"]
    params: Params
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NodeWhyRecord:
    """A node and its reason."""

    node: int
    why: WhyRecord


@dataclass(frozen=True, slots=True)
class ValueRecord:
    """One output of a step; `alias` names the variable whose buffer it is."""

    text: str
    alias: str | None
    dead: bool


@dataclass(frozen=True, slots=True)
class DeathRecord:
    """Why a node is dead in a run: the message `dead.<code>`, and the Switch that gave nothing on that side."""

    code: Literal["branch", "ended", "goes_on"]
    params: Params
    switch: int


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One node's turn in a run. `ready` is the front of the queue after it; `pending` has the counts that changed.

    frame: the names of the loops around it, "" outside; iteration: the number of the iteration of each, outermost first.
    reads, writes: what was seen and changed of variables and of the elements of TensorArrays. death: of a dead one.
    """

    node: int
    outcome: Literal["ran", "dead", "fed", "error"]
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
    """A few runs of the same fetches, step by step."""

    KIND: ClassVar[str] = "trace"
    graph: GraphRecord
    fetches: tuple[FetchRecord, ...] = ()
    pruned: tuple[NodeWhyRecord, ...] = ()
    needed: tuple[NodeWhyRecord, ...] = ()
    runs: tuple[RunRecord, ...] = ()


# -- comparisons -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MarksRecord:
    """What one side has and the other has not."""

    nodes: tuple[int, ...] = ()
    edges: tuple[int, ...] = ()
    blocks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SideRecord:
    """One side of a comparison."""

    title: str
    trace: TraceRecord
    marks: MarksRecord


@dataclass(frozen=True, slots=True)
class CompareRecord:
    """Two traces side by side."""

    KIND: ClassVar[str] = "compare"
    sides: tuple[SideRecord, ...]


# -- gradients ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GradientRecord:
    """A gradient: the tensor that carries it, and in a run its value and how that is ("": there was no run)."""

    name: str
    node: int | None
    text: str
    health: Health


@dataclass(frozen=True, slots=True)
class ArrivalRecord:
    """What came to one output of a node, over as many ways as there are parts; `total` is their sum."""

    output: int
    parts: tuple[GradientRecord, ...]
    total: GradientRecord | None


@dataclass(frozen=True, slots=True)
class ShareRecord:
    """What one input got, by the node and output that it comes from.

    "passed": its node has a turn; "aside": nothing that was asked for lies there; "integer", "none": no gradient, since
    the input holds whole numbers and such, or since the rule gives none.
    """

    input: int
    node: int
    output: int
    code: ShareCode
    gradient: GradientRecord | None


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One node's turn on the way back. `reason` is the engine's own word for a "constant"; `pending` the counts that changed."""

    kind: Literal["start", "rule", "reached", "stopped", "constant", "nothing"]
    node: int
    formula: str
    reason: str
    arrivals: tuple[ArrivalRecord, ...]
    sums: tuple[int, ...]
    made: tuple[int, ...]
    shares: tuple[ShareRecord, ...]
    pending: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DerivativeRecord:
    """The gradient of one x; or why there is none, and the node where the way to it breaks off."""

    label: str
    node: int
    code: Literal["found", "unrelated", "integer", "stopped", "constant", "none"]
    gradient: GradientRecord | None
    at: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class GradientFlowRecord:
    """One call of `gradients`, turn by turn, and the graph as it is after it."""

    KIND: ClassVar[str] = "gradient-flow"
    graph: GraphRecord
    ys: tuple[FetchRecord, ...] = ()
    turns: tuple[TurnRecord, ...] = ()
    results: tuple[DerivativeRecord, ...] = ()


# -- predictions -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TargetRecord:
    """One value that the learner is asked for."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class PredictRecord:
    """A question; it carries no answer."""

    KIND: ClassVar[str] = "predict"
    title: str
    prompt: str
    code: str
    runs: int
    targets: tuple[TargetRecord, ...]


@dataclass(frozen=True, slots=True)
class DivergesRecord:
    """The first step in which a model of thought and the engine part."""

    run: int
    step: int
    node: int | None
    name: str
    model_value: str
    engine_value: str


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What one model of thought predicts, and whether the learner wrote just that."""

    model: str
    predicts: tuple[str, ...]
    matches: bool
    diverges: DivergesRecord | None


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """The learner's numbers beside the engine's."""

    key: str
    predicted: tuple[str, ...]
    actual: tuple[str, ...]
    correct: bool
    models: tuple[ModelRecord, ...]


@dataclass(frozen=True, slots=True)
class PredictResult:
    """What the learner sees after committing."""

    KIND: ClassVar[str] = "predict-result"
    targets: tuple[AnswerRecord, ...]
    compare: CompareRecord | None = None
    trace: TraceRecord | None = None


# -- trainings ---------------------------------------------------------------------------------------------------

Odd = Literal["nan", "inf", "-inf"]


@dataclass(frozen=True, slots=True)
class PieceRecord:
    """Some numbers of a curve that follow each other. Of `count` numbers the first, the last, the least and the largest are
    in `points` (step, time, value), the first of each kind that is not finite in `odd`; `mean` is that of the finite ones."""

    count: int
    mean: float | None
    points: tuple[tuple[int, float, float], ...]
    odd: tuple[tuple[int, float, Odd], ...] = ()


@dataclass(frozen=True, slots=True)
class CurveRecord:
    """The numbers of one tag in one run, `total` of them. In news, `pieces` replace those from number `at` on."""

    run: int
    tag: str
    total: int
    odd: int
    at: int
    pieces: tuple[PieceRecord, ...]


@dataclass(frozen=True, slots=True)
class DistributionRecord:
    """How some numbers lie at one step: how many are in each of equally wide bins, and the quantiles of QUANTILES."""

    step: int
    time: float
    count: float
    mean: float
    low: float
    high: float
    quantiles: tuple[float, ...]
    bins: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class HistogramsRecord:
    """The distributions of one tag in one run: `total` came, an even choice of them and the last are here."""

    run: int
    tag: str
    total: int
    at: int
    items: tuple[DistributionRecord, ...]


@dataclass(frozen=True, slots=True)
class ImageRecord:
    """One image at one step; `data` is the file in base64."""

    step: int
    time: float
    width: int
    height: int
    format: Literal["png", "jpeg", "gif"]
    data: str


@dataclass(frozen=True, slots=True)
class ImagesRecord:
    """The images of one tag in one run, chosen as in HistogramsRecord."""

    run: int
    tag: str
    total: int
    at: int
    items: tuple[ImageRecord, ...]


@dataclass(frozen=True, slots=True)
class NoteRecord:
    """One text at one step."""

    step: int
    time: float
    text: str


@dataclass(frozen=True, slots=True)
class NotesRecord:
    """The texts of one tag in one run, chosen as in HistogramsRecord."""

    run: int
    tag: str
    total: int
    at: int
    items: tuple[NoteRecord, ...]


@dataclass(frozen=True, slots=True)
class OtherRecord:
    """What came under a tag and is not shown, and how often."""

    run: int
    tag: str
    reason: Literal["audio", "tensor", "large", "unreadable"]
    total: int


@dataclass(frozen=True, slots=True)
class TrainedRecord:
    """One run of a training: its name and its first time, in seconds since 1970."""

    name: str
    start: float


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """What some trainings told so far; as news, what has changed since the whole record was sent (see `at`)."""

    KIND: ClassVar[str] = "training"
    runs: tuple[TrainedRecord, ...] = ()
    curves: tuple[CurveRecord, ...] = ()
    histograms: tuple[HistogramsRecord, ...] = ()
    images: tuple[ImagesRecord, ...] = ()
    texts: tuple[NotesRecord, ...] = ()
    others: tuple[OtherRecord, ...] = ()
    notices: tuple[NoticeRecord, ...] = ()


Record: TypeAlias = (
    GraphRecord | TraceRecord | CompareRecord | GradientFlowRecord | PredictRecord | PredictResult | TrainingRecord
)
RECORDS: Final[dict[str, type[Any]]] = {kind.KIND: kind for kind in get_args(Record)}

R = TypeVar("R")


# -- to JSON -----------------------------------------------------------------------------------------------------


def to_json(record: Any) -> Any:
    """The record as dicts, lists, strings, numbers and None."""
    return _writer(_key(type(record)))(record)


@cache
def _writer(hint: Any) -> Callable[[Any], Any]:
    """Turns a value of the annotated type into JSON types."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        head = _head(hint)
        members = [(name, _writer(kind)) for name, kind in _members(_key(hint))]

        def write(value: Any) -> Any:
            data = dict(head)
            for name, convert in members:
                data[name] = convert(getattr(value, name))
            return data

        return write
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        inner = _writer(args[0])
        if len(args) == 2 and args[1] is Ellipsis:
            return list if inner is _same else lambda value: [inner(item) for item in value]
        return list
    if origin in (Union, types.UnionType):
        rest = [
            _writer(arg) for arg in args if arg is not types.NoneType and arg is not int and arg is not str
        ]
        if not rest:
            return _same
        convert = rest[0]
        return lambda value: None if value is None else convert(value)
    return dict if origin is dict else _same


def _key(hint: Any) -> Hashable:
    """The annotation as a cache's key (type checkers do not see that classes are hashable)."""
    key: Hashable = hint
    return key


def _same(value: Any) -> Any:
    return value


def _head(kind: type[Any]) -> dict[str, Any]:
    name = getattr(kind, "KIND", None)
    return {} if name is None else {"version": VERSION, "kind": name}


@cache
def _members(kind: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((item.name, hints[item.name]) for item in dataclasses.fields(kind))


# -- from JSON ---------------------------------------------------------------------------------------------------


def from_json(data: Any, kind: type[R] | None = None) -> R:
    """The record that `data` (JSON types) spells; its class from data["kind"], or the one that is asked for.

    Raises: RecordVersionError for another version's record, RecordError for everything that is not a record.
    """
    if not isinstance(data, dict):
        raise RecordError("", "an object", data)
    found = RECORDS.get(data["kind"]) if isinstance(data.get("kind"), str) else None
    if kind is None:
        if found is None:
            raise RecordError("kind", " or ".join(RECORDS), data.get("kind"))
        kind = found
    record: R = _reader(_key(kind))(data, "")
    _check_references(record)
    return record


@cache
def _reader(hint: Any) -> Callable[[Any, str], Any]:
    """Checks JSON types against the annotated type and makes its value."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _object_reader(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        return _list_reader(args)
    if origin is Literal:
        return _choice_reader(args)
    if origin is dict:
        return _params
    if origin in (Union, types.UnionType):
        (inner,) = [arg for arg in args if arg is not types.NoneType]
        convert = _reader(inner)
        return lambda value, place: None if value is None else convert(value, place)
    return _scalar_reader(hint)


def _object_reader(kind: type[Any]) -> Callable[[Any, str], Any]:
    head = _head(kind)
    members = [(name, _reader(hint)) for name, hint in _members(_key(kind))]
    known = {*head, *(name for name, _ in members)}

    def read(value: Any, place: str) -> Any:
        if not isinstance(value, dict):
            raise RecordError(place, "an object", value)
        dot = f"{place}." if place else ""
        for key, wanted in head.items():
            if value.get(key) != wanted or isinstance(value.get(key), bool):
                error = RecordVersionError if key == "version" and _is_int(value.get(key)) else RecordError
                raise error(f"{dot}{key}", repr(wanted), value.get(key))
        for key in value:
            if key not in known:
                raise RecordError(place, f"no field {key!r:.60}", value[key])
        parts = []
        for name, convert in members:
            if name not in value:
                raise RecordError(f"{dot}{name}", "a value", None)
            parts.append(convert(value[name], f"{dot}{name}"))
        return kind(*parts)

    return read


def _list_reader(args: tuple[Any, ...]) -> Callable[[Any, str], Any]:
    if len(args) == 2 and args[1] is Ellipsis:
        convert = _reader(args[0])

        def read(value: Any, place: str) -> Any:
            if not isinstance(value, (list, tuple)):
                raise RecordError(place, "a list", value)
            return tuple([convert(item, f"{place}[{index}]") for index, item in enumerate(value)])

        return read
    converts = [_reader(arg) for arg in args]

    def read_fixed(value: Any, place: str) -> Any:
        if not isinstance(value, (list, tuple)) or len(value) != len(converts):
            raise RecordError(place, f"a list of {len(converts)}", value)
        return tuple(
            [
                convert(item, f"{place}[{i}]")
                for i, (convert, item) in enumerate(zip(converts, value, strict=True))
            ]
        )

    return read_fixed


def _choice_reader(choices: tuple[Any, ...]) -> Callable[[Any, str], Any]:
    def read(value: Any, place: str) -> Any:
        if not isinstance(value, str) or value not in choices:
            raise RecordError(place, " or ".join(choices), value)
        return value

    return read


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _params(value: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise RecordError(place, "an object", value)
    for key, item in value.items():
        if not isinstance(key, str) or not (isinstance(item, str) or _is_int(item)):
            raise RecordError(f"{place}.{key!s:.60}", "a string or a whole number", item)
    return dict(value)


def _scalar_reader(kind: Any) -> Callable[[Any, str], Any]:
    names = {int: "a whole number", float: "a finite number", str: "a string", bool: "true or false"}

    def read(value: Any, place: str) -> Any:
        if kind is float and _is_int(value):
            value = float(value) if abs(value) < 1 << 1000 else math.inf
        if kind is float and isinstance(value, float) and not math.isfinite(value):
            raise RecordError(place, names[kind], value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise RecordError(place, names[kind], value)
        return value

    return read


# -- what no type says: ids that must exist ------------------------------------------------------------------------


def _check_references(record: Any) -> None:
    if isinstance(record, GraphRecord):
        _check_graph(record, "")
    elif isinstance(record, TraceRecord):
        _check_trace(record, "")
    elif isinstance(record, CompareRecord):
        _check_compare(record, "")
    elif isinstance(record, GradientFlowRecord):
        _check_flow(record)
    elif isinstance(record, PredictResult):
        if record.compare is not None:
            _check_compare(record.compare, "compare.")
        if record.trace is not None:
            _check_trace(record.trace, "trace.")
    elif isinstance(record, TrainingRecord):
        for name in ("curves", "histograms", "images", "texts", "others"):
            _check_ids([item.run for item in getattr(record, name)], range(len(record.runs)), f"{name}.run")


def _check_places(
    places: Sequence[ScopeRecord | BoxRecord], known: Collection[int], at: str
) -> None:
    """Checks scopes or boxes: each is under a path of its own in one that is there, too, and holds nodes that are known."""
    paths = {place.path for place in places}
    _check_unique([place.path for place in places], at)
    for index, place in enumerate(places):
        _check_ids(place.nodes, known, f"{at}[{index}].nodes")
        if not place.path:
            raise RecordError(f"{at}[{index}].path", "a name", place.path)
        if place.parent and not (place.parent in paths and place.path.startswith(place.parent + "/")):
            raise RecordError(f"{at}[{index}].parent", "a scope around it", place.parent)


def _check_graph(graph: GraphRecord, dot: str) -> None:
    outputs = {node.id: len(node.outputs) for node in graph.nodes}
    _check_unique([node.id for node in graph.nodes], f"{dot}nodes")
    _check_unique([edge.id for edge in graph.edges], f"{dot}edges")
    _check_unique([block.id for block in graph.blocks], f"{dot}blocks")
    _check_places(graph.scopes, outputs, f"{dot}scopes")
    _check_places(graph.boxes, outputs, f"{dot}boxes")
    _check_unique([id for box in graph.boxes for id in box.nodes], f"{dot}boxes.nodes")
    for index, edge in enumerate(graph.edges):
        place = f"{dot}edges[{index}]"
        _check_ids((edge.source,), outputs, f"{place}.source")
        _check_ids((edge.target,), outputs, f"{place}.target")
        if edge.kind == "control":
            if edge.output is not None or edge.input is not None:
                raise RecordError(f"{place}.output", "null on a control edge", edge.output)
        elif edge.output is None or not 0 <= edge.output < outputs[edge.source]:
            raise RecordError(f"{place}.output", "an output of the source", edge.output)
        elif edge.input is None or edge.input < 0:
            raise RecordError(f"{place}.input", "an input of the target", edge.input)
    paths = {scope.path for scope in graph.scopes}
    for index, node in enumerate(graph.nodes):
        if node.scope and node.scope not in paths:
            raise RecordError(f"{dot}nodes[{index}].scope", "a scope of the record", node.scope)
    for index, block in enumerate(graph.blocks):
        _check_ids(block.control_inputs, outputs, f"{dot}blocks[{index}].control_inputs")
        _check_ids(block.created, outputs, f"{dot}blocks[{index}].created")
    _check_ids([variable.node for variable in graph.variables], outputs, f"{dot}variables")
    for index, pair in enumerate(graph.gradients):
        _check_ids(_known(pair.node, pair.of), outputs, f"{dot}gradients[{index}]")


def _check_trace(trace: TraceRecord, dot: str) -> None:
    graph = trace.graph
    _check_graph(graph, f"{dot}graph.")
    nodes = {node.id for node in graph.nodes}
    edges = {edge.id for edge in graph.edges}
    _check_ids([fetch.node for fetch in trace.fetches], nodes, f"{dot}fetches")
    for name, reasons in (("pruned", trace.pruned), ("needed", trace.needed)):
        _check_ids([reason.node for reason in reasons], nodes, f"{dot}{name}")
        for reason in reasons:
            _check_ids(reason.why.path, nodes, f"{dot}{name}")
    for index, run in enumerate(trace.runs):
        place = f"{dot}runs[{index}]"
        _check_ids(run.start.ready, nodes, f"{place}.start.ready")
        _check_ids([node for node, _ in run.start.pending], nodes, f"{place}.start.pending")
        for number, step in enumerate(run.steps):
            at = f"{place}.steps[{number}]"
            _check_ids((step.node,), nodes, f"{at}.node")
            _check_ids(step.ready, nodes, f"{at}.ready")
            _check_ids([node for node, _ in step.pending], nodes, f"{at}.pending")
            _check_ids(step.consumed, edges, f"{at}.consumed")
            _check_ids(step.produced, edges, f"{at}.produced")
            _check_ids((step.death.switch,) if step.death else (), nodes, f"{at}.death.switch")


def _check_compare(compare: CompareRecord, dot: str) -> None:
    if len(compare.sides) != 2:
        raise RecordError(f"{dot}sides", "two sides", len(compare.sides))
    for index, side in enumerate(compare.sides):
        place = f"{dot}sides[{index}]."
        _check_trace(side.trace, f"{place}trace.")
        graph = side.trace.graph
        _check_ids(side.marks.nodes, {node.id for node in graph.nodes}, f"{place}marks.nodes")
        _check_ids(side.marks.edges, {edge.id for edge in graph.edges}, f"{place}marks.edges")
        _check_ids(side.marks.blocks, {block.id for block in graph.blocks}, f"{place}marks.blocks")


def _check_flow(flow: GradientFlowRecord) -> None:
    _check_graph(flow.graph, "graph.")
    nodes = {node.id: len(node.outputs) for node in flow.graph.nodes}
    _check_ids([y.node for y in flow.ys], nodes, "ys")
    for index, turn in enumerate(flow.turns):
        place = f"turns[{index}]"
        carriers = [part for arrival in turn.arrivals for part in (*arrival.parts, arrival.total)]
        carriers.extend(share.gradient for share in turn.shares)
        _check_ids((turn.node, *turn.sums, *turn.made), nodes, place)
        _check_ids([node for node, _ in turn.pending], nodes, f"{place}.pending")
        _check_ids(_known(*[carrier.node for carrier in carriers if carrier is not None]), nodes, f"{place}.arrivals")
        for share in turn.shares:
            _check_ids((share.node,), nodes, f"{place}.shares")
            if not 0 <= share.output < nodes[share.node]:
                raise RecordError(f"{place}.shares", "an output of the node", share.output)
    for index, result in enumerate(flow.results):
        found = result.gradient.node if result.gradient is not None else None
        _check_ids((result.node, *_known(found, result.at)), nodes, f"results[{index}]")


def _known(*ids: int | None) -> list[int]:
    return [id for id in ids if id is not None]


def _check_unique(ids: list[Any], place: str) -> None:
    if len(set(ids)) != len(ids):
        raise RecordError(place, "each id once", "an id twice")


def _check_ids(ids: Iterable[int], known: Collection[int], place: str) -> None:
    for id in ids:
        if id not in known:
            raise RecordError(place, "ids of the record", id)


# -- schema --------------------------------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of all records."""
    definitions: dict[str, Any] = {}
    top = [_schema_of(kind, definitions) for kind in RECORDS.values()]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "tfedu records",
        "oneOf": top,
        "$defs": dict(sorted(definitions.items())),
    }


def _schema_of(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        name = hint.__name__
        if name not in definitions:
            definitions[name] = {}  # taken, before its members ask for it again
            properties: dict[str, Any] = {key: {"const": value} for key, value in _head(hint).items()}
            for member, kind in _members(_key(hint)):
                properties[member] = _schema_of(kind, definitions)
            definitions[name] = {
                "type": "object",
                "description": (hint.__doc__ or "").strip(),
                "properties": properties,
                "required": list(properties),
                "additionalProperties": False,
            }
        return {"$ref": f"#/$defs/{name}"}
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return {"type": "array", "items": _schema_of(args[0], definitions)}
        items = [_schema_of(arg, definitions) for arg in args]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    if origin is Literal:
        return {"enum": list(args)}
    if origin is dict:
        return {
            "type": "object",
            "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        }
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema_of(arg, definitions) for arg in args]}
    names = {int: "integer", float: "number", str: "string", bool: "boolean", types.NoneType: "null"}
    return {"type": names[hint]}


__all__ = [name for name in dir() if name.endswith("Record")] + [
    "EDGE_KINDS", "EdgeKind", "Health", "Odd", "Params", "PredictResult", "RECORDS", "Record", "RecordError",
    "RecordVersionError", "Role", "ShareCode", "VERSION", "from_json", "schema", "to_json",
]  # fmt: skip
