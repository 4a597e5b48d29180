"""The optimizers of TF 1.15: `GradientDescentOptimizer(0.1).minimize(loss)`, Momentum, Adam and the others.

Most update a variable with one op: each class declares its slots and the op's hyperparameters. Slots have the shape and
dtype of their variable; hyperparameters are scalars: numbers, tensors [] or functions without arguments that return either.
Formulas below are elementwise; g is the gradient. No state.
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
    """An optimizer whose update is one op: ApplyX, SparseApplyX for rows, ResourceApplyX or ResourceSparseApplyX.

    method: X. hyperparameters: the op's input -> (attribute of the optimizer, name of the tensor). slot_names: the op's input
    -> name of the slot.
    """

    method: str
    hyperparameters: ClassVar[dict[str, tuple[str, str]]] = {}
    slot_names: ClassVar[dict[str, str]] = {}

    def _prepare(self) -> None:
        self._tensors = {
            input_name: convert_to_tensor(self._call_if_callable(getattr(self, attribute)), name=name)
            for input_name, (attribute, name) in self.hyperparameters.items()
        }

    def _options(self) -> dict[str, Any]:
        """The op's attributes beside use_locking."""
        return {}

    def _hyperparameter(self, name: str, dtype: Any, var: Any) -> Any:
        return math.cast(self._tensors[name], dtype)

    def _apply(self, op_type: str, var: Any, dtype: Any, **gradient_inputs: Any) -> Any:
        definition = REGISTRY[op_type]
        resource = isinstance(var, BaseResourceVariable)
        values = []
        for arg in definition.inputs:
            if arg.name in gradient_inputs:
                values.append(gradient_inputs[arg.name])
            elif arg.name == "var" or arg.name in self.slot_names:
                variable = var if arg.name == "var" else self.get_slot(var, self.slot_names[arg.name])
                values.append(variable.handle if resource else variable._ref())
            else:
                values.append(self._hyperparameter(arg.name, dtype, var))
        return CALLERS[op_type](*values, use_locking=self._use_locking, **self._options())

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._apply(f"Apply{self.method}", var, var.dtype.base_dtype, grad=grad, delta=grad).op

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._apply(f"ResourceApply{self.method}", handle, grad.dtype.base_dtype, grad=grad, delta=grad)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        op_type = f"SparseApply{self.method}"
        return self._apply(op_type, var, var.dtype.base_dtype, grad=grad.values, indices=grad.indices).op

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        op_type = f"ResourceSparseApply{self.method}"
        return self._apply(op_type, handle, grad.dtype.base_dtype, grad=grad, indices=indices)

    def _create_zeros_slots(self, var_list: Sequence[Any], *names: str) -> None:
        for var in var_list:
            for name in names:
                self._zeros_slot(var, name, self._name)


