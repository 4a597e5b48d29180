"""Metrics that only tf.contrib.metrics has: counts, covariance, Pearson's correlation, F1 and Cohen's kappa.

Shapes, results and errors are those of `metrics.py`. No state but the metrics' variables.
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.arrays import array, selection
from ...lib.framework.scope_blocks import name_scope, waiting_for
from ...lib.linalg.linalg import diag_part
from ...lib.math import counting, math, reductions
from ...lib.nn.sample_weights import broadcast_weights
from ...lib.variables import state
from ...lib.variables.variable_scope import variable_scope
from .metrics import Metric, collected, fitted, mean, metric_variable
from .metrics_binary import counts_at_thresholds, evenly_spaced_thresholds
from .metrics_ranked import average_precision_at_top_k, precision_at_top_k, recall_at_top_k


@atomic
def count(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None
) -> Metric:
    """The number of values [...] so far, or the sum of their weights."""
    with variable_scope(name, "count", (values, weights)):
        total = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            number = math.cast(array.size(values), dtypes.float32)
        else:
            values, _, weights = fitted(math.cast(values, dtypes.float32), None, weights)
            number = reductions.reduce_sum(broadcast_weights(math.cast(weights, dtypes.float32), values))
        with waiting_for([values]):
            update = state.assign_add(total, number)
        return collected(metrics_collections, total.read_value()), collected(updates_collections, update)


@atomic
def streaming_covariance(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The unbiased covariance of all predictions and labels so far; NaN for fewer than two.

    Source: https://en.wikipedia.org/wiki/Algorithms_for_calculating_variance#Online (merges a batch into the totals).
    """
    with variable_scope(name, "covariance", (predictions, labels, weights)):
        predictions, labels, weights = fitted(predictions, labels, weights)
        count, mean_p, mean_l, comoment = (
            metric_variable([], dtypes.float32, name=n) for n in ("count", "mean_prediction", "mean_label", "comoment")
        )
        if weights is None:
            number = math.cast(array.size(labels), dtypes.float32)
        else:
            weights = broadcast_weights(weights, labels)
            number = reductions.reduce_sum(weights)

        def total(values: Any) -> Any:
            return reductions.reduce_sum(values if weights is None else math.multiply(values, weights))

        after = state.assign_add(count, number)
        before = after - number
        batch, previous = [], []
        for mean, values in ((mean_p, predictions), (mean_l, labels)):
            of_batch = math.div_no_nan(total(values), number)
            change = math.div_no_nan((of_batch - mean) * number, after)
            batch.append(of_batch)
            previous.append(state.assign_add(mean, change) - change)
        within = total((predictions - batch[0]) * (labels - batch[1]))
        between = (previous[0] - batch[0]) * (previous[1] - batch[1]) * (before * number / after)
        update = state.assign_add(comoment, within + between)

        def covariance(name: str) -> Any:
            few = math.less_equal(count, 1.0)
            return selection.where(few, float("nan"), math.truediv(comoment, count - 1), name=name)

        value = covariance("covariance")
        with waiting_for([update]):
            updated = covariance("update_op")
    return collected(metrics_collections, value), collected(updates_collections, updated)


