"""`tf.contrib.losses`: the losses before `tf.losses`. They take predictions before labels, and mean over all present elements.

    loss = tf.contrib.losses.softmax_cross_entropy(logits, onehot_labels)

Each is a node in the graph and a member of the collection LOSSES, but hinge_loss, which stays elementwise and in none. Weights
are a scalar, or [batch, d1, …] with the first axes of the losses; each weight counts for all elements below it. No state.
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
from ...lib.arrays import array, constructors, selection, slicing
from ...lib.framework.renamed_arguments import renamed
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math, reductions
from ...lib.math.products import add_n
from ...lib.nn import cross_entropy
from ...ops import activations as activation_ops
from ...training.losses import losses as newer
from ...training.losses.losses import get_losses, get_regularization_losses
from .arg_scopes import add_arg_scope

add_loss = add_arg_scope(newer.add_loss)


@atomic
def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None) -> Tensor:
    """Σ losses · weights over the number of losses with a weight other than 0, a scalar; 0 when there is none.

    Raises: ValueError for an unknown rank, and for weights that do not fit the first axes of the losses.
    """
    with name_scope(scope, "weighted_loss", [losses, weights]):
        losses = convert_to_tensor(losses)
        input_dtype = losses.dtype
        losses = math.cast(losses, dtypes.float32)
        weights = math.cast(convert_to_tensor(weights), dtypes.float32)
        _check_ranks(losses=losses, weights=weights)
        weights = _without_axes_of_one(weights)
        total = _weighted_sum(losses, weights)
        number = reductions.reduce_sum(_number_present(losses, weights))
        loss = math.div_no_nan(reductions.reduce_sum(total), number, name="value")
        loss = math.cast(loss, input_dtype)
        add_loss(loss)
        return loss


def _check_ranks(**tensors: Tensor) -> None:
    for name, tensor in tensors.items():
        if tensor.shape.ndims is None:
            raise ValueError(error_text(f"{name}.get_shape().ndims cannot be None"))


def _without_axes_of_one(weights: Tensor) -> Tensor:
    """Weights [batch, 1, …] as [batch, …]."""
    rank = weights.shape.ndims
    assert rank is not None
    if rank > 1 and weights.shape.dims[-1].is_compatible_with(1):
        return array.squeeze(weights, [-1])
    return weights


def _below(values: Tensor, weights: Tensor) -> range:
    """The axes of the values that no axis of the weights stands for."""
    assert values.shape.ndims is not None
    assert weights.shape.ndims is not None
    return range(weights.shape.ndims, values.shape.ndims)


def _weighted_sum(losses: Tensor, weights: Tensor) -> Tensor:
    """Σ losses · weights, a scalar."""
    by_weight = reductions.reduce_sum(losses, axis=list(_below(losses, weights)))
    return reductions.reduce_sum(math.multiply(by_weight, weights))


def _number_present(losses: Tensor, weights: Tensor) -> Tensor:
    """How many elements of each example count, [batch]: those whose weight is not 0."""
    if weights.shape.ndims == 0:
        batch = array.reshape(slicing.slice(array.shape(losses), [0], [1]), [])
        each = math.div(math.cast(array.size(losses), dtypes.float32), math.cast(batch, dtypes.float32))
        each = selection.where(math.equal(weights, 0), 0.0, each)
        return math.multiply(constructors.ones(array.reshape(batch, [1]), dtypes.float32), each)
    present = math.cast(math.not_equal(weights, 0), dtypes.float32)
    assert weights.shape.ndims is not None
    present = reductions.reduce_sum(present, axis=list(range(1, weights.shape.ndims)))
    below = slicing.slice(array.shape(losses), [weights.shape.ndims], [-1])
    return math.multiply(present, math.cast(reductions.reduce_prod(below), dtypes.float32))


@contextmanager
def _compared(
    name: str | None, default: str, predictions: Any, labels: Any, weights: Any
) -> Iterator[tuple[str, Tensor, Tensor]]:
    """Opens the loss's scope; yields (scope, predictions, labels), both as float32 of compatible shapes."""
    with name_scope(name, default, [predictions, labels, weights]) as scope:
        predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
        predictions.shape.assert_is_compatible_with(labels.shape)
        yield scope, math.cast(predictions, dtypes.float32), math.cast(labels, dtypes.float32)


