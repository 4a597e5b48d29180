"""`BeamSearchDecoder`: a decoder that keeps the beam_width best sequences of each row, and what it needs.

A state has [n, beam_width, …] between the steps, and [n · beam_width, …] where the cell reads it.
"""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

from ...base import dtypes, log
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, constructors, selection
from ...lib.arrays.sequences import range as sequence
from ...lib.control.cond import cond
from ...lib.control.tensor_array import TensorArray
from ...lib.framework import nest
from ...lib.framework.scope_blocks import named
from ...lib.framework.static_value import constant_value
from ...lib.math import math, reductions
from ...lib.nn import activations
from ...lib.nn.embeddings import embedding_lookup
from ...ops.beams import gather_tree
from ..layers.layer import Layer
from ..rnn.steps import assert_like_rnncell
from .attention_wrapper import AttentionWrapperState
from .dynamic_decoding import Decoder


@atomic
def tile_batch(t: Any, multiplier: int, name: str | None = None) -> Any:
    """Each row of t [n, …], or of each tensor of a structure, `multiplier` times in a row: [n · multiplier, …].

    Raises: ValueError for a tensor of unknown rank.
    """
    with named(name, "tile_batch", [*nest.flatten(t), multiplier]):
        return nest.map_structure(lambda each: _tiled(each, multiplier), t)


def _tiled(t: Any, multiplier: int) -> Tensor:
    t = convert_to_tensor(t, name="t")
    sizes = array.shape(t)
    if not t.shape.ndims:
        raise ValueError(error_text("t must have statically known rank", [t]))
    multiples = [1] * (t.shape.ndims + 1)
    multiples[1] = multiplier
    tiled = array.tile(array.expand_dims(t, 1), multiples)
    tiled = array.reshape(tiled, array.concat(([sizes[0] * multiplier], sizes[1:]), 0))
    batch = t.shape[0].value
    tiled.set_shape(TensorShape([None if batch is None else batch * multiplier]).concatenate(t.shape[1:]))
    return tiled


class BeamSearchDecoderState(
    collections.namedtuple(
        "BeamSearchDecoderState", ("cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs")
    )
):
    """The state of the search: of the cell, and for each beam [n, beams] its log probability, whether it has ended, its length,
    and the attention that each step of the memory has had, or ().
    """

    __slots__ = ()


class BeamSearchDecoderOutput(collections.namedtuple("BeamSearchDecoderOutput", ("scores", "predicted_ids", "parent_ids"))):
    """A step [n, beams]: the beams' scores, their words, and which beam of the step before each follows."""

    __slots__ = ()


class FinalBeamSearchDecoderOutput(
    collections.namedtuple("FinalBeamSearchDecoderOutput", ("predicted_ids", "beam_search_decoder_output"))
):
    """The result: whole sequences [n, t, beams], the best beam first, and the outputs of the steps."""

    __slots__ = ()


