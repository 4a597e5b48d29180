"""The geometry of one level: sizes, bends, the order in each row, coordinates.

Barycentres reduce crossings, and isotonic least squares give the x of each vertex. Deterministic. No state.
Source: Sugiyama, Tagawa and Toda 1981 (layered drawings).
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable
from itertools import pairwise
from math import ceil
from typing import Final

from .folding import Box
from .layout_levels import Cell, Level, Link, Segment, Side, Size, Trunk, Vertex, creation_order

PAD: Final = 12.0  # between a scope's border and its boxes
HEADER: Final = 22.0  # a scope's title
GAP_X: Final = 18.0
GAP_LINE: Final = 11.0
LABEL: Final = 18.0  # the strip under a row for the types of outputs
MARGIN: Final = 14.0
SWEEPS: Final = 12
KINK: Final = 14.0  # a smaller step aside is straightened
WIDEST: Final = 1900.0  # a wider row is split into rows of about SPLIT
SPLIT: Final = 1400.0
SLANTED: Final = frozenset(("control", "placeholder", "constant"))  # roles with outlines that narrow at top and bottom


def measure_boxes(
    level: Level, of: dict[Box, Level], measure: Callable[[Box], Size], text_size: Callable[[str], Size]
) -> None:
    """Sets the size of each box: at least that of its text, with room for its lines and the types of its outputs."""
    for box, vertex in level.vertices.items():
        if box.kind == "scope":
            vertex.width, vertex.height = of[box].width, of[box].height
            continue
        size = measure(box)
        outgoing = [link for link in level.links.values() if link.source is vertex]
        incoming = [link for link in level.links.values() if link.target is vertex]
        vertex.cells = _cells(box, outgoing, text_size)
        cells = sum(cell.width for cell in vertex.cells)
        beside = any(link.up for link in incoming) or any(
            link.kind in ("control", "waits") for link in outgoing
        )
        flank = 30.0 + 2 * _slant(box) if cells and beside else 0.0
        slots = min(max(len(incoming), len(outgoing)), 24)
        vertex.width = max(size.width, cells + flank, 12.0 + 9.0 * slots)
        vertex.height = size.height
        vertex.strip = max((cell.height for cell in vertex.cells), default=0.0)


def split_wide_rows(level: Level) -> None:
    """Splits rows that are too wide to read. (No vertex of a row depends on another vertex of it.)"""
    rows: dict[int, list[Vertex]] = {}
    for vertex in sorted(level.vertices.values(), key=creation_order):
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


def _cells(box: Box, links: Iterable[Link], text_size: Callable[[str], Size]) -> list[Cell]:
    """A cell for each used output of a node."""
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
        size = text_size(text)
        sorted_trunks = tuple(sorted(trunks[output], key=lambda t: str(t[4])))
        cells.append(Cell(output, text, size.width + 8.0, size.height, sorted_trunks))
    return cells


def _slant(box: Box | None) -> float:
    """How far the sides of an outline lean in; no line ends there."""
    return 8.0 if box is not None and box.node is not None and box.node.role in SLANTED else 0.0


def output_text(box: Box, output: int) -> str:
    """The type of an output; with its number where the node has several."""
    assert box.node is not None
    outputs = box.node.outputs
    return outputs[output].text if len(outputs) == 1 else f":{output} {outputs[output].text}"


def bend_links(level: Level) -> None:
    """Gives every link a vertex in each row that it passes; links of one trunk share these."""
    depth = 1 + max((v.rank for v in [*level.vertices.values(), *level.ports.values()]), default=-1)
    level.rows = [[] for _ in range(depth)]
    for vertex in sorted(level.vertices.values(), key=creation_order):
        level.rows[vertex.rank].append(vertex)
    for port in level.ports.values():
        level.rows[port.rank].append(port)
    for vertex in [*level.vertices.values(), *level.ports.values()]:
        vertex.up, vertex.down = [], []
    bends: dict[tuple[object, ...], Vertex] = {}
    pieces: dict[tuple[Vertex, Vertex, object], Segment] = {}
    for link in level.links.values():
        upper, lower = link.upper, link.lower
        link.path = [upper]
        link.segments = []
        shared: object = None if not link.up else id(link)
        for rank in range(upper.rank + 1, lower.rank):
            key = (id(upper), link.trunk, shared, rank)
            if key not in bends:
                bends[key] = Vertex(upper.order + 0.1 if upper.box else lower.order + 0.1, rank=rank)
                level.rows[rank].append(bends[key])
            link.path.append(bends[key])
        link.path.append(lower)
        for a, b in pairwise(link.path):
            bent = (a.box is None and a.side is None) + (b.box is None and b.side is None)
            end: object = (link.trunk, id(link) if b is lower else None, shared)
            piece = pieces.get((a, b, end))
            if piece is None:
                piece = pieces[(a, b, end)] = Segment(a, b, (1.0, 2.0, 6.0)[bent])
                a.down.append(piece)
                b.up.append(piece)
            link.segments.append(piece)
    _attach(level)


def _attach(level: Level) -> None:
    """Sets where on a box each link begins and ends: outputs and inputs in order, other links beside them."""
    starts: dict[Vertex, dict[Trunk, list[Link]]] = {}
    tops: dict[Vertex, list[list[Link]]] = {}
    bottoms: dict[Vertex, list[list[Link]]] = {}
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
        known_trunks = {trunk for cell in vertex.cells for trunk in cell.trunks}
        others = [links for trunk, links in trunks.items() if trunk not in known_trunks] + bottoms.get(vertex, [])
        _place(vertex, places, others, 12.0)


def _place(
    vertex: Vertex, fixed: list[tuple[list[Link], float]], free: list[list[Link]], pitch: float
) -> None:
    """Sets the fixed ends, and the free ends left and right of them, on the side to which their links go."""
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


def _far(vertex: Vertex, link: Link) -> float:
    """How far to the right of the box's centre the link goes."""
    neighbour = link.path[1] if link.path[0] is vertex else link.path[-2]
    return neighbour.x - vertex.x


