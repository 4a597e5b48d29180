"""`tf.contrib.metrics`: metrics that take predictions before labels, and some that tf.metrics has not. No state."""

# ruff: noqa: I001 - the names stand in paragraphs
from ... import metrics as _metrics
from ...engine.lib.math.counting import confusion_matrix
from ...engine.lib.sparse.sparse_math import set_difference, set_intersection, set_size, set_union
from ...engine.training.metrics.metrics_contrib import (
    accuracy, aggregate_metric_map, aggregate_metrics, cohen_kappa, count, f1_score, sparse_recall_at_top_k,
    streaming_covariance, streaming_pearson_correlation, streaming_recall_at_k,
    streaming_sparse_average_precision_at_top_k, streaming_sparse_precision_at_top_k,
)  # fmt: skip
from ...engine.training.metrics.metrics_of_rates import (
    precision_at_recall, precision_recall_at_equal_thresholds, recall_at_precision, streaming_curve_points,
    streaming_false_negative_rate, streaming_false_negative_rate_at_thresholds, streaming_false_positive_rate,
    streaming_false_positive_rate_at_thresholds,
)  # fmt: skip
from ...engine.training.metrics.metrics_of_streams import (
    auc_using_histogram, auc_with_confidence_intervals, streaming_concat, streaming_dynamic_auc,
)  # fmt: skip
from ..modules.argument_order import turned as _turned


def _streaming(function):  # type: ignore[no-untyped-def]
    """The metric of tf.metrics, with predictions before labels."""
    return _turned(function, f"streaming_{function.__name__}")


streaming_mean = _metrics.mean
streaming_mean_tensor = _metrics.mean_tensor
streaming_percentage_less = _metrics.percentage_below
streaming_accuracy = _streaming(_metrics.accuracy)
streaming_auc = _streaming(_metrics.auc)
streaming_false_negatives = _streaming(_metrics.false_negatives)
streaming_false_negatives_at_thresholds = _streaming(_metrics.false_negatives_at_thresholds)
streaming_false_positives = _streaming(_metrics.false_positives)
streaming_false_positives_at_thresholds = _streaming(_metrics.false_positives_at_thresholds)
streaming_mean_absolute_error = _streaming(_metrics.mean_absolute_error)
streaming_mean_cosine_distance = _streaming(_metrics.mean_cosine_distance)
streaming_mean_iou = _streaming(_metrics.mean_iou)
streaming_mean_relative_error = _streaming(_metrics.mean_relative_error)
streaming_mean_squared_error = _streaming(_metrics.mean_squared_error)
streaming_precision = _streaming(_metrics.precision)
streaming_precision_at_thresholds = _streaming(_metrics.precision_at_thresholds)
streaming_recall = _streaming(_metrics.recall)
streaming_recall_at_thresholds = _streaming(_metrics.recall_at_thresholds)
streaming_root_mean_squared_error = _streaming(_metrics.root_mean_squared_error)
streaming_sensitivity_at_specificity = _streaming(_metrics.sensitivity_at_specificity)
streaming_sparse_average_precision_at_k = _turned(_metrics.average_precision_at_k, "streaming_sparse_average_precision_at_k")
streaming_sparse_precision_at_k = _turned(_metrics.precision_at_k, "streaming_sparse_precision_at_k")
streaming_sparse_recall_at_k = _turned(_metrics.recall_at_k, "streaming_sparse_recall_at_k")
streaming_specificity_at_sensitivity = _streaming(_metrics.specificity_at_sensitivity)
streaming_true_negatives = _streaming(_metrics.true_negatives)
streaming_true_negatives_at_thresholds = _streaming(_metrics.true_negatives_at_thresholds)
streaming_true_positives = _streaming(_metrics.true_positives)
streaming_true_positives_at_thresholds = _streaming(_metrics.true_positives_at_thresholds)

__all__ = [
    "accuracy", "aggregate_metric_map", "aggregate_metrics", "auc_using_histogram",
    "auc_with_confidence_intervals", "cohen_kappa", "confusion_matrix", "count", "f1_score",
    "precision_at_recall", "precision_recall_at_equal_thresholds", "recall_at_precision",
    "set_difference", "set_intersection", "set_size", "set_union", "sparse_recall_at_top_k",
    "streaming_accuracy", "streaming_auc", "streaming_concat", "streaming_covariance",
    "streaming_curve_points", "streaming_dynamic_auc", "streaming_false_negative_rate",
    "streaming_false_negative_rate_at_thresholds", "streaming_false_negatives",
    "streaming_false_negatives_at_thresholds", "streaming_false_positive_rate",
    "streaming_false_positive_rate_at_thresholds", "streaming_false_positives",
    "streaming_false_positives_at_thresholds", "streaming_mean", "streaming_mean_absolute_error",
    "streaming_mean_cosine_distance", "streaming_mean_iou", "streaming_mean_relative_error",
    "streaming_mean_squared_error", "streaming_mean_tensor", "streaming_pearson_correlation",
    "streaming_percentage_less", "streaming_precision", "streaming_precision_at_thresholds",
    "streaming_recall", "streaming_recall_at_k", "streaming_recall_at_thresholds",
    "streaming_root_mean_squared_error", "streaming_sensitivity_at_specificity",
    "streaming_sparse_average_precision_at_k", "streaming_sparse_average_precision_at_top_k",
    "streaming_sparse_precision_at_k", "streaming_sparse_precision_at_top_k",
    "streaming_sparse_recall_at_k", "streaming_specificity_at_sensitivity", "streaming_true_negatives",
    "streaming_true_negatives_at_thresholds", "streaming_true_positives",
    "streaming_true_positives_at_thresholds",
]  # fmt: skip
