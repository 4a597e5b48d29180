"""One graph drawn: `Drawing(record, folding, …)` has its SVG, width and height; and the texts on boxes and lines.

The layers from below: scopes, lines, types of outputs, nodes, titles, badges. Under the graph come a footer, counts, notices
and the legend. No state.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Final, NamedTuple

from ..labels import fit, leaf, shorten, visible, width
from ..messages import has, message
from ..records import EDGE_KINDS, EdgeKind, GraphRecord, MarksRecord, NodeRecord, Role
from ..words.box_titles import box_title, group_title
from ..words.layers_text import layer_lines
from .device_lanes import UNPLACED, added_name, device_of, is_in_lane
from .folding import Box, Countable, Folding, Line
from .layout import Layout, Orientation, Route, layout
from .layout_levels import Rect, Size
from .layout_rows import HEADER
from .marks import (
    LIGHT,
    LINE_COLOURS,
    ROLE_COLOURS,
    along,
    curve,
    head,
    number,
    outline,
    rounded,
    shortened,
    strokes,
)

TITLE: Final = 13.0
SMALL: Final = 12.0
TYPE: Final = 12.0
FOOTER: Final = 12.0
STEP: Final = 16.0  # from one line of text to the next
SANS: Final = (
    "system-ui,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans','Noto Sans CJK KR','Noto Sans CJK SC',sans-serif"
)
MONO: Final = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Noto Sans Mono CJK KR',monospace"
_NO_OUTLINE: Final = f'class="tfedu-paper" fill="{LIGHT["paper"]}"'
_BOLD: Final = 1.12  # a bold text is this much wider than labels.width says
_ROLES: Final[tuple[Role, ...]] = (
    "constant",
    "placeholder",
    "variable",
    "read",
    "update",
    "noop",
    "control",
    "op",
)


class Sheet(NamedTuple):
    """A drawing: SVG without the outermost element, its size in pixels, and a description in words."""

    svg: str
    width: float
    height: float
    description: str


class Highlights(NamedTuple):
    """What a picture sets off, by the ids of nodes and edges.

    marks: has a frame around it. mark_legend: the message that says what the frame means. pale: nodes drawn pale. focus: nodes
    with a thick outline. badges: a text at the corner of a node. badge_legend: for each sign on a badge its meaning; by default
    a badge is the number of a node's turn. removed_edges: drawn pale, with a minus. values: a text at the right corner of a node.
    absent, absent_edges, absent_blocks: not there yet; their places stay empty. within: whether a closed box shows what its nodes
    are: pale where all of them are, with a thick outline or a frame where one of them has it. outside: in the picture of one
    scope, the nodes around it, without outlines.
    """

    marks: MarksRecord = MarksRecord()
    mark_legend: str = "legend.mark"
    pale: frozenset[int] = frozenset()
    focus: frozenset[int] = frozenset()
    badges: Mapping[int, str] = MappingProxyType({})
    badge_legend: Mapping[str, str] | None = None
    removed_edges: frozenset[int] = frozenset()
    values: Mapping[int, str] = MappingProxyType({})
    absent: frozenset[int] = frozenset()
    absent_edges: frozenset[int] = frozenset()
    absent_blocks: frozenset[int] = frozenset()
    within: bool = False
    outside: frozenset[int] = frozenset()


class _Sign(NamedTuple):
    """A sign of the legend and its meaning."""

    svg: str
    meaning: str


class _TextLine(NamedTuple):
    """One line of text on a box."""

    text: str
    size: float
    bold: bool = False

    @property
    def width(self) -> float:
        return width(self.text, self.size) * (_BOLD if self.bold else 1.0)


def count_text(kind: Countable, folding: Folding, lang: str | None) -> str:
    """How many nodes, or edges of one kind, the graph has, and how many of them are folded."""
    drawn, folded = folding.count(kind)
    return message(f"count.{kind}", lang, drawn=drawn, folded=folded, total=drawn + folded)


def notice_text(code: str, params: Mapping[str, object], lang: str | None) -> str:
    """The message of a notice; of an unknown one its code."""
    key = f"notice.{code}"
    return message(key, lang, **params) if has(key) else message("notice.unknown", lang, code=code)


def block_text(box: Box, record: GraphRecord, lang: str | None) -> str:
    """Where an empty control_dependencies block is, and its control inputs."""
    assert box.block is not None
    names = {node.id: node.name for node in record.nodes} | {part.id: part.path for part in record.sealed}
    inputs = ", ".join(shorten(names[id], 40) for id in box.block.control_inputs[:6])
    site = box.block.site
    where = shorten(site.label, 60) if site else message("block.unknown_site", lang)
    return message("block.label", lang, where=where, inputs=inputs)


def paper(rect: Rect) -> str:
    """The background of a picture."""
    return f'<path class="tfedu-paper" fill="{LIGHT["paper"]}" d="{rounded(rect, 8)}"/>'


def write(
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    tone: str = "ink",
    anchor: str = "middle",
    weight: int = 400,
    mono: bool = False,
    italic: bool = False,
    halo: bool = False,
) -> str:
    """One line of text, which this escapes; y is the middle of the line. halo: an outline in the colour of the paper."""
    font = f' font-weight="{weight}"' if weight != 400 else ""
    font += f' font-family="{MONO}"' if mono else ""
    font += ' font-style="italic"' if italic else ""
    font += f' text-anchor="{anchor}"' if anchor != "start" else ""
    where = f'x="{number(x)}" y="{number(y + size * 0.35)}" font-size="{number(size)}"{font}'
    colour = LIGHT["alarm" if tone == "alarm-ink" else "mark" if tone == "mark-ink" else tone]
    under = ""
    if halo:
        under = (
            f'<text {where} class="tfedu-halo" fill="none" stroke="{LIGHT["paper"]}" stroke-width="3" '
            f'stroke-linejoin="round" aria-hidden="true">{escape(text)}</text>'
        )
    return f'{under}<text {where} class="tfedu-{tone}" fill="{colour}">{escape(text)}</text>'


def wrapped(text: str, room: float, size: float) -> list[str]:
    """The text in lines of at most `room` pixels, broken at spaces, and inside a word that is longer than a line."""
    lines: list[str] = []
    line = ""
    for word in re.findall(r"\S+\s*|\s+", text):
        while width(line + word.rstrip(), size) > room:
            if line:
                lines.append(line.rstrip())
                line = ""
                continue
            keep = max(len(fit(word, room, size)) - 1, 1)
            lines.append(word[:keep])
            word = word[keep:]
        line += word
    if line.strip():
        lines.append(line.rstrip())
    return lines


def node_lines(node: NodeRecord) -> tuple[str, str]:
    """The two lines on a node: its short name, and its op type or a constant's value."""
    title, place = shorten((is_in_lane(node) and added_name(node)) or leaf(node.name), 24), _place(node)
    if node.role == "constant":
        value = next((text for key, text in node.attrs if key == "value"), "")
        return title, f"Const {shorten(value, 18)}{place}" if value else f"Const{place}"
    return title, place.strip() if node.type == leaf(node.name) else shorten(node.type, 26) + place


