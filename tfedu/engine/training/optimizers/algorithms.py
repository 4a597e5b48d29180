"""The optimizers of TF 1.15: `GradientDescentOptimizer(0.1).minimize(loss)`, Momentum, Adam and the others.

Most are one op: what each says is its slots and the numbers that the op takes beside them. No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...lib.arrays import array
from ...lib.control import grouping
from ...lib.framework.scope_blocks import waiting_for
from ...lib.math import math
from ...lib.variables import state
from ...lib.variables.initializers import Constant, Ones
from ...lib.variables.resource_variables import BaseResourceVariable
from ...lib.variables.scatter import scatter_add
from ...op.composites import IndexedSlices
from ...op.constant import constant
from ...op.definition import REGISTRY
from ...ops import basic
from ...ops import scatter as scatter_ops
from ...ops.optimizer_steps import CALLERS
from .optimizer import Optimizer


class OneOp(Optimizer):
    """An optimizer whose update is one op: ApplyX, or SparseApplyX for rows, and the same two of resource variables.

    method: X. numbers: what the op calls a number -> (the attribute that holds it, the name of its tensor). slot_names: what
    the op calls a slot -> the slot's own name.
    """

    method: str
    numbers: ClassVar[dict[str, tuple[str, str]]] = {}
    slot_names: ClassVar[dict[str, str]] = {}

    def _prepare(self) -> None:
        self._tensors = {
            taken: convert_to_tensor(self._call_if_callable(getattr(self, attribute)), name=name)
            for taken, (attribute, name) in self.numbers.items()
        }

    def _options(self) -> dict[str, Any]:
        """What the op takes as attributes beside use_locking."""
        return {}

    def _number(self, name: str, dtype: Any, var: Any) -> Any:
        return math.cast(self._tensors[name], dtype)

    def _apply(self, kind: str, var: Any, dtype: Any, **given: Any) -> Any:
        definition = REGISTRY[kind]
        resource = isinstance(var, BaseResourceVariable)
        values = []
        for arg in definition.inputs:
            if arg.name in given:
                values.append(given[arg.name])
            elif arg.name == "var" or arg.name in self.slot_names:
                held = var if arg.name == "var" else self.get_slot(var, self.slot_names[arg.name])
                values.append(held.handle if resource else held._ref())
            else:
                values.append(self._number(arg.name, dtype, var))
        return CALLERS[kind](*values, use_locking=self._use_locking, **self._options())

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._apply(f"Apply{self.method}", var, var.dtype.base_dtype, grad=grad, delta=grad).op

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._apply(f"ResourceApply{self.method}", handle, grad.dtype.base_dtype, grad=grad, delta=grad)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        kind = f"SparseApply{self.method}"
        return self._apply(kind, var, var.dtype.base_dtype, grad=grad.values, indices=grad.indices).op

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        kind = f"ResourceSparseApply{self.method}"
        return self._apply(kind, handle, grad.dtype.base_dtype, grad=grad, indices=indices)

    def _zeros(self, var_list: Sequence[Any], *names: str) -> None:
        for var in var_list:
            for name in names:
                self._zeros_slot(var, name, self._name)


class GradientDescentOptimizer(OneOp):
    """var -= learning_rate · gradient. learning_rate: a number, a tensor or a function that gives one."""

    method = "GradientDescent"
    numbers: ClassVar = {"alpha": ("_learning_rate", "learning_rate")}

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate

    def _apply_sparse_duplicate_indices(self, grad: Any, var: Any) -> Any:
        rate = math.cast(self._tensors["alpha"], var.dtype.base_dtype)
        return var.scatter_sub(
            IndexedSlices(grad.values * rate, grad.indices, grad.dense_shape), use_locking=self._use_locking
        )

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, handle: Any, indices: Any) -> Any:
        return scatter_ops.resource_scatter_add(handle.handle, indices, -grad * self._learning_rate)


class ProximalGradientDescentOptimizer(OneOp):
    """Gradient descent with penalties on the size of the variables. Source: Duchi and Singer, 2009."""

    method = "ProximalGradientDescent"
    numbers: ClassVar = {
        "alpha": ("_learning_rate", "learning_rate"),
        "l1": ("_l1_regularization_strength", "l1_regularization_strength"),
        "l2": ("_l2_regularization_strength", "l2_regularization_strength"),
    }

    def __init__(
        self,
        learning_rate: Any,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "ProximalGradientDescent",
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength


class MomentumOptimizer(OneOp):
    """Steps along the fading sum of the gradients."""

    method = "Momentum"
    slot_names: ClassVar = {"accum": "momentum"}
    numbers: ClassVar = {"lr": ("_learning_rate", "learning_rate"), "momentum": ("_momentum", "momentum")}

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._use_nesterov = use_nesterov

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        self._zeros(var_list, "momentum")

    def _options(self) -> dict[str, Any]:
        return {"use_nesterov": self._use_nesterov}


class AdagradOptimizer(OneOp):
    """Steps that get smaller where the gradients were large. Source: Duchi, Hazan and Singer, 2011."""

    method = "Adagrad"
    slot_names: ClassVar = {"accum": "accumulator"}
    numbers: ClassVar = {"lr": ("_learning_rate", "learning_rate")}

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                error_text(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
            )
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            _filled_slot(self, var, self._initial_accumulator_value, "accumulator")


def _filled_slot(optimizer: Optimizer, var: Any, value: float, name: str) -> None:
    """A slot that begins with a number everywhere."""
    dtype = var.dtype.base_dtype
    initial: Any = Constant(value, dtype=dtype)
    if not var.shape.is_fully_defined():
        initial = lambda: math.cast(array.fill(array.shape(var), value), dtype)
    optimizer._get_or_make_slot_with_initializer(var, initial, var.shape, dtype, name, optimizer._name)


class AdagradDAOptimizer(OneOp):
    """Adagrad by dual averaging, which keeps a linear model sparse. Source: Duchi, Hazan and Singer, 2011."""

    method = "AdagradDA"
    slot_names: ClassVar = {
        "gradient_accumulator": "gradient_accumulator",
        "gradient_squared_accumulator": "gradient_squared_accumulator",
    }

    def __init__(
        self,
        learning_rate: Any,
        global_step: Any,
        initial_gradient_squared_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "AdagradDA",
    ) -> None:
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError(
                error_text(
                    "initial_gradient_squared_accumulator_value must be positive: "
                    f"{initial_gradient_squared_accumulator_value}"
                )
            )
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial = initial_gradient_squared_accumulator_value
        self._penalties = {"l1": l1_regularization_strength, "l2": l2_regularization_strength}
        self._global_step = global_step

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            dtype, shape = var.dtype.base_dtype, var.shape
            with get_default_graph().colocate_with(var):
                sums = constant(0.0, shape=shape, dtype=dtype)
                squares = constant(self._initial, shape=shape, dtype=dtype)
            self._get_or_make_slot(var, sums, "gradient_accumulator", self._name)
            self._get_or_make_slot(var, squares, "gradient_squared_accumulator", self._name)

    def _prepare(self) -> None:
        rate = convert_to_tensor(self._learning_rate, name="learning_rate")
        with get_default_graph().colocate_with(rate):
            self._tensors = {"lr": rate, "global_step": basic.identity(self._global_step) + 1}

    def _number(self, name: str, dtype: Any, var: Any) -> Any:
        if name == "global_step":
            with get_default_graph().device(var.device):
                return basic.identity(self._tensors[name])
        return math.cast(self._penalties.get(name, self._tensors["lr"]), dtype)


class AdadeltaOptimizer(OneOp):
    """Steps as large as the steps before, over the gradients before. Source: Zeiler, 2012."""

    method = "Adadelta"
    slot_names: ClassVar = {"accum": "accum", "accum_update": "accum_update"}
    numbers: ClassVar = {"lr": ("_lr", "lr"), "rho": ("_rho", "rho"), "epsilon": ("_epsilon", "epsilon")}

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: Any = 0.95,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._rho = rho
        self._epsilon = epsilon

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        self._zeros(var_list, "accum", "accum_update")


class RMSPropOptimizer(OneOp):
    """Steps over the root of the fading mean of squared gradients. Source: Hinton's lecture 6, 2012.

    centered: over the deviation of the gradients instead (Graves, 2013).
    """

    numbers: ClassVar = {
        "lr": ("_learning_rate", "learning_rate"),
        "rho": ("_decay", "decay"),
        "momentum": ("_momentum", "momentum"),
        "epsilon": ("_epsilon", "epsilon"),
    }
    slot_names: ClassVar = {"ms": "rms", "mg": "mg", "mom": "momentum"}

    def __init__(
        self,
        learning_rate: Any,
        decay: Any = 0.9,
        momentum: Any = 0.0,
        epsilon: Any = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(use_locking, name)
        self.method = "CenteredRMSProp" if centered else "RMSProp"
        self._learning_rate = learning_rate
        self._decay = decay
        self._momentum = momentum
        self._epsilon = epsilon
        self._centered = centered

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            dtype = var.dtype.base_dtype
            initial = Ones(dtype=dtype) if var.shape.is_fully_defined() else array.ones_like(var)
            self._get_or_make_slot_with_initializer(var, initial, var.shape, dtype, "rms", self._name)
            self._zeros([var], *(["mg"] if self._centered else []), "momentum")


class FtrlOptimizer(OneOp):
    """Follow the regularized leader. Source: McMahan and others, 2013.

    l2_shrinkage_regularization_strength: a penalty on the size that acts on the gradient alone.
    """

    slot_names: ClassVar = {"accum": "accum", "linear": "linear"}
    numbers: ClassVar = {
        "lr": ("_learning_rate", "learning_rate"),
        "l1": ("_l1_regularization_strength", "l1_regularization_strength"),
        "l2": ("_l2_regularization_strength", "l2_regularization_strength"),
        "l2_shrinkage": ("_l2_shrinkage_regularization_strength", "l2_shrinkage_regularization_strength"),
        "lr_power": ("_learning_rate_power", "learning_rate_power"),
    }

    def __init__(
        self,
        learning_rate: Any,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: float = 0.0,
    ) -> None:
        super().__init__(use_locking, name)
        for what, value, right, words in (
            ("initial_accumulator_value", initial_accumulator_value, initial_accumulator_value >= 0, "be positive or zero"),
            ("learning_rate_power", learning_rate_power, learning_rate_power <= 0, "be negative or zero"),
            (
                "l1_regularization_strength", l1_regularization_strength, l1_regularization_strength >= 0,
                "be positive or zero",
            ),
            (
                "l2_regularization_strength", l2_regularization_strength, l2_regularization_strength >= 0,
                "be positive or zero",
            ),
            (
                "l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength,
                l2_shrinkage_regularization_strength >= 0, "be positive or zero",
            ),
        ):  # fmt: skip
            if not right:
                raise ValueError(error_text(f"{what} {value:f} needs to {words}"))
        self.method = "FtrlV2" if l2_shrinkage_regularization_strength > 0 else "Ftrl"
        self._learning_rate = learning_rate
        self._learning_rate_power = learning_rate_power
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        self._accum_name = accum_name
        self._linear_name = linear_name

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            dtype = var.dtype.base_dtype
            initial = constant(self._initial_accumulator_value, dtype=dtype, shape=var.shape)
            self._get_or_make_slot(var, initial, "accum", self._accum_name or self._name)
            self._zeros_slot(var, "linear", self._linear_name or self._name)


class ProximalAdagradOptimizer(OneOp):
    """Adagrad with penalties on the size of the variables. Source: Duchi, Hazan and Singer, 2011."""

    method = "ProximalAdagrad"
    slot_names: ClassVar = {"accum": "accumulator"}
    numbers: ClassVar = {
        "lr": ("_learning_rate", "learning_rate"),
        "l1": ("_l1_regularization_strength", "l1_regularization_strength"),
        "l2": ("_l2_regularization_strength", "l2_regularization_strength"),
    }

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalAdagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                error_text(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
            )
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            initial = constant(self._initial_accumulator_value, shape=var.shape, dtype=var.dtype.base_dtype)
            self._get_or_make_slot(var, initial, "accumulator", self._name)


class AdamOptimizer(OneOp):
    """Steps of the fading mean of the gradients over the root of that of their squares. Source: Kingma and Ba, 2014."""

    method = "Adam"
    slot_names: ClassVar = {"m": "m", "v": "v"}
    numbers: ClassVar = {
        "lr": ("_lr", "learning_rate"),
        "beta1": ("_beta1", "beta1"),
        "beta2": ("_beta2", "beta2"),
        "epsilon": ("_epsilon", "epsilon"),
    }

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._beta1 = beta1
        self._beta2 = beta2
        self._epsilon = epsilon

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(self._beta1, "beta1_power", first)
        self._create_non_slot_variable(self._beta2, "beta2_power", first)
        self._zeros(var_list, "m", "v")

    def _powers(self) -> tuple[Any, Any]:
        return self._get_non_slot_variable("beta1_power"), self._get_non_slot_variable("beta2_power")

    def _number(self, name: str, dtype: Any, var: Any) -> Any:
        if name.endswith("_power"):
            return math.cast(self._get_non_slot_variable(name), dtype)
        return super()._number(name, dtype, var)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        def added(slot: Any, indices: Any, values: Any) -> Any:
            return scatter_add(slot, indices, values, use_locking=self._use_locking)

        return self._apply_rows(grad.values, var, grad.indices, added)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        def added(slot: Any, indices: Any, values: Any) -> Any:
            with waiting_for([scatter_ops.resource_scatter_add(slot.handle, indices, values)]):
                return slot.value()

        return self._apply_rows(grad, handle, indices, added)

    def _apply_rows(self, grad: Any, var: Any, indices: Any, added: Any) -> Any:
        # All of m and v fades, not just the rows that have a gradient.
        dtype = var.dtype.base_dtype
        power1, power2 = (math.cast(power, dtype) for power in self._powers())
        rate, beta1, beta2, epsilon = (self._number(n, dtype, var) for n in ("lr", "beta1", "beta2", "epsilon"))
        rate = rate * math.sqrt(1 - power2) / (1 - power1)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        rows = grad * (1 - beta1)
        faded = state.assign(m, m * beta1, use_locking=self._use_locking)
        with waiting_for([faded]):
            m_now = added(m, indices, rows)
        rows = grad * grad * (1 - beta2)
        faded = state.assign(v, v * beta2, use_locking=self._use_locking)
        with waiting_for([faded]):
            v_now = added(v, indices, rows)
        step = rate * m_now / (math.sqrt(v_now) + epsilon)
        changed = state.assign_sub(var, step, use_locking=self._use_locking)
        return grouping.group(changed, m_now, v_now)

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        with waiting_for(update_ops):
            power1, power2 = self._powers()
            with get_default_graph().colocate_with(power1):
                faded = [
                    power.assign(power * self._tensors[beta], use_locking=self._use_locking)
                    for power, beta in ((power1, "beta1"), (power2, "beta2"))
                ]
        return grouping.group(*update_ops, *faded, name=name_scope)


__all__ = [
    "AdadeltaOptimizer", "AdagradDAOptimizer", "AdagradOptimizer", "AdamOptimizer", "FtrlOptimizer",
    "GradientDescentOptimizer", "MomentumOptimizer", "ProximalAdagradOptimizer", "ProximalGradientDescentOptimizer",
    "RMSPropOptimizer",
]  # fmt: skip
