"""LSTM cells with layer norm: `LayerNormBasicLSTMCell`, `CoupledInputForgetGateLSTMCell`. State: their weights.

Source: Ba et al., "Layer Normalization" (2016).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...graph.nodes import Tensor
from ...lib.arrays import array, slicing
from ...lib.math import math
from ...lib.math.clip import clip_by_value
from ...lib.math.products import matmul
from ...lib.nn.nn import bias_add, dropout
from ...lib.variables.initializers import Zeros
from ...lib.variables.variable_scope import get_variable
from ..rnn.cell import LSTMStateTuple, RNNCell, StateOfLSTM, warn_of_concatenated_state
from .linear import known_depth, normalized, sharded_variable
from .projection_wrappers import warn_of_input_size


class LayerNormBasicLSTMCell(StateOfLSTM, RNNCell):
    """BasicLSTMCell with layer norm of its gates and of c, and dropout of what c takes up.

    norm_gain, norm_shift: the first gamma and beta. dropout_keep_prob: the probability to keep an element, a number or a scalar
    tensor; dropout_prob_seed: of its random numbers.

    Source: Semeniuta et al., "Recurrent Dropout without Memory Loss" (2016).
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        input_size: Any = None,
        activation: Callable[[Any], Any] = math.tanh,
        layer_norm: bool = True,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
        dropout_keep_prob: Any = 1.0,
        dropout_prob_seed: int | None = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        warn_of_input_size(self, input_size)
        self._num_units = num_units
        self._activation = activation
        self._forget_bias = forget_bias
        self._keep_prob = dropout_keep_prob
        self._seed = dropout_prob_seed
        self._layer_norm = layer_norm
        self._norm = norm_gain, norm_shift

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, LSTMStateTuple]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (h, the new state)."""
        c, h = state
        joined = array.concat([inputs, h], 1)
        dtype, units = inputs.dtype, self._num_units
        kernel = get_variable("kernel", shape=[joined.shape[-1], 4 * units], dtype=dtype)
        gates = matmul(joined, kernel)
        if not self._layer_norm:
            gates = bias_add(gates, get_variable("bias", shape=[4 * units], dtype=dtype))
        i, j, f, o = slicing.split(gates, 4, 1)
        if self._layer_norm:
            names = ("input", "transform", "forget", "output")
            i, j, f, o = (normalized(gate, name, *self._norm) for gate, name in zip((i, j, f, o), names))
        taken = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            taken = dropout(taken, self._keep_prob, seed=self._seed)
        c = c * math.sigmoid(f + self._forget_bias) + math.sigmoid(i) * taken
        if self._layer_norm:
            c = normalized(c, "state", *self._norm)
        h = self._activation(c) * math.sigmoid(o)
        return h, LSTMStateTuple(c, h)


class CoupledInputForgetGateLSTMCell(StateOfLSTM, RNNCell):
    """An LSTM cell that takes up as much as it forgets: c = f · c + (1 - f) · activation(j).

    The arguments are those of `LSTMCell`; layer_norm, norm_gain and norm_shift those of `LayerNormBasicLSTMCell`.

    Source: Greff et al., "LSTM: A Search Space Odyssey" (2015).
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int = 1,
        num_proj_shards: int = 1,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Callable[[Any], Any] = math.tanh,
        reuse: bool | None = None,
        layer_norm: bool = False,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
    ) -> None:
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            warn_of_concatenated_state(self)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._num_unit_shards = num_unit_shards
        self._num_proj_shards = num_proj_shards
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation
        self._layer_norm = layer_norm
        self._norm = norm_gain, norm_shift

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (h, the new state)."""
        sigmoid, units, outputs, dtype = math.sigmoid, self._num_units, self.output_size, inputs.dtype
        if self._state_is_tuple:
            c, h = state
        else:
            c = slicing.slice(state, [0, 0], [-1, units])
            h = slicing.slice(state, [0, units], [-1, outputs])
        depth = known_depth(inputs)
        kernel = sharded_variable("W", [depth + outputs, 3 * units], dtype, self._num_unit_shards)
        bias = get_variable("B", shape=[3 * units], initializer=Zeros(), dtype=dtype)
        gates = matmul(array.concat([inputs, h], 1), kernel)
        if not self._layer_norm:
            gates = bias_add(gates, bias)
        j, f, o = slicing.split(gates, 3, 1)
        if self._layer_norm:
            names = ("transform", "forget", "output")
            j, f, o = (normalized(gate, name, *self._norm) for gate, name in zip((j, f, o), names))
        if self._use_peepholes:
            forget_peephole, output_peephole = (
                get_variable(name, shape=[units], dtype=dtype) for name in ("W_F_diag", "W_O_diag")
            )
            f = sigmoid(f + self._forget_bias + forget_peephole * c)
        else:
            f = sigmoid(f + self._forget_bias)
        c = f * c + (1 - f) * self._activation(j)
        if self._layer_norm:
            c = normalized(c, "state", *self._norm)
        if self._use_peepholes:
            o = o + output_peephole * c
        h = sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            h = matmul(h, sharded_variable("W_P", [units, self._num_proj], dtype, self._num_proj_shards))
            if self._proj_clip is not None:
                h = clip_by_value(h, -self._proj_clip, self._proj_clip)
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else array.concat([c, h], 1)


__all__ = ["CoupledInputForgetGateLSTMCell", "LayerNormBasicLSTMCell"]