def _place(node: NodeRecord) -> str:
    """Where a node of a run on several devices is, if no lane says it; of a send, where its tensor goes. Only such nodes have
    whole device names.
    """
    own = device_of(node.device)
    to = device_of(next((text for key, text in node.attrs if key == "recv_device"), ""))
    if own and to not in ("", own):
        return f" → {to}"
    return f" · {own}" if own and not is_in_lane(node) else ""


def layer_texts(box: Box, lang: str | None) -> list[str]:
    """What a closed box tells of its layer, or of those of its blocks."""
    blocks = len(box.group.scopes) if box.group is not None else 1
    return [] if box.layer is None else layer_lines(box.layer, lang, blocks)


def box_lines(box: Box, lang: str | None) -> list[_TextLine]:
    if box.node is not None:
        title, subtitle = node_lines(box.node)
        lines = [_TextLine(title, TITLE, bold=True)]
        return [*lines, _TextLine(subtitle, SMALL)] if subtitle else lines
    if box.block is not None:
        site = box.block.site
        source = (
            fit(visible(site.source[:200]), 250, SMALL) if site and site.source else "control_dependencies"
        )
        label = shorten(site.label, 44) if site else message("block.unknown_site", lang)
        title = message("block.empty", lang)
        return [_TextLine(title, TITLE, bold=True), _TextLine(source, SMALL), _TextLine(label, SMALL)]
    counts = [message(f"badge.{kind}", lang, n=box.holds(kind)) for kind in EDGE_KINDS if box.holds(kind)]
    edges = [_TextLine(" · ".join(counts), SMALL)] if counts else []
    if box.kind == "rest":
        return [_TextLine(message("badge.rest", lang, n=box.nodes), TITLE, bold=True), *edges]
    nodes = _TextLine(message("badge.nodes", lang, n=box.nodes), SMALL)
    layer = [_TextLine(text, SMALL) for text in layer_texts(box, lang)]
    return [_TextLine(scope_title(box, lang, 26), TITLE, bold=True), *layer, nodes, *edges]


