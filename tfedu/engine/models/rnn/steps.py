"""What all recurrent loops do at each step: check the cell, keep the state of sequences that have ended. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.dtypes import int32
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.arrays.selection import where
from ...lib.checks.asserts import Assert
from ...lib.control.cond import cond
from ...lib.control.grouping import identity
from ...lib.control.tensor_array import TensorArray
from ...lib.control.while_loop import assert_alike
from ...lib.framework import nest
from ...lib.framework.scope_blocks import colocate_with, waiting_for
from ...lib.math import math, reductions

ASSERT_LIKE_RNNCELL_ERROR_REGEXP = "is not an RNNCell"


def assert_like_rnncell(cell_name: str, cell: Any) -> None:
    """Raises: TypeError for a cell without `state_size`, `output_size`, a zero state or a call. cell_name: the argument."""
    lacks = [
        text
        for text, has in (
            ("'output_size' property is missing", hasattr(cell, "output_size")),
            ("'state_size' property is missing", hasattr(cell, "state_size")),
            (
                "either 'zero_state' or 'get_initial_state' method is required",
                hasattr(cell, "zero_state") or hasattr(cell, "get_initial_state"),
            ),
            ("is not callable", callable(cell)),
        )
        if not has
    ]
    if lacks:
        fix = f"create it first: {cell.__name__}(…)" if isinstance(cell, type) else None
        raise TypeError(error_text(f"The argument {cell_name!r} ({cell}) is not an RNNCell: {', '.join(lacks)}.", fix=fix))


def cache_reads(scope: Any) -> None:
    """Lets variables made in a variable scope keep their reads on their own device, but not inside a loop."""
    context = get_default_graph()._get_control_flow_context()
    if scope.caching_device is None and (context is None or context.loop is None):
        scope.set_caching_device(lambda op: op.device)


def first_state(cell: Any, batch_size: Any, dtype: Any, without_dtype: str) -> Any:
    """The cell's zero state for a batch. without_dtype: the text of the error that asks for a dtype."""
    if not dtype:
        raise ValueError(error_text(without_dtype, fix="pass dtype=tf.float32 or an initial state"))
    if getattr(cell, "get_initial_state", None) is not None:
        return cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)
    return cell.zero_state(batch_size, dtype)


def as_lengths(sequence_length: Any) -> Tensor:
    """The lengths as an int32 vector [n].

    Raises: ValueError for another rank.
    """
    lengths: Tensor = math.cast(sequence_length, int32)
    if lengths.shape.ndims not in (None, 1):
        raise ValueError(
            error_text(
                f"sequence_length must be a vector of length batch_size, but saw shape: {lengths.shape}", [lengths]
            )
        )
    return identity(lengths, name="sequence_length")


def with_shape_checked(x: Tensor, shape: list[Any], name: str) -> Tensor:
    """x, read after a check in the run that it has the shape."""
    sizes, wanted = array.shape(x), array.stack(shape)
    holds = reductions.reduce_all(math.equal(sizes, wanted))
    check = Assert(holds, [f"Expected shape for Tensor {x.name} is ", wanted, " but saw shape: ", sizes])
    with waiting_for([check]):
        return identity(x, name=name)


def keep_where(ended: Tensor, before: Any, after: Any) -> Any:
    """`before` in the rows whose sequences have ended, else `after`; a TensorArray or a scalar is always taken new."""
    if isinstance(before, TensorArray) or before.shape.ndims == 0:
        return after
    with colocate_with(after):
        return where(ended, before, after)


def step(
    time: Any,
    lengths: Tensor,
    shortest: Tensor | None,
    longest: Tensor | None,
    zero_output: Any,
    state: Any,
    call_cell: Callable[[], tuple[Any, Any]],
) -> tuple[Any, Any]:
    """The cell's output and next state at a time; a sequence that has ended gives zeros and keeps its state.

    shortest, longest: of the lengths, to skip the cell when all sequences have ended, and the choice when none has; None
    calls the cell and chooses in any case, as a loop does that ends in time.
    """
    old = [*nest.flatten(zero_output), *nest.flatten(state)]
    ended = time >= lengths
    like: list[Any] = []

    def new() -> list[Any]:
        output, next_state = call_cell()
        assert_alike(zero_output, output, fix="a cell's output has the structure of its output_size")
        assert_alike(state, next_state, fix="a cell returns its next state in the structure of the state")
        like[:] = [output, next_state]
        return [*nest.flatten(output), *nest.flatten(next_state)]

    def chosen(values: list[Any]) -> list[Any]:
        return [keep_where(ended, before, after) for before, after in zip(old, values)]

    if shortest is None or longest is None:
        values = chosen(new())
    else:

        def running() -> Any:
            values = new()
            return cond(time < shortest, lambda: values, lambda: chosen(values))

        values = cond(time >= longest, lambda: old, running)
    for before, value in zip(old, values):
        if not isinstance(value, TensorArray):
            value.set_shape(before.shape)
    count = len(nest.flatten(zero_output))
    return nest.pack_sequence_as(zero_output, values[:count]), nest.pack_sequence_as(state, values[count:])