class BeamSearchDecoder(Decoder):
    """A search for the best sequences, from start_tokens [n] until a beam says end_token, a scalar.

    embedding: a table [words, d], or a function of word numbers. initial_state: of the cell for n · beam_width sequences
    (`tile_batch` makes one). output_layer: makes words of the cell's outputs. length_penalty_weight: scores are divided by
    ((5 + length) / 6) ^ weight. coverage_penalty_weight: beams lose that attend to a part of the memory only.
    reorder_tensor_arrays: whether TensorArrays of the cell's state follow the beams in the end.

    Source: Wu et al., "Google's Neural Machine Translation System" (2016), section 7.

    Raises: TypeError, ValueError for cells, layers and tokens that do not fit.
    """

    def __init__(
        self,
        cell: Any,
        embedding: Any,
        start_tokens: Any,
        end_token: Any,
        initial_state: Any,
        beam_width: int,
        output_layer: Any = None,
        length_penalty_weight: float = 0.0,
        coverage_penalty_weight: float = 0.0,
        reorder_tensor_arrays: bool = True,
    ) -> None:
        assert_like_rnncell("cell", cell)
        if output_layer is not None and not isinstance(output_layer, Layer):
            raise TypeError(error_text(f"output_layer must be a Layer, received: {type(output_layer)}"))
        self._cell, self._output_layer, self._reorders = cell, output_layer, reorder_tensor_arrays
        self._embed = embedding if callable(embedding) else lambda ids: embedding_lookup(embedding, ids)
        start_tokens = convert_to_tensor(start_tokens, dtype=dtypes.int32, name="start_tokens")
        if start_tokens.shape.ndims != 1:
            raise ValueError(error_text("start_tokens must be a vector", [start_tokens]))
        self._end_token = convert_to_tensor(end_token, dtype=dtypes.int32, name="end_token")
        if self._end_token.shape.ndims != 0:
            raise ValueError(error_text("end_token must be a scalar", [self._end_token]))
        self._batch_size, self._beam_width = array.size(start_tokens), beam_width
        self._length_weight, self._coverage_weight = length_penalty_weight, coverage_penalty_weight
        self._initial_cell_state = nest.map_structure(self._split, initial_state, cell.state_size)
        start_tokens = array.tile(array.expand_dims(start_tokens, 1), [1, beam_width])
        self._start_inputs = self._embed(start_tokens)
        # the search begins with one beam: all others would say the same
        self._finished = constructors.one_hot(
            array.zeros([self._batch_size], dtypes.int32), depth=beam_width, on_value=False, off_value=True, dtype=dtypes.bool
        )

    @property
    def batch_size(self) -> Any:
        """The number of rows, a scalar tensor."""
        return self._batch_size

    @property
    def tracks_own_finished(self) -> bool:
        """True: a beam that has ended may give way to another one."""
        return True

    @property
    def output_size(self) -> Any:
        """[beams] for each field of BeamSearchDecoderOutput."""
        return BeamSearchDecoderOutput(*[TensorShape([self._beam_width])] * 3)

    @property
    def output_dtype(self) -> Any:
        """The dtype of the state for scores, int32 for words and parents."""
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        return BeamSearchDecoderOutput(scores=dtype, predicted_ids=dtypes.int32, parent_ids=dtypes.int32)

    # -- [n, beams, …] and [n · beams, …] ------------------------------------------------------------------------------------

    def _split(self, t: Any, size: Any = None) -> Any:
        """[n · beams, …] as [n, beams, …]; scalars and TensorArrays as they are."""
        if isinstance(t, TensorArray) or t.shape.ndims == 0:
            return t
        _check_rank(t)
        new = array.reshape(t, array.concat(([self._batch_size, self._beam_width], array.shape(t)[1:]), 0))
        new.set_shape(TensorShape([constant_value(self._batch_size), self._beam_width]).concatenate(t.shape[1:]))
        return new

    def _merge(self, t: Any, size: Any = None) -> Any:
        """[n, beams, …] as [n · beams, …]; scalars and TensorArrays as they are."""
        if isinstance(t, TensorArray) or t.shape.ndims == 0:
            return t
        _check_rank(t)
        new = array.reshape(t, array.concat(([self._batch_size * self._beam_width], array.shape(t)[2:]), 0))
        batch = constant_value(self._batch_size)
        new.set_shape(TensorShape([None if batch is None else batch * self._beam_width]).concatenate(t.shape[2:]))
        return new

    # -- the decoder ---------------------------------------------------------------------------------------------------------

    def initialize(self, name: str | None = None) -> Any:
        """(which beams have ended, the first inputs, the first state)."""
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        log_probs = constructors.one_hot(
            array.zeros([self._batch_size], dtypes.int32), depth=self._beam_width, on_value=convert_to_tensor(0.0, dtype),
            off_value=convert_to_tensor(-np.inf, dtype), dtype=dtype,
        )  # fmt: skip
        attention = self._attention(self._initial_cell_state)
        state = BeamSearchDecoderState(
            cell_state=self._initial_cell_state,
            log_probs=log_probs,
            finished=self._finished,
            lengths=array.zeros([self._batch_size, self._beam_width], dtype=dtypes.int64),
            accumulated_attention_probs=() if attention is None else attention,
        )
        return self._finished, self._start_inputs, state

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """(BeamSearchDecoderOutput, the next state, the next inputs, which beams have ended)."""
        with named(name, "BeamSearchDecoderStep", [time, inputs]):
            inputs = nest.map_structure(self._merge, inputs)
            cell_state = nest.map_structure(self._merge, state.cell_state)
            outputs, cell_state = self._cell(inputs, cell_state)
            outputs = nest.map_structure(self._split, outputs)
            cell_state = nest.map_structure(self._split, cell_state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            output, state = self._search(outputs, cell_state, state)
            next_inputs = cond(
                reductions.reduce_all(state.finished), lambda: self._start_inputs, lambda: self._embed(output.predicted_ids)
            )
        return output, state, next_inputs, state.finished

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        """(FinalBeamSearchDecoderOutput, the last state): beams followed back from their ends."""
        longest = math.cast(reductions.reduce_max(final_state.lengths, axis=1), dtypes.int32)
        words = gather_tree(outputs.predicted_ids, outputs.parent_ids, longest, self._end_token)
        if self._reorders:
            cell_state = nest.map_structure(
                lambda t: self._sorted(t, outputs.parent_ids, final_state.lengths), final_state.cell_state
            )
            final_state = final_state._replace(cell_state=cell_state)
        return FinalBeamSearchDecoderOutput(beam_search_decoder_output=outputs, predicted_ids=words), final_state

    def _sorted(self, t: Any, parents: Any, lengths: Any) -> Any:
        """A TensorArray of [n · beams, …] at each step as a tensor in which each beam has its own past; other values as they are.

        As in TF, it stays a TensorArray, in the order in which it was written, where its second size is known.
        """
        if not isinstance(t, TensorArray):
            return t
        shape, batch = t.element_shape, constant_value(self._batch_size)
        if not shape.ndims or (batch is not None and shape[0].value is not None and not self._is_of_beams(shape, batch)):
            wanted = TensorShape([batch, self._beam_width, None])
            log.warn(
                f"TensorArray reordering expects elements to be reshapable to {wanted} which is incompatible with the current "
                f"shape {shape}. Consider setting reorder_tensor_arrays to False to disable TensorArray reordering during the "
                "beam search."
            )
            return t
        values = t.stack()
        count = array.shape(parents)[0]
        own = array.tile(array.expand_dims(array.expand_dims(sequence(self._beam_width), 0), 0), [count, self._batch_size, 1])
        longest = math.cast(reductions.reduce_max(lengths, axis=1), dtypes.int32)
        beams = gather_tree(own, parents, longest, self._beam_width + 1)
        has_ended = math.logical_not(
            array.transpose(constructors.sequence_mask(array.reshape(lengths, [-1]), maxlen=count))
        )
        beams = selection.where(array.reshape(has_ended, array.shape(beams)), own, beams)
        rows = array.expand_dims(array.expand_dims(sequence(self._batch_size), 0), -1) * self._beam_width
        flat = array.reshape(beams + rows, [count, -1])
        steps = array.tile(array.expand_dims(sequence(count), -1), [1, array.shape(flat)[1]])
        return selection.gather_nd(values, array.stack([steps, flat], axis=-1))

    def _is_of_beams(self, shape: TensorShape, batch: int) -> bool:
        if shape[0].value != batch * self._beam_width:
            return False
        return shape.ndims == 1 or shape[1].value is None or (shape[0].value, shape[1].value) == (batch, self._beam_width)

    # -- the search ----------------------------------------------------------------------------------------------------------

    def _attention(self, cell_state: Any) -> Any:
        """The alignments [n, beams, t] where they count for the coverage, else None."""
        if self._coverage_weight == 0.0 or not isinstance(cell_state, AttentionWrapperState):
            return None
        alignments = cell_state.alignments
        if isinstance(alignments, tuple):
            # the mean over all mechanisms counts
            return reductions.reduce_mean(array.stack(list(alignments)), axis=0)
        return alignments

    def _search(self, logits: Any, cell_state: Any, before: Any) -> tuple[Any, Any]:
        """The best beams among all words [n, beams, words] after all beams."""
        width, batch = self._beam_width, self._batch_size
        goes_on = math.logical_not(before.finished)
        step_probs = _with_ended(activations.log_softmax(logits), self._end_token, before.finished)
        total = array.expand_dims(before.log_probs, 2) + step_probs
        known = logits.shape[-1].value
        words = array.shape(logits)[-1] if known is None else known
        added = constructors.one_hot(
            indices=array.fill([batch, width], self._end_token), depth=words, on_value=np.int64(0), off_value=np.int64(1),
            dtype=dtypes.int64,
        )  # fmt: skip
        added *= array.expand_dims(math.cast(goes_on, dtypes.int64), 2)
        lengths = added + array.expand_dims(before.lengths, 2)
        attention, accumulated = self._attention(cell_state), None
        if attention is not None:
            attention *= array.expand_dims(math.cast(goes_on, dtypes.float32), 2)
            accumulated = before.accumulated_attention_probs + attention
        scores = array.reshape(self._scores(total, lengths, before.finished, accumulated), [batch, -1])
        best, at = selection.top_k(scores, k=convert_to_tensor(width, dtype=dtypes.int32, name="beam_width"))
        for each in (best, at):
            each.set_shape([constant_value(batch), width])
        word_ids = math.cast(math.mod(at, words, name="next_beam_word_ids"), dtypes.int32)
        parents = math.cast(math.floordiv(at, words), dtypes.int32, name="next_beam_parent_ids")
        had_ended = self._of_beams(before.finished, parents)
        next_lengths = self._of_beams(before.lengths, parents) + math.cast(math.logical_not(had_ended), dtypes.int64)
        state = BeamSearchDecoderState(
            cell_state=nest.map_structure(lambda t: self._of_beams(t, parents), cell_state),
            log_probs=self._of_beams(array.reshape(total, [batch, -1]), at),
            lengths=next_lengths,
            finished=math.logical_or(had_ended, math.equal(word_ids, self._end_token), name="next_beam_finished"),
            accumulated_attention_probs=() if accumulated is None else self._of_beams(accumulated, parents),
        )
        return BeamSearchDecoderOutput(scores=best, predicted_ids=word_ids, parent_ids=parents), state

    def _of_beams(self, t: Any, beams: Any) -> Any:
        """The entries [n, beams, …] of t [n, m, …] at the numbers beams [n, beams]; scalars and TensorArrays as they are."""
        if isinstance(t, TensorArray) or t.shape.ndims == 0:
            return t
        rows = array.tile(array.expand_dims(sequence(self._batch_size), 1), [1, self._beam_width])
        gathered = selection.gather_nd(t, array.stack([rows, beams], axis=-1))
        gathered.set_shape(TensorShape([constant_value(self._batch_size), self._beam_width]).concatenate(t.shape[2:]))
        return gathered

    def _scores(self, log_probs: Any, lengths: Any, finished: Any, accumulated: Any) -> Any:
        """Log probabilities over the penalty of the length, plus the reward for coverage: [n, beams, words]."""
        scores = log_probs
        if self._length_weight != 0.0:
            weight = self._length_weight
            penalty = math.div((5.0 + math.cast(lengths, dtypes.float32)) ** weight, (5.0 + 1.0) ** weight)
            scores = log_probs / penalty
        if accumulated is None:
            return scores
        covered = reductions.reduce_sum(math.log(math.minimum(accumulated, array.ones_like(accumulated))), axis=2)
        # it counts where all beams of a row have ended
        has_ended = math.logical_and(finished, reductions.reduce_all(finished, axis=1, keepdims=True))
        covered = selection.where(has_ended, covered, array.zeros_like(covered))
        return scores + array.expand_dims(covered * self._coverage_weight, 2)


def _check_rank(t: Tensor) -> None:
    if t.shape.ndims is None:
        raise ValueError(error_text(f"Expected tensor ({t}) to have known rank, but ndims == None.", [t]))


def _with_ended(log_probs: Any, end_token: Any, finished: Any) -> Any:
    """Log probabilities [n, beams, words] in which a beam that has ended says end_token for certain."""
    words = array.shape(log_probs)[2]
    row = constructors.one_hot(
        end_token, words, dtype=log_probs.dtype, on_value=convert_to_tensor(0.0, log_probs.dtype), off_value=log_probs.dtype.min
    )
    rows = array.tile(array.reshape(row, [1, 1, -1]), array.concat([array.shape(finished), [1]], 0))
    return selection.where(array.tile(array.expand_dims(finished, 2), [1, 1, words]), rows, log_probs)


__all__ = [
    "BeamSearchDecoder", "BeamSearchDecoderOutput", "BeamSearchDecoderState", "FinalBeamSearchDecoderOutput", "gather_tree",
    "tile_batch",
]  # fmt: skip
