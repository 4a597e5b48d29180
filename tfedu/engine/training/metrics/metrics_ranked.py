"""`tf.metrics` of the top k: which of the k classes with the highest predictions are among an example's labels?

labels: int64 [batch, ..., labels of one example], dense or sparse, or [batch, ...] with one label each. predictions:
[batch, ..., classes]. predictions_idx: int64 [batch, ..., k], the top k classes. weights: a scalar or [batch, ...].
value and update: scalars, float64. No state but the metrics' variables.
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes, log
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection, sequences, slicing
from ...lib.control.cond import cond
from ...lib.framework.scope_blocks import name_scope, waiting_for
from ...lib.math import math, reductions
from ...lib.nn.sample_weights import assert_broadcastable, broadcast_weights
from ...lib.sparse.sparse import concat as sparse_concat
from ...lib.sparse.sparse import convert_to_tensor_or_sparse_tensor, retain
from ...lib.sparse.sparse import reshape as sparse_reshape
from ...lib.sparse.sparse_math import set_difference, set_intersection, set_size
from ...lib.variables import state
from ...op.composites import SparseTensor, SparseTensorValue
from ...op.gradient_rules import reduced_shape
from .metrics import Metric, collected, metric_variable


def _title(name: str, k: int | None = None, class_id: int | None = None) -> str:
    name = f"{name}_at_k" if k is None else f"{name}_at_{k:d}"
    return name if class_id is None else f"{name}_class{class_id:d}"


def _check_positive(k: int) -> None:
    if k < 1:
        raise ValueError(error_text(f"Invalid k={k}."))


# -- precision and recall ----------------------------------------------------------------------------------------------------


def _with_axis(labels: Any, predictions: Any) -> Any:
    """Labels of the rank of predictions: [batch, ...] becomes [batch, ..., 1]."""
    with name_scope(None, "expand_labels", [labels, predictions]) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            one_less = math.equal(array.rank(predictions), array.size(labels.dense_shape) + 1)

            def widened() -> Any:
                return sparse_reshape(labels, shape=array.concat([labels.dense_shape, [1]], 0), name=scope)

            return cond(one_less, widened, lambda: labels)
        ranks = labels.shape.ndims, predictions.shape.ndims
        if None not in ranks:
            surplus = ranks[1] - ranks[0]
            if surplus == 0:
                return labels
            if surplus == 1:
                return array.expand_dims(labels, -1, name=scope)
            text = f"Unexpected labels shape {labels.shape} for predictions shape {predictions.shape}."
            raise ValueError(error_text(text))
        one_less = math.equal(array.rank(predictions), array.rank(labels) + 1)
        return cond(one_less, lambda: array.expand_dims(labels, -1, name=scope), lambda: labels)


def _only_class(ids: Any, class_id: int) -> Any:
    """The ids that equal class_id, as a sparse tensor of the shape of ids."""
    ids = convert_to_tensor_or_sparse_tensor(ids)
    if isinstance(ids, SparseTensor):
        return retain(ids, math.equal(ids.values, class_id))
    sizes = array.shape(ids, out_type=dtypes.int64)
    last = array.size(sizes) - 1
    one_each = reduced_shape(sizes, array.reshape(last, [1]))
    matches = set_intersection(array.fill(one_each, math.cast(class_id, dtypes.int64)), ids)
    return SparseTensor(matches.indices, matches.values, sizes)


_SETS = {
    "true_positive": lambda predicted, labels: set_intersection(predicted, labels),
    "false_positive": lambda predicted, labels: set_difference(predicted, labels, aminusb=True),
    "false_negative": lambda predicted, labels: set_difference(predicted, labels, aminusb=False),
}


def _set_size(which: str, labels: Any, predicted: Any, class_id: int | None, weights: Any, name: str | None = None) -> Tensor:
    """The weighted number of ids of each example in the set `which`: float64 [batch, ...]."""
    with name_scope(name, f"{which}s", [predicted, labels, weights]):
        if class_id is not None:
            labels, predicted = _only_class(labels, class_id), _only_class(predicted, class_id)
        number: Tensor = math.cast(set_size(_SETS[which](predicted, labels)), dtypes.float64)
        if weights is None:
            return number
        with waiting_for([assert_broadcastable(weights, number)]):
            weights = math.cast(weights, dtypes.float64)
            return math.multiply(number, weights)


def _total(which: str, labels: Any, predicted: Any, k: int | None, class_id: int | None, weights: Any) -> Metric:
    """(variable, update) of a count over all batches."""
    with name_scope(None, _title(which, k, class_id), [predicted, labels, weights]) as scope:
        sizes = _set_size(which, labels, predicted, class_id, weights)
        batch_total = math.cast(reductions.reduce_sum(sizes), dtypes.float64)
        total = metric_variable([], dtypes.float64, name=scope)
        return total, state.assign_add(total, batch_total, name="update")


@atomic
def _share_at_top_k(
    title: str,
    others: str,
    labels: Any,
    predictions_idx: Any,
    k: int | None,
    class_id: int | None,
    weights: Any,
    into: tuple[Any, Any],
    name: str | None,
) -> Metric:
    """TP / (TP + others), where `others` is "false_positive" or "false_negative"."""
    with name_scope(name, _title(title, k, class_id), [predictions_idx, labels, weights]) as scope:
        labels = _with_axis(labels, predictions_idx)
        best = math.cast(predictions_idx, dtypes.int64)
        hits = _total("true_positive", labels, best, k, class_id, weights)
        misses = _total(others, labels, best, k, class_id, weights)
        value = collected(into[0], math.div(hits[0], math.add(hits[0], misses[0]), name=scope))
        return value, collected(into[1], math.div(hits[1], math.add(hits[1], misses[1]), name="update"))


@atomic
def _share_at_k(
    title: str,
    others: str,
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None,
    weights: Any,
    into: tuple[Any, Any],
    name: str | None,
) -> Metric:
    with name_scope(name, _title(title, k, class_id), [predictions, labels, weights]) as scope:
        _, best = selection.top_k(predictions, k)
        return _share_at_top_k(title, others, labels, best, k, class_id, weights, into, scope)


def precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The share of the top k classes that are labels; class_id: of that class alone."""
    into = metrics_collections, updates_collections
    return _share_at_k("precision", "false_positive", labels, predictions, k, class_id, weights, into, name)