# How much room an outline takes on either side of a node's text, in pixels.
_SIDES: Final[dict[Role, float]] = {
    "placeholder": 20.0,
    "control": 20.0,
    "update": 18.0,
    "noop": 18.0,
    "constant": 16.0,
    "read": 16.0,
}


def _measure(box: Box, lang: str | None) -> Size:
    """The size of a closed box; of an open scope, that of its title."""
    if box.kind == "scope":
        return Size(width(scope_title(box, lang), SMALL) * _BOLD + 24.0, HEADER)
    lines = box_lines(box, lang)
    text_width = max(line.width for line in lines)
    if box.node is not None:
        role = box.node.role
        height = (44.0 if len(lines) == 2 else 36.0) + (16.0 if role == "variable" else 0.0)
        return Size(max(text_width + 2 * _SIDES.get(role, 14.0), 64.0), height)
    is_pointed = box.place is not None and box.place.kind in ("cond", "loop")
    return Size(text_width + (48.0 if is_pointed else 30.0), 16.0 + STEP * len(lines))


def _card(box: Box, rect: Rect) -> str:
    """The outline of a closed box: a cond's has points, as a Switch has, and a loop's ends are round."""
    kind = box.place.kind if box.place is not None else "scope"
    if kind == "cond":
        return outline("control", rect)
    return rounded(rect, rect.height / 2 if kind == "loop" else 8)


def scope_title(box: Box, lang: str | None, limit: int = 30) -> str:
    if box.path == UNPLACED:
        return message("lane.unplaced", lang)
    part = box.part
    if part is not None and part.kind == "variable" and box.group is not None:
        # The box of the layers, drawn next to it, names the layers.
        return message("part.variable_copies", lang, n=len(box.group.scopes))
    if part is not None and not (box.group is not None and part.kind == "aside"):
        name = leaf(part.of if part.kind in ("gradient", "variable") else box.path)
        # The path of a part begins with a colon; only the path of a span contains node names.
        is_named = part.of or part.kind == "span" or not name.startswith(":")
        own = group_title(box.group, lang, limit) if box.group else shorten(name.lstrip(":"), limit) if is_named else ""
        return message(f"part.{part.kind}", lang, name=own).strip()
    if box.group is not None:
        return group_title(box.group, lang, limit)
    return shorten(leaf(box.path), limit) if box.place is None else box_title(box.place, lang, limit)


