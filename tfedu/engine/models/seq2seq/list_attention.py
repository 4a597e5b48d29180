"""`tf.contrib.legacy_seq2seq.attention_decoder`: a decoder over a list of steps that looks back at the encoder. No state.

Source: Bahdanau et al., "Neural Machine Translation by Jointly Learning to Align and Translate" (2015).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.arrays import array
from ...lib.framework import nest
from ...lib.math import math, reductions
from ...lib.nn import activations
from ...lib.nn.convolution import conv2d
from ...lib.variables.variable_scope import get_variable, get_variable_scope, variable_scope
from ..cells_of_contrib.linear import Linear


@atomic
def attention_decoder(
    decoder_inputs: Sequence[Any],
    initial_state: Any,
    attention_states: Any,
    cell: Any,
    output_size: int | None = None,
    num_heads: int = 1,
    loop_function: Callable[[Any, int], Any] | None = None,
    dtype: Any = None,
    scope: Any = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """([outputs [n, output_size], one a step], the last state): a cell that reads t inputs [n, d] and, at each step, a sum of
    attention_states [n, length, size] with weights that its own state gives.

    output_size: the cell's by default. num_heads: how many sums with weights of their own. loop_function: f(output of the step
    before, i) -> the input of step i, which replaces decoder_inputs[i] for i > 0. initial_state_attention: the first step
    attends, too; else its sum is 0. scope: of the variables, "attention_decoder" by default.

    Raises: ValueError for no inputs, fewer heads than 1, and sizes that are not known statically.
    """
    if not decoder_inputs:
        raise ValueError(error_text("Must provide at least 1 input to attention decoder."))
    if num_heads < 1:
        raise ValueError(error_text("With less than 1 heads, use a non-attention decoder."))
    if attention_states.shape[2].value is None:
        raise ValueError(error_text(f"Shape[2] of attention_states must be known: {attention_states.shape}", [attention_states]))
    size = cell.output_size if output_size is None else output_size
    with variable_scope(scope or "attention_decoder", dtype=dtype) as opened:
        dtype = opened.dtype
        batch = array.shape(decoder_inputs[0])[0]
        attend = _Attention(attention_states, num_heads, dtype)
        sizes = array.stack([batch, attend.size])
        sums = [array.zeros(sizes, dtype=dtype) for _ in range(num_heads)]
        for each in sums:
            each.set_shape([None, attend.size])
        if initial_state_attention:
            sums = attend(initial_state)
        state, outputs = initial_state, []
        for i, value in enumerate(decoder_inputs):
            if i:
                get_variable_scope().reuse_variables()
                if loop_function is not None:
                    with variable_scope("loop_function", reuse=True):
                        value = loop_function(outputs[-1], i)
            depth = value.shape.with_rank(2)[1]
            if depth.value is None:
                raise ValueError(error_text(f"Could not infer input size from input: {value.name}", [value]))
            together = [math.cast(each, dtype) for each in [value, *sums]]
            cell_output, state = cell(Linear(together, depth.value)(together), state)
            if not i and initial_state_attention:
                with variable_scope(get_variable_scope(), reuse=True):
                    sums = attend(state)
            else:
                sums = attend(state)
            with variable_scope("AttnOutputProjection"):
                together = [math.cast(cell_output, dtype), *sums]
                outputs.append(Linear(together, size)(together))
    return outputs, state


class _Attention:
    """The function state -> [the weighted sum of the states [n, length, size] for each head, [n, size]]."""

    def __init__(self, states: Any, num_heads: int, dtype: Any) -> None:
        self.size = size = states.shape[2].value
        known = states.shape[1].value
        self._length = array.shape(states)[1] if known is None else known
        self._dtype = dtype
        self._states = array.reshape(states, [-1, self._length, 1, size])
        self._heads = []
        for head in range(num_heads):
            weights = get_variable(f"AttnW_{head}", [1, 1, size, size], dtype=dtype)
            features = conv2d(self._states, weights, [1, 1, 1, 1], "SAME")
            self._heads.append((features, get_variable(f"AttnV_{head}", [size], dtype=dtype)))

    def __call__(self, state: Any) -> list[Any]:
        sums = []
        if nest.is_nested(state):
            state = array.concat(nest.flatten(state), 1)
        for head, (features, scorer) in enumerate(self._heads):
            with variable_scope(f"Attention_{head}"):
                query = array.reshape(Linear([state], self.size)([state]), [-1, 1, 1, self.size])
                query = math.cast(query, self._dtype)
                scores = reductions.reduce_sum(scorer * math.tanh(features + query), [2, 3])
                shares = math.cast(activations.softmax(math.cast(scores, dtypes.float32)), self._dtype)
                total = reductions.reduce_sum(array.reshape(shares, [-1, self._length, 1, 1]) * self._states, [1, 2])
                sums.append(array.reshape(total, [-1, self.size]))
        return sums


__all__ = ["attention_decoder"]
