"""The calls of a layer on Keras tensors: `layer.input`, `layer.output`, `layer.inbound_nodes`.

A tensor that `tf.keras.Input` gave, and each output of a layer called on such tensors, knows the layer and the call that it
comes from: its history. The calls are the nodes of a model. State: a layer's nodes; a tensor's history.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...lib.framework import nest

_NO_DEFINED = "The layer has never been called and thus has no defined {}."


class History(NamedTuple):
    """Where a Keras tensor comes from: output `tensor_index` of the call `node_index` of `layer`."""

    layer: Any
    node_index: int
    tensor_index: int


def history_of(tensor: Any) -> History | None:
    """The history of a Keras tensor; None for any other value."""
    history: History | None = getattr(tensor, "_keras_history", None)
    return history


def is_keras_tensor(tensor: Any) -> bool:
    """Whether a tensor comes from `tf.keras.Input`, directly or through layers."""
    return history_of(tensor) is not None


def static_shape(tensor: Any) -> Any:
    """A tensor's shape as a tuple, None for each unknown size; None for an unknown rank."""
    shape = as_shape(tensor.shape)
    return None if shape.ndims is None else tuple(shape.as_list())


class Node:
    """A call of a layer on Keras tensors. inputs, outputs: structures of tensors; arguments: the call's other arguments."""

    def __init__(self, layer: Any, inputs: Any, outputs: Any, arguments: dict[str, Any]) -> None:
        self.outbound_layer = layer
        self.input_tensors, self.output_tensors = inputs, outputs
        self.arguments = arguments
        self.sources = [] if inputs is outputs else [history_of(tensor) for tensor in nest.flatten(inputs)]

    @property
    def inbound_layers(self) -> list[Any]:
        """The layers whose outputs the call takes."""
        return [source.layer for source in self.sources if source is not None]

    def iterate_inbound(self) -> Iterator[tuple[Any, int, int, Any]]:
        """For each input: the layer that made it, the node and the output there, the tensor."""
        for source, tensor in zip(self.sources, nest.flatten(self.input_tensors)):
            if source is not None:
                yield (*source, tensor)

    @property
    def input_shapes(self) -> Any:
        """The inputs' shapes as tuples."""
        return nest.map_structure(static_shape, self.input_tensors)

    @property
    def output_shapes(self) -> Any:
        """The outputs' shapes as tuples."""
        return nest.map_structure(static_shape, self.output_tensors)

    def get_config(self) -> dict[str, Any]:
        """The layers, nodes and outputs that the call takes, by name."""
        names = [source.layer.name for source in self.sources if source is not None]
        return {
            "outbound_layer": self.outbound_layer.name,
            "inbound_layers": names,
            "node_indices": [source.node_index for source in self.sources if source is not None],
            "tensor_indices": [source.tensor_index for source in self.sources if source is not None],
        }


