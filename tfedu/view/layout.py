"""Where everything goes: `layout(folding)` places boxes in rows along the flow and leads lines between them.

Each scope is laid out by itself (layers, crossings, positions, after Sugiyama) and is then one box of its parent; a line
that crosses a scope's border does so at a port, so that it runs from its true source to its true target and through no
box on the way. Deterministic, pure Python, no recursion but over nested scopes, of which build.py bounds the depth.
No state.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import ceil
from typing import Final, Literal

from .fold import Box, Folding, Line

PAD: Final = 12.0  # between a scope's border and what is in it
HEADER: Final = 22.0  # a scope's title
GAP_X: Final = 18.0
GAP_LINE: Final = 11.0
LABEL: Final = 15.0  # the strip under a row in which types of outputs stand
MARGIN: Final = 14.0
SWEEPS: Final = 12
KINK: Final = 14.0  # a smaller step aside is rather none
WIDEST: Final = 1900.0  # a wider row is put in several,
SPLIT: Final = 1400.0  # each about this wide
SLANTED: Final = frozenset(
    ("control", "placeholder", "constant")
)  # roles whose outline is narrower above and below

Side = Literal["top", "bottom"]
Trunk = tuple[object, ...]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Size:
    """What a box needs: its own size, and the width of the text under each output that leaves it (None: the order only)."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Rect:
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Route:
    """A line on the picture: points to be joined by verticals and S-curves, in the direction of the flow."""

    line: Line
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """The type of an output, under its node."""

    box: Box
    output: int
    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture's geometry."""

    folding: Folding
    rects: dict[Box, Rect]
    routes: tuple[Route, ...]
    labels: tuple[Label, ...]
    doors: dict[Box, tuple[float, ...]]  # where lines come in through an open scope's top
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _Cell:
    """The room under one output of a node, and the trunks of lines that leave by it."""

    output: int
    text: str
    width: float
    trunks: tuple[Trunk, ...]


@dataclass(eq=False)
class _Vertex:
    """What stands in a row: a box, a port on the scope's border, or the bend of a long line."""

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
    cells: list[_Cell] = field(default_factory=list)
    up: list[_Segment] = field(default_factory=list)
    down: list[_Segment] = field(default_factory=list)


@dataclass(eq=False)
class _Segment:
    """A piece of a line between two neighbouring rows; `at_a` and `at_b` are its ends' offsets from the centres."""

    a: _Vertex
    b: _Vertex
    weight: float
    at_a: float = 0.0
    at_b: float = 0.0


@dataclass(eq=False)
class _Link:
    """One line's way through one scope, from `source` to `target`; `up` when it runs against the rows."""

    source: _Vertex
    target: _Vertex
    trunk: Trunk
    input: int | None
    kind: str
    up: bool = False
    path: list[_Vertex] = field(default_factory=list)
    segments: list[_Segment] = field(default_factory=list)

    @property
    def upper(self) -> _Vertex:
        return self.target if self.up else self.source

    @property
    def lower(self) -> _Vertex:
        return self.source if self.up else self.target


@dataclass(eq=False)
class _Level:
    """One scope's inside."""

    box: Box
    vertices: dict[Box, _Vertex] = field(default_factory=dict)
    ports: dict[tuple[Side, Trunk], _Vertex] = field(default_factory=dict)
    links: dict[tuple[object, ...], _Link] = field(default_factory=dict)
    rows: list[list[_Vertex]] = field(default_factory=list)
    tops: list[float] = field(default_factory=list)
    bottoms: list[float] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0
    x: float = 0.0
    y: float = 0.0


@dataclass(eq=False)
class _Way:
    """A line and the scopes on its way: up from the source, across in their common scope, down to the target."""

    line: Line
    sources: list[Box]  # the source, the scope around it, … up to the common scope's own child
    targets: list[Box]
    links: dict[Box, _Link] = field(default_factory=dict)  # by the scope in which it is


