"""What in a graph surely is a mistake or does nothing: `for finding in lint(graph): print(finding)`.

Found: `control_dependencies` blocks in which no node was made, blocks that add no control edge, variables that a cell
made again when it was run again. Each finding names the line. No state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..engine.base.site import Site
from ..engine.graph.graph import Graph
from ..engine.graph.nodes import Operation
from ..engine.graph.scopes import ControlBlock
from ..engine.graph.stacks import get_default_graph
from ..view.graphs import graph_record
from ..view.labels import shorten
from ..view.messages import message
from .relabel import labels


@dataclass(frozen=True)
class Finding:
    """One thing that was found.

    code: "empty_block", "implied_block" or "rerun". nodes: which ones it is about. fixes: (line, the line's new text),
    only where that is surely right.
    """

    code: str
    site: Site | None
    nodes: tuple[Operation, ...]
    params: Mapping[str, str]
    fixes: tuple[tuple[int, str], ...] = field(default=())

    @property
    def line(self) -> int | None:
        """The program's line."""
        return None if self.site is None else self.site.line

    def text(self, lang: str | None = None) -> str:
        """The finding in words, the line itself, and the fix."""
        code = "notice.rerun" if self.code == "rerun" else f"lint.{self.code}"
        lines = [message(code, lang, **self.params)]
        if self.site is not None and self.site.source:
            lines.append(f"    {shorten(self.site.source, 120)}")
        lines.extend(message("lint.fix", lang, line=line, fix=fix) for line, fix in self.fixes)
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


class Findings(list[Finding]):
    """What was found, in the order of the program; printed one below the other."""

    def text(self, lang: str | None = None) -> str:
        return "\n".join(finding.text(lang) for finding in self) if self else message("lint.none", lang)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def lint(graph: Any = None) -> Findings:
    """What looks wrong in a graph, or in the default one.

    Raises: TypeError for what is no graph.
    """
    graph = get_default_graph() if graph is None else graph
    if not isinstance(graph, Graph):
        raise TypeError(f"lint takes a graph, not {type(graph).__name__}\n  fix: tfedu.explain.lint(x.graph)")
    return Findings([*_blocks(graph), *_reruns(graph)])


def _blocks(graph: Graph) -> Iterator[Finding]:
    for block in graph.blocks:
        if block.cleared or not block.control_inputs:
            continue
        if not block.created:
            yield _finding("empty_block", block, block.control_inputs, _fixes(block))
        elif not any(waited in op.control_inputs for op in block.created for waited in block.control_inputs):
            yield _finding("implied_block", block, tuple(block.created), ())


def _finding(
    code: str, block: ControlBlock, nodes: tuple[Operation, ...], fixes: tuple[tuple[int, str], ...]
) -> Finding:
    where = block.site.label if block.site is not None else message("block.unknown_site")
    names = [shorten(op.name, 60) for op in block.control_inputs[:6]]
    if len(block.control_inputs) > 6:
        names.append("…")
    return Finding(code, block.site, nodes, {"where": where, "inputs": ", ".join(names)}, fixes)


def _fixes(block: ControlBlock) -> tuple[tuple[int, str], ...]:
    """For each line that only gives another name, the line that makes a node."""
    return tuple(
        (label.line, f"{'return' if label.name is None else f'{label.name} ='} tf.identity({label.value})")
        for label in labels(block)
        if label.made_at is not None
    )


def _reruns(graph: Graph) -> Iterator[Finding]:
    for notice in graph_record(graph).notices:
        if notice.code == "rerun":
            again = graph.get_operation_by_name(str(notice.params["again"]))
            first = graph.get_operation_by_name(str(notice.params["first"]))
            params = {key: str(value) for key, value in notice.params.items()}
            yield Finding("rerun", again.site, (first, again), params)


__all__ = ["Finding", "Findings", "lint"]
