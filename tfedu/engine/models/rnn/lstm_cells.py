"""`BasicLSTMCell` and `LSTMCell`: long short-term memory, with and without peepholes, projection and clipping.

    i, j, f, o = parts of [inputs, h] · kernel + bias     # input gate, new value, forget gate, output gate
    c = sigmoid(f + forget_bias) · c + sigmoid(i) · tanh(j)
    h = sigmoid(o) · tanh(c)

No state but their weights. Source: Hochreiter and Schmidhuber (1997); Zaremba et al., "Recurrent Neural Network
Regularization" (2014).
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes, log
from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...lib.arrays import array, slicing
from ...lib.math import math
from ...lib.math.clip import clip_by_value
from ...lib.math.products import matmul
from ...lib.nn.nn import bias_add
from ...lib.variables.initializers import Zeros
from ...lib.variables.partitioners import fixed_size_partitioner
from ...op.constant import constant
from ..keras_layers.identifiers import initializer_named
from ..keras_layers.input_spec import InputSpec
from .cell import (
    LayerRNNCell,
    LSTMStateTuple,
    StateOfLSTM,
    activation_of,
    check_dtypes,
    check_numbers,
    unpacked,
    warn_of_concatenated_state,
)  # fmt: skip
from .deprecations import deprecated


class BasicLSTMCell(StateOfLSTM, LayerRNNCell):
    """The LSTM cell; its state is an LSTMStateTuple of c and h, each [n, num_units].

    forget_bias: added to the forget gate, so that a new cell remembers. state_is_tuple: False makes the state one tensor
    [n, 2 · num_units]. activation: a function or its name instead of tanh. reuse: whether its variables must exist.
    """

    @deprecated("BasicLSTMCell.__init__", "tf.keras.layers.LSTMCell")
    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: bool | None = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_dtypes(self.dtype)
        if not state_is_tuple:
            warn_of_concatenated_state(self)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation_of(activation)

    def build(self, inputs_shape: Any) -> None:
        """Creates kernel [d + units, 4 · units] and bias [4 · units]."""
        depth, units = self._depth(inputs_shape), self._num_units
        self._kernel = self.add_variable("kernel", shape=[depth + units, 4 * units])
        self._bias = self.add_variable("bias", shape=[4 * units], initializer=Zeros(dtype=self.dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (h, the new state)."""
        check_numbers(inputs, state)
        one = constant(1, dtypes.int32)
        c, h = unpacked(state) if self._state_is_tuple else slicing.split(state, 2, one)
        gates = bias_add(matmul(array.concat([inputs, h], 1), self._kernel), self._bias)
        i, j, f, o = slicing.split(gates, 4, one)
        forget = math.add(f, constant(self._forget_bias, dtype=f.dtype))
        kept = math.multiply(c, math.sigmoid(forget))
        c = math.add(kept, math.multiply(math.sigmoid(i), self._activation(j)))
        h = math.multiply(self._activation(c), math.sigmoid(o))
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else array.concat([c, h], 1)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal cell."""
        own = {
            "num_units": self._num_units,
            "forget_bias": self._forget_bias,
            "state_is_tuple": self._state_is_tuple,
            "activation": self._activation.__name__,
            "reuse": self._reuse,
        }
        return {**super().get_config(), **own}


class LSTMCell(StateOfLSTM, LayerRNNCell):
    """The LSTM cell with options; its state is an LSTMStateTuple of c [n, num_units] and h [n, num_proj or num_units].

    use_peepholes: the gates see c, too. cell_clip: a limit of |c|. num_proj: h is the output projected to that many units;
    proj_clip: a limit of |h|. num_unit_shards, num_proj_shards: into how many parts the kernels are divided. The other
    arguments are those of `BasicLSTMCell`; initializer: of the kernels.

    Source: Sak et al., "Long Short-Term Memory Recurrent Neural Network Architectures for Large Scale Acoustic Modeling"
    (2014).
    """

    @deprecated("LSTMCell.__init__", "tf.keras.layers.LSTMCell")
    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int | None = None,
        num_proj_shards: int | None = None,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: bool | None = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_dtypes(self.dtype)
        if not state_is_tuple:
            warn_of_concatenated_state(self)
        if num_unit_shards is not None or num_proj_shards is not None:
            log.warn(
                "%s: The num_unit_shards and proj_unit_shards parameters are deprecated and will be removed in Jan 2017.  "
                "Use a variable scope with a partitioner instead.",
                self,
            )
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._initializer = initializer_named(initializer)
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._num_unit_shards = num_unit_shards
        self._num_proj_shards = num_proj_shards
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation_of(activation)

    def build(self, inputs_shape: Any) -> None:
        """Creates kernel [d + outputs, 4 · units], bias [4 · units], peepholes [units] and projection [units, outputs]."""
        depth, units, outputs = self._depth(inputs_shape), self._num_units, self.output_size
        self._kernel = self.add_variable(
            "kernel", shape=[depth + outputs, 4 * units], initializer=self._initializer,
            partitioner=_divided(self._num_unit_shards),
        )  # fmt: skip
        self._bias = self.add_variable("bias", shape=[4 * units], initializer=Zeros(dtype=self.dtype or dtypes.float32))
        if self._use_peepholes:
            self._w_f_diag, self._w_i_diag, self._w_o_diag = (
                self.add_variable(name, shape=[units], initializer=self._initializer)
                for name in ("w_f_diag", "w_i_diag", "w_o_diag")
            )
        if self._num_proj is not None:
            self._proj_kernel = self.add_variable(
                "projection/kernel", shape=[units, outputs], initializer=self._initializer,
                partitioner=_divided(self._num_proj_shards),
            )  # fmt: skip
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (h, the new state)."""
        check_numbers(inputs, state)
        if self._state_is_tuple:
            c, h = unpacked(state)
        else:
            c = slicing.slice(state, [0, 0], [-1, self._num_units])
            h = slicing.slice(state, [0, self._num_units], [-1, self.output_size])
        if inputs.shape.with_rank(2)[1].value is None:
            raise ValueError(error_text("Could not infer input size from inputs.get_shape()[-1]", [inputs]))
        sigmoid = math.sigmoid
        gates = bias_add(matmul(array.concat([inputs, h], 1), self._kernel), self._bias)
        i, j, f, o = slicing.split(gates, 4, 1)
        if self._use_peepholes:
            kept = sigmoid(f + self._forget_bias + self._w_f_diag * c) * c
            c = kept + sigmoid(i + self._w_i_diag * c) * self._activation(j)
        else:
            kept = sigmoid(f + self._forget_bias) * c
            c = kept + sigmoid(i) * self._activation(j)
        if self._cell_clip is not None:
            c = clip_by_value(c, -self._cell_clip, self._cell_clip)
        if self._use_peepholes:
            h = sigmoid(o + self._w_o_diag * c) * self._activation(c)
        else:
            h = sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            h = matmul(h, self._proj_kernel)
            if self._proj_clip is not None:
                h = clip_by_value(h, -self._proj_clip, self._proj_clip)
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else array.concat([c, h], 1)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal cell."""
        own = {
            "num_units": self._num_units,
            "use_peepholes": self._use_peepholes,
            "cell_clip": self._cell_clip,
            "initializer": self._initializer,
            "num_proj": self._num_proj,
            "proj_clip": self._proj_clip,
            "num_unit_shards": self._num_unit_shards,
            "num_proj_shards": self._num_proj_shards,
            "forget_bias": self._forget_bias,
            "state_is_tuple": self._state_is_tuple,
            "activation": self._activation.__name__,
            "reuse": self._reuse,
        }
        return {**super().get_config(), **own}


def _divided(shards: int | None) -> Any:
    """The partitioner into that many parts, None for a variable in one piece."""
    return None if shards is None else fixed_size_partitioner(shards)


__all__ = ["BasicLSTMCell", "LSTMCell"]
