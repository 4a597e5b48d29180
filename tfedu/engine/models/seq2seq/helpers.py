"""Helpers of decoders: which input a cell reads next, and when a sequence ends.

In training the true word comes next (`TrainingHelper`), or now and then one that was drawn (the scheduled helpers); else the word
that the decoder found best (`GreedyEmbeddingHelper`) or drew (`SampleEmbeddingHelper`).
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection
from ...lib.control.cond import cond
from ...lib.control.tensor_array import TensorArray
from ...lib.framework import nest
from ...lib.framework.scope_blocks import named
from ...lib.math import math, random, reductions
from ...lib.nn.embeddings import embedding_lookup
from ...lib.variables.scatter import scatter_nd
from ..layers.layer import Layer
from ..rnn import sizes


class Helper(abc.ABC):
    """What `BasicDecoder` asks: what to draw from a step's output, and which input comes next."""

    @property
    def batch_size(self) -> Any:
        """The number of sequences, a scalar tensor."""
        raise NotImplementedError

    @property
    def sample_ids_shape(self) -> TensorShape:
        """The shape of what is drawn from one output."""
        raise NotImplementedError

    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of what is drawn."""
        raise NotImplementedError

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """(which sequences have ended [n], the first inputs)."""
        raise NotImplementedError

    @abc.abstractmethod
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """What is drawn from the outputs [n, size]."""
        raise NotImplementedError

    @abc.abstractmethod
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        """(which sequences have ended [n], the next inputs, the next state)."""
        raise NotImplementedError


class _OfWords(Helper):
    """A helper that draws word numbers int32 [n]."""

    _batch_size: Any

    @property
    def batch_size(self) -> Any:
        """The number of sequences, a scalar tensor."""
        return self._batch_size

    @property
    def sample_ids_shape(self) -> TensorShape:
        """[]: one number for each sequence."""
        return TensorShape([])

    @property
    def sample_ids_dtype(self) -> Any:
        """int32."""
        return dtypes.int32


class CustomHelper(Helper):
    """A helper of three functions: initialize_fn() -> (finished, inputs); sample_fn(time, outputs, state) -> drawn;
    next_inputs_fn(time, outputs, state, sample_ids) -> (finished, inputs, state).

    sample_ids_shape, sample_ids_dtype: of what is drawn, a scalar int32 by default.
    """

    def __init__(
        self, initialize_fn: Any, sample_fn: Any, next_inputs_fn: Any, sample_ids_shape: Any = None, sample_ids_dtype: Any = None
    ) -> None:
        self._functions = initialize_fn, sample_fn, next_inputs_fn
        self._batch_size: Any = None
        self._sample_ids_shape = TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or dtypes.int32

    @property
    def batch_size(self) -> Any:
        """The number of sequences. Raises: ValueError before `initialize`."""
        if self._batch_size is None:
            raise ValueError(error_text("batch_size accessed before initialize was called"))
        return self._batch_size

    @property
    def sample_ids_shape(self) -> TensorShape:
        """The shape of what is drawn from one output."""
        return self._sample_ids_shape

    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of what is drawn."""
        return self._sample_ids_dtype

    def initialize(self, name: str | None = None) -> Any:
        """(which sequences have ended [n], the first inputs)."""
        with named(name, f"{type(self).__name__}Initialize"):
            finished, inputs = self._functions[0]()
            if self._batch_size is None:
                self._batch_size = array.size(finished)
        return finished, inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """What sample_fn draws."""
        with named(name, f"{type(self).__name__}Sample", nest.flatten((time, outputs, state))):
            return self._functions[1](time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        """What next_inputs_fn gives."""
        with named(name, f"{type(self).__name__}NextInputs", nest.flatten((time, outputs, state))):
            return self._functions[2](time=time, outputs=outputs, state=state, sample_ids=sample_ids)


# -- the true inputs -----------------------------------------------------------------------------------------------------


def _steps_of(value: Tensor) -> TensorArray:
    """value [t, n, …] as a TensorArray of its steps."""
    steps = TensorArray(value.dtype, size=array.shape(value)[0], element_shape=value.shape[1:])
    return steps.unstack(value)


class TrainingHelper(_OfWords):
    """The true inputs [n, t, …] of sequences with these lengths [n]; time_major: [t, n, …].

    Raises: ValueError for lengths that are no vector.
    """

    def __init__(self, inputs: Any, sequence_length: Any, time_major: bool = False, name: str | None = None) -> None:
        with named(name, "TrainingHelper", [*nest.flatten(inputs), sequence_length]):
            inputs = nest.map_structure(lambda each: convert_to_tensor(each, name="inputs"), inputs)
            self._inputs = inputs
            if not time_major:
                inputs = nest.map_structure(sizes.transpose_batch_time, inputs)
            self._steps = nest.map_structure(_steps_of, inputs)
            self._sequence_length = convert_to_tensor(sequence_length, name="sequence_length")
            if self._sequence_length.shape.ndims != 1:
                text = f"Expected sequence_length to be a vector, but received shape: {self._sequence_length.shape}"
                raise ValueError(error_text(text, [self._sequence_length]))
            self._zero_inputs = nest.map_structure(lambda each: array.zeros_like(each[0, :]), inputs)
            self._batch_size = array.size(sequence_length)

    @property
    def inputs(self) -> Any:
        """The inputs as they were given."""
        return self._inputs

    @property
    def sequence_length(self) -> Tensor:
        """The lengths [n]."""
        return self._sequence_length

    def _step(self, finished: Any, time: Any) -> Any:
        """The inputs of a step; zeros after the end of all sequences."""
        return cond(
            reductions.reduce_all(finished),
            lambda: self._zero_inputs,
            lambda: nest.map_structure(lambda steps: steps.read(time), self._steps),
        )

    def initialize(self, name: str | None = None) -> Any:
        """(which sequences are empty [n], the first inputs)."""
        with named(name, "TrainingHelperInitialize"):
            finished = math.equal(0, self._sequence_length)
            return finished, self._step(finished, 0)

    def sample(self, time: Any, outputs: Any, state: Any = None, name: str | None = None) -> Any:
        """The best word of the outputs [n, words]: int32 [n]."""
        with named(name, "TrainingHelperSample", nest.flatten([time, outputs])):
            return math.cast(reductions.argmax(outputs, axis=-1), dtypes.int32)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any = None, name: str | None = None
    ) -> Any:
        """(which sequences have ended [n], the next true inputs, the state)."""
        with named(name, "TrainingHelperNextInputs", nest.flatten([time, outputs, state])):
            next_time = time + 1
            finished = next_time >= self._sequence_length
            return finished, self._step(finished, next_time), state


