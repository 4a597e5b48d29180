"""`tf.metrics` of two classes: counts of true and false positives and negatives, precision, recall and curves.

labels and predictions: [batch, ...], cast to bool; with thresholds, predictions are probabilities. value and update are
float32: scalars, or [thresholds] in `…_at_thresholds`. Raises: ValueError for static shapes that differ;
InvalidArgumentError in the run for probabilities outside of [0, 1]. No state but the counts' variables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base import dtypes, log
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection, sequences
from ...lib.checks import asserts
from ...lib.checks.type_asserts import assert_rank_in, assert_type
from ...lib.control.grouping import identity
from ...lib.framework.scope_blocks import waiting_for
from ...lib.math import math, reductions
from ...lib.nn.sample_weights import broadcast_weights
from ...lib.variables import state
from ...lib.variables.variable_scope import variable_scope
from ...op.constant import constant
from .metrics import Metric, check_in_unit_range, collected, fitted, metric_variable

# key -> name of the count, whether its labels are positive, whether its predictions are
_COUNTS = {
    "tp": ("true_positives", True, True),
    "fn": ("false_negatives", True, False),
    "tn": ("true_negatives", False, False),
    "fp": ("false_positives", False, True),
}


# -- counts ------------------------------------------------------------------------------------------------------------------


@atomic
def _count(
    which: str, labels: Any, predictions: Any, weights: Any, metrics_collections: Any, updates_collections: Any, name: str | None
) -> Metric:
    title, label, prediction = _COUNTS[which]
    with variable_scope(name, title, [predictions, labels, weights]):
        predictions, labels, weights = _as_bools(predictions, labels, weights)
        matches = math.logical_and(math.equal(labels, label), math.equal(predictions, prediction))
        assert_type(matches, dtypes.bool)
        count = metric_variable([], dtypes.float32, name="count")
        matches = math.cast(matches, dtypes.float32)
        if weights is not None:
            with waiting_for([assert_rank_in(weights, (0, array.rank(matches)))]):
                weights = math.cast(weights, dtypes.float32)
                matches = math.multiply(matches, weights)
        value = collected(metrics_collections, identity(count))
        return value, collected(updates_collections, state.assign_add(count, reductions.reduce_sum(matches)))


def _as_bools(predictions: Any, labels: Any, weights: Any) -> tuple[Any, Any, Any]:
    return fitted(math.cast(predictions, dtypes.bool), math.cast(labels, dtypes.bool), weights)


@atomic
def _count_at_thresholds(
    which: str,
    labels: Any,
    predictions: Any,
    thresholds: Any,
    weights: Any,
    metrics_collections: Any,
    updates_collections: Any,
    name: str | None,
) -> Metric:
    with variable_scope(name, _COUNTS[which][0], [predictions, labels, weights]):
        values, updates = counts_at_thresholds(labels, predictions, thresholds, weights, (which,))
        value = collected(metrics_collections, identity(values[which]))
        return value, collected(updates_collections, updates[which])


def counts_at_thresholds(
    labels: Any, predictions: Any, thresholds: Any, weights: Any = None, which: tuple[str, ...] = ("tp", "fn", "tn", "fp")
) -> tuple[dict[str, Any], dict[str, Any]]:
    """(variables, updates) of the counts by key, each [thresholds]; predictions: probabilities [...]; labels: of that shape."""
    in_range = [
        asserts.assert_greater_equal(predictions, math.cast(0.0, predictions.dtype), message="predictions must be in [0, 1]"),
        asserts.assert_less_equal(predictions, math.cast(1.0, predictions.dtype), message="predictions must be in [0, 1]"),
    ]
    with waiting_for(in_range):
        predictions, labels, weights = fitted(
            math.cast(predictions, dtypes.float32), math.cast(labels, dtypes.bool), weights
        )
    return counts_of_fitted(labels, predictions, thresholds, weights, which)


def counts_of_fitted(
    labels: Any, predictions: Any, thresholds: Any, weights: Any = None, which: tuple[str, ...] = ("tp", "fn", "tn", "fp")
) -> tuple[dict[str, Any], dict[str, Any]]:
    """`counts_at_thresholds` of predictions and labels of one shape; the predictions may be any numbers."""
    number = len(thresholds)
    column = array.reshape(predictions, [-1, 1])
    row = array.reshape(math.cast(labels, dtypes.bool), [1, -1])
    size = column.shape.as_list()[0]
    if size is None:
        size = array.shape(column)[0]
    levels = array.tile(array.expand_dims(constant(thresholds), [1]), array.stack([1, size]))
    signs: dict[tuple[str, bool], Any] = {}
    signs["prediction", True] = math.greater(array.tile(array.transpose(column), [number, 1]), levels)
    if "fn" in which or "tn" in which:
        signs["prediction", False] = math.logical_not(signs["prediction", True])
    signs["label", True] = array.tile(row, [number, 1])
    if "fp" in which or "tn" in which:
        signs["label", False] = math.logical_not(signs["label", True])
    if weights is not None:
        weights = broadcast_weights(math.cast(weights, dtypes.float32), predictions)
        weights = array.tile(array.reshape(weights, [1, -1]), [number, 1])
        levels.shape.assert_is_compatible_with(weights.shape)
    values, updates = {}, {}
    for key, (title, label, prediction) in _COUNTS.items():
        if key in which:
            values[key] = metric_variable([number], dtypes.float32, name=title)
            both = math.logical_and(signs["label", label], signs["prediction", prediction])
            matches = math.cast(both, dtypes.float32)
            if weights is not None:
                matches = matches * weights
            updates[key] = state.assign_add(values[key], reductions.reduce_sum(matches, 1))
    return values, updates


def _public_counts(which: str) -> tuple[Callable[..., Metric], Callable[..., Metric]]:
    """The two public functions of one of the four counts."""
    title, label, prediction = _COUNTS[which]
    meaning = f"{'1' if label else '0'}, and a prediction of {'1' if prediction else '0'}"

    def count(
        labels: Any,
        predictions: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Metric:
        return _count(which, labels, predictions, weights, metrics_collections, updates_collections, name)

    def count_at_thresholds(
        labels: Any,
        predictions: Any,
        thresholds: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Metric:
        return _count_at_thresholds(
            which, labels, predictions, thresholds, weights, metrics_collections, updates_collections, name
        )

    endings = ((count, "", ""), (count_at_thresholds, "_at_thresholds", ", at each threshold: [thresholds]"))
    for function, ending, detail in endings:
        function.__name__ = function.__qualname__ = title + ending
        function.__doc__ = f"The weighted number of elements with a label of {meaning}{detail}."
    return count, count_at_thresholds


true_positives, true_positives_at_thresholds = _public_counts("tp")
false_negatives, false_negatives_at_thresholds = _public_counts("fn")
true_negatives, true_negatives_at_thresholds = _public_counts("tn")
false_positives, false_positives_at_thresholds = _public_counts("fp")


# -- precision and recall ----------------------------------------------------------------------------------------------------


@atomic
def share_of_counts(
    title: str,
    keys: tuple[str, str],
    labels: Any,
    predictions: Any,
    weights: Any,
    into: tuple[Any, Any],
    name: str | None,
) -> Metric:
    """one / (one + other) of the counts with these keys: "tp", "fn", "tn" or "fp"; 0 for no such elements."""
    with variable_scope(name, title, [predictions, labels, weights]):
        predictions, labels, weights = _as_bools(predictions, labels, weights)
        hits, misses = (_count(key, labels, predictions, weights, None, None, None) for key in keys)

        def share(hit: Any, missed: Any, name: str) -> Tensor:
            any_counted = math.greater(hit + missed, 0)
            return selection.where(any_counted, math.div(hit, hit + missed), 0, name)

        value = collected(into[0], share(hits[0], misses[0], "value"))
        return value, collected(into[1], share(hits[1], misses[1], "update_op"))


def precision(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """TP / (TP + FP): the share of labels 1 among predictions 1; 0 without such predictions."""
    into = metrics_collections, updates_collections
    return share_of_counts("precision", ("tp", "fp"), labels, predictions, weights, into, name)


def recall(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """TP / (TP + FN): the share of predictions 1 among labels 1; 0 without such labels."""
    into = metrics_collections, updates_collections
    return share_of_counts("recall", ("tp", "fn"), labels, predictions, weights, into, name)


@atomic
def _share_at_thresholds(
    title: str, others: str, labels: Any, predictions: Any, thresholds: Any, weights: Any, into: tuple[Any, Any], name: str | None
) -> Metric:
    with variable_scope(name, f"{title}_at_thresholds", [predictions, labels, weights]):
        values, updates = counts_at_thresholds(labels, predictions, thresholds, weights, ("tp", others))

        def share(counts: dict[str, Any], ending: str) -> Tensor:
            return math.div(counts["tp"], 1e-7 + counts["tp"] + counts[others], name=f"{title}_{ending}")

        value = collected(into[0], share(values, "value"))
        return value, collected(into[1], share(updates, "update_op"))


def precision_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """precision at each of several thresholds: [thresholds]; a prediction above the threshold is 1."""
    into = metrics_collections, updates_collections
    return _share_at_thresholds("precision", "fp", labels, predictions, thresholds, weights, into, name)


def recall_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """recall at each of several thresholds: [thresholds]; a prediction above the threshold is 1."""
    into = metrics_collections, updates_collections
    return _share_at_thresholds("recall", "fn", labels, predictions, thresholds, weights, into, name)


# -- curves ------------------------------------------------------------------------------------------------------------------

_TINY = 1e-7


def evenly_spaced_thresholds(number: int, last: float = 1.0 + _TINY) -> list[float]:
    """Thresholds from just below 0 to about 1."""
    inner = [(i + 1) * 1.0 / (number - 1) for i in range(number - 2)]
    return [0.0 - _TINY, *inner, last]


@atomic
def _rate_at_thresholds(
    title: str, labels: Any, predictions: Any, weights: Any, last: float, number: int, rate: Any, into: tuple[Any, Any], name: Any
) -> Metric:
    with variable_scope(name, title, [predictions, labels, weights]):
        values, updates = counts_at_thresholds(labels, predictions, evenly_spaced_thresholds(number, last), weights)
        value = collected(into[0], rate(values, "value"))
        return value, collected(into[1], rate(updates, "update_op"))


def sensitivity_at_specificity(
    labels: Any,
    predictions: Any,
    specificity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The recall of labels 1 at the threshold where the recall of labels 0 is nearest to `specificity`.

    Raises: ValueError for a specificity outside of [0, 1].
    """
    check_in_unit_range(specificity, "specificity")

    def rate(c: dict[str, Any], ending: str) -> Tensor:
        reached = math.div(c["tn"], c["tn"] + c["fp"] + _TINY)
        best = math.cast(reductions.argmin(math.abs(reached - specificity), 0), dtypes.int32)
        return math.div(c["tp"][best], c["tp"][best] + c["fn"][best] + _TINY, ending)

    into = metrics_collections, updates_collections
    title = "sensitivity_at_specificity"
    return _rate_at_thresholds(title, labels, predictions, weights, 1.0 + _TINY, num_thresholds, rate, into, name)