class Drawing:
    """One graph on its paper: `svg` is what is inside the outermost element.

    placed: the layout of another drawing with this folding, which saves its computation.
    """

    def __init__(
        self,
        record: GraphRecord,
        folding: Folding,
        lang: str | None,
        highlights: Highlights,
        title: str = "",
        footer: Sequence[str] = (),
        orientation: Orientation = "down",
        *,
        placed: Layout | None = None,
    ) -> None:
        self.record = record
        self.lang = lang
        self.folding = folding
        self.layout: Layout = placed or layout(
            folding, lambda box: _measure(box, lang), lambda text: width(text, TYPE) + 4.0, orientation
        )
        self.highlights = highlights
        self.hidden = _hidden_boxes(folding, highlights)
        self.inner = _inner_nodes(folding) if highlights.within or highlights.outside else {}
        self.outside = highlights.outside
        self.rects = {box: rect for box, rect in self.layout.rects.items() if box not in self.hidden}
        self.routes = [route for route in self.layout.routes if not self._is_absent(route.line)]
        self.marked_nodes = frozenset(highlights.marks.nodes)
        self.marked_edges = frozenset(highlights.marks.edges)
        self.marked_blocks = frozenset(highlights.marks.blocks)
        self.gradients = frozenset(pair.node for pair in record.gradients)
        self.names = {node.id: node.name for node in record.nodes}
        top = 30.0 if title else 0.0
        self.width = max(self.layout.width, 340.0)
        below = self._below(footer, top + self.layout.height)
        self.height = top + self.layout.height + below.height
        shift = (self.width - self.layout.width) / 2
        parts: list[str] = []
        if title:
            parts.append(write(14, 18, title, 13, anchor="start", weight=600))
        parts.append(f'<g transform="translate({number(shift)} {number(top)})">')
        parts.extend(self._scopes())
        parts.extend(self._frames())
        parts.extend(self._lines())
        parts.extend(self._labels())
        parts.extend(self._boxes())
        parts.extend(self._scope_titles())
        parts.extend(self._badges())
        parts.append("</g>")
        parts.append(below.svg)
        self.svg = "".join(parts)

    def sheet(self, description: str) -> Sheet:
        return Sheet(self.svg, self.width, self.height, description)

    # -- layers ------------------------------------------------------------------------------------------------------

    def _scopes(self) -> Iterable[str]:
        for box, rect in self.rects.items():
            if box.kind == "scope":
                yield (
                    f'<path class="tfedu-scope" fill="{LIGHT["scope"]}" stroke="{LIGHT["frame"]}" '
                    f'd="{rounded(rect, 8)}"><title>{escape(shorten(box.path, 300))}</title></path>'
                )

    def _scope_titles(self) -> Iterable[str]:
        for box, rect in self.rects.items():
            if box.kind == "scope":
                title = scope_title(box, self.lang)
                x = _title_x(rect, self.layout.doors[box], width(title, SMALL) * _BOLD)
                yield write(x, rect.y + 12, title, SMALL, tone="muted", anchor="start", weight=600, halo=True)

    def _frames(self) -> Iterable[str]:
        """Frames around marked nodes, under the lines, so that they cover no arrow."""
        for box, rect in self.rects.items():
            if not self.marked_nodes.isdisjoint(self._nodes_of(box)):
                around = Rect(rect.x - 5, rect.y - 5, rect.width + 10, rect.height + 10)
                colours = f'fill="none" stroke="{LIGHT["mark"]}" stroke-width="2.5"'
                yield f'<path class="tfedu-mark" {colours} d="{rounded(around, 9)}"/>'

    def _lines(self) -> Iterable[str]:
        for kind in ("waits", "data", "reference", "control"):
            routes = [route for route in self.routes if route.line.kind == kind]
            if not routes:
                continue
            yield f'<g class="tfedu-line-{kind}" fill="none" stroke="{LINE_COLOURS[kind][0]}" stroke-width="1.3">'
            for route in routes:
                yield from self._route(route)
            yield "</g>"

    def _route(self, route: Route) -> Iterable[str]:
        """One line with its arrow head, and the glow under a marked one."""
        line, points, turned = route.line, route.points, self.layout.turned
        ids = [edge.id for edge in line.edges]
        is_removed = bool(ids) and self.highlights.removed_edges.issuperset(ids)
        is_pale = is_removed or any(edge.target in self.highlights.pale for edge in line.edges)
        data = f' data-edge="{ids[0]}"' if ids and line.count == 1 else f' data-edges="{line.count}"' if line.count else ""
        opacity = ' opacity="0.35"' if is_pale else ""
        yield f"<g{data}{opacity}><title>{escape(self._line_text(line))}</title>"
        if not self.marked_edges.isdisjoint(ids):
            yield (
                f'<path class="tfedu-mark" stroke="{LIGHT["mark"]}" stroke-width="6" stroke-opacity="0.25" '
                f'd="{curve(points, turned)}"/>'
            )
        head_length = {"data": 8.0, "reference": 9.0}.get(line.kind, 1.0)
        extra_width = 1.2 if line.count > 1 else 0.0
        yield from strokes(line.kind, curve(shortened(points, head_length, turned), turned), extra_width)
        if line.kind != "waits":
            fill = "none" if line.kind == "control" else LINE_COLOURS[line.kind][0]
            yield f'<path class="tfedu-head-{line.kind}" fill="{fill}" d="{head(line.kind, points, turned)}"/>'
        yield "</g>"

    def _line_text(self, line: Line) -> str:
        if line.kind == "waits":
            return block_text(line.target, self.record, self.lang)
        if line.edges and line.count == 1:
            edge = line.edges[0]
            ends = {"source": self.names[edge.source], "target": self.names[edge.target], "text": edge.text}
            node = line.source.node
            if line.kind != "data" or node is None or len(node.outputs) < 2:
                return message(f"edge.{line.kind}", self.lang, **ends)
            return message("edge.between", self.lang, output=edge.output, input=edge.input, **ends)
        source, target = (self._box_name(box) for box in (line.source, line.target))
        return message("edge.bundle", self.lang, n=line.count, source=source, target=target)

    def _box_name(self, box: Box) -> str:
        if box.node is not None:
            return box.node.name
        return box.path or message("badge.rest", self.lang, n=box.nodes)

    def _is_absent(self, line: Line) -> bool:
        if line.source in self.hidden or line.target in self.hidden:
            return True
        absent = self.highlights.absent_edges
        return bool(line.edges) and not line.more and absent.issuperset([edge.id for edge in line.edges])

    def _labels(self) -> Iterable[str]:
        for label in self.layout.labels:
            if label.box in self.hidden:
                continue
            room = width(label.text, TYPE)
            ground = "paper" if label.box.parent is self.folding.root else "scope"
            path = f"M{number(label.x - room / 2 - 1)} {number(label.y - 8)}h{number(room + 2)}v16h-{number(room + 2)}Z"
            yield f'<path class="tfedu-under-{ground}" fill="{LIGHT[ground]}" d="{path}"/>'
            text = write(label.x, label.y, label.text, TYPE, tone="muted")
            is_pale = label.box.node is not None and label.box.node.id in self.highlights.pale
            yield f'<g opacity="0.5">{text}</g>' if is_pale else text

    def _boxes(self) -> Iterable[str]:
        for box, rect in self.rects.items():
            if box.node is not None:
                yield self._node(box.node, box, rect)
            elif box.block is not None:
                yield self._block(box, rect)
            elif box.kind != "scope":
                yield self._closed(box, rect)

    def _node(self, node: NodeRecord, box: Box, rect: Rect) -> str:
        fill, stroke, _, _ = ROLE_COLOURS[node.role]
        opacity = ' opacity="0.4"' if node.id in self.highlights.pale else ""
        parts = [f'<g data-node="{node.id}"{opacity}><title>{escape(self._node_text(node))}</title>']
        thick = "2.5" if node.id in self.highlights.focus else "1.25"
        colours = f'class="tfedu-{node.role}" fill="{fill}" stroke="{stroke}" stroke-width="{thick}" stroke-linejoin="round"'
        if self._is_outside(box):
            colours = _NO_OUTLINE
        parts.append(f'<path {colours} d="{outline(node.role, rect)}"/>')
        lowered = 6.0 if node.role == "variable" else 0.0
        parts.extend(self._box_text(box, rect, lowered))
        badge = self.highlights.badges.get(node.id)
        if badge is not None:
            parts.append(_pill(rect.x + 2, rect.y, badge))
        elif node.id in self.gradients:
            parts.append(_pill(rect.x + 2, rect.y, "∂"))
        value = self.highlights.values.get(node.id)
        self_edges = sum(box.holds(kind) for kind in EDGE_KINDS)
        if value is not None:
            # It ends at the box's corner and leaves room for the turn at the other one.
            text = fit(value, max(rect.width - 24.0, 30.0), SMALL)
            side = rect.x + rect.width + 6.0 - (width(text, SMALL) + 10.0) / 2
            parts.append(_pill(side, rect.y + (rect.height + 4.0 if self_edges else -4.0), text))
        if self_edges:
            parts.append(_pill(rect.x + rect.width, rect.y, f"↻{self_edges}"))
        parts.append("</g>")
        return "".join(parts)

    def _node_text(self, node: NodeRecord) -> str:
        role = message(f"role.{node.role}", self.lang)
        lines = [message("node.label", self.lang, name=shorten(node.name, 300), type=node.type, role=role)]
        lines[0] = lines[0] if len(node.name) <= 60 else f"{shorten(node.name, 300)}\n{lines[0]}"
        lines.extend(f"{shorten(output.name, 80)}  {output.text}" for output in node.outputs[:8])
        if node.site is not None:
            lines.append(f"{shorten(node.site.label, 80)}  {shorten(node.site.source, 120)}")
        return "\n".join(lines)

    def _block(self, box: Box, rect: Rect) -> str:
        assert box.block is not None
        is_marked = box.block.id in self.marked_blocks
        thick = "2.5" if is_marked else "1.4"
        tone = "mark" if is_marked else "alarm"
        colours = f'fill="{LIGHT["alarm-fill"]}" stroke="{LIGHT[tone]}"'
        parts = [
            f'<g data-block="{box.block.id}"><title>{escape(block_text(box, self.record, self.lang))}</title>'
            f'<path class="tfedu-alarm{" tfedu-mark" if is_marked else ""}" {colours} stroke-width="{thick}" '
            f'stroke-dasharray="7 5" d="{rounded(rect, 6)}"/>'
        ]
        parts.extend(self._box_text(box, rect, 0.0, "alarm-ink"))
        parts.append("</g>")
        return "".join(parts)

    def _nodes_of(self, box: Box) -> Collection[int]:
        """The nodes that the box shows: its own, or with `within` those in a closed one."""
        return (box.node.id,) if box.node is not None else self.inner.get(box, ())

    def _is_outside(self, box: Box) -> bool:
        """Whether all that the box shows is outside the scope that the record is of."""
        return bool(self.outside) and self.outside.issuperset(self._nodes_of(box)) and box.block is None

    def _closed(self, box: Box, rect: Rect) -> str:
        behind = Rect(rect.x + 4, rect.y + 4, rect.width - 4, rect.height - 4)
        front = Rect(rect.x, rect.y, rect.width - 4, rect.height - 4)
        fill, stroke, _, _ = ROLE_COLOURS["op"]
        inner = self._nodes_of(box)
        thick = "1.25" if self.highlights.focus.isdisjoint(inner) else "2.5"
        opacity = ' opacity="0.4"' if inner and self.highlights.pale.issuperset(inner) else ""
        colours = f'class="tfedu-op" fill="{fill}" stroke="{stroke}" stroke-width="{thick}"'
        if self._is_outside(box):
            colours = _NO_OUTLINE
        path = shorten(box.path, 300) if box.path else self._box_name(box)
        parts = [
            f'<g data-nodes="{box.nodes}"{opacity}><title>{escape(path)}</title>'
            f'<path {colours} d="{_card(box, behind)}"/><path {colours} d="{_card(box, front)}"/>'
        ]
        parts.extend(self._box_text(box, front, 0.0))
        parts.append("</g>")
        return "".join(parts)

    def _box_text(self, box: Box, rect: Rect, lowered: float, tone: str = "") -> Iterable[str]:
        lines = box_lines(box, self.lang)
        y = rect.y + rect.height / 2 + lowered - STEP * (len(lines) - 1) / 2
        is_outside = self._is_outside(box)
        for line in lines:
            line_tone = (tone or "ink") if line.bold else "muted"
            weight = 600 if line.bold and not is_outside else 400
            italic = line.bold and is_outside
            yield write(rect.x + rect.width / 2, y, line.text, line.size, tone=line_tone, weight=weight, italic=italic)
            y += STEP

    def _badges(self) -> Iterable[str]:
        for route in self.routes:
            if route.line.count > 1:
                x, y = along(route.points, 0.22 if route.line.source.kind != "node" else 0.78, self.layout.turned)
                yield _pill(x, y, f"×{route.line.count}")
            if not self.highlights.removed_edges.isdisjoint(edge.id for edge in route.line.edges):
                yield _pill(*along(route.points, 0.5, self.layout.turned), "−")

    # -- below the graph -----------------------------------------------------------------------------------------------

    def _below(self, footer: Sequence[str], top: float) -> Sheet:
        """The footer, counts where something is folded, notices, and the legend; `top` is the y at which they begin."""
        parts: list[str] = []
        y = top + 8.0
        room = self.width - 28.0
        for text in footer:
            for line in wrapped(text, room, FOOTER):
                parts.append(write(14, y, line, FOOTER, anchor="start"))
                y += 17
            y += 0 if text else 17  # an empty line keeps the place of a text of another picture
        kinds: tuple[Countable, ...] = ("nodes", *EDGE_KINDS)
        texts = [count_text(kind, self.folding, self.lang) for kind in kinds if self.folding.count(kind)[1]]
        texts.extend(notice_text(notice.code, notice.params, self.lang) for notice in self.record.notices)
        if not self.record.nodes:
            texts.append(message("graph.empty", self.lang))
        for text in texts:
            for line in wrapped(text, room, SMALL):
                parts.append(write(14, y, line, SMALL, tone="muted", anchor="start"))
                y += STEP
        x, y = 14.0, y + 2.0
        signs = list(self._signs())
        for sign in signs:
            text = fit(sign.meaning, room - 40, SMALL)
            sign_width = 40.0 + width(text, SMALL) + 14.0
            if x > 14.0 and x + sign_width > room + 28.0:
                x, y = 14.0, y + 19.0
            parts.append(f'<g transform="translate({number(x)} {number(y)})">{sign.svg}</g>')
            parts.append(write(x + 36, y + 8, text, SMALL, tone="muted", anchor="start"))
            x += sign_width
        y += 19.0 if signs else 0.0
        return Sheet("".join(parts), self.width, y - top + 6.0, "")

    def _signs(self) -> Iterable[_Sign]:
        """The signs that the picture has: edge kinds, roles, an empty block, badges, bundles, marks."""
        kinds = {line.kind for line in self.folding.lines}
        for kind in EDGE_KINDS:
            if kind in kinds:
                yield _Sign(_edge_sign(kind), message(f"legend.{kind}", self.lang))
        roles = {box.node.role for box in self.folding.boxes() if box.node is not None}
        for role in _ROLES:
            if role in roles:
                fill, stroke, _, _ = ROLE_COLOURS[role]
                path = outline(role, Rect(0, 0, 30, 16))
                sign = f'<path class="tfedu-{role}" fill="{fill}" stroke="{stroke}" d="{path}"/>'
                yield _Sign(sign, message(f"role.{role}", self.lang))
        if self.outside:
            yield _Sign(write(15, 8, "abc", SMALL, italic=True), message("legend.outside", self.lang))
        if any(box.kind == "block" for box in self.folding.boxes()):
            sign = (
                f'<path class="tfedu-alarm" fill="{LIGHT["alarm-fill"]}" stroke="{LIGHT["alarm"]}" '
                f'stroke-dasharray="5 3" d="{rounded(Rect(0, 0, 30, 16), 4)}"/>'
            )
            yield _Sign(sign, message("legend.block", self.lang))
        if any(box.node is not None and box.node.id in self.gradients for box in self.folding.boxes()):
            yield _Sign(_pill(15, 8, "∂"), message("legend.gradient", self.lang))
        if self.highlights.badges or self.highlights.badge_legend:
            legend = self.highlights.badge_legend
            for badge, meaning in ({"1": message("legend.turn", self.lang)} if legend is None else legend).items():
                yield _Sign(_pill(15, 8, badge), meaning)
        if any(edge.id in self.highlights.removed_edges for line in self.folding.lines for edge in line.edges):
            line = f'<path class="tfedu-line-data" fill="none" stroke="{LINE_COLOURS["data"][0]}" d="M0 8H30"/>'
            yield _Sign(line + _pill(15, 8, "−"), message("legend.edge_removed", self.lang))
        if any(line.count > 1 for line in self.folding.lines):
            yield _Sign(_pill(15, 8, "×3"), message("legend.bundle", self.lang))
        if self.marked_nodes or self.marked_edges or self.marked_blocks:
            sign = (
                f'<path class="tfedu-mark" fill="none" stroke="{LIGHT["mark"]}" stroke-width="2.5" '
                f'd="{rounded(Rect(2, 1, 26, 14), 5)}"/>'
            )
            yield _Sign(sign, message(self.highlights.mark_legend, self.lang))


