"""Cells that map all steps at once, inputs [t, n, d] to outputs [t, n, units] (contrib.rnn): `FusedRNNCell` and two of them.

State: the wrapped cell.
"""

from __future__ import annotations

import abc
from typing import Any

from ...graph.atomic import atomic
from ...lib.arrays import array, slicing
from .dynamic_rnn import dynamic_rnn
from .static_rnn import static_rnn


class FusedRNNCell(abc.ABC):
    """A cell that is called once for all steps: `outputs, state = cell(inputs, dtype=tf.float32)`."""

    @abc.abstractmethod
    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]:
        """(outputs [t, n, units], the last state) of inputs [t, n, d], or of a list of t inputs."""


class FusedRNNCellAdaptor(FusedRNNCell):
    """Any cell as a FusedRNNCell, by `static_rnn`, or by `dynamic_rnn` with use_dynamic_rnn."""

    def __init__(self, cell: Any, use_dynamic_rnn: bool = False) -> None:
        self._cell = cell
        self._use_dynamic_rnn = use_dynamic_rnn

    @atomic
    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]:
        """(outputs [t, n, units], the last state) of inputs [t, n, d], or of a list of t inputs."""
        is_list = isinstance(inputs, list)
        if self._use_dynamic_rnn:
            outputs, state = dynamic_rnn(
                self._cell, array.stack(inputs) if is_list else inputs, sequence_length, initial_state, dtype,
                time_major=True, scope=scope,
            )  # fmt: skip
            return slicing.unstack(outputs, num=len(inputs)) if is_list else outputs, state
        steps = inputs if is_list else slicing.unstack(inputs)
        outputs, state = static_rnn(self._cell, steps, initial_state, dtype, sequence_length, scope)
        return outputs if is_list else array.stack(outputs), state


class TimeReversedFusedRNN(FusedRNNCell):
    """A FusedRNNCell that reads its inputs from their end; outputs stand in the inputs' order."""

    def __init__(self, cell: Any) -> None:
        self._cell = cell

    @atomic
    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]:
        """(outputs [t, n, units], the last state) of inputs [t, n, d]. sequence_length: each sequence is read from its end."""

        def turned(values: Any) -> Any:
            if sequence_length is None:
                return array.reverse(values, [0])
            return array.reverse_sequence(values, sequence_length, 0, 1)

        outputs, state = self._cell(
            turned(inputs), initial_state=initial_state, dtype=dtype, sequence_length=sequence_length, scope=scope
        )
        return turned(outputs), state


__all__ = ["FusedRNNCell", "FusedRNNCellAdaptor", "TimeReversedFusedRNN"]
