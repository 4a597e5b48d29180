"""Ops on Keras tensors as layers: after `y = x * 2.0` with x from `tf.keras.Input`, `Dense(1)(y)` finds the way back to x.

`give_history(tensors)` makes a layer of each op between Keras tensors and these; inputs that depend on no Keras tensor become
constants of the layer. State: a layer's op and constants.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...lib.framework import nest
from ...lib.framework.static_value import constant_value
from ...op.constant import constant
from ..keras_parts.keras_session import keras_session
from .base_layer import KerasLayer
from .layer_nodes import is_keras_tensor


class TensorFlowOpLayer(KerasLayer):
    """One op as a layer. constants: the values of those inputs, by number, that are the same in each call."""

    def __init__(self, op: Operation, constants: dict[int, Any], name: str | None = None, trainable: bool = True) -> None:
        super().__init__(name=f"tf_op_layer_{name or op.name.rpartition('/')[2]}", trainable=trainable)
        self.op, self.constants = op, constants
        self.built = True
        self._own = frozenset(vars(self))

    def call(self, inputs: Any) -> Any:
        """The outputs of a new op of the same type and attributes."""
        given = iter(nest.flatten(inputs))
        values = [
            constant(self.constants[i], name=old.op.name) if i in self.constants else next(given)
            for i, old in enumerate(self.op.inputs)
        ]
        made = get_default_graph().create_op(  # type: ignore[attr-defined]
            self.op.type, values, name=self.op.name, attrs=dict(self.op.attrs)
        )
        return made.outputs[0] if len(made.outputs) == 1 else list(made.outputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shapes of the op's outputs, as it was built."""
        shapes = [output.shape for output in self.op.outputs]
        return shapes[0] if len(shapes) == 1 else shapes

    def get_config(self) -> Any:
        """Raises: NotImplementedError: a file holds no ops that were built around layers."""
        raise NotImplementedError(
            error_text(
                f"Layer {self.name}: an op that was built around the layers cannot be saved",
                fix="put the op into a Lambda layer of a named function",
            )
        )


def give_history(tensors: Any) -> None:
    """Makes layers of the ops between Keras tensors and these tensors."""
    flat = [tensor for tensor in nest.flatten(tensors) if isinstance(tensor, Tensor)]
    if all(is_keras_tensor(tensor) for tensor in flat):
        return
    reached = _depending_on_keras(flat)
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
    layer = TensorFlowOpLayer(op, constants)
    outputs = op.outputs[0] if len(op.outputs) == 1 else list(op.outputs)
    layer._add_node(inputs[0] if len(inputs) == 1 else inputs, outputs, {})


def attach() -> None:
    """Lets layers make such layers of their inputs."""
    KerasLayer._give_history = staticmethod(give_history)  # type: ignore[method-assign]


__all__ = ["TensorFlowOpLayer", "attach", "give_history"]
