"""The metrics of tf.keras: functions of (y_true, y_pred), and classes that keep their mean over all batches. No state here."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...lib.arrays import array, selection
from ...lib.math import math, reductions
from ...lib.math.clip import l2_normalize
from ..keras_parts import keras_losses
from ..keras_parts.keras_config import floatx
from ..keras_parts.keras_objects import deserialize_keras_object, serialize_keras_object
from .confusion_metrics import CONFUSION_METRICS
from .metric import Mean, MeanMetricWrapper, MeanRelativeError, MeanTensor, Sum


@atomic
def accuracy(y_true: Any, y_pred: Any) -> Any:
    """1 where equal, else 0: [...] and [...] -> [...]."""
    y_pred, y_true = convert_to_tensor(y_pred), convert_to_tensor(y_true)
    y_pred.shape.assert_is_compatible_with(y_true.shape)
    if y_true.dtype != y_pred.dtype:
        y_pred = math.cast(y_pred, y_true.dtype)
    return math.cast(math.equal(y_true, y_pred), floatx())


@atomic
def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Any:
    """The part of outputs on the right side of the threshold: [n, k] -> [n]."""
    y_pred = convert_to_tensor(y_pred)
    threshold = math.cast(threshold, y_pred.dtype)
    y_pred = math.cast(y_pred > threshold, y_pred.dtype)
    return reductions.reduce_mean(math.cast(math.equal(y_true, y_pred), floatx()), axis=-1)


@atomic
def categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """1 where the largest output is that of the right class, with labels as one-hot vectors: [n, k] -> [n]."""
    right = reductions.argmax(y_true, axis=-1)
    return math.cast(math.equal(right, reductions.argmax(y_pred, axis=-1)), floatx())


def _without_last_axis(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """y_true [n] of [n] or [n, 1], and y_pred [n, k], as tensors."""
    y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    if y_true.shape.ndims is not None and y_true.shape.ndims == y_pred.shape.ndims:
        y_true = array.squeeze(y_true, [-1])
    return y_true, y_pred


@atomic
def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """1 where the largest output is that of the right class, with labels as class numbers: [n] and [n, k] -> [n]."""
    y_true, y_pred = _without_last_axis(y_true, y_pred)
    best = reductions.argmax(y_pred, axis=-1)
    if best.dtype != y_true.dtype:
        best = math.cast(best, y_true.dtype)
    return math.cast(math.equal(y_true, best), floatx())


@atomic
def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Any:
    """1 where the right class is among the k largest outputs, with labels as one-hot vectors: [n, c] -> [n]."""
    return math.cast(selection.in_top_k(y_pred, reductions.argmax(y_true, axis=-1), k), floatx())


@atomic
def sparse_top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Any:
    """1 where the right class is among the k largest outputs, with labels as class numbers: [n] and [n, c] -> [n]."""
    y_true, y_pred = _without_last_axis(y_true, y_pred)
    return math.cast(selection.in_top_k(y_pred, math.cast(y_true, "int32"), k), floatx())


@atomic
def cosine_proximity(y_true: Any, y_pred: Any, axis: int = -1) -> Any:
    """The cosine of the angle between the vectors along the axis."""
    y_true, y_pred = l2_normalize(y_true, axis=axis), l2_normalize(y_pred, axis=axis)
    return reductions.reduce_sum(y_true * y_pred, axis=axis)


def _metric_class(class_name: str, fn: Callable[..., Any], name: str) -> type[MeanMetricWrapper]:
    """The class of the mean of a function, whose options come before or after name and dtype, as in TF."""
    options = [p for p in inspect.signature(fn).parameters.values() if p.default is not p.empty]
    keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
    shared = [inspect.Parameter("name", keyword, default=name), inspect.Parameter("dtype", keyword, default=None)]
    first = options if class_name.endswith("TopKCategoricalAccuracy") else []
    last = [] if first else options
    signature = inspect.Signature([inspect.Parameter("self", keyword), *first, *shared, *last])

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            bound = signature.bind(self, *args, **kwargs)
        except TypeError as error:
            raise TypeError(error_text(f"{class_name}: {error}")) from None
        bound.apply_defaults()
        arguments = dict(bound.arguments)
        arguments.pop("self")
        MeanMetricWrapper.__init__(self, fn, **arguments)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    members = {"__init__": __init__, "__doc__": f"The mean of: {inspect.getdoc(fn)}", "__module__": __name__}
    return type(class_name, (MeanMetricWrapper,), members)


Accuracy = _metric_class("Accuracy", accuracy, "accuracy")
BinaryAccuracy = _metric_class("BinaryAccuracy", binary_accuracy, "binary_accuracy")
CategoricalAccuracy = _metric_class("CategoricalAccuracy", categorical_accuracy, "categorical_accuracy")
SparseCategoricalAccuracy = _metric_class(
    "SparseCategoricalAccuracy", sparse_categorical_accuracy, "sparse_categorical_accuracy"
)
TopKCategoricalAccuracy = _metric_class("TopKCategoricalAccuracy", top_k_categorical_accuracy, "top_k_categorical_accuracy")
SparseTopKCategoricalAccuracy = _metric_class(
    "SparseTopKCategoricalAccuracy", sparse_top_k_categorical_accuracy, "sparse_top_k_categorical_accuracy"
)
MeanSquaredError = _metric_class("MeanSquaredError", keras_losses.mean_squared_error, "mean_squared_error")
MeanAbsoluteError = _metric_class("MeanAbsoluteError", keras_losses.mean_absolute_error, "mean_absolute_error")
MeanAbsolutePercentageError = _metric_class(
    "MeanAbsolutePercentageError", keras_losses.mean_absolute_percentage_error, "mean_absolute_percentage_error"
)
MeanSquaredLogarithmicError = _metric_class(
    "MeanSquaredLogarithmicError", keras_losses.mean_squared_logarithmic_error, "mean_squared_logarithmic_error"
)
Hinge = _metric_class("Hinge", keras_losses.hinge, "hinge")
SquaredHinge = _metric_class("SquaredHinge", keras_losses.squared_hinge, "squared_hinge")
CategoricalHinge = _metric_class("CategoricalHinge", keras_losses.categorical_hinge, "categorical_hinge")
LogCoshError = _metric_class("LogCoshError", keras_losses.logcosh, "logcosh")
Poisson = _metric_class("Poisson", keras_losses.poisson, "poisson")
KLDivergence = _metric_class(
    "KLDivergence", keras_losses.kullback_leibler_divergence, "kullback_leibler_divergence"
)
BinaryCrossentropy = _metric_class("BinaryCrossentropy", keras_losses.binary_crossentropy, "binary_crossentropy")
CategoricalCrossentropy = _metric_class(
    "CategoricalCrossentropy", keras_losses.categorical_crossentropy, "categorical_crossentropy"
)
SparseCategoricalCrossentropy = _metric_class(
    "SparseCategoricalCrossentropy", keras_losses.sparse_categorical_crossentropy, "sparse_categorical_crossentropy"
)


class CosineSimilarity(MeanMetricWrapper):
    """The mean cosine of the angle between the vectors along the axis."""

    def __init__(self, name: str = "cosine_similarity", dtype: Any = None, axis: int = -1) -> None:
        super().__init__(cosine_proximity, name, dtype=dtype, axis=axis)


class RootMeanSquaredError(Mean):
    """The root of the mean of (y_pred - y_true)²."""

    def __init__(self, name: str = "root_mean_squared_error", dtype: Any = None) -> None:
        super().__init__(name, dtype=dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:  # type: ignore[override]
        """y_true [n, ...], y_pred [n, ...], sample_weight [n] -> the op that adds the squared errors."""
        y_true, y_pred = math.cast(y_true, self._dtype), math.cast(y_pred, self._dtype)
        return self._add_up(math.squared_difference(y_pred, y_true), sample_weight)

    def result(self) -> Any:
        """A scalar."""
        return math.sqrt(math.div_no_nan(self.total, self.count))


FUNCTIONS: dict[str, Any] = {
    **{name: keras_losses.ALIASES[name] for name in ("mse", "MSE", "mae", "MAE", "mape", "MAPE", "msle", "MSLE")},
    "cosine_similarity": cosine_proximity,
    **{
        each.__name__: each
        for each in (
            accuracy, binary_accuracy, categorical_accuracy, sparse_categorical_accuracy, top_k_categorical_accuracy,
            sparse_top_k_categorical_accuracy, cosine_proximity, keras_losses.mean_squared_error,
            keras_losses.mean_absolute_error, keras_losses.mean_absolute_percentage_error,
            keras_losses.mean_squared_logarithmic_error, keras_losses.squared_hinge, keras_losses.hinge,
            keras_losses.categorical_hinge, keras_losses.logcosh, keras_losses.kullback_leibler_divergence,
            keras_losses.poisson, keras_losses.categorical_crossentropy, keras_losses.binary_crossentropy,
            keras_losses.sparse_categorical_crossentropy,
        )
    },
}  # fmt: skip
_CLASSES = {
    each.__name__: each
    for each in (
        Accuracy, BinaryAccuracy, CategoricalAccuracy, SparseCategoricalAccuracy, TopKCategoricalAccuracy,
        SparseTopKCategoricalAccuracy, MeanSquaredError, MeanAbsoluteError, MeanAbsolutePercentageError,
        MeanSquaredLogarithmicError, Hinge, SquaredHinge, CategoricalHinge, LogCoshError, Poisson, KLDivergence,
        BinaryCrossentropy, CategoricalCrossentropy, SparseCategoricalCrossentropy, CosineSimilarity, RootMeanSquaredError,
        Mean, Sum, MeanTensor, MeanRelativeError, *CONFUSION_METRICS,
    )
}  # fmt: skip


def serialize(metric: Any) -> Any:
    """The name of a function, or class name and configuration of a metric."""
    return serialize_keras_object(metric)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The metric of a name or configuration.

    Raises: ValueError for an unknown one.
    """
    return deserialize_keras_object(config, {**FUNCTIONS, **_CLASSES}, custom_objects, "metric function")


def get(identifier: Any) -> Any:
    """The metric of a name, a configuration or a function.

    Raises: ValueError for anything else.
    """
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise ValueError(error_text(f"Could not interpret metric function identifier: {identifier}"))


__all__ = [
    "FUNCTIONS", "Accuracy", "BinaryAccuracy", "BinaryCrossentropy", "CategoricalAccuracy", "CategoricalCrossentropy",
    "CategoricalHinge", "CosineSimilarity", "Hinge", "KLDivergence", "LogCoshError", "MeanAbsoluteError",
    "MeanAbsolutePercentageError", "MeanSquaredError", "MeanSquaredLogarithmicError", "Poisson", "RootMeanSquaredError",
    "SparseCategoricalAccuracy", "SparseCategoricalCrossentropy", "SparseTopKCategoricalAccuracy", "SquaredHinge",
    "TopKCategoricalAccuracy", "accuracy", "binary_accuracy", "categorical_accuracy", "cosine_proximity", "deserialize", "get",
    "serialize", "sparse_categorical_accuracy", "sparse_top_k_categorical_accuracy", "top_k_categorical_accuracy",
]  # fmt: skip
