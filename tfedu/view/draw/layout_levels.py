"""The scopes of a picture as levels: vertices, links and their rows, before they have coordinates.

Each scope is a level; a line crosses the border of a scope at a port. `make_links` splits every line into links, one for each
level on its way, `orient` reverses links that would close a cycle, `rank_vertices` puts each vertex into a row. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from .folding import Box, Line

Side = Literal["top", "bottom"]
Trunk = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Size:
    """The least size of a box; of an open scope, the size of its title."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Rect:
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Cell:
    """The room under a node for the type of one output, and the trunks of the lines from that output."""

    output: int
    text: str
    width: float
    height: float
    trunks: tuple[Trunk, ...]


@dataclass(eq=False)
class Vertex:
    """A box, a port on the scope's border, or the bend of a long line. strip: the height of the types under it."""

    order: float
    box: Box | None = None
    side: Side | None = None  # of a port
    width: float = 0.0
    height: float = 0.0
    strip: float = 0.0
    rank: int = 0
    place: int = 0
    x: float = 0.0
    y: float = 0.0
    hint: float | None = None
    cells: list[Cell] = field(default_factory=list)
    up: list[Segment] = field(default_factory=list)
    down: list[Segment] = field(default_factory=list)


@dataclass(eq=False)
class Segment:
    """A piece of a line between neighbouring rows. at_a, at_b: the offsets of its ends from the centres of a and b."""

    a: Vertex
    b: Vertex
    weight: float
    at_a: float = 0.0
    at_b: float = 0.0


@dataclass(eq=False)
class Link:
    """The part of a line in one scope, from `source` to `target`. up: whether it runs against the rows."""

    source: Vertex
    target: Vertex
    trunk: Trunk
    input: int | None
    kind: str
    up: bool = False
    path: list[Vertex] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)

    @property
    def upper(self) -> Vertex:
        return self.target if self.up else self.source

    @property
    def lower(self) -> Vertex:
        return self.source if self.up else self.target


@dataclass(eq=False)
class Level:
    """The inside of one scope."""

    box: Box
    vertices: dict[Box, Vertex] = field(default_factory=dict)
    ports: dict[tuple[Side, Trunk], Vertex] = field(default_factory=dict)
    links: dict[tuple[object, ...], Link] = field(default_factory=dict)
    rows: list[list[Vertex]] = field(default_factory=list)
    tops: list[float] = field(default_factory=list)
    bottoms: list[float] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0
    x: float = 0.0
    y: float = 0.0


@dataclass(eq=False)
class Way:
    """A line and the scopes on its way: out of the source's scopes, across their common scope, into the target's."""

    line: Line
    sources: list[Box]  # the source, the scope around it, … up to a child of the common scope
    targets: list[Box]
    links: dict[Box, Link] = field(default_factory=dict)  # by the scope in which it is


def way_of(line: Line) -> Way:
    """The scopes on the way of a line."""
    sources, targets = [line.source], [line.target]
    while sources[-1].parent is not targets[-1].parent:
        if sources[-1].depth >= targets[-1].depth:
            sources.append(parent_of(sources[-1]))
        else:
            targets.append(parent_of(targets[-1]))
    return Way(line, sources, targets)


def parent_of(box: Box) -> Box:
    """The box around a box; the root has none."""
    assert box.parent is not None
    return box.parent


def make_links(level: Level, ways: Iterable[Way], of: dict[Box, Level]) -> None:
    """The links of all lines inside this scope; lines of one trunk share links where they can."""
    scope = level.box
    for way in ways:
        line = way.line
        trunk: Trunk = (line.source.order, line.source.path, line.source.kind, line.output, line.kind)
        if line.source.kind == line.target.kind == "block":
            continue
        source: Vertex | None = None
        target: Vertex | None = None
        if parent_of(way.sources[-1]) is scope:
            source, target = level.vertices[way.sources[-1]], level.vertices[way.targets[-1]]
        elif scope in way.sources:
            inner = way.sources[way.sources.index(scope) - 1]
            source = level.vertices[inner]
            outer = way.links[parent_of(scope)]
            target = _port(level, "top" if outer.up else "bottom", trunk)
        elif scope in way.targets:
            inner = way.targets[way.targets.index(scope) - 1]
            target = level.vertices[inner]
            outer = way.links[parent_of(scope)]
            source = _port(level, "bottom" if outer.up else "top", trunk)
        if source is None or target is None:
            continue
        last = target.box is line.target
        single = last and line.target.kind == "node" and len(line.edges) == line.count == 1
        key = (id(source), id(target), trunk, line.edges[0].id if single else None)
        link = level.links.get(key)
        if link is None:
            number = line.edges[0].input if single else None
            link = level.links[key] = Link(source, target, trunk, number, line.kind)
            if source.side is not None:
                link.up = source.side == "bottom"
            elif target.side is not None:
                link.up = target.side == "top"
        way.links[scope] = link


