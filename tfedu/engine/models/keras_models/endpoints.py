"""What `compile` says about each output of a model: its loss, its weight, its metrics, and where its targets are fed.

State: an `Endpoint`'s placeholders and metrics.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from ...base.errors import error_text
from ...lib.framework.placeholders import placeholder, placeholder_with_default
from ...op.constant import constant
from ..keras_layers import keras_metrics
from ..keras_layers.metric import Mean, MeanMetricWrapper, Metric
from ..keras_parts import keras_losses, loss_objects

_ACCURACY, _CROSSENTROPY = ("accuracy", "acc"), ("crossentropy", "ce")


class Endpoint:
    """An output of a model that is trained. loss_fn: None for an output without a loss."""

    def __init__(self, name: str, output: Any, loss_fn: Any, loss_weight: Any) -> None:
        self.name, self.output, self.loss_fn = name, output, loss_fn
        self.loss_weight = 1.0 if loss_weight is None else loss_weight
        self.target: Any = None
        self.sample_weight: Any = None
        self.loss_metric: Any = None
        self.metrics: list[Metric] = []
        self.weighted_metrics: list[Metric] = []

    @property
    def is_trained(self) -> bool:
        """Whether the output has a loss."""
        return self.loss_fn is not None

    @property
    def function(self) -> Any:
        """The loss function, without a wrapper."""
        return getattr(self.loss_fn, "fn", self.loss_fn)

    def create_target(self, target: Any = None) -> None:
        """Makes the placeholder of the targets, or takes a tensor instead."""
        if target is None:
            rank = self.output.shape.ndims
            shape = None if rank is None else [None] * rank
            target = placeholder(self.output.dtype, shape=shape, name=f"{self.name}_target")
        self.target = target

    def create_sample_weight(self, is_temporal: bool) -> None:
        """Makes the placeholder of the samples' weights, 1 unless fed."""
        default = constant([[1.0]] if is_temporal else [1.0], self.output.dtype.base_dtype)
        shape = [None, None] if is_temporal else [None]
        self.sample_weight = placeholder_with_default(default, shape, name=f"{self.name}_sample_weights")


def endpoints_of(names: list[str], outputs: list[Any], loss: Any, loss_weights: Any) -> list[Endpoint]:
    """The endpoints of a model's outputs.

    Raises: ValueError for losses or weights of outputs that there are not, or too many or few of them.
    """
    functions = [_loss(each) for each in _per_output(loss, names, "loss")]
    weights = _per_output(loss_weights, names, "loss_weights")
    return [Endpoint(*each) for each in zip(names, outputs, functions, weights)]


def _per_output(value: Any, names: list[str], what: str) -> list[Any]:
    if isinstance(value, Mapping):
        unknown = [name for name in value if name not in names]
        if unknown:
            raise ValueError(
                error_text(f"Unknown entries in {what} dictionary: {unknown}. Only expected following keys: {names}")
            )
        return [value.get(name) for name in names]
    if isinstance(value, (list, tuple)):
        if len(value) != len(names):
            raise ValueError(
                error_text(
                    f"When passing a list as {what}, it should have one entry per model outputs. The model has {len(names)} "
                    f"outputs, but you passed {what}={value}"
                )
            )
        return list(value)
    if value is not None and what == "loss_weights":
        raise TypeError(error_text(f"Could not interpret loss_weights argument: {value} - expected a list of dicts."))
    return [value] * len(names)


def _loss(identifier: Any) -> Any:
    """The loss of an output: an object that gives the samples' losses."""
    found = loss_objects.get(identifier)
    if found is None or isinstance(found, loss_objects.Loss):
        return found
    return loss_objects.LossFunctionWrapper(found, name=getattr(found, "__name__", type(found).__name__))


# -- metrics ---------------------------------------------------------------------------------------------------------------


def metrics_of(metrics: Any, names: list[str]) -> list[list[Any]]:
    """What `compile` was told to measure, for each output.

    Raises: TypeError for what is neither a list nor a dict; ValueError for outputs that there are not.
    """
    if not metrics:
        return [[] for _ in names]
    if isinstance(metrics, Mapping):
        unknown = [name for name in metrics if name not in names]
        if unknown:
            raise ValueError(
                error_text(f"Unknown entries in metrics dictionary: {unknown}. Only expected following keys: {names}")
            )
        found = [metrics.get(name) for name in names]
    elif isinstance(metrics, (list, tuple)):
        if any(isinstance(each, (list, tuple)) for each in metrics):
            found = list(metrics)
            if len(found) != len(names):
                raise ValueError(
                    error_text(
                        "When passing a list of lists as `metrics`, it should have one entry per model output. The model has "
                        f"{len(names)} outputs, but you passed metrics={metrics}"
                    )
                )
        else:
            found = [list(metrics)] * len(names)
    else:
        raise TypeError(
            error_text(f"Type of `metrics` argument not understood. Expected a list or dictionary, found: {metrics}")
        )
    return [each if isinstance(each, list) else [] if each is None else list(each) if isinstance(each, tuple) else [each]
            for each in found]  # fmt: skip


def metric_named(metric: Any, endpoint: Endpoint) -> Metric:
    """The metric that an entry of `compile(metrics=…)` means for an output."""
    if isinstance(metric, Metric):
        return metric
    if isinstance(metric, str) and metric in _ACCURACY + _CROSSENTROPY:
        function = _by_output(metric in _ACCURACY, endpoint)
        return MeanMetricWrapper(function, name="acc" if metric in _ACCURACY else "ce")
    found = keras_metrics.get(metric)
    if isinstance(found, Metric):
        return found
    name = getattr(found, "__name__", None) or type(found).__name__
    if isinstance(found, loss_objects.Loss):
        return MeanMetricWrapper(found, name=found.name)
    if isinstance(found, functools.partial):
        name = found.func.__name__
    return MeanMetricWrapper(found, name=name)


def _by_output(is_accuracy: bool, endpoint: Endpoint) -> Any:
    """The accuracy or cross entropy that suits an output: two classes, class numbers, or one-hot vectors."""
    shape = endpoint.output.shape.as_list() if endpoint.output.shape.ndims else [None]
    if shape[-1] == 1 or endpoint.function is keras_losses.binary_crossentropy:
        return keras_metrics.binary_accuracy if is_accuracy else keras_losses.binary_crossentropy
    if endpoint.function is keras_losses.sparse_categorical_crossentropy:
        return keras_metrics.sparse_categorical_accuracy if is_accuracy else keras_losses.sparse_categorical_crossentropy
    return keras_metrics.categorical_accuracy if is_accuracy else keras_losses.categorical_crossentropy


def loss_metric(endpoint: Endpoint) -> Mean:
    """The mean of an output's loss, for models with several."""
    return Mean(name=f"{endpoint.name}_loss")


__all__ = ["Endpoint", "endpoints_of", "loss_metric", "metric_named", "metrics_of"]
