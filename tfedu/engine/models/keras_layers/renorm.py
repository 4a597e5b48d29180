"""Batch renormalization: the batch's statistics are corrected towards moving ones, so that training and use agree.

Source: Ioffe, Batch Renormalization: Towards Reducing Minibatch Dependence in Batch-Normalized Models, 2017. State: the moving
statistics of each `Renorm`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...lib.arrays import array
from ...lib.control.grouping import identity
from ...lib.framework.scope_blocks import name_scope, waiting_for
from ...lib.math import math
from ...lib.nn.activations import relu
from ...lib.variables import state
from .call_context import choose_by_training


class _Normalizing(Protocol):
    """What Renorm needs of its layer."""

    epsilon: float
    momentum: Any
    moving_mean: Any
    moving_variance: Any
    moving_mean_initializer: Any
    moving_variance_initializer: Any

    def add_statistic(self, name: str, shape: list[int], initializer: Any) -> Any: ...


def moved(variable: Any, value: Any, momentum: Any) -> Any:
    """The variable, which moves by the part 1 - momentum of the way to the value."""
    with name_scope("AssignMovingAvg") as scope, get_default_graph().colocate_with(variable):
        decay = convert_to_tensor(1.0 - momentum, name="decay")
        if decay.dtype != variable.dtype.base_dtype:
            decay = math.cast(decay, variable.dtype.base_dtype)
        step = (variable - math.cast(value, variable.dtype.base_dtype)) * decay
        return state.assign_sub(variable, step, name=scope)


def composed(factor: Any, bias: Any, scale: Any, offset: Any) -> tuple[Any, Any]:
    """One (scale, offset) that does the same as (factor, bias) and then (scale, offset), each of which may be None."""
    if scale is not None:
        factor, bias = factor * scale, bias * scale
    return factor, bias if offset is None else bias + offset


class Renorm:
    """The moving statistics of a layer with renorm, and the correction by them.

    clipping: rmin, rmax and dmax, the limits of the correction.

    Raises: ValueError for other keys.
    """

    def __init__(self, layer: _Normalizing, clipping: Mapping[str, Any], momentum: Any) -> None:
        keys = ["rmax", "rmin", "dmax"]
        if not set(clipping) <= set(keys):
            raise ValueError(error_text(f"renorm_clipping {clipping} contains keys not in {keys}"))
        self._layer, self._clipping, self._momentum = layer, clipping, momentum

    def create(self, shape: list[int]) -> None:
        """Creates moving_stddev, renorm_mean and renorm_stddev, beside the layer's moving statistics."""
        layer, graph = self._layer, get_default_graph()

        def deviation(*args: Any, **kwargs: Any) -> Any:
            return math.sqrt(layer.moving_variance_initializer(*args, **kwargs))

        with graph.colocate_with(layer.moving_variance):
            self.moving_stddev = layer.add_statistic("moving_stddev", shape, deviation)
        with graph.colocate_with(layer.moving_mean):
            self.renorm_mean = layer.add_statistic("renorm_mean", shape, layer.moving_mean_initializer)
        with graph.colocate_with(self.moving_stddev):
            self.renorm_stddev = layer.add_statistic("renorm_stddev", shape, deviation)

    def correction(self, mean: Any, variance: Any, training: Any) -> tuple[Any, Any, Any, Any]:
        """(r, d) that correct the batch's statistics, and these again, after renorm_mean and renorm_stddev have moved."""
        layer = self._layer
        stddev = math.sqrt(variance + layer.epsilon)
        moving = math.maximum(self.renorm_stddev, math.sqrt(layer.epsilon))
        r = stddev / moving
        d = (mean - self.renorm_mean) / moving
        with waiting_for([r, d]):  # they read the statistics before these move
            kept_mean, kept_stddev = identity(mean), identity(stddev)
        r = self._clipped(math.maximum, r, "rmin", 1)
        r = self._clipped(math.minimum, r, "rmax", 1)
        d = self._clipped(math.maximum, d, "dmax", -1)
        d = self._clipped(math.minimum, d, "dmax", 1)
        clipped_r, clipped_d = r, d
        r = choose_by_training(training, lambda: clipped_r, lambda: array.ones_like(clipped_r))
        d = choose_by_training(training, lambda: clipped_d, lambda: array.zeros_like(clipped_d))
        moves = [
            self._moved(self.renorm_mean, kept_mean, training),
            self._moved(self.renorm_stddev, kept_stddev, training),
        ]
        with waiting_for(moves):
            return r, d, identity(kept_mean), identity(variance)

    def _clipped(self, bound: Callable[[Any, Any], Any], value: Any, key: str, sign: int) -> Any:
        limit = self._clipping.get(key)
        return value if limit is None else bound(value, sign * limit)

    def _moved(self, variable: Any, value: Any, training: Any) -> Any:
        value = identity(value)
        return choose_by_training(
            training, lambda: moved(variable, value, self._momentum), lambda: identity(variable)
        )

    def new_variance(self, variance: Any) -> Any:
        """The layer's moving variance, which becomes the square of the moving deviation."""
        layer = self._layer
        stddev = moved(self.moving_stddev, math.sqrt(variance + layer.epsilon), layer.momentum)
        value = relu(stddev * stddev - layer.epsilon)
        with name_scope("AssignNewValue") as scope, get_default_graph().colocate_with(layer.moving_variance):
            return state.assign(layer.moving_variance, value, name=scope)