class LayerNodes:
    """The part of a layer that knows the layer's calls on Keras tensors."""

    name: str

    def __init__(self) -> None:
        super().__init__()
        self._inbound_nodes: list[Node] = []
        self._outbound_nodes: list[Node] = []

    def _add_node(self, inputs: Any, outputs: Any, arguments: dict[str, Any]) -> Node:
        """Notes a call and gives its outputs their history."""
        node = Node(self, inputs, outputs, arguments)
        for layer in dict.fromkeys(node.inbound_layers):
            layer._outbound_nodes.append(node)
        self._inbound_nodes.append(node)
        for index, tensor in enumerate(nest.flatten(outputs)):
            tensor._keras_history = History(self, len(self._inbound_nodes) - 1, index)
        return node

    @property
    def inbound_nodes(self) -> list[Node]:
        """The layer's calls on Keras tensors."""
        return self._inbound_nodes

    @property
    def outbound_nodes(self) -> list[Node]:
        """The calls of other layers on the outputs of this one."""
        return self._outbound_nodes

    def _at(self, node_index: int, attribute: str, what: str) -> Any:
        if not self._inbound_nodes:
            raise RuntimeError(error_text(_NO_DEFINED.format(what)))
        if not -len(self._inbound_nodes) <= node_index < len(self._inbound_nodes):
            raise ValueError(
                error_text(
                    f"Asked to get {what} at node {node_index}, but the layer has only {len(self._inbound_nodes)} "
                    "inbound nodes."
                )
            )
        value = getattr(self._inbound_nodes[node_index], attribute)
        return value[0] if isinstance(value, list) and len(value) == 1 else value

    def get_input_at(self, node_index: int) -> Any:
        """The inputs of a call. Raises: RuntimeError before any, ValueError for a call that there is not."""
        return self._at(node_index, "input_tensors", "input")

    def get_output_at(self, node_index: int) -> Any:
        """The outputs of a call. Raises: RuntimeError before any, ValueError for a call that there is not."""
        return self._at(node_index, "output_tensors", "output")

    def get_input_shape_at(self, node_index: int) -> Any:
        """The shapes of a call's inputs. Raises: RuntimeError before any, ValueError for a call that there is not."""
        return self._at(node_index, "input_shapes", "input shape")

    def get_output_shape_at(self, node_index: int) -> Any:
        """The shapes of a call's outputs. Raises: RuntimeError before any, ValueError for a call that there is not."""
        return self._at(node_index, "output_shapes", "output shape")

    def get_input_mask_at(self, node_index: int) -> Any:
        """The masks of a call's inputs, None where there is none. Raises: as `get_input_at`."""
        return nest.map_structure(mask_of, self.get_input_at(node_index))

    def get_output_mask_at(self, node_index: int) -> Any:
        """The masks of a call's outputs, None where there is none. Raises: as `get_output_at`."""
        return nest.map_structure(mask_of, self.get_output_at(node_index))

    def _first(self, attribute: str, what: str, none: str) -> Any:
        if not self._inbound_nodes:
            raise AttributeError(error_text(none))
        return self._at(0, attribute, what)

    @property
    def input(self) -> Any:
        """The inputs of the layer's first call. Raises: AttributeError without a call."""
        return self._first("input_tensors", "input", f"Layer {self.name} is not connected, no input to return.")

    @property
    def output(self) -> Any:
        """The outputs of the layer's first call. Raises: AttributeError without a call."""
        return self._first("output_tensors", "output", f"Layer {self.name} has no inbound nodes.")

    @property
    def input_mask(self) -> Any:
        """The masks of `input`. Raises: as `input`."""
        return nest.map_structure(mask_of, self.input)

    @property
    def output_mask(self) -> Any:
        """The masks of `output`. Raises: as `output`."""
        return nest.map_structure(mask_of, self.output)

    def _only_shape(self, attribute: str, what: str) -> Any:
        """The one shape that all calls have."""
        if not self._inbound_nodes:
            raise AttributeError(error_text(_NO_DEFINED.format(what)))
        shapes = [getattr(node, attribute) for node in self._inbound_nodes]
        if any(shape != shapes[0] for shape in shapes):
            raise AttributeError(
                error_text(
                    f'The layer "{self.name} has multiple inbound nodes with different {what}s. Hence the notion of '
                    f'"{what}" is ill-defined for the layer. Use `get_{what.replace(" ", "_")}_at(node_index)` instead.'
                )
            )
        return shapes[0][0] if isinstance(shapes[0], list) and len(shapes[0]) == 1 else shapes[0]

    @property
    def input_shape(self) -> Any:
        """The shapes of the inputs, as tuples. Raises: AttributeError without a call, or with different shapes."""
        return self._only_shape("input_shapes", "input shape")

    @property
    def output_shape(self) -> Any:
        """The shapes of the outputs, as tuples. Raises: AttributeError without a call, or with different shapes."""
        return self._only_shape("output_shapes", "output shape")


def mask_of(tensor: Any) -> Any:
    """The mask of a tensor, [n, steps] of bool, that a layer before gave it; None without one."""
    return getattr(tensor, "_keras_mask", None)


__all__ = ["History", "LayerNodes", "Node", "history_of", "is_keras_tensor", "mask_of", "static_shape"]
