"""Cells with gates of other forms: `UGRNNCell`, `IntersectionRNNCell`, `NASCell`, `SRUCell`. State: their weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...graph.nodes import Tensor
from ...lib.arrays import array, slicing
from ...lib.math import math
from ...lib.math.products import matmul
from ...lib.nn import activations
from ...lib.nn.nn import bias_add
from ...lib.variables.initializers import Zeros
from ...lib.variables.variable_scope import get_variable_scope, variable_scope
from ..keras_layers.input_spec import InputSpec
from ..rnn.cell import LayerRNNCell, LSTMStateTuple, RNNCell, StateOfLSTM, StateOfUnits, activation_of
from .linear import Linear, depth_for_build, known_depth


class _CellOfLinears(StateOfUnits, RNNCell):
    """A cell of num_units whose linear layers are in the scope of its calls, with one initializer for their kernels."""

    def __init__(self, num_units: int, initializer: Any, forget_bias: float, reuse: bool | None) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._initializer = initializer
        self._forget_bias = forget_bias
        self._linears: dict[str, Linear] = {}

    def _initialized(self) -> Any:
        return variable_scope(get_variable_scope(), initializer=self._initializer)

    def _linear(self, name: str, inputs: Any, size: int) -> Any:
        layer = self._linears.get(name) or Linear([inputs], size)
        self._linears[name] = layer
        return layer([inputs])


class UGRNNCell(_CellOfLinears):
    """A recurrent cell with one gate, the update gate g: state = g · state + (1 - g) · activation(c). A linear layer over
    inputs and state computes g and c.

    initializer: of the kernel. forget_bias: added to the gate.

    Source: Collins et al., "Capacity and Trainability in Recurrent Neural Networks" (2017).
    """

    def __init__(
        self,
        num_units: int,
        initializer: Any = None,
        forget_bias: float = 1.0,
        activation: Callable[[Any], Any] = math.tanh,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(num_units, initializer, forget_bias, reuse)
        self._activation = activation

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the new state, the same)."""
        known_depth(inputs)
        with self._initialized():
            both = self._linear("gates", array.concat([inputs, state], 1), 2 * self._num_units)
            gate, candidate = slicing.split(both, 2, 1)
            candidate = self._activation(candidate)
            gate = math.sigmoid(gate + self._forget_bias)
            new = gate * state + (1.0 - gate) * candidate
            return new, new


