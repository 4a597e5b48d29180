"""Long sequences in pieces: `tf.contrib.training.batch_sequences_with_states` and `SequenceQueueingStateSaver`.

    batch = tf.contrib.training.batch_sequences_with_states(
        key, {"words": words}, {"label": label}, length, {"state": tf.zeros([8])}, num_unroll=20, batch_size=32)
    state = step(batch.sequences["words"], batch.state("state"))
    keep = batch.save_state("state", state)      # run it with each batch: the next piece of each sequence begins with it

A barrier holds the pieces: one is whole as soon as the state of the piece before it has been saved. No state of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ...base import dtypes, errors
from ...base.dtypes import DType
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ...lib.arrays import array
from ...lib.arrays.sequences import range as range_of
from ...lib.arrays.slicing import boolean_mask
from ...lib.checks import asserts
from ...lib.control.grouping import group, identity
from ...lib.framework.scope_blocks import control_dependencies, name_scope
from ...lib.math import math, random
from ...lib.math.reductions import reduce_sum
from ...lib.sparse import sparse
from ...lib.strings.strings import join
from ...lib.summaries import summary
from ...op.composites import SparseTensor
from ...op.constant import constant
from ...ops.text_conversion import as_string
from .barriers import Barrier
from .queues import FIFOQueue
from .runners import QueueRunner, add_queue_runner
from .sparse_elements import as_component, restored, stored

_MANY = 100_000_000  # the random numbers that make keys unique are below it
_ENDS = (errors.OutOfRangeError, errors.CancelledError)


class SequenceQueueingStateSaver:
    """Cuts sequences into pieces of `num_unroll` steps, and carries states from a sequence's piece to its next one.

    `prefetch_op` puts a sequence in, `next_batch` takes pieces of several sequences out.
    input_length: how many steps of the sequence count, int32 scalar. input_key: a string scalar, another one for each sequence.
    input_sequences: {name: [time, …]} with a time that num_unroll divides; input_context: {name: […]}, the same in each piece;
    initial_states: {name: […]}. capacity: how many sequences may be under way; None: any number.
    allow_small_batch: once closed, batches may have fewer pieces.

    Raises: TypeError for a length or a key of another dtype and for what is no dictionary; ValueError for a length or key that is
    no scalar, without sequences or states, for num_unroll below 1, and for shapes that are not known. The run of `prefetch_op`
    raises InvalidArgumentError for a length or times that do not fit.
    """

    @atomic
    def __init__(
        self,
        batch_size: Any,
        num_unroll: Any,
        input_length: Any,
        input_key: Any,
        input_sequences: Mapping[str, Any],
        input_context: Mapping[str, Any],
        initial_states: Mapping[str, Any],
        capacity: int | None = None,
        allow_small_batch: bool = False,
        name: str | None = None,
    ) -> None:
        for what, given in (
            ("input_sequences", input_sequences), ("input_context", input_context), ("initial_states", initial_states)
        ):
            if not isinstance(given, Mapping):
                raise TypeError(error_text(f"{what} must be a dictionary of tensors, but is {given!r}."))
        if not isinstance(num_unroll, int) or num_unroll < 1:
            raise ValueError(error_text(f"num_unroll must be a number of steps from 1 on, but is {num_unroll!r}."))
        if not input_sequences:
            raise ValueError(error_text("must have at least one sequence tensor"))
        if not initial_states:
            raise ValueError(
                error_text(
                    "initial_states may not be empty: at least one state variable is required to properly enqueue split "
                    "sequences to run in separate iterations"
                )
            )
        self._slots = FIFOQueue(-1 if capacity is None else capacity, [dtypes.int32], [[]])
        self._small = allow_small_batch
        with name_scope(name, "InputQueueingStateSaver") as scope:
            self._scope: str = scope
            self._batch_size, self._unroll = batch_size, num_unroll
            self._length = _scalar("length", input_length, dtypes.int32)
            self._key = _scalar("key", input_key, dtypes.string)
            self._sequences = {key: as_component(input_sequences[key]) for key in sorted(input_sequences)}
            self._context = {key: convert_to_tensor(input_context[key]) for key in sorted(input_context)}
            self._states = {key: convert_to_tensor(initial_states[key]) for key in sorted(initial_states)}
            self._time = identity(array.shape(next(iter(self._sequences.values())))[0], name="padded_length")
            self._pieces = math.floordiv(math.cast(self._time, dtypes.int32), num_unroll)
            with control_dependencies(self._checks()):
                cut = [self._cut(key, value) for key, value in self._sequences.items()]
            self._cut_sequences, self._notes = stored(cut, True, constant(True))
            components = [
                (dtypes.int32, []), (dtypes.int32, []), (dtypes.string, []), (dtypes.int32, []), (dtypes.int32, []),
                *[(tensor.dtype, _known("sequence", key, tensor)) for key, tensor in zip(self._sequences, self._cut_sequences)],
                *[(tensor.dtype, _whole("context", key, tensor.shape)) for key, tensor in self._context.items()],
                *[(tensor.dtype, _whole("state", key, tensor.shape)) for key, tensor in self._states.items()],
            ]  # fmt: skip
            self._first_state = len(components) - len(self._states)
            self._barrier = Barrier(*map(list, zip(*components)), name="barrier")

    def _checks(self) -> list[Operation]:
        """That the sequences have one time, which num_unroll divides, and that the length is within it."""
        rest = math.floormod(self._time, self._unroll)
        text = f"The time of a sequence must be a multiple of num_unroll ({self._unroll}). Consider setting pad=True."
        checks = [asserts.assert_equal(rest, array.zeros_like(rest), data=[text, self._time])]
        checks.append(asserts.assert_less_equal(
            self._length, math.cast(self._time, dtypes.int32),
            data=["Input length should be <= than length from sequences:", self._length, " vs. ", self._time],
        ))  # fmt: skip
        for key, value in self._sequences.items():
            text = f"The sequences must have one time, but that of {key} differs:"
            checks.append(asserts.assert_equal(array.shape(value)[0], self._time, data=[text, array.shape(value)[0], self._time]))
        return checks

    def _cut(self, key: str, value: Any) -> Any:
        """A sequence [time, …] as [pieces, num_unroll, …]."""
        if isinstance(value, SparseTensor):
            sizes = array.concat([[math.cast(self._pieces, dtypes.int64), self._unroll], value.dense_shape[1:]], 0)
            return sparse.reshape(value, sizes)
        rest = value.shape.as_list()[1:] if value.shape.ndims else None
        if rest is None or None in rest:
            text = f"Shape for sequence {key} is not fully defined (ignoring first dimension): {value.shape}"
            raise ValueError(error_text(text, [value]))
        cut = array.reshape(value, array.stack([self._pieces, self._unroll, *rest]), name=f"reshape_sequences_{key}")
        cut.set_shape([None, self._unroll, *rest])
        return cut

    @property
    def name(self) -> str:
        return self._scope

    @property
    def barrier(self) -> Barrier:
        return self._barrier

    @property
    def batch_size(self) -> Any:
        return self._batch_size

    @property
    def num_unroll(self) -> Any:
        return self._unroll

    @cached_property
    @atomic
    def prefetch_op(self) -> Operation:
        """The operation that puts the pieces of one sequence in; it waits while `capacity` sequences are under way."""
        with name_scope(self._scope), control_dependencies([self._slots.enqueue([0])]):
            numbers = range_of(self._pieces)
            count = as_string(self._pieces, width=5, fill="0")
            keys = join([as_string(numbers, width=5, fill="0"), "_of_", count, ":", self._key], name="StringJoinCurrentKeys")
            last = array.expand_dims(join(["STOP:", self._key]), 0)

            def repeated(tensor: Any) -> Tensor:
                ones = array.ones(array.stack([array.rank(tensor)]), dtypes.int32)
                return array.tile(array.expand_dims(tensor, 0), array.concat([[self._pieces], ones], 0))

            left = math.maximum(self._length - numbers * self._unroll, 0)
            values = {
                "Length": math.minimum(left, self._unroll), "TotalLength": repeated(self._length),
                "NextKey": array.concat([keys[1:], last], 0, name="concat_next_keys"), "Sequence": numbers,
                "SequenceCount": repeated(self._pieces),
                **{f"Sequences_{key}": cut for key, cut in zip(self._sequences, self._cut_sequences)},
                **{f"Context_{key}": repeated(value) for key, value in self._context.items()},
            }  # fmt: skip
            puts = [
                self._barrier.insert_many(i, keys, value, name=f"BarrierInsert{what}")
                for i, (what, value) in enumerate(values.items())
            ]
            with control_dependencies(puts):
                puts += [
                    self._barrier.insert_many(
                        self._first_state + i, keys[:1], array.expand_dims(state, 0), name=f"BarrierInitialInsertState_{key}"
                    )
                    for i, (key, state) in enumerate(self._states.items())
                ]
            return group(*puts, name="StateSaverPrefetchGroup")  # type: ignore[no-any-return]

    @cached_property
    def next_batch(self) -> NextQueuedSequenceBatch:
        """The next pieces of batch_size sequences, one piece of each."""
        return NextQueuedSequenceBatch(self)

    @atomic
    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation:
        """No further sequences; the pieces of those that are in still come. cancel_pending_enqueues: of those that are whole."""
        with name_scope(name, "SQSSClose", [self._barrier.barrier_ref]) as scope:
            closed = self._barrier.close(cancel_pending_enqueues, name="BarrierClose")
            return group(closed, self._slots.close(cancel_pending_enqueues, name="FIFOClose"), name=scope)  # type: ignore[no-any-return]


class NextQueuedSequenceBatch:
    """Pieces of sequences, one row each, and the way to save the states with which their next pieces begin.

    A piece of several sequences [batch, num_unroll, …]. Runs that take a batch must also run `save_state` for every state.
    """

    @atomic
    def __init__(self, state_saver: SequenceQueueingStateSaver) -> None:
        self._saver = saver = state_saver
        with name_scope(saver._scope):
            taken = saver._barrier.take_many(saver._batch_size, saver._small, name="BarrierTakeMany")
            self._indices, self._keys = taken.indices, taken.keys
            self._length, self._total, self._next_key, self._sequence, self._count, *rest = taken.values
            sequences = restored(rest[: len(saver._sequences)], saver._notes)
            rest = rest[len(saver._sequences) :]
            self._sequences = dict(zip(saver._sequences, sequences))
            self._context = dict(zip(saver._context, rest))
            self._batch_size = array.squeeze(array.shape(self._length))
            self._is_last = math.greater_equal(self._sequence + 1, self._count)
            ended = reduce_sum(math.cast(self._is_last, dtypes.int32))
            with control_dependencies([saver._slots.dequeue_many(ended)]):
                self._states = {
                    key: identity(value) for key, value in zip(saver._states, rest[len(saver._context) :])
                }

    @property
    def key(self) -> Tensor:
        """The pieces' keys, `00001_of_00003:` and the sequence's key: [batch]."""
        return self._keys  # type: ignore[no-any-return]

    @property
    def next_key(self) -> Tensor:
        """The keys of the next pieces, `STOP:` and the sequence's key behind the last one: [batch]."""
        return self._next_key  # type: ignore[no-any-return]

    @property
    def length(self) -> Tensor:
        """How many steps of the pieces count: [batch], int32."""
        return self._length  # type: ignore[no-any-return]

    @property
    def total_length(self) -> Tensor:
        """The lengths of the whole sequences: [batch], int32."""
        return self._total  # type: ignore[no-any-return]

    @property
    def sequence(self) -> Tensor:
        """The pieces' numbers within their sequences, from 0: [batch], int32."""
        return self._sequence  # type: ignore[no-any-return]

    @property
    def sequence_count(self) -> Tensor:
        """How many pieces the sequences have: [batch], int32."""
        return self._count  # type: ignore[no-any-return]

    @property
    def insertion_index(self) -> Tensor:
        """Numbers in the order in which the pieces came in: [batch], int64."""
        return self._indices  # type: ignore[no-any-return]

    @property
    def batch_size(self) -> Tensor:
        """The number of pieces: a scalar, int32."""
        return self._batch_size

    @property
    def sequences(self) -> dict[str, Any]:
        """The pieces [batch, num_unroll, …] by name."""
        return self._sequences

    @property
    def context(self) -> dict[str, Tensor]:
        """The context [batch, …] by name."""
        return self._context

    def state(self, state_name: str) -> Tensor:
        """The states with which the pieces begin: [batch, …]. Raises: KeyError for no state's name."""
        return self._states[state_name]

    @atomic
    def save_state(self, state_name: str, value: Any, name: str | None = None) -> Operation:
        """The operation that gives the next pieces of these sequences their state: value [batch, …].

        Raises: KeyError for no state's name, ValueError for another shape.
        """
        if state_name not in self._states:
            raise KeyError(f"state was not declared: {state_name}")
        saver, known = self._saver, self._states[state_name]
        with name_scope(name, "InputQueueingStateSaver_SaveState"):
            state = identity(convert_to_tensor(value, known.dtype), name=f"convert_{state_name}")
            state.set_shape(known.shape)
            goes_on = math.logical_not(self._is_last)
            return saver._barrier.insert_many(
                saver._first_state + list(self._states).index(state_name), boolean_mask(self._next_key, goes_on),
                boolean_mask(state, goes_on), name=f"BarrierInsertState_{state_name}",
            )  # fmt: skip


