"""The layout of a picture: `layout(folding)` places boxes in rows along the flow, and lines between them.

Each scope is laid out on its own and is then one box of its parent. A line crosses the border of a scope at a port, so that it
runs from its source to its target through no other box. Deterministic, pure Python, without recursion. No state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from .folding import Box, Folding, Line
from .layout_levels import (
    Level,
    Link,
    Rect,
    Side,
    Size,
    Vertex,
    Way,
    make_links,
    orient,
    parent_of,
    rank_vertices,
    way_of,
)
from .layout_rows import LABEL, align, arrange, bend_links, measure_boxes, split_wide_rows, stack

Point = tuple[float, float]
Orientation = Literal["down", "right"]


@dataclass(frozen=True, slots=True)
class Route:
    """The points of a line, in the direction of the flow; marks.curve joins them by verticals and S-curves."""

    line: Line
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """The dtype and shape of an output, under its node; x, y: the centre."""

    box: Box
    output: int
    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Layout:
    """The geometry of a picture, in pixels."""

    folding: Folding
    rects: dict[Box, Rect]
    routes: tuple[Route, ...]
    labels: tuple[Label, ...]
    doors: dict[Box, tuple[float, ...]]  # for each open scope the x of the lines through its top
    width: float
    height: float
    turned: bool = False  # whether values flow to the right


def layout(
    folding: Folding,
    measure: Callable[[Box], Size],
    text_width: Callable[[str], float],
    orientation: Orientation = "down",
) -> Layout:
    """Places every box and line. measure: the size of a closed box; text_width: the width of an output's type.

    A picture that flows to the right is laid out as one that flows down, with widths and heights exchanged.
    """
    if orientation == "down":
        return _layout(folding, measure, lambda text: Size(text_width(text), LABEL), False)

    def turned(box: Box) -> Size:
        size = measure(box)
        return size if box.kind == "scope" else Size(size.height, size.width)

    return _turned(_layout(folding, turned, lambda text: Size(TALL, text_width(text) + 6.0), True))


TALL = 6.0
"""The room between the types of two outputs, which are one below the other in a picture that flows to the right."""


def _layout(
    folding: Folding, measure: Callable[[Box], Size], text_size: Callable[[str], Size], turned: bool
) -> Layout:
    levels = [Level(folding.root)]
    levels.extend(Level(box) for box in folding.boxes() if box.kind == "scope")
    of = {level.box: level for level in levels}
    for level in levels:
        for box in level.box.children:
            level.vertices[box] = Vertex(box.order, box)
    routes = [way_of(line) for line in folding.lines]
    for level in levels:  # outer scopes first, since they decide on which side a line enters
        make_links(level, routes, of)
        orient(level)
        rank_vertices(level)
    inner_first = levels[::-1]
    for turn in range(2):  # the second time each port has a hint of where its line goes outside
        for level in inner_first:
            measure_boxes(level, of, measure, text_size)
            if turn == 0:
                split_wide_rows(level)
            bend_links(level)
            arrange(level, of)
            align(level, of)
            stack(level, measure(level.box).width if level.box.parent else 0.0, turned)
        _set_origins(levels, of)
        if turn == 0:
            _hint_ports(levels, of)
    return _result(folding, levels, of, routes)


def _turned(layout: Layout) -> Layout:
    """The layout with x and y exchanged; doors are empty, since no line comes in through a scope's title."""
    return replace(
        layout,
        rects={box: Rect(rect.y, rect.x, rect.height, rect.width) for box, rect in layout.rects.items()},
        routes=tuple([replace(route, points=tuple([(y, x) for x, y in route.points])) for route in layout.routes]),
        labels=tuple([replace(label, x=label.y, y=label.x) for label in layout.labels]),
        doors=dict.fromkeys(layout.doors, ()),
        width=layout.height,
        height=layout.width,
        turned=True,
    )


def _set_origins(levels: list[Level], of: dict[Box, Level]) -> None:
    for level in levels[1:]:
        outer = of[parent_of(level.box)]
        vertex = outer.vertices[level.box]
        level.x = round(outer.x + vertex.x - vertex.width / 2, 1)
        level.y = round(outer.y + vertex.y, 1)


def _hint_ports(levels: list[Level], of: dict[Box, Level]) -> None:
    """Gives each port the place where its line comes from or goes to outside, as a hint."""
    hints: dict[Vertex, list[float]] = {}
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


def _result(folding: Folding, levels: list[Level], of: dict[Box, Level], ways: list[Way]) -> Layout:
    rects: dict[Box, Rect] = {}
    labels: list[Label] = []
    for level in levels:
        for box, vertex in level.vertices.items():
            x, y = level.x + vertex.x - vertex.width / 2, level.y + vertex.y
            rects[box] = Rect(round(x, 1), round(y, 1), round(vertex.width, 1), round(vertex.height, 1))
            at = vertex.x - sum(cell.width for cell in vertex.cells) / 2
            for cell in vertex.cells:
                middle = level.y + vertex.y + vertex.height + cell.height / 2
                labels.append(
                    Label(
                        box, cell.output, cell.text, round(level.x + at + cell.width / 2, 1), round(middle, 1)
                    )
                )
                at += cell.width
    routes: list[Route] = []
    for way in ways:
        points: list[Point] = []
        inward = [parent_of(box) for box in way.sources] + [
            parent_of(box) for box in reversed(way.targets[:-1])
        ]
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


def _points(level: Level, link: Link) -> list[Point]:
    """The points of a link, from source to target, in coordinates of the picture."""
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
