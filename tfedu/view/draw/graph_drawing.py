"""One graph drawn: `Drawing(record, folding, …)` has its SVG (`body`), width and height; and the texts that boxes bear.

From below: scopes, lines, types, nodes, titles, badges; under the graph what each run gave, counts, notices and what the
signs mean. No state.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from types import MappingProxyType
from typing import Final

from ..labels import fit, leaf, shorten, visible, width
from ..messages import has, message
from ..records import (
    EDGE_KINDS,
    GraphRecord,
    MarksRecord,
    NodeRecord,
    Role,
)
from ..words.box_titles import box_title, group_title
from .folding import Box, Countable, Folding, Line
from .layout import Layout, Orientation, layout
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

TITLE: Final = 12.0
SMALL: Final = 10.0
TYPE: Final = 9.5
SANS: Final = (
    "system-ui,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans','Noto Sans CJK KR','Noto Sans CJK SC',sans-serif"
)
MONO: Final = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Noto Sans Mono CJK KR',monospace"
_BOLD: Final = 1.12  # how much wider the bold title is than the table says
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


def count_text(what: Countable, shown: Folding, lang: str | None) -> str:
    drawn, folded = shown.count(what)
    return message(f"count.{what}", lang, drawn=drawn, folded=folded, total=drawn + folded)


def notice_text(code: str, params: Mapping[str, object], lang: str | None) -> str:
    key = f"notice.{code}"
    return message(key, lang, **params) if has(key) else message("notice.unknown", lang, code=code)


def block_text(box: Box, record: GraphRecord, lang: str | None) -> str:
    assert box.block is not None
    names = {node.id: node.name for node in record.nodes} | {part.id: part.path for part in record.sealed}
    inputs = ", ".join(shorten(names[id], 40) for id in box.block.control_inputs[:6])
    site = box.block.site
    where = shorten(site.label, 60) if site else message("block.unknown_site", lang)
    return message("block.label", lang, where=where, inputs=inputs)


def sheet(rect: Rect) -> str:
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
    halo: bool = False,
) -> str:
    """One line of text, `text` being plain and not yet escaped; y is its middle."""
    extra = f' font-weight="{weight}"' if weight != 400 else ""
    extra += f' font-family="{MONO}"' if mono else ""
    extra += f' text-anchor="{anchor}"' if anchor != "start" else ""
    where = f'x="{number(x)}" y="{number(y + size * 0.35)}" font-size="{number(size)}"{extra}'
    colour = LIGHT["alarm" if tone == "alarm-ink" else "mark" if tone == "mark-ink" else tone]
    under = ""
    if halo:
        under = (
            f'<text {where} class="tfedu-halo" fill="none" stroke="{LIGHT["paper"]}" stroke-width="3" '
            f'stroke-linejoin="round" aria-hidden="true">{escape(text)}</text>'
        )
    return f'{under}<text {where} class="tfedu-{tone}" fill="{colour}">{escape(text)}</text>'


def wrapped(text: str, room: float, size: float) -> list[str]:
    """The text in lines at most `room` wide, broken at spaces, and inside a word where it must be."""
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
    """What stands on a node: its short name, and under it its type, or a constant's value."""
    title = shorten(leaf(node.name), 24)
    if node.type == "Const":
        value = next((text for key, text in node.attrs if key == "value"), "")
        return title, f"Const {shorten(value, 18)}" if value else "Const"
    return title, "" if node.type == leaf(node.name) else shorten(node.type, 26)


def _box_lines(box: Box, lang: str | None) -> list[tuple[str, float, bool]]:
    """The lines of a box: text, size, bold."""
    if box.node is not None:
        title, sub = node_lines(box.node)
        lines = [(title, TITLE, True)]
        if sub:
            lines.append((sub, SMALL, False))
        return lines
    if box.block is not None:
        site = box.block.site
        source = (
            fit(visible(site.source[:200]), 250, SMALL) if site and site.source else "control_dependencies"
        )
        label = shorten(site.label, 44) if site else message("block.unknown_site", lang)
        return [(message("block.empty", lang), TITLE, True), (source, SMALL, False), (label, SMALL, False)]
    if box.kind == "rest":
        return [(message("badge.rest", lang, n=box.nodes), TITLE, True), *_inside_line(box, lang)]
    count = [(message("badge.nodes", lang, n=box.nodes), SMALL, False)]
    return [(_scope_title(box, lang, 26), TITLE, True), *count, *_inside_line(box, lang)]


