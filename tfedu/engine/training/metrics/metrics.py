"""`tf.metrics`: numbers that add up over many runs, such as the accuracy of a whole data set that comes in batches.

    value, update = tf.metrics.accuracy(labels, predictions)
    session.run(tf.local_variables_initializer()); session.run(update, …); …; session.run(value)

Each metric has local variables (totals, counts); `update` adds a batch to them and returns the metric so far, `value` reads
it. labels and predictions have one shape [batch, ...] unless stated otherwise; weights are a scalar, or of that rank with each
size 1 or theirs; value and update are scalars, float32. All raise ValueError for static shapes that differ or weights that do
not broadcast. No other state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection
from ...lib.control.cond import cond
from ...lib.framework.collections import add_to_collections
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import waiting_for
from ...lib.linalg.linalg import diag_part
from ...lib.math import counting, math, reductions
from ...lib.nn.sample_weights import broadcast_weights, may_lose_last_axis, remove_squeezable_dimensions
from ...lib.variables import state
from ...lib.variables.scatter import scatter_add
from ...lib.variables.variable_scope import variable_scope
from ...lib.variables.variable_settings import VariableAggregation, VariableSynchronization
from ...lib.variables.variables import Variable

Metric = tuple[Any, Any]


# -- parts of all metrics ----------------------------------------------------------------------------------------------------


def metric_variable(shape: Any, dtype: Any, validate_shape: bool = True, name: str | None = None) -> Any:
    """A local variable [shape] of zeros that a metric adds to."""
    return Variable(
        lambda: array.zeros(shape, dtype),
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES],
        validate_shape=validate_shape,
        synchronization=VariableSynchronization.ON_READ,
        aggregation=VariableAggregation.SUM,
        name=name,
    )


def collected(names: Iterable[str] | None, value: Any) -> Any:
    """Adds the value to the collections; returns it."""
    if names:
        add_to_collections(names, value)
    return value


def fitted(predictions: Any, labels: Any, weights: Any) -> tuple[Tensor, Any, Any]:
    """(predictions, labels, weights) as tensors of one rank: surplus last axes of size 1 go. labels and weights may be None."""
    predictions = convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is None:
        return predictions, labels, None
    weights = convert_to_tensor(weights)
    ranks = predictions.shape.ndims, weights.shape.ndims
    if ranks[1] == 0:
        return predictions, labels, weights
    if None not in ranks:
        surplus = ranks[1] - ranks[0]  # type: ignore[operator]
        if surplus == 1:
            weights = array.squeeze(weights, [-1])
        elif surplus == -1:
            weights = array.expand_dims(weights, [-1])
        return predictions, labels, weights
    return predictions, labels, _weights_of_equal_rank(predictions, weights)


def _weights_of_equal_rank(predictions: Tensor, weights: Tensor) -> Any:
    """The weights with one last axis more or less, chosen in the run: for ranks that are unknown until then."""
    rank = array.rank(weights)
    surplus = rank - array.rank(predictions)

    def shorter() -> Tensor:
        return array.squeeze(weights, [-1]) if may_lose_last_axis(weights) else weights

    def longer() -> Any:
        return cond(math.equal(surplus, -1), lambda: array.expand_dims(weights, [-1]), lambda: weights)

    return cond(math.equal(rank, 0), lambda: weights, lambda: cond(math.equal(surplus, 1), shorter, longer))


def _quotient(total: Any, count: Any, name: str | None) -> Tensor:
    return math.div_no_nan(total, math.maximum(count, 0), name=name)


def _flat(value: Any) -> Any:
    return array.reshape(value, [-1]) if value.shape.ndims > 1 else value


# -- means -------------------------------------------------------------------------------------------------------------------


@atomic
def mean(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The weighted mean of all values [...] so far."""
    with variable_scope(name, "mean", [values, weights]):
        values = math.cast(values, dtypes.float32)
        total = metric_variable([], dtypes.float32, name="total")
        count = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            number = math.cast(array.size(values), dtypes.float32)
        else:
            values, _, weights = fitted(values, None, weights)
            weights = broadcast_weights(math.cast(weights, dtypes.float32), values)
            values = math.multiply(values, weights)
            number = reductions.reduce_sum(weights)
        batch_total = reductions.reduce_sum(values)
        return _running_mean(total, batch_total, count, number, values, metrics_collections, updates_collections)


