"""The loss functions of tf.keras: y_true [n, ..., k] and y_pred [n, ..., k] -> one loss for each sample, [n, ...]. No state.

Kullback-Leibler, Huber (1964), log cosh and the rest are the usual formulas; probabilities are kept from 0 and 1 by `epsilon()`.
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.control.smart_cond import smart_cond
from ...lib.math import math, reductions
from ...lib.math.clip import clip_by_value, l2_normalize
from ...lib.nn import activations, cross_entropy
from ...lib.variables.variables import Variable
from ...op.constant import constant
from .keras_config import epsilon, floatx


def _pair(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """(y_true, y_pred) as tensors of the dtype of y_pred."""
    y_pred = convert_to_tensor(y_pred)
    return math.cast(y_true, y_pred.dtype), y_pred


def mean(x: Any) -> Any:
    """[n, ..., k] -> [n, ...]."""
    return reductions.reduce_mean(x, axis=-1)


def clipped(x: Tensor, low: float, high: float = float("inf")) -> Tensor:
    """x [...] limited to low … high, both as constants of its dtype."""
    limits = [constant(limit, x.dtype.base_dtype) for limit in (low, high)]
    limited: Tensor = clip_by_value(x, *limits)
    return limited


@atomic
def mean_squared_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of (y_pred - y_true)²."""
    y_true, y_pred = _pair(y_true, y_pred)
    return mean(math.squared_difference(y_pred, y_true))


@atomic
def mean_absolute_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of |y_pred - y_true|."""
    y_true, y_pred = _pair(y_true, y_pred)
    return mean(math.abs(y_pred - y_true))


@atomic
def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of |y_true - y_pred| in percent of |y_true|."""
    y_true, y_pred = _pair(y_true, y_pred)
    return 100.0 * mean(math.abs((y_true - y_pred) / clipped(math.abs(y_true), epsilon())))


