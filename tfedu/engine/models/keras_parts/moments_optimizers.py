"""Optimizers of tf.keras that estimate moments of gradients: Adam, Adamax, Nadam.

State: as of KerasOptimizer, and Nadam's momentum cache.
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...lib.arrays import array
from ...lib.control.grouping import group, identity
from ...lib.framework.scope_blocks import waiting_for
from ...lib.math import math
from .base_optimizer import State
from .keras_config import epsilon as default_epsilon
from .rate_optimizer import RateOptimizer, moved, moved_rows


class Adam(RateOptimizer):
    """Steps of the moving mean of the gradient over the root of that of its square. Source: Kingma and Ba, 2014.

    amsgrad: with the largest mean square so far (Reddi et al., 2018).
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: Any = 0.9,
        beta_2: Any = 0.999,
        epsilon: float | None = 1e-7,
        amsgrad: bool = False,
        name: str = "Adam",
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, kwargs, beta_1=beta_1, beta_2=beta_2)
        self.epsilon = epsilon or default_epsilon()
        self.amsgrad = amsgrad

    def _create_slots(self, var_list: list[Any]) -> None:
        for name in ("m", "v", *(["vhat"] if self.amsgrad else [])):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device: str, var_dtype: Any, apply_state: State) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        dtype, shared = var_dtype, apply_state[var_device, var_dtype]
        step = math.cast(self.iterations + 1, dtype)
        betas = self._identities(dtype, beta_1="beta_1", beta_2="beta_2")
        first, second = betas["beta_1"], betas["beta_2"]
        powers = math.pow(first, step), math.pow(second, step)
        shared["lr"] = shared["lr_t"] * (math.sqrt(1 - powers[1]) / (1 - powers[0]))
        shared.update(epsilon=convert_to_tensor(self.epsilon, dtype), beta1=first, beta2=second)
        shared.update(beta1_power=powers[0], beta2_power=powers[1])
        shared.update(rest1=1 - first, rest2=1 - second)

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        slots = {name: self.get_slot(var, name) for name in self._slot_names}
        op_type = "ResourceApplyAdamWithAmsgrad" if self.amsgrad else "ResourceApplyAdam"
        return self._step(op_type, var, {**shared, "lr": shared["lr_t"], **slots, "grad": grad})

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        mean = moved(self, self.get_slot(var, "m"), shared["beta1"], indices, grad * shared["rest1"])
        square = moved(self, self.get_slot(var, "v"), shared["beta2"], indices, (grad * grad) * shared["rest2"])
        largest = square
        updates = [mean, square]
        if self.amsgrad:
            vhat = self.get_slot(var, "vhat")
            largest = math.maximum(vhat, square)
            with waiting_for([largest]):
                largest = vhat.assign(largest)
            updates.append(largest)
        root = math.sqrt(largest)
        step = var.assign_sub(shared["lr"] * mean / (root + shared["epsilon"]))
        return group(step, *updates)

    def set_weights(self, weights: Any) -> None:
        """Sets the values of `weights`. Largest squares after them are left out: older optimizers kept some without amsgrad.

        Raises: ValueError for a wrong number of arrays or a wrong shape.
        """
        number = (len(self.weights) - 1) // 2
        super().set_weights(weights[: len(self.weights)] if len(weights) == 3 * number + 1 else weights)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal optimizer."""
        return self._config_of("beta_1", "beta_2", epsilon=self.epsilon, amsgrad=self.amsgrad)


class Adamax(RateOptimizer):
    """Adam with the largest gradient so far instead of the root mean square. Source: Kingma and Ba, 2014, section 7."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: Any = 0.9,
        beta_2: Any = 0.999,
        epsilon: float | None = 1e-7,
        name: str = "Adamax",
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, kwargs, beta_1=beta_1, beta_2=beta_2)
        self.epsilon = epsilon or default_epsilon()

    def _create_slots(self, var_list: list[Any]) -> None:
        for name in ("m", "v"):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device: str, var_dtype: Any, apply_state: State) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        dtype, shared = var_dtype, apply_state[var_device, var_dtype]
        step = math.cast(self.iterations + 1, dtype)
        betas = self._identities(dtype, beta_1="beta_1", beta_2="beta_2")
        power = math.pow(betas["beta_1"], step)
        shared["neg_scaled_lr"] = -shared["lr_t"] / (1 - power)
        shared.update(epsilon=convert_to_tensor(self.epsilon, dtype), beta1=betas["beta_1"], beta2=betas["beta_2"])
        shared.update(beta1_power=power, rest1=1 - betas["beta_1"], zero=array.zeros([], dtypes.int64))

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        slots = {name: self.get_slot(var, name) for name in ("m", "v")}
        return self._step("ResourceApplyAdaMax", var, {**shared, "lr": shared["lr_t"], **slots, "grad": grad})

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        mean = m.sparse_read(indices) * shared["beta1"] + grad * shared["rest1"]
        with waiting_for([mean]):
            new_mean = self._resource_scatter_update(m, indices, mean)
        largest = math.maximum(v.sparse_read(indices) * shared["beta2"], math.abs(grad))
        with waiting_for([largest]):
            new_largest = self._resource_scatter_update(v, indices, largest)
        step = shared["neg_scaled_lr"] * (mean / (largest + shared["epsilon"]))
        with waiting_for([step]):
            new = self._resource_scatter_add(var, indices, step)
        return group(new, new_mean, new_largest)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal optimizer."""
        return self._config_of("beta_1", "beta_2", epsilon=self.epsilon)


class Nadam(RateOptimizer):
    """Adam with Nesterov's momentum. Source: Dozat, 2015.

    Raises: ValueError for a schedule of the learning rate.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: Any = 0.9,
        beta_2: Any = 0.999,
        epsilon: float | None = 1e-7,
        name: str = "Nadam",
        **kwargs: Any,
    ) -> None:
        kwargs["decay"] = kwargs.pop("schedule_decay", 0.004)
        if callable(kwargs.get("lr", learning_rate)):
            raise ValueError(
                error_text(
                    "The Nadam optimizer does not support tf.keras.optimizers.LearningRateSchedules as the learning rate."
                )
            )
        super().__init__(name, learning_rate, kwargs, beta_1=beta_1, beta_2=beta_2)
        self.epsilon = epsilon or default_epsilon()
        self._m_cache: Any = None

    def _create_slots(self, var_list: list[Any]) -> None:
        if self._m_cache is None:
            dtype = var_list[0].dtype.base_dtype
            self._m_cache = self.add_weight("momentum_cache", [], dtype, initializer="ones", trainable=False)
            self._weights.append(self._m_cache)
        for name in ("m", "v"):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare(self, var_list: list[Any]) -> State:
        self._m_cache_read = identity(self._m_cache)
        return super()._prepare(var_list)

    def _prepare_local(self, var_device: str, var_dtype: Any, apply_state: State) -> None:
        dtype, shared = var_dtype, apply_state[var_device, var_dtype]
        rate = identity(self._get_hyper("learning_rate", dtype))
        first, second = identity(self._get_hyper("beta_1", dtype)), identity(self._get_hyper("beta_2", dtype))
        step, following = math.cast(self.iterations + 1, dtype), math.cast(self.iterations + 2, dtype)
        base = math.cast(0.96, dtype)
        now = first * (1.0 - 0.5 * math.pow(base, self._initial_decay * step))
        then = first * (1.0 - 0.5 * math.pow(base, self._initial_decay * following))
        schedule = math.cast(self._m_cache_read, dtype) * now
        if dtype is self._m_cache.dtype.base_dtype:
            schedule = identity(self._m_cache.assign(schedule))
        next_schedule = schedule * then
        shared.update(lr_t=rate, neg_lr_t=-rate, epsilon=convert_to_tensor(self.epsilon, dtype), beta1=first, beta2=second)
        shared.update(then=then, rest1=1 - first, rest2=1 - second, rest_now=1.0 - now, rest_schedule=1.0 - schedule)
        shared.update(rest_next=1.0 - next_schedule, bias2=1.0 - math.pow(second, step))

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        prime = grad / shared["rest_schedule"]
        mean = m.assign(shared["beta1"] * m + shared["rest1"] * grad)
        mean_prime = mean / shared["rest_next"]
        square = v.assign(shared["beta2"] * v + shared["rest2"] * math.square(grad))
        square_prime = square / shared["bias2"]
        direction = shared["rest_now"] * prime + shared["then"] * mean_prime
        return var.assign(var - shared["lr_t"] * direction / (math.sqrt(square_prime) + shared["epsilon"]))

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: State | None = None) -> Any:
        shared = self._shared(var, apply_state)
        prime = grad / shared["rest_schedule"]
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        _, rows = moved_rows(self, m, shared["beta1"], indices, grad * shared["rest1"])
        mean_prime = rows / shared["rest_next"]
        direction = shared["rest_now"] * prime + shared["then"] * mean_prime
        square, rows = moved_rows(self, v, shared["beta2"], indices, (grad * grad) * shared["rest2"])
        root = math.sqrt(rows / shared["bias2"]) + shared["epsilon"]
        step = shared["neg_lr_t"] * direction / root
        return group(self._resource_scatter_add(var, indices, step), direction, square)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal optimizer."""
        return self._config_of("beta_1", "beta_2", epsilon=self.epsilon)


__all__ = ["Adam", "Adamax", "Nadam"]
