"""`static_rnn(cell, [x0, x1, …])`: the cell's nodes once for each time step, without a loop. No state."""

from __future__ import annotations

import functools
from typing import Any

from ...base.dtypes import int32
from ...base.errors import error_text
from ...base.shapes import TensorShape, unknown_shape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, slicing
from ...lib.control.grouping import identity
from ...lib.framework import nest
from ...lib.framework.scope_blocks import waiting_for
from ...lib.math import math, reductions
from ...lib.variables.variable_scope import variable_scope
from . import sizes, steps


@atomic
def static_rnn(
    cell: Any,
    inputs: Any,
    initial_state: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """([outputs [n, units], one a step], the last state [n, units]) of a cell that reads a list of t inputs [n, d].

    initial_state: by default the cell's zero state, of `dtype`. sequence_length: lengths [n]; after its end, a sequence has
    outputs 0 and keeps its state, and a step at which all have ended does not run the cell. scope: of the cell's variables,
    "rnn" by default.

    Raises: TypeError for something that is no cell or no list; ValueError for an empty list, without dtype and initial
    state, or for inputs whose depth is not known statically.
    """
    steps.assert_like_rnncell("cell", cell)
    _check_steps(inputs)
    outputs: list[Any] = []
    with variable_scope(scope or "rnn") as opened:
        steps.cache_reads(opened)
        known_batch, batch_size = _batch_sizes(inputs)
        state = initial_state
        if state is None:
            state = steps.first_state(cell, batch_size, dtype, "If no initial_state is provided, dtype must be specified")
        lengths: Tensor | None = None
        if sequence_length is not None:
            lengths = convert_to_tensor(sequence_length, name="sequence_length")
            if lengths.shape.ndims not in (None, 1):
                raise ValueError(error_text("sequence_length must be a vector of length batch_size", [lengths]))

            def zeros(size: Any) -> Tensor:
                output = array.zeros(sizes.joined(batch_size, size), sizes.common_dtype(dtype, state))
                output.set_shape(sizes.joined_shape(known_batch, size))
                return output

            zero_output = nest.map_structure(zeros, cell.output_size)
            lengths = math.cast(lengths, int32)
            shortest, longest = reductions.reduce_min(lengths), reductions.reduce_max(lengths)
        for time, value in enumerate(inputs):
            if time:
                opened.reuse_variables()
            call = functools.partial(cell, value, state)
            if lengths is None:
                output, state = call()
            else:
                output, state = steps.step(time, lengths, shortest, longest, zero_output, state, call)
            outputs.append(output)
        return outputs, state


def _check_steps(inputs: Any) -> None:
    if not nest.is_nested(inputs):
        fix = "tf.unstack(inputs, axis=1) gives the list of a tensor [n, t, d]; tf.nn.dynamic_rnn takes the tensor"
        raise TypeError(error_text("inputs must be a sequence", fix=fix if isinstance(inputs, Tensor) else None))
    if not inputs:
        raise ValueError(error_text("inputs must not be empty"))


def _batch_sizes(inputs: Any) -> tuple[int | None, Any]:
    """The static n of inputs [n, d], and n as an int or a scalar tensor.

    Raises: ValueError for inputs that differ in n, or whose other sizes are not known.
    """
    flat = nest.flatten(inputs)
    first = flat[0]
    if first.shape.ndims == 1:
        known = first.shape[0]
    else:
        known = _at_least(first, 2)[0]
        for value in flat:
            shape = _at_least(value, 2)
            known = known.merge_with(shape[0])
            for axis, size in enumerate(shape[1:]):
                if size.value is None:
                    text = f"Input size (dimension {axis} of inputs) must be accessible via shape inference, but saw value None."
                    raise ValueError(error_text(text, [value], "set_shape([None, d]) says it"))
    return known.value, array.shape(first)[0] if known.value is None else known.value


def _at_least(value: Tensor, rank: int) -> TensorShape:
    try:
        return value.shape.with_rank_at_least(rank)
    except ValueError as error:
        raise ValueError(error_text(str(error), [value])) from None


@atomic
def static_state_saving_rnn(
    cell: Any, inputs: Any, state_saver: Any, state_name: Any, sequence_length: Any = None, scope: Any = None
) -> tuple[list[Any], Any]:
    """`static_rnn` on t inputs [n, d] that takes its initial state from `state_saver.state(name)` and saves the last one by
    `state_saver.save_state(name, value)`; the last output and the state wait for that.

    state_name: a name, or one for each part of the cell's state.

    Raises: ValueError for names that are not as many as the parts; else as `static_rnn`.
    """
    steps.assert_like_rnncell("cell", cell)
    is_nested = nest.is_nested(cell.state_size)
    if is_nested != nest.is_nested(state_name):
        raise ValueError(
            error_text(
                "state_name should be the same type as cell.state_size.  "
                f"state_name: {state_name}, cell.state_size: {cell.state_size}"
            )
        )
    names, parts = nest.flatten(state_name), nest.flatten(cell.state_size)
    if len(names) != len(parts):
        raise ValueError(error_text(f"#elems(state_name) != #elems(state_size): {len(names)} vs. {len(parts)}"))
    first = nest.pack_sequence_as(cell.state_size, [state_saver.state(name) for name in names])
    outputs, state = static_rnn(cell, inputs, first, sequence_length=sequence_length, scope=scope)
    saved = [state_saver.save_state(name, part) for name, part in zip(names, nest.flatten(state))]
    with waiting_for(saved):
        outputs[-1] = nest.map_structure(identity, outputs[-1])
        state = nest.map_structure(identity, state)
    return outputs, state


@atomic
def static_bidirectional_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any, Any]:
    """([outputs [n, units forward + units backward], one a step], state forward, state backward) of two cells; the second
    reads the list of t inputs [n, d] from its end.

    Raises: TypeError and ValueError as `static_rnn`.
    """
    steps.assert_like_rnncell("cell_fw", cell_fw)
    steps.assert_like_rnncell("cell_bw", cell_bw)
    _check_steps(inputs)
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as opened:
            forward, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length, opened)
        with variable_scope("bw") as opened:
            turned = _reversed(inputs, sequence_length)
            backward, state_bw = static_rnn(cell_bw, turned, initial_state_bw, dtype, sequence_length, opened)
    backward = _reversed(backward, sequence_length)
    pairs = zip(nest.flatten(forward), nest.flatten(backward))
    outputs = nest.pack_sequence_as(forward, [array.concat(pair, 1) for pair in pairs])
    return outputs, state_fw, state_bw


def _reversed(values: Any, lengths: Any) -> list[Any]:
    """The list of t tensors [n, …] from its end, or, with lengths [n], each sequence from its own end."""
    if lengths is None:
        return list(reversed(values))
    turned = []
    for parts in zip(*map(nest.flatten, values)):
        shape = unknown_shape(parts[0].shape.ndims)
        for part in parts:
            shape = shape.merge_with(part.shape)
        for part in parts:
            part.set_shape(shape)
        joined = array.reverse_sequence(array.stack(parts), lengths, 0, 1)
        results = slicing.unstack(joined)
        for result in results:
            result.set_shape(shape)
        turned.append(results)
    return [nest.pack_sequence_as(value, parts) for value, parts in zip(values, zip(*turned))]


__all__ = ["static_bidirectional_rnn", "static_rnn", "static_state_saving_rnn"]
