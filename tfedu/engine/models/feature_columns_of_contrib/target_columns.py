"""Targets of `tf.contrib.layers`: from the logits of a model and the labels to its loss, predictions and metrics.

    target = multi_class_target(n_classes=3)
    loss = target.training_loss(logits, labels, features)      # logits [n, 3], labels [n] or [n, 1]

No state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.checks.asserts import Assert
from ...lib.framework.scope_blocks import control_dependencies
from ...lib.math import math, reductions
from ...lib.nn import cross_entropy
from ...ops import activations
from ...training.metrics import metrics as mean_metrics
from ...training.metrics import metrics_binary
from ...training.metrics.metrics import Metric
from ..contrib.learn_keys import ProblemType
from ..contrib.older_losses import hinge_loss

MetricFunction = Callable[..., Metric]


class _TargetColumn:
    """What a model is trained for. label_name, weight_column_name: keys of the labels, and of the features' weights [n]."""

    problem_type = ProblemType.UNSPECIFIED

    def __init__(self, num_label_columns: int, label_name: str | None, weight_column_name: str | None) -> None:
        self.num_label_columns = num_label_columns
        self.label_name = label_name
        self.weight_column_name = weight_column_name

    def _losses(self, logits: Any, target: Any) -> Any:
        """The loss of each example."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define _losses"))

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Any:
        """The predictions for logits [n, num_label_columns]. proba: the probabilities of the classes."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define logits_to_predictions"))

    def get_weight_tensor(self, features: Any) -> Any:
        """The weights [n] among the features; None without a weight_column_name."""
        if not self.weight_column_name:
            return None
        return array.reshape(math.cast(features[self.weight_column_name], dtypes.float32), shape=(-1,))

    def _weighted(self, logits: Any, target: Any, features: Any) -> tuple[Any, Any]:
        """(the weighted losses, the weights or None)."""
        if isinstance(target, dict):
            target = target[self.label_name]
        losses, weights = self._losses(logits, target), self.get_weight_tensor(features)
        if weights is None:
            return losses, None
        return math.multiply(array.reshape(losses, shape=(-1,)), array.reshape(weights, shape=(-1,))), weights

    @atomic
    def training_loss(self, logits: Any, target: Any, features: Any, name: str = "training_loss") -> Tensor:
        """The mean of the weighted losses, a scalar. target: labels, or a dict of them by name."""
        losses, _ = self._weighted(logits, target, features)
        return reductions.reduce_mean(losses, name=name)

    @atomic
    def loss(self, logits: Any, target: Any, features: Any) -> Tensor:
        """The sum of the weighted losses over the sum of the weights, a scalar."""
        losses, weights = self._weighted(logits, target, features)
        if weights is None:
            return reductions.reduce_mean(losses, name="loss")
        total = reductions.reduce_sum(losses)
        return math.div(total, math.cast(reductions.reduce_sum(weights), dtypes.float32), name="loss")

    def _measured(self, predictions: Any, labels: Any, metrics: Any, features: Any) -> dict[Any, Metric]:
        """The metrics of predictions and labels by name."""
        labels, weights = math.cast(labels, predictions.dtype), self.get_weight_tensor(features)
        options = {} if weights is None else {"weights": weights}
        return {name: metric(predictions, labels, **options) for name, metric in (metrics or {}).items()}


class _RegressionTargetColumn(_TargetColumn):
    """Numbers, by the squared error."""

    problem_type = ProblemType.LINEAR_REGRESSION

    def _losses(self, logits: Any, target: Any) -> Any:
        target = _as_matrix(target)
        logits.shape.assert_is_compatible_with(target.shape)
        return math.squared_difference(logits, math.cast(target, dtypes.float32))

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Any:
        """The numbers [n], or [n, k] for k numbers an example."""
        return array.squeeze(logits, axis=[1]) if self.num_label_columns == 1 else logits

    @atomic
    def get_eval_ops(self, features: Any, logits: Any, labels: Any, metrics: Any = None) -> dict[Any, Metric]:
        """(value, update) of the loss, and of metrics, a dict from names to functions of (predictions, labels, weights)."""
        found = {"loss": mean_metrics.mean(self.loss(logits, labels, features))}
        if metrics:
            found.update(self._measured(self.logits_to_predictions(logits), labels, metrics, features))
        return found


