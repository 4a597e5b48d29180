"""`tf.contrib.legacy_seq2seq`: decoders that look words up in a table of embeddings, and encoders before them. No state.

A step is an int32 vector [n] of word numbers; an output is [n, words], or [n, units] where output_projection makes the words.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...lib.arrays import array
from ...lib.control.cond import cond
from ...lib.framework import nest
from ...lib.math import reductions
from ...lib.nn.embeddings import embedding_lookup
from ...lib.nn.nn import xw_plus_b
from ...lib.variables.variable_scope import get_variable, get_variable_scope, variable_scope
from ..cells_of_contrib.projection_wrappers import EmbeddingWrapper, OutputProjectionWrapper
from ..rnn.static_rnn import static_rnn
from .list_attention import attention_decoder
from .list_decoders import rnn_decoder, tied_rnn_seq2seq

Steps = Sequence[Any]


def next_word(embedding: Any, output_projection: Any = None, update_embedding: bool = True) -> Callable[[Any, int], Any]:
    """The function (output, i) -> the embedding [n, d] of the output's best word, as a decoder's loop_function.

    output_projection: (weights [units, words], biases [words]) that make words of the output. update_embedding: whether gradients
    reach the table through the words that the decoder chose itself.
    """

    def embed(output: Any, _: int) -> Any:
        if output_projection is not None:
            output = xw_plus_b(output, output_projection[0], output_projection[1])
        embedded = embedding_lookup(embedding, reductions.argmax(output, 1))
        return embedded if update_embedding else array.stop_gradient(embedded)

    return embed


def _check_projection(output_projection: Any, num_symbols: int, dtype: Any, has_weights: bool = True) -> None:
    if output_projection is None:
        return
    if has_weights:
        weights = convert_to_tensor(output_projection[0], dtype=dtype)
        weights.shape.assert_is_compatible_with([None, num_symbols])
    convert_to_tensor(output_projection[1], dtype=dtype).shape.assert_is_compatible_with([num_symbols])


def _by_feed_previous(
    feed_previous: Any, decoder: Callable[[bool], tuple[list[Any], Any]], zero_state: Callable[[], Any], count: int
) -> tuple[list[Any], Any]:
    """The outputs and the state of the decoder that `feed_previous`, a bool tensor, chooses in each run."""

    def branch(feeds: bool) -> list[Any]:
        # the branch that is built second reads the variables of the first one
        with variable_scope(get_variable_scope(), reuse=None if feeds else True):
            outputs, state = decoder(feeds)
            return outputs + (nest.flatten(state) if nest.is_nested(state) else [state])

    found = cond(feed_previous, lambda: branch(True), lambda: branch(False))
    outputs, states = found[:count], found[count:]
    structure = zero_state()
    return outputs, nest.pack_sequence_as(structure, states) if nest.is_nested(structure) else states[0]


@atomic
def embedding_rnn_decoder(
    decoder_inputs: Steps,
    initial_state: Any,
    cell: Any,
    num_symbols: int,
    embedding_size: int,
    output_projection: Any = None,
    feed_previous: bool = False,
    update_embedding_for_previous: bool = True,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """([outputs, one a step], the last state) of a cell that reads words, t vectors [n], from initial_state on.

    feed_previous: each step but the first reads the best word of the output before, not its own input. output_projection:
    (weights [units, num_symbols], biases [num_symbols]) that make words of outputs. update_embedding_for_previous: whether
    gradients reach the table through such words. scope: of the variables, "embedding_rnn_decoder" by default.

    Raises: ValueError for a projection to another number of words.
    """
    with variable_scope(scope or "embedding_rnn_decoder") as opened:
        _check_projection(output_projection, num_symbols, opened.dtype)
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop = next_word(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        words = (embedding_lookup(embedding, word) for word in decoder_inputs)
        return rnn_decoder(words, initial_state, cell, loop_function=loop)


@atomic
def embedding_rnn_seq2seq(
    encoder_inputs: Steps,
    decoder_inputs: Steps,
    cell: Any,
    num_encoder_symbols: int,
    num_decoder_symbols: int,
    embedding_size: int,
    output_projection: Any = None,
    feed_previous: Any = False,
    dtype: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """`embedding_rnn_decoder` that goes on from the last state of a copy of the cell, which read encoder_inputs, t vectors [n] of
    words. feed_previous may be a bool tensor, which decides in each run.

    Raises: ValueError for a projection to another number of words.
    """
    with variable_scope(scope or "embedding_rnn_seq2seq") as opened:
        dtype = _dtype_of(opened, dtype)
        encoder = EmbeddingWrapper(copy.deepcopy(cell), embedding_classes=num_encoder_symbols, embedding_size=embedding_size)
        _, encoder_state = static_rnn(encoder, encoder_inputs, dtype=dtype)
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)

        def decoder(feeds: bool, **options: Any) -> tuple[list[Any], Any]:
            return embedding_rnn_decoder(
                decoder_inputs, encoder_state, cell, num_decoder_symbols, embedding_size, output_projection, feeds, **options
            )

        if isinstance(feed_previous, bool):
            return decoder(feed_previous)
        return _by_feed_previous(
            feed_previous, lambda feeds: decoder(feeds, update_embedding_for_previous=False), lambda: encoder_state,
            len(decoder_inputs),
        )  # fmt: skip


def _dtype_of(scope: Any, dtype: Any) -> Any:
    """The dtype of the scope's variables, which `dtype` sets."""
    if dtype is None:
        return scope.dtype
    scope.set_dtype(dtype)
    return dtype


