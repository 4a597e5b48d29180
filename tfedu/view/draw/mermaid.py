"""Mermaid source of graphs, for Markdown pages that draw it: `mermaid_source([("", record)])`.

It has the boxes and lines of the picture: closed scopes are one box, parallel edges one line with their number. Names are data:
Mermaid has no quoting that keeps a text as it is, so what could be syntax is written by number.
No state.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..labels import shorten, visible
from ..records import GraphRecord, Role
from .folding import LIMIT, Box, Line, fold
from .graph_drawing import box_lines, scope_title
from .layout import Orientation

# What stands before and after the label, by role; the outlines are those of the picture, as far as Mermaid has them.
_SHAPES: Final[dict[Role, tuple[str, str]]] = {
    "constant": ("([", "])"),
    "placeholder": ("[/", "/]"),
    "variable": ("[(", ")]"),
    "read": (">", "]"),
    "update": ("[[", "]]"),
    "noop": ("((", "))"),
    "control": ("{{", "}}"),
    "op": ("[", "]"),
}
_ARROWS: Final = {"data": "-->", "control": "-.->", "reference": "==>", "waits": "-.-"}
# What stands as it is: letters, digits and some marks, where they begin no Markdown (lists, emphasis) and no entity.
_PLAIN: Final = re.compile(r"[^\W_]|[(,?]|\)(?! )|(?<=[^\W_])[/_](?=[^\W_])|(?<=\d)\.(?=\d)|(?<=\S) (?=\S)")

# What Mermaid draws as a formula or an icon, however it is written; a joiner without width keeps its parts apart.
_DRAWN: Final = re.compile(r"\$(?=\$)|:(?=fa-)")


def mermaid_source(
    graphs: Sequence[tuple[str, GraphRecord]],
    lang: str | None = None,
    *,
    collapsed: Iterable[str] | None = None,
    limit: int = LIMIT,
    boxes: bool = False,
    orientation: Orientation = "down",
) -> str:
    """A flowchart of the graphs, each under its title; the other options are those of graph_svg."""
    lines = [f"flowchart {'LR' if orientation == 'right' else 'TB'}"]
    for number, (title, record) in enumerate(graphs):
        chart = _Chart(f"g{number}b" if len(graphs) > 1 else "b", lang)
        folding = fold(record, collapsed, limit, boxes)
        body = [*chart.boxes(folding.root), *chart.edges(folding.lines)]
        lines.extend(chart.scope(f"g{number}", shorten(title, 60), body) if title else body)
    return "\n".join(lines) + "\n"


class _Chart:
    """The lines of one graph. ids: what the ids of its boxes begin with; they are numbered in the order of the picture."""

    def __init__(self, ids: str, lang: str | None) -> None:
        self.ids = ids
        self.lang = lang
        self.numbers: dict[Box, int] = {}

    def boxes(self, scope: Box) -> Iterator[str]:
        """The boxes in an open scope."""
        for box in scope.children:
            if box.kind == "scope":
                yield from self.scope(self._id(box), scope_title(box, self.lang), self.boxes(box))
            else:
                before, after = _SHAPES[box.node.role] if box.node is not None else ("[", "]")
                text = "<br/>".join(_escaped(line.text) for line in box_lines(box, self.lang))
                yield f'  {self._id(box)}{before}"{text}"{after}'
                if box.block is not None:
                    yield f"  style {self._id(box)} stroke-dasharray:5 4"

    def scope(self, id: str, title: str, body: Iterable[str]) -> Iterator[str]:
        yield f'  subgraph {id}["{_escaped(title)}"]'
        yield from (f"  {line}" for line in body)
        yield "  end"

    def edges(self, lines: Iterable[Line]) -> Iterator[str]:
        for line in lines:
            text = _label(line)
            label = f'|"{_escaped(text)}"|' if text else ""
            yield f"  {self._id(line.source)} {_ARROWS[line.kind]}{label} {self._id(line.target)}"

    def _id(self, box: Box) -> str:
        return f"{self.ids}{self.numbers.setdefault(box, len(self.numbers))}"


def _label(line: Line) -> str:
    """What stands on a line: how many edges it is, or the type of its values, and which output they come from."""
    if line.kind == "waits":
        return ""
    if line.count > 1:
        return f"×{line.count}"
    if line.kind == "control" or not line.edges:
        return ""
    (edge,) = line.edges
    node = line.source.node
    return edge.text if node is None or len(node.outputs) == 1 else f":{edge.output} {edge.text}"


def _escaped(text: str) -> str:
    """A label that Mermaid shows unchanged."""
    shown = _DRAWN.sub("\\g<0>\u2060", visible(text))
    plain = {match.start() for match in _PLAIN.finditer(shown)}
    return "".join(mark if at in plain else f"#{ord(mark)};" for at, mark in enumerate(shown))


__all__ = ["mermaid_source"]
