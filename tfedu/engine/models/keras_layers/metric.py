"""`Metric`: a figure about all batches so far, in variables of its own.

    mean = Mean()
    value = mean(losses)       # updates the variables total and count, then gives total / count
    mean.reset_states()

A subclass makes variables with `add_weight`, changes them in `update_state` and computes the figure in `result`. State: the
metric's variables; the result of its last call in the graph.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...lib.arrays import array
from ...lib.control.grouping import identity
from ...lib.framework.scope_blocks import waiting_for
from ...lib.math import math, reductions
from ...lib.nn.sample_weights import broadcast_weights
from ...lib.variables.variable_settings import VariableAggregation, VariableSynchronization
from ..keras_parts.keras_config import floatx
from ..keras_parts.weighted_losses import of_one_rank
from .base_layer import KerasLayer


class Metric(KerasLayer):
    """The base of all metrics of tf.keras."""

    def __init__(self, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name=name, dtype=dtype or floatx(), **kwargs)
        self.stateful = True
        self.built = True
        self._call_result: Any = None
        self._own = frozenset(vars(self))

    def __init_subclass__(cls) -> None:
        """A subclass's `result` is noted, so that a model finds what a run has to fetch."""
        super().__init_subclass__()
        if "result" in vars(cls):
            cls.result = _noted(cls.result)  # type: ignore[method-assign]
        if "update_state" in vars(cls):
            cls.update_state = _added(cls.update_state)  # type: ignore[method-assign]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The figure after an update. args: as of `update_state`."""

        def updated() -> Any:
            update = self.update_state(*args, **kwargs)
            with waiting_for([] if update is None else [update]):
                return self.result()

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
            synchronization=synchronization, aggregation=aggregation,
        )  # fmt: skip

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal metric."""
        return {"name": self.name, "dtype": self.dtype}


def _noted(result: Any) -> Any:
    @functools.wraps(result)
    def noted(self: Any) -> Any:
        self._call_result = identity(result(self))
        return self._call_result

    return result if hasattr(result, "__wrapped__") else noted


def _added(update_state: Any) -> Any:
    @functools.wraps(update_state)
    def added(self: Any, *args: Any, **kwargs: Any) -> Any:
        update = update_state(self, *args, **kwargs)
        if update is not None:
            self.add_update(update)
        return update

    return update_state if hasattr(update_state, "__wrapped__") else added


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
        self.built = False
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
        if not self.built:
            shape = values.shape.as_list()
            self._total = self.add_weight("total", shape=shape, initializer="zeros")
            self._count = self.add_weight("count", shape=shape, initializer="zeros")
            self.built = True
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
        with waiting_for([values]):
            update = self._total.assign_add(values)
        with waiting_for([update]):
            return self._count.assign_add(number)

    def result(self) -> Any:
        """[...]. Raises: ValueError before the first update."""
        if not self.built:
            raise ValueError(
                error_text(
                    "MeanTensor does not have any result yet. Please call the MeanTensor instance or use `.update_state(value)` "
                    "first."
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