@atomic
def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of (log(y_pred + 1) - log(y_true + 1))²."""
    y_true, y_pred = _pair(y_true, y_pred)
    first = math.log(clipped(y_pred, epsilon()) + 1.0)
    return mean(math.squared_difference(first, math.log(clipped(y_true, epsilon()) + 1.0)))


def _signed(y_true: Tensor) -> Any:
    """Labels 0 and 1 as -1 and 1; others stay."""
    is_binary = reductions.reduce_all(math.logical_or(math.equal(y_true, 0), math.equal(y_true, 1)))
    return smart_cond(is_binary, lambda: 2.0 * y_true - 1.0, lambda: y_true)


@atomic
def squared_hinge(y_true: Any, y_pred: Any) -> Any:
    """The mean of max(0, 1 - y_true · y_pred)², with labels -1 and 1."""
    y_true, y_pred = _pair(y_true, y_pred)
    return mean(math.square(math.maximum(1.0 - _signed(y_true) * y_pred, 0.0)))


@atomic
def hinge(y_true: Any, y_pred: Any) -> Any:
    """The mean of max(0, 1 - y_true · y_pred), with labels -1 and 1."""
    y_true, y_pred = _pair(y_true, y_pred)
    return mean(math.maximum(1.0 - _signed(y_true) * y_pred, 0.0))


@atomic
def categorical_hinge(y_true: Any, y_pred: Any) -> Any:
    """max(0, 1 + the largest output of a wrong class - the output of the right one), with labels as one-hot vectors."""
    y_true, y_pred = _pair(y_true, y_pred)
    right = reductions.reduce_sum(y_true * y_pred, axis=-1)
    wrong = reductions.reduce_max((1.0 - y_true) * y_pred, axis=-1)
    return math.maximum(0.0, wrong - right + 1.0)


@atomic
def huber_loss(y_true: Any, y_pred: Any, delta: float = 1.0) -> Any:
    """error² / 2 up to |error| = delta, delta · |error| - delta² / 2 beyond: [...] -> [...]."""
    y_pred, y_true = math.cast(y_pred, dtypes.float32), math.cast(y_true, dtypes.float32)
    size = math.abs(math.subtract(y_pred, y_true))
    near = math.minimum(size, delta)
    far = math.subtract(size, near)
    half = convert_to_tensor(0.5, dtype=near.dtype)
    return math.add(math.multiply(half, math.multiply(near, near)), math.multiply(delta, far))


@atomic
def logcosh(y_true: Any, y_pred: Any) -> Any:
    """The mean of log(cosh(y_pred - y_true))."""
    y_true, y_pred = _pair(y_true, y_pred)
    x = y_pred - y_true
    return mean(x + activations.softplus(-2.0 * x) - math.log(2.0))


@atomic
def kullback_leibler_divergence(y_true: Any, y_pred: Any) -> Any:
    """Σ y_true · log(y_true / y_pred)."""
    y_true, y_pred = _pair(y_true, y_pred)
    y_true, y_pred = clipped(y_true, epsilon(), 1.0), clipped(y_pred, epsilon(), 1.0)
    return reductions.reduce_sum(y_true * math.log(y_true / y_pred), axis=-1)


@atomic
def poisson(y_true: Any, y_pred: Any) -> Any:
    """The mean of y_pred - y_true · log(y_pred)."""
    y_true, y_pred = _pair(y_true, y_pred)
    return mean(y_pred - y_true * math.log(y_pred + epsilon()))


@atomic
def cosine_similarity(y_true: Any, y_pred: Any, axis: int = -1) -> Any:
    """The cosine of the angle between the vectors along the axis."""
    y_true, y_pred = l2_normalize(y_true, axis=axis), l2_normalize(y_pred, axis=axis)
    return reductions.reduce_sum(y_true * y_pred, axis=axis)


# -- cross entropies -----------------------------------------------------------------------------------------------------


@atomic
def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0
) -> Any:
    """-Σ y_true · log(y_pred), with labels as one-hot vectors [n, ..., k]. label_smoothing: the part that all classes share."""
    y_true, y_pred = _pair(y_true, y_pred)
    smoothing = convert_to_tensor(label_smoothing, dtype=dtypes.as_dtype(floatx()))
    if label_smoothing:
        classes = math.cast(array.shape(y_true)[1], y_pred.dtype)
        y_true = y_true * (1.0 - smoothing) + smoothing / classes
    return categorical_crossentropy_of(y_true, y_pred, from_logits)


def categorical_crossentropy_of(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Any:
    """K.categorical_crossentropy: [..., k] and [..., k] -> [...]. Logits behind a softmax are used as they are."""
    logits = output if from_logits else _behind(output, "Softmax")
    if logits is not None:
        return cross_entropy.softmax_cross_entropy_with_logits_v2(labels=target, logits=logits, axis=axis)
    output = output / reductions.reduce_sum(output, axis, True)
    small = constant(epsilon(), output.dtype.base_dtype)
    output = clip_by_value(output, small, 1.0 - small)
    return -reductions.reduce_sum(target * math.log(output), axis)


@atomic
def binary_crossentropy(y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0) -> Any:
    """The mean of -y_true · log(y_pred) - (1 - y_true) · log(1 - y_pred)."""
    y_true, y_pred = _pair(y_true, y_pred)
    smoothing = convert_to_tensor(label_smoothing, dtype=dtypes.as_dtype(floatx()))
    if label_smoothing:
        y_true = y_true * (1.0 - smoothing) + 0.5 * smoothing
    return mean(binary_crossentropy_of(y_true, y_pred, from_logits))


def binary_crossentropy_of(target: Any, output: Any, from_logits: bool = False) -> Any:
    """K.binary_crossentropy: [...] and [...] -> [...]. Logits behind a sigmoid are used as they are."""
    logits = output if from_logits else _behind(output, "Sigmoid")
    if logits is not None:
        return cross_entropy.sigmoid_cross_entropy_with_logits(labels=target, logits=logits)
    small = constant(epsilon(), output.dtype.base_dtype)
    output = clip_by_value(output, small, 1.0 - small)
    found = target * math.log(output + epsilon())
    return -(found + (1 - target) * math.log(1 - output + epsilon()))


@atomic
def sparse_categorical_crossentropy(y_true: Any, y_pred: Any, from_logits: bool = False, axis: int = -1) -> Any:
    """-log of the output of the right class, with labels as class numbers: [n, ...] and [n, ..., k] -> [n, ...]."""
    output = convert_to_tensor(y_pred)
    logits = output if from_logits else _behind(output, "Softmax")
    if logits is None:
        small = constant(epsilon(), output.dtype.base_dtype)
        logits = math.log(clip_by_value(output, small, 1 - small))
    rank = logits.shape.ndims
    if axis not in (-1, (rank or 0) - 1):
        logits = array.transpose(logits, [*[each for each in range(rank) if each != axis % rank], axis % rank])
    labels = math.cast(y_true, dtypes.int64)
    sizes = array.shape(logits)
    must_flatten = None not in (labels.shape.ndims, rank) and labels.shape.ndims != rank - 1
    if must_flatten:
        labels = array.reshape(labels, [-1])
        logits = array.reshape(logits, [-1, sizes[-1]])
    losses = cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return array.reshape(losses, sizes[:-1]) if must_flatten and rank >= 3 else losses


def _behind(output: Any, op_type: str) -> Any:
    """The logits of which the output is the softmax or sigmoid; None when another op made it."""
    is_made = not isinstance(output, Variable) and output.op.type == op_type
    return output.op.inputs[0] if is_made else None


ALIASES = {
    "bce": binary_crossentropy, "BCE": binary_crossentropy, "mse": mean_squared_error, "MSE": mean_squared_error,
    "mae": mean_absolute_error, "MAE": mean_absolute_error, "mape": mean_absolute_percentage_error,
    "MAPE": mean_absolute_percentage_error, "msle": mean_squared_logarithmic_error, "MSLE": mean_squared_logarithmic_error,
    "kld": kullback_leibler_divergence, "KLD": kullback_leibler_divergence, "cosine": cosine_similarity,
    "cosine_proximity": cosine_similarity,
}  # fmt: skip
FUNCTIONS = {
    each.__name__: each
    for each in (
        mean_squared_error, mean_absolute_error, mean_absolute_percentage_error, mean_squared_logarithmic_error, squared_hinge,
        hinge, categorical_hinge, huber_loss, logcosh, kullback_leibler_divergence, poisson, cosine_similarity,
        categorical_crossentropy, binary_crossentropy, sparse_categorical_crossentropy,
    )
} | ALIASES  # fmt: skip

__all__ = [
    "ALIASES", "FUNCTIONS", "binary_crossentropy", "binary_crossentropy_of", "categorical_crossentropy",
    "categorical_crossentropy_of", "categorical_hinge", "clipped", "cosine_similarity", "hinge", "huber_loss",
    "kullback_leibler_divergence", "logcosh", "mean", "mean_absolute_error", "mean_absolute_percentage_error",
    "mean_squared_error", "mean_squared_logarithmic_error", "poisson", "sparse_categorical_crossentropy", "squared_hinge",
]  # fmt: skip
