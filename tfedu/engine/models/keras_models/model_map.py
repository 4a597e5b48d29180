"""The nodes and layers between a model's inputs and outputs, in the order in which the model calls them.

`map_model(inputs, outputs)` walks from the outputs back to the inputs. A node's depth is the length of the longest way from it to
an output; deeper nodes are called first. No state.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...base.errors import error_text
from ...lib.framework import nest
from ..keras_layers.layer_nodes import Node, history_of


class ModelMap(NamedTuple):
    """nodes: the calls, those first that come first; layers: each once, in the order of `model.layers`."""

    nodes: list[Node]
    layers: list[Any]


def map_model(inputs: list[Any], outputs: list[Any]) -> ModelMap:
    """The nodes and layers between the tensors.

    Raises: ValueError for outputs that need more than the inputs, and for two layers of one name.
    """
    finished, seen_layers = _from_outputs(outputs)
    depths: dict[Node, int] = {}
    layer_depths: dict[Any, int] = {}
    for node in reversed(finished):
        depth = max(depths.setdefault(node, 0), layer_depths.get(node.outbound_layer, 0))
        depths[node] = layer_depths[node.outbound_layer] = depth
        for layer, index, _, _ in node.iterate_inbound():
            source = layer.inbound_nodes[index]
            depths[source] = max(depth + 1, depths.get(source, 0))
    for tensor in inputs:  # inputs that no output needs
        layer, index, _ = _history(tensor)
        if layer not in layer_depths:
            layer_depths[layer], seen_layers[layer] = 0, -1
            depths[layer.inbound_nodes[index]] = 0
    nodes = sorted(depths, key=lambda node: -depths[node])
    layers = sorted(layer_depths, key=lambda layer: (-layer_depths[layer], seen_layers[layer]))
    _check_connected(inputs, nodes)
    _check_names(layers)
    return ModelMap(nodes, layers)


def _history(tensor: Any) -> Any:
    history = history_of(tensor)
    if history is None:
        raise ValueError(
            error_text(
                "Output tensors to a Model must be the output of a TensorFlow `Layer` (thus holding past layer metadata). Found: "
                f"{tensor}",
                fix="begin with tf.keras.Input and call layers on it",
            )
        )
    return history


def _from_outputs(outputs: list[Any]) -> tuple[list[Node], dict[Any, int]]:
    """(the nodes that the outputs need, each after those that it needs; the layers, numbered as they are met)."""
    finished: dict[Node, None] = {}
    layers: dict[Any, int] = {}
    for tensor in outputs:
        layer, index, _ = _history(tensor)
        waiting = [(layer.inbound_nodes[index], False)]
        while waiting:
            node, is_expanded = waiting.pop()
            if is_expanded:
                finished.setdefault(node)
            elif node not in finished:
                layers.setdefault(node.outbound_layer, len(layers))
                waiting.append((node, True))
                sources = [layer.inbound_nodes[index] for layer, index, _, _ in node.iterate_inbound()]
                waiting += [(source, False) for source in reversed(sources)]
    return list(finished), layers


def _check_connected(inputs: list[Any], nodes: list[Node]) -> None:
    known = {id(tensor) for tensor in inputs}
    without_issue: list[str] = []
    for node in nodes:
        if node.sources or id(nest.flatten(node.output_tensors)[0]) not in known:
            missing = next((x for x in _needed(node) if id(x) not in known), None)
            if missing is not None:
                raise ValueError(
                    error_text(
                        f'Graph disconnected: cannot obtain value for tensor {missing} at layer "{node.outbound_layer.name}". '
                        f"The following previous layers were accessed without issue: {without_issue}"
                    )
                )
        known.update(id(tensor) for tensor in nest.flatten(node.output_tensors))
        without_issue.append(node.outbound_layer.name)


def _needed(node: Node) -> list[Any]:
    """The tensors that a call takes; a placeholder needs itself to be fed."""
    tensors: list[Any] = nest.flatten(node.input_tensors)
    return tensors


def _check_names(layers: list[Any]) -> None:
    names = [layer.name for layer in layers]
    for name in names:
        if names.count(name) != 1:
            raise ValueError(
                error_text(
                    f'The name "{name}" is used {names.count(name)} times in the model. All layer names should be unique.'
                )
            )


__all__ = ["ModelMap", "map_model"]
