"""`raw_rnn(cell, loop_fn)`: a loop whose inputs, states and end a function of the program decides at each step. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape, dimension_at_index
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.control.tensor_array import TensorArray
from ...lib.control.while_loop import assert_alike, while_loop
from ...lib.framework import nest
from ...lib.math import math, reductions
from ...lib.variables.variable_scope import variable_scope
from ...op.constant import constant
from . import sizes, steps


@atomic
def raw_rnn(
    cell: Any,
    loop_fn: Callable[..., Any],
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    scope: Any = None,
) -> tuple[Any, Any, Any]:
    """(a TensorArray of what was emitted, each [n, units]; the last state [n, units]; the last loop state).

    loop_fn(time, cell's output, cell's state, loop state) returns (finished [n], next input [n, d], next state, what to emit,
    next loop state); its first call gets None for all but the time, and its fourth result there tells the structure, shapes
    and dtypes of what is emitted (None: the cell's output). The loop ends when all are finished.

    Raises: TypeError for something that is no cell or no function; ValueError for structures that differ.
    """
    steps.assert_like_rnncell("cell", cell)
    if not callable(loop_fn):
        raise TypeError(error_text("loop_fn must be a callable"))
    with variable_scope(scope or "rnn") as opened:
        steps.cache_reads(opened)
        time = constant(0)
        finished, first_input, state, emitted, first_loop_state = loop_fn(time, None, None, None)
        loop_state = constant(0) if first_loop_state is None else first_loop_state
        known_batch, batch_size = _batch_sizes(nest.flatten(first_input))
        assert_alike(state, cell.state_size, fix="loop_fn's first state has the structure of the cell's state_size")
        state = nest.map_structure(convert_to_tensor, state)
        emitted, arrays, zeros = _emitted(cell, emitted, state, known_batch, batch_size)

        def body(
            time: Tensor, finished: Tensor, current: Any, arrays: Any, state: Any, loop_state: Any
        ) -> tuple[Any, ...]:
            output, cell_state = cell(current, state)
            assert_alike(state, cell_state)
            assert_alike(cell.output_size, output)
            next_time = time + 1
            ended, following, next_state, emit, next_loop_state = loop_fn(next_time, output, cell_state, loop_state)
            assert_alike(state, next_state)
            assert_alike(current, following)
            assert_alike(arrays, emit)

            def kept(before: Any, after: Any) -> Any:
                return nest.map_structure(lambda b, a: steps.keep_where(finished, b, a), before, after)

            emit, next_state = kept(zeros, emit), kept(state, next_state)
            written = nest.map_structure(lambda target, value: target.write(time, value), arrays, emit)
            finished = math.logical_or(finished, ended)
            return (
                next_time, finished, following, written, next_state,
                loop_state if next_loop_state is None else next_loop_state,
            )  # fmt: skip

        *_, arrays, state, loop_state = while_loop(
            lambda time, finished, *_: math.logical_not(reductions.reduce_all(finished)),
            body,
            [time, finished, first_input, arrays, state, loop_state],
            parallel_iterations=parallel_iterations or 32,
            swap_memory=swap_memory,
        )
        return arrays, state, None if first_loop_state is None else loop_state


def _batch_sizes(flat_inputs: list[Tensor]) -> tuple[int | None, Any]:
    """The static n of inputs [n, …], and n as an int or a scalar tensor."""
    known = dimension_at_index(flat_inputs[0].shape, 0)
    for value in flat_inputs:
        known = known.merge_with(dimension_at_index(value.shape, 0))
    size = known.value
    return size, array.shape(flat_inputs[0])[0] if size is None else size


def _emitted(cell: Any, emitted: Any, state: Any, known_batch: int | None, batch_size: Any) -> tuple[Any, Any, Any]:
    """The structure of what each step emits, a TensorArray for each part, and zeros [n, …] for each part."""
    if emitted is None:
        emitted = cell.output_size
        part_sizes = nest.flatten(emitted)
        kinds = [nest.flatten(state)[0].dtype] * len(part_sizes)
    else:
        parts = nest.flatten(emitted)
        part_sizes = [part.shape if part.shape.is_fully_defined() else array.shape(part) for part in parts]
        kinds = [part.dtype for part in parts]
    arrays = [
        TensorArray(
            kind,
            size=0,
            dynamic_size=True,
            element_shape=TensorShape([known_batch]).concatenate(sizes.known_part(size)),
            name=f"rnn_output_{i}",
        )
        for i, (size, kind) in enumerate(zip(part_sizes, kinds))
    ]
    zeros = [array.zeros(sizes.joined(batch_size, size), kind) for size, kind in zip(part_sizes, kinds)]
    return emitted, nest.pack_sequence_as(emitted, arrays), nest.pack_sequence_as(emitted, zeros)


__all__ = ["raw_rnn"]