class IntersectionRNNCell(_CellOfLinears):
    """Two gated updates at once: of the state over time, and of the output over layers.

    num_in_proj: inputs are projected to that many, which has to be num_units where inputs have another depth.
    y_activation: of the output's candidate.

    Source: Collins et al., "Capacity and Trainability in Recurrent Neural Networks" (2017).
    """

    def __init__(
        self,
        num_units: int,
        num_in_proj: int | None = None,
        initializer: Any = None,
        forget_bias: float = 1.0,
        y_activation: Callable[[Any], Any] = activations.relu,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(num_units, initializer, forget_bias, reuse)
        self._num_in_proj = num_in_proj
        self._y_activation = y_activation

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the output [n, units], the state)."""
        depth, units = known_depth(inputs), self._num_units
        with self._initialized():
            if depth != units:
                if self._num_in_proj is None or self._num_in_proj != units:
                    raise ValueError(
                        error_text(
                            "Must have input size == output size for Intersection RNN. To fix, num_in_proj should be set to "
                            "num_units at cell init.",
                            [inputs],
                        )
                    )
                with variable_scope("in_projection"):
                    inputs = self._linear("in_projection", inputs, self._num_in_proj)
            joined = self._linear("gates", array.concat([inputs, state], 1), 4 * units)
            state_gate, state_new, output_gate, output_new = (
                joined[:, part * units : (part + 1) * units] for part in (0, 1, 2, 3)
            )
            state_new, output_new = math.tanh(state_new), self._y_activation(output_new)
            state_gate = math.sigmoid(state_gate + self._forget_bias)
            output_gate = math.sigmoid(output_gate + self._forget_bias)
            new = state_gate * state + (1.0 - state_gate) * state_new
            output = output_gate * inputs + (1.0 - output_gate) * output_new
            return output, new


class NASCell(StateOfLSTM, LayerRNNCell):
    """The recurrent cell that neural architecture search found. Its state is an LSTMStateTuple of c and h.

    num_proj: h is projected to that many units. use_bias: the product with h has a bias.

    Source: Zoph and Le, "Neural Architecture Search with Reinforcement Learning" (2017).
    """

    _bias: Any = None
    _projection: Any = None

    def __init__(
        self, num_units: int, num_proj: int | None = None, use_bias: bool = False, reuse: bool | None = None, **kwargs: Any
    ) -> None:
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units = num_units
        self._num_proj = num_proj
        self._use_bias = use_bias

    def build(self, inputs_shape: Any) -> None:
        """Creates the kernels of h and inputs, [·, 8 · units] each, bias [8 · units] and the projection [units, num_proj]."""
        depth, wide = as_shape(inputs_shape).with_rank(2)[1].value, 8 * self._num_units
        if depth is None:
            raise ValueError(error_text("Could not infer input size from inputs.get_shape()[-1]"))
        self._recurrent_kernel = self.add_variable("recurrent_kernel", [self.output_size, wide])
        self._kernel = self.add_variable("kernel", [depth, wide])
        if self._use_bias:
            self._bias = self.add_variable("bias", [wide], initializer=Zeros())
        if self._num_proj is not None:
            self._projection = self.add_variable("projection_weights", [self._num_units, self._num_proj])
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, LSTMStateTuple]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (h, the new state)."""
        sigmoid, tanh, relu = math.sigmoid, math.tanh, activations.relu
        c, h = state
        from_h, from_inputs = matmul(h, self._recurrent_kernel), matmul(inputs, self._kernel)
        if self._bias is not None:
            from_h = bias_add(from_h, self._bias)
        hs, xs = slicing.split(from_h, 8, 1), slicing.split(from_inputs, 8, 1)
        # a tree of pairs, whose eight leaves read h and inputs
        functions = (sigmoid, relu, sigmoid, None, tanh, sigmoid, tanh, sigmoid)
        leaves = [relu(x * h) if f is None else f(x + h) for f, x, h in zip(functions, xs, hs)]
        first = tanh(leaves[0] * leaves[1])
        second = tanh(leaves[2] + leaves[3])
        third = tanh(leaves[4] * leaves[5])
        fourth = sigmoid(leaves[6] + leaves[7])
        c = tanh(first + c) * second
        h = tanh(c * tanh(third + fourth))
        if self._projection is not None:
            h = matmul(h, self._projection)
        return h, LSTMStateTuple(c, h)


class SRUCell(StateOfUnits, LayerRNNCell):
    """The simple recurrent unit: its product is of inputs alone, so that only elementwise work depends on the state.

    Source: Lei and Zhang, "Training RNNs as Fast as CNNs" (2017).
    """

    def __init__(
        self, num_units: int, activation: Any = None, reuse: bool | None = None, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(_reuse=reuse, name=name, **kwargs)
        self._num_units = num_units
        self._activation = activation_of(activation)
        self.input_spec = InputSpec(ndim=2)

    def build(self, inputs_shape: Any) -> None:
        """Creates kernel [d, 4 · units] and the gates' bias [2 · units]."""
        depth = depth_for_build(self, inputs_shape)
        self._kernel = self.add_variable("kernel", shape=[depth, 4 * self._num_units])
        self._bias = self.add_variable("bias", shape=[2 * self._num_units], initializer=Zeros())
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the output [n, units], the state)."""
        candidate, f, r, carried = slicing.split(matmul(inputs, self._kernel), 4, 1)
        gates = math.sigmoid(bias_add(array.concat([f, r], 1), self._bias))
        f, r = slicing.split(gates, 2, 1)
        state = f * state + (1.0 - f) * candidate
        return r * self._activation(state) + (1.0 - r) * carried, state


__all__ = ["IntersectionRNNCell", "NASCell", "SRUCell", "UGRNNCell"]