def _port(level: Level, side: Side, trunk: Trunk) -> Vertex:
    key = (side, trunk)
    if key not in level.ports:
        level.ports[key] = Vertex(len(level.ports), None, side)
    return level.ports[key]


def _inner_links(level: Level) -> Iterator[Link]:
    for link in level.links.values():
        if link.source.side is None and link.target.side is None:
            yield link


def orient(level: Level) -> None:
    """Reverses few links, so that no cycle remains: a greedy heuristic.

    A loop is cut at the edge from a NextIteration back to its Merge, or at those from an iteration to a closed loop variable.
    Source: Eades, Lin and Smyth 1993.
    """
    after: dict[Vertex, dict[Vertex, int]] = {vertex: {} for vertex in level.vertices.values()}
    before: dict[Vertex, dict[Vertex, int]] = {vertex: {} for vertex in level.vertices.values()}
    for link in _inner_links(level):
        first, second = (link.target, link.source) if _is_back_link(link) else (link.source, link.target)
        after[first][second] = after[first].get(second, 0) + 1
        before[second][first] = before[second].get(first, 0) + 1
    remaining = dict.fromkeys(sorted(after, key=creation_order))
    first_vertices: list[Vertex] = []
    last_vertices: list[Vertex] = []

    def take(vertex: Vertex) -> None:
        del remaining[vertex]
        for other in after[vertex]:
            del before[other][vertex]
        for other in before[vertex]:
            del after[other][vertex]

    while remaining:
        ends = [vertex for vertex in remaining if not after[vertex]]
        for vertex in ends:
            if not after[vertex]:
                take(vertex)
                last_vertices.append(vertex)
        starts = [vertex for vertex in remaining if not before[vertex]]
        for vertex in starts:
            take(vertex)
            first_vertices.append(vertex)
        if remaining and not ends and not starts:
            vertex = max(remaining, key=lambda v: (sum(after[v].values()) - sum(before[v].values()), -v.order))
            take(vertex)
            first_vertices.append(vertex)
    turn = {vertex: index for index, vertex in enumerate(first_vertices + last_vertices[::-1])}
    for link in _inner_links(level):
        link.up = turn[link.source] > turn[link.target]


def _is_back_link(link: Link) -> bool:
    target = link.target.box
    if target is not None and target.kind == "folded" and target.group is not None and target.group.kind == "loop_variable":
        # Its first value was created before it.
        return link.source.order > link.target.order
    types = [vertex.box.node.type if vertex.box and vertex.box.node else "" for vertex in (link.source, link.target)]
    return types[0].endswith("NextIteration") and types[1].endswith("Merge")


def creation_order(vertex: Vertex) -> tuple[float, str, str]:
    """A sort key: vertices in the order in which their nodes were created."""
    return (vertex.order, vertex.box.kind if vertex.box else "", vertex.box.path if vertex.box else "")


def rank_vertices(level: Level) -> None:
    """Rows by the longest path from a source; a vertex with more outputs than inputs moves down towards its consumers."""
    vertices = sorted(level.vertices.values(), key=creation_order)
    below: dict[Vertex, list[Vertex]] = {vertex: [] for vertex in vertices}
    waits = dict.fromkeys(vertices, 0)
    above = dict.fromkeys(vertices, 0)
    linked: set[Vertex] = set()
    for link in level.links.values():
        linked.update((link.source, link.target))
    for link in _inner_links(level):
        below[link.upper].append(link.lower)
        waits[link.lower] += 1
        above[link.lower] += 1
    ready = [vertex for vertex in vertices if not waits[vertex]]
    order: list[Vertex] = []
    while ready:
        row, ready = ready, []
        for vertex in row:
            order.append(vertex)
            for lower in below[vertex]:
                lower.rank = max(lower.rank, vertex.rank + 1)
                waits[lower] -= 1
                if not waits[lower]:
                    ready.append(lower)
    from_top = {link.target if link.source.side else link.source for link in level.links.values()
                if "top" in (link.source.side, link.target.side)}  # fmt: skip
    for vertex in reversed(order):
        if below[vertex] and len(below[vertex]) > above[vertex] + (vertex in from_top):
            vertex.rank = max(vertex.rank, min(lower.rank for lower in below[vertex]) - 1)
    unlinked = [vertex for vertex in vertices if vertex not in linked]
    if len(unlinked) > 4:  # vertices without lines form a block of rows instead of one long row
        columns = max(4, round((len(unlinked) * 2) ** 0.5))
        for index, vertex in enumerate(unlinked):
            vertex.rank = index // columns
    used = sorted({vertex.rank for vertex in vertices})
    dense = {rank: index for index, rank in enumerate(used)}
    top = 1 if any(port.side == "top" for port in level.ports.values()) else 0
    for vertex in vertices:
        vertex.rank = dense[vertex.rank] + top
    for port in level.ports.values():
        port.rank = 0 if port.side == "top" else len(used) + top