def layout(folding: Folding, measure: Callable[[Box], Size], text_width: Callable[[str], float]) -> Layout:
    """Places every box and line; `measure` gives closed boxes' sizes, `text_width` that of an output's type."""
    levels = [_Level(folding.root)]
    levels.extend(_Level(box) for box in folding.boxes() if box.kind == "scope")
    of = {level.box: level for level in levels}
    for level in levels:
        for box in level.box.children:
            level.vertices[box] = _Vertex(box.order, box)
    ways = [_way(line) for line in folding.lines]
    for level in levels:  # outer scopes first: they say on which side a line comes in
        _make_links(level, ways, of)
        _orient(level)
        _rank(level)
    inner_first = levels[::-1]
    for turn in range(2):  # the second time ports know what is outside
        for level in inner_first:
            _size(level, of, measure, text_width)
            if turn == 0:
                _split_wide_rows(level)
            _bend(level)
            _arrange(level, of)
            _align(level, of)
            _stack(level, measure(level.box).width if level.box.parent else 0.0)
        _set_origins(levels, of)
        if turn == 0:
            _hint_ports(levels, of)
    return _result(folding, levels, of, ways)


# -- structure -----------------------------------------------------------------------------------------------------


def _way(line: Line) -> _Way:
    sources, targets = [line.source], [line.target]
    while sources[-1].parent is not targets[-1].parent:
        if sources[-1].depth >= targets[-1].depth:
            sources.append(_parent(sources[-1]))
        else:
            targets.append(_parent(targets[-1]))
    return _Way(line, sources, targets)


def _parent(box: Box) -> Box:
    assert box.parent is not None
    return box.parent


def _make_links(level: _Level, ways: Iterable[_Way], of: dict[Box, _Level]) -> None:
    """Every way's piece inside this scope; lines of one trunk share what they can."""
    here = level.box
    for way in ways:
        line = way.line
        trunk: Trunk = (line.source.order, line.source.path, line.source.kind, line.output, line.kind)
        if line.source.kind == line.target.kind == "block":
            continue
        source: _Vertex | None = None
        target: _Vertex | None = None
        if _parent(way.sources[-1]) is here:
            source, target = level.vertices[way.sources[-1]], level.vertices[way.targets[-1]]
        elif here in way.sources:
            inner = way.sources[way.sources.index(here) - 1]
            source = level.vertices[inner]
            outer = way.links[_parent(here)]
            target = _port(level, "top" if outer.up else "bottom", trunk)
        elif here in way.targets:
            inner = way.targets[way.targets.index(here) - 1]
            target = level.vertices[inner]
            outer = way.links[_parent(here)]
            source = _port(level, "bottom" if outer.up else "top", trunk)
        if source is None or target is None:
            continue
        last = target.box is line.target
        single = last and line.target.kind == "node" and len(line.edges) == 1
        key = (id(source), id(target), trunk, line.edges[0].id if single else None)
        link = level.links.get(key)
        if link is None:
            number = line.edges[0].input if single else None
            link = level.links[key] = _Link(source, target, trunk, number, line.kind)
            if source.side is not None:
                link.up = source.side == "bottom"
            elif target.side is not None:
                link.up = target.side == "top"
        way.links[here] = link


def _port(level: _Level, side: Side, trunk: Trunk) -> _Vertex:
    key = (side, trunk)
    if key not in level.ports:
        level.ports[key] = _Vertex(len(level.ports), None, side)
    return level.ports[key]


def _inner_links(level: _Level) -> Iterator[_Link]:
    for link in level.links.values():
        if link.source.side is None and link.target.side is None:
            yield link


