"""`tf.contrib.metrics`: metrics that take predictions before labels, and some that tf.metrics has not. No state."""

from __future__ import annotations

from typing import Any

from .. import metrics
from ..engine.base import dtypes
from ..engine.graph.atomic import atomic
from ..engine.lib import array, math
from ..engine.lib.counting import confusion_matrix
from ..engine.lib.failing import said
from ..engine.lib.picking import in_top_k
from ..engine.lib.reductions import reduce_mean, reduce_sum
from ..engine.lib.scope import name_scope
from ..engine.lib.sparse_math import set_difference, set_intersection, set_size, set_union
from ..engine.training.metrics_older import (
    aggregate_metric_map,
    aggregate_metrics,
    cohen_kappa,
    count,
    f1_score,
    streaming_covariance,
    streaming_pearson_correlation,
)  # fmt: skip
from .older_order import turned

streaming_mean = metrics.mean
streaming_mean_tensor = metrics.mean_tensor
streaming_percentage_less = metrics.percentage_below
streaming_accuracy = turned(metrics.accuracy, "streaming_accuracy")
streaming_auc = turned(metrics.auc, "streaming_auc")
streaming_false_negatives = turned(metrics.false_negatives, "streaming_false_negatives")
streaming_false_negatives_at_thresholds = turned(metrics.false_negatives_at_thresholds, "streaming_false_negatives_at_thresholds")
streaming_false_positives = turned(metrics.false_positives, "streaming_false_positives")
streaming_false_positives_at_thresholds = turned(metrics.false_positives_at_thresholds, "streaming_false_positives_at_thresholds")
streaming_mean_absolute_error = turned(metrics.mean_absolute_error, "streaming_mean_absolute_error")
streaming_mean_cosine_distance = turned(metrics.mean_cosine_distance, "streaming_mean_cosine_distance")
streaming_mean_iou = turned(metrics.mean_iou, "streaming_mean_iou")
streaming_mean_relative_error = turned(metrics.mean_relative_error, "streaming_mean_relative_error")
streaming_mean_squared_error = turned(metrics.mean_squared_error, "streaming_mean_squared_error")
streaming_precision = turned(metrics.precision, "streaming_precision")
streaming_precision_at_thresholds = turned(metrics.precision_at_thresholds, "streaming_precision_at_thresholds")
streaming_recall = turned(metrics.recall, "streaming_recall")
streaming_recall_at_thresholds = turned(metrics.recall_at_thresholds, "streaming_recall_at_thresholds")
streaming_root_mean_squared_error = turned(metrics.root_mean_squared_error, "streaming_root_mean_squared_error")
streaming_sensitivity_at_specificity = turned(metrics.sensitivity_at_specificity, "streaming_sensitivity_at_specificity")
streaming_sparse_average_precision_at_k = turned(metrics.average_precision_at_k, "streaming_sparse_average_precision_at_k")
streaming_sparse_precision_at_k = turned(metrics.precision_at_k, "streaming_sparse_precision_at_k")
streaming_sparse_recall_at_k = turned(metrics.recall_at_k, "streaming_sparse_recall_at_k")
streaming_specificity_at_sensitivity = turned(metrics.specificity_at_sensitivity, "streaming_specificity_at_sensitivity")
streaming_true_negatives = turned(metrics.true_negatives, "streaming_true_negatives")
streaming_true_negatives_at_thresholds = turned(metrics.true_negatives_at_thresholds, "streaming_true_negatives_at_thresholds")
streaming_true_positives = turned(metrics.true_positives, "streaming_true_positives")
streaming_true_positives_at_thresholds = turned(metrics.true_positives_at_thresholds, "streaming_true_positives_at_thresholds")


def streaming_recall_at_k(
    predictions: Any,
    labels: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """How often the label, one of each example, is among the k best predictions."""
    hits = math.cast(in_top_k(predictions, labels, k), dtypes.float32)
    return metrics.mean(hits, weights, metrics_collections, updates_collections, name or f"recall_at_{k}")


@atomic
def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Any:
    """How often predictions equal labels in this batch, weighted.

    Raises: ValueError for labels that are no classes, or of another dtype than predictions.
    """
    if not (labels.dtype.is_integer or labels.dtype in (dtypes.bool, dtypes.string)):
        raise ValueError(said(f"Labels should have bool, integer, or string dtype, not {labels.dtype!r}"))
    if not labels.dtype.is_compatible_with(predictions.dtype):
        kinds = f"predictions ({predictions.dtype!r}) and labels ({labels.dtype!r})"
        raise ValueError(said(f"Dtypes of predictions and labels should match. Given: {kinds}"))
    with name_scope(name, "accuracy", [predictions, labels]):
        hits = math.cast(math.equal(predictions, labels), dtypes.float32)
        if weights is None:
            return reduce_mean(hits)
        hits = math.multiply(hits, weights)
        number = math.multiply(weights, array.ones_like(hits))
        return math.div(reduce_sum(hits), reduce_sum(number))


__all__ = [
    "accuracy", "aggregate_metric_map", "aggregate_metrics", "cohen_kappa", "confusion_matrix", "count", "f1_score",
    "set_difference", "set_intersection", "set_size", "set_union", "streaming_accuracy", "streaming_auc",
    "streaming_covariance", "streaming_false_negatives", "streaming_false_negatives_at_thresholds",
    "streaming_false_positives", "streaming_false_positives_at_thresholds", "streaming_mean",
    "streaming_mean_absolute_error", "streaming_mean_cosine_distance", "streaming_mean_iou",
    "streaming_mean_relative_error", "streaming_mean_squared_error", "streaming_mean_tensor",
    "streaming_pearson_correlation", "streaming_percentage_less", "streaming_precision",
    "streaming_precision_at_thresholds", "streaming_recall", "streaming_recall_at_k", "streaming_recall_at_thresholds",
    "streaming_root_mean_squared_error", "streaming_sensitivity_at_specificity",
    "streaming_sparse_average_precision_at_k", "streaming_sparse_precision_at_k", "streaming_sparse_recall_at_k",
    "streaming_specificity_at_sensitivity", "streaming_true_negatives", "streaming_true_negatives_at_thresholds",
    "streaming_true_positives", "streaming_true_positives_at_thresholds",
]  # fmt: skip
