"""`tf.contrib.seq2seq.sequence_loss` and the losses of `tf.contrib.legacy_seq2seq`: cross entropies of sequences. No state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.framework.scope_blocks import named
from ...lib.math import counting, math, products, reductions
from ...lib.nn import cross_entropy

_LossFunction = Callable[..., Any]


@atomic
def sequence_loss(
    logits: Any,
    targets: Any,
    weights: Any,
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    sum_over_timesteps: bool = False,
    sum_over_batch: bool = False,
    softmax_loss_function: _LossFunction | None = None,
    name: str | None = None,
) -> Tensor:
    """The weighted cross entropy of logits [n, t, classes] at targets [n, t], each step with its weight of weights [n, t].

    average_across_…: divided by the sum of the weights along that axis, where that sum is not 0; both give a scalar, one gives
    [t] or [n], none [n, t]. sum_over_…: divided by the number of weights that are not 0. softmax_loss_function: called as
    f(labels=[n·t], logits=[n·t, classes]) -> [n·t] instead of the sparse softmax cross entropy.

    Raises: ValueError for tensors of other ranks, and for an axis to average and to sum.
    """
    logits, targets, weights = (
        convert_to_tensor(value, name=kind) for value, kind in ((logits, "logits"), (targets, "targets"), (weights, "weights"))
    )
    _check_rank("Logits", logits, "batch_size x sequence_length x logits")
    _check_rank("Targets", targets, "batch_size x sequence_length")
    _check_rank("Weights", weights, "batch_size x sequence_length")
    for axis, averages, sums in (
        ("timesteps", average_across_timesteps, sum_over_timesteps),
        ("batch", average_across_batch, sum_over_batch),
    ):
        if averages and sums:
            text = f"average_across_{axis} and sum_over_{axis} cannot be set to True at same time."
            raise ValueError(error_text(text))
    with named(name, "sequence_loss", [logits, targets, weights]):
        rows = array.reshape(logits, [-1, array.shape(logits)[2]])  # type: ignore[index]
        labels = array.reshape(targets, [-1])
        losses = _cross_entropy(labels, rows, softmax_loss_function) * array.reshape(weights, [-1])
        if average_across_timesteps and average_across_batch:
            return math.div_no_nan(reductions.reduce_sum(losses), reductions.reduce_sum(weights))
        if sum_over_timesteps and sum_over_batch:
            return math.div_no_nan(reductions.reduce_sum(losses), _count(weights, None, losses))
        losses = array.reshape(losses, array.shape(logits)[0:2])  # type: ignore[index]
        if average_across_timesteps or average_across_batch:
            axis = [1] if average_across_timesteps else [0]
            return math.div_no_nan(reductions.reduce_sum(losses, axis=axis), reductions.reduce_sum(weights, axis=axis))
        if sum_over_timesteps or sum_over_batch:
            axis = [1] if sum_over_timesteps else [0]
            return math.div_no_nan(reductions.reduce_sum(losses, axis=axis), _count(weights, axis, losses))
        return losses


@atomic
def sequence_loss_by_example(
    logits: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    average_across_timesteps: bool = True,
    softmax_loss_function: _LossFunction | None = None,
    name: str | None = None,
) -> Tensor:
    """The sum of the weighted cross entropies of t steps, lists of logits [n, classes], targets [n] and weights [n] -> [n].

    average_across_timesteps: divided by the sum of the weights. softmax_loss_function: called as f(labels=[n],
    logits=[n, classes]) -> [n] for each step.

    Raises: ValueError for lists of different lengths.
    """
    if not len(targets) == len(logits) == len(weights):
        text = f"Lengths of logits, weights, and targets must be the same {len(logits)}, {len(weights)}, {len(targets)}."
        raise ValueError(error_text(text))
    with named(name, "sequence_loss_by_example", [*logits, *targets, *weights]):
        losses = []
        for logit, target, weight in zip(logits, targets, weights, strict=True):
            labels = array.reshape(target, [-1]) if softmax_loss_function is None else target
            losses.append(_cross_entropy(labels, logit, softmax_loss_function) * weight)
        total = products.add_n(losses)
        if average_across_timesteps:
            total = total / (products.add_n(weights) + 1e-12)  # a sequence without weights has loss 0, not nan
        return total


@atomic
def legacy_sequence_loss(
    logits: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    softmax_loss_function: _LossFunction | None = None,
    name: str | None = None,
) -> Tensor:
    """The sum of `sequence_loss_by_example` over the n sequences, or their average: a scalar.

    Raises: ValueError for lists of different lengths.
    """
    with named(name, "sequence_loss", [*logits, *targets, *weights]):
        losses = sequence_loss_by_example(logits, targets, weights, average_across_timesteps, softmax_loss_function)
        cost = reductions.reduce_sum(losses)
        if average_across_batch:
            cost = cost / math.cast(array.shape(targets[0])[0], cost.dtype)  # type: ignore[index]
        return cost


def _check_rank(kind: str, tensor: Tensor, axes: str) -> None:
    if len(tensor.shape) != axes.count(" x ") + 1:
        raise ValueError(error_text(f"{kind} must be a [{axes}] tensor", [tensor]))


def _cross_entropy(labels: Any, logits: Any, loss_function: _LossFunction | None) -> Any:
    compute = cross_entropy.sparse_softmax_cross_entropy_with_logits if loss_function is None else loss_function
    return compute(labels=labels, logits=logits)


def _count(weights: Tensor, axis: list[int] | None, losses: Tensor) -> Tensor:
    return math.cast(counting.count_nonzero(weights, axis=axis), losses.dtype)
