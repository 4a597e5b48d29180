"""`RNNCell`: a layer that maps an input [n, d] and a state [n, s] to an output [n, u] and the next state.

A subclass tells `state_size` and `output_size`, and builds its nodes in `call(inputs, state)`. The loops need no more of a
cell than these two sizes, a zero state and a call. State: a cell's weights, and the variable scope of its first call.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...base import log
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...base.shapes import as_shape
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.framework import nest
from ...lib.framework.scope_blocks import named
from ...lib.framework.static_value import constant_value
from ...lib.math import math
from ...lib.variables.partitioned import PartitionedVariable
from ...lib.variables.variable_scope import get_variable_scope, variable_scope
from ...lib.variables.variables import trainable_variables
from ..keras_layers.identifiers import activation_named
from ..layers.layer import Layer
from . import sizes


class LSTMStateTuple(namedtuple("LSTMStateTuple", ("c", "h"))):
    """The state of an LSTM cell: what it remembers (c) and its last output (h), each [n, units]."""

    __slots__ = ()

    @property
    def dtype(self) -> DType:
        """The dtype of both.

        Raises: TypeError when they differ.
        """
        if self.c.dtype != self.h.dtype:
            raise TypeError(error_text(f"Inconsistent internal state: {self.c.dtype!s} vs {self.h.dtype!s}"))
        dtype: DType = self.c.dtype
        return dtype


class RNNCell(Layer):
    """A recurrent cell: `output, state = cell(inputs, state)`, inputs [n, d], state [n, state_size].

    Variables that its `call` gets by `get_variable` are its weights, in the variable scope that was open at the first call.
    """

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._is_tf_rnn_cell = True

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:  # type: ignore[override]
        """(output [n, output_size], the next state). scope: the variable scope, or its name, of the first call."""
        return get_default_graph().attempt(self._call_in_scope, inputs, state, scope)

    def _call_in_scope(self, inputs: Any, state: Any, scope: Any) -> Any:
        self._note_for_failure()
        if scope is not None:
            with variable_scope(scope, custom_getter=self._noting_getter) as opened:
                return super().__call__(inputs, state, scope=opened)
        block = getattr(self, "rnncell_scope", None)
        if block is None:
            block = variable_scope(get_variable_scope(), custom_getter=self._noting_getter)
            self.rnncell_scope = block
        with block:
            return super().__call__(inputs, state)

    def _noting_getter(self, getter: Any, *args: Any, **kwargs: Any) -> Any:
        """`getter(…)`, whose variable becomes a weight of the cell."""
        variable = getter(*args, **kwargs)
        trainable = trainable_variables()
        parts = list(variable) if isinstance(variable, PartitionedVariable) else [variable]
        is_trainable = all(any(part is each for each in trainable) for part in parts)
        weights = self._trainable_weights if is_trainable else self._non_trainable_weights
        if not any(variable is each for each in weights):
            weights.append(variable)
        return variable

    @property
    def state_size(self) -> Any:
        """The size of the state: an int, a TensorShape or a structure of these."""
        raise NotImplementedError(error_text("Abstract method"))

    @property
    def output_size(self) -> Any:
        """The size of the output: an int, a TensorShape or a structure of these."""
        raise NotImplementedError(error_text("Abstract method"))

    def build(self, _: Any) -> None:
        """Creates no variables: `call` may do it."""

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """The zero state of a batch, or of the batch that inputs [n, …] have.

        Raises: ValueError when neither is known, or both are and differ.
        """
        if inputs is not None:
            inputs = convert_to_tensor(inputs, name="inputs")
            known = inputs.shape.dims[0].value
            if batch_size is not None:
                given = constant_value(batch_size, partial=True) if isinstance(batch_size, Tensor) else batch_size
                if known != given:
                    raise ValueError(
                        error_text(
                            "batch size from input tensor is different from the input param. Input tensor batch: "
                            f"{known}, batch_size: {batch_size}"
                        )
                    )
            if dtype is not None and inputs.dtype != dtype:
                raise ValueError(
                    error_text(
                        "dtype from input tensor is different from the input param. Input tensor dtype: "
                        f"{inputs.dtype}, dtype: {dtype}"
                    )
                )
            batch_size = known or array.shape(inputs)[0]
            dtype = inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                error_text(
                    "batch_size and dtype cannot be None while constructing initial state: "
                    f"batch_size={batch_size}, dtype={dtype}"
                )
            )
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros [n, size] in the structure of `state_size`. batch_size: n, an int or a scalar tensor."""
        return get_default_graph().attempt(self._zero_state, batch_size, dtype)

    def _zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with self._zero_state_scope(batch_size):
            return sizes.zero_state(self.state_size, batch_size, dtype)

    def _zero_state_scope(self, batch_size: Any) -> Any:
        return named(f"{type(self).__name__}ZeroState", "", [batch_size])


