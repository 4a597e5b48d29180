"""Metrics of two classes that only tf.contrib.metrics has: false rates, points of curves, precision at a recall and vice versa.

Shapes, results and errors are those of `metrics_binary.py`, but predictions beside thresholds may be any numbers. No state but
the metrics' variables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.arrays.sequences import cumsum, linspace
from ...lib.checks import asserts
from ...lib.checks.type_asserts import assert_type
from ...lib.control.cond import cond
from ...lib.control.grouping import group
from ...lib.framework.scope_blocks import name_scope, waiting_for
from ...lib.math import math, reductions
from ...lib.variables.scatter import scatter_add
from ...lib.variables.variable_scope import variable_scope
from .metrics import Metric, check_in_unit_range, collected, fitted, metric_variable
from .metrics_binary import counts_of_fitted, evenly_spaced_thresholds, share_of_counts

_TINY = 1e-7
Counts = dict[str, Any]


# -- false rates -------------------------------------------------------------------------------------------------------------


def streaming_false_positive_rate(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """FP / (FP + TN): the share of predictions 1 among labels 0; 0 without such labels."""
    into = metrics_collections, updates_collections
    return share_of_counts("false_positive_rate", ("fp", "tn"), labels, predictions, weights, into, name)


def streaming_false_negative_rate(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """FN / (FN + TP): the share of predictions 0 among labels 1; 0 without such labels."""
    into = metrics_collections, updates_collections
    return share_of_counts("false_negative_rate", ("fn", "tp"), labels, predictions, weights, into, name)


@atomic
def _at_thresholds(
    title: str,
    keys: tuple[str, ...],
    of_counts: Callable[[Counts, str], Any],
    labels: Any,
    predictions: Any,
    thresholds: Any,
    weights: Any,
    into: tuple[Any, Any],
    name: str | None,
) -> Metric:
    """(of_counts(variables, "value"), of_counts(updates, "update_op"))."""
    with variable_scope(name, title, (predictions, labels, weights)):
        predictions, labels, weights = fitted(predictions, labels, weights)
        values, updates = counts_of_fitted(labels, predictions, thresholds, weights, keys)
        value = collected(into[0], of_counts(values, "value"))
        return value, collected(into[1], of_counts(updates, "update_op"))


def streaming_false_positive_rate_at_thresholds(
    predictions: Any,
    labels: Any,
    thresholds: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The false positive rate at each of several thresholds: [thresholds]; a prediction above the threshold is 1."""

    def rate(c: Counts, ending: str) -> Tensor:
        return math.div(c["fp"], _TINY + c["fp"] + c["tn"], name=f"fpr_{ending}")

    title, into = "false_positive_rate_at_thresholds", (metrics_collections, updates_collections)
    return _at_thresholds(title, ("fp", "tn"), rate, labels, predictions, thresholds, weights, into, name)


