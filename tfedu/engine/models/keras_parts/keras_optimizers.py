"""The optimizers of tf.keras: SGD, RMSprop, Adagrad, Adadelta, Adam, Adamax, Nadam, Ftrl. State: as of KerasOptimizer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...lib.arrays import array
from ...lib.control.grouping import group, identity
from ...lib.math import math
from ...lib.variables.initializers import Constant
from ...ops import scatter
from ...training.optimizers.optimizer import Optimizer
from .adaptive_optimizers import Adam, Adamax, Ftrl, Nadam
from .base_optimizer import KerasOptimizer
from .keras_config import epsilon as default_epsilon
from .keras_objects import deserialize_keras_object
from .rate_optimizer import RateOptimizer, moved_rows
from .wrapped_optimizer import WrappedOptimizer


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

    def _prepare_local(self, dtype: Any, shared: dict[str, Any]) -> None:
        super()._prepare_local(dtype, shared)
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

    def _resource_apply_dense(self, grad: Any, var: Any, shared: dict[str, Any]) -> Any:
        if self._momentum:
            return self._by_momentum(var, shared, grad=grad)
        return self._step("ResourceApplyGradientDescent", var, {"alpha": shared["lr_t"], "delta": grad})

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, var: Any, indices: Any, shared: dict[str, Any]) -> Any:
        if self._momentum:
            return super()._resource_apply_sparse_duplicate_indices(grad, var, indices, shared)
        return scatter.resource_scatter_add(var.handle, indices, -grad * shared["lr_t"])

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, shared: dict[str, Any]) -> Any:
        return self._by_momentum(var, shared, grad=grad, indices=indices)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal optimizer."""
        return self._config_of("momentum", nesterov=self.nesterov)


class RMSprop(RateOptimizer):
    """Divides the gradient by the root of the moving mean of its square; centered: of its variance. Source: Hinton, 2012."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: Any = 0.9,
        momentum: Any = 0.0,
        epsilon: float | None = 1e-7,
        centered: bool = False,
        name: str = "RMSprop",
        **kwargs: Any,
    ) -> None:
        if isinstance(momentum, (int, float)) and not 0 <= momentum <= 1:
            raise ValueError(error_text("`momentum` must be between [0, 1]."))
        super().__init__(name, learning_rate, kwargs, rho=rho, momentum=momentum)
        self._momentum = bool(callable(momentum) or hasattr(momentum, "op") or momentum > 0)
        self.epsilon = epsilon or default_epsilon()
        self.centered = centered

    def _create_slots(self, var_list: list[Any]) -> None:
        names = ["rms", *(["momentum"] if self._momentum else []), *(["mg"] if self.centered else [])]
        for name in names:
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, dtype: Any, shared: dict[str, Any]) -> None:
        super()._prepare_local(dtype, shared)
        rho = identity(self._get_hyper("rho", dtype))
        shared.update(neg_lr_t=-shared["lr_t"], epsilon=convert_to_tensor(self.epsilon, dtype), rho=rho)
        shared.update(momentum=identity(self._get_hyper("momentum", dtype)), one_minus_rho=1.0 - rho)

    def _by_momentum(self, var: Any, shared: dict[str, Any], sparse: str = "", **gradient: Any) -> Any:
        inputs = {"ms": self.get_slot(var, "rms"), "mom": self.get_slot(var, "momentum"), "lr": shared["lr_t"], **gradient}
        if self.centered:
            inputs["mg"] = self.get_slot(var, "mg")
        op_type = f"Resource{sparse}Apply{'Centered' if self.centered else ''}RMSProp"
        return self._step(op_type, var, {**inputs, **{key: shared[key] for key in ("rho", "momentum", "epsilon")}})

    def _resource_apply_dense(self, grad: Any, var: Any, shared: dict[str, Any]) -> Any:
        if self._momentum:
            return self._by_momentum(var, shared, grad=grad)
        rms = self.get_slot(var, "rms")
        mean_square = rms.assign(shared["rho"] * rms + shared["one_minus_rho"] * math.square(grad))
        denominator = mean_square
        if self.centered:
            mg = self.get_slot(var, "mg")
            mean = mg.assign(shared["rho"] * mg + shared["one_minus_rho"] * grad)
            denominator = mean_square - math.square(mean)
        return var.assign(var - shared["lr_t"] * grad / (math.sqrt(denominator) + shared["epsilon"]))

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, shared: dict[str, Any]) -> Any:
        if self._momentum:
            return self._by_momentum(var, shared, sparse="Sparse", grad=grad, indices=indices)
        rms, rest = self.get_slot(var, "rms"), shared["one_minus_rho"]
        mean_square, denominator = moved_rows(self, rms, shared["rho"], indices, (grad * grad) * rest)
        updates = [mean_square]
        if self.centered:
            mean, rows = moved_rows(self, self.get_slot(var, "mg"), shared["rho"], indices, grad * rest)
            denominator = denominator - math.square(rows)
            updates.append(mean)
        step = shared["neg_lr_t"] * grad / (math.sqrt(denominator) + shared["epsilon"])
        return group(self._add_rows(var, indices, step), *updates)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal optimizer."""
        return self._config_of("rho", "momentum", epsilon=self.epsilon, centered=self.centered)


