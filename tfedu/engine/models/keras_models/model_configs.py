"""Models and their configurations: `model_from_json`, `from_config`, `clone_model`. No state."""

from __future__ import annotations

import json
from typing import Any

from ...base.errors import error_text
from ...lib.framework import nest
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.input_layer import Input, InputLayer
from ..keras_layers.known_layers import deserialize
from ..keras_layers.layer_nodes import history_of
from ..keras_layers.shape_layers import Lambda
from ..keras_parts import keras_optimizers
from ..keras_parts.keras_objects import with_custom_objects
from .model import Model
from .sequential import Sequential


def compile_as_told(model: Any, training: dict[str, Any]) -> None:
    """Compiles a model as the configuration of its training tells."""
    model.compile(
        optimizer=keras_optimizers.deserialize(training["optimizer_config"]), loss=training["loss"],
        metrics=training["metrics"], loss_weights=training["loss_weights"],
        sample_weight_mode=training["sample_weight_mode"], weighted_metrics=training.get("weighted_metrics"),
    )  # fmt: skip


def model_from_config(config: Any, custom_objects: Any = None) -> Any:
    """The model of a configuration, with new weights.

    Raises: TypeError for a list; ValueError for layers that tfedu does not know.
    """
    if isinstance(config, list):
        raise TypeError(
            error_text(
                "`model_from_config` expects a dictionary, not a list. Maybe you meant to use `Sequential.from_config(config)`?"
            )
        )
    return deserialize(config, custom_objects)


def model_from_json(json_string: str, custom_objects: Any = None) -> Any:
    """The model of `to_json`, with new weights."""
    return model_from_config(json.loads(json_string), custom_objects)


def model_from_yaml(yaml_string: str, custom_objects: Any = None) -> Any:
    """Raises: NotImplementedError: a YAML text may hold code."""
    raise NotImplementedError(error_text("model_from_yaml is not available: a YAML text may hold code", fix="use to_json"))


def network_from_config(cls: Any, config: dict[str, Any], custom_objects: Any = None) -> Any:
    """The functional model of a configuration: layers are made, then called as they were."""
    with with_custom_objects(custom_objects):
        layers = {each["name"]: deserialize(each) for each in config["layers"]}
        waiting = [(each["name"], call) for each in config["layers"] for call in each["inbound_nodes"]]
        while waiting:
            later = []
            for name, call in waiting:
                tensors = [_tensor(layers, source) for source in call]
                if any(tensor is None for tensor in tensors):
                    later.append((name, call))
                    continue
                arguments = call[0][3] if len(call[0]) > 3 else {}
                layers[name](tensors if len(tensors) > 1 else tensors[0], **arguments)
            if len(later) == len(waiting):
                raise ValueError(error_text(f"The configuration's layers need one another in a circle: {[n for n, _ in later]}"))
            waiting = later
        ends = []
        for places in (config["input_layers"], config["output_layers"]):
            found = [_tensor(layers, place) for place in places]
            ends.append(found if len(found) > 1 else found[0])
        model = cls(inputs=ends[0], outputs=ends[1], name=config.get("name"))
        rest = [layer for layer in layers.values() if not any(layer is each for each in model.layers)]
        if rest:
            model._insert([node for layer in rest for node in layer.inbound_nodes], rest)
        return model


def _tensor(layers: dict[str, Any], place: Any) -> Any:
    name, node, index = place[:3]
    if name not in layers:
        raise ValueError(error_text(f"The configuration names a layer that it lacks: {name}"))
    nodes = layers[name].inbound_nodes
    return nest.flatten(nodes[node].output_tensors)[index] if node < len(nodes) else None


def sequential_from_config(cls: Any, config: Any, custom_objects: Any = None) -> Any:
    """Makes a Sequential model from its configuration, with new weights. cls: the class of the model."""
    name, layers, shape = None, config, None
    if isinstance(config, dict):
        name, layers, shape = config["name"], config["layers"], config.get("build_input_shape")
    with with_custom_objects(custom_objects):
        model = cls(name=name)
        for each in layers:
            model.add(deserialize(each))
    if not model.inputs and shape:
        model.build(tuple(shape))
    return model


def _copied(layer: Any) -> Any:
    return layer.copy() if isinstance(layer, Lambda) else type(layer).from_config(layer.get_config())


def clone_model(model: Any, input_tensors: Any = None, clone_function: Any = None) -> Any:
    """A model of equal layers with new weights. clone_function: makes each layer's copy.

    Raises: ValueError for a subclassed model, and for what is no model.
    """
    if not isinstance(model, Model):
        raise ValueError(error_text(f"('Expected `model` argument to be a `Model` instance, got ', {model!r})"))
    if not model._is_graph_network and not isinstance(model, Sequential):
        raise ValueError(error_text("Expected `model` argument to be a functional `Model` instance, but got a subclass model."))
    copy = clone_function or _copied
    if isinstance(model, Sequential):
        made = [copy(layer) for layer in model._steps]
        if input_tensors is None:
            return Sequential(layers=made, name=model.name)
        tensor = nest.flatten(input_tensors)[0]
        tensor = tensor if history_of(tensor) is not None else Input(tensor=tensor)
        return Sequential(layers=[history_of(tensor).layer, *made], name=model.name)  # type: ignore[union-attr]
    given = [None] * len(model.inputs) if input_tensors is None else nest.flatten(input_tensors)
    found: dict[int, Any] = {}
    for own, new in zip(model.inputs, given):
        if new is None:
            new = Input(batch_shape=tuple(own.shape.as_list()), dtype=own.dtype, name=history_of(own).layer.name)  # type: ignore[union-attr]
        found[id(own)] = new if history_of(new) is not None else Input(tensor=new)
    copies: dict[Any, KerasLayer] = {}
    for node in model._map.nodes:
        layer = node.outbound_layer
        if isinstance(layer, InputLayer):
            continue
        if layer not in copies:
            copies[layer] = copy(layer)
        made = copies[layer](nest.map_structure(lambda x: found[id(x)], node.input_tensors), **node.arguments)
        found.update((id(a), b) for a, b in zip(nest.flatten(node.output_tensors), nest.flatten(made)))
    ends = [nest.map_structure(lambda x: found[id(x)], each) for each in (model._nested_inputs, model._nested_outputs)]
    clone = Model(ends[0], ends[1], name=model.name)
    clone._insert([node for layer in copies.values() for node in layer.inbound_nodes], list(copies.values()))
    return clone


__all__ = [
    "clone_model", "compile_as_told", "model_from_config", "model_from_json", "model_from_yaml", "network_from_config",
    "sequential_from_config",
]  # fmt: skip