def precision_at_top_k(
    labels: Any,
    predictions_idx: Any,
    k: int | None = None,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """precision_at_k of the top k classes' numbers."""
    into = metrics_collections, updates_collections
    return _share_at_top_k("precision", "false_positive", labels, predictions_idx, k, class_id, weights, into, name)


def recall_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The share of the labels that are among the top k classes; class_id: of that class alone."""
    into = metrics_collections, updates_collections
    return _share_at_k("recall", "false_negative", labels, predictions, k, class_id, weights, into, name)


def recall_at_top_k(
    labels: Any,
    predictions_idx: Any,
    k: int | None = None,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """recall_at_k of the top k classes' numbers."""
    into = metrics_collections, updates_collections
    return _share_at_top_k("recall", "false_negative", labels, predictions_idx, k, class_id, weights, into, name)


# -- average precision -------------------------------------------------------------------------------------------------------


@atomic
def average_precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The mean over examples of their average precision: Σ precision at the ranks of labels / the number of labels, at most k.

    Raises: ValueError for k below 1.
    """
    _check_positive(k)
    into = metrics_collections, updates_collections
    with name_scope(name, _title("average_precision", k), [predictions, labels, weights]) as scope:
        _, best = selection.top_k(predictions, k)
        labels = _mask_invalid(labels, math.cast(array.shape(predictions)[-1], dtypes.int64))
        return average_precision_at_top_k(labels, best, weights, into, scope)


@atomic
def average_precision_at_top_k(labels: Any, best: Any, weights: Any, into: tuple[Any, Any], name: str | None) -> Metric:
    """average_precision_at_k of the top k classes' numbers. into: collections of the value and of the update."""
    with name_scope(name, "average_precision_at_top_k", [best, labels, weights]) as scope:
        precisions = _average_precision(labels, best)
        if weights is not None:
            weights = broadcast_weights(math.cast(weights, dtypes.float64), precisions)
            precisions = math.multiply(precisions, weights)
        with name_scope(None, "max", [precisions]) as count_scope:
            count = metric_variable([], dtypes.float64, name=count_scope)
            if weights is None:
                batch_count = math.cast(array.size(precisions, name="batch_max"), dtypes.float64)
            else:
                batch_count = reductions.reduce_sum(weights, name="batch_max")
            count_after = state.assign_add(count, batch_count, name="update")
        with name_scope(None, "total", [precisions]) as total_scope:
            total = metric_variable([], dtypes.float64, name=total_scope)
            total_after = state.assign_add(total, reductions.reduce_sum(precisions, name="batch_total"), name="update")
        value = collected(into[0], math.div_no_nan(total, count, name="mean"))
        return value, collected(into[1], math.div_no_nan(total_after, count_after, name=scope))


def _mask_invalid(labels: Any, classes: Tensor) -> Any:
    """Labels with -1 in place of those that are `classes` or above."""
    sparse = isinstance(labels, (SparseTensor, SparseTensorValue))

    def masked(values: Any) -> Any:
        return selection.where_v2(math.greater_equal(values, classes), -1 * array.ones_like(values), values)

    def masked_labels() -> Any:
        if sparse:
            return type(labels)(labels.indices, masked(labels.values), labels.dense_shape)
        return masked(labels)

    highest = reductions.reduce_max(labels.values if sparse else labels)
    return cond(math.greater_equal(highest, classes), masked_labels, lambda: labels)


def _average_precision(labels: Any, best: Any) -> Tensor:
    """The average precision of each example, float64 [batch, ...], of labels and the top k classes [batch, ..., k]."""
    with name_scope(None, "average_precision", [best, labels]) as scope:
        best = math.cast(best, dtypes.int64, name="predictions_idx")
        if best.shape.ndims == 0:
            raise ValueError(error_text("The rank of predictions_idx must be at least 1."))
        k = best.shape.as_list()[-1]
        if k is None:
            raise ValueError(error_text("The last dimension of predictions_idx must be set."))
        labels = _with_axis(labels, best)
        singles = array.expand_dims(best, -1, name="predictions_idx_per_k")
        repeated = _repeated(labels, k, name="labels_per_k")
        relevant = _set_size("true_positive", repeated, singles, None, None, name="relevant_per_k")
        hits = sequences.cumsum(relevant, axis=-1, name="tp_per_k")
        ranks = sequences.cumsum(array.ones_like(relevant), axis=-1, name="retrieved_per_k")
        precision = math.div(
            math.cast(hits, dtypes.float64), math.cast(ranks, dtypes.float64), name="precision_per_k"
        )
        relevant_precision = math.multiply(precision, math.cast(relevant, dtypes.float64), name="relevant_precision_per_k")
        total = reductions.reduce_sum(relevant_precision, axis=(-1,), name="precision_sum")
        return math.div(total, math.cast(_number_relevant(labels, k), dtypes.float64), name=scope)


def _repeated(labels: Any, times: int, name: str) -> Any:
    """labels [batch, ..., labels] as [batch, ..., times, labels]."""
    with name_scope(name, "expand_and_tile", [labels, times, -1]) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            sizes = labels.dense_shape
            place = array.reshape(array.size(sizes) - 1, [1])
            wide = array.concat(
                [slicing.slice(sizes, [0], place), [1], slicing.slice(sizes, place, [-1])], 0, name="expanded_shape"
            )
            expanded = sparse_reshape(labels, shape=wide, name="expand")
            return expanded if times == 1 else sparse_concat(-2, [expanded] * times, name=scope)
        expanded = array.expand_dims(labels, -2, name="expand")
        if times == 1:
            return expanded
        ones = array.ones_like(array.shape(labels))
        return array.tile(expanded, array.concat([ones[:-1], [times], ones[-1:]], 0, name="multiples"), name=scope)


def _number_relevant(labels: Any, k: int) -> Tensor:
    """The number of labels of each example [batch, ...], at most k; negative labels do not count."""
    _check_positive(k)
    with name_scope(None, "num_relevant", [labels]) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            return math.minimum(set_size(labels), k, name=scope)
        counts = selection.where_v2(math.greater_equal(labels, 0), array.ones_like(labels), array.zeros_like(labels))
        return math.minimum(reductions.reduce_sum(counts, axis=-1), k, name=scope)


# -- older names -------------------------------------------------------------------------------------------------------------


def sparse_average_precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The older name of average_precision_at_k."""
    log.log_first_n(log.WARN, "tf.metrics.sparse_average_precision_at_k is deprecated: use average_precision_at_k.", 1)
    return average_precision_at_k(labels, predictions, k, weights, metrics_collections, updates_collections, name)


def sparse_precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The older name of precision_at_k."""
    log.log_first_n(log.WARN, "tf.metrics.sparse_precision_at_k is deprecated: use precision_at_k.", 1)
    return precision_at_k(labels, predictions, k, class_id, weights, metrics_collections, updates_collections, name)


__all__ = [
    "average_precision_at_k", "precision_at_k", "precision_at_top_k", "recall_at_k", "recall_at_top_k",
    "sparse_average_precision_at_k", "sparse_precision_at_k",
]  # fmt: skip
