"""What a picture draws and what it folds: closed scopes, a box for the rest of too many nodes, edges in bundles.

`fold(record, collapsed, limit)` returns boxes in boxes and the lines between them. Every node and edge is in exactly one box
or line; `Folding.count(kind)` says how many are drawn, and how many a badge counts. No state.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from ..records import (
    BlockRecord,
    BoxRecord,
    EdgeKind,
    EdgeRecord,
    GraphRecord,
    GroupRecord,
    LayerRecord,
    NodeRecord,
    PartRecord,
    SealedRecord,
)
from .device_lanes import in_lanes

# The most boxes that a reader can take in on one picture.
LIMIT: Final = 120
# Of a graph with more than LARGE nodes a picture has at most READABLE boxes, which can be read at a glance.
LARGE: Final = 500
READABLE: Final = 40
# More parallel edges than these between two nodes become a bundle.
PARALLEL: Final = 16

BoxKind = Literal["node", "scope", "folded", "rest", "block"]
LineKind = Literal["data", "control", "reference", "waits"]
Countable = Literal["nodes", "data", "control", "reference"]


@dataclass(eq=False)
class Box:
    """A box on the picture: a node, an open scope, a closed one, the rest of too many nodes, or an empty block."""

    kind: BoxKind
    order: int
    path: str = ""
    node: NodeRecord | None = None
    block: BlockRecord | None = None
    place: BoxRecord | None = None  # the record of a cond, a branch or a loop
    group: GroupRecord | None = None  # the record of a group
    part: PartRecord | None = None  # what the scope, or a group's first scope, is for in a large graph
    parent: Box | None = None
    children: list[Box] = field(default_factory=list)
    nodes: int = 0  # how many nodes a closed box contains
    inside: dict[EdgeKind, int] = field(default_factory=dict)  # how many edges have both ends in this box, by kind
    depth: int = 0
    layer: LayerRecord | None = None  # the layer of a closed scope, or of all blocks in a group

    def holds(self, kind: EdgeKind) -> int:
        """How many edges of this kind are inside."""
        return self.inside.get(kind, 0)


@dataclass(eq=False)
class Line:
    """One drawn line: an edge, a bundle of edges of one kind between two boxes, or "waits" into an empty block."""

    kind: LineKind
    source: Box
    target: Box
    edges: list[EdgeRecord] = field(default_factory=list)
    more: int = 0  # further edges, which the record only counts

    @property
    def count(self) -> int:
        return len(self.edges) + self.more

    @property
    def output(self) -> int | None:
        """The output that all its edges come from; None where there are several."""
        outputs = {edge.output for edge in self.edges}
        return outputs.pop() if len(outputs) == 1 and not self.more and self.source.kind == "node" else None


class _Candidate(NamedTuple):
    """A scope that may open; in the order in which they open: outer ones first, then small ones."""

    depth: int
    nodes: int
    first: int
    path: str


@dataclass(eq=False)
class Folding:
    """The boxes (in `root`) and lines of a picture. home: the box that a node is drawn as, or is in."""

    record: GraphRecord
    root: Box
    lines: list[Line]
    home: dict[int, Box]

    def boxes(self) -> Iterator[Box]:
        """Every box but the root, outer ones before what is in them."""
        todo = list(reversed(self.root.children))
        while todo:
            box = todo.pop()
            yield box
            todo.extend(reversed(box.children))

    def count(self, what: Countable) -> tuple[int, int]:
        """How many nodes, or edges of one kind, are drawn, and how many are folded."""
        drawn = folded = 0
        if what == "nodes":
            for box in self.boxes():
                drawn += box.kind == "node"
                folded += box.nodes
            return drawn, folded
        for box in self.boxes():
            folded += box.holds(what)
        for line in self.lines:
            if line.kind == what:
                if line.count == 1:
                    drawn += 1
                else:
                    folded += line.count
        return drawn, folded


def fold(
    record: GraphRecord, collapsed: Iterable[str] | None = None, limit: int = LIMIT, boxes: bool = False
) -> Folding:
    """Opens outer scopes first, as long as `limit` boxes suffice; scopes in `collapsed` stay closed.

    collapsed: None closes the groups, and in a large graph all scopes but the lanes of its parts.
    boxes: nests nodes by conds and loops instead of by name scopes and groups. The graph of a run on several devices has a lane
    for each, in which name scopes are.
    """
    lanes_of_devices = None if boxes else in_lanes(record)
    if lanes_of_devices is not None:
        record = lanes_of_devices
        if collapsed is not None:
            wanted = set(collapsed)
            collapsed = [s.path for s in record.scopes if s.path in wanted or s.path.partition("/")[2] in wanted - {""}]
    places = {box.path: box for box in record.boxes} if boxes else {}
    boxed = {id: box.path for box in places.values() for id in box.nodes}
    groups = {} if boxes else {group.path: group for group in record.groups}
    sealed = {part.path: part for part in record.sealed}
    parts = {} if boxes else {part.path: part for part in record.parts}
    layers = {} if boxes else {layer.scope: layer for layer in record.layers}
    limit = max(limit, 3)  # the first box, the last, and one for the rest
    inside: dict[str, list[NodeRecord]] = {}
    series = {id: group.path for group in groups.values() for id in group.nodes}
    for node in record.nodes:
        inside.setdefault(boxed.get(node.id, "") if boxes else series.get(node.id, node.scope), []).append(node)
    below: dict[str, list[str]] = {}
    parents = {scope.path: scope.parent for scope in (*(record.boxes if boxes else record.scopes), *record.sealed)}
    parents |= {group.path: group.parent for group in groups.values()}
    parents |= {path: group.path for group in groups.values() for path in group.scopes}
    for path, parent in parents.items():
        below.setdefault(parent, []).append(path)
    first, node_counts = _extents(parents, inside, sealed)
    lanes = {path for path, part in parts.items() if part.kind in ("gradients", "variables")}
    cards = [path for path, parent in parents.items() if parts and parent in {"", *lanes} and path not in lanes]
    closed = frozenset([*groups, *cards] if collapsed is None else collapsed) | sealed.keys()

    opened: set[str] = set()
    total = len(record.nodes) + sum(part.nodes for part in record.sealed)
    room = limit if total <= LARGE else min(limit, READABLE)
    room -= len(inside.get("", ())) + len(below.get("", ()))
    waiting: list[_Candidate] = []  # a heap

    def offer(paths: Iterable[str]) -> None:
        for path in paths:
            if path not in closed:
                heapq.heappush(waiting, _Candidate(path.count("/"), node_counts.get(path, 0), first.get(path, 0), path))

    offer(below.get("", ()))
    while waiting:
        # Scopes of equal depth and size are probably copies of one block: all of them open, or none.
        candidate = heapq.heappop(waiting)
        same_size = [candidate.path]
        while waiting and (waiting[0].depth, waiting[0].nodes) == (candidate.depth, candidate.nodes):
            same_size.append(heapq.heappop(waiting).path)
        more = sum(len(inside.get(path, ())) + len(below.get(path, ())) - 1 for path in same_size)
        if more <= max(room, 0):
            room -= more
            opened.update(same_size)
            for path in same_size:
                offer(below.get(path, ()))

    root = Box("scope", -1)
    home: dict[int, Box] = {}
    closed_boxes: list[Box] = []
    todo = [root]
    while todo:
        box = todo.pop()
        for node in inside.get(box.path, ()):
            child = Box("node", node.id, box.path, node, parent=box, depth=box.depth + 1)
            box.children.append(child)
            home[node.id] = child
        for path in below.get(box.path, ()):
            kind: BoxKind = "scope" if path in opened else "folded"
            group = groups.get(path)
            part = parts.get(group.scopes[0] if group and group.scopes else path)
            child = Box(
                kind, first.get(path, 0), path, None, None, places.get(path), group, part, box, depth=box.depth + 1
            )
            box.children.append(child)
            if kind == "scope":
                todo.append(child)
            else:
                child.nodes = node_counts.get(path, 0)
                child.layer = layers.get(path)
                closed_boxes.append(child)
        box.children.sort(key=lambda child: (child.order, child.kind != "node", child.path))
    for box in closed_boxes:
        _send_home(box, [box.path], inside, below, home)
    box_of_scope = {box.path: box for box in closed_boxes}
    if len(root.children) > limit:
        _set_aside(root, limit, inside, below, home, node_counts, box_of_scope)
    for hidden in record.sealed:
        chain = [hidden.path]
        while chain[-1]:
            chain.append(parents[chain[-1]])
        # The outermost box counts: a scope in the rest is part of the rest.
        box = home[hidden.id] = next(box_of_scope[path] for path in reversed(chain) if path in box_of_scope)
        counts: dict[EdgeKind, int] = {"data": hidden.data, "control": hidden.control, "reference": hidden.reference}
        box.inside = {edge: box.holds(edge) + count for edge, count in counts.items() if box.holds(edge) + count}
    for block in record.blocks:
        if block.empty:
            root.children.append(Box("block", len(record.nodes), block=block, parent=root, depth=1))
    return Folding(record, root, _lines(record, root, home), home)


def _extents(
    parents: dict[str, str], inside: dict[str, list[NodeRecord]], sealed: dict[str, SealedRecord]
) -> tuple[dict[str, int], dict[str, int]]:
    """For each scope the id of its first node, and how many nodes it contains at any depth."""
    first: dict[str, int] = {}
    node_counts: dict[str, int] = {}
    for path, nodes in inside.items():
        least = min(node.id for node in nodes)
        while path:
            first[path] = min(first.get(path, least), least)
            node_counts[path] = node_counts.get(path, 0) + len(nodes)
            path = parents[path]
    for path, part in sealed.items():
        while path:
            node_counts[path] = node_counts.get(path, 0) + part.nodes
            path = parents[path]
    return first, node_counts


def _send_home(
    box: Box,
    paths: list[str],
    inside: dict[str, list[NodeRecord]],
    below: dict[str, list[str]],
    home: dict[int, Box],
) -> None:
    """Records in `home` that all nodes in the scopes are in `box`."""
    while paths:
        path = paths.pop()
        for node in inside.get(path, ()):
            home[node.id] = box
        paths.extend(below.get(path, ()))


def _set_aside(
    root: Box,
    limit: int,
    inside: dict[str, list[NodeRecord]],
    below: dict[str, list[str]],
    home: dict[int, Box],
    node_counts: dict[str, int],
    box_of_scope: dict[str, Box],
) -> None:
    """Keeps the first boxes and some of the last ones, and puts the rest into one box."""
    tail = max(limit // 4, 1)
    head = max(limit - tail - 1, 1)
    rest_boxes = root.children[head : len(root.children) - tail]
    rest = Box("rest", rest_boxes[0].order, parent=root, depth=1)
    for box in rest_boxes:
        if box.kind == "node":
            assert box.node is not None
            home[box.node.id] = rest
            rest.nodes += 1
        else:
            _send_home(rest, [box.path], inside, below, home)
            rest.nodes += node_counts.get(box.path, 0)
            box_of_scope[box.path] = rest
    root.children[head : len(root.children) - tail] = [rest]


def _lines(record: GraphRecord, root: Box, home: dict[int, Box]) -> list[Line]:
    lines: list[Line] = []
    bundles: dict[tuple[int, int, str], Line] = {}
    parallel = Counter((edge.source, edge.target, edge.kind) for edge in record.edges)

    def bundle(kind: EdgeKind, source: Box, target: Box) -> Line:
        key = (id(source), id(target), kind)
        if key not in bundles:
            bundles[key] = Line(kind, source, target)
            lines.append(bundles[key])
        return bundles[key]

    for edge in record.edges:
        source, target = home[edge.source], home[edge.target]
        single = (
            source.kind == target.kind == "node" and parallel[edge.source, edge.target, edge.kind] <= PARALLEL
        )
        if source is target:
            source.inside[edge.kind] = source.holds(edge.kind) + 1
        elif single:
            lines.append(Line(edge.kind, source, target, [edge]))
        else:
            bundle(edge.kind, source, target).edges.append(edge)
    for counted in record.bundles:
        source, target = home[counted.source], home[counted.target]
        if source is target:
            source.inside[counted.kind] = source.holds(counted.kind) + counted.count
        else:
            bundle(counted.kind, source, target).more += counted.count
    for box in root.children:
        if box.kind == "block":
            assert box.block is not None
            sources = dict.fromkeys(home[id] for id in box.block.control_inputs)
            lines.extend(Line("waits", source, box) for source in sources)
    return lines
