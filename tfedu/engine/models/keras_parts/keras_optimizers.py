"""The optimizers of tf.keras by name: `get("adam")`, and SGD. State: as of KerasOptimizer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...lib.control.grouping import identity
from ...ops import scatter
from ...training.optimizers.optimizer import Optimizer
from .base_optimizer import KerasOptimizer, State
from .keras_objects import deserialize_keras_object
from .moments_optimizers import Adam, Adamax, Nadam
from .rate_optimizer import RateOptimizer
from .squares_optimizers import Adadelta, Adagrad, Ftrl, RMSprop
from .wrapped_optimizer import TFOptimizer


class SGD(RateOptimizer):
    """var -= learning_rate · g, with momentum and, by choice, Nesterov's look ahead.

    Raises: ValueError for a momentum outside 0 … 1.
    """

    def __init__(
        self, learning_rate: Any = 0.01, momentum: Any = 0.0, nesterov: bool = False, name: str = "SGD", **kwargs: Any
    ) -> None:
        if isinstance(momentum, (int, float)) and not 0 <= momentum <= 1:
            raise ValueError(error_text("`momentum` must be between [0, 1]."))
        super().__init__(name, learning_rate, kwargs, momentum=momentum)
        self._momentum = bool(callable(momentum) or hasattr(momentum, "op") or momentum > 0)
        self.nesterov = nesterov

    def _create_slots(self, var_list: list[Any]) -> None:
        if self._momentum:
            for var in var_list:
                self.add_slot(var, "momentum")

    def _prepare_local(self, var_device: str, var_dtype: Any, apply_state: State) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        dtype, shared = var_dtype, apply_state[var_device, var_dtype]
        shared["momentum"] = identity(self._get_hyper("momentum", dtype))

    def _by_momentum(self, var: Any, shared: dict[str, Any], **gradient: Any) -> Any:
        op_type = "ResourceSparseApplyKerasMomentum" if "indices" in gradient else "ResourceApplyKerasMomentum"
        inputs = {
            "accum": self.get_slot(var, "momentum"),
            "lr": shared["lr_t"],
            "momentum": shared["momentum"],
            **gradient,
        }
        return self._step(op_type, var, inputs, use_nesterov=self.nesterov)

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        if self._momentum:
            return self._by_momentum(var, shared, grad=grad)
        return self._step("ResourceApplyGradientDescent", var, {"alpha": shared["lr_t"], "delta": grad})

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, var: Any, indices: Any, **kwargs: Any) -> Any:
        if self._momentum:
            return super()._resource_apply_sparse_duplicate_indices(grad, var, indices, **kwargs)
        shared = self._shared(var, kwargs.get("apply_state"))
        return scatter.resource_scatter_add(var.handle, indices, -grad * shared["lr_t"])

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        return self._by_momentum(var, shared, grad=grad, indices=indices)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal optimizer."""
        return self._config_of("momentum", nesterov=self.nesterov)


_CLASSES: dict[str, Callable[..., Any]] = {
    kind.__name__: kind for kind in (SGD, RMSprop, Adagrad, Adadelta, Adam, Adamax, Nadam, Ftrl)
}
_BY_LOWER_NAME = {name.lower(): kind for name, kind in _CLASSES.items()}


def serialize(optimizer: Any) -> dict[str, Any]:
    """Class name and configuration of an optimizer."""
    return {"class_name": type(optimizer).__name__, "config": optimizer.get_config()}


def deserialize(config: dict[str, Any], custom_objects: Any = None) -> Any:
    """The optimizer of a configuration.

    Raises: ValueError for an unknown one.
    """
    if config["class_name"].lower() in _BY_LOWER_NAME:
        config = {**config, "class_name": config["class_name"].lower()}
    return deserialize_keras_object(config, _BY_LOWER_NAME, custom_objects, printable_module_name="optimizer")


def get(identifier: Any) -> Any:
    """The optimizer of a name or a configuration; an optimizer itself, one of tf.train in a wrapper.

    Raises: ValueError for anything else.
    """
    if isinstance(identifier, KerasOptimizer | TFOptimizer):
        return identifier
    if isinstance(identifier, Optimizer):
        return TFOptimizer(identifier)
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize({"class_name": identifier, "config": {}})
    raise ValueError(error_text(f"('Could not interpret optimizer identifier:', {identifier!r})"))


__all__ = [
    "Adadelta", "Adagrad", "Adam", "Adamax", "Ftrl", "Nadam", "RMSprop", "SGD", "deserialize", "get", "serialize",
]  # fmt: skip
