"""`tf.losses`: losses that a training minimizes. Each is a node in the graph and a member of the collection LOSSES.

    loss = tf.losses.mean_squared_error(labels, predictions)

All but mean_pairwise_squared_error end in `compute_weighted_loss`: elementwise losses · weights, then a `Reduction` to a
scalar. labels, predictions and logits have one shape [batch, ...] unless stated otherwise; weights are a scalar, or of that
rank with each size 1 or the losses'. All raise ValueError for arguments that are None, for shapes that differ and for weights
that do not broadcast. No state of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection, sequences
from ...lib.arrays.array import stop_gradient
from ...lib.framework.collections import add_to_collection, get_collection
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.renamed_arguments import renamed
from ...lib.framework.scope_blocks import name_scope, waiting_for
from ...lib.math import math, reductions
from ...lib.math.products import add_n
from ...lib.nn import cross_entropy
from ...lib.nn.sample_weights import (
    assert_broadcastable,
    broadcast_weights,
    remove_squeezable_dimensions,
    squeeze_if,
)
from ...op.constant import constant
from ...ops import activations as activation_ops


class Reduction:
    """How elementwise losses become a scalar: their sum, or a mean over some count; NONE leaves them elementwise."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        return (
            cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS, cls.SUM_BY_NONZERO_WEIGHTS,
        )  # fmt: skip

    @classmethod
    def validate(cls, key: Any) -> None:
        """Raises: ValueError for a key that is no reduction."""
        if key not in cls.all():
            raise ValueError(
                error_text(f"Invalid Reduction Key {key}.", fix=f"the keys: {', '.join(dict.fromkeys(cls.all()))}")
            )


_DEFAULT_REDUCTION = Reduction.SUM_BY_NONZERO_WEIGHTS


# -- weights and reduction ---------------------------------------------------------------------------------------------------


@atomic
def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _DEFAULT_REDUCTION,
) -> Tensor:
    """losses · weights, reduced to a scalar (NONE: [batch, ...]) of the dtype of losses, and added to the collection.

    weights: a scalar, or of the rank of losses, each size 1 or theirs. Raises: ValueError for weights that do not broadcast.
    """
    Reduction.validate(reduction)
    with name_scope(scope, "weighted_loss", [losses, weights]):
        with waiting_for([assert_broadcastable(weights, losses)]):
            losses = convert_to_tensor(losses)
            input_dtype = losses.dtype
            losses = math.cast(losses, dtypes.float32)
            weights = math.cast(weights, dtypes.float32)
            loss = math.multiply(losses, weights)
            if reduction != Reduction.NONE:
                loss = reductions.reduce_sum(loss)
                if reduction == Reduction.MEAN:
                    loss = _over(loss, reductions.reduce_sum(array.ones_like(losses) * weights))
                elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
                    loss = _over(loss, _number_present(losses, weights))
                elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
                    loss = _over(loss, _number_of(losses))
            loss = math.cast(loss, input_dtype)
            add_loss(loss, loss_collection)
            return loss  # type: ignore[no-any-return]


def _over(total: Tensor, number: Tensor) -> Tensor:
    return math.div_no_nan(reductions.reduce_sum(total), number, name="value")


def _number_present(losses: Tensor, weights: Any, per_batch: bool = False) -> Tensor:
    """The number of elements with a weight other than 0: a scalar, or per example [batch, 1, ...]."""
    with name_scope(None, "num_present", [losses, weights]) as scope:
        weights = math.cast(weights, dtypes.float32)
        present = selection.where(math.equal(weights, 0.0), array.zeros_like(weights), array.ones_like(weights))
        present = broadcast_weights(present, losses)
        if per_batch:
            axes = sequences.range(1, array.rank(present))
            return reductions.reduce_sum(present, axis=axes, keepdims=True, name=scope)  # type: ignore[no-any-return]
        return reductions.reduce_sum(present, name=scope)  # type: ignore[no-any-return]


def _number_of(losses: Tensor) -> Tensor:
    with name_scope(None, "num_elements", [losses]) as scope:
        return math.cast(array.size(losses, name=scope), losses.dtype)  # type: ignore[no-any-return]


# -- the collections ---------------------------------------------------------------------------------------------------------


def add_loss(loss: Any, loss_collection: Any = GraphKeys.LOSSES) -> None:
    """Adds a loss to the collection; None as the collection: to none."""
    if loss_collection:
        add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: Any = GraphKeys.LOSSES) -> list[Any]:
    """The losses so far; scope: a pattern that their names must match from the start."""
    return get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The losses that the variables' regularizers have added; scope: as get_losses."""
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope: str | None = None, name: str = "total_regularization_loss") -> Tensor:
    """The sum of the regularization losses, a scalar; 0 without any."""
    losses = get_regularization_losses(scope)
    return add_n(losses, name=name) if losses else constant(0.0)


