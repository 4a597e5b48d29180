"""`AttentionCellWrapper`: a cell that looks back at its last outputs. State: its weights.

Source: Bahdanau et al., "Neural Machine Translation by Jointly Learning to Align and Translate" (2015).
"""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...lib.arrays import array, slicing
from ...lib.framework import nest
from ...lib.math import math, reductions
from ...lib.nn import activations
from ...lib.nn.convolution import conv2d
from ...lib.variables.variable_scope import get_variable, variable_scope
from ..rnn.cell import RNNCell, warn_of_concatenated_state
from ..rnn.steps import assert_like_rnncell
from .linear import Linear


class AttentionCellWrapper(RNNCell):
    """A cell with attention over its last attn_length outputs. The state is the cell's, the last attention [n, attn_size] and
    the outputs before, [n, attn_size · attn_length].

    attn_size: the size of an output, by default the cell's; attn_vec_size: of the attention's hidden layer, by default
    attn_size; input_size: of what the cell reads, by default that of the inputs. state_is_tuple: False joins the states.

    Raises: TypeError for something that is no cell; ValueError for a length below 1, or a state of several parts that are not to
    be a tuple.
    """

    def __init__(
        self,
        cell: Any,
        attn_length: int,
        attn_size: int | None = None,
        attn_vec_size: int | None = None,
        input_size: int | None = None,
        state_is_tuple: bool = True,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if nest.is_nested(cell.state_size) and not state_is_tuple:
            raise ValueError(
                error_text(
                    f"Cell returns tuple of states, but the flag state_is_tuple is not set. State size is: {cell.state_size!s}"
                )
            )
        if attn_length <= 0:
            raise ValueError(error_text(f"attn_length should be greater than zero, got {attn_length!s}"))
        if not state_is_tuple:
            warn_of_concatenated_state(self)
        self._cell = cell
        self._attn_length = attn_length
        self._attn_size = cell.output_size if attn_size is None else attn_size
        self._attn_vec_size = self._attn_size if attn_vec_size is None else attn_vec_size
        self._input_size = input_size
        self._state_is_tuple = state_is_tuple
        self._linears: list[Linear | None] = [None, None, None]

    @property
    def state_size(self) -> Any:
        """The sizes of the cell's state, the attention and the outputs before, or their sum."""
        sizes = (self._cell.state_size, self._attn_size, self._attn_size * self._attn_length)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> int:
        """attn_size."""
        return self._attn_size  # type: ignore[no-any-return]

    def _linear(self, number: int, inputs: list[Any], size: int) -> Any:
        """One of the cell's three linear layers, made at the first call."""
        layer = self._linears[number] or Linear(inputs, size)
        self._linears[number] = layer
        return layer(inputs)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the output [n, attn_size], the state)."""
        if self._state_is_tuple:
            state, attention, before = state
        else:
            size, whole = self._cell.state_size, state
            state = slicing.slice(whole, [0, 0], [-1, size])
            attention = slicing.slice(whole, [0, size], [-1, self._attn_size])
            before = slicing.slice(whole, [0, size + self._attn_size], [-1, self._attn_size * self._attn_length])
        before = array.reshape(before, [-1, self._attn_length, self._attn_size])
        input_size = self._input_size or inputs.shape.as_list()[1]
        inputs = self._linear(0, [inputs, attention], input_size)
        cell_output, new_state = self._cell(inputs, state)
        query = array.concat(nest.flatten(new_state), 1) if self._state_is_tuple else new_state
        attention, before = self._attend(query, before)
        with variable_scope("attn_output_projection"):
            output = self._linear(2, [cell_output, attention], self._attn_size)
        before = array.concat([before, array.expand_dims(output, 1)], 1)
        before = array.reshape(before, [-1, self._attn_length * self._attn_size])
        new = (new_state, attention, before)
        return output, new if self._state_is_tuple else array.concat(list(new), 1)

    def _attend(self, query: Any, outputs: Any) -> tuple[Any, Any]:
        """(the sum of the outputs before, weighted by attention, [n, attn_size]; all but the oldest of them).

        query [n, s], outputs [n, attn_length, attn_size].
        """
        with variable_scope("attention"):
            length, size, hidden = self._attn_length, self._attn_size, self._attn_vec_size
            weights = get_variable("attn_w", [1, 1, size, hidden])
            scorer = get_variable("attn_v", [hidden])
            wide = array.reshape(outputs, [-1, length, 1, size])
            features = conv2d(wide, weights, [1, 1, 1, 1], "SAME")
            wanted = array.reshape(self._linear(1, [query], hidden), [-1, 1, 1, hidden])
            scores = reductions.reduce_sum(scorer * math.tanh(features + wanted), [2, 3])
            shares = array.reshape(activations.softmax(scores), [-1, length, 1, 1])
            attention = reductions.reduce_sum(shares * wide, [1, 2])
            return array.reshape(attention, [-1, size]), slicing.slice(outputs, [0, 1, 0], [-1, -1, -1])


__all__ = ["AttentionCellWrapper"]
