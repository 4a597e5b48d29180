"""`Metric`: a figure about all batches so far, in variables of its own.

    mean = Mean()
    value = mean(losses)       # updates the variables total and count, then gives total / count
    mean.reset_states()

A subclass makes variables with `add_weight`, changes them in `update_state` and computes the figure in `result`. State: the
metric's variables; the result of its last call in the graph.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.control.grouping import identity
from ...lib.framework.scope_blocks import waiting_for
from ...lib.math import math, reductions
from ...lib.nn.sample_weights import broadcast_weights
from ...lib.variables.variable_settings import VariableAggregation, VariableSynchronization
from ..keras_parts.keras_config import floatx
from ..keras_parts.keras_session import keras_session
from ..keras_parts.update_order import in_order
from ..keras_parts.weighted_losses import of_one_rank
from .base_layer import KerasLayer


class Metric(KerasLayer):
    """The base of all metrics of tf.keras.

    Of a class outside this library, all writes of `update_state` run, in its order, whatever it returns.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """A metric whose updates and result are noted, so that a model finds what a run has to fetch."""
        metric = super().__new__(cls)
        is_foreign = cls.__module__.partition(".")[0] != __name__.partition(".")[0]
        update_state = _in_order(metric.update_state) if is_foreign else metric.update_state
        object.__setattr__(metric, "update_state", _added(metric, update_state))
        object.__setattr__(metric, "result", _noted(metric, metric.result))
        return metric

    def __init__(self, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name=name, dtype=dtype or floatx(), **kwargs)
        self.stateful = True
        self.built = True
        self._call_result: Any = None
        self._own = frozenset(vars(self))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The figure after an update. args: as of `update_state`."""

        def updated() -> Any:
            update = self.update_state(*args, **kwargs)
            with waiting_for([] if update is None else [update]):
                result = self.result()
            if isinstance(result, Tensor):
                result._metric_obj = self
            return result

        return get_default_graph().attempt(updated)

    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """The op that changes the variables by a batch."""
        raise NotImplementedError(error_text("Must be implemented in subclasses."))

    def result(self) -> Any:
        """The figure, a tensor."""
        raise NotImplementedError(error_text("Must be implemented in subclasses."))

    def reset_states(self) -> None:
        """Sets all variables to zero."""
        self.set_weights([np.zeros(variable.shape.as_list()) for variable in self.variables])

    def add_weight(  # type: ignore[override]
        self, name: str, shape: Any = (), aggregation: Any = VariableAggregation.SUM,
        synchronization: Any = VariableSynchronization.ON_READ, initializer: Any = None, dtype: Any = None,
    ) -> Any:  # fmt: skip
        """A variable of the metric, [shape]."""
        return super().add_weight(
            name=name, shape=shape, dtype=dtype or self._dtype, trainable=False, initializer=initializer,
            synchronization=synchronization, aggregation=aggregation, collections=[],
        )  # fmt: skip

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal metric."""
        return {"name": self.name, "dtype": self.dtype}


def _noted(metric: Metric, result: Callable[[], Any]) -> Callable[[], Any]:
    @functools.wraps(result)
    def noted() -> Any:
        metric._call_result = identity(result())
        return metric._call_result

    return noted