def _orient(level: _Level) -> None:
    """Turns round as few lines as a greedy walk finds, so that the rest has no cycle (Eades, Lin and Smyth 1993)."""
    after: dict[_Vertex, dict[_Vertex, int]] = {vertex: {} for vertex in level.vertices.values()}
    before: dict[_Vertex, dict[_Vertex, int]] = {vertex: {} for vertex in level.vertices.values()}
    for link in _inner_links(level):
        after[link.source][link.target] = after[link.source].get(link.target, 0) + 1
        before[link.target][link.source] = before[link.target].get(link.source, 0) + 1
    left = dict.fromkeys(sorted(after, key=_made))
    head: list[_Vertex] = []
    tail: list[_Vertex] = []

    def take(vertex: _Vertex) -> None:
        del left[vertex]
        for other in after[vertex]:
            del before[other][vertex]
        for other in before[vertex]:
            del after[other][vertex]

    while left:
        ends = [vertex for vertex in left if not after[vertex]]
        for vertex in ends:
            if not after[vertex]:
                take(vertex)
                tail.append(vertex)
        starts = [vertex for vertex in left if not before[vertex]]
        for vertex in starts:
            take(vertex)
            head.append(vertex)
        if left and not ends and not starts:
            vertex = max(left, key=lambda v: (sum(after[v].values()) - sum(before[v].values()), -v.order))
            take(vertex)
            head.append(vertex)
    turn = {vertex: index for index, vertex in enumerate(head + tail[::-1])}
    for link in _inner_links(level):
        link.up = turn[link.source] > turn[link.target]


def _made(vertex: _Vertex) -> tuple[float, str, str]:
    return (vertex.order, vertex.box.kind if vertex.box else "", vertex.box.path if vertex.box else "")


def _rank(level: _Level) -> None:
    """Rows by the longest way from a source; what only feeds others then sinks to just above them."""
    vertices = sorted(level.vertices.values(), key=_made)
    below: dict[_Vertex, list[_Vertex]] = {vertex: [] for vertex in vertices}
    waits = dict.fromkeys(vertices, 0)
    above = dict.fromkeys(vertices, 0)
    linked: set[_Vertex] = set()
    for link in level.links.values():
        linked.update((link.source, link.target))
    for link in _inner_links(level):
        below[link.upper].append(link.lower)
        waits[link.lower] += 1
        above[link.lower] += 1
    ready = [vertex for vertex in vertices if not waits[vertex]]
    order: list[_Vertex] = []
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
    alone = [vertex for vertex in vertices if vertex not in linked]
    if len(alone) > 4:  # what has no line at all stands in a block of rows, not in one endless row
        columns = max(4, round((len(alone) * 2) ** 0.5))
        for index, vertex in enumerate(alone):
            vertex.rank = index // columns
    used = sorted({vertex.rank for vertex in vertices})
    dense = {rank: index for index, rank in enumerate(used)}
    top = 1 if any(port.side == "top" for port in level.ports.values()) else 0
    for vertex in vertices:
        vertex.rank = dense[vertex.rank] + top
    for port in level.ports.values():
        port.rank = 0 if port.side == "top" else len(used) + top


# -- one scope's geometry ------------------------------------------------------------------------------------------


def _size(
    level: _Level, of: dict[Box, _Level], measure: Callable[[Box], Size], text_width: Callable[[str], float]
) -> None:
    for box, vertex in level.vertices.items():
        if box.kind == "scope":
            vertex.width, vertex.height = of[box].width, of[box].height
            continue
        size = measure(box)
        outgoing = [link for link in level.links.values() if link.source is vertex]
        incoming = [link for link in level.links.values() if link.target is vertex]
        vertex.cells = _cells(box, outgoing, text_width)
        cells = sum(cell.width for cell in vertex.cells)
        beside = any(link.up for link in incoming) or any(
            link.kind in ("control", "waits") for link in outgoing
        )
        flank = 30.0 + 2 * _slant(box) if cells and beside else 0.0
        slots = min(max(len(incoming), len(outgoing)), 24)
        vertex.width = max(size.width, cells + flank, 12.0 + 9.0 * slots)
        vertex.height = size.height
        vertex.strip = LABEL if cells else 0.0


