"""Cells whose units read only their own state: `IndRNNCell`, `IndyGRUCell`, `IndyLSTMCell`. State: their weights.

The product of the state with a matrix becomes one with a row, kernel_u [1, ·]. Source: Li et al., "Independently Recurrent Neural
Network" (2018); Gonnet and Deselaers, "IndyLSTMs" (2019).
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...graph.nodes import Tensor
from ...lib.arrays import array, slicing
from ...lib.math import math
from ...lib.math.products import matmul
from ...lib.nn.nn import bias_add
from ...lib.variables.initializers import Constant, RandomUniform, Zeros
from ...op.constant import constant
from ..keras_layers.identifiers import initializer_named
from ..keras_layers.input_spec import InputSpec
from ..rnn.cell import LayerRNNCell, LSTMStateTuple, StateOfLSTM, StateOfUnits, activation_of
from .linear import depth_for_build


class _IndependentCell(StateOfUnits, LayerRNNCell):
    """A cell of num_units with options that the three have."""

    def __init__(
        self, num_units: int, activation: Any, reuse: bool | None, name: str | None, dtype: Any,
        kernel_initializer: Any = None, bias_initializer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation_of(activation)
        self._kernel_initializer = initializer_named(kernel_initializer)
        self._bias_initializer = initializer_named(bias_initializer)

    def _row(self, name: str, width: int) -> Any:
        return self.add_variable(name, shape=[1, width], initializer=RandomUniform(-1.0, 1.0, dtype=self.dtype))

    def _gates(self, inputs: Any, state: Any, weights: Any, count: int = 1) -> Tensor:
        """inputs [n, d] · kernel + state [n, units] · row + bias -> [n, count · units], of the three weights."""
        kernel, row, bias = weights
        product = matmul(inputs, kernel)
        if count > 1:
            state = array.tile(state, [1, count])
        return bias_add(product + state * row, bias)


class IndRNNCell(_IndependentCell):
    """output = state = activation(inputs · kernel_w + state · kernel_u + bias)."""

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: bool | None = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype)

    def build(self, inputs_shape: Any) -> None:
        """Creates kernel_w [d, units], kernel_u [1, units] and bias [units]."""
        depth, units = depth_for_build(self, inputs_shape), self._num_units
        self._weights = (
            self.add_variable("kernel_w", shape=[depth, units]),
            self._row("kernel_u", units),
            self.add_variable("bias", shape=[units], initializer=Zeros(dtype=self.dtype)),
        )
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the new state, the same)."""
        output = self._activation(self._gates(inputs, state, self._weights))
        return output, output


class IndyGRUCell(_IndependentCell):
    """GRUCell with independent units: its gates and its candidate."""

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: bool | None = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype, kernel_initializer, bias_initializer)

    def build(self, inputs_shape: Any) -> None:
        """Creates kernels, rows and biases of the gates [·, 2 · units] and of the candidate [·, units]."""
        depth, units = depth_for_build(self, inputs_shape), self._num_units
        kernel, bias = self._kernel_initializer, self._bias_initializer
        self._gate_weights = (
            self.add_variable("gates/kernel_w", shape=[depth, 2 * units], initializer=kernel),
            self._row("gates/kernel_u", 2 * units),
            self.add_variable("gates/bias", shape=[2 * units], initializer=bias or Constant(1.0, dtype=self.dtype)),
        )
        self._candidate_weights = (
            self.add_variable("candidate/kernel", shape=[depth, units], initializer=kernel),
            self._row("candidate/kernel_u", units),
            self.add_variable("candidate/bias", shape=[units], initializer=bias or Zeros(dtype=self.dtype)),
        )
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the new state, the same)."""
        gates = math.sigmoid(self._gates(inputs, state, self._gate_weights, 2))
        r, u = slicing.split(gates, 2, 1)
        candidate = self._activation(self._gates(inputs, r * state, self._candidate_weights))
        new = u * state + (1 - u) * candidate
        return new, new


class IndyLSTMCell(StateOfLSTM, _IndependentCell):
    """BasicLSTMCell with independent units; its state is an LSTMStateTuple of c and h."""

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        activation: Any = None,
        reuse: bool | None = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype, kernel_initializer, bias_initializer)
        self._forget_bias = forget_bias

    def build(self, inputs_shape: Any) -> None:
        """Creates kernel_w [d, 4 · units], kernel_u [1, 4 · units] and bias [4 · units]."""
        depth, wide = depth_for_build(self, inputs_shape), 4 * self._num_units
        self._weights = (
            self.add_variable("kernel_w", shape=[depth, wide], initializer=self._kernel_initializer),
            self._row("kernel_u", wide),
            self.add_variable("bias", shape=[wide], initializer=self._bias_initializer or Zeros(dtype=self.dtype)),
        )
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, LSTMStateTuple]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (h, the new state)."""
        one = constant(1, dtypes.int32)
        c, h = state
        gates = self._gates(inputs, h, self._weights, 4)
        i, j, f, o = slicing.split(gates, 4, one)
        forget = math.add(f, constant(self._forget_bias, dtype=f.dtype))
        kept = math.multiply(c, math.sigmoid(forget))
        c = math.add(kept, math.multiply(math.sigmoid(i), self._activation(j)))
        h = math.multiply(self._activation(c), math.sigmoid(o))
        return h, LSTMStateTuple(c, h)


__all__ = ["IndRNNCell", "IndyGRUCell", "IndyLSTMCell"]
