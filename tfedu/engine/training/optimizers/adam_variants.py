"""Optimizers of `tf.contrib.opt` that are kin to Adam: `AdaMaxOptimizer`, `NadamOptimizer`, `LazyAdamOptimizer`. No state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...lib.arrays.selection import gather
from ...lib.control import grouping
from ...lib.framework.scope_blocks import waiting_for
from ...lib.math import math
from ...lib.variables import state
from ...lib.variables.scatter import scatter_add, scatter_sub, scatter_update
from .algorithms import AdamOptimizer


class AdaMaxOptimizer(AdamOptimizer):
    """m: the mean of g, which decays by beta1; v = max(beta2 · v, |g|); var -= learning_rate / (1 - beta1^t) · m / (v + epsilon).

    Slots "m" and "v"; scalar variable beta1_power. Source: Kingma and Ba, 2015, section 7.
    """

    method = "AdaMax"

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "AdaMax",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(self._beta1, "beta1_power", first)
        self._create_zeros_slots(var_list, "m", "v")

    def _power_variables(self) -> list[tuple[Any, str]]:
        return [(self._get_non_slot_variable("beta1_power"), "beta1")]

    def _apply_rows(self, grad: Any, var: Any, indices: Any, add_rows: Any) -> Any:
        dtype = var.dtype.base_dtype
        power = math.cast(self._get_non_slot_variable("beta1_power"), dtype)
        rate, beta1, beta2, epsilon = (self._hyperparameter(n, dtype, var) for n in ("lr", "beta1", "beta2", "epsilon"))
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_rows = gather(m, indices) * beta1 + grad * (1 - beta1)
        m_now = scatter_update(m, indices, m_rows, use_locking=self._use_locking)
        v_rows = math.maximum(gather(v, indices) * beta2, math.abs(grad))
        v_now = scatter_update(v, indices, v_rows, use_locking=self._use_locking)
        step = -rate / (1 - power) * (m_rows / (v_rows + epsilon))
        changed = scatter_add(var, indices, step, use_locking=self._use_locking)
        return grouping.group(changed, m_now, v_now)


class NadamOptimizer(AdamOptimizer):
    """Adam with Nesterov's momentum: the step takes beta1 · m + (1 - beta1) · g for m.

    Slots "m" and "v"; scalar variables beta1_power and beta2_power. Source: Dozat, 2016.
    """

    def _options(self) -> dict[str, Any]:
        return {"use_nesterov": True}

    def _apply_rows(self, grad: Any, var: Any, indices: Any, add_rows: Callable[..., Any]) -> Any:
        dtype = var.dtype.base_dtype
        power1, power2 = (math.cast(power, dtype) for power in self._beta_powers())
        rate, beta1, beta2, epsilon = (self._hyperparameter(n, dtype, var) for n in ("lr", "beta1", "beta2", "epsilon"))
        rate = rate * math.sqrt(1 - power2) / (1 - power1)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_rows = grad * (1 - beta1)
        decayed = state.assign(m, m * beta1, use_locking=self._use_locking)
        with waiting_for([decayed]):
            m_now = add_rows(m, indices, m_rows)
            ahead = m_rows + beta1 * gather(m_now, indices)
        v_rows = grad * grad * (1 - beta2)
        decayed = state.assign(v, v * beta2, use_locking=self._use_locking)
        with waiting_for([decayed]):
            v_now = add_rows(v, indices, v_rows)
        step = -rate * ahead / (math.sqrt(gather(v_now, indices)) + epsilon)
        changed = scatter_add(var, indices, step, use_locking=self._use_locking)
        return grouping.group(changed, ahead, v_now)


class LazyAdamOptimizer(AdamOptimizer):
    """Adam that, for a gradient of some rows, changes only these rows of the variable and of its slots.

    Slots "m" and "v"; scalar variables beta1_power and beta2_power.
    """

    def _apply_rows(self, grad: Any, var: Any, indices: Any, add_rows: Callable[..., Any]) -> Any:
        dtype = var.dtype.base_dtype
        power1, power2 = (math.cast(power, dtype) for power in self._beta_powers())
        rate, beta1, beta2, epsilon = (self._hyperparameter(n, dtype, var) for n in ("lr", "beta1", "beta2", "epsilon"))
        rate = rate * math.sqrt(1 - power2) / (1 - power1)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_rows = beta1 * gather(m, indices) + (1 - beta1) * grad
        m_now = scatter_update(m, indices, m_rows, use_locking=self._use_locking)
        v_rows = beta2 * gather(v, indices) + (1 - beta2) * math.square(grad)
        v_now = scatter_update(v, indices, v_rows, use_locking=self._use_locking)
        step = rate * gather(m_now, indices) / (math.sqrt(gather(v_now, indices)) + epsilon)
        changed = scatter_sub(var, indices, step, use_locking=self._use_locking)
        return grouping.group(changed, m_now, v_now)


__all__ = ["AdaMaxOptimizer", "LazyAdamOptimizer", "NadamOptimizer"]
