"""`Network`: layers as one layer; what connects them is either a map from inputs to outputs, or the `call` of a subclass.

    a = Input([3])
    network = Network(a, Dense(2)(a))     # network.layers: the InputLayer and the Dense

State: the inputs, the outputs and the map between them; a subclass has none before its first call.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

import numpy as np

from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...graph.default_graph import get_default_graph
from ...lib.framework import nest
from ...lib.framework.placeholders import placeholder
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.layer_losses import as_loss
from ..keras_layers.layer_nodes import Node, history_of, mask_of
from ..keras_layers.op_layers import AddLoss, AddMetric
from ..keras_parts.keras_config import floatx
from ..keras_parts.keras_session import keras_session
from . import summary_text
from .model_map import ModelMap, map_model

_NOT_BUILT = (
    "This model has not yet been built. Build the model first by calling `build()` or calling `fit()` with some data, or specify "
    "an `input_shape` argument in the first layer(s) for automatic build."
)


class Network(KerasLayer):
    """Layers as one layer: from `inputs` to `outputs`, Keras tensors or structures of these; or a subclass with a `call`.

    Raises: ValueError for inputs that are no Keras tensors, and for outputs that need more than the inputs.
    """

    def __init__(self, inputs: Any = None, outputs: Any = None, name: str | None = None, trainable: bool = True) -> None:
        super().__init__(name=name, trainable=trainable)
        self._map: ModelMap | None = None
        self._numbered: dict[str, Any] = {}  # the layers of a map or a chain, by the names that checkpoints have for them
        self._nested_inputs: Any = None
        self._nested_outputs: Any = None
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        self.input_names: list[str] = []
        self.output_names: list[str] = []
        self._own = frozenset(vars(self))
        if inputs is not None:
            self._connect_network(inputs, outputs)

    def _connect_network(self, inputs: Any, outputs: Any) -> None:
        """Settles what the network's inputs and outputs are."""
        flat_inputs, flat_outputs = nest.flatten(inputs), nest.flatten(outputs)
        self._check_inputs(flat_inputs)
        self._give_history(outputs)
        self._map = map_model(flat_inputs, flat_outputs)
        self._nested_inputs, self._nested_outputs = inputs, outputs
        self.inputs, self.outputs = flat_inputs, flat_outputs
        self.input_names = [_layer_of(tensor).name for tensor in flat_inputs]
        self.output_names = _unique([_layer_of(tensor).name for tensor in flat_outputs])
        self.stateful = any(layer.stateful for layer in self._map.layers)
        self.built = True
        self._inbound_nodes[:] = [Node(self, inputs, outputs, {})]
        self._number_layers(self._map.layers)

    def _check_inputs(self, inputs: list[Any]) -> None:
        if len({id(tensor) for tensor in inputs}) != len(inputs):
            raise ValueError(
                error_text(
                    "The list of inputs passed to the model is redundant. All inputs should only appear once. Found: "
                    f"{inputs}"
                )
            )
        for tensor in inputs:
            if history_of(tensor) is None:
                raise ValueError(
                    error_text(
                        f"Input tensors to a {type(self).__name__} must come from `tf.keras.Input`. Received: {tensor} (missing "
                        "previous layer metadata)."
                    )
                )

    # -- layers and weights --------------------------------------------------------------------------------------------

    @property
    def _is_graph_network(self) -> bool:
        """Whether a map connects the layers, and not the `call` of a subclass."""
        return self._map is not None

    @property
    def _layers(self) -> list[Any]:
        inner = [] if self._map is None else self._map.layers
        return [*inner, *[layer for layer in super()._layers if not any(layer is each for each in inner)]]

    @property
    def layers(self) -> list[Any]:
        """The layers, those first that are called first."""
        return self._layers

    def _number_layers(self, layers: list[Any]) -> None:
        """Gives each layer its names in checkpoints: its number, and its number among the layers that have weights by now."""
        count = 0
        for number, layer in enumerate(layers):
            if (layer.built or not isinstance(layer, Network)) and layer.weights:
                self._numbered[f"layer_with_weights-{count}"] = layer
                count += 1
            self._numbered[f"layer-{number}"] = layer

    def _saved_parts(self) -> dict[str, Any]:
        """The numbered layers, then the attributes' parts."""
        return {**self._numbered, **super()._saved_parts()}

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """The layer of that name or place.

        Raises: ValueError when there is none, or neither is given.
        """
        layers = self.layers
        if index is not None:
            if len(layers) <= index:
                raise ValueError(
                    error_text(f"Was asked to retrieve layer at index {index} but model only has {len(layers)} layers.")
                )
            return layers[index]
        if not name:
            raise ValueError(error_text("Provide either a layer name or layer index."))
        for layer in layers:
            if layer.name == name:
                return layer
        raise ValueError(error_text(f"No such layer: {name}", fix=f"one of {', '.join(layer.name for layer in layers)}"))

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables that an optimizer should change, layer by layer, then the network's own; none if it is not trainable."""
        if not self.trainable:
            return []
        return [*[weight for layer in self._layers for weight in layer.trainable_weights], *self._trainable_weights]

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables, layer by layer, then the network's own."""
        inner = [weight for layer in self._layers for weight in layer.non_trainable_weights]
        if not self.trainable:
            outer = [weight for layer in self._layers for weight in layer.trainable_weights]
            inner = [*outer, *self._trainable_weights, *inner]
        return [*inner, *self._non_trainable_weights]

    @property
    def weights(self) -> list[Any]:
        """All variables, layer by layer."""
        return [*[weight for layer in self._layers for weight in layer.weights], *self._own_weights()]

    def get_weights(self) -> list[np.ndarray[Any, Any]]:
        """The values of all variables, layer by layer."""
        weights = [weight for layer in self.layers for weight in layer.weights]
        return keras_session().run(weights) if weights else []

    @property
    def state_updates(self) -> list[Any]:
        """The updates of stateful layers."""
        return [update for layer in self.layers if layer.stateful for update in layer.updates]

    def reset_states(self) -> None:
        """Sets the states of stateful layers to zero."""
        for layer in self.layers:
            if getattr(layer, "stateful", False) and hasattr(layer, "reset_states"):
                layer.reset_states()

    # -- what the program adds -----------------------------------------------------------------------------------------

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds scalar losses, as any layer does.

        In a model with a map, the ops of a tensor's loss become layers of the model, with an `AddLoss` at their end.
        """
        for loss in losses if isinstance(losses, (list, tuple)) else [losses]:
            if self._map is None or callable(loss) or loss is None:
                super().add_loss(loss, inputs)
            else:
                self._add_end(AddLoss(), as_loss(loss))

    def _note_metric(self, value: Any, metric: Any, aggregation: str | None, name: str) -> None:
        if self._map is None:
            super()._note_metric(value, metric, aggregation, name)
        elif metric is not None:
            raise ValueError(
                error_text(
                    "Using the result of calling a `Metric` object when calling `add_metric` on a Functional Model is not "
                    "supported. Please pass the Tensor to monitor directly."
                )
            )
        else:
            self._add_end(AddMetric(aggregation, name), value)

    def _add_end(self, end: Any, tensor: Any) -> None:
        """Adds the ops between the inputs and the tensor as layers, and a layer that is called on the tensor."""
        self._give_history(tensor, is_forced=True)
        added = map_model(self.inputs, [tensor])
        end(tensor)
        self._insert([*added.nodes, *end.inbound_nodes], [*added.layers, end])

    def _insert(self, nodes: list[Any], layers: list[Any]) -> None:
        """Adds those nodes and layers that the map lacks behind the others."""
        assert self._map is not None
        known_nodes, known_layers = set(self._map.nodes), set(self._map.layers)
        self._map = ModelMap(
            [*self._map.nodes, *[node for node in nodes if node not in known_nodes]],
            [*self._map.layers, *[layer for layer in layers if layer not in known_layers]],
        )
        self._number_layers(self._map.layers)

    # -- connections ---------------------------------------------------------------------------------------------------

    @property
    def input(self) -> Any:
        """The input tensor or tensors. Raises: AttributeError for a network that is not connected."""
        return super().input if self._map is None else self._nested_inputs

    @property
    def output(self) -> Any:
        """The output tensor or tensors. Raises: AttributeError for a network that is not connected."""
        return super().output if self._map is None else self._nested_outputs

    @property
    def input_spec(self) -> Any:
        """What the inputs must meet: nothing, as each layer checks its own."""
        return self._input_spec

    @input_spec.setter
    def input_spec(self, value: Any) -> None:
        self._input_spec = value

    def build(self, input_shape: Any) -> None:
        """Makes a subclass's layers create their variables, by a call on placeholders of that shape.

        Raises: ValueError for a missing shape.
        """
        if self._map is None and not self.built:
            if input_shape is None:
                raise ValueError(
                    error_text("Input shape must be defined when calling build on a model subclass network.")
                )
            if type(self).call is not Network.call:
                get_default_graph().attempt(self._call_once, input_shape)
        self.built = True

    def _call_once(self, input_shape: Any) -> None:
        is_list = isinstance(input_shape, list) and all(isinstance(each, (tuple, TensorShape)) for each in input_shape)
        shapes = input_shape if is_list else [input_shape]
        tensors = [placeholder(self.dtype or floatx(), shape=as_shape(shape)) for shape in shapes]
        arguments = {"training": False} if "training" in self._call_parameters() else {}
        self.call(tensors if is_list else tensors[0], **arguments)

    def _build_once(self, inputs: Any, flat: list[Any], has_shapes: bool) -> None:
        self.built = True  # the first call itself lets a subclass's layers create their variables

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The outputs for other inputs: each layer of the map is called anew, with its own variables.

        Raises: NotImplementedError for a subclass without a `call`.
        """
        if self._map is None:
            raise NotImplementedError(error_text("When subclassing the `Model` class, you should implement a `call` method."))
        flat = nest.flatten(inputs)
        if len(flat) != len(self.inputs):
            raise ValueError(
                error_text(f"Model {self.name} expects {len(self.inputs)} inputs, but it received {len(flat)}")
            )
        found = {id(own): tensor for own, tensor in zip(self.inputs, flat)}
        if mask is not None:
            for tensor, one in zip(flat, nest.flatten(mask)):
                tensor._keras_mask = one
        for node in self._map.nodes:
            if id(nest.flatten(node.output_tensors)[0]) in found and node.outbound_layer.name in self.input_names:
                continue
            arguments = dict(node.arguments)
            if training is not None and "training" in node.outbound_layer._call_parameters():
                arguments.setdefault("training", training)
            made = node.outbound_layer(nest.map_structure(lambda x: found[id(x)], node.input_tensors), **arguments)
            found.update((id(own), new) for own, new in zip(nest.flatten(node.output_tensors), nest.flatten(made)))
        return nest.map_structure(lambda x: found[id(x)], self._nested_outputs)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The masks of the outputs. A functional network calls its layers again to compute them; a subclass has none."""
        if self._map is None:
            return None
        return nest.map_structure(mask_of, self.call(inputs, mask=mask))

    def _settle_mask(self, inputs: Any, flat: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The masks of the inputs; a subclassed network gets only the mask that the program passes, as in TF 1.15."""
        return kwargs.get("mask") if self._map is None else super()._settle_mask(inputs, flat, args, kwargs)

    def _mask_outputs(self, inputs: Any, outputs: Any, masks: Any) -> None:
        """Does nothing: the layers of the network have already put masks on the outputs."""

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The outputs' shapes for the inputs' shapes.

        Raises: NotImplementedError for a subclass.
        """
        if self._map is None:
            return super().compute_output_shape(input_shape)
        shapes = input_shape if len(self.inputs) > 1 else [input_shape]
        found = {id(own): as_shape(shape) for own, shape in zip(self.inputs, shapes)}
        for node in self._map.nodes:
            own = nest.flatten(node.output_tensors)
            if id(own[0]) not in found:
                given = nest.map_structure(lambda x: found[id(x)], node.input_tensors)
                made = node.outbound_layer.compute_output_shape(given)
                found.update((id(tensor), as_shape(shape)) for tensor, shape in zip(own, made if len(own) > 1 else [made]))
        return nest.map_structure(lambda x: found[id(x)], self._nested_outputs)

    # -- as text -------------------------------------------------------------------------------------------------------

    def summary(self, line_length: int | None = None, positions: Any = None, print_fn: Any = None) -> None:
        """Prints a table of the layers, their output shapes and numbers of parameters.

        Raises: ValueError before the model is built.
        """
        if not self.built:
            raise ValueError(error_text(_NOT_BUILT))
        for line in summary_text.summary_lines(self, line_length, positions):
            (print_fn or print)(line)

    def get_config(self) -> dict[str, Any]:
        """The layers' configurations and how they are connected.

        Raises: NotImplementedError for a subclass.
        """
        if self._map is None:
            raise NotImplementedError(error_text(f"{type(self).__name__}: a subclassed model has no map of its layers"))
        return _NetworkConfig(self).config()

    def to_json(self, **kwargs: Any) -> str:
        """The configuration as JSON. kwargs: as of `json.dumps`."""
        config = {"class_name": type(self).__name__, "config": self.get_config(), **_VERSION}
        return json.dumps(config, default=as_json, **kwargs)

    def to_yaml(self, **kwargs: Any) -> NoReturn:
        """Raises: NotImplementedError: a YAML text may hold code."""
        raise NotImplementedError(error_text("to_yaml is not available: a YAML text may hold code", fix="use to_json"))


_VERSION = {"keras_version": "2.2.4-tf", "backend": "tensorflow"}


class _NetworkConfig:
    """The configuration of a network: its nodes are numbered among those that belong to it."""

    def __init__(self, network: Any) -> None:
        self.network = network
        nodes = set(network._map.nodes)
        self.numbers = {}
        for layer in network._map.layers:
            own = [node for node in layer.inbound_nodes if node in nodes]
            self.numbers.update({(layer, layer.inbound_nodes.index(node)): number for number, node in enumerate(own)})

    def config(self) -> dict[str, Any]:
        network = self.network
        return {
            "name": network.name,
            "layers": [self._of_layer(layer) for layer in network._map.layers],
            "input_layers": [self._place(*history_of(tensor)) for tensor in network.inputs],
            "output_layers": [self._place(*history_of(tensor)) for tensor in network.outputs],
        }

    def _place(self, layer: Any, node_index: int, tensor_index: int) -> list[Any]:
        return [layer.name, self.numbers[layer, node_index], tensor_index]

    def _of_layer(self, layer: Any) -> dict[str, Any]:
        nodes = [node for index, node in enumerate(layer.inbound_nodes) if (layer, index) in self.numbers]
        return {
            "name": layer.name,
            "class_name": type(layer).__name__,
            "config": layer.get_config(),
            "inbound_nodes": [
                [[*self._place(*source), _checked_arguments(layer, node.arguments)] for source in node.sources]
                for node in nodes
                if node.sources
            ],
        }


def _checked_arguments(layer: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """A call's arguments as JSON has them.

    Raises: TypeError for one that JSON cannot hold.
    """
    try:
        checked: dict[str, Any] = json.loads(json.dumps(arguments, default=as_json))
    except TypeError:
        raise TypeError(
            error_text(f"Layer {layer.name} was passed non-JSON-serializable arguments: {arguments}. They cannot be saved.")
        ) from None
    return checked


def as_json(value: Any) -> Any:
    """A NumPy value as Python's; a class or function by its name."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "as_list"):
        return value.as_list()
    if hasattr(value, "__name__"):
        return value.__name__
    raise TypeError(f"{type(value).__name__} is not JSON serializable")


def _layer_of(tensor: Any) -> Any:
    history = history_of(tensor)
    assert history is not None  # map_model has checked it
    return history.layer


def _unique(names: list[str]) -> list[str]:
    """The names, a repeated one with _1, _2, …"""
    counts: dict[str, int] = {}
    unique = []
    for name in names:
        number = counts.get(name, 0)
        counts[name] = number + 1
        unique.append(f"{name}_{number}" if number else name)
    return unique


__all__ = ["Network", "as_json"]