@atomic
def mean_tensor(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The weighted mean of each element over all batches so far; values, value and update have one static shape [...]."""
    with variable_scope(name, "mean", [values, weights]):
        values = math.cast(values, dtypes.float32)
        total = metric_variable(values.shape, dtypes.float32, name="total_tensor")
        count = metric_variable(values.shape, dtypes.float32, name="count_tensor")
        number = array.ones_like(values)
        if weights is not None:
            values, _, weights = fitted(values, None, weights)
            weights = broadcast_weights(math.cast(weights, dtypes.float32), values)
            values = math.multiply(values, weights)
            number = math.multiply(number, weights)
        return _running_mean(total, values, count, number, values, metrics_collections, updates_collections)


def _running_mean(
    total: Any, batch_total: Any, count: Any, batch_count: Any, values: Any, metrics_collections: Any, updates_collections: Any
) -> Metric:
    total_after = state.assign_add(total, batch_total)
    with waiting_for([values]):
        count_after = state.assign_add(count, batch_count)
    value = collected(metrics_collections, _quotient(total, count, "value"))
    return value, collected(updates_collections, _quotient(total_after, count_after, "update_op"))


@atomic
def accuracy(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The share of predictions that equal their labels."""
    predictions, labels, weights = fitted(predictions, labels, weights)
    predictions.shape.assert_is_compatible_with(labels.shape)
    if labels.dtype != predictions.dtype:
        predictions = math.cast(predictions, labels.dtype)
    hits = math.cast(math.equal(predictions, labels), dtypes.float32)
    return mean(hits, weights, metrics_collections, updates_collections, name or "accuracy")


@atomic
def percentage_below(
    values: Any,
    threshold: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The share of values [...] below a threshold."""
    below = math.cast(math.less(values, threshold), dtypes.float32)
    return mean(below, weights, metrics_collections, updates_collections, name or "percentage_below_threshold")


# -- errors of regressions ---------------------------------------------------------------------------------------------------


@atomic
def mean_absolute_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The mean of |predictions - labels|."""
    predictions, labels, weights = fitted(predictions, labels, weights)
    errors = math.abs(predictions - labels)
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_absolute_error")


@atomic
def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The mean of (predictions - labels)²."""
    predictions, labels, weights = fitted(predictions, labels, weights)
    errors = math.squared_difference(labels, predictions)
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_squared_error")


@atomic
def root_mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The square root of the mean of (predictions - labels)²."""
    predictions, labels, weights = fitted(predictions, labels, weights)
    value, update = mean_squared_error(labels, predictions, weights, None, None, name or "root_mean_squared_error")
    root = collected(metrics_collections, math.sqrt(value))
    return root, collected(updates_collections, math.sqrt(update))


@atomic
def mean_relative_error(
    labels: Any,
    predictions: Any,
    normalizer: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The mean of |labels - predictions| / normalizer, 0 where the normalizer is 0; normalizer: of the labels' shape."""
    predictions, labels, weights = fitted(predictions, labels, weights)
    predictions, normalizer = remove_squeezable_dimensions(predictions, normalizer)
    predictions.shape.assert_is_compatible_with(normalizer.shape)
    undefined, zeros = math.equal(normalizer, 0.0), array.zeros_like(labels)
    errors = selection.where(undefined, zeros, math.div(math.abs(labels - predictions), normalizer))
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_relative_error")


@atomic
def mean_cosine_distance(
    labels: Any,
    predictions: Any,
    dim: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The mean of 1 - Σ labels · predictions along dim: the cosine distance if both have length 1 there (not checked)."""
    predictions, labels, weights = fitted(predictions, labels, weights)
    cosines = reductions.reduce_sum(math.multiply(predictions, labels), axis=[dim], keepdims=True)
    value, update = mean(cosines, weights, None, None, name or "mean_cosine_distance")
    value, update = math.subtract(1.0, value), math.subtract(1.0, update)
    return collected(metrics_collections, value), collected(updates_collections, update)


# -- classes -----------------------------------------------------------------------------------------------------------------


@atomic
def mean_per_class_accuracy(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The mean over classes of the share of their labels that are predicted; update: the share of each class, [num_classes]."""
    with variable_scope(name, "mean_accuracy", [predictions, labels, weights]):
        labels = _flat(math.cast(labels, dtypes.int64))
        predictions = _flat(convert_to_tensor(predictions))
        predictions.shape.assert_is_compatible_with(labels.shape)
        total = metric_variable([num_classes], dtypes.float32, name="total")
        count = metric_variable([num_classes], dtypes.float32, name="count")
        ones = array.ones([array.size(labels)], dtypes.float32)
        if labels.dtype != predictions.dtype:
            predictions = math.cast(predictions, labels.dtype)
        hits = math.cast(math.equal(predictions, labels), dtypes.float32)
        if weights is not None:
            weights = math.cast(_flat(convert_to_tensor(weights)), dtypes.float32)
            hits, ones = hits * weights, ones * weights
        total_after, count_after = scatter_add(total, labels, ones), scatter_add(count, labels, hits)
        value = reductions.reduce_mean(_quotient(count, total, None), name="mean_accuracy")
        collected(metrics_collections, value)
        return value, collected(updates_collections, _quotient(count_after, total_after, "update_op"))


@atomic
def mean_iou(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The mean over classes of intersection over union: TP / (TP + FP + FN); update: the confusion matrix, float64.

    labels and predictions: integers below num_classes, any equal shapes. update: [num_classes, num_classes].
    """
    with variable_scope(name, "mean_iou", [predictions, labels, weights]):
        labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
        matrix, update = _running_confusion(labels, predictions, num_classes, weights)
        rows = math.cast(reductions.reduce_sum(matrix, 0), dtypes.float32)
        columns = math.cast(reductions.reduce_sum(matrix, 1), dtypes.float32)
        hits = math.cast(diag_part(matrix), dtypes.float32)
        union = rows + columns - hits
        present = reductions.reduce_sum(math.cast(math.not_equal(union, 0), dtypes.float32))
        union = selection.where(math.greater(union, 0), union, array.ones_like(union))
        shares = math.div(hits, union)
        value = selection.where(math.greater(present, 0), reductions.reduce_sum(shares, name="mean_iou") / present, 0)
        return collected(metrics_collections, value), collected(updates_collections, update)


def _running_confusion(labels: Any, predictions: Any, num_classes: int, weights: Any) -> Metric:
    matrix = metric_variable([num_classes, num_classes], dtypes.float64, name="total_confusion_matrix")
    predictions, labels = math.cast(predictions, dtypes.int64), math.cast(labels, dtypes.int64)
    classes = math.cast(num_classes, dtypes.int64)
    predictions, labels = _flat(predictions), _flat(labels)
    if weights is not None:
        weights = _flat(convert_to_tensor(weights))
    batch_matrix = counting.confusion_matrix(labels, predictions, classes, weights=weights, dtype=dtypes.float64)
    return matrix, state.assign_add(matrix, batch_matrix)


def check_in_unit_range(value: Any, name: str) -> None:
    """Raises: ValueError for a value outside of [0, 1]."""
    if value < 0 or value > 1:
        raise ValueError(error_text(f"`{name}` must be in the range [0, 1]."))


__all__ = [
    "accuracy", "mean", "mean_absolute_error", "mean_cosine_distance", "mean_iou", "mean_per_class_accuracy",
    "mean_relative_error", "mean_squared_error", "mean_tensor", "percentage_below", "root_mean_squared_error",
]  # fmt: skip