@atomic
def absolute_difference(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Tensor:
    """|predictions - labels|, weighted and averaged."""
    with _compared(scope, "absolute_difference", predictions, labels, weights) as (block, predictions, labels):
        return compute_weighted_loss(math.abs(math.subtract(predictions, labels)), weights, scope=block)


@atomic
def mean_squared_error(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Tensor:
    """(predictions - labels)², weighted and averaged."""
    with _compared(scope, "mean_squared_error", predictions, labels, weights) as (block, predictions, labels):
        return compute_weighted_loss(math.squared_difference(predictions, labels), weights, scope=block)


@atomic
def log_loss(
    predictions: Any, labels: Any = None, weights: Any = 1.0, epsilon: Any = 1e-7, scope: str | None = None
) -> Tensor:
    """-label · log(p + epsilon) - (1 - label) · log(1 - p + epsilon) of probabilities p, the predictions."""
    with _compared(scope, "log_loss", predictions, labels, weights) as (block, predictions, labels):
        hits = -math.multiply(labels, math.log(predictions + epsilon))
        losses = hits - math.multiply(1 - labels, math.log(1 - predictions + epsilon))
        return compute_weighted_loss(losses, weights, scope=block)


@atomic
def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> Tensor:
    """max(0, 1 - sign · logit) of each element, in no collection; the sign is -1 for label 0 and 1 for label 1."""
    with name_scope(scope, "hinge_loss", [logits, labels]):
        logits, labels = convert_to_tensor(logits), convert_to_tensor(labels)
        logits.shape.assert_is_compatible_with(labels.shape)
        labels = math.cast(labels, dtypes.float32)
        ones = array.ones_like(labels)
        sign = math.subtract(2 * labels, ones)
        return activation_ops.relu(math.subtract(ones, math.multiply(sign, logits)))


@atomic
def cosine_distance(
    predictions: Any,
    labels: Any = None,
    axis: int | None = None,
    weights: Any = 1.0,
    scope: str | None = None,
    dim: int | None = None,
) -> Tensor:
    """1 - Σ predictions · labels along axis: the cosine distance if both have length 1 there (not checked).

    dim: the older name of axis. Raises: ValueError without an axis.
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError(error_text("You must specify 'axis'."))
    with _compared(scope, "cosine_distance_loss", predictions, labels, weights) as (block, predictions, labels):
        losses = 1 - reductions.reduce_sum(math.multiply(predictions, labels), axis=[axis])
        return compute_weighted_loss(losses, weights, scope=block)


@atomic
def mean_pairwise_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None
) -> Tensor:
    """((p_i - p_j) - (l_i - l_j))² of the pairs i, j of elements in an example, weighted and summed over the batch: a scalar.

    weights: a scalar or [batch]. An example of n elements counts with 2 · Σ e² / n - 2 · (Σ e)² / n², e its errors.
    """
    with name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]):
        predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
        predictions.shape.assert_is_compatible_with(labels.shape)
        predictions, labels = math.cast(predictions, dtypes.float32), math.cast(labels, dtypes.float32)
        weights = math.cast(convert_to_tensor(weights), dtypes.float32)
        errors = math.subtract(predictions, labels)
        _check_ranks(predictions=predictions, weights=weights)
        axes = list(range(1, errors.shape.ndims or 1))
        squares = reductions.reduce_sum(math.square(errors), axis=axes)
        number = _number_present(errors, weights)
        first = 2.0 * math.div_no_nan(squares, number, name="value")
        squared = math.square(reductions.reduce_sum(errors, axis=axes))
        second = 2.0 * math.div_no_nan(squared, math.square(number), name="value")
        loss = _weighted_sum(first - second, weights)
        any_present = reductions.reduce_sum(number) > 0
        mean = selection.where(any_present, loss, array.zeros_like(loss), name="value")
        add_loss(mean)
        return mean


@atomic
def sigmoid_cross_entropy(
    logits: Any, multi_class_labels: Any, weights: Any = 1.0, label_smoothing: Any = 0, scope: str | None = None
) -> Tensor:
    """The sigmoid cross entropy of each class on its own; logits and labels [batch, classes].

    label_smoothing: the share of 1/2 that is mixed into the labels.
    """
    with name_scope(scope, "sigmoid_cross_entropy_loss", [logits, multi_class_labels, weights]) as block:
        logits, labels = _cast_to_logits(logits, multi_class_labels)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = cross_entropy.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=block)


@atomic
def softmax_cross_entropy(
    logits: Any, onehot_labels: Any, weights: Any = 1.0, label_smoothing: Any = 0, scope: str | None = None
) -> Tensor:
    """The softmax cross entropy of exclusive classes; logits and labels [batch, classes], losses [batch]. No gradient to labels.

    label_smoothing: the share of 1/classes that is mixed into the labels.
    """
    with name_scope(scope, "softmax_cross_entropy_loss", [logits, onehot_labels, weights]) as block:
        logits, labels = _cast_to_logits(logits, onehot_labels)
        if label_smoothing > 0:
            classes = math.cast(array.shape(labels)[1], logits.dtype)
            negative = label_smoothing / classes
            labels = labels * (1.0 - label_smoothing) + negative
        losses = cross_entropy.softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=block)


def _cast_to_logits(logits: Any, labels: Any) -> tuple[Tensor, Any]:
    """(logits, labels), both of the logits' dtype."""
    logits, labels = convert_to_tensor(logits), convert_to_tensor(labels)
    logits.shape.assert_is_compatible_with(labels.shape)
    return logits, math.cast(labels, logits.dtype)


@atomic
def sparse_softmax_cross_entropy(logits: Any, labels: Any, weights: Any = 1.0, scope: str | None = None) -> Tensor:
    """The softmax cross entropy of labels [batch] or [batch, 1], the numbers of the classes; logits [batch, classes]."""
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as block:
        labels = convert_to_tensor(labels)
        labels = array.reshape(labels, shape=[array.shape(labels)[0]])
        losses = cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=block)


def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss") -> Tensor:
    """The sum of all losses, a scalar; by default with the regularization losses.

    Raises: ValueError when there are none.
    """
    losses = get_losses()
    if add_regularization_losses:
        losses += get_regularization_losses()
    return add_n(losses, name=name)


__all__ = [
    "absolute_difference", "add_loss", "compute_weighted_loss", "cosine_distance", "get_total_loss", "hinge_loss", "log_loss",
    "mean_pairwise_squared_error", "mean_squared_error", "sigmoid_cross_entropy", "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]  # fmt: skip
