"""The record of a graph, or of a part of one. No state."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar, Final, Literal

from .codec import Params, RecordError, check_ids, check_unique, dataclass

Role = Literal["constant", "placeholder", "variable", "read", "update", "noop", "control", "op"]
EdgeKind = Literal["data", "control", "reference"]
BoxKind = Literal["cond", "branch", "loop", "scope"]
GroupKind = Literal["repeat", "series", "unused", "loop_variable"]
PartKind = Literal[
    "gradients", "gradient", "variables", "variable", "optimizer",
    "init", "saver", "summaries", "asserts", "aside", "rest", "span",
]
EDGE_KINDS: Final[tuple[EdgeKind, ...]] = ("data", "control", "reference")


@dataclass(frozen=True, slots=True)
class SiteRecord:
    """A line of the user's program."""

    label: str
    source: str
    line: int


@dataclass(frozen=True, slots=True)
class CodeRecord:
    """Lines of a cell or file, starting at line number `first`. A site of line n has the label `<place>, line <n>`."""

    place: str
    first: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutputRecord:
    """One output of a node. shape: None where the rank is unknown. text: dtype and shape as in a picture."""

    name: str
    dtype: str
    shape: tuple[int | None, ...] | None
    text: str


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """One node. id: the operation's number in its graph, not its place in the record."""

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
    """One edge: "data" (a value), "reference" (a variable itself), or "control" (an order, without output and input)."""

    id: int
    kind: EdgeKind
    source: int
    output: int | None
    target: int
    input: int | None
    text: str


@dataclass(frozen=True, slots=True)
class ScopeRecord:
    """A name scope, or in a large graph a part of it (PartRecord); NodeRecord.scope lists its nodes.

    The graph itself is the parent "" and has no record.
    """

    path: str
    parent: str


@dataclass(frozen=True, slots=True)
class BoxRecord:
    """A cond, one of its branches, a loop, or a name scope beside or inside these. nodes: the nodes directly in it.

    label: the predicate of a cond, the side of a branch, the name of a loop or scope. The graph itself is the parent "".
    """

    path: str
    parent: str
    kind: BoxKind
    label: str
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LoopVariableRecord:
    """A loop variable, named as the program names it. enter, merge, switch, next, exit: its nodes; None where one is missing."""

    name: str
    enter: int
    merge: int
    switch: int | None
    next: int | None
    exit: int | None


@dataclass(frozen=True, slots=True)
class LoopRecord:
    """A loop. frame: its name at run time, without those of the loops around it."""

    frame: str
    variables: tuple[LoopVariableRecord, ...]


@dataclass(frozen=True, slots=True)
class BlockRecord:
    """One `with control_dependencies(...)` block: its control inputs, and the nodes that were created inside."""

    id: int
    site: SiteRecord | None
    control_inputs: tuple[int, ...]
    created: tuple[int, ...]
    empty: bool


@dataclass(frozen=True, slots=True)
class VariableRecord:
    """A node that holds state. shape: of its value, None where it is unknown.

    is_parameter: whether it is a parameter of a model: it is trained, or a layer has it, as the means of a batch normalization.
    """

    node: int
    name: str
    kind: Literal["reference", "resource"]
    shape: tuple[int | None, ...] | None
    is_parameter: bool


@dataclass(frozen=True, slots=True)
class LayerRecord:
    """A layer, or a scope of a model with variables of its own. kind: the layer's class, or the op types of the scope.

    outputs: dtypes and shapes. parameters, trainable: how many numbers its variables hold, None where a size is unknown. shared:
    whether they are the variables of an earlier layer. calls: how often the layer was called in this scope. The scope may be a
    group of repeated blocks: then parameters are those of all together, and calls is the number of blocks.
    """

    scope: str
    kind: str
    outputs: tuple[str, ...]
    parameters: int | None
    trainable: int | None
    shared: bool
    calls: int


@dataclass(frozen=True, slots=True)
class GradientNodeRecord:
    """A node that `gradients` created. of: the node whose gradient it computes; None for a sum or an initial gradient."""

    node: int
    of: int | None


