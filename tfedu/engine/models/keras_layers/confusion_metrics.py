"""Metrics of two classes at thresholds: true and false positives and negatives, precision, recall, the area under a curve.

State: each metric's counts, one for each threshold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import error_text
from ...lib.arrays import array, selection
from ...lib.control.grouping import group
from ...lib.linalg.linalg import diag_part
from ...lib.math import math, reductions
from ...lib.math.counting import confusion_matrix
from ...lib.nn.sample_weights import broadcast_weights
from ...op.constant import constant
from ..keras_parts.keras_config import epsilon
from ..keras_parts.weighted_losses import of_one_rank
from .metric import Metric

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
        """y_true [n, ...] of 0 and 1, y_pred [n, ...] of 0 … 1 -> the op that adds to the counts."""
        y_true, y_pred = math.cast(y_true, self._dtype), math.cast(y_pred, self._dtype)
        y_pred, y_true, sample_weight = of_one_rank(y_pred, y_true, sample_weight)
        if top_k is not None:
            y_pred = _only_largest(y_pred, top_k)
        if class_id is not None:
            y_true, y_pred = y_true[..., class_id], y_pred[..., class_id]
            if sample_weight is not None and sample_weight.shape.ndims != y_pred.shape.ndims:
                sample_weight = array.squeeze(sample_weight, [-1])
        is_positive = array.reshape(math.cast(y_true, "bool"), [1, -1])
        limits = constant(self._thresholds, self._dtype, shape=[len(self._thresholds), 1])
        said_positive = math.greater(array.reshape(y_pred, [1, -1]), limits)
        weights = None
        if sample_weight is not None:
            weights = array.reshape(broadcast_weights(math.cast(sample_weight, self._dtype), y_pred), [1, -1])
        updates = []
        for kind in self.kinds:
            said = said_positive if kind[1] == "p" else math.logical_not(said_positive)
            is_so = is_positive if kind in ("tp", "fn") else math.logical_not(is_positive)
            hits = math.cast(math.logical_and(is_so, said), self._dtype)
            hits = hits if weights is None else hits * weights
            updates.append(getattr(self, _NAMES[kind]).assign_add(reductions.reduce_sum(hits, 1)))
        return group(*updates)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """y_true [n, ...] of 0 and 1, y_pred [n, ...] of 0 … 1, sample_weight [n] -> the op that adds to the counts."""
        return self._counts(y_true, y_pred, sample_weight)


def _only_largest(y_pred: Any, k: int) -> Any:
    """The outputs [n, c], with -1e10 for all but the k largest of each sample."""
    largest = reductions.reduce_min(selection.top_k(y_pred, k).values, axis=-1, keepdims=True)
    is_largest = math.cast(math.greater_equal(y_pred, largest), y_pred.dtype)
    return y_pred * is_largest + (1.0 - is_largest) * -1e10


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
        self._begin(_checked(thresholds, 0.5) if thresholds is not None or top_k is None else [-1e9])

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
        inner = sorted(_checked(thresholds, 0.5)) if thresholds is not None else []
        if thresholds is None:
            inner = [(i + 1) * 1.0 / (count - 1) for i in range(count - 2)]
        self.num_thresholds = count
        self._begin([0.0 - epsilon(), *inner, 1.0 + epsilon()])

    def result(self) -> Any:
        """A scalar."""
        tp, tn, fp, fn = (getattr(self, _NAMES[kind]).value() for kind in self.kinds)
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
    slope = math.div_no_nan(step, math.maximum(positives[:-1] - positives[1:], 0))
    intercept = tp[1:] - math.multiply(slope, positives[1:])
    first, second = positives[:-1], math.maximum(positives[1:], 0)
    is_safe = math.logical_and(first > 0, positives[1:] > 0)
    ratio = selection.where(is_safe, math.div_no_nan(first, second), array.ones_like(positives[1:]))
    gain = math.div_no_nan(slope * (step + intercept * math.log(ratio)), math.maximum(tp[1:] + fn[1:], 0))
    return reductions.reduce_sum(gain)


class _AtRate(_Confusion):
    """One rate at the threshold where another is nearest to a given value."""

    kinds = ("tp", "tn", "fp", "fn")

    def _start(self, value: float, num_thresholds: int, what: str) -> None:
        if value < 0 or value > 1:
            raise ValueError(error_text(f"`{what}` must be in the range [0, 1]."))
        if num_thresholds <= 0:
            raise ValueError(error_text("`num_thresholds` must be > 0."))
        self.value, self.num_thresholds = value, num_thresholds
        inner = [(i + 1) * 1.0 / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        self._begin([0.5] if num_thresholds == 1 else [0.0, *inner, 1.0])

    def _rates(self) -> tuple[Any, Any]:
        """(sensitivity, specificity) at each threshold."""
        tp, tn, fp, fn = (getattr(self, _NAMES[kind]).value() for kind in self.kinds)
        return math.div_no_nan(tp, tp + fn), math.div_no_nan(tn, tn + fp)

    def _nearest(self, known: Any, wanted: Any) -> Any:
        at = math.cast(reductions.argmin(math.abs(known - self.value), axis=0), "int32")
        return wanted[at]


class SensitivityAtSpecificity(_AtRate):
    """The part of positive samples found, where the part of negative samples found is `specificity`."""

    def __init__(self, specificity: float, num_thresholds: int = 200, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.specificity = specificity
        self._start(specificity, num_thresholds, "specificity")

    def result(self) -> Any:
        """A scalar."""
        sensitivities, specificities = self._rates()
        return self._nearest(specificities, sensitivities)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal metric."""
        return {**super().get_config(), "num_thresholds": self.num_thresholds, "specificity": self.specificity}


class SpecificityAtSensitivity(_AtRate):
    """The part of negative samples found, where the part of positive samples found is `sensitivity`."""

    def __init__(self, sensitivity: float, num_thresholds: int = 200, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.sensitivity = sensitivity
        self._start(sensitivity, num_thresholds, "sensitivity")

    def result(self) -> Any:
        """A scalar."""
        sensitivities, specificities = self._rates()
        return self._nearest(sensitivities, specificities)

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
        flat = [
            None if value is None else array.reshape(math.cast(value, self._dtype), [-1])
            for value in (y_true, y_pred, sample_weight)
        ]
        matrix = confusion_matrix(flat[0], flat[1], self.num_classes, weights=flat[2], dtype="float64")
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


CONFUSION_METRICS = (
    TruePositives, TrueNegatives, FalsePositives, FalseNegatives, Precision, Recall, AUC, SensitivityAtSpecificity,
    SpecificityAtSensitivity, MeanIoU,
)  # fmt: skip

__all__ = [
    "AUC", "CONFUSION_METRICS", "FalseNegatives", "FalsePositives", "MeanIoU", "Precision", "Recall", "SensitivityAtSpecificity",
    "SpecificityAtSensitivity", "TrueNegatives", "TruePositives",
]  # fmt: skip