def _split_wide_rows(level: _Level) -> None:
    """Puts a row that is too wide to be read into several: nothing in a row depends on anything else in it."""
    rows: dict[int, list[_Vertex]] = {}
    for vertex in sorted(level.vertices.values(), key=_made):
        rows.setdefault(vertex.rank, []).append(vertex)
    shift = 0
    for rank in sorted(rows):
        total = sum(vertex.width + GAP_X for vertex in rows[rank])
        parts = ceil(total / SPLIT) if total > WIDEST else 1
        so_far = 0.0
        for vertex in rows[rank]:
            part = min(int(so_far * parts / total), parts - 1)
            so_far += vertex.width + GAP_X
            vertex.rank = rank + shift + part
        shift += parts - 1
    for port in level.ports.values():
        if port.side == "bottom":
            port.rank += shift


def _cells(box: Box, links: Iterable[_Link], text_width: Callable[[str], float]) -> list[_Cell]:
    """For each used output of a node: its number, its type, the room that takes, the trunks that leave by it."""
    if box.kind != "node" or box.node is None:
        return []
    trunks: dict[int, dict[Trunk, None]] = {}
    for link in links:
        output = link.trunk[3]
        if isinstance(output, int):
            trunks.setdefault(output, {})[link.trunk] = None
    cells = []
    for output in sorted(trunks):
        text = output_text(box, output)
        cells.append(
            _Cell(
                output, text, text_width(text) + 8.0, tuple(sorted(trunks[output], key=lambda t: str(t[4])))
            )
        )
    return cells


def _slant(box: Box | None) -> float:
    """How far a box's sides lean in, where no line should end."""
    return 8.0 if box is not None and box.node is not None and box.node.role in SLANTED else 0.0


def output_text(box: Box, output: int) -> str:
    """The type under a node; with the output's number where there are several."""
    assert box.node is not None
    outputs = box.node.outputs
    return outputs[output].text if len(outputs) == 1 else f":{output} {outputs[output].text}"


def _bend(level: _Level) -> None:
    """Gives every link a vertex in each row that it passes; lines of one trunk share them."""
    depth = 1 + max((v.rank for v in [*level.vertices.values(), *level.ports.values()]), default=-1)
    level.rows = [[] for _ in range(depth)]
    for vertex in sorted(level.vertices.values(), key=_made):
        level.rows[vertex.rank].append(vertex)
    for port in level.ports.values():
        level.rows[port.rank].append(port)
    for vertex in [*level.vertices.values(), *level.ports.values()]:
        vertex.up, vertex.down = [], []
    bends: dict[tuple[object, ...], _Vertex] = {}
    pieces: dict[tuple[_Vertex, _Vertex, object], _Segment] = {}
    for link in level.links.values():
        upper, lower = link.upper, link.lower
        link.path = [upper]
        link.segments = []
        shared: object = None if not link.up else id(link)
        for rank in range(upper.rank + 1, lower.rank):
            key = (id(upper), link.trunk, shared, rank)
            if key not in bends:
                bends[key] = _Vertex(upper.order + 0.1 if upper.box else lower.order + 0.1, rank=rank)
                level.rows[rank].append(bends[key])
            link.path.append(bends[key])
        link.path.append(lower)
        for a, b in zip(link.path, link.path[1:], strict=False):
            bent = (a.box is None and a.side is None) + (b.box is None and b.side is None)
            end: object = (link.trunk, id(link) if b is lower else None, shared)
            piece = pieces.get((a, b, end))
            if piece is None:
                piece = pieces[(a, b, end)] = _Segment(a, b, (1.0, 2.0, 6.0)[bent])
                a.down.append(piece)
                b.up.append(piece)
            link.segments.append(piece)
    _attach(level)


