"""Cells that are one node each: `LSTMBlockCell`, `GRUBlockCell`, and `LSTMBlockFusedCell` for all steps at once (contrib.rnn).

They compute what BasicLSTMCell, LSTMCell and GRUCell compute; the LSTM's gates stand in the order i, j, f, o of those.
No state but their weights.
"""

from __future__ import annotations

import abc
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, slicing
from ...lib.arrays.constructors import sequence_mask
from ...lib.arrays.selection import gather_nd
from ...lib.arrays.sequences import range as range_of
from ...lib.math import math, reductions
from ...lib.variables.initializers import Constant
from ...ops import recurrent as ops
from ..keras_layers.input_spec import InputSpec
from ..layers.layer import Layer
from .cell import LayerRNNCell, LSTMStateTuple, StateOfLSTM, StateOfUnits

_PEEPHOLES = ("w_i_diag", "w_f_diag", "w_o_diag")


def _add_lstm_weights(layer: Layer, depth: int, units: int, use_peephole: bool, initializer: Any = None) -> None:
    """Creates kernel [d + units, 4 · units], bias [4 · units] and the peepholes [units]."""
    layer._kernel = layer.add_variable("kernel", [depth + units, 4 * units], initializer=initializer)  # type: ignore[attr-defined]
    layer._bias = layer.add_variable("bias", [4 * units], initializer=Constant(0.0))  # type: ignore[attr-defined]
    layer._peepholes = (  # type: ignore[attr-defined]
        tuple(layer.add_variable(name, [units], initializer=initializer) for name in _PEEPHOLES) if use_peephole else None
    )


class LSTMBlockCell(StateOfLSTM, LayerRNNCell):
    """The LSTM cell as one LSTMBlockCell node; its state is an LSTMStateTuple of c and h, each [n, num_units].

    forget_bias: added to the forget gate. cell_clip: a limit of |c|. use_peephole: the gates see c, too.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        dtype: Any = None,
        reuse: bool | None = None,
        name: str | None = "lstm_cell",
    ) -> None:
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._use_peephole = use_peephole
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self.input_spec = InputSpec(ndim=2)

    def build(self, inputs_shape: Any) -> None:
        """Creates kernel [d + units, 4 · units], bias [4 · units] and the peepholes [units]."""
        depth = as_shape(inputs_shape)[1].value
        if depth is None:
            raise ValueError(error_text(f"Expecting inputs_shape[1] to be set: {inputs_shape}"))
        _add_lstm_weights(self, depth, self._num_units, self._use_peephole)
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, LSTMStateTuple]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (h, the new state)."""
        if len(state) != 2:
            raise ValueError(error_text("Expecting state to be a tuple with length 2."))
        c, h = state
        peepholes = self._peepholes or (array.zeros([self._num_units], dtype=self._kernel.dtype.base_dtype),) * 3
        _, c, _, _, _, _, h = ops.lstm_block_cell(
            inputs, c, h, self._kernel, *peepholes, self._bias, forget_bias=self._forget_bias, cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )  # fmt: skip
        return h, LSTMStateTuple(c, h)


class LSTMBlockWrapper(Layer, abc.ABC):
    """What LSTMs have that compute all steps at once: a subclass tells `num_units` and builds the steps in `_call_cell`."""

    @property
    @abc.abstractmethod
    def num_units(self) -> int:
        """The number of units."""

    @abc.abstractmethod
    def _call_cell(
        self, inputs: Any, initial_cell_state: Any, initial_output: Any, dtype: Any, sequence_length: Any
    ) -> tuple[Tensor, Tensor]:
        """(c, h) after each step, each [t, n, units], of inputs [t, n, d]."""

    def call(  # type: ignore[override]
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None
    ) -> tuple[Any, LSTMStateTuple]:
        """(the outputs [t, n, units], the last state) of inputs [t, n, d], or of a list of t inputs.

        initial_state: a pair c, h [n, units]; zeros of `dtype` by default. sequence_length: lengths [n]; after its end, a
        sequence has outputs 0.

        Raises: ValueError without dtype and initial state, or for a state that is no pair.
        """
        is_list = isinstance(inputs, list)
        if is_list:
            inputs = array.stack(inputs)
        shape = inputs.shape.with_rank(3)
        if not shape[2].value:
            raise ValueError(error_text(f"Expecting inputs_shape[2] to be set: {shape}", [inputs]))
        steps, batch_size = shape[0].value, shape[1].value
        if batch_size is None:
            batch_size = array.shape(inputs)[1]
        if steps is None:
            steps = array.shape(inputs)[0]
        if initial_state is None:
            if dtype is None:
                raise ValueError(error_text("Either initial_state or dtype needs to be specified"))
            zeros = array.zeros(array.stack([batch_size, self.num_units]), dtype=dtype)
            initial_state = zeros, zeros
        elif len(initial_state) != 2:
            raise ValueError(error_text("Expecting initial_state to be a tuple with length 2 or None"))
        elif dtype is None:
            dtype = initial_state[0].dtype
        c, h = initial_state
        if sequence_length is not None:
            sequence_length = convert_to_tensor(sequence_length)
        cells, outputs = self._call_cell(inputs, c, h, dtype, sequence_length)
        if sequence_length is None:
            c, h = cells[-1], outputs[-1]
        else:
            mask = array.transpose(sequence_mask(sequence_length, steps, dtype=dtype), [1, 0])
            outputs = outputs * array.tile(array.expand_dims(mask, [-1]), [1, 1, self.num_units])
            before = [array.concat([array.expand_dims(first, [0]), all_], 0) for first, all_ in ((c, cells), (h, outputs))]
            c, h = (_rows_at(values, sequence_length, batch_size) for values in before)
        return slicing.unstack(outputs) if is_list else outputs, LSTMStateTuple(c, h)


