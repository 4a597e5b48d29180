"""Keras 3 models as records: `record_of_keras3(model)`. No state.

Each call of a layer is a node, with the layer's weights as variables in its scope; a model inside is a scope. A model whose class
has a `call` of its own computes in Python: nothing says which output goes where, so its layers stand without edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ..records import GraphRecord, LayerRecord, Role
from .record_parts import DEEPEST, GraphReadError, Parts, Typed, Value, type_text


def record_of_keras3(model: Any) -> GraphRecord:
    """The record of a keras.Model of Keras 3.

    Raises: GraphReadError for models that are nested too deep; ResourceExhaustedError for one beyond the budget (tf.io.Budget).
    """
    reader = _Reader()
    network = _network(model)
    if network is None:
        reader.layers(model, "", 0)
    else:
        for number, source in enumerate(reader.network(network, None, "", 0)):
            node = reader.parts.node("Output", f"output_{number}", role="noop")
            reader.parts.edge(source, node, 0)
    return reader.parts.record()


def _network(model: Any) -> Any:
    """The map of a model's calls, a keras.src.models.Functional; None where it has none."""
    inner = getattr(model, "_functional", None)  # of a Sequential model that knows the shape of its inputs
    if inner is not None:
        return inner
    return model if hasattr(model, "_nodes") and hasattr(model, "inputs") else None


class _Reader:
    def __init__(self) -> None:
        self.parts = Parts("The Keras model")
        self._weights: dict[int, list[Value]] = {}
        self._calls: dict[int, int] = {}

    def network(self, network: Any, given: Sequence[Value] | None, scope: str, depth: int) -> list[Value]:
        """Adds the calls of a model's map; answers its outputs. given: what enters a model inside, None for the whole model."""
        if depth > DEEPEST:
            raise GraphReadError(f"the models are nested more than {DEEPEST} deep")
        values: dict[int, Value] = {}
        for place, tensor in enumerate(network._inputs):
            values[id(tensor)] = given[place] if given is not None else self._input(tensor, scope)
        for level in sorted(network._nodes_by_depth, reverse=True):
            for node in network._nodes_by_depth[level]:
                if any(id(tensor) not in values for tensor in node.output_tensors):
                    self._call(node, values, scope, depth)
        return [values[id(tensor)] for tensor in network._outputs]

    def _input(self, tensor: Any, scope: str) -> Value:
        layer = tensor._keras_history.operation
        return Value(
            self.parts.node(
                type(layer).__name__, layer.name, scope, role="placeholder", outputs=[_typed(tensor)]
            )
        )

    def _call(self, node: Any, values: dict[int, Value], scope: str, depth: int) -> None:
        layer = node.operation
        sources = [values[id(tensor)] for tensor in node.input_tensors]
        inner = _network(layer)
        if inner is not None:
            results = self.network(inner, sources, self.parts.place(layer.name, scope), depth + 1)
        else:
            number = self._layer(layer, scope, [_typed(tensor) for tensor in node.output_tensors])
            for place, source in enumerate(sources):
                self.parts.edge(source, number, place)
            for place, weight in enumerate(self._weights.get(id(layer), ()), len(sources)):
                self.parts.edge(weight, number, place)
            results = [Value(number, place) for place in range(len(node.output_tensors))]
        values.update({id(tensor): result for tensor, result in zip(node.output_tensors, results)})

    def _layer(self, layer: Any, scope: str, outputs: Sequence[Typed]) -> int:
        """Adds a call of a layer, and at the first call its weights."""
        path = self.parts.place(layer.name, scope)
        weights = list(getattr(layer, "weights", ()))
        is_first = id(layer) not in self._calls
        self._calls[id(layer)] = self._calls.get(id(layer), 0) + 1
        number = self.parts.node(
            type(layer).__name__,
            path=path,
            role="op",
            outputs=outputs,
            attrs=[] if is_first else [("call", str(self._calls[id(layer)]))],
            stateful=bool(weights),
        )
        if is_first and weights:
            self._weights[id(layer)] = [self._weight(layer, weight, path) for weight in weights]
        if weights:
            self.parts.layers.append(_layer_record(layer, path, outputs, weights, not is_first))
        return number

    def _weight(self, layer: Any, weight: Any, scope: str) -> Value:
        name = weight.path.rpartition(f"{layer.name}/")[2]
        attrs = [] if weight.trainable else [("trainable", "False")]
        kind = Typed(str(weight.dtype), list(weight.shape))
        role: Role = "variable"
        return Value(
            self.parts.node(
                "Variable", name, scope, role=role, outputs=[kind], attrs=attrs, stateful=True, variable=True
            )
        )

    def layers(self, model: Any, scope: str, depth: int) -> None:
        """Adds the layers of a model without a map."""
        if depth > DEEPEST:
            raise GraphReadError(f"the models are nested more than {DEEPEST} deep")
        for layer in model.layers:
            network = _network(layer)
            if network is not None:
                self.network(network, None, self.parts.place(layer.name, scope), depth + 1)
            elif getattr(layer, "layers", None):
                self.layers(layer, self.parts.place(layer.name, scope), depth + 1)
            else:
                number = self._layer(layer, scope, [])
                for place, weight in enumerate(self._weights.get(id(layer), ())):
                    self.parts.edge(weight, number, place)


def _layer_record(
    layer: Any, scope: str, outputs: Sequence[Typed], weights: Sequence[Any], is_shared: bool
) -> LayerRecord:
    sizes = [None if None in weight.shape else prod(weight.shape) for weight in weights]
    trainable = [size for size, weight in zip(sizes, weights) if weight.trainable]
    return LayerRecord(
        scope=scope,
        kind=type(layer).__name__,
        outputs=tuple([type_text(output) for output in outputs]),
        parameters=None if None in sizes else sum(size for size in sizes if size is not None),
        trainable=None if None in trainable else sum(size for size in trainable if size is not None),
        shared=is_shared,
        calls=1,
    )


def _typed(tensor: Any) -> Typed:
    return Typed(str(tensor.dtype), list(tensor.shape))


__all__ = ["record_of_keras3"]
