"""Metrics of two classes at thresholds: true and false positives and negatives, precision, recall, the area under a curve.

State: each metric's counts, one for each threshold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import error_text
from ...lib.arrays import array, constructors, selection
from ...lib.checks.asserts import assert_greater_equal, assert_less_equal
from ...lib.control.grouping import group
from ...lib.framework.scope_blocks import waiting_for
from ...lib.linalg.linalg import diag_part
from ...lib.math import math, reductions
from ...lib.math.counting import confusion_matrix
from ...lib.nn.sample_weights import broadcast_weights
from ...op.constant import constant
from ..keras_parts.keras_config import epsilon
from ..keras_parts.weighted_losses import of_one_rank
from .metric import Metric

# stands for the outputs that top_k leaves out
_LOWEST = -1e10
_NAMES = {"tp": "true_positives", "fp": "false_positives", "tn": "true_negatives", "fn": "false_negatives"}


class _Confusion(Metric):
    """The counts that `kinds` names, at each threshold: variables [thresholds]."""

    kinds: tuple[str, ...] = ()

    def _begin(self, thresholds: list[float], name: str | None = None) -> None:
        self._thresholds = thresholds
        for kind in self.kinds:
            variable = self.add_weight(name or _NAMES[kind], shape=(len(thresholds),), initializer="zeros")
            setattr(self, _NAMES[kind], variable)

    def _counts(self, y_true: Any, y_pred: Any, sample_weight: Any, class_id: Any = None, top_k: Any = None) -> Any:
        """y_true [n, ...] of 0 and 1, y_pred [n, ...] of 0 … 1 -> the op that adds to the counts.

        As in TF 1.15, what checks y_pred in a run stands before a squeeze only.

        Raises: InvalidArgumentError for a constant y_pred outside 0 … 1, ValueError for shapes that do not fit.
        """
        y_true, y_pred = math.cast(y_true, "float32"), math.cast(y_pred, "float32")
        y_pred.shape.assert_is_compatible_with(y_true.shape)
        in_range = [
            assert_greater_equal(y_pred, math.cast(0.0, y_pred.dtype), message="predictions must be >= 0"),
            assert_less_equal(y_pred, math.cast(1.0, y_pred.dtype), message="predictions must be <= 1"),
        ]
        with waiting_for(in_range):
            y_pred, y_true, sample_weight = of_one_rank(y_pred, y_true, sample_weight)
        if top_k is not None:
            y_pred = _only_largest(y_pred, top_k)
        if class_id is not None:
            y_true, y_pred = y_true[..., class_id], y_pred[..., class_id]
        return self._add_hits(y_true, y_pred, sample_weight)

    def _add_hits(self, y_true: Any, y_pred: Any, sample_weight: Any) -> Any:
        """The same for equally shaped tensors: all values are compared with all thresholds, [thresholds, values]."""
        number, thresholds = array.size(y_pred), len(self._thresholds)
        values, labels = array.reshape(y_pred, [1, -1]), array.reshape(math.cast(y_true, "bool"), [1, -1])
        limits = array.tile(array.expand_dims(constant(self._thresholds), 1), array.stack([1, number]))
        said = {True: math.greater(array.tile(values, [thresholds, 1]), limits)}
        is_so = {True: array.tile(labels, [thresholds, 1])}
        weights = None
        if sample_weight is not None:
            weights = broadcast_weights(math.cast(sample_weight, "float32"), y_pred)
            weights = array.tile(array.reshape(weights, [1, -1]), [thresholds, 1])
        if {"fn", "tn"} & set(self.kinds):
            said[False] = math.logical_not(said[True])
        if {"fp", "tn"} & set(self.kinds):
            is_so[False] = math.logical_not(is_so[True])
        updates = []
        for kind, label, output in (("tp", True, True), ("fn", True, False), ("fp", False, True), ("tn", False, False)):
            if kind in self.kinds:
                hits = math.cast(math.logical_and(is_so[label], said[output]), "float32")
                hits = hits if weights is None else hits * weights
                updates.append(getattr(self, _NAMES[kind]).assign_add(reductions.reduce_sum(hits, 1)))
        return group(*updates)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """y_true [n, ...] of 0 and 1, y_pred [n, ...] of 0 … 1, sample_weight [n] -> the op that adds to the counts."""
        return self._counts(y_true, y_pred, sample_weight)


def _only_largest(y_pred: Any, k: int) -> Any:
    """The outputs [n, c], with _LOWEST for all but the k largest of each sample."""
    best = selection.top_k(y_pred, k, sorted=False).indices
    is_largest = reductions.reduce_sum(constructors.one_hot(best, y_pred.shape[-1], axis=-1), axis=-2)
    return y_pred * is_largest + _LOWEST * (1 - is_largest)


def _checked(thresholds: Any, default: float) -> list[float]:
    """The thresholds as a list.

    Raises: ValueError for one outside 0 … 1.
    """
    values = [default] if thresholds is None else list(np.ravel(thresholds))
    bad = [value for value in values if value is None or not 0 <= value <= 1]
    if bad:
        raise ValueError(error_text(f"Threshold values must be in [0, 1]. Invalid values: {bad}"))
    return [float(value) for value in values]


class _Count(_Confusion):
    """One of the four counts."""

    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds = thresholds
        self._begin(_checked(thresholds, 0.5), "accumulator")

    def result(self) -> Any:
        """A scalar for one threshold, else [thresholds]."""
        count = getattr(self, _NAMES[self.kinds[0]])
        return count[0] if len(self._thresholds) == 1 else count.value()

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal metric."""
        return {**super().get_config(), "thresholds": self.init_thresholds}


