"""What in a graph surely is a mistake or does nothing: `for finding in lint(graph): print(finding)`.

Found: `control_dependencies` blocks in which no node was made, blocks that add no control edge, variables that a cell
made again when it was run again, and what control_flow.py finds in branches and loops. Each finding names the line.
No state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..engine.graph.graph import Graph
from ..engine.graph.nodes import Operation
from ..engine.graph.scopes import ControlBlock
from ..engine.graph.stacks import get_default_graph
from ..view.graphs import graph_record
from ..view.labels import shorten
from ..view.messages import message
from .control_flow import control_flow_findings
from .findings import Finding, Findings
from .relabel import labels


def lint(graph: Any = None) -> Findings:
    """What looks wrong in a graph, or in the default one.

    Raises: TypeError for what is no graph.
    """
    graph = get_default_graph() if graph is None else graph
    if not isinstance(graph, Graph):
        raise TypeError(f"lint takes a graph, not {type(graph).__name__}\n  fix: tfedu.explain.lint(x.graph)")
    return Findings([*_blocks(graph), *control_flow_findings(graph), *_reruns(graph)])


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