class StateOfUnits:
    """A mixin for cells of `_num_units` units whose state and output have one element for each."""

    _num_units: int

    @property
    def state_size(self) -> Any:
        """The number of elements of the state: `num_units`."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """The number of elements of the output: `num_units`."""
        return self._num_units


class StateOfLSTM:
    """A mixin for LSTM cells of `_num_units` units: c has one element for each, h has `_num_proj` where a projection makes it."""

    _num_units: int
    _num_proj: int | None = None
    _state_is_tuple = True

    @property
    def state_size(self) -> Any:
        """The widths of c and h, the two parts of the state; their sum where one tensor has both."""
        units, outputs = self._num_units, self.output_size
        return LSTMStateTuple(units, outputs) if self._state_is_tuple else units + outputs

    @property
    def output_size(self) -> int:
        """The number of elements of h: num_proj, or num_units without projection."""
        return self._num_proj or self._num_units


class LayerRNNCell(RNNCell):
    """A cell that creates its variables in `build(input_shape)`, by `add_weight`, under its own name."""

    def __call__(self, inputs: Any, state: Any, scope: Any = None, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        """(output [n, output_size], the next state). scope: the variable scope, or its name, of the first call."""
        return Layer.__call__(self, inputs, state, *args, scope=scope, **kwargs)

    def _depth(self, input_shape: Any) -> int:
        """The d of inputs [n, d].

        Raises: ValueError for an unknown d, or for weights that are neither floating nor complex.
        """
        sizes = as_shape(input_shape).as_list()
        if sizes[-1] is None:
            raise ValueError(error_text(f"Expected inputs.shape[-1] to be known, saw shape: {tuple(sizes)}"))
        check_dtypes(self.dtype)
        return sizes[-1]


def check_dtypes(*dtypes: Any) -> None:
    """Raises: ValueError for a dtype that is neither floating nor complex; None is any dtype."""
    for dtype in dtypes:
        kind = None if dtype is None else as_dtype(dtype)
        if kind is not None and not (kind.is_floating or kind.is_complex):
            raise ValueError(error_text(f"RNN cell only supports floating point inputs, but saw dtype: {kind!s}"))


def check_numbers(inputs: Any, state: Any) -> None:
    """Raises: ValueError for inputs or a state that is neither floating nor complex."""
    check_dtypes(*(part.dtype for part in nest.flatten([inputs, state])))


def unpacked(state: Any) -> Any:
    """The c and h of an LSTM's state.

    Raises: TypeError for one tensor.
    """
    if isinstance(state, Tensor):
        raise TypeError(
            error_text(
                "You are attempting to use Python control flow in a layer that was not declared to be dynamic. Pass "
                "`dynamic=True` to the class constructor.",
                [state],
                "the state of this cell is a pair, tf.nn.rnn_cell.LSTMStateTuple(c, h), such as cell.zero_state(n, tf.float32)",
            )
        )
    return state


def activation_of(activation: Any) -> Any:
    """The function of a name; tanh for None."""
    return activation_named(activation) if activation else math.tanh


def warn_of_concatenated_state(cell: Any) -> None:
    """Logs TF's warning of `state_is_tuple=False`."""
    log.warn(
        "%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", cell
    )


__all__ = ["LSTMStateTuple", "LayerRNNCell", "RNNCell"]