class Adagrad(RateOptimizer):
    """Divides the gradient by the root of the sum of its squares so far. Source: Duchi et al., 2011."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float | None = 1e-7,
        name: str = "Adagrad",
        **kwargs: Any,
    ) -> None:
        if initial_accumulator_value < 0.0:
            raise ValueError(error_text(f"initial_accumulator_value must be non-negative: {initial_accumulator_value}"))
        super().__init__(name, learning_rate, kwargs)
        self._initial_accumulator_value = initial_accumulator_value
        self.epsilon = epsilon or default_epsilon()

    def _create_slots(self, var_list: list[Any]) -> None:
        for var in var_list:
            self.add_slot(var, "accumulator", Constant(self._initial_accumulator_value))

    def _prepare_local(self, dtype: Any, shared: dict[str, Any]) -> None:
        super()._prepare_local(dtype, shared)
        shared.update(epsilon=convert_to_tensor(self.epsilon, dtype), neg_lr_t=-shared["lr_t"], zero=array.zeros([], dtype))

    def _inputs(self, var: Any, shared: dict[str, Any]) -> dict[str, Any]:
        return {"accum": self.get_slot(var, "accumulator"), "lr": shared["lr_t"], "epsilon": shared["epsilon"]}

    def _resource_apply_dense(self, grad: Any, var: Any, shared: dict[str, Any]) -> Any:
        return self._step("ResourceApplyAdagradV2", var, {**self._inputs(var, shared), "grad": grad})

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, shared: dict[str, Any]) -> Any:
        inputs = {**self._inputs(var, shared), "grad": grad, "indices": indices}
        return self._step("ResourceSparseApplyAdagradV2", var, inputs)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal optimizer."""
        return self._config_of(initial_accumulator_value=self._initial_accumulator_value, epsilon=self.epsilon)

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """An optimizer from the result of `get_config`; as in TF, sums begin at 0 unless it says otherwise."""
        return super().from_config({"initial_accumulator_value": 0.0, **config}, custom_objects)


class Adadelta(RateOptimizer):
    """Steps of the root mean square of earlier steps. Source: Zeiler, 2012."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: Any = 0.95,
        epsilon: float | None = 1e-7,
        name: str = "Adadelta",
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, kwargs, rho=rho)
        self.epsilon = epsilon or default_epsilon()

    def _create_slots(self, var_list: list[Any]) -> None:
        for name in ("accum_grad", "accum_var"):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, dtype: Any, shared: dict[str, Any]) -> None:
        super()._prepare_local(dtype, shared)
        shared.update(epsilon=convert_to_tensor(self.epsilon, dtype), rho=identity(self._get_hyper("rho", dtype)))

    def _inputs(self, var: Any, shared: dict[str, Any]) -> dict[str, Any]:
        slots = {"accum": self.get_slot(var, "accum_grad"), "accum_update": self.get_slot(var, "accum_var")}
        return {**slots, "lr": shared["lr_t"], "rho": shared["rho"], "epsilon": shared["epsilon"]}

    def _resource_apply_dense(self, grad: Any, var: Any, shared: dict[str, Any]) -> Any:
        return self._step("ResourceApplyAdadelta", var, {**self._inputs(var, shared), "grad": grad})

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, shared: dict[str, Any]) -> Any:
        inputs = {**self._inputs(var, shared), "grad": grad, "indices": indices}
        return self._step("ResourceSparseApplyAdadelta", var, inputs)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal optimizer."""
        return self._config_of("rho", epsilon=self.epsilon)


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
    if isinstance(identifier, KerasOptimizer | WrappedOptimizer):
        return identifier
    if isinstance(identifier, Optimizer):
        return WrappedOptimizer(identifier)
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize({"class_name": identifier, "config": {}})
    raise ValueError(error_text(f"('Could not interpret optimizer identifier:', {identifier!r})"))


__all__ = ["Adadelta", "Adagrad", "RMSprop", "SGD", "deserialize", "get", "serialize"]