class GradientDescentOptimizer(OneOp):
    """var -= learning_rate · g."""

    method = "GradientDescent"
    hyperparameters: ClassVar = {"alpha": ("_learning_rate", "learning_rate")}

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
    """Gradient descent, followed by the proximal step of the penalties l1 · |var| and l2 · var² / 2.

    Source: Duchi and Singer, 2009 (FOBOS).
    """

    method = "ProximalGradientDescent"
    hyperparameters: ClassVar = {
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
    """accum = momentum · accum + g; var -= learning_rate · accum. use_nesterov: var -= learning_rate · (g + momentum · accum).

    Slot "momentum": accum, from 0. Source: Polyak, 1964; Sutskever and others, 2013 (Nesterov's).
    """

    method = "Momentum"
    slot_names: ClassVar = {"accum": "momentum"}
    hyperparameters: ClassVar = {"lr": ("_learning_rate", "learning_rate"), "momentum": ("_momentum", "momentum")}

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
        self._create_zeros_slots(var_list, "momentum")

    def _options(self) -> dict[str, Any]:
        return {"use_nesterov": self._use_nesterov}


class AdagradOptimizer(OneOp):
    """accum += g²; var -= learning_rate · g / √accum: smaller steps where past gradients were large.

    Slot "accumulator": accum, from initial_accumulator_value. Source: Duchi, Hazan and Singer, 2011.
    Raises: ValueError for an initial value that is not positive.
    """

    method = "Adagrad"
    slot_names: ClassVar = {"accum": "accumulator"}
    hyperparameters: ClassVar = {"lr": ("_learning_rate", "learning_rate")}

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
            _create_filled_slot(self, var, self._initial_accumulator_value, "accumulator")


def _create_filled_slot(optimizer: Optimizer, var: Any, value: float, name: str) -> None:
    """Creates a slot of the variable's shape with `value` in every element."""
    dtype = var.dtype.base_dtype
    initial: Any = Constant(value, dtype=dtype)
    if not var.shape.is_fully_defined():
        initial = lambda: math.cast(array.fill(array.shape(var), value), dtype)
    optimizer._get_or_make_slot_with_initializer(var, initial, var.shape, dtype, name, optimizer._name)


class AdagradDAOptimizer(OneOp):
    """Adagrad by dual averaging: var is computed anew from the sums of all gradients and of their squares; l1 makes it sparse.

    global_step: a scalar variable, counted up elsewhere. Slots "gradient_accumulator", from 0, and
    "gradient_squared_accumulator". Source: Duchi, Hazan and Singer, 2011.
    Raises: ValueError for an initial value that is not positive.
    """

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

    def _hyperparameter(self, name: str, dtype: Any, var: Any) -> Any:
        if name == "global_step":
            with get_default_graph().device(var.device):
                return basic.identity(self._tensors[name])
        return math.cast(self._penalties.get(name, self._tensors["lr"]), dtype)


class AdadeltaOptimizer(OneOp):
    """step = g · √(mean of step² + epsilon) / √(mean of g² + epsilon); var -= learning_rate · step; the means decay by rho.

    Slots "accum" (of g²) and "accum_update" (of step²), from 0. Source: Zeiler, 2012.
    """

    method = "Adadelta"
    slot_names: ClassVar = {"accum": "accum", "accum_update": "accum_update"}
    hyperparameters: ClassVar = {"lr": ("_lr", "lr"), "rho": ("_rho", "rho"), "epsilon": ("_epsilon", "epsilon")}

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
        self._create_zeros_slots(var_list, "accum", "accum_update")


class RMSPropOptimizer(OneOp):
    """mom = momentum · mom + learning_rate · g / √(ms + epsilon), ms the mean of g² with decay; var -= mom.

    centered: divides by √(ms - mg² + epsilon) instead, mg the mean of g (Graves, 2013). Slots "rms" (ms, from 1), "momentum"
    and, if centered, "mg". Source: Tieleman and Hinton, 2012 (lecture 6e).
    """

    hyperparameters: ClassVar = {
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
            self._create_zeros_slots([var], *(["mg"] if self._centered else []), "momentum")


class FtrlOptimizer(OneOp):
    """Follow the regularized leader: per-coordinate learning rates, and l1 that makes var sparse.

    l2_shrinkage_regularization_strength: adds 2 · l2_shrinkage · var to the gradient. Slots "accum" (of g², from
    initial_accumulator_value) and "linear" (from 0). Source: McMahan and others, 2013.
    Raises: ValueError for a negative strength or initial value, or a positive learning_rate_power.
    """

    slot_names: ClassVar = {"accum": "accum", "linear": "linear"}
    hyperparameters: ClassVar = {
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
        for argument, value, valid, requirement in (
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
            if not valid:
                raise ValueError(error_text(f"{argument} {value:f} needs to {requirement}"))
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
    """Adagrad, followed by the proximal step of the penalties l1 · |var| and l2 · var² / 2.

    Slot "accumulator", from initial_accumulator_value. Source: Duchi, Hazan and Singer, 2011; Duchi and Singer, 2009.
    Raises: ValueError for an initial value that is not positive.
    """

    method = "ProximalAdagrad"
    slot_names: ClassVar = {"accum": "accumulator"}
    hyperparameters: ClassVar = {
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
    """m, v: the means of g and g² that decay by beta1 and beta2; var -= rate · m / (√v + epsilon).

    rate = learning_rate · √(1 - beta2^t) / (1 - beta1^t) in step t corrects the bias of the zeros that m and v start from.
    Slots "m" and "v"; scalar variables beta1_power and beta2_power. Source: Kingma and Ba, 2015, end of section 2.
    """

    method = "Adam"
    slot_names: ClassVar = {"m": "m", "v": "v"}
    hyperparameters: ClassVar = {
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
        self._create_zeros_slots(var_list, "m", "v")

    def _beta_powers(self) -> tuple[Any, Any]:
        return self._get_non_slot_variable("beta1_power"), self._get_non_slot_variable("beta2_power")

    def _hyperparameter(self, name: str, dtype: Any, var: Any) -> Any:
        if name.endswith("_power"):
            return math.cast(self._get_non_slot_variable(name), dtype)
        return super()._hyperparameter(name, dtype, var)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        def add_rows(slot: Any, indices: Any, values: Any) -> Any:
            return scatter_add(slot, indices, values, use_locking=self._use_locking)

        return self._apply_rows(grad.values, var, grad.indices, add_rows)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        def add_rows(slot: Any, indices: Any, values: Any) -> Any:
            with waiting_for([scatter_ops.resource_scatter_add(slot.handle, indices, values)]):
                return slot.value()

        return self._apply_rows(grad, handle, indices, add_rows)

    def _apply_rows(self, grad: Any, var: Any, indices: Any, add_rows: Any) -> Any:
        # All rows of m and v decay, not only those with a gradient.
        dtype = var.dtype.base_dtype
        power1, power2 = (math.cast(power, dtype) for power in self._beta_powers())
        rate, beta1, beta2, epsilon = (self._hyperparameter(n, dtype, var) for n in ("lr", "beta1", "beta2", "epsilon"))
        rate = rate * math.sqrt(1 - power2) / (1 - power1)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        rows = grad * (1 - beta1)
        decayed = state.assign(m, m * beta1, use_locking=self._use_locking)
        with waiting_for([decayed]):
            m_now = add_rows(m, indices, rows)
        rows = grad * grad * (1 - beta2)
        decayed = state.assign(v, v * beta2, use_locking=self._use_locking)
        with waiting_for([decayed]):
            v_now = add_rows(v, indices, rows)
        root = math.sqrt(v_now)  # before the product, as TF makes these nodes
        step = rate * m_now / (root + epsilon)
        changed = state.assign_sub(var, step, use_locking=self._use_locking)
        return grouping.group(changed, m_now, v_now)

    def _power_variables(self) -> list[tuple[Any, str]]:
        """The powers that each step multiplies once more, with the hyperparameter that it takes."""
        power1, power2 = self._beta_powers()
        return [(power1, "beta1"), (power2, "beta2")]

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        with waiting_for(update_ops):
            variables = self._power_variables()
            with get_default_graph().colocate_with(variables[0][0]):
                powers = [
                    power.assign(power * self._tensors[beta], use_locking=self._use_locking) for power, beta in variables
                ]
        return grouping.group(*update_ops, *powers, name=name_scope)


__all__ = [
    "AdadeltaOptimizer", "AdagradDAOptimizer", "AdagradOptimizer", "AdamOptimizer", "FtrlOptimizer",
    "GradientDescentOptimizer", "MomentumOptimizer", "ProximalAdagradOptimizer", "ProximalGradientDescentOptimizer",
    "RMSPropOptimizer",
]  # fmt: skip