def _hidden_boxes(folding: Folding, highlights: Highlights) -> set[Box]:
    """The boxes in which everything is absent."""
    if not highlights.absent and not highlights.absent_blocks:
        return set()
    there = {folding.home[node.id] for node in folding.record.nodes if node.id not in highlights.absent}
    there |= {folding.home[part.id] for part in folding.record.sealed}
    hidden: set[Box] = set()
    for box in reversed(list(folding.boxes())):  # inner boxes first
        is_empty = box.kind == "scope" and hidden.issuperset(box.children)
        is_later = box.block is not None and box.block.id in highlights.absent_blocks
        if is_empty or is_later or (box.kind not in ("scope", "block") and box not in there):
            hidden.add(box)
    return hidden


def _inner_nodes(folding: Folding) -> dict[Box, list[int]]:
    """The nodes in each closed box."""
    inner: dict[Box, list[int]] = {}
    for id, box in folding.home.items():
        if box.node is None:
            inner.setdefault(box, []).append(id)
    return inner


def _title_x(rect: Rect, doors: Sequence[float], room: float) -> float:
    """The x of a scope's title, `room` wide: clear of the lines through the header at `doors`, or at the left."""
    for x in (rect.x + 10, *(door + 7 for door in doors)):
        if x + room <= rect.x + rect.width - 8 and not any(x - 6 < door < x + room + 6 for door in doors):
            return x
    return rect.x + 10


def _edge_sign(kind: EdgeKind) -> str:
    """A short line with the arrow head of its kind."""
    colour = LINE_COLOURS[kind][0]
    line = "".join(strokes(kind, f"M0 8H{30 if kind == 'control' else 21}"))
    fill = "none" if kind == "control" else colour
    path = {"data": "M30 8L21 4V12Z", "control": "M23 3.5L30 8L23 12.5", "reference": "M30 3.5V12.5H21V3.5Z"}[kind]
    return (
        f'<g class="tfedu-line-{kind}" fill="none" stroke="{colour}" stroke-width="1.3">{line}'
        f'<path class="tfedu-head-{kind}" fill="{fill}" d="{path}"/></g>'
    )


def _pill(x: float, y: float, text: str) -> str:
    """A badge with its centre at x, y."""
    pill_width = width(text, SMALL) + 10.0
    rect = Rect(x - pill_width / 2, y - 8.5, pill_width, 17)
    return (
        f'<path class="tfedu-pill" fill="{LIGHT["paper"]}" stroke="{LIGHT["muted"]}" d="{rounded(rect, 8.5)}"/>'
        f"{write(x, y, text, SMALL, weight=600)}"
    )