@dataclass(frozen=True, slots=True)
class NoticeRecord:
    """A sentence under the picture: the message `notice.<code>` with these params."""

    code: str
    params: Params


@dataclass(frozen=True, slots=True)
class GroupRecord:
    """A box around a part of a scope: copies of one block ("repeat": `scopes`), or a chain of nodes ("series": `nodes`).

    A picture in which there is too little room makes "unused" ones: scopes and nodes that a run does not need. The record of one
    loop has a "loop_variable" for the nodes that carry a loop variable from iteration to iteration.
    """

    path: str
    parent: str
    kind: GroupKind
    scopes: tuple[str, ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PartRecord:
    """What a scope is for in a large graph; scopes without this record are the way forward, from the inputs to the loss.

    "gradients" and "variables" are the lanes, "gradient" and "variable" what stands in them. A "span" is a part of the way
    forward that is in no scope. All others stand aside.
    of: the scope or node of the way forward that a gradient or variable belongs to; "" if there is none.
    """

    path: str
    kind: PartKind
    of: str = ""


@dataclass(frozen=True, slots=True)
class SealedRecord:
    """A part that the record of a large graph leaves out: a "scope", or the "rest" of a scope's nodes.

    id: below 0; bundles name the part by it. nodes: how many nodes it has. data, control, reference: how many edges of each kind
    are inside.
    """

    id: int
    path: str
    parent: str
    kind: Literal["scope", "rest"]
    nodes: int
    data: int
    control: int
    reference: int


@dataclass(frozen=True, slots=True)
class BundleRecord:
    """Edges of one kind from or to a part that is left out; source and target are ids of nodes or sealed parts."""

    kind: EdgeKind
    source: int
    target: int
    count: int


@dataclass(frozen=True, slots=True)
class TransferRecord:
    """A tensor that travels between two devices. edge: from the node that sends to the one that receives.

    bytes: how many are copied; None where the shape leaves it open.
    """

    edge: int
    bytes: int | None


@dataclass(frozen=True, slots=True)
class GraphRecord:
    """A graph, or a part of one.

    scopes, groups, boxes: two ways to nest the nodes: by name scopes, with groups for repeated blocks and series; or by conds and
    loops, in a graph that has any. loops: the loops with their variables. sealed, bundles: count what the record of a large graph
    leaves out. codes: the program's lines around those that created nodes. parts: what scopes are for. layers: the scopes of
    layers. transfers: the edges between devices, in the graph of a run on several of them. names: ids of nodes, each with the
    name to which the program assigns what the node gives.
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
    groups: tuple[GroupRecord, ...] = ()
    sealed: tuple[SealedRecord, ...] = ()
    bundles: tuple[BundleRecord, ...] = ()
    loops: tuple[LoopRecord, ...] = ()
    codes: tuple[CodeRecord, ...] = ()
    parts: tuple[PartRecord, ...] = ()
    layers: tuple[LayerRecord, ...] = ()
    transfers: tuple[TransferRecord, ...] = ()
    names: tuple[tuple[int, str], ...] = ()

    def size(self) -> tuple[int, int]:
        """How many nodes and edges the graph has, including those that the record leaves out."""
        nodes = len(self.nodes) + sum(part.nodes for part in self.sealed)
        inside = sum(part.data + part.control + part.reference for part in self.sealed)
        return nodes, len(self.edges) + inside + sum(bundle.count for bundle in self.bundles)

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for ids that do not exist."""
        outputs = {node.id: len(node.outputs) for node in self.nodes}
        check_unique([node.id for node in self.nodes], f"{dot}nodes")
        check_unique([edge.id for edge in self.edges], f"{dot}edges")
        check_unique([block.id for block in self.blocks], f"{dot}blocks")
        _check_places(self.scopes, f"{dot}scopes")
        _check_places(self.boxes, f"{dot}boxes")
        for index, box in enumerate(self.boxes):
            check_ids(box.nodes, outputs, f"{dot}boxes[{index}].nodes")
        check_unique([id for box in self.boxes for id in box.nodes], f"{dot}boxes.nodes")
        for index, loop in enumerate(self.loops):
            for variable in loop.variables:
                ids = [variable.enter, variable.merge, variable.switch, variable.next, variable.exit]
                check_ids(ids, outputs, f"{dot}loops[{index}].variables")
        for index, edge in enumerate(self.edges):
            place = f"{dot}edges[{index}]"
            check_ids((edge.source,), outputs, f"{place}.source")
            check_ids((edge.target,), outputs, f"{place}.target")
            if edge.kind == "control":
                if edge.output is not None or edge.input is not None:
                    raise RecordError(f"{place}.output", "null on a control edge", edge.output)
            elif edge.output is None or not 0 <= edge.output < outputs[edge.source]:
                raise RecordError(f"{place}.output", "an output of the source", edge.output)
            elif edge.input is None or edge.input < 0:
                raise RecordError(f"{place}.input", "an input of the target", edge.input)
        check_ids([transfer.edge for transfer in self.transfers], {edge.id for edge in self.edges}, f"{dot}transfers")
        paths = {scope.path for scope in self.scopes}
        for index, node in enumerate(self.nodes):
            if node.scope and node.scope not in paths:
                raise RecordError(f"{dot}nodes[{index}].scope", "a scope of the record", node.scope)
        sealed = {part.id for part in self.sealed}
        for index, block in enumerate(self.blocks):
            check_ids(block.control_inputs, outputs.keys() | sealed, f"{dot}blocks[{index}].control_inputs")
            check_ids(block.created, outputs, f"{dot}blocks[{index}].created")
        check_ids([variable.node for variable in self.variables], outputs, f"{dot}variables")
        for index, pair in enumerate(self.gradients):
            # The differentiated node may be left out.
            check_ids((pair.node,) if sealed else (pair.node, pair.of), outputs, f"{dot}gradients[{index}]")
        check_unique([layer.scope for layer in self.layers], f"{dot}layers")
        check_ids([id for id, _ in self.names], outputs, f"{dot}names")
        check_unique([id for id, _ in self.names], f"{dot}names")
        self._check_left_out(outputs, sealed, dot)

    def _check_left_out(self, outputs: Collection[int], sealed: Collection[int], dot: str) -> None:
        check_unique([part.id for part in self.sealed], f"{dot}sealed")
        for index, part in enumerate(self.sealed):
            if part.id >= 0:
                raise RecordError(f"{dot}sealed[{index}].id", "a number below 0", part.id)
        ends = {*outputs, *sealed}
        for index, bundle in enumerate(self.bundles):
            check_ids((bundle.source, bundle.target), ends, f"{dot}bundles[{index}]")
        places = {scope.path for scope in self.scopes} | {part.path for part in self.sealed}
        check_unique([*places, *(group.path for group in self.groups)], f"{dot}groups")
        check_unique([path for group in self.groups for path in group.scopes], f"{dot}groups.scopes")
        check_unique([id for group in self.groups for id in group.nodes], f"{dot}groups.nodes")
        for index, group in enumerate(self.groups):
            check_ids(group.nodes, outputs, f"{dot}groups[{index}].nodes")
            if not places.issuperset(group.scopes):
                raise RecordError(f"{dot}groups[{index}].scopes", "scopes of the record", group.path)


def _check_places(places: Sequence[ScopeRecord | BoxRecord], at: str) -> None:
    """Checks scopes or boxes: each has its own path, and a parent in the record."""
    paths = {place.path for place in places}
    check_unique([place.path for place in places], at)
    for index, place in enumerate(places):
        if not place.path:
            raise RecordError(f"{at}[{index}].path", "a name", place.path)
        if place.parent and not (place.parent in paths and place.path.startswith(place.parent + "/")):
            raise RecordError(f"{at}[{index}].parent", "a scope around it", place.parent)