def arrange(level: Level, of: dict[Box, Level]) -> None:
    """Orders each row so that few lines cross: sweeps with barycentres down and up, and keeps the best order."""
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
            keys: dict[Vertex, float] = {}
            for vertex in row:
                ends = vertex.up if downward else vertex.down
                if ends:
                    keys[vertex] = sum(_end_place(piece, downward) for piece in ends) / len(ends)
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


def _end_place(piece: Segment, downward: bool) -> float:
    """The place of a segment's upper (downward) or lower end in its row, with a fraction for the offset on the box."""
    if downward:
        return piece.a.place + piece.at_a / (piece.a.width + 1.0) * 0.9
    return piece.b.place + piece.at_b / (piece.b.width + 1.0) * 0.9


def _number(row: list[Vertex]) -> None:
    for place, vertex in enumerate(row):
        vertex.place = place


def _crossings(rows: list[list[Vertex]]) -> int:
    total = 0
    for row in rows:
        pieces = sorted((_end_place(piece, True), _end_place(piece, False)) for vertex in row for piece in vertex.down)
        ends: list[float] = []
        for _, end in pieces:
            total += len(ends) - bisect_right(ends, end)
            insort(ends, end)
    return total


def _swap_neighbours(rows: list[list[Vertex]]) -> None:
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


def _pair(left: list[Segment], right: list[Segment], above: bool) -> int:
    """How many lines of two neighbours cross, the first of which is the left one."""
    ends = sorted(_end_place(piece, above) for piece in right)
    total = 0
    for piece in left:
        place = _end_place(piece, above)
        total += sum(end < place for end in ends)
    return total


def align(level: Level, of: dict[Box, Level]) -> None:
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


def _apart(left: Vertex, right: Vertex) -> float:
    gap = GAP_X if left.box is not None and right.box is not None else GAP_LINE
    return (left.width + right.width) / 2 + gap


def _settle(row: list[Vertex], look_up: bool, look_down: bool) -> None:
    """Moves each vertex as near to its lines' other ends as the least distances allow (isotonic least squares)."""
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
            total += vertex.hint * 0.05  # a small weight: the hint sets the order of ports, links inside their place
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


def _straighten(row: list[Vertex]) -> None:
    """Removes small kinks: a vertex that is almost above or below its middle neighbour moves there, where it can."""
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
    """The weighted median; of two, the one that is nearer to `now`."""
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


def _meet_ports(level: Level, of: dict[Box, Level]) -> None:
    """Sets the ends of links at open scopes to the ports of these scopes."""
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


def stack(level: Level, title: float, turned: bool) -> None:
    """Sets the y of each row, and the size of the scope. title: the width of its title; turned: the title is at the left side."""
    is_root = level.box.parent is None
    pad = MARGIN if is_root else PAD
    above = 8.0 if turned else HEADER
    beside = HEADER if turned and not is_root else 0.0
    everything = [vertex for row in level.rows for vertex in row]
    left = min((v.x - v.width / 2 for v in everything), default=0.0)
    right = max((v.x + v.width / 2 for v in everything), default=0.0)
    level.width = max(right - left + 2 * pad + beside, 0.0 if turned else title)
    shift = (level.width + beside - (right - left)) / 2 - left
    for vertex in everything:
        vertex.x = round(vertex.x + shift, 1)
    level.tops, level.bottoms = [], []
    at = pad if is_root else above + 4.0
    for index, row in enumerate(level.rows):
        if row and row[0].side == "top":
            level.tops.append(0.0)
            level.bottoms.append(above)
        else:
            if index:
                reach = max((_reach(piece) for vertex in row for piece in vertex.up), default=0.0)
                at_port = row[0].side == "bottom" or level.rows[index - 1][0].side == "top"
                gap = (10.0 if reach < 1.0 else 18.0) if at_port else 26.0
                at = level.bottoms[-1] + gap + min(0.09 * reach, 40.0)
            height = max((vertex.height + vertex.strip for vertex in row), default=0.0)
            level.tops.append(round(at, 1))
            level.bottoms.append(round(at + height, 1))
    level.height = max((level.bottoms[-1] if level.bottoms else at) + pad, title if turned else 0.0)
    for row in level.rows:
        for vertex in row:
            if not vertex.up:  # a vertex without inputs is near its consumers
                vertex.y = level.bottoms[vertex.rank] - vertex.strip - vertex.height
            else:
                vertex.y = level.tops[vertex.rank]


def _reach(piece: Segment) -> float:
    return abs(piece.a.x + piece.at_a - piece.b.x - piece.at_b)
