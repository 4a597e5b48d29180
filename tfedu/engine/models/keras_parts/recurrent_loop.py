"""`rnn(step, inputs, states)`: a function of one step, over all steps of sequences: K.rnn.

In the graph it is a while_loop over TensorArrays, or with `unroll` one copy of the step for each step. A mask keeps output and
states where it is False. No state.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...lib.arrays import array
from ...lib.arrays.selection import where
from ...lib.arrays.slicing import unstack
from ...lib.control.tensor_array import TensorArray
from ...lib.control.while_loop import while_loop
from ...lib.framework import nest
from ...lib.math import math
from ...op.constant import constant

Step = Callable[[Any, Any], tuple[Any, Any]]


def rnn(
    step_function: Step,
    inputs: Any,
    initial_states: Any,
    go_backwards: bool = False,
    mask: Any = None,
    constants: Any = None,
    unroll: bool = False,
    input_length: Any = None,
    time_major: bool = False,
    zero_output_for_mask: bool = False,
) -> tuple[Any, Any, list[Any]]:
    """(the last output [n, ...], all outputs [n, steps, ...], the last states) of a recurrent step.

    step_function: (input [n, ...], states and constants) -> (output, new states). mask: [n, steps] of bool; where it is False,
    the output is the one before (zero_output_for_mask: zero) and the states stay. time_major: [steps, n, ...].

    Raises: ValueError for inputs of fewer than 3 axes, or an unknown number of steps with `unroll`.
    """
    if not time_major:
        inputs = nest.map_structure(_swapped, inputs)
    flat = nest.flatten(inputs)
    for each in flat:
        each.shape.with_rank_at_least(3)
    steps, batch = flat[0].shape.as_list()[:2]
    length = array.shape(flat[0])[0]
    if mask is not None:
        if mask.dtype.base_dtype.name != "bool":
            mask = math.cast(mask, "bool")
        if len(mask.shape) == 2:
            mask = array.expand_dims(mask, -1)
        if not time_major:
            mask = _swapped(mask)
    constants = list(constants or [])
    whole = _Loop(step_function, inputs, list(initial_states), constants, mask, go_backwards, zero_output_for_mask)
    if unroll:
        if not steps:
            raise ValueError(error_text("Unrolling requires a fixed number of timesteps."))
        last, outputs, states = whole.unrolled(steps)
    else:
        last, outputs, states = whole.looped(length, input_length)

    def with_shape(output: Any) -> Any:
        known = output.shape.as_list()
        output.set_shape([steps, batch, *known[2:]])
        return output

    outputs = nest.map_structure(with_shape, outputs)
    if not time_major:
        outputs = nest.map_structure(_swapped, outputs)
    return last, outputs, list(states)


def _swapped(x: Any) -> Any:
    """[n, steps, ...] as [steps, n, ...], or back."""
    return array.transpose(x, [1, 0, *range(2, len(x.shape))])


def _fitted(mask: Any, value: Any) -> Any:
    """A step's mask [n, 1] as one of the shape of value [n, ...]."""
    for _ in range(len(value.shape) - len(mask.shape)):
        mask = array.expand_dims(mask, -1)
    return array.tile(mask, [1, *value.shape.as_list()[1:]])


class _Loop:
    """The two ways to build the steps, time first."""

    def __init__(
        self, step: Step, inputs: Any, states: list[Any], constants: list[Any], mask: Any, backwards: bool, zeros: bool
    ) -> None:
        self.step, self.inputs, self.flat, self.states = step, inputs, nest.flatten(inputs), states
        self.constants, self.mask, self.backwards, self.zeros = constants, mask, backwards, zeros

    def _kept(self, mask: Any, new: Any, old: Any) -> Any:
        """`new` where the mask is True, else `old`, each a structure; old may be a function that gives it."""
        masks = [_fitted(mask, each) for each in nest.flatten(new)]
        old = old() if callable(old) else old
        chosen = [where(*each) for each in zip(masks, nest.flatten(new), nest.flatten(old))]
        return nest.pack_sequence_as(new, chosen)

    def unrolled(self, steps: int) -> tuple[Any, Any, Any]:
        """A copy of the step for each step."""
        columns = [unstack(each) for each in self.flat]
        masks = None if self.mask is None else unstack(self.mask)
        order = range(steps - 1, -1, -1) if self.backwards else range(steps)
        states, outputs = tuple(self.states), []
        for number in order:
            now = nest.pack_sequence_as(self.inputs, [column[number] for column in columns])
            output, new_states = self.step(now, (*states, *self.constants))
            if masks is not None:
                if outputs and not self.zeros:
                    before: Any = outputs[-1]
                else:
                    before = functools.partial(nest.map_structure, array.zeros_like, output)
                output = self._kept(masks[number], output, before)
                new_states = self._kept(masks[number], tuple(new_states), states)
            states = tuple(new_states)
            outputs.append(output)
        flat = [array.stack(list(parts)) for parts in zip(*(nest.flatten(output) for output in outputs))]
        return outputs[-1], nest.pack_sequence_as(outputs[0], flat), states

    def looped(self, length: Any, input_length: Any) -> tuple[Any, Any, Any]:
        """One while_loop."""
        arrays = tuple(
            TensorArray(dtype=each.dtype, size=length, tensor_array_name=f"input_ta_{i}")
            for i, each in enumerate(self.flat)
        )
        read = tuple(
            ta.unstack(array.reverse(each, [0]) if self.backwards else each) for ta, each in zip(arrays, self.flat)
        )
        first = nest.pack_sequence_as(self.inputs, [each[0] for each in self.flat])
        sample, _ = self.step(first, (*self.states, *self.constants))
        written = tuple(
            TensorArray(dtype=each.dtype, size=length, tensor_array_name=f"output_ta_{i}")
            for i, each in enumerate(nest.flatten(sample))
        )
        time = constant(0, dtype="int32", name="time")
        options = {"maximum_iterations": input_length, "parallel_iterations": 32, "swap_memory": True}
        masks, before = None, ()
        if self.mask is not None:
            mask = array.reverse(self.mask, [0]) if self.backwards else self.mask
            masks = TensorArray(dtype="bool", size=length, tensor_array_name="mask_ta").unstack(mask)
            before = tuple(array.zeros_like(each) for each in nest.flatten(sample))

        def body(time: Any, written: Any, previous: Any, *states: Any) -> Any:
            now = nest.pack_sequence_as(self.inputs, [ta.read(time) for ta in read])
            mask = None if masks is None else masks.read(time)
            output, new_states = self.step(now, (*states, *self.constants))
            flat = nest.flatten(output)
            if mask is not None:
                flat = nest.flatten(self._kept(mask, tuple(flat), before if self.zeros else previous))
                new_states = self._kept(mask, tuple(new_states), states)
                previous = tuple(flat)
            for state, new in zip(nest.flatten(states), nest.flatten(new_states)):
                if hasattr(new, "set_shape"):
                    new.set_shape(state.shape)
            written = tuple(ta.write(time, each) for ta, each in zip(written, flat))
            return (time + 1, written, previous, *new_states)

        final = while_loop(
            lambda time, *_: time < length, body, (time, written, before, *self.states), **options
        )
        outputs = tuple(ta.stack() for ta in final[1])
        last = tuple(output[-1] for output in outputs)
        return nest.pack_sequence_as(sample, last), nest.pack_sequence_as(sample, outputs), final[3:]


__all__ = ["rnn"]