def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None) -> Tensor:
    """The sum of all losses, a scalar; by default with the regularization losses.

    Raises: ValueError when there are none.
    """
    losses = get_losses(scope=scope)
    if add_regularization_losses:
        losses += get_regularization_losses(scope=scope)
    return add_n(losses, name=name)


# -- losses of regressions ---------------------------------------------------------------------------------------------------


def _check_not_none(**values: Any) -> None:
    for name, value in values.items():
        if value is None:
            raise ValueError(error_text(f"{name} must not be None."))


@contextmanager
def _compared(
    name: str | None,
    default: str,
    predictions: Any,
    labels: Any,
    weights: Any,
    names: tuple[str, str] = ("labels", "predictions"),
) -> Iterator[tuple[str, Tensor, Tensor]]:
    """Opens the loss's scope; yields (scope, predictions, labels), both as float32 of compatible shapes."""
    _check_not_none(**{names[0]: labels, names[1]: predictions})
    with name_scope(name, default, [predictions, labels, weights]) as scope:
        predictions = math.cast(predictions, dtypes.float32)
        labels = math.cast(labels, dtypes.float32)
        predictions.shape.assert_is_compatible_with(labels.shape)
        yield scope, predictions, labels


@atomic
def absolute_difference(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _DEFAULT_REDUCTION,
) -> Tensor:
    """|predictions - labels|, weighted and reduced."""
    with _compared(scope, "absolute_difference", predictions, labels, weights) as (scope, predictions, labels):
        losses = math.abs(math.subtract(predictions, labels))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@atomic
def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _DEFAULT_REDUCTION,
) -> Tensor:
    """(predictions - labels)², weighted and reduced."""
    with _compared(scope, "mean_squared_error", predictions, labels, weights) as (scope, predictions, labels):
        losses = math.squared_difference(predictions, labels)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@atomic
def huber_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    delta: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _DEFAULT_REDUCTION,
) -> Tensor:
    """error² / 2 up to |error| = delta, linear beyond: delta · |error| - delta² / 2. Outliers count for less.

    Source: Huber, 1964.
    """
    with _compared(scope, "huber_loss", predictions, labels, weights) as (scope, predictions, labels):
        size = math.abs(math.subtract(predictions, labels))
        near = math.minimum(size, delta)
        far = math.subtract(size, near)
        half = convert_to_tensor(0.5, dtype=near.dtype)
        losses = math.add(math.multiply(half, math.multiply(near, near)), math.multiply(delta, far))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@atomic
def log_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    epsilon: Any = 1e-7,
    scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _DEFAULT_REDUCTION,
) -> Tensor:
    """-label · log(p + epsilon) - (1 - label) · log(1 - p + epsilon) of probabilities p, the predictions."""
    with _compared(scope, "log_loss", predictions, labels, weights) as (scope, predictions, labels):
        hits = -math.multiply(labels, math.log(predictions + epsilon))
        losses = hits - math.multiply(1 - labels, math.log(1 - predictions + epsilon))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@atomic
def hinge_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _DEFAULT_REDUCTION,
) -> Tensor:
    """max(0, 1 - sign · logit), where the sign is -1 for label 0 and 1 for label 1."""
    with _compared(scope, "hinge_loss", logits, labels, weights, ("labels", "logits")) as (scope, logits, labels):
        ones = array.ones_like(labels)
        sign = math.subtract(2 * labels, ones)
        losses = activation_ops.relu(math.subtract(ones, math.multiply(sign, logits)))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@atomic
