"""`BasicRNNCell` and `GRUCell`. No state but their weights."""

from __future__ import annotations

from typing import Any

from ...graph.nodes import Tensor
from ...lib.arrays import array, slicing
from ...lib.math import math
from ...lib.math.products import matmul
from ...lib.nn.nn import bias_add
from ...lib.variables.initializers import Constant, Zeros
from ..keras_layers.identifiers import initializer_named
from ..keras_layers.input_spec import InputSpec
from .cell import LayerRNNCell, StateOfUnits, activation_of, check_dtypes, check_numbers
from .deprecations import deprecated


class BasicRNNCell(StateOfUnits, LayerRNNCell):
    """The simplest cell: output = state = tanh([inputs, state] · kernel + bias).

    activation: a function or its name instead of tanh. reuse: whether its variables must exist.
    """

    @deprecated("BasicRNNCell.__init__", "tf.keras.layers.SimpleRNNCell")
    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: bool | None = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_dtypes(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation_of(activation)

    def build(self, inputs_shape: Any) -> None:
        """Creates kernel [d + units, units] and bias [units]."""
        depth = self._depth(inputs_shape)
        self._kernel = self.add_variable("kernel", shape=[depth + self._num_units, self._num_units])
        self._bias = self.add_variable("bias", shape=[self._num_units], initializer=Zeros(dtype=self.dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the new state, the same)."""
        check_numbers(inputs, state)
        gate = matmul(array.concat([inputs, state], 1), self._kernel)
        output = self._activation(bias_add(gate, self._bias))
        return output, output

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal cell."""
        own = {"num_units": self._num_units, "activation": self._activation.__name__, "reuse": self._reuse}
        return {**super().get_config(), **own}


class GRUCell(StateOfUnits, LayerRNNCell):
    """The gated recurrent unit: state = u · state + (1 - u) · tanh([inputs, r · state] · kernel + bias), where the gates
    r (reset) and u (update) are sigmoids of inputs and state.

    Source: Cho et al., "Learning Phrase Representations using RNN Encoder–Decoder" (2014).
    """

    @deprecated("GRUCell.__init__", "tf.keras.layers.GRUCell")
    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: bool | None = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_dtypes(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation_of(activation)
        self._kernel_initializer = initializer_named(kernel_initializer)
        self._bias_initializer = initializer_named(bias_initializer)

    def build(self, inputs_shape: Any) -> None:
        """Creates kernels and biases of the gates [d + units, 2 · units] and the candidate [d + units, units]."""
        rows, units = self._depth(inputs_shape) + self._num_units, self._num_units
        kernel, bias = self._kernel_initializer, self._bias_initializer
        self._gate_kernel = self.add_variable("gates/kernel", shape=[rows, 2 * units], initializer=kernel)
        self._gate_bias = self.add_variable(
            "gates/bias", shape=[2 * units], initializer=Constant(1.0, dtype=self.dtype) if bias is None else bias
        )
        self._candidate_kernel = self.add_variable("candidate/kernel", shape=[rows, units], initializer=kernel)
        self._candidate_bias = self.add_variable(
            "candidate/bias", shape=[units], initializer=Zeros(dtype=self.dtype) if bias is None else bias
        )
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the new state, the same)."""
        check_numbers(inputs, state)
        gates = bias_add(matmul(array.concat([inputs, state], 1), self._gate_kernel), self._gate_bias)
        r, u = slicing.split(math.sigmoid(gates), 2, 1)
        candidate = matmul(array.concat([inputs, r * state], 1), self._candidate_kernel)
        candidate = self._activation(bias_add(candidate, self._candidate_bias))
        new = u * state + (1 - u) * candidate
        return new, new

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal cell."""
        own = {
            "num_units": self._num_units,
            "kernel_initializer": self._kernel_initializer,
            "bias_initializer": self._bias_initializer,
            "activation": self._activation.__name__,
            "reuse": self._reuse,
        }
        return {**super().get_config(), **own}


__all__ = ["BasicRNNCell", "GRUCell"]