def streaming_false_negative_rate_at_thresholds(
    predictions: Any,
    labels: Any,
    thresholds: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The false negative rate at each of several thresholds: [thresholds]; a prediction above the threshold is 1."""

    def rate(c: Counts, ending: str) -> Tensor:
        return math.div(c["fn"], _TINY + c["fn"] + c["tp"], name=f"fnr_{ending}")

    title, into = "false_negative_rate_at_thresholds", (metrics_collections, updates_collections)
    return _at_thresholds(title, ("fn", "tp"), rate, labels, predictions, thresholds, weights, into, name)


# -- curves ------------------------------------------------------------------------------------------------------------------


@atomic
def streaming_curve_points(
    labels: Any = None,
    predictions: Any = None,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
) -> Metric:
    """The points [num_thresholds, 2] of the curve of recall over the false positive rate ("ROC") or of precision over recall
    ("PR").

    Raises: ValueError for another curve.
    """
    with variable_scope(name, "curve_points", (labels, predictions, weights)):
        _check_curve(curve)
        predictions, labels, weights = fitted(predictions, labels, weights)
        c, updates = counts_of_fitted(labels, predictions, evenly_spaced_thresholds(num_thresholds), weights)
        small = 1e-6
        hits = math.div(c["tp"] + small, c["tp"] + c["fn"] + small)
        if curve == "ROC":
            x, y = math.div(c["fp"], c["fp"] + c["tn"] + small), hits
        else:
            x, y = hits, math.div(c["tp"] + small, c["tp"] + c["fp"] + small)
        points = collected(metrics_collections, array.stack([x, y], axis=1))
        return points, collected(updates_collections, group(*updates.values()))


def _check_curve(curve: str) -> None:
    if curve not in ("ROC", "PR"):
        raise ValueError(error_text(f"curve must be either ROC or PR, {curve} unknown", fix="curve='ROC'"))


def recall_at_precision(
    labels: Any,
    predictions: Any,
    precision: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
    strict_mode: bool = False,
) -> Metric:
    """The recall at the first threshold where the precision is nearest to `precision`.

    strict_mode: nearest from above; 0 where no threshold has that precision.

    Raises: ValueError for a precision outside of [0, 1].
    """
    check_in_unit_range(precision, "precision")

    def recall(c: Counts, ending: str) -> Tensor:
        reached = math.div(c["tp"], c["tp"] + c["fp"] + _TINY)
        if not strict_mode:
            best = reductions.argmin(math.abs(reached - precision), 0, output_type=dtypes.int32)
            return math.div(c["tp"][best], c["tp"][best] + c["fn"][best] + _TINY, ending)
        best = reductions.argmax(math.div(1.0, reached - precision + _TINY), 0, output_type=dtypes.int32)
        return cond(
            reached[best] >= precision,
            lambda: math.div(c["tp"][best], c["tp"][best] + c["fn"][best] + _TINY, ending),
            lambda: 0.0,
        )

    keys, into = ("tp", "fn", "tn", "fp"), (metrics_collections, updates_collections)
    thresholds = evenly_spaced_thresholds(num_thresholds)
    return _at_thresholds("recall_at_precision", keys, recall, labels, predictions, thresholds, weights, into, name)


def precision_at_recall(
    labels: Any,
    predictions: Any,
    target_recall: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The precision at the highest threshold where the recall is at least target_recall.

    Raises: ValueError for a recall outside of [0, 1].
    """
    check_in_unit_range(target_recall, "target_recall")

    def precision(c: Counts, ending: str) -> Tensor:
        recalls = math.div(c["tp"], c["tp"] + c["fn"] + _TINY)
        enough = math.cast(math.greater_equal(recalls, target_recall), dtypes.int64)
        last: Any = reductions.reduce_sum(enough) - 1
        return math.div(c["tp"][last] + _TINY, c["tp"][last] + c["fp"][last] + _TINY, ending)

    keys, into = ("tp", "fn", "tn", "fp"), (metrics_collections, updates_collections)
    thresholds = evenly_spaced_thresholds(num_thresholds)
    return _at_thresholds("precision_at_recall", keys, precision, labels, predictions, thresholds, weights, into, name)


class PrecisionRecallData(NamedTuple):
    """Counts and shares at each threshold: [thresholds]."""

    tp: Any
    fp: Any
    tn: Any
    fn: Any
    precision: Any
    recall: Any
    thresholds: Any


@atomic
def precision_recall_at_equal_thresholds(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int | None = None,
    use_locking: bool | None = None,
    name: str | None = None,
) -> tuple[PrecisionRecallData, Any]:
    """(counts, precision and recall at num_thresholds (201) thresholds from 0 to 1, the update), in time that does not depend
    on their number: labels [...] of bool, predictions [...] in [0, 1].

    Raises: TypeError for labels that are not bool.
    """
    number = 201 if num_thresholds is None else num_thresholds
    weights = 1.0 if weights is None else weights
    assert_type(labels, dtypes.bool)
    with variable_scope(name, "precision_recall_at_equal_thresholds", (labels, predictions, weights)):
        text = "predictions must be in [0, 1]"
        in_range = [
            asserts.assert_greater_equal(predictions, math.cast(0.0, dtype=predictions.dtype), message=text),
            asserts.assert_less_equal(predictions, math.cast(1.0, dtype=predictions.dtype), message=text),
        ]
        with waiting_for(in_range):
            predictions, labels, weights = fitted(predictions, labels, weights)
        positive = math.cast(labels, dtypes.float64)
        weights = math.cast(weights, dtypes.float64)
        of_class = positive * weights, (1.0 - positive) * weights
        predictions = array.reshape(predictions, [-1])
        of_class = tuple(array.reshape(part, [-1]) for part in of_class)
        buckets = math.cast(math.floor(predictions * (number - 1)), dtypes.int32)
        with name_scope("variables"):
            totals = [metric_variable([number], dtypes.float64, name=f"{key}_buckets") for key in ("tp", "fp")]
        with name_scope("update_op"):
            locking = True if use_locking is None else use_locking
            updates = [scatter_add(total, buckets, part, use_locking=locking) for total, part in zip(totals, of_class)]
        tp, fp = (cumsum(total, reverse=True, name=key) for key, total in zip(("tp", "fp"), totals))
        tn, fn = fp[0] - fp, tp[0] - tp
        tiny = convert_to_tensor(_TINY, dtype=dtypes.float64)
        precision = tp / math.maximum(tiny, tp + fp)
        recall = tp / math.maximum(tiny, tp + fn)
        parts = (tp, fp, tn, fn, precision, recall, linspace(0.0, 1.0, number))
        return PrecisionRecallData(*(math.cast(part, predictions.dtype) for part in parts)), group(*updates)


__all__ = [
    "precision_at_recall", "precision_recall_at_equal_thresholds", "recall_at_precision", "streaming_curve_points",
    "streaming_false_negative_rate", "streaming_false_negative_rate_at_thresholds", "streaming_false_positive_rate",
    "streaming_false_positive_rate_at_thresholds",
]  # fmt: skip