def specificity_at_sensitivity(
    labels: Any,
    predictions: Any,
    sensitivity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The recall of labels 0 at the last threshold where the recall of labels 1 is nearest to `sensitivity`.

    Raises: ValueError for a sensitivity outside of [0, 1].
    """
    check_in_unit_range(sensitivity, "sensitivity")

    def rate(c: dict[str, Any], ending: str) -> Tensor:
        reached = math.div(c["tp"], c["tp"] + c["fn"] + _TINY)
        nearest = reductions.reduce_min(math.abs(reached - sensitivity))
        nearby = sequences.cumsum(math.cast(math.equal(math.abs(reached - sensitivity), nearest), dtypes.int64))
        best = math.cast(reductions.argmax(nearby, 0), dtypes.int32)
        return math.div(c["tn"][best], c["tn"][best] + c["fp"][best] + _TINY, ending)

    into = metrics_collections, updates_collections
    title = "specificity_at_sensitivity"
    return _rate_at_thresholds(title, labels, predictions, weights, 1.0 - _TINY, num_thresholds, rate, into, name)


@atomic
def auc(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
    summation_method: str = "trapezoidal",
    thresholds: Any = None,
) -> Metric:
    """The area under the curve of recall over the false positive rate ("ROC") or of precision over recall ("PR").

    summation_method: "trapezoidal", "minoring", "majoring", or "careful_interpolation" (Davis and Goadrich, 2006; for PR).
    Raises: ValueError for another curve or method.
    """
    with variable_scope(name, "auc", [labels, predictions, weights]):
        if curve not in ("ROC", "PR"):
            raise ValueError(error_text(f"curve must be either ROC or PR, {curve} unknown"))
        if thresholds is None:
            levels = evenly_spaced_thresholds(num_thresholds)
        else:
            levels = [0.0 - _TINY, *sorted(thresholds), 1.0 + _TINY]
        values, updates = counts_at_thresholds(labels, predictions, levels, weights)
        last = len(levels) - 1
        value = collected(metrics_collections, _area(curve, summation_method, values, last, "value"))
        return value, collected(updates_collections, _area(curve, summation_method, updates, last, "update_op"))


def _area(curve: str, method: str, c: dict[str, Any], last: int, name: str) -> Tensor:
    """The area under a curve of the counts c, each [last + 1]."""
    small = 1e-6
    if curve == "PR" and method == "trapezoidal":
        log.warning(
            "Trapezoidal rule is known to produce incorrect PR-AUCs; please switch to \"careful_interpolation\" instead."
        )
    elif curve == "PR" and method == "careful_interpolation":
        return _interpolated_area(c["tp"], c["fp"], c["fn"], last)
    hits = math.div(c["tp"] + small, c["tp"] + c["fn"] + small)
    if curve == "ROC":
        x, y = math.div(c["fp"], c["fp"] + c["tn"] + small), hits
    else:
        x, y = hits, math.div(c["tp"] + small, c["tp"] + c["fp"] + small)
    width = x[:last] - x[1:]
    if method in ("trapezoidal", "careful_interpolation"):
        height = (y[:last] + y[1:]) / 2.0
    elif method in ("minoring", "majoring"):
        height = (math.minimum if method == "minoring" else math.maximum)(y[:last], y[1:])
    else:
        raise ValueError(error_text(f"Invalid summation_method: {method}"))
    return reductions.reduce_sum(math.multiply(width, height), name=name)  # type: ignore[no-any-return]


def _interpolated_area(tp: Any, fp: Any, fn: Any, last: int) -> Tensor:
    """The area under precision over recall if the true positives grow linearly between two thresholds."""
    hits = tp[:last] - tp[1:]
    p = tp + fp
    slope = math.div_no_nan(hits, math.maximum(p[:last] - p[1:], 0), name="prec_slope")
    start = tp[1:] - math.multiply(slope, p[1:])
    both = math.logical_and(p[:last] > 0, p[1:] > 0)
    growth = math.div_no_nan(p[:last], math.maximum(p[1:], 0), name="recall_relative_ratio")
    ratio = selection.where(both, growth, array.ones_like(p[1:]))
    area = slope * (hits + start * math.log(ratio))
    pieces = math.div_no_nan(area, math.maximum(tp[1:] + fn[1:], 0), name="pr_auc_increment")
    return reductions.reduce_sum(pieces, name="interpolate_pr_auc")  # type: ignore[no-any-return]


__all__ = [
    "auc", "false_negatives", "false_negatives_at_thresholds", "false_positives", "false_positives_at_thresholds", "precision",
    "precision_at_thresholds", "recall", "recall_at_thresholds", "sensitivity_at_specificity", "specificity_at_sensitivity",
    "true_negatives", "true_negatives_at_thresholds", "true_positives", "true_positives_at_thresholds",
]  # fmt: skip