def _drawn(probability: Any, count: Any, seed: int | None) -> Any:
    """bool [count]: True with that probability, a scalar or a vector."""
    shape = array.reshape(count, [1])
    return math.less(random.random_uniform(shape, seed=seed, dtype=probability.dtype), probability)


def _merged(base: Any, is_sampled: Any, sampled: Callable[[Any, Any], Any]) -> Any:
    """The rows of base [n, …]; where is_sampled, those that `sampled(rows' numbers, rows)` gives."""
    taken = math.cast(selection.where(is_sampled), dtypes.int32)
    kept = math.cast(selection.where(math.logical_not(is_sampled)), dtypes.int32)
    shape = array.shape(base)
    new = scatter_nd(taken, sampled(taken, selection.gather_nd(base, taken)), shape)
    return new + scatter_nd(kept, selection.gather_nd(base, kept), shape)


def _check_probability(probability: Any) -> Tensor:
    probability = convert_to_tensor(probability, name="sampling_probability")
    if probability.shape.ndims not in (0, 1):
        text = f"sampling_probability must be either a scalar or a vector. saw shape: {probability.shape}"
        raise ValueError(error_text(text, [probability]))
    return probability


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """The true inputs; with sampling_probability, a scalar or [n], the embedding of a word that is drawn from the last outputs.

    embedding: a table [words, d], or a function of word numbers. Source: Bengio et al., "Scheduled sampling" (2015).

    Raises: ValueError as TrainingHelper, and for a probability of another rank.
    """

    def __init__(
        self,
        inputs: Any,
        sequence_length: Any,
        embedding: Any,
        sampling_probability: Any,
        time_major: bool = False,
        seed: int | None = None,
        scheduling_seed: int | None = None,
        name: str | None = None,
    ) -> None:
        with named(name, "ScheduledEmbeddingSamplingWrapper", [sampling_probability]):
            self._embed = _embedding_function(embedding)
            self._probability = _check_probability(sampling_probability)
            self._seed, self._scheduling_seed = seed, scheduling_seed
            super().__init__(inputs, sequence_length, time_major, name)

    def sample(self, time: Any, outputs: Any, state: Any = None, name: str | None = None) -> Any:
        """Words int32 [n] that are drawn from the outputs [n, words], -1 where the true input comes next."""
        with named(name, "ScheduledEmbeddingTrainingHelperSample", nest.flatten([time, outputs, state])):
            draws = _drawn(self._probability, self._batch_size, self._scheduling_seed)
            words = _words_drawn(outputs, self._seed)
            return selection.where(draws, words, array.fill(array.reshape(self._batch_size, [1]), -1))

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any = None, name: str | None = None
    ) -> Any:
        """(which sequences have ended [n], the true inputs or embeddings of drawn words, the state)."""
        with named(name, "ScheduledEmbeddingTrainingHelperNextInputs", nest.flatten([time, outputs, state, sample_ids])):
            finished, base, state = super().next_inputs(time, outputs, state, sample_ids)

            def mixed() -> Any:
                words = lambda taken, _: self._embed(selection.gather_nd(sample_ids, taken))
                return _merged(base, math.greater(sample_ids, -1), words)

            return finished, cond(reductions.reduce_all(finished), lambda: base, mixed), state


