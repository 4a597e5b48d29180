"""`tf.contrib.legacy_seq2seq`: decoders over lists of steps, without embeddings or attention. No state."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from ...base.dtypes import float32
from ...graph.atomic import atomic
from ...lib.variables.variable_scope import get_variable_scope, variable_scope
from ..rnn.static_rnn import static_rnn

_LoopFunction = Callable[[Any, int], Any]


@atomic
def rnn_decoder(
    decoder_inputs: Any,
    initial_state: Any,
    cell: Any,
    loop_function: _LoopFunction | None = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """([outputs [n, units], one a step], the last state): a cell starts at initial_state and reads a list of t inputs [n, d].

    loop_function: f(output of the step before, i) -> the input [n, d] of step i, which replaces decoder_inputs[i] for i > 0; it
    reads variables that are there. scope: of the cell's variables, "rnn_decoder" by default.
    """
    state = initial_state
    outputs: list[Any] = []
    with variable_scope(scope or "rnn_decoder") as opened:
        for time, value in enumerate(decoder_inputs):
            if time:
                if loop_function is not None:
                    with variable_scope("loop_function", reuse=True):
                        value = loop_function(outputs[-1], time)
                opened.reuse_variables()
            output, state = cell(value, state)
            outputs.append(output)
    return outputs, state


@atomic
def basic_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, dtype: Any = float32, scope: Any = None
) -> tuple[list[Any], Any]:
    """([outputs [n, units], one a step], the last state): a copy of the cell reads encoder_inputs, t of [n, d], and the cell goes
    on from its last state with decoder_inputs.

    scope: of both cells' variables, "basic_rnn_seq2seq" by default.
    """
    with variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


@atomic
def tied_rnn_seq2seq(
    encoder_inputs: Any,
    decoder_inputs: Any,
    cell: Any,
    loop_function: _LoopFunction | None = None,
    dtype: Any = float32,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """`basic_rnn_seq2seq` where one cell, with one set of variables, encodes and decodes. loop_function: as for `rnn_decoder`.

    scope: of the cell's variables, "tied_rnn_seq2seq" by default.
    """
    with variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function, scope)
