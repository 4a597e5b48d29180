"""`tf.contrib.metrics`, `tf.contrib.losses`: metrics and losses that take predictions before labels. No state."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from .. import losses, metrics
from ..engine.base import dtypes
from ..engine.graph.atomic import atomic
from ..engine.lib import array, math
from ..engine.lib.failing import said
from ..engine.lib.reductions import reduce_mean, reduce_sum
from ..engine.lib.scope import name_scope


def _turned(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function with its first two parameters the other way round."""
    first, second, *rest = inspect.signature(function).parameters.values()

    @functools.wraps(function)
    def turned(*args: Any, **kwargs: Any) -> Any:
        kwargs.update(zip((second.name, first.name), args, strict=False))
        return function(kwargs.pop(first.name, None), kwargs.pop(second.name, None), *args[2:], **kwargs)

    turned.__name__ = turned.__qualname__ = name
    vars(turned)["__signature__"] = inspect.Signature([second, first, *rest])
    return turned


streaming_mean = metrics.mean
streaming_mean_tensor = metrics.mean_tensor
streaming_percentage_less = metrics.percentage_below
streaming_accuracy = _turned(metrics.accuracy, "streaming_accuracy")
streaming_auc = _turned(metrics.auc, "streaming_auc")
streaming_mean_absolute_error = _turned(metrics.mean_absolute_error, "streaming_mean_absolute_error")
streaming_mean_iou = _turned(metrics.mean_iou, "streaming_mean_iou")
streaming_mean_squared_error = _turned(metrics.mean_squared_error, "streaming_mean_squared_error")
streaming_precision = _turned(metrics.precision, "streaming_precision")
streaming_recall = _turned(metrics.recall, "streaming_recall")
streaming_root_mean_squared_error = _turned(metrics.root_mean_squared_error, "streaming_root_mean_squared_error")

absolute_difference = _turned(losses.absolute_difference, "absolute_difference")
log_loss = _turned(losses.log_loss, "log_loss")
mean_squared_error = _turned(losses.mean_squared_error, "mean_squared_error")
sigmoid_cross_entropy = _turned(losses.sigmoid_cross_entropy, "sigmoid_cross_entropy")
softmax_cross_entropy = _turned(losses.softmax_cross_entropy, "softmax_cross_entropy")
sparse_softmax_cross_entropy = _turned(losses.sparse_softmax_cross_entropy, "sparse_softmax_cross_entropy")


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
