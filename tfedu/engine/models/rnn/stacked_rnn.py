"""`stack_bidirectional_rnn` and `stack_bidirectional_dynamic_rnn`: layers of bidirectional nets (contrib.rnn). No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.arrays import array
from ...lib.variables.variable_scope import variable_scope
from .dynamic_rnn import bidirectional_dynamic_rnn
from .static_rnn import static_bidirectional_rnn


def _check(cells_fw: Any, cells_bw: Any, states_fw: Any, states_bw: Any) -> None:
    """Raises: ValueError unless there is a list of cells for each direction, as long as the other and as the states."""
    text = None
    if not cells_fw:
        text = "Must specify at least one fw cell for BidirectionalRNN."
    elif not cells_bw:
        text = "Must specify at least one bw cell for BidirectionalRNN."
    elif not isinstance(cells_fw, list):
        text = "cells_fw must be a list of RNNCells (one per layer)."
    elif not isinstance(cells_bw, list):
        text = "cells_bw must be a list of RNNCells (one per layer)."
    elif len(cells_fw) != len(cells_bw):
        text = "Forward and Backward cells must have the same depth."
    else:
        for name, states in (("initial_states_fw", states_fw), ("initial_states_bw", states_bw)):
            if states is not None and (not isinstance(states, list) or len(states) != len(cells_fw)):
                text = text or f"{name} must be a list of state tensors (one per layer)."
    if text is not None:
        raise ValueError(error_text(text))


@atomic
def stack_bidirectional_rnn(
    cells_fw: Any,
    cells_bw: Any,
    inputs: Any,
    initial_states_fw: Any = None,
    initial_states_bw: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """(the last layer's outputs, the states forward, the states backward): each layer reads both outputs of the one before.

    cells_fw, cells_bw: lists with a cell for each layer. inputs: a list of t tensors [n, d]; outputs [n, units of both].

    Raises: ValueError for lists that differ in length; else as `static_bidirectional_rnn`.
    """
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states: tuple[list[Any], list[Any]] = [], []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for layer, (forward, backward) in enumerate(zip(cells_fw, cells_bw)):
            first = [given and given[layer] for given in (initial_states_fw, initial_states_bw)]
            with variable_scope(f"cell_{layer}") as opened:
                inputs, *last = static_bidirectional_rnn(forward, backward, inputs, *first, dtype, sequence_length, opened)
            for kept, state in zip(states, last):
                kept.append(state)
    return inputs, tuple(states[0]), tuple(states[1])


@atomic
def stack_bidirectional_dynamic_rnn(
    cells_fw: Any,
    cells_bw: Any,
    inputs: Any,
    initial_states_fw: Any = None,
    initial_states_bw: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    parallel_iterations: int | None = None,
    time_major: bool = False,
    scope: Any = None,
    swap_memory: bool = False,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """(the last layer's outputs, the states forward, the states backward): each layer reads both outputs of the one before.

    cells_fw, cells_bw: lists with a cell for each layer. inputs [n, t, d]; outputs [n, t, units of both].

    Raises: ValueError for lists that differ in length; else as `bidirectional_dynamic_rnn`.
    """
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states: tuple[list[Any], list[Any]] = [], []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for layer, (forward, backward) in enumerate(zip(cells_fw, cells_bw)):
            first = [given and given[layer] for given in (initial_states_fw, initial_states_bw)]
            with variable_scope(f"cell_{layer}"):
                outputs, last = bidirectional_dynamic_rnn(
                    forward, backward, inputs, sequence_length, *first, dtype, parallel_iterations, swap_memory, time_major
                )
                inputs = array.concat(outputs, 2)
            for kept, state in zip(states, last):
                kept.append(state)
    return inputs, tuple(states[0]), tuple(states[1])


__all__ = ["stack_bidirectional_dynamic_rnn", "stack_bidirectional_rnn"]
