"""The record of a graph, or of a part of one. No state."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar, Final, Literal

from .codec import Params, RecordError, check_ids, check_unique, dataclass

Role = Literal["constant", "placeholder", "variable", "read", "update", "noop", "control", "op"]
EdgeKind = Literal["data", "control", "reference"]
BoxKind = Literal["cond", "branch", "loop", "scope"]
GroupKind = Literal["repeat", "series"]
EDGE_KINDS: Final[tuple[EdgeKind, ...]] = ("data", "control", "reference")


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
    """A name scope; the nodes inside tell it themselves. The graph itself is the parent "" and not listed."""

    path: str
    parent: str


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
class GroupRecord:
    """One more box around some of a scope's things: copies of one block ("repeat": `scopes`), or a chain ("series": `nodes`)."""

    path: str
    parent: str
    kind: GroupKind
    scopes: tuple[str, ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SealedRecord:
    """What is left out of the record of a large graph, and told only by its numbers: a scope, or the "rest" of one's nodes.

    `id` is below 0 and stands for its nodes in bundles; `data`, `control` and `reference` count the edges inside.
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
    """Edges of one kind from or to what is left out: between a node or sealed scope and another one."""

    kind: EdgeKind
    source: int
    target: int
    count: int


@dataclass(frozen=True, slots=True)
class GraphRecord:
    """A graph, or a part of one. `boxes` put the same nodes together as `scopes`, each cond and each loop as one box;

    there are none in a graph that has neither. `sealed` and `bundles` count what a large graph's record leaves out.
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

    def size(self) -> tuple[int, int]:
        """How many nodes and edges the graph has, those included that are only counted."""
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
            # The node itself may be among those that are left out.
            check_ids((pair.node,) if sealed else (pair.node, pair.of), outputs, f"{dot}gradients[{index}]")
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
    """Checks scopes or boxes: each is under a path of its own in one that is there, too."""
    paths = {place.path for place in places}
    check_unique([place.path for place in places], at)
    for index, place in enumerate(places):
        if not place.path:
            raise RecordError(f"{at}[{index}].path", "a name", place.path)
        if place.parent and not (place.parent in paths and place.path.startswith(place.parent + "/")):
            raise RecordError(f"{at}[{index}].parent", "a scope around it", place.parent)
