"""Optimizers whose steps also make the variables themselves smaller: `AdamWOptimizer`, `MomentumWOptimizer` and one's own.

State: in each optimizer, which variables the step under way makes smaller.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...lib.arrays.selection import gather
from ...lib.framework.scope_blocks import waiting_for
from ...lib.math import math
from ...lib.variables import state
from ...lib.variables.scatter import scatter_add
from .algorithms import AdamOptimizer, MomentumOptimizer
from .optimizer import Optimizer


class DecoupledWeightDecayExtension:
    """Makes an optimizer that subtracts weight_decay · var before its own update:

        class AdamW(DecoupledWeightDecayExtension, tf.train.AdamOptimizer): ...

    weight_decay: a number, a tensor [] or a function that returns either. A learning rate does not scale it. Where the
    gradient has rows of a variable only, these rows alone become smaller. Source: Loshchilov and Hutter, 2019.
    Differs from TF: `minimize` keeps to its decay_var_list, which 1.15 forgets before the update; and a function can give
    weight_decay.
    """

    def __init__(self, weight_decay: Any, **kwargs: Any) -> None:
        self._decay_var_list: set[tuple[Any, str]] | None = None
        self._weight_decay = weight_decay
        super().__init__(**kwargs)

    @atomic
    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
        decay_var_list: Iterable[Any] | None = None,
    ) -> Any:
        """See Optimizer.minimize. decay_var_list: the variables that become smaller; by default all that are updated."""
        self._remember(decay_var_list)
        return super().minimize(  # type: ignore[misc]
            loss, global_step=global_step, var_list=var_list, gate_gradients=gate_gradients,
            aggregation_method=aggregation_method, colocate_gradients_with_ops=colocate_gradients_with_ops, name=name,
            grad_loss=grad_loss,
        )  # fmt: skip

    @atomic
    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple[Any, Any]],
        global_step: Any = None,
        name: str | None = None,
        decay_var_list: Iterable[Any] | None = None,
    ) -> Any:
        """See Optimizer.apply_gradients. decay_var_list: the variables that become smaller; by default as before, or all."""
        if decay_var_list is not None:
            self._remember(decay_var_list)
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)  # type: ignore[misc]

    def _remember(self, variables: Iterable[Any] | None) -> None:
        self._decay_var_list = None if variables is None else {_key(variable) for variable in variables}

    def _prepare(self) -> None:
        weight_decay = self._weight_decay() if callable(self._weight_decay) else self._weight_decay
        convert_to_tensor(weight_decay, name="weight_decay")  # 1.15 makes this node, too, and does not use it
        super()._prepare()  # type: ignore[misc]

    def _decayed(self, var: Any, indices: Any = None) -> list[Any]:
        """The operations that make a variable, or rows of it, smaller."""
        if self._decay_var_list is not None and _key(var) not in self._decay_var_list:
            return []
        decay = self._weight_decay() if callable(self._weight_decay) else self._weight_decay
        decay = math.cast(decay, var.dtype.base_dtype) if hasattr(decay, "dtype") else decay
        locking = {"use_locking": self._use_locking}  # type: ignore[attr-defined]
        if indices is None:
            return [state.assign_sub(var, decay * var, **locking)]
        return [scatter_add(var, indices, -decay * gather(var, indices), **locking)]

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        with waiting_for(self._decayed(var)):
            return super()._apply_dense(grad, var)  # type: ignore[misc]

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        with waiting_for(self._decayed(handle)):
            return super()._resource_apply_dense(grad, handle)  # type: ignore[misc]

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        with waiting_for(self._decayed(var, grad.indices)):
            return super()._apply_sparse(grad, var)  # type: ignore[misc]

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        with waiting_for(self._decayed(handle, indices)):
            return super()._resource_apply_sparse(grad, handle, indices)  # type: ignore[misc]


def extend_with_decoupled_weight_decay(base_optimizer: type[Any]) -> type[Any]:
    """A class derived from an optimizer's class, whose first argument is weight_decay: see DecoupledWeightDecayExtension.

    Raises: TypeError for anything but a class derived from Optimizer.
    """
    if not isinstance(base_optimizer, type) or not issubclass(base_optimizer, Optimizer):
        raise TypeError(error_text(f"base_optimizer must be a class derived from Optimizer, not {base_optimizer!r}."))

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):  # type: ignore[misc, valid-type]
        """The optimizer, with steps that also make the variables smaller."""

        def __init__(self, weight_decay: Any, *args: Any, **kwargs: Any) -> None:
            self._decay_var_list = None
            self._weight_decay = weight_decay
            base_optimizer.__init__(self, *args, **kwargs)

    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """MomentumOptimizer that subtracts weight_decay · var before its own update."""

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "MomentumW",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(
            weight_decay, learning_rate=learning_rate, momentum=momentum, use_locking=use_locking, name=name,
            use_nesterov=use_nesterov,
        )  # fmt: skip


class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """AdamOptimizer that subtracts weight_decay · var before its own update."""

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "AdamW",
    ) -> None:
        super().__init__(
            weight_decay, learning_rate=learning_rate, beta1=beta1, beta2=beta2, epsilon=epsilon, use_locking=use_locking,
            name=name,
        )  # fmt: skip


def _key(variable: Any) -> tuple[Any, str]:
    return variable.op.graph, variable.op.name


__all__ = [
    "AdamWOptimizer", "DecoupledWeightDecayExtension", "MomentumWOptimizer", "extend_with_decoupled_weight_decay",
]  # fmt: skip