def _scalar(name: str, value: Any, dtype: DType) -> Tensor:
    tensor: Tensor = convert_to_tensor(value, name=name)
    if tensor.dtype is not dtype:
        raise TypeError(error_text(f"{name} dtype must be {dtype.name}, but received: {tensor.dtype}", [tensor]))
    if tensor.shape.ndims not in (None, 0):
        raise ValueError(error_text(f"Rank check failed for {tensor.name}: Shape {tensor.shape} must have rank 0", [tensor]))
    return tensor


def _known(what: str, key: str, tensor: Tensor) -> Any:
    return _whole(what, key, tensor.shape[1:])


def _whole(what: str, key: str, shape: Any) -> Any:
    if not shape.is_fully_defined():
        raise ValueError(error_text(f"Shape for {what} {key} is not fully defined : {shape}"))
    return shape


@atomic
def batch_sequences_with_states(
    input_key: Any,
    input_sequences: Mapping[str, Any],
    input_context: Mapping[str, Any],
    input_length: Any,
    initial_states: Mapping[str, Any],
    num_unroll: int,
    batch_size: Any,
    num_threads: int = 3,
    capacity: int = 1000,
    allow_small_batch: bool = True,
    pad: bool = True,
    make_keys_unique: bool = False,
    make_keys_unique_seed: int | None = None,
    name: str | None = None,
) -> NextQueuedSequenceBatch:
    """The next batch of a SequenceQueueingStateSaver, into which threads of a QueueRunner put the sequences of successive runs.

    input_length: None for the time of the sequences. pad: fills the sequences up to a time that num_unroll divides.
    make_keys_unique: adds random numbers to the keys, so that a sequence may come again. The other arguments are those of
    SequenceQueueingStateSaver.
    """
    with name_scope(name, "batch_sequences_with_states"):
        key, length = input_key, input_length
        sequences = dict(input_sequences)
        if length is None and sequences:
            length = math.cast(array.shape(as_component(sequences[min(sequences)]))[0], dtypes.int32)
        if make_keys_unique:
            number = random.random_uniform([], maxval=_MANY, dtype=dtypes.int32, seed=make_keys_unique_seed)
            key = join([key, as_string(number)])
        if pad:
            sequences = {name: _padded(as_component(value), num_unroll) for name, value in sequences.items()}
        saver = SequenceQueueingStateSaver(
            batch_size, num_unroll, length, key, sequences, input_context, initial_states, capacity, allow_small_batch
        )
        add_queue_runner(QueueRunner(saver, [saver.prefetch_op] * num_threads, queue_closed_exception_types=_ENDS))
        ready = math.cast(saver.barrier.ready_size(), dtypes.float32)
        summary.scalar(f"queue/{saver.barrier.name}/ready_segment_batches_", ready)
        return saver.next_batch


def _padded(value: Any, num_unroll: int) -> Any:
    """The sequence with a time that num_unroll divides, at least that."""
    if isinstance(value, SparseTensor):
        time = value.dense_shape[0]
        whole = time + math.floormod(-time, num_unroll)
        return sparse.reset_shape(value, array.concat([[whole], value.dense_shape[1:]], 0))
    time = array.shape(value)[0]
    missing = math.floormod(-time, num_unroll)
    rest = [[0, 0]] * ((value.shape.ndims or 1) - 1)
    return array.pad(value, array.stack([array.stack([0, missing]), *rest]))


__all__ = ["NextQueuedSequenceBatch", "SequenceQueueingStateSaver", "batch_sequences_with_states"]