def _inside_line(box: Box, lang: str | None) -> list[tuple[str, float, bool]]:
    counts = [message(f"badge.{kind}", lang, n=box.holds(kind)) for kind in EDGE_KINDS if box.holds(kind)]
    return [(" · ".join(counts), SMALL, False)] if counts else []


def _line_width(line: tuple[str, float, bool]) -> float:
    text, size, bold = line
    return width(text, size) * (_BOLD if bold else 1.0)


def _measure(box: Box, lang: str | None) -> Size:
    if box.kind == "scope":
        return Size(width(_scope_title(box, lang), SMALL) * _BOLD + 24.0, HEADER)
    lines = _box_lines(box, lang)
    wide = max(_line_width(line) for line in lines)
    if box.node is not None:
        side = {"placeholder": 16.0, "control": 16.0, "constant": 14.0, "update": 13.0}.get(
            box.node.role, 10.0
        )
        if box.node.role == "read":
            side = 12.0
        tall = 38.0 if len(lines) == 2 else 28.0
        return Size(max(wide + 2 * side, 52.0), tall + (6.0 if box.node.role == "variable" else 0.0))
    pointed = box.place is not None and box.place.kind in ("cond", "loop")
    return Size(wide + (44.0 if pointed else 26.0), 14.0 + 14.0 * len(lines))


def _card(box: Box, rect: Rect) -> str:
    """The outline of a closed box: a cond's has points, as a Switch has, and a loop's ends are round."""
    kind = box.place.kind if box.place is not None else "scope"
    if kind == "cond":
        return outline("control", rect)
    return rounded(rect, rect.height / 2 if kind == "loop" else 7)


def _scope_title(box: Box, lang: str | None, limit: int = 30) -> str:
    if box.group is not None:
        return group_title(box.group, lang, limit)
    return shorten(leaf(box.path), limit) if box.place is None else box_title(box.place, lang, limit)