class _MultiClassTargetColumn(_TargetColumn):
    """Classes, by the cross entropy; two classes have one logit."""

    problem_type = ProblemType.CLASSIFICATION

    def __init__(self, n_classes: int, label_name: str | None, weight_column_name: str | None) -> None:
        super().__init__(1 if n_classes == 2 else n_classes, label_name, weight_column_name)

    def _losses(self, logits: Any, target: Any) -> Any:
        if self.num_label_columns == 1:
            labels = math.cast(_as_matrix(target), dtypes.float32)
            return cross_entropy.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        if not target.dtype.is_integer:
            raise ValueError(error_text(f"Target's dtype should be integer Instead got {target.dtype!s}."))
        if len(target.shape) == 2:
            target = array.squeeze(target, axis=[1])
        return cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits)

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Any:
        """The classes [n], or their probabilities [n, n_classes]."""
        logits = self._of_each_class(logits)
        return activations.softmax(logits) if proba else reductions.argmax(logits, 1)

    def _of_each_class(self, logits: Any) -> Any:
        return array.concat([array.zeros_like(logits), logits], 1) if self.num_label_columns == 1 else logits

    @atomic
    def get_eval_ops(self, features: Any, logits: Any, labels: Any, metrics: Any = None) -> dict[Any, Metric]:
        """(value, update) of the loss and of metrics; for two classes also the metrics of `get_default_binary_metrics_for_eval`.

        metrics: functions of (predictions, labels, weights) by name, or by (name, "classes" or "probabilities"), which says what
        they take; by default the accuracy.

        Raises: ValueError for other keys.
        """
        found: dict[Any, Metric] = {"loss": mean_metrics.mean(self.loss(logits, labels, features))}
        given = {("accuracy", "classes"): _accuracy} if metrics is None else metrics
        by_kind = _by_kind(given)
        if self.num_label_columns == 1:
            chances, numbers = math.sigmoid(logits), math.cast(labels, dtypes.float32)
            for name, metric in get_default_binary_metrics_for_eval(thresholds=[0.5]).items():
                found[name] = metric(chances, numbers)
        for kind, wanted in by_kind.items():
            if wanted:
                predictions = self.logits_to_predictions(logits, proba=kind == "probabilities")
                found.update(self._measured(predictions, labels, wanted, features))
        return found


def _by_kind(metrics: dict[Any, MetricFunction]) -> dict[str, dict[str, MetricFunction]]:
    """The metrics that take classes, and those that take probabilities."""
    found: dict[str, dict[str, MetricFunction]] = {"classes": {}, "probabilities": {}}
    for key, metric in metrics.items():
        if isinstance(key, str):
            found["classes"][key] = metric
            continue
        if not isinstance(key, tuple):
            raise ValueError(error_text(f"Ignoring metric {key}. Its name is not in the correct form."))
        if len(key) != 2:
            raise ValueError(
                error_text(f"Ignoring metric {key}. It returned a tuple with len {len(key)}, expected 2.")
            )
        if key[1] not in found:
            raise ValueError(
                error_text(
                    f"Ignoring metric {key}. The 2nd element of its name should be either 'classes' or 'probabilities'."
                )
            )
        found[key[1]][key[0]] = metric
    return found


class _BinarySvmTargetColumn(_MultiClassTargetColumn):
    """Two classes, by the hinge loss."""

    def __init__(self, label_name: str | None, weight_column_name: str | None) -> None:
        super().__init__(2, label_name, weight_column_name)

    def _losses(self, logits: Any, target: Any) -> Any:
        text = "target's shape should be either [batch_size, 1] or [batch_size]"
        with control_dependencies([Assert(math.less_equal(array.rank(target), 2), [text])]):
            target = array.reshape(target, shape=[array.shape(target)[0], 1])
        return hinge_loss(logits, target)

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Any:
        """The classes [n]. Raises: ValueError for proba, which the hinge loss does not give."""
        if proba:
            raise ValueError(error_text("logits to probabilities is not supported for _BinarySvmTargetColumn"))
        return super().logits_to_predictions(logits)