class ScheduledOutputTrainingHelper(TrainingHelper):
    """The true inputs; with sampling_probability, a scalar or [n], the last outputs themselves.

    next_inputs_fn: a function or a layer that makes inputs of outputs. auxiliary_inputs: joined to all inputs, [n, t, …].

    Raises: ValueError as TrainingHelper, and for a probability of another rank.
    """

    def __init__(
        self,
        inputs: Any,
        sequence_length: Any,
        sampling_probability: Any,
        time_major: bool = False,
        seed: int | None = None,
        next_inputs_fn: Any = None,
        auxiliary_inputs: Any = None,
        name: str | None = None,
    ) -> None:
        with named(name, "ScheduledOutputTrainingHelper", [sampling_probability]):
            self._probability = _check_probability(sampling_probability)
            joined = inputs
            self._auxiliary = None
            if auxiliary_inputs is not None:
                joined = nest.map_structure(lambda x, y: array.concat((x, y), -1), inputs, auxiliary_inputs)
                if not time_major:
                    auxiliary_inputs = nest.map_structure(sizes.transpose_batch_time, auxiliary_inputs)
                self._auxiliary = nest.map_structure(_steps_of, auxiliary_inputs)
            self._seed = seed
            if isinstance(next_inputs_fn, Layer):
                self._change: Callable[[Any], Any] = next_inputs_fn.__call__
            else:
                self._change = next_inputs_fn or (lambda outputs: outputs)
            super().__init__(joined, sequence_length, time_major, name)

    def sample(self, time: Any, outputs: Any, state: Any = None, name: str | None = None) -> Any:
        """bool [n]: whether the last outputs come next."""
        with named(name, "ScheduledOutputTrainingHelperSample", nest.flatten([time, outputs, state])):
            return math.cast(_drawn(self._probability, self._batch_size, self._seed), dtypes.int32)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any = None, name: str | None = None
    ) -> Any:
        """(which sequences have ended [n], the true inputs or the last outputs, the state)."""
        with named(name, "ScheduledOutputTrainingHelperNextInputs", nest.flatten([time, outputs, state, sample_ids])):
            finished, base, state = super().next_inputs(time, outputs, state, sample_ids)
            is_sampled = math.cast(sample_ids, dtypes.bool)

            def with_auxiliary(outputs: Any, taken: Any) -> Any:
                if self._auxiliary is None:
                    return outputs
                added = nest.map_structure(lambda steps: steps.read(time + 1), self._auxiliary)
                added = nest.map_structure(lambda each: selection.gather_nd(each, taken), added)
                return nest.map_structure(lambda x, y: array.concat((x, y), -1), outputs, added)

            def mixed() -> Any:
                changed = lambda taken, _: with_auxiliary(self._change(selection.gather_nd(outputs, taken)), taken)
                return _merged(base, is_sampled, changed)

            nothing = math.logical_or(
                reductions.reduce_all(finished), math.logical_not(reductions.reduce_any(is_sampled))
            )
            return finished, cond(nothing, lambda: base, mixed), state


# -- the decoder's own words ---------------------------------------------------------------------------------------------


def _embedding_function(embedding: Any) -> Callable[[Any], Any]:
    return embedding if callable(embedding) else lambda ids: embedding_lookup(embedding, ids)


def _words_drawn(logits: Any, seed: int | None) -> Any:
    """Words int32 [n], each with the probability that softmax of logits [n, words] gives it."""
    drawn = random.multinomial(logits, 1, seed=seed, output_dtype=dtypes.int32)
    return array.reshape(drawn, [-1])


