"""LSTM cells over pictures, which convolve instead of multiply: `ConvLSTMCell`, `Conv1DLSTMCell` … State: their weights.

Source: Shi et al., "Convolutional LSTM Network" (2015).
"""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.nodes import Tensor
from ...lib.arrays import array, slicing
from ...lib.math import math
from ...lib.nn.convolution import conv1d, conv2d, conv3d
from ...lib.variables.initializers import Constant
from ...lib.variables.variable_scope import get_variable
from ..rnn.cell import LSTMStateTuple, RNNCell


class ConvLSTMCell(RNNCell):
    """An LSTM cell whose inputs, c and h are [n, w, c], [n, h, w, c] or [n, d, h, w, c], by conv_ndims, and whose product is a
    convolution that keeps the sizes.

    input_shape: of an input without its batch. kernel_shape: the sizes of the filter. use_bias: whether the convolution has a
    bias. skip_connection: the output has the input's channels behind its own. initializers: has no effect, as in TF.

    Raises: ValueError for an input_shape that does not fit conv_ndims.
    """

    def __init__(
        self,
        conv_ndims: int,
        input_shape: Any,
        output_channels: int,
        kernel_shape: Any,
        use_bias: bool = True,
        skip_connection: bool = False,
        forget_bias: float = 1.0,
        initializers: Any = None,
        name: str | None = "conv_lstm_cell",
    ) -> None:
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError(error_text(f"Invalid input_shape {input_shape} for conv_ndims={conv_ndims}."))
        self._output_channels = output_channels
        self._kernel_shape = list(kernel_shape)
        self._use_bias = use_bias
        self._skip_connection = skip_connection
        self._forget_bias = forget_bias
        channels = output_channels + (input_shape[-1] if skip_connection else 0)
        self._state_shape = TensorShape([*input_shape[:-1], output_channels])
        self._output_shape = TensorShape([*input_shape[:-1], channels])

    @property
    def state_size(self) -> LSTMStateTuple:
        """The shapes of c and h."""
        return LSTMStateTuple(self._state_shape, self._state_shape)

    @property
    def output_size(self) -> TensorShape:
        """The shape of the output."""
        return self._output_shape

    def call(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, LSTMStateTuple]:  # type: ignore[override]
        """Computes one step: inputs of input_shape -> (h, the new state)."""
        c, h = state
        gates = self._convolved([inputs, h], 4 * self._output_channels)
        i, j, f, o = slicing.split(gates, 4, gates.shape.ndims - 1)
        c = math.sigmoid(f + self._forget_bias) * c + math.sigmoid(i) * math.tanh(j)
        h = math.tanh(c) * math.sigmoid(o)
        if self._skip_connection:
            h = array.concat([h, inputs], -1)
        return h, LSTMStateTuple(c, h)

    def _convolved(self, inputs: list[Any], channels: int) -> Any:
        """The convolution of the inputs, channel behind channel."""
        shapes = [value.shape.as_list() for value in inputs]
        rank = len(shapes[0])
        if rank not in (3, 4, 5):
            raise ValueError(error_text(f"Conv Linear expects 3D, 4D or 5D arguments: {shapes}", inputs))
        if any(len(shape) != rank for shape in shapes):
            raise ValueError(error_text(f"Conv Linear expects all args to be of same Dimension: {shapes}", inputs))
        if any(shape[-1] is None for shape in shapes):
            raise ValueError(error_text(f"Conv Linear expects known numbers of channels: {shapes}", inputs))
        depth, dtype = sum(shape[-1] for shape in shapes), inputs[0].dtype
        convolve, strides = {
            3: (conv1d, 1), 4: (conv2d, [1, 1, 1, 1]), 5: (conv3d, [1, 1, 1, 1, 1])
        }[rank]  # fmt: skip
        kernel = get_variable("kernel", [*self._kernel_shape, depth, channels], dtype=dtype)
        joined = array.concat(inputs, rank - 1)
        result = convolve(joined, kernel, strides, padding="SAME")
        if not self._use_bias:
            return result
        return result + get_variable("biases", [channels], dtype=dtype, initializer=Constant(0.0, dtype=dtype))


class Conv1DLSTMCell(ConvLSTMCell):
    """A ConvLSTMCell whose input at each step is a batch of signals [n, w, c]."""

    def __init__(self, name: str | None = "conv_1d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=1, name=name, **kwargs)


class Conv2DLSTMCell(ConvLSTMCell):
    """A ConvLSTMCell whose input at each step is a batch of images [n, h, w, c]."""

    def __init__(self, name: str | None = "conv_2d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=2, name=name, **kwargs)


class Conv3DLSTMCell(ConvLSTMCell):
    """A ConvLSTMCell whose input at each step is a batch of volumes [n, d, h, w, c]."""

    def __init__(self, name: str | None = "conv_3d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=3, name=name, **kwargs)


__all__ = ["Conv1DLSTMCell", "Conv2DLSTMCell", "Conv3DLSTMCell", "ConvLSTMCell"]
