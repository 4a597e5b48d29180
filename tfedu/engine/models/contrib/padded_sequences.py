"""Results of recurrent nets on padded sequences, as `tf.contrib.learn`'s models took them: the last step, or all but the padding.

    last = select_last_activations(outputs, lengths)      # [n, k] of outputs [n, steps, k]

No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection, slicing
from ...lib.arrays.constructors import sequence_mask
from ...lib.arrays.sequences import range as numbers
from ...lib.framework.scope_blocks import name_scope
from ..rnn.wrappers import DropoutWrapper


@atomic
def select_last_activations(activations: Any, sequence_lengths: Any) -> Tensor:
    """The step before each sequence's end: activations [n, steps, k], sequence_lengths [n] -> [n, k]; None: the last step."""
    with name_scope(None, "select_last_activations", [activations, sequence_lengths]):
        sizes: Any = array.shape(activations)
        count, steps, width = sizes[0], sizes[1], sizes[2]
        if sequence_lengths is None:
            sequence_lengths = steps
        rows = array.reshape(activations, [-1, width])
        starts: Any = numbers(count)
        last = selection.gather(rows, starts * steps + sequence_lengths - 1)
        last.set_shape([activations.get_shape()[0], activations.get_shape()[2]])
        return last


@atomic
def mask_activations_and_labels(activations: Any, labels: Any, sequence_lengths: Any) -> tuple[Tensor, Tensor]:
    """The steps before each sequence's end: activations [n, steps, k], labels [n, steps] -> [m, k] and [m]; None: all steps."""
    with name_scope(None, "mask_activations_and_labels", [activations, labels, sequence_lengths]):
        sizes: Any = array.shape(labels)
        count, steps = sizes[0], sizes[1]
        if sequence_lengths is None:
            total = steps * count
            return array.reshape(activations, [total, -1]), array.reshape(labels, [total])
        mask = sequence_mask(sequence_lengths, steps)
        return slicing.boolean_mask(activations, mask), slicing.boolean_mask(labels, mask)


def apply_dropout(cells: Sequence[Any], dropout_keep_probabilities: Sequence[Any], random_seed: int | None = None) -> list[Any]:
    """The cells with dropout: of each one's input, and of the last one's output, by the probabilities that a number is kept.

    Raises: ValueError unless there is one probability more than cells.
    """
    if len(dropout_keep_probabilities) != len(cells) + 1:
        raise ValueError(
            error_text(
                "The number of dropout probabilities must be one greater than the number of cells. "
                f"Got {len(cells)} cells and {len(dropout_keep_probabilities)} dropout probabilities."
            )
        )
    *inner, last_input, last_output = dropout_keep_probabilities
    wrapped = [DropoutWrapper(cell, keep, 1.0, seed=random_seed) for cell, keep in zip(cells[:-1], inner)]
    return [*wrapped, DropoutWrapper(cells[-1], last_input, last_output)]


__all__ = ["apply_dropout", "mask_activations_and_labels", "select_last_activations"]