def _rows_at(values: Tensor, times: Tensor, batch_size: Any) -> Tensor:
    """The row of each example at its own time: values [t, n, units], times [n] -> [n, units]."""
    return gather_nd(values, array.stack([times, range_of(batch_size)], axis=1))


class LSTMBlockFusedCell(LSTMBlockWrapper):
    """An LSTM that computes all steps in one BlockLSTM node: `outputs, state = cell(inputs [t, n, d], dtype=tf.float32)`.

    The arguments are those of `LSTMBlockCell`.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        reuse: bool | None = None,
        dtype: Any = None,
        name: str | None = "lstm_fused_cell",
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self._use_peephole = use_peephole
        self.input_spec = InputSpec(ndim=3)

    @property
    def num_units(self) -> int:
        """The number of units."""
        return self._num_units

    def build(self, input_shape: Any) -> None:
        """Creates kernel [d + units, 4 · units], bias [4 · units] and the peepholes [units]."""
        depth = TensorShape(input_shape)[2].value
        if depth is None:
            raise ValueError(error_text(f"Expecting inputs_shape[2] to be set: {input_shape}"))
        _add_lstm_weights(self, depth, self._num_units, self._use_peephole)
        self.built = True

    def _call_cell(
        self, inputs: Any, initial_cell_state: Any, initial_output: Any, dtype: Any, sequence_length: Any
    ) -> tuple[Tensor, Tensor]:
        peepholes = self._peepholes or (array.zeros([self._num_units], dtype=dtype),) * 3
        steps = inputs.shape[0].value
        longest = array.shape(inputs)[0] if steps is None else steps
        if sequence_length is not None:
            longest = reductions.reduce_max(sequence_length)
        longest = math.cast(longest, dtypes.int64)
        _, cells, _, _, _, _, outputs = ops.block_lstm(
            longest, inputs, initial_cell_state, initial_output, self._kernel, *peepholes, self._bias,
            forget_bias=self._forget_bias, cell_clip=self._cell_clip, use_peephole=self._use_peephole,
        )  # fmt: skip
        return cells, outputs


class GRUBlockCell(StateOfUnits, LayerRNNCell):
    """The GRU cell as one GRUBlockCell node; its state is h [n, num_units]. cell_size: the older name of num_units.

    Raises: ValueError unless exactly one of num_units and cell_size is given.
    """

    _names = ("w_ru", "b_ru", "w_c", "b_c")

    def __init__(
        self,
        num_units: int | None = None,
        cell_size: int | None = None,
        reuse: bool | None = None,
        name: str | None = "gru_cell",
    ) -> None:
        super().__init__(_reuse=reuse, name=name)
        if (cell_size is None) == (num_units is None):
            raise ValueError(error_text("Exactly one of num_units or cell_size must be provided."))
        self._num_units: int = num_units if cell_size is None else cell_size  # type: ignore[assignment]
        self.input_spec = InputSpec(ndim=2)

    def build(self, input_shape: Any) -> None:
        """Creates kernels and biases of the gates [d + units, 2 · units] and the candidate [d + units, units]."""
        depth, units = as_shape(input_shape)[1].value, self._num_units
        if depth is None:
            raise ValueError(error_text("Expecting input_size to be set."))
        gates, gate_bias, candidate, candidate_bias = self._names
        self._gate_kernel = self.add_variable(gates, [depth + units, 2 * units])
        self._gate_bias = self.add_variable(gate_bias, [2 * units], initializer=Constant(1.0))
        self._candidate_kernel = self.add_variable(candidate, [depth + units, units])
        self._candidate_bias = self.add_variable(candidate_bias, [units], initializer=Constant(0.0))
        self.built = True

    def call(self, inputs: Any, h_prev: Any) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (h, h)."""
        width = h_prev.shape[1].value
        if width not in (None, self._num_units):
            text = f"Shape of h_prev[1] incorrect: cell_size {self._num_units} vs {width}"
            raise ValueError(error_text(text, [h_prev]))
        _, _, _, h = ops.gru_block_cell(
            inputs, h_prev, self._gate_kernel, self._candidate_kernel, self._gate_bias, self._candidate_bias
        )
        return h, h


class GRUBlockCellV2(GRUBlockCell):
    """GRUBlockCell whose variables have the names of GRUCell's."""

    _names = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")


__all__ = ["GRUBlockCell", "GRUBlockCellV2", "LSTMBlockCell", "LSTMBlockFusedCell", "LSTMBlockWrapper"]