@atomic
def streaming_pearson_correlation(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """Pearson's correlation of predictions and labels: their covariance over the square root of both variances."""
    with variable_scope(name, "pearson_r", (predictions, labels, weights)):
        predictions, labels, weights = fitted(predictions, labels, weights)
        if weights is not None:
            weights = broadcast_weights(weights, labels)
        pairs = (
            (predictions, labels, "covariance"),
            (predictions, predictions, "variance_predictions"),
            (labels, labels, "variance_labels"),
        )
        metrics = [streaming_covariance(a, b, weights, name=n) for a, b, n in pairs]
        value, update = (
            math.truediv(both, math.multiply(math.sqrt(one), math.sqrt(other)), name=n)
            for (both, one, other), n in zip(zip(*metrics), ("pearson_r", "update_op"))
        )
    return collected(metrics_collections, value), collected(updates_collections, update)


@atomic
def f1_score(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The highest F1, 2 · precision · recall / (precision + recall), over evenly spaced thresholds; predictions in [0, 1]."""
    tiny = 1e-7
    with variable_scope(name, "f1", (labels, predictions, weights)):
        predictions, labels, weights = fitted(predictions, labels, weights)
        levels = evenly_spaced_thresholds(num_thresholds)
        values, updates = counts_at_thresholds(labels, predictions, levels, weights, ("tp", "fp", "fn"))

        def best(c: dict[str, Any], name: str) -> Any:
            precision = math.div(c["tp"], tiny + c["tp"] + c["fp"], name=f"precision_{name}")
            recall = math.div(c["tp"], tiny + c["tp"] + c["fn"], name=f"recall_{name}")
            return reductions.reduce_max(2.0 * precision * recall / (precision + recall + tiny))

        return collected(metrics_collections, best(values, "value")), collected(updates_collections, best(updates, "update"))


@atomic
def cohen_kappa(
    labels: Any,
    predictions_idx: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """Agreement of labels [batch] and predictions_idx [batch] beyond chance: 1 for all equal, 0 for chance; float64.

    Source: Cohen, 1960. Raises: ValueError for fewer than two classes.
    """
    if num_classes < 2:
        raise ValueError(error_text(f"`num_classes` must be >= 2.Found: {num_classes}"))
    with variable_scope(name, "cohen_kappa", (labels, predictions_idx, weights)):
        labels.shape.with_rank_at_most(2)
        if labels.shape.ndims == 2:
            labels = array.squeeze(labels, axis=[-1])
        predictions_idx, labels, weights = fitted(predictions_idx, labels, weights)
        dtype = dtypes.int64 if weights is None or weights.dtype.is_integer else dtypes.float32
        totals = [metric_variable((num_classes,), dtype, name=n) for n in ("po", "pe_row", "pe_col")]
        table = counting.confusion_matrix(
            labels, predictions_idx, num_classes=num_classes, weights=weights, dtype=dtype, name="counts_in_table"
        )
        batch_totals = diag_part(table), reductions.reduce_sum(table, axis=0), reductions.reduce_sum(table, axis=1)
        updates = [state.assign_add(total, batch_total) for total, batch_total in zip(totals, batch_totals)]

        def kappa(agreed: Any, rows: Any, columns: Any, name: str) -> Any:
            hits, total = reductions.reduce_sum(agreed), reductions.reduce_sum(rows)
            chance = math.div_no_nan(math.cast(rows * columns, dtypes.float64), math.cast(total, dtypes.float64))
            expected = reductions.reduce_sum(chance)
            hits, total = math.cast(hits, dtypes.float64), math.cast(total, dtypes.float64)
            return math.div_no_nan(hits - expected, total - expected, name=name)

        value, update = kappa(*totals, "value"), kappa(*updates, "update_op")
        return collected(metrics_collections, value), collected(updates_collections, update)


def streaming_recall_at_k(
    predictions: Any,
    labels: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The share of examples whose label is among the k highest predictions; predictions [batch, classes], labels [batch]."""
    hits = math.cast(selection.in_top_k(predictions, labels, k), dtypes.float32)
    return mean(hits, weights, metrics_collections, updates_collections, name or f"recall_at_{k}")


def streaming_sparse_precision_at_top_k(
    top_k_predictions: Any,
    labels: Any,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """`tf.metrics.precision_at_top_k`: the share of the top classes [batch, k] that are labels; class_id: of that class alone."""
    with name_scope(name, _at_k("precision", class_id), (top_k_predictions, labels, weights)) as scope:
        return precision_at_top_k(
            labels, top_k_predictions, None, class_id, weights, metrics_collections, updates_collections, scope
        )


def sparse_recall_at_top_k(
    labels: Any,
    top_k_predictions: Any,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """`tf.metrics.recall_at_top_k`: the share of labels among the top classes [batch, k]; class_id: of that class alone."""
    with name_scope(name, _at_k("recall", class_id), (top_k_predictions, labels, weights)) as scope:
        return recall_at_top_k(
            labels, top_k_predictions, None, class_id, weights, metrics_collections, updates_collections, scope
        )


def _at_k(title: str, class_id: int | None) -> str:
    return f"{title}_at_k" + ("" if class_id is None else f"_class{class_id}")


def streaming_sparse_average_precision_at_top_k(
    top_k_predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """`tf.metrics.average_precision_at_k` of the numbers of the top classes [batch, k]."""
    into = metrics_collections, updates_collections
    return average_precision_at_top_k(labels, top_k_predictions, weights, into, name)


@atomic
def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Any:
    """The weighted share of predictions that equal their labels in this batch, a scalar.

    Raises: ValueError for labels that are not bool, integer or string, or of another dtype than predictions.
    """
    if not (labels.dtype.is_integer or labels.dtype in (dtypes.bool, dtypes.string)):
        raise ValueError(
            error_text(f"Labels should have bool, integer, or string dtype, not {labels.dtype!r}")
        )
    if not labels.dtype.is_compatible_with(predictions.dtype):
        kinds = f"predictions ({predictions.dtype!r}) and labels ({labels.dtype!r})"
        raise ValueError(error_text(f"Dtypes of predictions and labels should match. Given: {kinds}"))
    with name_scope(name, "accuracy", [predictions, labels]):
        hits = math.cast(math.equal(predictions, labels), dtypes.float32)
        if weights is None:
            return reductions.reduce_mean(hits)
        hits = math.multiply(hits, weights)
        number = math.multiply(weights, array.ones_like(hits))
        return math.div(reductions.reduce_sum(hits), reductions.reduce_sum(number))


def aggregate_metrics(*value_update_tuples: Metric) -> tuple[list[Any], list[Any]]:
    """(values, updates) of several metrics. Raises: ValueError for none."""
    if not value_update_tuples:
        raise ValueError(error_text("Expected at least one value_tensor/update_op pair"))
    values, updates = zip(*value_update_tuples)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples: dict[str, Metric]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(values, updates) of several metrics by their names."""
    return {n: value for n, (value, _) in names_to_tuples.items()}, {n: update for n, (_, update) in names_to_tuples.items()}


__all__ = [
    "accuracy", "aggregate_metric_map", "aggregate_metrics", "cohen_kappa", "count", "f1_score", "sparse_recall_at_top_k",
    "streaming_covariance", "streaming_pearson_correlation", "streaming_recall_at_k",
    "streaming_sparse_average_precision_at_top_k", "streaming_sparse_precision_at_top_k",
]  # fmt: skip