class TruePositives(_Count):
    """The number of positive samples whose output is above the threshold."""

    kinds = ("tp",)


class TrueNegatives(_Count):
    """The number of negative samples whose output is not above the threshold."""

    kinds = ("tn",)


class FalsePositives(_Count):
    """The number of negative samples whose output is above the threshold."""

    kinds = ("fp",)


class FalseNegatives(_Count):
    """The number of positive samples whose output is not above the threshold."""

    kinds = ("fn",)


class _Share(_Confusion):
    """The true positives among the true positives and another count."""

    def __init__(
        self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None, name: str | None = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds, self.top_k, self.class_id = thresholds, top_k, class_id
        self._begin(_checked(thresholds, 0.5) if thresholds is not None or top_k is None else [_LOWEST])

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """y_true [n, ...] of 0 and 1, y_pred [n, ...] of 0 … 1, sample_weight [n] -> the op that adds to the counts."""
        return self._counts(y_true, y_pred, sample_weight, self.class_id, self.top_k)

    def result(self) -> Any:
        """A scalar for one threshold, else [thresholds]."""
        hits, others = (getattr(self, _NAMES[kind]) for kind in self.kinds)
        share = math.div_no_nan(hits, hits + others)
        return share[0] if len(self._thresholds) == 1 else share

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal metric."""
        return {
            **super().get_config(), "thresholds": self.init_thresholds, "top_k": self.top_k, "class_id": self.class_id,
        }  # fmt: skip


class Precision(_Share):
    """The part of the samples said to be positive that are."""

    kinds = ("tp", "fp")


class Recall(_Share):
    """The part of the positive samples that are said to be."""

    kinds = ("tp", "fn")


class AUC(_Confusion):
    """The area under the curve of true against false positive rate ("ROC"), or precision against recall ("PR").

    summation_method: "interpolation" (trapezoids; for PR: Davis and Goadrich, 2006), "minoring" or "majoring".

    Raises: ValueError for an unknown curve or method, or fewer than 2 thresholds.
    """

    kinds = ("tp", "tn", "fp", "fn")

    def __init__(
        self, num_thresholds: int = 200, curve: str = "ROC", summation_method: str = "interpolation", name: str | None = None,
        dtype: Any = None, thresholds: Any = None,
    ) -> None:  # fmt: skip
        if curve not in ("ROC", "PR"):
            raise ValueError(error_text(f'Invalid AUC curve value "{curve}".'))
        if summation_method not in ("interpolation", "minoring", "majoring"):
            raise ValueError(error_text(f'Invalid AUC summation method value "{summation_method}".'))
        if thresholds is None and num_thresholds <= 1:
            raise ValueError(error_text("`num_thresholds` must be > 1."))
        super().__init__(name=name, dtype=dtype)
        self.curve, self.summation_method = curve, summation_method
        count = num_thresholds if thresholds is None else len(list(thresholds)) + 2
        inner = [] if thresholds is None else sorted(thresholds)
        if thresholds is None:
            inner = [(i + 1) * 1.0 / (count - 1) for i in range(count - 2)]
        self.num_thresholds = count
        self._begin([0.0 - epsilon(), *inner, 1.0 + epsilon()])

    def result(self) -> Any:
        """A scalar."""
        tp, tn, fp, fn = (getattr(self, _NAMES[kind]) for kind in self.kinds)
        if self.curve == "PR" and self.summation_method == "interpolation":
            return _area_under_pr(tp, fp, fn)
        recall = math.div_no_nan(tp, tp + fn)
        x, y = (math.div_no_nan(fp, fp + tn), recall) if self.curve == "ROC" else (recall, math.div_no_nan(tp, tp + fp))
        before, after = y[:-1], y[1:]
        heights = {
            "interpolation": lambda: (before + after) / 2.0,
            "minoring": lambda: math.minimum(before, after),
            "majoring": lambda: math.maximum(before, after),
        }[self.summation_method]()
        return reductions.reduce_sum(math.multiply(x[:-1] - x[1:], heights), name=self.name)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal metric."""
        return {
            **super().get_config(), "num_thresholds": self.num_thresholds, "curve": self.curve,
            "summation_method": self.summation_method, "thresholds": self._thresholds[1:-1],
        }  # fmt: skip


def _area_under_pr(tp: Any, fp: Any, fn: Any) -> Any:
    """The area under precision against recall, interpolated between true positives. Source: Davis and Goadrich, 2006."""
    step = tp[:-1] - tp[1:]
    positives = tp + fp
    slope = math.div_no_nan(step, math.maximum(positives[:-1] - positives[1:], 0), name="prec_slope")
    intercept = tp[1:] - math.multiply(slope, positives[1:])
    is_safe = math.logical_and(positives[:-1] > 0, positives[1:] > 0)
    ratio = math.div_no_nan(positives[:-1], math.maximum(positives[1:], 0), name="recall_relative_ratio")
    ratio = selection.where(is_safe, ratio, array.ones_like(positives[1:]))
    gain = slope * (step + intercept * math.log(ratio))
    increment = math.div_no_nan(gain, math.maximum(tp[1:] + fn[1:], 0), name="pr_auc_increment")
    return reductions.reduce_sum(increment, name="interpolate_pr_auc")


class _AtRate(_Confusion):
    """The share of the first of `wanted` in both, at the threshold where that of `known` is nearest to a given value."""

    kinds = ("tp", "tn", "fp", "fn")
    known: tuple[str, str]
    wanted: tuple[str, str]

    def _start(self, value: float, num_thresholds: int, what: str) -> None:
        if value < 0 or value > 1:
            raise ValueError(error_text(f"`{what}` must be in the range [0, 1]."))
        if num_thresholds <= 0:
            raise ValueError(error_text("`num_thresholds` must be > 0."))
        self.value, self.num_thresholds = value, num_thresholds
        inner = [(i + 1) * 1.0 / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        self._begin([0.5] if num_thresholds == 1 else [0.0, *inner, 1.0])

    def result(self) -> Any:
        """A scalar."""
        hits, misses = (getattr(self, _NAMES[kind]) for kind in self.known)
        distance = math.abs(math.div_no_nan(hits, hits + misses) - self.value)
        at = math.cast(reductions.argmin(distance, axis=0), "int32")
        hits, misses = (getattr(self, _NAMES[kind]) for kind in self.wanted)
        return math.div_no_nan(hits[at], hits[at] + misses[at])


class SensitivityAtSpecificity(_AtRate):
    """The part of positive samples found, where the part of negative samples found is `specificity`."""

    known, wanted = ("tn", "fp"), ("tp", "fn")

    def __init__(self, specificity: float, num_thresholds: int = 200, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.specificity = specificity
        self._start(specificity, num_thresholds, "specificity")

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal metric."""
        return {**super().get_config(), "num_thresholds": self.num_thresholds, "specificity": self.specificity}


class SpecificityAtSensitivity(_AtRate):
    """The part of negative samples found, where the part of positive samples found is `sensitivity`."""

    known, wanted = ("tp", "fn"), ("tn", "fp")

    def __init__(self, sensitivity: float, num_thresholds: int = 200, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.sensitivity = sensitivity
        self._start(sensitivity, num_thresholds, "sensitivity")

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal metric."""
        return {**super().get_config(), "num_thresholds": self.num_thresholds, "sensitivity": self.sensitivity}


class MeanIoU(Metric):
    """The mean over the classes of intersection over union of labels and predictions, from a matrix [classes, classes]."""

    def __init__(self, num_classes: int, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.num_classes = num_classes
        self.total_cm = self.add_weight(
            "total_confusion_matrix", shape=(num_classes, num_classes), initializer="zeros", dtype="float64"
        )

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """y_true [...] and y_pred [...] of class numbers, sample_weight [...] -> the op that adds to the matrix."""
        labels, outputs, weights = (
            None if value is None else _flat(math.cast(value, self._dtype)) for value in (y_true, y_pred, sample_weight)
        )
        matrix = confusion_matrix(labels, outputs, self.num_classes, weights=weights, dtype="float64")
        return self.total_cm.assign_add(matrix)

    def result(self) -> Any:
        """A scalar."""
        rows = math.cast(reductions.reduce_sum(self.total_cm, axis=0), self._dtype)
        columns = math.cast(reductions.reduce_sum(self.total_cm, axis=1), self._dtype)
        both = math.cast(diag_part(self.total_cm), self._dtype)
        union = rows + columns - both
        number = reductions.reduce_sum(math.cast(math.not_equal(union, 0), self._dtype))
        return math.div_no_nan(reductions.reduce_sum(math.div_no_nan(both, union), name="mean_iou"), number)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal metric."""
        return {**super().get_config(), "num_classes": self.num_classes}


def _flat(value: Any) -> Any:
    return array.reshape(value, [-1]) if value.shape.ndims > 1 else value


CONFUSION_METRICS = (
    TruePositives, TrueNegatives, FalsePositives, FalseNegatives, Precision, Recall, AUC, SensitivityAtSpecificity,
    SpecificityAtSensitivity, MeanIoU,
)  # fmt: skip

__all__ = [
    "AUC", "CONFUSION_METRICS", "FalseNegatives", "FalsePositives", "MeanIoU", "Precision", "Recall", "SensitivityAtSpecificity",
    "SpecificityAtSensitivity", "TrueNegatives", "TruePositives",
]  # fmt: skip
