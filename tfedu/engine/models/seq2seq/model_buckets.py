"""`tf.contrib.legacy_seq2seq.model_with_buckets`: one model for sequences of several lengths. No state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.framework.scope_blocks import named
from ...lib.variables.variable_scope import get_variable_scope, variable_scope
from .sequence_losses import legacy_sequence_loss, sequence_loss_by_example


@atomic
def model_with_buckets(
    encoder_inputs: Sequence[Any],
    decoder_inputs: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    buckets: Sequence[tuple[int, int]],
    seq2seq: Callable[[Any, Any], Any],
    softmax_loss_function: Callable[..., Any] | None = None,
    per_example_loss: bool = False,
    name: str | None = None,
) -> tuple[list[Any], list[Any]]:
    """(the outputs, the loss) for each bucket: seq2seq(encoder_inputs[:a], decoder_inputs[:b]) for each (a, b) of buckets, with
    the same variables. Inputs, targets and weights are lists of steps [n].

    per_example_loss: losses [n] instead of scalars.

    Raises: ValueError for lists that are shorter than the last bucket.
    """
    most_read, most_written = buckets[-1]
    for what, steps, least in (
        ("encoder_inputs", encoder_inputs, most_read), ("targets", targets, most_written), ("weights", weights, most_written)
    ):  # fmt: skip
        if len(steps) < least:
            text = f"Length of {what} ({len(steps)}) must be at least that of last bucket ({least})."
            raise ValueError(error_text(text))
    loss = sequence_loss_by_example if per_example_loss else legacy_sequence_loss
    outputs, losses = [], []
    with named(name, "model_with_buckets", [*encoder_inputs, *decoder_inputs, *targets, *weights]):
        for number, (read, written) in enumerate(buckets):
            with variable_scope(get_variable_scope(), reuse=True if number else None):
                found, _ = seq2seq(encoder_inputs[:read], decoder_inputs[:written])
                outputs.append(found)
                losses.append(
                    loss(found, targets[:written], weights[:written], softmax_loss_function=softmax_loss_function)
                )
    return outputs, losses


__all__ = ["model_with_buckets"]
