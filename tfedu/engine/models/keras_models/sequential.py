"""`Sequential([Dense(8, input_shape=[4]), Dense(1)])`: a model whose layers follow one another. State: the layers that
follow one another, and the layers that `add_loss` and `add_metric` put behind them.
"""

from __future__ import annotations

import copy
from typing import Any

from ...base.errors import error_text
from ...base.log import log
from ...lib.framework import nest
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.input_layer import Input, InputLayer
from ..keras_layers.layer_nodes import history_of, mask_of
from .model import Model

_NOT_ONE_OUTPUT = (
    "All layers in a Sequential model should have a single output tensor. For multi-output layers, use the functional API."
)


class Sequential(Model):
    """A model whose layers follow one another. It is connected once the first layer's input shape is known.

    Raises: TypeError for what is no layer.
    """

    def __init__(self, layers: Any = None, name: str | None = None) -> None:
        self._chain: list[Any] = []
        self._ends: list[Any] = []
        super().__init__(name=name)
        self._own = self._own | {"_chain", "_ends"}
        self.supports_masking = True
        for layer in layers or []:
            self.add(layer)

    @property
    def layers(self) -> list[Any]:
        """The layers, without the InputLayer."""
        return [*self._steps, *self._ends]

    @property
    def _steps(self) -> list[Any]:
        return [layer for layer in self._chain if not isinstance(layer, InputLayer)]

    @property
    def _layers(self) -> list[Any]:
        return [*self._chain, *self._ends]

    @property
    def weights(self) -> list[Any]:
        """All variables, layer by layer. Raises: ValueError before the model is built."""
        if not self.built:
            raise ValueError(
                error_text(
                    f"Weights for model {self.name} have not yet been created. Weights are created when the Model is first "
                    "called on inputs or `build()` is called with an `input_shape`."
                )
            )
        return super().weights

    def add(self, layer: Any) -> None:
        """Adds a layer at the end.

        Raises: TypeError for what is no layer, and for a layer with several outputs.
        """
        history = history_of(layer)
        if history is not None:
            layer = history.layer
        if not isinstance(layer, KerasLayer):
            raise TypeError(error_text(f"The added layer must be an instance of class Layer. Found: {layer}"))
        if not self._chain:
            self._begin(layer)
        elif self.outputs:
            output = layer(self.outputs[0])
            if nest.is_nested(output):
                raise TypeError(error_text(_NOT_ONE_OUTPUT))
            self._chain.append(layer)
            self._ends.clear()
            self._connect_network(self.inputs[0], output)
            return
        self._chain.append(layer)
        if not self.outputs:
            self.built = False
            self._number_layers(self._chain)

    def _begin(self, layer: Any) -> None:
        """Connects the first layer, if its input shape is known."""
        if isinstance(layer, InputLayer):
            tensor = layer.get_output_at(-1)
            self._nested_inputs, self.inputs, self.outputs = tensor, [tensor], [tensor]
            self.input_names, self.built = [layer.name], True
            return
        shape, dtype = _input_of(layer)
        if shape is None:
            return
        tensor = Input(batch_shape=shape, dtype=dtype, name=f"{layer.name}_input")
        output = layer(tensor)
        if nest.is_nested(output):
            raise TypeError(error_text(_NOT_ONE_OUTPUT))
        self._chain.append(history_of(tensor).layer)  # type: ignore[union-attr]
        self._connect_network(tensor, output)

    def _insert(self, nodes: list[Any], layers: list[Any]) -> None:
        super()._insert(nodes, layers)
        self._ends += [layer for layer in layers if not any(layer is each for each in self._layers)]

    def pop(self) -> None:
        """Removes the last layer.

        Raises: TypeError without layers.
        """
        if not self._steps:
            raise TypeError(error_text("There are no layers in the model."))
        self._chain.pop()
        self._ends.clear()
        if not self._steps:
            self.outputs, self.inputs, self._map = [], [], None
            self._chain.clear()
            self._inbound_nodes.clear()
            self.built = False
        elif self.outputs:
            self._chain[-1]._outbound_nodes = []
            self._connect_network(self.inputs[0], self._chain[-1].output)

    def build(self, input_shape: Any = None) -> None:
        """Makes the layers create their variables, for inputs of that shape, if no layer has told it."""
        if self._map is None and not self.built:
            if input_shape is None:
                raise ValueError(error_text("You must provide an `input_shape` argument."))
            self._batch_input_shape = tuple(input_shape)
            super().build(input_shape)
        self.built = True

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The last layer's output: each layer is called on the output of the one before."""
        if self._map is not None:
            return super().call(inputs, training=training, mask=mask)
        outputs = inputs
        for layer in self._steps:
            arguments = {"training": training} if "training" in layer._call_parameters() else {}
            if "mask" in layer._call_parameters():
                arguments["mask"] = mask
            outputs = layer(outputs, **arguments)
            mask = getattr(outputs, "_keras_mask", None)
        return outputs

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the output; the model calls its layers again to compute it."""
        return mask_of(self.call(inputs, mask=mask))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The last layer's output shape for the first layer's input shape."""
        for layer in self._steps:
            input_shape = layer.compute_output_shape(input_shape)
        return input_shape

    def predict_proba(self, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
        """`predict`; warns when an output is no probability."""
        found = self.predict(x, batch_size, verbose)
        if found.min() < 0.0 or found.max() > 1.0:
            log.warning(
                "Network returning invalid probability values. The last layer might not normalize predictions into probabilities "
                "(like softmax or sigmoid would)."
            )
        return found

    def predict_classes(self, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
        """The class of each sample: the largest output, or for one output whether it is above 0.5."""
        found = self.predict(x, batch_size=batch_size, verbose=verbose)
        return found.argmax(axis=-1) if found.shape[-1] > 1 else (found > 0.5).astype("int32")

    def get_config(self) -> dict[str, Any]:
        """The layers' configurations."""
        layers = [
            {"class_name": type(layer).__name__, "config": copy.deepcopy(layer.get_config())} for layer in self._steps
        ]
        config: dict[str, Any] = {"name": self.name, "layers": layers}
        if self._batch_input_shape is not None:
            config["build_input_shape"] = self._batch_input_shape
        first = self._chain[0] if self._chain else None
        if isinstance(first, InputLayer) and layers and "batch_input_shape" not in layers[0]["config"]:
            layers[0]["config"]["batch_input_shape"] = first._batch_input_shape
        return config


def _input_of(layer: Any) -> tuple[Any, Any]:
    """(the batch's shape, the dtype) of the inputs that a layer, or the first layer of a model, was told; None without."""
    while getattr(layer, "layers", None):
        if layer._batch_input_shape is None and getattr(layer, "inputs", None):
            return tuple(layer.inputs[0].shape.as_list()), layer.inputs[0].dtype
        if layer._batch_input_shape is not None:
            break
        layer = layer.layers[0]
    return layer._batch_input_shape, layer.dtype


__all__ = ["Sequential"]
