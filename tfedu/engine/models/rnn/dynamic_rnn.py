"""`dynamic_rnn(cell, inputs)`: the cell applied to each time step in a while loop, whose length a run decides.

The inputs [n, t, d] are turned to [t, n, d] and unstacked into a TensorArray; the loop reads one step from it, calls the cell,
and writes the output to another TensorArray, which is stacked and turned back afterwards. No state.
"""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.control.tensor_array import TensorArray
from ...lib.control.while_loop import while_loop
from ...lib.framework import nest
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math, reductions
from ...lib.variables.variable_scope import variable_scope
from ...op.constant import constant
from . import sizes, steps


@atomic
def dynamic_rnn(
    cell: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """(outputs [n, t, units], the last state [n, units]) of a cell that reads inputs [n, t, d] step by step.

    sequence_length: lengths [n]; after its end, a sequence has outputs 0 and keeps its state. initial_state: by default the
    cell's zero state, of `dtype`. parallel_iterations, swap_memory: as for `while_loop`. time_major: inputs and outputs are
    [t, n, …]. scope: of the cell's variables, "rnn" by default.

    Raises: TypeError for something that is no cell; ValueError without dtype and initial state, or for inputs whose depth is
    not known statically.
    """
    steps.assert_like_rnncell("cell", cell)
    with variable_scope(scope or "rnn") as opened:
        steps.cache_reads(opened)
        flat_inputs = nest.flatten(inputs)
        if not time_major:
            flat_inputs = [sizes.transpose_batch_time(convert_to_tensor(value)) for value in flat_inputs]
        flat_inputs = [convert_to_tensor(value) for value in flat_inputs]
        lengths = None if sequence_length is None else steps.as_lengths(sequence_length)
        batch_size = sizes.input_batch_size(flat_inputs)
        state = initial_state
        if state is None:
            state = steps.first_state(
                cell, batch_size, dtype, "If there is no initial_state, you must give a dtype."
            )
        if lengths is not None:
            lengths = steps.with_shape_checked(lengths, [batch_size], "CheckSeqLen")
        outputs, state = _loop(
            cell, nest.pack_sequence_as(inputs, flat_inputs), state, parallel_iterations or 32, swap_memory, lengths, dtype
        )
        if not time_major:
            outputs = nest.map_structure(sizes.transpose_batch_time, outputs)
        return outputs, state


def _loop(
    cell: Any, inputs: Any, state: Any, parallel: int, swap_memory: bool, lengths: Tensor | None, dtype: Any
) -> tuple[Any, Any]:
    """(outputs [t, n, units], the last state) of inputs [t, n, d]."""
    flat_inputs, output_sizes = nest.flatten(inputs), nest.flatten(cell.output_size)
    time_steps = array.shape(flat_inputs[0])[0]
    batch_size = sizes.input_batch_size(flat_inputs)
    known_steps, known_batch = _known_sizes(flat_inputs)
    zero_output = nest.pack_sequence_as(
        cell.output_size,
        [array.zeros(sizes.joined(batch_size, size), sizes.common_dtype(dtype, state)) for size in output_sizes],
    )
    longest = time_steps
    if lengths is not None:
        reductions.reduce_min(lengths)  # TF makes it, and no node of this loop reads it
        longest = reductions.reduce_max(lengths)
    time = constant(0, name="time")
    with name_scope("dynamic_rnn") as base:
        pass

    def new_array(name: str, shape: TensorShape, kind: Any) -> TensorArray:
        return TensorArray(kind, size=time_steps, element_shape=shape, tensor_array_name=f"{base}{name}")

    output_arrays = tuple(
        new_array(
            f"output_{i}",
            TensorShape([known_batch]).concatenate(sizes.known_part(size)),
            sizes.common_dtype(dtype, state),
        )
        for i, size in enumerate(output_sizes)
    )
    input_arrays = [new_array(f"input_{i}", value.shape[1:], value.dtype) for i, value in enumerate(flat_inputs)]
    input_arrays = [source.unstack(value) for source, value in zip(input_arrays, flat_inputs)]

    def body(time: Tensor, arrays: tuple[TensorArray, ...], state: Any) -> tuple[Tensor, tuple[TensorArray, ...], Any]:
        read = [source.read(time) for source in input_arrays]
        for part, value in zip(read, flat_inputs):
            part.set_shape(value.shape[1:])
        now = nest.pack_sequence_as(inputs, read)
        if lengths is None:
            output, next_state = cell(now, state)
        else:
            output, next_state = steps.step(time, lengths, None, None, zero_output, state, lambda: cell(now, state))
        arrays = tuple(target.write(time, part) for target, part in zip(arrays, nest.flatten(output)))
        return time + 1, arrays, next_state

    bound = math.minimum(time_steps, math.maximum(1, longest))
    _, output_arrays, state = while_loop(
        lambda time, *_: time < bound, body, (time, output_arrays, state), parallel_iterations=parallel,
        swap_memory=swap_memory, maximum_iterations=time_steps,
    )  # fmt: skip
    stacked = [target.stack() for target in output_arrays]
    for value, size in zip(stacked, output_sizes):
        value.set_shape(sizes.joined_shape([known_steps, known_batch], size))
    return nest.pack_sequence_as(cell.output_size, stacked), state


def _known_sizes(flat_inputs: list[Tensor]) -> tuple[int | None, int | None]:
    """The static t and n of inputs [t, n, …].

    Raises: ValueError for inputs that differ in them, or whose other sizes are not known.
    """
    shapes = []
    for value in flat_inputs:
        try:
            shapes.append(value.shape.with_rank_at_least(3))
        except ValueError as error:
            fix = "inputs are [n, t, d], with a depth d: tf.expand_dims(inputs, -1) gives each step one number"
            raise ValueError(error_text(str(error), [value], fix)) from None
    known = shapes[0].raw[:2] if shapes[0].raw is not None else (None, None)
    for value, shape in zip(flat_inputs, shapes):
        if not shape[2:].is_fully_defined():
            raise ValueError(
                error_text(
                    "Input size (depth of inputs) must be accessible via shape inference, but saw value None.",
                    [value],
                    "set_shape([None, None, d]) says it",
                )
            )
        for size, first, text in (
            (shape[0].value, known[0], "Time steps is not the same for all the elements in the input in a batch."),
            (shape[1].value, known[1], "Batch_size is not the same for all the elements in the input."),
        ):
            if size != first:
                raise ValueError(error_text(text, flat_inputs))
    return known


@atomic
def bidirectional_dynamic_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """((outputs forward, outputs backward), (state forward, state backward)) of two cells; the second reads from the end.

    The arguments are those of `dynamic_rnn`, inputs [n, t, d]; outputs [n, t, units] stand in the inputs' order.

    Raises: TypeError and ValueError as `dynamic_rnn`.
    """
    steps.assert_like_rnncell("cell_fw", cell_fw)
    steps.assert_like_rnncell("cell_bw", cell_bw)
    time_axis = 0 if time_major else 1

    def reversed_in_time(value: Any) -> Tensor:
        if sequence_length is None:
            return array.reverse(value, axis=[time_axis])
        return array.reverse_sequence(value, sequence_length, seq_axis=time_axis, batch_axis=1 - time_axis)

    with variable_scope(scope or "bidirectional_rnn"):

        def run(cell: Any, inputs: Any, initial_state: Any, opened: Any) -> tuple[Any, Any]:
            return dynamic_rnn(
                cell, inputs, sequence_length, initial_state, dtype, parallel_iterations, swap_memory, time_major, opened
            )

        with variable_scope("fw") as opened:
            forward, state_fw = run(cell_fw, inputs, initial_state_fw, opened)
        with variable_scope("bw") as opened:
            backward, state_bw = run(cell_bw, nest.map_structure(reversed_in_time, inputs), initial_state_bw, opened)
    return (forward, nest.map_structure(reversed_in_time, backward)), (state_fw, state_bw)


__all__ = ["bidirectional_dynamic_rnn", "dynamic_rnn"]