def _added(metric: Metric, update_state: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(update_state)
    def added(*args: Any, **kwargs: Any) -> Any:
        update = update_state(*args, **kwargs)
        if update is not None:
            metric.add_update(update)
        return update

    return added


def _in_order(update_state: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(update_state)
    def ordered(*args: Any, **kwargs: Any) -> Any:
        graph = get_default_graph()
        before = len(graph.get_operations())
        update = update_state(*args, **kwargs)
        writes = in_order(graph.get_operations()[before:])
        return update if writes is None else writes

    return ordered


class Reduce(Metric):
    """The sum of all values, their mean, or their mean weighted by the samples."""

    is_mean = True
    counts_weights = True

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.total = self.add_weight("total", initializer="zeros")
        self.count = self.add_weight("count", initializer="zeros") if self.is_mean else None

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """values [...], sample_weight that broadcasts to them -> the op that adds them."""
        return self._add_up(values, sample_weight)

    def _add_up(self, values: Any, sample_weight: Any) -> Any:
        values = math.cast(values, self._dtype)
        if sample_weight is not None:
            sample_weight = math.cast(sample_weight, self._dtype)
            values, _, sample_weight = of_one_rank(values, None, sample_weight)
            try:
                sample_weight = broadcast_weights(sample_weight, values)
            except ValueError:
                surplus = list(range(sample_weight.shape.ndims, values.shape.ndims))
                reduce = reductions.reduce_mean if self.is_mean else reductions.reduce_sum
                values = reduce(values, axis=surplus)
            values = math.multiply(values, sample_weight)
        total = reductions.reduce_sum(values)
        with waiting_for([total]):
            update = self.total.assign_add(total)
        if not self.is_mean:
            return update
        if sample_weight is None or not self.counts_weights:
            number = math.cast(array.size(values), self._dtype)
        else:
            number = reductions.reduce_sum(sample_weight)
        with waiting_for([update]):
            return self.count.assign_add(number)

    def result(self) -> Any:
        """A scalar."""
        return math.div_no_nan(self.total, self.count) if self.is_mean else identity(self.total)


class Sum(Reduce):
    """The sum of all values, each times its sample's weight."""

    is_mean = False

    def __init__(self, name: str = "sum", dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)


class Mean(Reduce):
    """The mean of all values, weighted by the samples' weights."""

    def __init__(self, name: str = "mean", dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)


class MeanMetricWrapper(Mean):
    """The mean of what a function (y_true, y_pred, **kwargs) gives for each sample."""

    def __init__(self, fn: Any, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name=name, dtype=dtype)  # type: ignore[arg-type]
        self._fn, self._fn_kwargs = fn, kwargs

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:  # type: ignore[override]
        """y_true [n, ...], y_pred [n, ...], sample_weight [n] -> the op that adds them."""
        y_true, y_pred = math.cast(y_true, self._dtype), math.cast(y_pred, self._dtype)
        y_pred, y_true, _ = of_one_rank(y_pred, y_true)
        return self._add_up(self._fn(y_true, y_pred, **self._fn_kwargs), sample_weight)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal metric."""
        return {**super().get_config(), **self._fn_kwargs}


class MeanTensor(Metric):
    """The mean of each element of equally shaped values [...]: a tensor of their shape."""

    def __init__(self, name: str = "mean_tensor", dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self._total: Any = None
        self._count: Any = None

    @property
    def total(self) -> Any:
        """The variable of the sums, None before the first update."""
        return self._total

    @property
    def count(self) -> Any:
        """The variable of the numbers of values, None before the first update."""
        return self._count

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """values [...] -> the op that adds them.

        Raises: ValueError for values of another shape than before.
        """
        values = math.cast(values, self._dtype)
        if self._total is None:
            shape = values.shape.as_list()
            self._total = self.add_weight("total", shape=shape, initializer="zeros")
            self._count = self.add_weight("count", shape=shape, initializer="zeros")
            keras_session()
        elif values.shape.as_list() != self._total.shape.as_list():
            raise ValueError(
                error_text(
                    f"MeanTensor input values must always have the same shape. Expected shape (set during the first call): "
                    f"{self._total.shape}. Got: {values.shape}"
                )
            )
        number = array.ones_like(values)
        if sample_weight is not None:
            sample_weight = math.cast(sample_weight, self._dtype)
            values, _, sample_weight = of_one_rank(values, None, sample_weight)
            sample_weight = broadcast_weights(sample_weight, values)
            number = math.multiply(number, sample_weight)
            values = math.multiply(values, sample_weight)
        update = self._total.assign_add(values)
        with waiting_for([update]):
            return self._count.assign_add(number)

    def result(self) -> Any:
        """[...]. Raises: ValueError before the first update."""
        if self._total is None:
            raise ValueError(
                error_text(
                    "MeanTensor does not have any result yet. Please call the MeanTensor instance or use "
                    "`.update_state(value)` before retrieving the result."
                )
            )
        return math.div_no_nan(self._total, self._count)


class MeanRelativeError(Mean):
    """The mean of |y_pred - y_true| / normalizer."""

    def __init__(self, normalizer: Any, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)  # type: ignore[arg-type]
        self.normalizer = math.cast(normalizer, self._dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:  # type: ignore[override]
        """y_true [n, ...], y_pred [n, ...], sample_weight [n] -> the op that adds the errors."""
        y_true, y_pred = math.cast(y_true, self._dtype), math.cast(y_pred, self._dtype)
        y_pred, y_true, _ = of_one_rank(y_pred, y_true)
        errors = math.div_no_nan(math.abs(y_true - y_pred), self.normalizer)
        return self._add_up(errors, sample_weight)


__all__ = ["Mean", "MeanMetricWrapper", "MeanRelativeError", "MeanTensor", "Metric", "Reduce", "Sum"]