def _attach(level: _Level) -> None:
    """Says where on a box each line begins and ends: outputs and inputs in their order, the others beside them."""
    starts: dict[_Vertex, dict[Trunk, list[_Link]]] = {}
    tops: dict[_Vertex, list[list[_Link]]] = {}
    bottoms: dict[_Vertex, list[list[_Link]]] = {}
    for link in level.links.values():
        if link.up:
            tops.setdefault(link.source, []).append([link])
            bottoms.setdefault(link.target, []).append([link])
        else:
            starts.setdefault(link.source, {}).setdefault(link.trunk, []).append(link)
            tops.setdefault(link.target, []).append([link])
    for vertex in level.vertices.values():
        if vertex.box is None or vertex.box.kind == "scope":
            continue
        above = tops.get(vertex, [])
        inputs = sorted(
            (group for group in above if group[0].input is not None and not group[0].up),
            key=lambda group: group[0].input or 0,
        )
        pitch = min(16.0, (vertex.width - 14.0) / max(len(above) - 1, 1))
        places = [(group, (index - (len(inputs) - 1) / 2) * pitch) for index, group in enumerate(inputs)]
        others = [group for group in above if group[0].input is None or group[0].up]
        _place(vertex, places, others, pitch)

        trunks = starts.get(vertex, {})
        places = []
        at = -sum(cell.width for cell in vertex.cells) / 2
        for cell in vertex.cells:
            for index, trunk in enumerate(cell.trunks):
                if trunk in trunks:
                    places.append(
                        (trunks[trunk], at + cell.width / 2 + (index - (len(cell.trunks) - 1) / 2) * 18.0)
                    )
            at += cell.width
        known = {trunk for cell in vertex.cells for trunk in cell.trunks}
        others = [links for trunk, links in trunks.items() if trunk not in known] + bottoms.get(vertex, [])
        _place(vertex, places, others, 12.0)


def _place(
    vertex: _Vertex, fixed: list[tuple[list[_Link], float]], free: list[list[_Link]], pitch: float
) -> None:
    """Sets the fixed ends, and the free ones left and right of them, each on the side to which its line goes."""
    far = {id(links): sum(_far(vertex, link) for link in links) / len(links) for links in free}
    free = sorted(free, key=lambda links: far[id(links)])
    places = list(fixed)
    room = vertex.width / 2 - 6.0 - _slant(vertex.box)
    if not fixed:
        pitch = min(pitch, 2 * room / max(len(free) - 1, 1))
        places.extend((links, (index - (len(free) - 1) / 2) * pitch) for index, links in enumerate(free))
    else:
        half = sum(cell.width for cell in vertex.cells) / 2 if vertex.cells and pitch == 12.0 else 0.0
        inner = max([abs(at) for _, at in fixed] + [half - 4.0])
        left = [links for links in free if far[id(links)] < 0]
        right = [links for links in free if far[id(links)] >= 0]
        for sign, side in ((-1, left[::-1]), (1, right)):
            step = min(pitch, (room - inner) / max(len(side), 1))
            places.extend((links, sign * (inner + step * (index + 1))) for index, links in enumerate(side))
    for links, offset in places:
        for link in links:
            # A link runs from its upper end; its source is there unless it goes up.
            if link.upper is vertex:
                link.segments[0].at_a = offset
            else:
                link.segments[-1].at_b = offset


def _far(vertex: _Vertex, link: _Link) -> float:
    """Where the line goes, seen from the box's centre."""
    neighbour = link.path[1] if link.path[0] is vertex else link.path[-2]
    return neighbour.x - vertex.x