def cosine_distance(
    labels: Any,
    predictions: Any,
    axis: int | None = None,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _DEFAULT_REDUCTION,
    dim: int | None = None,
) -> Tensor:
    """1 - Σ labels · predictions along axis: the cosine distance if both have length 1 there (not checked).

    dim: the older name of axis. Raises: ValueError without an axis.
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError(error_text("You must specify 'axis'."))
    with _compared(scope, "cosine_distance_loss", predictions, labels, weights) as (scope, predictions, labels):
        losses = 1 - reductions.reduce_sum(math.multiply(predictions, labels), axis=(axis,), keepdims=True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@atomic
def mean_pairwise_squared_error(
    labels: Any, predictions: Any, weights: Any = 1.0, scope: str | None = None, loss_collection: Any = GraphKeys.LOSSES
) -> Tensor:
    """The mean of ((p_i - p_j) - (l_i - l_j))² over all pairs i, j of elements in an example, summed over the batch: a scalar.

    weights: a scalar, [batch], or of the rank of labels. Differs from other losses: no reduction to choose.
    """
    _check_not_none(labels=labels, predictions=predictions)
    with name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]):
        weights, labels = math.cast(weights, dtypes.float32), math.cast(labels, dtypes.float32)
        with waiting_for([assert_broadcastable(weights, labels)]):
            predictions = math.cast(predictions, dtypes.float32)
            predictions.shape.assert_is_compatible_with(labels.shape)
            errors = math.subtract(predictions, labels)
            axes = sequences.range(1, array.rank(errors))
            squares = reductions.reduce_sum(math.square(errors), axis=axes, keepdims=True)
            number = _number_present(errors, weights, per_batch=True)
            first = 2.0 * math.div_no_nan(squares, math.maximum(number - 1, 0), name="value")
            sums = reductions.reduce_sum(errors, axis=axes, keepdims=True)
            squared = math.square(sums)
            pairs = math.maximum(math.multiply(number, number - 1), 0)
            second = 2.0 * math.div_no_nan(squared, pairs, name="value")
            loss = reductions.reduce_sum(math.multiply(first - second, weights))
            any_present = reductions.reduce_sum(number) > 0
            mean = selection.where(any_present, loss, array.zeros_like(loss), name="value")
            add_loss(mean, loss_collection)
            return mean


# -- losses of classes -------------------------------------------------------------------------------------------------------


@atomic
def sigmoid_cross_entropy(
    multi_class_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: Any = 0,
    scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _DEFAULT_REDUCTION,
) -> Tensor:
    """The sigmoid cross entropy of each class on its own; logits and labels [batch, classes].

    label_smoothing: the share of 1/2 that is mixed into the labels.
    """
    _check_not_none(multi_class_labels=multi_class_labels, logits=logits)
    with name_scope(scope, "sigmoid_cross_entropy_loss", [logits, multi_class_labels, weights]) as scope:
        logits, labels = _cast_to_logits(logits, multi_class_labels)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = cross_entropy.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@atomic
def softmax_cross_entropy(
    onehot_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: Any = 0,
    scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _DEFAULT_REDUCTION,
) -> Tensor:
    """The softmax cross entropy of exclusive classes; logits and labels [batch, classes], losses [batch]. No gradient to labels.

    label_smoothing: the share of 1/classes that is mixed into the labels.
    """
    _check_not_none(onehot_labels=onehot_labels, logits=logits)
    with name_scope(scope, "softmax_cross_entropy_loss", [logits, onehot_labels, weights]) as scope:
        logits, labels = _cast_to_logits(logits, onehot_labels)
        if label_smoothing > 0:
            classes = math.cast(array.shape(labels)[-1], logits.dtype)
            labels = labels * (1.0 - label_smoothing) + label_smoothing / classes
        labels = stop_gradient(labels, name="labels_stop_gradient")
        losses = cross_entropy.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


def _cast_to_logits(logits: Any, labels: Any) -> tuple[Tensor, Any]:
    """(logits, labels), both of the logits' dtype."""
    logits = convert_to_tensor(logits)
    labels = math.cast(labels, logits.dtype)
    logits.shape.assert_is_compatible_with(labels.shape)
    return logits, labels


@atomic
def sparse_softmax_cross_entropy(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _DEFAULT_REDUCTION,
) -> Tensor:
    """The softmax cross entropy of labels [batch], the numbers of the classes; logits [batch, classes], losses [batch]."""
    _check_not_none(labels=labels, logits=logits)
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as scope:
        labels, logits = remove_squeezable_dimensions(labels, logits, expected_rank_diff=1)
        weights = None if weights is None else _squeezed_weights(convert_to_tensor(weights), labels)
        losses = cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


def _squeezed_weights(weights: Tensor, labels: Tensor) -> Tensor:
    """Weights without their last axis (of size 1) where their rank is one more than that of labels."""
    ranks = labels.shape.ndims, weights.shape.ndims
    if None not in ranks:
        return array.squeeze(weights, [-1]) if ranks[1] - ranks[0] == 1 else weights  # type: ignore[operator]
    return squeeze_if(1, array.rank(weights) - array.rank(labels), weights)


__all__ = [
    "Reduction", "absolute_difference", "add_loss", "compute_weighted_loss", "cosine_distance", "get_losses",
    "get_regularization_loss", "get_regularization_losses", "get_total_loss", "hinge_loss", "huber_loss", "log_loss",
    "mean_pairwise_squared_error", "mean_squared_error", "sigmoid_cross_entropy", "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]  # fmt: skip
