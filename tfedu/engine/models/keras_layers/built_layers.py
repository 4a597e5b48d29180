"""The layers of a graph: `built_layers(graph)` lists each call of a layer, for tables and pictures of a model.

State: the graph's collection `("__built_layers",)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...graph.default_graph import get_default_graph
from ...graph.graph import Graph
from ...graph.nodes import Tensor

_KEY = ("__built_layers",)


class BuiltLayer(NamedTuple):
    """A call of a layer. kind: the name of its class; scope: the name scope of its nodes; variables: those of the layer."""

    kind: str
    scope: str
    variables: tuple[Any, ...]
    outputs: tuple[Tensor, ...]


def note_layer(kind: str, scope: str, variables: Iterable[Any], outputs: Iterable[Any]) -> None:
    """Adds a call to the list of the default graph."""
    tensors = tuple(output for output in outputs if isinstance(output, Tensor))
    get_default_graph().add_to_collection(_KEY, BuiltLayer(kind, scope.rstrip("/"), tuple(variables), tensors))


def built_layers(graph: Graph) -> list[BuiltLayer]:
    """The calls of layers, in their order; the call of an inner layer comes before that of the layer around it."""
    return graph.get_collection(_KEY)