class GreedyEmbeddingHelper(_OfWords):
    """The embedding of the best word of the last outputs, from start_tokens [n] until a sequence says end_token, a scalar.

    embedding: a table [words, d], or a function of word numbers.

    Raises: ValueError for tokens of other ranks.
    """

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any) -> None:
        self._embed = _embedding_function(embedding)
        self._start_tokens = convert_to_tensor(start_tokens, dtype=dtypes.int32, name="start_tokens")
        self._end_token = convert_to_tensor(end_token, dtype=dtypes.int32, name="end_token")
        if self._start_tokens.shape.ndims != 1:
            raise ValueError(error_text("start_tokens must be a vector", [self._start_tokens]))
        self._batch_size = array.size(start_tokens)
        if self._end_token.shape.ndims != 0:
            raise ValueError(error_text("end_token must be a scalar", [self._end_token]))
        self._start_inputs = self._embed(self._start_tokens)

    def initialize(self, name: str | None = None) -> Any:
        """(no sequence has ended [n], the embeddings of the first words)."""
        finished = array.tile([False], [self._batch_size])
        return finished, self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """The best word of the outputs [n, words]: int32 [n]."""
        if not isinstance(outputs, Tensor):
            raise TypeError(error_text(f"Expected outputs to be a single Tensor, got: {type(outputs)}"))
        return reductions.argmax(outputs, axis=-1, output_type=dtypes.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        """(which sequences have said the last word [n], the words' embeddings, the state)."""
        finished = math.equal(sample_ids, self._end_token)
        # after the end of all sequences there is nothing to look up
        inputs = cond(reductions.reduce_all(finished), lambda: self._start_inputs, lambda: self._embed(sample_ids))
        return finished, inputs, state


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """`GreedyEmbeddingHelper` that draws words with the probabilities of softmax(outputs / softmax_temperature)."""

    def __init__(
        self, embedding: Any, start_tokens: Any, end_token: Any, softmax_temperature: Any = None, seed: int | None = None
    ) -> None:
        super().__init__(embedding, start_tokens, end_token)
        self._temperature, self._seed = softmax_temperature, seed

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Words int32 [n] that are drawn from the outputs [n, words]."""
        if not isinstance(outputs, Tensor):
            raise TypeError(error_text(f"Expected outputs to be a single Tensor, got: {type(outputs)}"))
        return _words_drawn(outputs if self._temperature is None else outputs / self._temperature, self._seed)


class InferenceHelper(Helper):
    """What sample_fn(outputs) gives is the next input, from start_inputs [n, …] until end_fn(drawn) says which have ended [n].

    sample_shape, sample_dtype: of what is drawn from one output. next_inputs_fn: makes inputs of what is drawn.
    """

    def __init__(
        self, sample_fn: Any, sample_shape: Any, sample_dtype: Any, start_inputs: Any, end_fn: Any, next_inputs_fn: Any = None
    ) -> None:
        self._sample_fn, self._end_fn = sample_fn, end_fn
        self._sample_shape, self._sample_dtype = TensorShape(sample_shape), sample_dtype
        self._next_inputs_fn = next_inputs_fn or (lambda drawn: drawn)
        self._start_inputs = convert_to_tensor(start_inputs, name="start_inputs")
        self._batch_size = array.shape(start_inputs)[0]

    @property
    def batch_size(self) -> Any:
        """The number of sequences, a scalar tensor."""
        return self._batch_size

    @property
    def sample_ids_shape(self) -> TensorShape:
        """The shape of what is drawn from one output."""
        return self._sample_shape

    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of what is drawn."""
        return self._sample_dtype

    def initialize(self, name: str | None = None) -> Any:
        """(no sequence has ended [n], start_inputs)."""
        finished = array.tile([False], [self._batch_size])
        return finished, self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """What sample_fn draws."""
        return self._sample_fn(outputs)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        """(which sequences have ended [n], the next inputs, the state)."""
        next_inputs = self._next_inputs_fn(sample_ids)
        return self._end_fn(sample_ids), next_inputs, state


__all__ = [
    "CustomHelper", "GreedyEmbeddingHelper", "Helper", "InferenceHelper", "SampleEmbeddingHelper",
    "ScheduledEmbeddingTrainingHelper", "ScheduledOutputTrainingHelper", "TrainingHelper",
]  # fmt: skip
