"""A Keras model as the record of a graph: its layers are the nodes, their calls the edges: `network_record(model)`. No state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....engine.lib.framework import nest
from ....engine.models.keras_layers.input_layer import InputLayer
from ....engine.models.keras_layers.layer_nodes import static_shape
from ....engine.models.keras_layers.wrapper_layers import Wrapper
from ....engine.models.keras_models.network import Network
from ....engine.models.keras_models.sequential import Sequential
from ...records import EdgeRecord, GraphRecord, NodeRecord, OutputRecord, Role, ScopeRecord


def network_record(
    model: Any, shapes: bool = False, names: bool = True, nested: bool = False, frame: bool = False
) -> GraphRecord:
    """The layers of a model between its inputs and outputs.

    shapes: whether edges, and the nodes that end the model, tell shapes. names: whether a node tells the layer's name, or its
    class alone. nested: whether a model inside is drawn as its layers, in a frame. frame: whether the whole model has a frame.

    Raises: TypeError for what is no model; ValueError for a Sequential that does not know the shape of its inputs.
    """
    if not isinstance(model, Network):
        raise TypeError(f"a model is drawn, not a {type(model).__name__}")
    if isinstance(model, Sequential) and not model.built:
        model.build()
    parts = _Parts(shapes, names, nested)
    if model._is_graph_network:
        parts.add_network(model, model.name if frame else "", model.outputs)
    else:  # a subclass, whose `call` no map shows
        parts.add_node(model, "")
    return GraphRecord(nodes=tuple(parts.nodes), edges=tuple(parts.edges), scopes=tuple(parts.scopes))


class _Parts:
    """The nodes, edges and scopes of a record that is being made."""

    def __init__(self, shapes: bool, names: bool, nested: bool) -> None:
        self.shapes, self.names, self.nested = shapes, names, nested
        self.nodes: list[NodeRecord] = []
        self.edges: list[EdgeRecord] = []
        self.scopes: list[ScopeRecord] = []
        self._number: dict[int, int] = {}  # layer -> the id of its node

    def add_network(self, model: Any, scope: str, results: Sequence[Any] = ()) -> None:
        """The layers of a model, and the edges between them. results: what the whole model gives."""
        if scope:
            self.scopes.append(ScopeRecord(scope, scope.rpartition("/")[0]))
        ends = {id(tensor) for tensor in results}
        for node in model._map.nodes:
            layer = node.outbound_layer
            if id(layer) in self._number or self._is_open(layer):
                if self._is_open(layer) and self._of_inside(layer) is None:
                    self.add_network(layer, f"{scope}/{layer.name}".lstrip("/"))
            else:
                outputs = nest.flatten(node.output_tensors)
                self.add_node(layer, scope, outputs, any(id(output) in ends for output in outputs))
        for node in model._map.nodes:
            self._add_edges(node)

    def _is_open(self, layer: Any) -> bool:
        return self.nested and isinstance(layer, Network) and layer._is_graph_network

    def _of_inside(self, model: Any) -> int | None:
        """The id of a node inside a model, None before it is drawn."""
        return self._number.get(id(model.layers[0]))

    def add_node(self, layer: Any, scope: str, tensors: Any = (), is_end: bool = False) -> None:
        """The node of a layer with these outputs."""
        number = self._number[id(layer)] = len(self.nodes)
        texts = [_shape_text(tensor) for tensor in tensors]
        kind = _kind(layer)
        name = f"{scope}/{layer.name}".lstrip("/") if self.names else kind
        if self.shapes and is_end:
            kind = f"{kind} {', '.join(texts)}"
        role: Role = "placeholder" if isinstance(layer, InputLayer) else "op"
        outputs = tuple(
            OutputRecord(f"{layer.name}:{place}", tensor.dtype.base_dtype.name, static_shape(tensor), text)
            for place, (tensor, text) in enumerate(zip(tensors, texts))
        )
        self.nodes.append(NodeRecord(number, name, kind, scope, role, "", bool(layer.weights), None, (), outputs))

    def _add_edges(self, node: Any) -> None:
        """The edges into a call: from the layers that made its inputs, to the layer or the input layers of an open model."""
        for place, (layer, index, output, tensor) in enumerate(node.iterate_inbound()):
            source, output = self._source(layer, index, output)
            target, target_input = self._number.get(id(node.outbound_layer)), place
            if target is None:
                inner = node.outbound_layer.inputs[place]._keras_history.layer
                target, target_input = self._number[id(inner)], 0
            if any((edge.source, edge.output, edge.target) == (source, output, target) for edge in self.edges):
                continue  # a further call of the same layer on the same tensor
            text = _shape_text(tensor) if self.shapes else ""
            self.edges.append(EdgeRecord(len(self.edges), "data", source, output, target, target_input, text))

    def _source(self, layer: Any, index: int, output: int) -> tuple[int, int]:
        """The node that an output comes from, and which of its outputs it is; of an open model, the layer inside."""
        while id(layer) not in self._number:
            layer, index, output = layer.outputs[output]._keras_history
        earlier = sum(len(nest.flatten(call.output_tensors)) for call in layer.inbound_nodes[:index])
        count = len(self.nodes[self._number[id(layer)]].outputs)
        return self._number[id(layer)], (earlier + output) % max(count, 1)


def _kind(layer: Any) -> str:
    """The class of a layer; of a layer around another, both."""
    name = type(layer).__name__
    return f"{name}({type(layer.layer).__name__})" if isinstance(layer, Wrapper) else name


def _shape_text(tensor: Any) -> str:
    sizes = static_shape(tensor)
    return "?" if sizes is None else f"[{','.join('?' if size is None else str(size) for size in sizes)}]"


__all__ = ["network_record"]