def _arrange(level: _Level, of: dict[Box, _Level]) -> None:
    """Orders each row so that few lines cross: barycentres down and up, and the best order seen is kept."""
    _meet_ports(level, of)
    rows = level.rows
    for row in rows:
        hinted = all(vertex.hint is not None for vertex in row) and bool(row)
        row.sort(key=lambda v: (v.hint or 0.0, v.order) if hinted else (v.order, 0.0))
        _number(row)
    best, crossings = [list(row) for row in rows], _crossings(rows)
    for sweep in range(SWEEPS):
        if crossings == 0:
            break
        downward = sweep % 2 == 0
        for row in rows if downward else rows[::-1]:
            if all(vertex.hint is not None for vertex in row):
                continue
            keys: dict[_Vertex, float] = {}
            for vertex in row:
                ends = vertex.up if downward else vertex.down
                if ends:
                    keys[vertex] = sum(_seen(piece, downward) for piece in ends) / len(ends)
                else:
                    keys[vertex] = float(vertex.place)
            row.sort(key=lambda v: (keys[v], v.place))
            _number(row)
        now = _crossings(rows)
        if now < crossings:
            best, crossings = [list(row) for row in rows], now
    level.rows = best
    for row in best:
        _number(row)
    _swap_neighbours(best)


def _seen(piece: _Segment, downward: bool) -> float:
    if downward:
        return piece.a.place + piece.at_a / (piece.a.width + 1.0) * 0.9
    return piece.b.place + piece.at_b / (piece.b.width + 1.0) * 0.9


def _number(row: list[_Vertex]) -> None:
    for place, vertex in enumerate(row):
        vertex.place = place


def _crossings(rows: list[list[_Vertex]]) -> int:
    total = 0
    for row in rows:
        pieces = sorted((_seen(piece, True), _seen(piece, False)) for vertex in row for piece in vertex.down)
        ends: list[float] = []
        for _, end in pieces:
            total += len(ends) - bisect_right(ends, end)
            insort(ends, end)
    return total


def _swap_neighbours(rows: list[list[_Vertex]]) -> None:
    """Swaps neighbours in a row as long as that takes crossings away."""
    for _ in range(4):
        better = False
        for row in rows:
            if len(row) > 60 or all(vertex.hint is not None for vertex in row):
                continue
            for index in range(len(row) - 1):
                left, right = row[index], row[index + 1]
                before = _pair(left.up, right.up, True) + _pair(left.down, right.down, False)
                after = _pair(right.up, left.up, True) + _pair(right.down, left.down, False)
                if after < before:
                    row[index], row[index + 1] = right, left
                    left.place, right.place = index + 1, index
                    better = True
        if not better:
            break


def _pair(left: list[_Segment], right: list[_Segment], above: bool) -> int:
    """Crossings between the lines of two neighbours, the first of which stands left."""
    ends = sorted(_seen(piece, above) for piece in right)
    total = 0
    for piece in left:
        seen = _seen(piece, above)
        total += sum(end < seen for end in ends)
    return total


def _align(level: _Level, of: dict[Box, _Level]) -> None:
    """Moves boxes sideways, within their order, to where their lines run straight."""
    rows = level.rows
    for row in rows:
        at = 0.0
        for index, vertex in enumerate(row):
            at += _apart(row[index - 1], vertex) if index else 0.0
            vertex.x = at
    for sweep in range(24):
        look_up = sweep % 2 == 0
        both = sweep >= 12
        for row in rows if look_up else rows[::-1]:
            _settle(row, both or look_up, both or not look_up)
        if sweep in (5, 11):
            _attach(level)
            _meet_ports(level, of)
    _attach(level)
    _meet_ports(level, of)
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            _straighten(row)


def _apart(left: _Vertex, right: _Vertex) -> float:
    gap = GAP_X if left.box is not None and right.box is not None else GAP_LINE
    return (left.width + right.width) / 2 + gap