class Drawing:
    """One graph on its paper: `body` is SVG without the outermost element."""

    def __init__(
        self,
        record: GraphRecord,
        shown: Folding,
        lang: str | None,
        marks: MarksRecord,
        pruned: frozenset[int],
        focus: frozenset[int],
        title: str = "",
        footer: Iterable[str] = (),
        turns: Mapping[int, str] = MappingProxyType({}),
        orientation: Orientation = "down",
        signs_mean: Mapping[str, str] | None = None,
        gone: frozenset[int] = frozenset(),
    ) -> None:
        self.record = record
        self.lang = lang
        self.shown = shown
        self.layout: Layout = layout(
            shown, lambda box: _measure(box, lang), lambda text: width(text, TYPE) + 4.0, orientation
        )
        self.marked_nodes = frozenset(marks.nodes)
        self.marked_edges = frozenset(marks.edges)
        self.marked_blocks = frozenset(marks.blocks)
        self.pruned = pruned
        self.focus = focus
        self.turns = turns
        self.signs_mean = {"1": message("legend.turn", lang)} if signs_mean is None else signs_mean
        self.is_one_side = signs_mean is None
        self.gone = gone
        self.gradients = frozenset(pair.node for pair in record.gradients)
        self.names = {node.id: node.name for node in record.nodes}
        top = 30.0 if title else 0.0
        self.width = max(self.layout.width, 340.0)
        notes, tall = self._notes(list(footer), top + self.layout.height)
        self.height = top + self.layout.height + tall
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
        parts.extend(notes)
        self.body = "".join(parts)

    # -- layers ------------------------------------------------------------------------------------------------------

    def _scopes(self) -> Iterable[str]:
        for box, rect in self.layout.rects.items():
            if box.kind == "scope":
                yield (
                    f'<path class="tfedu-scope" fill="{LIGHT["scope"]}" stroke="{LIGHT["frame"]}" '
                    f'd="{rounded(rect, 9)}"><title>{escape(shorten(box.path, 300))}</title></path>'
                )

    def _scope_titles(self) -> Iterable[str]:
        for box, rect in self.layout.rects.items():
            if box.kind == "scope":
                title = _scope_title(box, self.lang)
                x = _free_place(rect, self.layout.doors[box], width(title, SMALL) * _BOLD)
                yield write(x, rect.y + 12, title, SMALL, tone="muted", anchor="start", weight=600, halo=True)

    def _frames(self) -> Iterable[str]:
        """What is marked, around it and under the lines, so that no arrow is covered."""
        for box, rect in self.layout.rects.items():
            if box.node is not None and box.node.id in self.marked_nodes:
                around = Rect(rect.x - 5, rect.y - 5, rect.width + 10, rect.height + 10)
                colours = f'fill="none" stroke="{LIGHT["mark"]}" stroke-width="2.5"'
                yield f'<path class="tfedu-mark" {colours} d="{rounded(around, 9)}"/>'

    def _lines(self) -> Iterable[str]:
        turned = self.layout.turned
        for kind in ("waits", "data", "reference", "control"):
            colour = LINE_COLOURS[kind][0]
            found = [route for route in self.layout.routes if route.line.kind == kind]
            if not found:
                continue
            yield f'<g class="tfedu-line-{kind}" fill="none" stroke="{colour}" stroke-width="1.3">'
            for route in found:
                line = route.line
                points = route.points
                ids = [edge.id for edge in line.edges]
                marked = not self.marked_edges.isdisjoint(ids)
                absent = bool(ids) and self.gone.issuperset(ids)
                pale = absent or not self.pruned.isdisjoint(edge.target for edge in line.edges)
                data = (
                    f' data-edge="{ids[0]}"' if ids and line.count == 1 else f' data-edges="{line.count}"' if line.count else ""
                )
                opacity = ' opacity="0.35"' if pale else ""
                yield f"<g{data}{opacity}><title>{escape(self._line_text(line))}</title>"
                if marked:
                    yield (
                        f'<path class="tfedu-mark" stroke="{LIGHT["mark"]}" stroke-width="6" stroke-opacity="0.25" '
                        f'd="{curve(points, turned)}"/>'
                    )
                reach = {"data": 8.0, "reference": 9.0}.get(kind, 1.0)
                bundled = 1.2 if line.count > 1 else 0.0
                yield from strokes(kind, curve(shortened(points, reach, turned), turned), bundled)
                if kind != "waits":
                    tip = "none" if kind == "control" else colour
                    yield f'<path class="tfedu-head-{kind}" fill="{tip}" d="{head(kind, points, turned)}"/>'
                yield "</g>"
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

    def _labels(self) -> Iterable[str]:
        for label in self.layout.labels:
            wide = width(label.text, TYPE)
            paper = "paper" if label.box.parent is self.shown.root else "scope"
            under = f"M{number(label.x - wide / 2 - 1)} {number(label.y - 6)}h{number(wide + 2)}v12h-{number(wide + 2)}Z"
            pale = label.box.node is not None and label.box.node.id in self.pruned
            yield f'<path class="tfedu-under-{paper}" fill="{LIGHT[paper]}" d="{under}"/>'
            text = write(label.x, label.y, label.text, TYPE, tone="muted")
            yield f'<g opacity="0.5">{text}</g>' if pale else text

    def _boxes(self) -> Iterable[str]:
        for box, rect in self.layout.rects.items():
            if box.node is not None:
                yield self._node(box.node, box, rect)
            elif box.block is not None:
                yield self._block(box, rect)
            elif box.kind != "scope":
                yield self._closed(box, rect)

    def _node(self, node: NodeRecord, box: Box, rect: Rect) -> str:
        fill, stroke, _, _ = ROLE_COLOURS[node.role]
        opacity = ' opacity="0.4"' if node.id in self.pruned else ""
        parts = [f'<g data-node="{node.id}"{opacity}><title>{escape(self._node_text(node))}</title>']
        thick = "2.6" if node.id in self.focus else "1.3"
        parts.append(
            f'<path class="tfedu-{node.role}" fill="{fill}" stroke="{stroke}" stroke-width="{thick}" '
            f'stroke-linejoin="round" d="{outline(node.role, rect)}"/>'
        )
        lowered = 4.0 if node.role == "variable" else 0.0
        parts.extend(self._box_text(box, rect, lowered))
        if node.id in self.turns:
            parts.append(_pill(rect.x + 2, rect.y, self.turns[node.id]))
        elif node.id in self.gradients:
            parts.append(_pill(rect.x + 2, rect.y, "∂"))
        loops = sum(box.holds(kind) for kind in EDGE_KINDS)
        if loops:
            parts.append(_pill(rect.x + rect.width, rect.y, f"↻{loops}"))
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
        marked = box.block.id in self.marked_blocks
        thick = "2.5" if marked else "1.4"
        tone = "mark" if marked else "alarm"
        colours = f'fill="{LIGHT["alarm-fill"]}" stroke="{LIGHT[tone]}"'
        parts = [
            f'<g data-block="{box.block.id}"><title>{escape(block_text(box, self.record, self.lang))}</title>'
            f'<path class="tfedu-alarm{" tfedu-mark" if marked else ""}" {colours} stroke-width="{thick}" '
            f'stroke-dasharray="7 5" d="{rounded(rect, 6)}"/>'
        ]
        parts.extend(self._box_text(box, rect, 0.0, "alarm-ink"))
        parts.append("</g>")
        return "".join(parts)

    def _closed(self, box: Box, rect: Rect) -> str:
        behind = Rect(rect.x + 3, rect.y + 3, rect.width - 1, rect.height - 1)
        front = Rect(rect.x, rect.y, rect.width - 2, rect.height - 2)
        colours = f'class="tfedu-scope" fill="{LIGHT["scope"]}" stroke="{LIGHT["muted"]}"'
        path = shorten(box.path, 300) if box.path else self._box_name(box)
        parts = [
            f'<g data-nodes="{box.nodes}"><title>{escape(path)}</title>'
            f'<path {colours} d="{_card(box, behind)}"/><path {colours} stroke-width="1.4" d="{_card(box, front)}"/>'
        ]
        parts.extend(self._box_text(box, front, 0.0))
        parts.append("</g>")
        return "".join(parts)

    def _box_text(self, box: Box, rect: Rect, lowered: float, tone: str = "") -> Iterable[str]:
        lines = _box_lines(box, self.lang)
        step = 14.0
        y = rect.y + rect.height / 2 + lowered - step * (len(lines) - 1) / 2
        for text, size, bold in lines:
            colour = tone if tone and bold else ("ink" if bold else "muted")
            yield write(rect.x + rect.width / 2, y, text, size, tone=colour, weight=600 if bold else 400)
            y += step

    def _badges(self) -> Iterable[str]:
        for route in self.layout.routes:
            if route.line.count > 1:
                x, y = along(route.points, 0.22 if route.line.source.kind != "node" else 0.78, self.layout.turned)
                yield _pill(x, y, f"×{route.line.count}")
            if not self.gone.isdisjoint(edge.id for edge in route.line.edges):
                yield _pill(*along(route.points, 0.5, self.layout.turned), "−")

    # -- below the graph -----------------------------------------------------------------------------------------------

    def _notes(self, footer: list[str], top: float) -> tuple[list[str], float]:
        """What each run gave, counts where something is folded, notices, and what the signs mean."""
        parts: list[str] = []
        y = top + 8.0
        room = self.width - 28.0
        for text in footer:
            for line in wrapped(text, room, 12.0):
                parts.append(write(14, y, line, 12, anchor="start"))
                y += 17
        kinds: tuple[Countable, ...] = ("nodes", *EDGE_KINDS)
        texts = [count_text(what, self.shown, self.lang) for what in kinds if self.shown.count(what)[1]]
        texts.extend(notice_text(notice.code, notice.params, self.lang) for notice in self.record.notices)
        if not self.record.nodes:
            texts.append(message("graph.empty", self.lang))
        for text in texts:
            for line in wrapped(text, room, SMALL):
                parts.append(write(14, y, line, SMALL, tone="muted", anchor="start"))
                y += 14
        legend, y = self._legend(y + 2.0, room)
        return [*parts, *legend], y - top + 6.0

    def _legend(self, y: float, room: float) -> tuple[list[str], float]:
        parts: list[str] = []
        x = 14.0
        for sign, text in self._signs():
            text = fit(text, room - 40, SMALL)
            wide = 40.0 + width(text, SMALL) + 14.0
            if x > 14.0 and x + wide > room + 28.0:
                x, y = 14.0, y + 19.0
            parts.append(f'<g transform="translate({number(x)} {number(y)})">{sign}</g>')
            parts.append(write(x + 36, y + 8, text, SMALL, tone="muted", anchor="start"))
            x += wide
        return parts, y + 19.0 if parts else y

    def _signs(self) -> Iterable[tuple[str, str]]:
        """What the picture has, and nothing else: edge kinds, roles, an empty block, bundles, marks."""
        kinds = {line.kind for line in self.shown.lines}
        for kind in EDGE_KINDS:
            if kind in kinds:
                colour = LINE_COLOURS[kind][0]
                fill = "none" if kind == "control" else colour
                line = "".join(strokes(kind, f"M0 8H{30 if kind == 'control' else 21}"))
                tip = {
                    "data": "M30 8L21 4V12Z",
                    "control": "M23 3.5L30 8L23 12.5",
                    "reference": "M30 3.5V12.5H21V3.5Z",
                }[kind]
                yield (
                    f'<g class="tfedu-line-{kind}" fill="none" stroke="{colour}" stroke-width="1.3">{line}'
                    f'<path class="tfedu-head-{kind}" fill="{fill}" d="{tip}"/></g>',
                    message(f"legend.{kind}", self.lang),
                )
        roles = {box.node.role for box in self.shown.boxes() if box.node is not None}
        for role in _ROLES:
            if role in roles:
                fill, stroke, _, _ = ROLE_COLOURS[role]
                path = outline(role, Rect(0, 0, 30, 16))
                yield (
                    f'<path class="tfedu-{role}" fill="{fill}" stroke="{stroke}" d="{path}"/>',
                    message(f"role.{role}", self.lang),
                )
        if any(box.kind == "block" for box in self.shown.boxes()):
            yield (
                f'<path class="tfedu-alarm" fill="{LIGHT["alarm-fill"]}" stroke="{LIGHT["alarm"]}" '
                f'stroke-dasharray="5 3" d="{rounded(Rect(0, 0, 30, 16), 4)}"/>',
                message("legend.block", self.lang),
            )
        if any(box.node is not None and box.node.id in self.gradients for box in self.shown.boxes()):
            yield _pill(15, 8, "∂"), message("legend.gradient", self.lang)
        if self.turns:
            for sign, words in self.signs_mean.items():
                yield _pill(15, 8, sign), words
        if any(edge.id in self.gone for line in self.shown.lines for edge in line.edges):
            line = f'<path class="tfedu-line-data" fill="none" stroke="{LINE_COLOURS["data"][0]}" d="M0 8H30"/>'
            yield line + _pill(15, 8, "−"), message("legend.edge_removed", self.lang)
        if any(line.count > 1 for line in self.shown.lines):
            yield _pill(15, 8, "×3"), message("legend.bundle", self.lang)
        if self.marked_nodes or self.marked_edges or self.marked_blocks:
            yield (
                f'<path class="tfedu-mark" fill="none" stroke="{LIGHT["mark"]}" stroke-width="2.5" '
                f'd="{rounded(Rect(2, 1, 26, 14), 5)}"/>',
                message("legend.mark" if self.is_one_side else "legend.differs", self.lang),
            )


def _free_place(rect: Rect, doors: Iterable[float], room: float) -> float:
    """Where in a scope's header its title stands clear of the lines that come in; at the left where it cannot."""
    lines = list(doors)
    for x in (rect.x + 10, *(door + 7 for door in lines)):
        if x + room <= rect.x + rect.width - 8 and not any(x - 6 < door < x + room + 6 for door in lines):
            return x
    return rect.x + 10


def _pill(x: float, y: float, text: str) -> str:
    wide = width(text, SMALL) + 10.0
    rect = Rect(x - wide / 2, y - 7.5, wide, 15)
    return (
        f'<path class="tfedu-pill" fill="{LIGHT["paper"]}" stroke="{LIGHT["muted"]}" d="{rounded(rect, 7.5)}"/>'
        f"{write(x, y, text, SMALL, weight=600)}"
    )
