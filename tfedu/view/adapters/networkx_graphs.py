"""NetworkX's directed graphs as records: `record_of_digraph(networkx.DiGraph())`. No state.

A node's name is its text, and slashes in it make scopes. Its attributes "op" or "type" is the op type, "role" one of the roles of
records, "dtype" and "shape" its output, "kind" of an edge "data", "control" or "reference", "input" and "output" the numbers of
its ends. All others are attributes, as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from ..labels import shorten
from ..records import EdgeKind, GraphRecord, Role
from .record_parts import TEXT, GraphReadError, Parts, Typed, Value

_ROLES: Final = get_args(Role)
_KINDS: Final = get_args(EdgeKind)
_SAID: Final = frozenset({"op", "type", "role", "dtype", "shape", "device"})
_MOST_OUTPUTS: Final = 1 << 16


def record_of_digraph(graph: Any) -> GraphRecord:
    """The record of a DiGraph or MultiDiGraph.

    Raises: TypeError for a graph without directions; GraphReadError for attributes that say something impossible, with the node
    or edge; ResourceExhaustedError for a graph beyond the budget (tf.io.Budget).
    """
    if not graph.is_directed():
        raise TypeError(
            "cannot show a graph without directions: expected a networkx.DiGraph\n  fix: graph.to_directed()"
        )
    parts = Parts("The NetworkX graph")
    edges = [_Edge(source, target, data) for source, target, data in graph.edges(data=True)]
    outputs: dict[Any, int] = {}
    for edge in edges:
        if edge.kind != "control":
            outputs[edge.source] = max(outputs.get(edge.source, 1), edge.output + 1)
    numbers = {
        node: _add_node(parts, node, data, outputs.get(node, 1)) for node, data in graph.nodes(data=True)
    }
    next_input: dict[Any, int] = {}
    for edge in edges:
        if edge.kind == "control":
            parts.control(numbers[edge.source], numbers[edge.target])
            continue
        place = next_input.get(edge.target, 0) if edge.input is None else edge.input
        next_input[edge.target] = place + 1
        parts.edge(Value(numbers[edge.source], edge.output), numbers[edge.target], place, edge.kind)
    return parts.record()


class _Edge:
    """An edge with its ends and what its attributes say."""

    def __init__(self, source: Any, target: Any, data: Mapping[Any, Any]) -> None:
        self.source, self.target = source, target
        self.kind: EdgeKind = data.get("kind", "data")
        self.output: int = data.get("output", 0)
        self.input: int | None = data.get("input")
        if self.kind not in _KINDS:
            raise GraphReadError(
                f"{self} has the kind {data['kind']!r:.100}; expected one of {', '.join(_KINDS)}"
            )
        for name, number in (("output", self.output), ("input", self.input)):
            if number is not None and (type(number) is not int or not 0 <= number < _MOST_OUTPUTS):
                raise GraphReadError(f"{self} has the {name} {number!r:.100}; expected a number from 0")

    def __str__(self) -> str:
        return f"the edge from {_text(self.source)!r} to {_text(self.target)!r}"


def _add_node(parts: Parts, node: Any, data: Mapping[Any, Any], outputs: int) -> int:
    role = data.get("role", "op")
    if role not in _ROLES:
        raise GraphReadError(
            f"the node {_text(node)!r} has the role {role!r:.100}; expected one of {', '.join(_ROLES)}"
        )
    shape = data.get("shape")
    if shape is not None and not isinstance(shape, (list, tuple)):
        raise GraphReadError(
            f"the node {_text(node)!r} has the shape {shape!r:.100}; expected a tuple of sizes"
        )
    dtype = str(data.get("dtype", ""))[:TEXT]
    kind = Typed(dtype, shape) if dtype or shape is not None else Typed("", None, "")
    return parts.node(
        _text(data.get("op", data.get("type", "node"))),
        str(node),
        role=role,
        outputs=[kind] * outputs,
        attrs=[(str(key), _text(value)) for key, value in data.items() if key not in _SAID],
        device=str(data.get("device", ""))[:TEXT],
        stateful=role in ("variable", "update"),
        variable=role == "variable",
    )


def _text(value: Any) -> str:
    return shorten(str(value), TEXT)


__all__ = ["record_of_digraph"]
