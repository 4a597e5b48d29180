"""`dynamic_decode(decoder)`: the steps of a decoder in a while loop, until every sequence has ended. No state.

The outputs of a step go into TensorArrays, which are stacked after the loop.
"""

from __future__ import annotations

import abc
import contextlib
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...lib.arrays import array, selection
from ...lib.control.tensor_array import TensorArray
from ...lib.control.while_loop import while_loop
from ...lib.framework import nest
from ...lib.framework.static_value import constant_value
from ...lib.math import math, reductions
from ...lib.variables.variable_scope import variable_scope
from ...op.constant import constant
from ..rnn import sizes, steps


class Decoder(abc.ABC):
    """What `dynamic_decode` calls: `initialize` once, `step` at each time, `finalize` after the loop.

    A subclass tells batch_size (a number or a scalar tensor), and output_size and output_dtype, structures of the outputs' shapes
    without the batch and of their dtypes.
    """

    @property
    def batch_size(self) -> Any:
        """The number of sequences."""
        raise NotImplementedError

    @property
    def output_size(self) -> Any:
        """The shapes of a step's outputs, without the batch."""
        raise NotImplementedError

    @property
    def output_dtype(self) -> Any:
        """The dtypes of a step's outputs."""
        raise NotImplementedError

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """(which sequences have ended [n], the first inputs, the first state)."""
        raise NotImplementedError

    @abc.abstractmethod
    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """(the outputs, the next state, the next inputs, which sequences have ended [n])."""
        raise NotImplementedError

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        """(the outputs [t, n, …], the last state), changed after the loop."""
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """Whether `step` tells itself which sequences have ended, and one that had ended may go on."""
        return False


@atomic
def dynamic_decode(
    decoder: Any,
    output_time_major: bool = False,
    impute_finished: bool = False,
    maximum_iterations: Any = None,
    parallel_iterations: int = 32,
    swap_memory: bool = False,
    scope: Any = None,
    **kwargs: Any,
) -> tuple[Any, Any, Any]:
    """(outputs [n, t, …], the last state, the lengths int32 [n]): the decoder's steps until all sequences have ended.

    output_time_major: outputs are [t, n, …]. impute_finished: a sequence that has ended has outputs 0 and keeps its state.
    maximum_iterations: the most steps, an int32 scalar. parallel_iterations, swap_memory: as for `while_loop`. scope: of the
    decoder's variables, "decoder" by default.

    Raises: TypeError for something that is no Decoder; ValueError for maximum_iterations that are no scalar.
    """
    if not isinstance(decoder, Decoder):
        raise TypeError(error_text(f"Expected decoder to be type Decoder, but saw: {type(decoder)}"))
    with variable_scope(scope, "decoder") as opened:
        steps.cache_reads(opened)
        if maximum_iterations is not None:
            maximum_iterations = convert_to_tensor(maximum_iterations, dtype=dtypes.int32, name="maximum_iterations")
            if maximum_iterations.shape.ndims != 0:
                raise ValueError(error_text("maximum_iterations must be a scalar", [maximum_iterations]))
        finished, inputs, state = decoder.initialize()
        zeros = nest.map_structure(
            lambda size, dtype: sizes.zero_state(size, decoder.batch_size, dtype), decoder.output_size, decoder.output_dtype
        )
        if maximum_iterations is not None:
            finished = math.logical_or(finished, maximum_iterations <= 0)
        lengths = array.zeros_like(finished, dtype=dtypes.int32)
        time = constant(0, dtype=dtypes.int32)
        arrays = nest.map_structure(
            lambda size, dtype: TensorArray(dtype, size=0, dynamic_size=True, element_shape=_batched(decoder.batch_size, size)),
            decoder.output_size, decoder.output_dtype,
        )  # fmt: skip

        def goes_on(time: Any, arrays: Any, state: Any, inputs: Any, finished: Any, lengths: Any) -> Any:
            return math.logical_not(reductions.reduce_all(finished))

        def body(time: Any, arrays: Any, state: Any, inputs: Any, finished: Any, lengths: Any) -> Any:
            outputs, next_state, next_inputs, has_finished = decoder.step(time, inputs, state)
            next_finished = has_finished if decoder.tracks_own_finished else math.logical_or(has_finished, finished)
            next_lengths = selection.where(
                math.logical_not(finished), array.fill(array.shape(lengths), time + 1), lengths
            )
            nest.assert_same_structure(state, next_state)
            nest.assert_same_structure(arrays, outputs)
            nest.assert_same_structure(inputs, next_inputs)
            if impute_finished:
                outputs = nest.map_structure(lambda out, zero: selection.where(finished, zero, out), outputs, zeros)
                next_state = nest.map_structure(lambda new, old: _kept(finished, new, old), next_state, state)
            arrays = nest.map_structure(lambda each, out: each.write(time, out), arrays, outputs)
            return time + 1, arrays, next_state, next_inputs, next_finished, next_lengths

        _, arrays, state, _, _, lengths = while_loop(
            goes_on, body, loop_vars=(time, arrays, state, inputs, finished, lengths), parallel_iterations=parallel_iterations,
            maximum_iterations=maximum_iterations, swap_memory=swap_memory,
        )  # fmt: skip
        outputs = nest.map_structure(lambda each: each.stack(), arrays)
        with contextlib.suppress(NotImplementedError):  # most decoders change nothing after the loop
            outputs, state = decoder.finalize(outputs, state, lengths)
        if not output_time_major:
            outputs = nest.map_structure(sizes.transpose_batch_time, outputs)
    return outputs, state, lengths


def _batched(batch_size: Any, size: Any) -> TensorShape | None:
    """The shape of a step's output, as far as it is known."""
    if not isinstance(size, TensorShape) or size.ndims == 0:
        return None
    known = constant_value(convert_to_tensor(batch_size, name="batch_size"))
    return TensorShape([known]).concatenate(size)


def _kept(finished: Any, new: Any, old: Any) -> Any:
    """The new state, or the old one of sequences that have ended; TensorArrays and scalars have no sequences."""
    if isinstance(old, TensorArray):
        return new
    new.set_shape(old.shape)
    return new if new.shape.ndims == 0 else selection.where(finished, old, new)


__all__ = ["Decoder", "dynamic_decode"]
