"""`K.ctc_batch_cost`, `ctc_decode`, `ctc_label_dense_to_sparse`: CTC with the batch first. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...graph.atomic import atomic
from ...lib.arrays import array, constructors, selection
from ...lib.math import math
from ...lib.nn import ctc
from ...lib.sparse import sparse
from ...lib.sparse.composite_values import SparseTensor
from ..keras_parts.keras_config import epsilon


@atomic
def ctc_label_dense_to_sparse(labels: Any, label_lengths: Any) -> SparseTensor:
    """The first label_lengths [n] labels of each row of labels [n, longest], sparse [n, longest]."""
    sizes = array.shape(labels)
    is_label = constructors.sequence_mask(label_lengths, sizes[1])
    places = selection.where(is_label)
    return SparseTensor(places, selection.gather_nd(labels, places), math.cast(sizes, dtypes.int64))


def _logits(y_pred: Any) -> Any:
    """log of probabilities [n, time, classes], the time first."""
    return math.log(array.transpose(y_pred, perm=[1, 0, 2]) + epsilon())


@atomic
def ctc_batch_cost(y_true: Any, y_pred: Any, input_length: Any, label_length: Any) -> Any:
    """-log of the probability of each row's labels: labels [n, longest], probabilities [n, time, classes] (the last class is the
    blank), lengths [n, 1] -> [n, 1].
    """
    label_length = math.cast(array.squeeze(label_length, axis=-1), dtypes.int32)
    input_length = math.cast(array.squeeze(input_length, axis=-1), dtypes.int32)
    labels = math.cast(ctc_label_dense_to_sparse(y_true, label_length), dtypes.int32)
    return array.expand_dims(
        ctc.ctc_loss(inputs=_logits(y_pred), labels=labels, sequence_length=input_length), 1
    )


@atomic
def ctc_decode(
    y_pred: Any, input_length: Any, greedy: bool = True, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[Any], Any]:
    """The labels of probabilities [n, time, classes] with lengths [n]: top_paths matrices [n, longest], with -1 behind the
    labels, and the log probabilities [n, top_paths].

    greedy: the likeliest class of each step; else a search with beam_width paths.
    """
    logits, lengths = _logits(y_pred), math.cast(input_length, dtypes.int32)
    if greedy:
        found, scores = ctc.ctc_greedy_decoder(inputs=logits, sequence_length=lengths)
    else:
        found, scores = ctc.ctc_beam_search_decoder(
            inputs=logits, sequence_length=lengths, beam_width=beam_width, top_paths=top_paths
        )
    return [sparse.to_dense(path, default_value=-1) for path in found], scores


__all__ = ["ctc_batch_cost", "ctc_decode", "ctc_label_dense_to_sparse"]
