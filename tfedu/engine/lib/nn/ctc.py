"""`tf.nn.ctc_loss`, its decoders, and help with label sequences, as in TF 1.15. No state.

Scores are [time, n, classes], or [n, time, classes] where `time_major` is false. The loss for dense labels is in
`models/dense_ctc.py`.
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.callers import nodes
from ...op.composites import SparseTensor
from ..arrays import array, constructors, selection, slicing
from ..arrays.sequences import range
from ..control.functional import map_fn
from ..framework.scope_blocks import named
from ..math import math, reductions
from ..math.math import cast


@atomic
def ctc_loss(
    labels: Any,
    inputs: Any = None,
    sequence_length: Any = None,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
    time_major: bool = True,
    logits: Any = None,
) -> Tensor:
    """-log of the probability of each row's labels, summed over all ways to spread them over the time steps: sparse int32
    labels [n, longest], inputs (or logits) [time, n, classes], sequence_length [n] -> [n]. The last class is the blank.

    preprocess_collapse_repeated: equal labels in a row count once. ctc_merge_repeated: equal classes in a row of time steps
    are one label. ignore_longer_outputs_than_inputs: a row with more labels than time steps has loss 0.

    Raises: TypeError for dense labels; InvalidArgumentError for lengths or labels out of range, and a row without labels.
    Source: Graves et al., "Connectionist temporal classification" (2006).
    """
    if not isinstance(labels, SparseTensor):
        raise TypeError(
            error_text("Expected labels (first argument) to be a SparseTensor", fix="tf.nn.ctc_loss_v2 takes dense labels")
        )
    if inputs is not None and logits is not None:
        raise ValueError(error_text("Cannot specify both 'inputs' and 'logits'"))
    inputs = logits if inputs is None else inputs
    if not time_major:
        inputs = array.transpose(inputs, [1, 0, 2])
    loss, _ = nodes.CTCLoss(
        inputs, labels.indices, labels.values, sequence_length, preprocess_collapse_repeated=preprocess_collapse_repeated,
        ctc_merge_repeated=ctc_merge_repeated, ignore_longer_outputs_than_inputs=ignore_longer_outputs_than_inputs,
    )  # fmt: skip
    return loss  # type: ignore[no-any-return]


def loss_with_blank(labels: SparseTensor, logits: Any, logit_length: Any, time_major: bool, blank_index: Any) -> Tensor:
    """`ctc_loss` where the blank is any class: it moves behind all others first."""
    if not hasattr(logits, "shape"):
        logits = convert_to_tensor(logits)
    if blank_index < 0:
        blank_index += array.size_along(logits, 2)
    values = labels.values
    if blank_index != array.size_along(logits, 2) - 1:
        logits = array.concat(
            [logits[:, :, :blank_index], logits[:, :, blank_index + 1 :], logits[:, :, blank_index : blank_index + 1]], axis=2
        )
        values = selection.where(values < blank_index, values, values - 1)
    labels = SparseTensor(labels.indices, values, labels.dense_shape)
    return ctc_loss(labels, logits, logit_length, time_major=time_major)


def _paths(parts: Any) -> tuple[list[SparseTensor], Tensor]:
    indices, values, shapes, scores = parts
    return [SparseTensor(*path) for path in zip(indices, values, shapes)], scores


@atomic
def ctc_greedy_decoder(inputs: Any, sequence_length: Any, merge_repeated: bool = True) -> tuple[list[SparseTensor], Tensor]:
    """The classes with the highest score at each time step, without blanks: inputs [time, n, classes], sequence_length [n] ->
    ([sparse int64 [n, longest]], the negative sum of those scores [n, 1]). merge_repeated: equal classes in a row count once.
    """
    *path, scores = nodes.CTCGreedyDecoder(inputs, sequence_length, merge_repeated=merge_repeated)
    return [SparseTensor(*path)], scores


@atomic
def ctc_beam_search_decoder(
    inputs: Any, sequence_length: Any, beam_width: int = 100, top_paths: int = 1, merge_repeated: bool = True
) -> tuple[list[SparseTensor], Tensor]:
    """The most likely label sequences, found with a beam: inputs [time, n, classes], sequence_length [n] -> (for each of
    top_paths a sparse int64 [n, longest], log of their probabilities [n, top_paths]).

    merge_repeated: equal labels in a row of a sequence count once, though a blank was between them.
    """
    return _paths(
        nodes.CTCBeamSearchDecoder(
            inputs, sequence_length, beam_width=beam_width, top_paths=top_paths, merge_repeated=merge_repeated
        )
    )


@atomic
def ctc_beam_search_decoder_v2(
    inputs: Any, sequence_length: Any, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[SparseTensor], Tensor]:
    """`ctc_beam_search_decoder` that keeps equal labels with a blank between them."""
    return ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, merge_repeated=False)


@atomic
def ctc_unique_labels(labels: Any, name: str | None = None) -> list[Tensor]:
    """Each row's different labels in the order they appear, filled up with 0, and the position of each label among them:
    labels [n, longest] -> [int64 [n, longest], int32 [n, longest]].
    """
    with named(name, "ctc_unique_labels", [labels]):
        labels = convert_to_tensor(labels, name="labels")

        def unique_of(row: Tensor) -> list[Tensor]:
            values, positions = nodes.Unique(row)
            missing = array.size_along(positions, 0) - array.size_along(values, 0)
            return [cast(array.pad(values, [[0, missing]]), dtypes.int64), positions]

        return map_fn(unique_of, labels, dtype=[dtypes.int64, dtypes.int32])  # type: ignore[no-any-return]


@atomic
def collapse_repeated(labels: Any, seq_length: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """One label for each run of equal ones, filled up with 0: labels [n, longest], seq_length [n] -> labels [n, longest of
    them], lengths [n].
    """
    with named(name, "collapse_repeated_labels", [labels, seq_length]):
        labels = convert_to_tensor(labels, name="labels")
        seq_length = convert_to_tensor(seq_length, name="seq_length")
        is_new = array.concat(
            [array.ones_like(labels[:, :1], dtypes.bool), math.not_equal(labels[:, 1:], labels[:, :-1])], axis=1
        )
        is_kept = math.logical_and(is_new, constructors.sequence_mask(seq_length, maxlen=array.size_along(labels, 1)))
        lengths = reductions.reduce_sum(cast(is_kept, dtypes.int32), axis=1)
        longest = reductions.reduce_max(lengths)
        is_place = constructors.sequence_mask(lengths, maxlen=longest)
        flat, is_kept, is_place = (array.reshape(x, [-1]) for x in (labels, is_kept, is_place))
        places = slicing.boolean_mask(range(array.size_along(is_place, 0)), is_place)
        kept = nodes.ScatterNd(array.expand_dims(places, 1), slicing.boolean_mask(flat, is_kept), array.shape(is_place))
        return array.reshape(kept, [array.size_along(labels, 0), longest]), cast(lengths, seq_length.dtype)


__all__ = [
    "collapse_repeated", "ctc_beam_search_decoder", "ctc_beam_search_decoder_v2", "ctc_greedy_decoder", "ctc_loss",
    "ctc_unique_labels",
]  # fmt: skip
