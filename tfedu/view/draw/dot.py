"""DOT source for Graphviz, by way of the `graphviz` package: `dot(("", record)).source`, `dot(("", record)).render(...)`.

Other pictures of tfedu do not need it. No state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..labels import leaf, shorten
from ..messages import message
from ..records import GraphRecord, NodeRecord
from .graph_drawing import node_lines
from .marks import ROLE_COLOURS

if TYPE_CHECKING:
    import graphviz  # type: ignore[import-untyped]

_SHAPES: Final = {
    "constant": "ellipse",
    "placeholder": "parallelogram",
    "variable": "cylinder",
    "read": "note",
    "update": "box3d",
    "noop": "octagon",
    "control": "hexagon",
    "op": "box",
}
_EDGES: Final = {
    "data": {"style": "solid", "arrowhead": "normal"},
    "control": {"style": "dashed", "arrowhead": "vee"},
    "reference": {"style": "bold", "arrowhead": "odiamond"},
}


def dot(*graphs: tuple[str, GraphRecord], lang: str | None = None) -> graphviz.Digraph:
    """The graphs as a graphviz.Digraph: every node and edge, scopes as clusters, empty blocks as dashed boxes.

    A graph with a title is a cluster of its own. Ids are numbers and labels are escaped, so that Graphviz interprets no part of a
    name.
    Raises: ImportError where the graphviz package is missing.
    """
    try:
        import graphviz
    except ImportError as error:
        raise ImportError(
            'DOT source needs the graphviz package. This installs it:  pip install "tfedu[lab]"'
        ) from error
    # nslimit bounds dot's network simplex, which takes minutes for long edges.
    top = graphviz.Digraph(
        "tfedu", graph_attr={"rankdir": "TB", "nslimit": "1", "nslimit1": "1", "compound": "true"}
    )
    top.attr("node", fontname="Helvetica", fontsize="11", style="filled", penwidth="1")
    top.attr("edge", fontname="Helvetica", fontsize="9")
    for number, (title, record) in enumerate(graphs):
        ids = f"g{number}" if len(graphs) > 1 else ""
        if title:
            body = _cluster(f"{ids}all", shorten(title, 60))
            _add_graph(body, record, ids, lang)
            top.subgraph(body)
        else:
            _add_graph(top, record, ids, lang)
    return top


def _add_graph(top: graphviz.Digraph, record: GraphRecord, ids: str, lang: str | None) -> None:
    """Adds a graph. ids: what its ids begin with, different ones for several graphs."""
    nodes = {node.id: node for node in record.nodes}
    # Inner scopes are completed first, since graphviz copies a subgraph into its parent.
    drawn = {"": top}
    for index, scope in enumerate(record.scopes):
        drawn[scope.path] = _cluster(f"{ids}{index}", shorten(leaf(scope.path), 30))
    for node in record.nodes:
        _add_node(drawn[node.scope], node, ids)
    for scope in sorted(record.scopes, key=lambda scope: -scope.path.count("/")):
        drawn[scope.parent].subgraph(drawn[scope.path])
    for edge in record.edges:
        text = edge.text if len(nodes[edge.source].outputs) == 1 else f":{edge.output} {edge.text}"
        label = "" if edge.kind == "control" else _escaped(text)
        top.edge(f"{ids}n{edge.source}", f"{ids}n{edge.target}", label=label, **_EDGES[edge.kind])
    for block in record.blocks:
        if not block.empty:
            continue
        lines = [message("block.empty", lang)]
        if block.site is not None:
            lines.extend(shorten(text, 60) for text in (block.site.source, block.site.label))
        name = f"{ids}b{block.id}"
        top.node(name, label=_escaped("\n".join(lines)), shape="box", style="dashed", color="#a4361e")
        for id in block.control_inputs:
            top.edge(f"{ids}n{id}", name, style="dotted", arrowhead="none")


def _cluster(name: str, title: str) -> graphviz.Digraph:
    """A frame with a title; Graphviz draws a subgraph as one where its name begins with "cluster"."""
    import graphviz

    body = graphviz.Digraph(f"cluster_{name}")
    body.attr(label=_escaped(title), style="rounded", color="#9aa1a9", fontname="Helvetica", fontsize="11")
    return body


def dot_source(*graphs: tuple[str, GraphRecord], lang: str | None = None) -> str:
    """The DOT text of the graphs.

    Raises: as dot.
    """
    source: str = dot(*graphs, lang=lang).source
    return source


def _add_node(body: graphviz.Digraph, node: NodeRecord, ids: str) -> None:
    fill, stroke, _, _ = ROLE_COLOURS[node.role]
    label = _escaped("\n".join(line for line in node_lines(node) if line))
    body.node(f"{ids}n{node.id}", label=label, shape=_SHAPES[node.role], fillcolor=fill, color=stroke)


def _escaped(text: str) -> str:
    """A label that Graphviz draws unchanged: without escapes such as \\N, and without HTML."""
    import graphviz

    escaped: str = graphviz.nohtml(text.replace("\\", "\\\\").replace("\n", "\\n"))
    return escaped