def _as_matrix(target: Any) -> Any:
    """[n] -> [n, 1]."""
    return array.expand_dims(target, axis=1) if len(target.shape) == 1 else target


def _accuracy(predictions: Any, labels: Any, weights: Any = None) -> Metric:
    return mean_metrics.accuracy(labels=labels, predictions=predictions, weights=weights)


# -- functions ---------------------------------------------------------------------------------------------------------


def regression_target(
    label_name: str | None = None, weight_column_name: str | None = None, label_dimension: int = 1
) -> _RegressionTargetColumn:
    """Labels of numbers [n, label_dimension], by the squared error. label_name: the key where labels are a dict."""
    return _RegressionTargetColumn(label_dimension, label_name, weight_column_name)


def multi_class_target(
    n_classes: int, label_name: str | None = None, weight_column_name: str | None = None
) -> _MultiClassTargetColumn:
    """Labels of classes [n] or [n, 1], by the cross entropy: of logits [n, n_classes], or [n, 1] for two classes.

    Raises: ValueError for fewer than two classes.
    """
    if n_classes < 2:
        raise ValueError(error_text("n_classes must be > 1 for classification."))
    return _MultiClassTargetColumn(n_classes, label_name, weight_column_name)


def binary_svm_target(label_name: str | None = None, weight_column_name: str | None = None) -> _BinarySvmTargetColumn:
    """Labels of two classes [n] or [n, 1], by the hinge loss of logits [n, 1]."""
    return _BinarySvmTargetColumn(label_name, weight_column_name)


def get_default_binary_metrics_for_eval(thresholds: Iterable[float]) -> dict[str, MetricFunction]:
    """Functions of (predictions, labels, weights) by name: means, the area under the ROC curve, and at each threshold accuracy,
    precision and recall.
    """

    def of_labels(predictions: Any, labels: Any, weights: Any = None) -> Metric:
        return mean_metrics.mean(labels, weights=weights)

    def of_predictions(predictions: Any, labels: Any, weights: Any = None) -> Metric:
        return mean_metrics.mean(predictions, weights=weights)

    def area(predictions: Any, labels: Any, weights: Any = None) -> Metric:
        return metrics_binary.auc(labels, predictions, weights=_floats(weights))

    found = {
        "labels/prediction_mean": of_predictions, "labels/actual_target_mean": of_labels,
        "accuracy/baseline_target_mean": of_labels, "auc": area,
    }  # fmt: skip
    for threshold in thresholds:
        found[f"accuracy/threshold_{threshold:f}_mean"] = _accuracy_at(threshold)
        found[f"precision/positive_threshold_{threshold:f}_mean"] = _at(metrics_binary.precision_at_thresholds, threshold)
        found[f"recall/positive_threshold_{threshold:f}_mean"] = _at(metrics_binary.recall_at_thresholds, threshold)
    return found


def _floats(weights: Any) -> Any:
    return None if weights is None else math.cast(weights, dtypes.float32)


def _accuracy_at(threshold: float) -> MetricFunction:
    def metric(predictions: Any, labels: Any, weights: Any = None) -> Metric:
        above = math.cast(math.greater_equal(predictions, threshold), dtypes.float32)
        return mean_metrics.accuracy(labels=labels, predictions=above, weights=weights)

    return metric


def _at(of_thresholds: MetricFunction, threshold: float) -> MetricFunction:
    def metric(predictions: Any, labels: Any, weights: Any = None) -> Metric:
        value, update = of_thresholds(labels, predictions, thresholds=[threshold], weights=_floats(weights))
        return array.squeeze(value), update

    return metric


__all__ = ["binary_svm_target", "get_default_binary_metrics_for_eval", "multi_class_target", "regression_target"]