@atomic
def embedding_tied_rnn_seq2seq(
    encoder_inputs: Steps,
    decoder_inputs: Steps,
    cell: Any,
    num_symbols: int,
    embedding_size: int,
    num_decoder_symbols: int | None = None,
    output_projection: Any = None,
    feed_previous: Any = False,
    dtype: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """`embedding_rnn_seq2seq` where one table and one cell encode and decode. num_decoder_symbols: of the outputs, num_symbols by
    default.

    Raises: ValueError for a projection to another number of words.
    """
    with variable_scope(scope or "embedding_tied_rnn_seq2seq", dtype=dtype) as opened:
        dtype = opened.dtype
        _check_projection(output_projection, num_symbols, dtype)
        embedding = get_variable("embedding", [num_symbols, embedding_size], dtype=dtype)
        questions = [embedding_lookup(embedding, word) for word in encoder_inputs]
        answers = [embedding_lookup(embedding, word) for word in decoder_inputs]
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_symbols if num_decoder_symbols is None else num_decoder_symbols)

        def decoder(feeds: bool, updates: bool) -> tuple[list[Any], Any]:
            loop = next_word(embedding, output_projection, updates) if feeds else None
            return tied_rnn_seq2seq(questions, answers, cell, loop_function=loop, dtype=dtype)

        if isinstance(feed_previous, bool):
            return decoder(feed_previous, True)

        def zero_state() -> Any:
            batch = encoder_inputs[0].shape[0]
            for word in encoder_inputs[1:]:
                batch.merge_with(word.shape[0])
            return cell.zero_state(array.shape(encoder_inputs[0])[0] if batch.value is None else batch.value, dtype)

        return _by_feed_previous(feed_previous, lambda feeds: decoder(feeds, False), zero_state, len(decoder_inputs))


