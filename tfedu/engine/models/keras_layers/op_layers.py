"""Ops on Keras tensors as layers: after `y = x * 2.0` with x from `tf.keras.Input`, `Dense(1)(y)` finds the way back to x.

`give_history(tensors)` makes a layer of each op between Keras tensors and these; inputs that depend on no Keras tensor become
constants of the layer. `model.add_loss` and `add_metric` put an `AddLoss` or `AddMetric` behind the ops of their tensor.
State: a layer's op and constants.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ...base import proto
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...interop.graph_export import node_def
from ...interop.node_checks import attributes_of
from ...interop.op_signatures import signature
from ...lib.framework import nest
from ...lib.framework.static_value import constant_value
from ...op.constant import constant
from ..keras_parts.keras_session import keras_session
from .base_layer import KerasLayer
from .layer_nodes import is_keras_tensor


class TensorFlowOpLayer(KerasLayer):
    """One op as a layer. node: the op as a NodeDef. constants: the values of those inputs, by number, that are the same in each
    call.

    Raises: ValueError for a NodeDef that is none of an op that tfedu knows.
    """

    constants: dict[int, Any]

    def __init__(
        self, node_def: Any, name: str | None = None, constants: Any = None, trainable: bool = True, dtype: Any = None
    ) -> None:
        self.node_def = node_def if isinstance(node_def, proto.NodeDef) else _message(node_def)
        name = name or self.node_def.name
        super().__init__(name=f"tf_op_layer_{name}", trainable=trainable, dtype=dtype)
        known = signature(self.node_def.op)
        if known is None:
            raise ValueError(error_text(f"Layer {self.name}: there is no op {self.node_def.op!r}"))
        self._attrs, _ = attributes_of(self.node_def, known, self.node_def.name, {})
        constants = {int(index): value for index, value in (constants or {}).items()}
        object.__setattr__(self, "constants", constants)  # numbers, no parts that a checkpoint holds
        self.built = True
        self._own = frozenset(vars(self))

    def call(self, inputs: Any) -> Any:
        """The outputs of a new op of the same type and attributes."""
        given = iter(nest.flatten(inputs))
        names = [each for each in self.node_def.input if not each.startswith("^")]
        values = [
            constant(self.constants[index], name=name.partition(":")[0]) if index in self.constants else next(given)
            for index, name in enumerate(names)
        ]
        made = get_default_graph().create_op(  # type: ignore[attr-defined]
            self.node_def.op, values, name=self.node_def.name, attrs=dict(self._attrs)
        )
        return made.outputs[0] if len(made.outputs) == 1 else list(made.outputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shapes of the op's outputs, as it was called first."""
        shapes = [tensor.shape for tensor in nest.flatten(self.get_output_at(0))]
        return shapes[0] if len(shapes) == 1 else shapes

    @property
    def output_shape(self) -> Any:
        """The shapes of the op's outputs as tuples, in a list."""
        shapes = super().output_shape
        return shapes if isinstance(shapes, list) else [shapes]

    def get_config(self) -> dict[str, Any]:
        """The op as a NodeDef in its JSON form, and the constants."""
        return {
            "name": self.name.removeprefix("tf_op_layer_"),
            "trainable": self.trainable,
            "dtype": self.dtype,
            "node_def": json.loads(proto.to_json(self.node_def)),
            "constants": self.constants,
        }


def _message(node: Any) -> Any:
    return proto.from_json(json.dumps(node), proto.NodeDef())


class AddLoss(KerasLayer):
    """The layer that `model.add_loss` puts behind the ops of a loss: its input, a scalar, is a loss of the layer."""

    def __init__(self, unconditional: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.unconditional = unconditional

    def call(self, inputs: Any) -> Any:
        """Returns its input, which becomes a loss of the layer."""
        self.add_loss(inputs, inputs=None if self.unconditional else True)
        return inputs

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "unconditional": self.unconditional}


class AddMetric(KerasLayer):
    """The layer that `model.add_metric` puts behind the ops of a tensor: its input is a metric of the layer."""

    def __init__(self, aggregation: Any = None, metric_name: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.aggregation, self.metric_name = aggregation, metric_name

    def call(self, inputs: Any) -> Any:
        """Returns its input, which `fit` and `evaluate` report."""
        self.add_metric(inputs, self.aggregation, self.metric_name)
        return inputs

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "aggregation": self.aggregation, "metric_name": self.metric_name}


def give_history(tensors: Any, is_forced: bool = False) -> None:
    """Makes layers of the ops between Keras tensors and these tensors.

    is_forced: also of the op of a tensor that depends on no Keras tensor, with all its inputs as constants.
    """
    flat = [tensor for tensor in nest.flatten(tensors) if isinstance(tensor, Tensor)]
    if all(is_keras_tensor(tensor) for tensor in flat):
        return
    reached = _depending_on_keras(flat)
    if is_forced:
        reached.update(tensor.op for tensor in flat)
    waiting = [tensor.op for tensor in flat if not is_keras_tensor(tensor) and tensor.op in reached]
    while waiting:
        op = waiting[-1]
        if all(is_keras_tensor(output) for output in op.outputs):
            waiting.pop()
            continue
        first = [each.op for each in op.inputs if not is_keras_tensor(each) and each.op in reached]
        if first:
            waiting.extend(first)
            continue
        waiting.pop()
        _make_layer(op)


def _depending_on_keras(tensors: list[Tensor]) -> set[Operation]:
    """The ops behind the tensors that depend on a Keras tensor, directly or through others."""
    reached: set[Operation] = set()
    seen: set[Operation] = set()
    stack: list[tuple[Operation, bool]] = [(tensor.op, False) for tensor in tensors if not is_keras_tensor(tensor)]
    while stack:
        op, is_expanded = stack.pop()
        if is_expanded:
            if any(is_keras_tensor(each) or each.op in reached for each in op.inputs):
                reached.add(op)
        elif op not in seen:
            seen.add(op)
            stack.append((op, True))
            stack.extend((each.op, False) for each in op.inputs if not is_keras_tensor(each))
    return reached


def _make_layer(op: Operation) -> None:
    constants: dict[int, Any] = {}
    inputs = []
    for index, tensor in enumerate(op.inputs):
        if is_keras_tensor(tensor):
            inputs.append(tensor)
        else:
            value = constant_value(tensor)
            constants[index] = np.asarray(keras_session().run(tensor) if value is None else value)
    layer = TensorFlowOpLayer(node_def(op), constants=constants)
    outputs = op.outputs[0] if len(op.outputs) == 1 else list(op.outputs)
    layer._add_node(inputs[0] if len(inputs) == 1 else inputs, outputs, {})


def attach() -> None:
    """Lets layers make such layers of their inputs."""
    KerasLayer._give_history = staticmethod(give_history)  # type: ignore[assignment, method-assign]


__all__ = ["AddLoss", "AddMetric", "TensorFlowOpLayer", "attach", "give_history"]
