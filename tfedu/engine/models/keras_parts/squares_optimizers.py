"""Optimizers of tf.keras that sum squares of gradients: RMSprop, Adagrad, Adadelta, Ftrl. State: as of KerasOptimizer."""

from __future__ import annotations

from typing import Any, Self

from ...base import dtypes
from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...lib.arrays import array
from ...lib.control.grouping import group, identity
from ...lib.math import math
from ...lib.variables.initializers import Constant
from .base_optimizer import State
from .keras_config import epsilon as default_epsilon
from .rate_optimizer import RateOptimizer, moved_rows


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

    def _prepare_local(self, var_device: str, var_dtype: Any, apply_state: State) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        dtype, shared = var_dtype, apply_state[var_device, var_dtype]
        rho = identity(self._get_hyper("rho", dtype))
        shared.update(neg_lr_t=-shared["lr_t"], epsilon=convert_to_tensor(self.epsilon, dtype), rho=rho)
        shared.update(momentum=identity(self._get_hyper("momentum", dtype)), one_minus_rho=1.0 - rho)

    def _by_momentum(self, var: Any, shared: dict[str, Any], sparse: str = "", **gradient: Any) -> Any:
        inputs = {"ms": self.get_slot(var, "rms"), "mom": self.get_slot(var, "momentum"), "lr": shared["lr_t"], **gradient}
        if self.centered:
            inputs["mg"] = self.get_slot(var, "mg")
        op_type = f"Resource{sparse}Apply{'Centered' if self.centered else ''}RMSProp"
        return self._step(op_type, var, {**inputs, **{key: shared[key] for key in ("rho", "momentum", "epsilon")}})

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
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

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
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
        return group(self._resource_scatter_add(var, indices, step), *updates)

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

    def _prepare_local(self, var_device: str, var_dtype: Any, apply_state: State) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        dtype, shared = var_dtype, apply_state[var_device, var_dtype]
        shared.update(epsilon=convert_to_tensor(self.epsilon, dtype), neg_lr_t=-shared["lr_t"])
        shared["zero"] = array.zeros([], dtypes.int64)

    def _inputs(self, var: Any, shared: dict[str, Any]) -> dict[str, Any]:
        return {"accum": self.get_slot(var, "accumulator"), "lr": shared["lr_t"], "epsilon": shared["epsilon"]}

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        return self._step("ResourceApplyAdagradV2", var, {**self._inputs(var, shared), "grad": grad})

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        inputs = {**self._inputs(var, shared), "grad": grad, "indices": indices}
        return self._step("ResourceSparseApplyAdagradV2", var, inputs)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal optimizer."""
        return self._config_of(initial_accumulator_value=self._initial_accumulator_value, epsilon=self.epsilon)

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """An optimizer from the result of `get_config`; the accumulators begin at 0 when it does not name their value."""
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

    def _prepare_local(self, var_device: str, var_dtype: Any, apply_state: State) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        dtype, shared = var_dtype, apply_state[var_device, var_dtype]
        shared.update(epsilon=convert_to_tensor(self.epsilon, dtype), rho=identity(self._get_hyper("rho", dtype)))

    def _inputs(self, var: Any, shared: dict[str, Any]) -> dict[str, Any]:
        slots = {"accum": self.get_slot(var, "accum_grad"), "accum_update": self.get_slot(var, "accum_var")}
        return {**slots, "lr": shared["lr_t"], "rho": shared["rho"], "epsilon": shared["epsilon"]}

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        return self._step("ResourceApplyAdadelta", var, {**self._inputs(var, shared), "grad": grad})

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        inputs = {**self._inputs(var, shared), "grad": grad, "indices": indices}
        return self._step("ResourceSparseApplyAdadelta", var, inputs)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal optimizer."""
        return self._config_of("rho", epsilon=self.epsilon)


class Ftrl(RateOptimizer):
    """Follow the regularized leader. Source: McMahan et al., 2013.

    Raises: ValueError for settings outside their ranges.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        name: str = "Ftrl",
        l2_shrinkage_regularization_strength: float = 0.0,
        **kwargs: Any,
    ) -> None:
        for what, value, is_rate_power in (
            ("initial_accumulator_value", initial_accumulator_value, False),
            ("learning_rate_power", learning_rate_power, True),
            ("l1_regularization_strength", l1_regularization_strength, False),
            ("l2_regularization_strength", l2_regularization_strength, False),
            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength, False),
        ):
            if value > 0.0 if is_rate_power else value < 0.0:
                sign = "negative" if is_rate_power else "positive"
                raise ValueError(error_text(f"{what} {value:f} needs to be {sign} or zero"))
        super().__init__(
            name, learning_rate, kwargs,
            learning_rate_power=learning_rate_power,
            l1_regularization_strength=l1_regularization_strength,
            l2_regularization_strength=l2_regularization_strength,
        )  # fmt: skip
        self._initial_accumulator_value = initial_accumulator_value
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength

    def _create_slots(self, var_list: list[Any]) -> None:
        for var in var_list:
            self.add_slot(var, "accumulator", Constant(self._initial_accumulator_value))
            self.add_slot(var, "linear")

    def _prepare_local(self, var_device: str, var_dtype: Any, apply_state: State) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        dtype, shared = var_dtype, apply_state[var_device, var_dtype]
        names = {"lr_power": "learning_rate_power", "l1": "l1_regularization_strength", "l2": "l2_regularization_strength"}
        shared.update(lr=shared["lr_t"], **self._identities(dtype, **names))
        shared["l2_shrinkage"] = math.cast(self._l2_shrinkage_regularization_strength, dtype)

    def _apply(self, var: Any, shared: dict[str, Any], sparse: str = "", **gradient: Any) -> Any:
        slots = {"accum": self.get_slot(var, "accumulator"), "linear": self.get_slot(var, "linear")}
        version = "V2" if self._l2_shrinkage_regularization_strength > 0.0 else ""
        return self._step(f"Resource{sparse}ApplyFtrl{version}", var, {**shared, **slots, **gradient})

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        return self._apply(var, shared, grad=grad)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        return self._apply(var, shared, sparse="Sparse", grad=grad, indices=indices)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal optimizer."""
        names = ("learning_rate_power", "l1_regularization_strength", "l2_regularization_strength")
        return self._config_of(
            initial_accumulator_value=self._initial_accumulator_value,
            **{name: self._serialize_hyperparameter(name) for name in names},
            l2_shrinkage_regularization_strength=self._l2_shrinkage_regularization_strength,
        )  # fmt: skip


__all__ = ["Adadelta", "Adagrad", "Ftrl", "RMSprop"]
