"""`tf.contrib.crf`: linear-chain conditional random fields, which score whole sequences of tags.

The score of a sequence is the sum of the scores [n, steps, tags] of its tags and of the transitions [tags, tags] between
neighbours. Sums and maxima over all sequences go through the steps in a `dynamic_rnn`. No state.
Source: Lafferty, McCallum, Pereira, "Conditional random fields" (2001).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import as_raw
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, constructors, selection, slicing
from ...lib.arrays.sequences import range as range_of
from ...lib.control.smart_cond import smart_cond
from ...lib.math import math, reductions
from ...lib.variables.variable_scope import get_variable
from ...op.constant import constant
from ..rnn.cell import RNNCell
from ..rnn.dynamic_rnn import dynamic_rnn


def _tensors(*values: Any) -> Any:
    return [convert_to_tensor(value) for value in values]


def _has_one_step(inputs: Tensor) -> Any:
    """Whether inputs [n, steps, tags] have one step: a constant node where that is known."""
    return math.equal(array.size_along(inputs, 1), 1)


def _number_of_tags(transition_params: Tensor) -> int:
    shape = as_raw(transition_params.shape)
    if shape is None or len(shape) != 2 or shape[0] is None:
        text = f"transition_params must be [tags, tags], of a known size, but is {transition_params.shape}"
        raise ValueError(error_text(text, [transition_params]))
    return shape[0]


def _first_step(inputs: Tensor) -> Tensor:
    return array.squeeze(slicing.slice(inputs, [0, 0, 0], [-1, 1, -1]), [1])


def _later_steps(inputs: Tensor) -> Tensor:
    return slicing.slice(inputs, [0, 1, 0], [-1, -1, -1])


def _less_one(sequence_lengths: Any) -> Tensor:
    return math.maximum(constant(0, dtype=sequence_lengths.dtype), sequence_lengths - 1)


def _zero_where_empty(scores: Tensor, sequence_lengths: Tensor) -> Tensor:
    return selection.where(math.less_equal(sequence_lengths, 0), array.zeros_like(scores), scores)


# -- the score of given tags ---------------------------------------------------------------------------------------


@atomic
def crf_unary_score(tag_indices: Any, sequence_lengths: Any, inputs: Any) -> Tensor:
    """Sums the scores that each sequence gives to its tags: tag_indices [n, steps], sequence_lengths [n], inputs [n, steps, tags]
    -> [n].
    """
    tag_indices, inputs = _tensors(tag_indices, inputs)
    n, steps, tags = (array.shape(inputs)[axis] for axis in (0, 1, 2))
    flat = array.reshape(inputs, [-1])
    row_starts = array.expand_dims(range_of(n) * steps * tags, 1)
    starts = row_starts + array.expand_dims(range_of(steps) * tags, 0)
    places = array.reshape(math.cast(starts, tag_indices.dtype) + tag_indices, [-1])
    scores = array.reshape(selection.gather(flat, places), [n, steps])
    mask = constructors.sequence_mask(sequence_lengths, maxlen=array.shape(tag_indices)[1], dtype=dtypes.float32)
    return reductions.reduce_sum(scores * mask, 1)


@atomic
def crf_binary_score(tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> Tensor:
    """Sums the transition scores along each sequence of tags: tag_indices [n, steps], sequence_lengths [n], transition_params
    [tags, tags] -> [n].
    """
    tag_indices, transition_params = _tensors(tag_indices, transition_params)
    tags = _number_of_tags(transition_params)
    transitions = array.shape(tag_indices)[1] - 1
    before = slicing.slice(tag_indices, [0, 0], [-1, transitions])
    after = slicing.slice(tag_indices, [0, 1], [-1, transitions])
    places = before * tags + after
    scores = selection.gather(array.reshape(transition_params, [-1]), places)
    mask = constructors.sequence_mask(sequence_lengths, maxlen=array.shape(tag_indices)[1], dtype=dtypes.float32)
    return reductions.reduce_sum(scores * slicing.slice(mask, [0, 1], [-1, -1]), 1)


@atomic
def crf_sequence_score(inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> Tensor:
    """The score of a sequence of tags, not normalized: inputs [n, steps, tags], tag_indices [n, steps], sequence_lengths [n],
    transition_params [tags, tags] -> [n].
    """
    inputs, tag_indices, sequence_lengths, transition_params = _tensors(inputs, tag_indices, sequence_lengths, transition_params)

    def of_one_step() -> Tensor:
        n = array.shape(inputs, out_type=tag_indices.dtype)[0]
        rows = array.reshape(range_of(n), [-1, 1])
        scores = selection.gather_nd(array.squeeze(inputs, [1]), array.concat([rows, tag_indices], axis=1))
        return _zero_where_empty(scores, sequence_lengths)

    def of_more() -> Tensor:
        unary = crf_unary_score(tag_indices, sequence_lengths, inputs)
        return unary + crf_binary_score(tag_indices, sequence_lengths, transition_params)

    return smart_cond(_has_one_step(inputs), of_one_step, of_more)  # type: ignore[no-any-return]


@atomic
def crf_multitag_sequence_score(inputs: Any, tag_bitmap: Any, sequence_lengths: Any, transition_params: Any) -> Tensor:
    """log of the sum over all sequences of allowed tags of the exponential of their scores: inputs and bools tag_bitmap
    [n, steps, tags], sequence_lengths [n], transition_params [tags, tags] -> [n].
    """
    inputs, tag_bitmap, sequence_lengths, transition_params = _tensors(inputs, tag_bitmap, sequence_lengths, transition_params)

    def allowed() -> Tensor:
        never = array.fill(array.shape(inputs), float("-inf"))
        return selection.where(tag_bitmap, inputs, never)

    return smart_cond(  # type: ignore[no-any-return]
        _has_one_step(inputs),
        lambda: reductions.reduce_logsumexp(allowed(), axis=[1, 2], keepdims=False),
        lambda: crf_log_norm(allowed(), sequence_lengths, transition_params),
    )


# -- all sequences of tags -----------------------------------------------------------------------------------------


class _TransitionCell(RNNCell):
    """A cell whose state and inputs are a score for each tag: [n, tags]."""

    def __init__(self, transition_params: Any) -> None:
        super().__init__()
        transition_params = convert_to_tensor(transition_params)
        self._num_tags = _number_of_tags(transition_params)
        self._transition_params = array.expand_dims(transition_params, 0)

    @property
    def state_size(self) -> int:
        """The number of tags."""
        return self._num_tags

    @property
    def output_size(self) -> int:
        """The number of tags."""
        return self._num_tags

    def _ways(self, state: Tensor) -> Tensor:
        """The score of each way from a tag to the next: state [n, tags] -> [n, tags before, tags]."""
        return array.expand_dims(state, 2) + self._transition_params


class CrfForwardRnnCell(_TransitionCell):
    """The forward algorithm: log of the sum over all sequences so far that end in a tag, [n, tags]."""

    @atomic
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, Tensor]:
        """Computes one step: inputs, the unary scores [n, tags] -> (the new state, the same)."""
        new = inputs + reductions.reduce_logsumexp(self._ways(state), [1])
        return new, new


@atomic
def crf_log_norm(inputs: Any, sequence_lengths: Any, transition_params: Any) -> Tensor:
    """log of the sum over all sequences of tags of the exponential of their scores: inputs [n, steps, tags], sequence_lengths
    [n], transition_params [tags, tags] -> [n].
    """
    inputs, sequence_lengths, transition_params = _tensors(inputs, sequence_lengths, transition_params)
    first = _first_step(inputs)

    def of_one_step() -> Tensor:
        return _zero_where_empty(reductions.reduce_logsumexp(first, [1]), sequence_lengths)

    def of_more() -> Tensor:
        later = _later_steps(inputs)
        cell = CrfForwardRnnCell(transition_params)
        _, last = dynamic_rnn(
            cell, later, sequence_length=_less_one(sequence_lengths), initial_state=first, dtype=dtypes.float32
        )
        return _zero_where_empty(reductions.reduce_logsumexp(last, [1]), sequence_lengths)

    return smart_cond(_has_one_step(inputs), of_one_step, of_more)  # type: ignore[no-any-return]


@atomic
def crf_log_likelihood(
    inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any = None
) -> tuple[Tensor, Any]:
    """log of the probability of sequences of tags, and the transitions' scores: inputs [n, steps, tags], tag_indices
    [n, steps], sequence_lengths [n] -> [n], [tags, tags].

    transition_params: by default a variable "transitions" in the current scope.

    Raises: ValueError when the number of tags is not known and transition_params is not given.
    """
    inputs = convert_to_tensor(inputs)
    if transition_params is None:
        shape = as_raw(inputs.shape)
        if shape is not None and len(shape) != 3:
            raise ValueError(error_text(f"inputs must be [n, steps, tags], but is {inputs.shape}", [inputs]))
        tags = None if shape is None else shape[2]
        transition_params = get_variable("transitions", [tags, tags])
    score = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return score - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


# -- the best sequence of tags -------------------------------------------------------------------------------------


def viterbi_decode(score: Any, transition_params: Any) -> tuple[list[Any], Any]:
    """The best sequence of tags, and its score, with NumPy: score [steps, tags], transition_params [tags, tags].

    Raises: ValueError for another rank, and for no steps.
    Differs from TF: takes lists, too.
    """
    score, transition_params = np.asarray(score), np.asarray(transition_params)
    if score.ndim != 2 or not len(score):
        raise ValueError(error_text(f"score must be [steps, tags], of at least one step, but has shape {score.shape}"))
    best, before = score[0], []
    for now in score[1:]:
        ways = best[:, None] + transition_params
        before.append(ways.argmax(axis=0).astype(np.int32))
        best = now + ways.max(axis=0)
    path = [best.argmax()]
    for choices in reversed(before):
        path.append(choices[path[-1]])
    return path[::-1], best.max()


class CrfDecodeForwardRnnCell(_TransitionCell):
    """The forward half of Viterbi's algorithm. The state [n, tags] is the best score of a sequence that ends in each tag; the
    output [n, tags] is the tag that precedes each tag in that sequence.
    """

    @atomic
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, Tensor]:
        """Computes one step: inputs, the unary scores [n, tags] -> (the preceding tag of each tag, the new state)."""
        ways = self._ways(state)
        best = inputs + reductions.reduce_max(ways, [1])
        return math.cast(reductions.argmax(ways, 1), dtypes.int32), best


class CrfDecodeBackwardRnnCell(RNNCell):
    """The backward half of Viterbi's algorithm: each step looks up the preceding tag of the tag in the
    state [n, 1]; inputs [n, tags] has the preceding tag of each tag.
    """

    def __init__(self, num_tags: int) -> None:
        super().__init__()
        self._num_tags = num_tags

    @property
    def state_size(self) -> int:
        """1: the state and the output are one tag each."""
        return 1

    @property
    def output_size(self) -> int:
        """1: the state and the output are one tag each."""
        return 1

    @atomic
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, Tensor]:
        """Computes one step: inputs, the preceding tags [n, tags] -> (the preceding tag [n, 1], the same)."""
        tag = array.squeeze(state, [1])
        rows = range_of(array.shape(inputs)[0])
        before = array.expand_dims(selection.gather_nd(inputs, array.stack([rows, tag], axis=1)), -1)
        return before, before


@atomic
def crf_decode(potentials: Any, transition_params: Any, sequence_length: Any) -> tuple[Tensor, Tensor]:
    """The best sequence of tags, and its score: potentials [n, steps, tags], transition_params [tags, tags], sequence_length [n]
    -> int32 [n, steps], [n].
    """
    potentials, transition_params, sequence_length = _tensors(potentials, transition_params, sequence_length)

    def of_one_step() -> tuple[Tensor, Tensor]:
        scores = array.squeeze(potentials, [1])
        tags = array.expand_dims(reductions.argmax(scores, axis=1), 1)
        best = reductions.reduce_max(scores, 1)
        return math.cast(tags, dtypes.int32), best

    def of_more() -> tuple[Tensor, Tensor]:
        forward = CrfDecodeForwardRnnCell(transition_params)
        first, later = _first_step(potentials), _later_steps(potentials)
        lengths = _less_one(sequence_length)
        before, last = dynamic_rnn(forward, later, sequence_length=lengths, initial_state=first, dtype=dtypes.int32)
        before = array.reverse_sequence(before, lengths, seq_axis=1)
        last_tag = array.expand_dims(math.cast(reductions.argmax(last, axis=1), dtypes.int32), -1)
        backward = CrfDecodeBackwardRnnCell(forward.state_size)
        tags, _ = dynamic_rnn(backward, before, sequence_length=lengths, initial_state=last_tag, dtype=dtypes.int32)
        tags = array.concat([last_tag, array.squeeze(tags, [2])], axis=1)
        tags = array.reverse_sequence(tags, sequence_length, seq_axis=1)
        return tags, reductions.reduce_max(last, 1)

    return smart_cond(_has_one_step(potentials), of_one_step, of_more)  # type: ignore[no-any-return]


__all__ = [
    "CrfDecodeBackwardRnnCell", "CrfDecodeForwardRnnCell", "CrfForwardRnnCell", "crf_binary_score", "crf_decode",
    "crf_log_likelihood", "crf_log_norm", "crf_multitag_sequence_score", "crf_sequence_score", "crf_unary_score",
    "viterbi_decode",
]  # fmt: skip