@atomic
def embedding_attention_decoder(
    decoder_inputs: Steps,
    initial_state: Any,
    attention_states: Any,
    cell: Any,
    num_symbols: int,
    embedding_size: int,
    num_heads: int = 1,
    output_size: int | None = None,
    output_projection: Any = None,
    feed_previous: bool = False,
    update_embedding_for_previous: bool = True,
    dtype: Any = None,
    scope: Any = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """`embedding_rnn_decoder` with attention to attention_states [n, t, size], as `attention_decoder` has it.

    Raises: ValueError as `attention_decoder`, and for a projection to another number of words.
    """
    size = cell.output_size if output_size is None else output_size
    _check_projection(output_projection, num_symbols, dtype, has_weights=False)
    with variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop = next_word(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        words = [embedding_lookup(embedding, word) for word in decoder_inputs]
        return attention_decoder(
            words, initial_state, attention_states, cell, size, num_heads, loop, initial_state_attention=initial_state_attention
        )


@atomic
def embedding_attention_seq2seq(
    encoder_inputs: Steps,
    decoder_inputs: Steps,
    cell: Any,
    num_encoder_symbols: int,
    num_decoder_symbols: int,
    embedding_size: int,
    num_heads: int = 1,
    output_projection: Any = None,
    feed_previous: Any = False,
    dtype: Any = None,
    scope: Any = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """`embedding_rnn_seq2seq` whose decoder attends to all outputs of the encoder.

    Source: Bahdanau et al., "Neural Machine Translation by Jointly Learning to Align and Translate" (2015).

    Raises: ValueError as `attention_decoder`, and for a projection to another number of words.
    """
    with variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as opened:
        dtype = opened.dtype
        encoder = EmbeddingWrapper(copy.deepcopy(cell), embedding_classes=num_encoder_symbols, embedding_size=embedding_size)
        outputs, encoder_state = static_rnn(encoder, encoder_inputs, dtype=dtype)
        attention_states = array.concat([array.reshape(output, [-1, 1, cell.output_size]) for output in outputs], 1)
        size = None
        if output_projection is None:
            cell, size = OutputProjectionWrapper(cell, num_decoder_symbols), num_decoder_symbols

        def decoder(feeds: bool, **options: Any) -> tuple[list[Any], Any]:
            return embedding_attention_decoder(
                decoder_inputs, encoder_state, attention_states, cell, num_decoder_symbols, embedding_size, num_heads, size,
                output_projection, feeds, initial_state_attention=initial_state_attention, **options,
            )  # fmt: skip

        if isinstance(feed_previous, bool):
            return decoder(feed_previous)
        return _by_feed_previous(
            feed_previous, lambda feeds: decoder(feeds, update_embedding_for_previous=False), lambda: encoder_state,
            len(decoder_inputs),
        )  # fmt: skip


@atomic
def one2many_rnn_seq2seq(
    encoder_inputs: Steps,
    decoder_inputs_dict: Mapping[Any, Steps],
    enc_cell: Any,
    dec_cells_dict: Mapping[Any, Any],
    num_encoder_symbols: int,
    num_decoder_symbols_dict: Mapping[Any, int],
    embedding_size: int,
    feed_previous: Any = False,
    dtype: Any = None,
    scope: Any = None,
) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    """One encoder, and a decoder for each key of the dictionaries: ({key: outputs}, {key: the last state})."""
    outputs_of, state_of = {}, {}
    with variable_scope(scope or "one2many_rnn_seq2seq") as opened:
        dtype = _dtype_of(opened, dtype)
        encoder = EmbeddingWrapper(enc_cell, embedding_classes=num_encoder_symbols, embedding_size=embedding_size)
        _, encoder_state = static_rnn(encoder, encoder_inputs, dtype=dtype)
        for name, decoder_inputs in decoder_inputs_dict.items():
            words = num_decoder_symbols_dict[name]
            with variable_scope(f"one2many_decoder_{name}"):
                cell = OutputProjectionWrapper(dec_cells_dict[name], words)

                def decoder(feeds: bool, cell: Any = cell, steps: Steps = decoder_inputs, words: int = words) -> Any:
                    return embedding_rnn_decoder(steps, encoder_state, cell, words, embedding_size, feed_previous=feeds)

                if isinstance(feed_previous, bool):
                    outputs_of[name], state_of[name] = decoder(feed_previous)
                else:
                    outputs_of[name], state_of[name] = _by_feed_previous(
                        feed_previous, decoder, lambda: encoder_state, len(decoder_inputs)
                    )
    return outputs_of, state_of


__all__ = [
    "embedding_attention_decoder", "embedding_attention_seq2seq", "embedding_rnn_decoder", "embedding_rnn_seq2seq",
    "embedding_tied_rnn_seq2seq", "next_word", "one2many_rnn_seq2seq",
]  # fmt: skip