def _settle(row: list[_Vertex], look_up: bool, look_down: bool) -> None:
    """The places nearest to where each vertex wants to be, with all distances kept (isotonic least squares)."""
    shift = 0.0
    blocks: list[list[float]] = []  # weighted mean, weight, how many
    shifts: list[float] = []
    for index, vertex in enumerate(row):
        shift += _apart(row[index - 1], vertex) if index else 0.0
        shifts.append(shift)
        total = weight = 0.0
        if look_up:
            for piece in vertex.up:
                total += piece.weight * (piece.a.x + piece.at_a - piece.at_b)
                weight += piece.weight
        if look_down:
            for piece in vertex.down:
                total += piece.weight * (piece.b.x + piece.at_b - piece.at_a)
                weight += piece.weight
        if vertex.hint is not None:
            total += (
                vertex.hint * 0.05
            )  # inside, a port follows its own line; only its order comes from outside
            weight += 0.05
        if weight == 0.0:
            total, weight = vertex.x * 0.02, 0.02
        blocks.append([total / weight - shift, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            mean, more, count = blocks.pop()
            last = blocks[-1]
            last[0] = (last[0] * last[1] + mean * more) / (last[1] + more)
            last[1] += more
            last[2] += count
    index = 0
    for mean, _, count in blocks:
        for _ in range(int(count)):
            row[index].x = mean + shifts[index]
            index += 1


def _straighten(row: list[_Vertex]) -> None:
    """Takes out small kinks: a vertex that is almost right above or below its middle neighbour moves there, if it can."""
    for index, vertex in enumerate(row):
        wishes = [(piece.a.x + piece.at_a - piece.at_b, piece.weight) for piece in vertex.up]
        wishes.extend((piece.b.x + piece.at_b - piece.at_a, piece.weight) for piece in vertex.down)
        if not wishes:
            continue
        wanted = _middle(wishes, vertex.x)
        if abs(wanted - vertex.x) > KINK:
            continue
        if index:
            wanted = max(wanted, row[index - 1].x + _apart(row[index - 1], vertex))
        if index + 1 < len(row):
            wanted = min(wanted, row[index + 1].x - _apart(vertex, row[index + 1]))
        vertex.x = wanted


def _middle(wishes: list[tuple[float, float]], now: float) -> float:
    """The weighted median; of two, the one that is nearer."""
    wishes.sort()
    half = sum(share for _, share in wishes) / 2
    so_far = 0.0
    for index, (x, share) in enumerate(wishes):
        so_far += share
        if so_far == half:
            return min(x, wishes[index + 1][0], key=lambda choice: abs(choice - now))
        if so_far > half:
            return x
    return now


def _meet_ports(level: _Level, of: dict[Box, _Level]) -> None:
    """A line meets an open scope where the scope's own port is."""
    for link in level.links.values():
        for vertex in (link.source, link.target):
            if vertex.box is None or vertex.box.kind != "scope":
                continue
            leaves = vertex is link.source
            side: Side = "bottom" if leaves != link.up else "top"
            inner = of[vertex.box]
            offset = inner.ports[side, link.trunk].x - inner.width / 2
            if vertex is link.upper:
                link.segments[0].at_a = offset
            else:
                link.segments[-1].at_b = offset


def _stack(level: _Level, title: float) -> None:
    """Sets the rows under one another and the scope's size around them."""
    is_root = level.box.parent is None
    pad = MARGIN if is_root else PAD
    everything = [vertex for row in level.rows for vertex in row]
    left = min((v.x - v.width / 2 for v in everything), default=0.0)
    right = max((v.x + v.width / 2 for v in everything), default=0.0)
    level.width = max(right - left + 2 * pad, title)
    shift = (level.width - (right - left)) / 2 - left
    for vertex in everything:
        vertex.x = round(vertex.x + shift, 1)
    level.tops, level.bottoms = [], []
    at = pad if is_root else HEADER + 4.0
    for index, row in enumerate(level.rows):
        if row and row[0].side == "top":
            level.tops.append(0.0)
            level.bottoms.append(HEADER)
        else:
            if index:
                reach = max((_reach(piece) for vertex in row for piece in vertex.up), default=0.0)
                at_port = row[0].side == "bottom" or level.rows[index - 1][0].side == "top"
                gap = (10.0 if reach < 1.0 else 18.0) if at_port else 26.0
                at = level.bottoms[-1] + gap + min(0.09 * reach, 40.0)
            height = max((vertex.height + vertex.strip for vertex in row), default=0.0)
            level.tops.append(round(at, 1))
            level.bottoms.append(round(at + height, 1))
    level.height = (level.bottoms[-1] if level.bottoms else at) + pad
    for row in level.rows:
        for vertex in row:
            if not vertex.up:  # what begins here stands close to what it feeds
                vertex.y = level.bottoms[vertex.rank] - vertex.strip - vertex.height
            else:
                vertex.y = level.tops[vertex.rank]


def _reach(piece: _Segment) -> float:
    return abs(piece.a.x + piece.at_a - piece.b.x - piece.at_b)


# -- the whole picture ---------------------------------------------------------------------------------------------


def _set_origins(levels: list[_Level], of: dict[Box, _Level]) -> None:
    for level in levels[1:]:
        outer = of[_parent(level.box)]
        vertex = outer.vertices[level.box]
        level.x = round(outer.x + vertex.x - vertex.width / 2, 1)
        level.y = round(outer.y + vertex.y, 1)


def _hint_ports(levels: list[_Level], of: dict[Box, _Level]) -> None:
    """Tells each port where its line comes from or goes to outside."""
    hints: dict[_Vertex, list[float]] = {}
    for level in levels:
        for link in level.links.values():
            for vertex in (link.source, link.target):
                if vertex.box is None or vertex.box.kind != "scope":
                    continue
                side: Side = "bottom" if (vertex is link.source) != link.up else "top"
                inner = of[vertex.box]
                near = link.path[1] if vertex is link.upper else link.path[-2]
                hints.setdefault(inner.ports[side, link.trunk], []).append(level.x + near.x - inner.x)
    for port, places in hints.items():
        port.hint = sum(places) / len(places)


def _result(folding: Folding, levels: list[_Level], of: dict[Box, _Level], ways: list[_Way]) -> Layout:
    rects: dict[Box, Rect] = {}
    labels: list[Label] = []
    for level in levels:
        for box, vertex in level.vertices.items():
            x, y = level.x + vertex.x - vertex.width / 2, level.y + vertex.y
            rects[box] = Rect(round(x, 1), round(y, 1), round(vertex.width, 1), round(vertex.height, 1))
            at = vertex.x - sum(cell.width for cell in vertex.cells) / 2
            for cell in vertex.cells:
                middle = level.y + vertex.y + vertex.height + LABEL / 2
                labels.append(
                    Label(
                        box, cell.output, cell.text, round(level.x + at + cell.width / 2, 1), round(middle, 1)
                    )
                )
                at += cell.width
    routes: list[Route] = []
    for way in ways:
        points: list[Point] = []
        inward = [_parent(box) for box in way.sources] + [_parent(box) for box in reversed(way.targets[:-1])]
        for scope in inward:
            for point in _points(of[scope], way.links[scope]):
                if not points or points[-1] != point:
                    points.append(point)
        routes.append(Route(way.line, tuple(points)))
    doors = {
        level.box: tuple(sorted(level.x + port.x for port in level.ports.values() if port.side == "top"))
        for level in levels
    }
    root = levels[0]
    width, height = round(root.width, 1), round(root.height, 1)
    return Layout(folding, rects, tuple(routes), tuple(labels), doors, width, height)


def _points(level: _Level, link: _Link) -> list[Point]:
    """The line's way through one scope, from source to target, on the whole picture."""
    points: list[Point] = []
    first, last = link.path[0], link.path[-1]
    x = first.x + link.segments[0].at_a
    points.append((x, 0.0 if first.side else first.y + first.height))
    points.append((x, level.bottoms[first.rank]))
    for bend in link.path[1:-1]:
        points.append((bend.x, level.tops[bend.rank]))
        points.append((bend.x, level.bottoms[bend.rank]))
    x = last.x + link.segments[-1].at_b
    points.append((x, level.tops[last.rank]))
    points.append((x, level.height if last.side else last.y))
    if link.up:
        points.reverse()
    return [(round(level.x + x, 1), round(level.y + y, 1)) for x, y in points]
