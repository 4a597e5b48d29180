"""Further optimizers of `tf.contrib.opt`: `LARSOptimizer`, `PowerSignOptimizer`, `AddSignOptimizer`, `RegAdagradOptimizer`, and
wrappers: `VariableClippingOptimizer`, `MultitaskOptimizerWrapper`.

State: in each optimizer what its class says.
"""

from __future__ import annotations

import math as python_math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...lib.arrays.selection import gather, where
from ...lib.control import grouping
from ...lib.control.cond import cond
from ...lib.framework.scope_blocks import waiting_for
from ...lib.linalg import linalg
from ...lib.math import clip, math
from ...lib.math.counting import count_nonzero
from ...lib.variables import state
from ...lib.variables.scatter import scatter_sub, scatter_update
from ...op.composites import IndexedSlices
from .algorithms import AdagradOptimizer, MomentumOptimizer
from .optimizer import Optimizer


class LARSOptimizer(MomentumOptimizer):
    """Momentum with a learning rate of its own for each variable: learning_rate · eeta · |var| / (|g| + weight_decay · |var| +
    epsilon), and g + weight_decay · var for g; for gradients of rows the plain update of Momentum.

    skip_list: parts of names; variables whose name has one keep the plain update. Slot "momentum".
    Raises: ValueError for a momentum that is negative. Source: You, Gitman and Ginsburg, 2017.
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any = 0.9,
        weight_decay: float = 0.0001,
        eeta: float = 0.001,
        epsilon: float = 0.0,
        name: str = "LARSOptimizer",
        skip_list: Sequence[str] | None = None,
        use_nesterov: bool = False,
    ) -> None:
        if not callable(momentum) and not hasattr(momentum, "op") and momentum < 0.0:
            raise ValueError(error_text(f"momentum should be positive: {momentum}"))
        super().__init__(learning_rate, momentum, use_locking=False, name=name, use_nesterov=use_nesterov)
        self._weight_decay = weight_decay
        self._eeta = eeta
        self._epsilon = epsilon
        self._skip_list = list(skip_list or ())

    def compute_lr(self, grad: Any, var: Any) -> tuple[Any, Any]:
        """(the learning rate [] of a variable, the gradient [...] with its decay)."""
        rate = self._call_if_callable(self._learning_rate)
        if any(part in var.name for part in self._skip_list):
            return rate, grad
        of_var, of_grad = linalg.norm(var, ord=2), linalg.norm(grad, ord=2)
        ratio = self._eeta * of_var / (of_grad + self._weight_decay * of_var + self._epsilon)
        trust = where(math.greater(of_var, 0), where(math.greater(of_grad, 0), ratio, 1.0), 1.0)
        return rate * trust, grad + self._weight_decay * var

    def _scaled(self, grad: Any, var: Any) -> Any:
        rate, grad = self.compute_lr(grad, var)
        return grad * math.cast(rate, grad.dtype)

    def _hyperparameter(self, name: str, dtype: Any, var: Any) -> Any:
        if name == "lr" and self._is_scaled:
            return math.cast(1.0, dtype)  # the gradient has the learning rate already
        return super()._hyperparameter(name, dtype, var)

    _is_scaled = False

    @contextmanager
    def _with_scaled_gradient(self) -> Iterator[None]:
        self._is_scaled = True
        try:
            yield
        finally:
            self._is_scaled = False

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        scaled = self._scaled(grad, var)
        with self._with_scaled_gradient():
            return super()._apply_dense(scaled, var)

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        scaled = self._scaled(grad, handle)
        with self._with_scaled_gradient():
            return super()._resource_apply_dense(scaled, handle)


class _SignOptimizer(Optimizer):
    """An optimizer that compares the signs of a gradient g and of its mean m, which decays by beta. Slot "m"."""

    def __init__(
        self, learning_rate: Any, beta: Any, sign_decay_fn: Callable[[Any], Any] | None, use_locking: bool, name: str
    ) -> None:
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._beta = beta
        self._sign_decay_fn = sign_decay_fn

    @atomic
    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Any:
        """See Optimizer.apply_gradients; sign_decay_fn gets the global step."""
        decay = 1.0 if self._sign_decay_fn is None else self._sign_decay_fn(global_step)
        self._sign_decay = decay
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for var in var_list:
            self._zeros_slot(var, "m", self._name)

    def _prepare(self) -> None:
        self._tensors = {
            name: convert_to_tensor(self._call_if_callable(value), name=name)
            for name, value in (
                ("learning_rate", self._lr), ("beta", self._beta), *self._own().items(), ("sign_decay", self._sign_decay)
            )
        }  # fmt: skip

    def _own(self) -> dict[str, Any]:
        """The hyperparameters beside learning_rate and beta."""
        raise NotImplementedError

    def _factor(self, agreement: Any, dtype: Any) -> Any:
        """What the gradient is multiplied with, for the product [...] of the signs, times the decay."""
        raise NotImplementedError

    def _step(self, grad: Any, mean: Any, dtype: Any) -> Any:
        agreement = math.cast(self._tensors["sign_decay"], dtype) * (math.sign(grad) * math.sign(mean))
        return math.cast(self._tensors["learning_rate"], dtype) * self._factor(agreement, dtype) * grad

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        dtype = var.dtype.base_dtype
        beta = math.cast(self._tensors["beta"], dtype)
        m = self.get_slot(var, "m")
        mean = state.assign(m, m * beta + grad * (1 - beta), use_locking=self._use_locking)
        changed = state.assign_sub(var, self._step(grad, mean, dtype), use_locking=self._use_locking)
        return grouping.group(changed, mean)

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._apply_dense(grad, handle)

    def _rows(self, grad: Any, var: Any, indices: Any) -> Any:
        dtype = var.dtype.base_dtype
        beta = math.cast(self._tensors["beta"], dtype)
        m = self.get_slot(var, "m")
        decayed = state.assign(m, m * beta, use_locking=self._use_locking)
        with waiting_for([decayed]):
            mean = gather(m, indices) + grad * (1 - beta)
            kept = scatter_update(m, indices, mean, use_locking=self._use_locking)
        changed = scatter_sub(var, indices, self._step(grad, mean, dtype), use_locking=self._use_locking)
        return grouping.group(changed, kept)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._rows(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        return self._rows(grad, handle, indices)


class PowerSignOptimizer(_SignOptimizer):
    """m = beta · m + (1 - beta) · g; var -= learning_rate · base^(f · sign(g) · sign(m)) · g.

    sign_decay_fn: f as a function of the global step; None: 1. Slot "m".
    Source: Bello and others, 2017. Differs from TF: several ops make the update, and gradients of rows are taken for resource
    variables, too.
    """

    def __init__(
        self,
        learning_rate: Any = 0.1,
        base: float = python_math.e,
        beta: Any = 0.9,
        sign_decay_fn: Callable[[Any], Any] | None = None,
        use_locking: bool = False,
        name: str = "PowerSignOptimizer",
    ) -> None:
        super().__init__(learning_rate, beta, sign_decay_fn, use_locking, name)
        self._base = base

    def _own(self) -> dict[str, Any]:
        return {"logbase": python_math.log(self._call_if_callable(self._base))}

    def _factor(self, agreement: Any, dtype: Any) -> Any:
        return math.exp(math.cast(self._tensors["logbase"], dtype) * agreement)


class AddSignOptimizer(_SignOptimizer):
    """m = beta · m + (1 - beta) · g; var -= learning_rate · (alpha + f · sign(g) · sign(m)) · g.

    sign_decay_fn: f as a function of the global step; None: 1. Slot "m".
    Source: Bello and others, 2017. Differs from TF: as PowerSignOptimizer.
    """

    def __init__(
        self,
        learning_rate: Any = 0.1,
        alpha: Any = 1.0,
        beta: Any = 0.9,
        sign_decay_fn: Callable[[Any], Any] | None = None,
        use_locking: bool = False,
        name: str = "AddSignOptimizer",
    ) -> None:
        super().__init__(learning_rate, beta, sign_decay_fn, use_locking, name)
        self._alpha = alpha

    def _own(self) -> dict[str, Any]:
        return {"alpha": self._alpha}

    def _factor(self, agreement: Any, dtype: Any) -> Any:
        return math.cast(self._tensors["alpha"], dtype) + agreement


class RegAdagradOptimizer(AdagradOptimizer):
    """Adagrad whose updates can leave the slot as it is: `with optimizer.avoid_updating_slots(): optimizer.minimize(penalty)`.

    State: whether the slot is updated.
    """

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "RegAdagrad",
    ) -> None:
        super().__init__(
            learning_rate, initial_accumulator_value=initial_accumulator_value, use_locking=use_locking, name=name
        )
        self._should_update_slots = True

    @contextmanager
    def avoid_updating_slots(self) -> Iterator[None]:
        """Steps that are made in this block leave the slots as they are."""
        before = self._should_update_slots
        self._should_update_slots = False
        try:
            yield
        finally:
            self._should_update_slots = before

    def _options(self) -> dict[str, Any]:
        return {"update_slots": self._should_update_slots}


class VariableClippingOptimizer(Optimizer):
    """An optimizer whose steps, behind those of `opt`, scale variables down to norms of at most max_norm.

    vars_to_clip_dims: variable -> the axes over which its norm is taken; a gradient of rows clips these rows, and only
    the axes [1] of a matrix are possible then, or an axis behind the first.
    Raises: ValueError by apply_gradients for a gradient of rows whose variable is clipped over axis 0.
    """

    def __init__(
        self,
        opt: Optimizer,
        vars_to_clip_dims: dict[Any, Sequence[int]],
        max_norm: Any,
        use_locking: bool = False,
        colocate_clip_ops_with_vars: bool = False,
        name: str = "VariableClipping",
    ) -> None:
        super().__init__(use_locking, name)
        self._opt = opt
        self._clip_dims = {_key(variable): list(axes) for variable, axes in vars_to_clip_dims.items()}
        self._max_norm = max_norm
        self._colocate_clip_ops_with_vars = colocate_clip_ops_with_vars

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """The gradients that the wrapped optimizer computes."""
        return self._opt.compute_gradients(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of the wrapped optimizer."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """The slots of the wrapped optimizer."""
        return self._opt.get_slot_names(*args, **kwargs)

    @atomic
    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Any:
        """The wrapped optimizer's step, and the clipping behind it."""
        pairs = list(grads_and_vars)
        graph = get_default_graph()
        clipped: list[Any] = []
        with graph.name_scope(name or self._name) as scope, waiting_for(
            [self._opt.apply_gradients(pairs, global_step=global_step)]
        ):
            for grad, var in pairs:
                axes = self._clip_dims.get(_key(var))
                if grad is None or axes is None:
                    continue
                if isinstance(grad, IndexedSlices):
                    clipped.append(self._clipped_rows(grad.indices, var, axes))
                else:
                    now = var.read_value()
                    whole = clip.clip_by_norm(now, self._max_norm, axes)
                    clipped.append(state.assign_sub(var, now - whole, use_locking=self._use_locking))
            with waiting_for(clipped):
                return grouping.no_op(name=scope)

    def _clipped_rows(self, indices: Any, var: Any, axes: list[int]) -> Any:
        if 0 in axes:
            raise ValueError(
                error_text(f"Variable {var.name} has a gradient of rows: its norm cannot be taken over axis 0.")
            )
        rows = gather(var, indices)
        return scatter_sub(var, indices, rows - clip.clip_by_norm(rows, self._max_norm, axes), use_locking=self._use_locking)


class MultitaskOptimizerWrapper:
    """An optimizer for several tasks: in each run it leaves variables alone whose gradient is all zeros, and their slots, too.

    Such a variable belongs to a task that did not take part in the run. The wrapper changes `opt` itself, and has its attributes.

    Raises: TypeError for anything but an Optimizer.
    """

    _UPDATES = ("_apply_dense", "_resource_apply_dense", "_apply_sparse", "_resource_apply_sparse")

    def __init__(self, opt: Optimizer) -> None:
        if not isinstance(opt, Optimizer):
            raise TypeError(error_text("Supplied optimizer must be an instance of tf.train.Optimizer"))
        self._opt = opt
        for name in self._UPDATES:
            setattr(opt, name, _unless_zero(getattr(opt, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opt, name)


def _unless_zero(update: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(grad: Any, *args: Any) -> Any:
        def made() -> Any:
            with waiting_for([update(grad, *args)]):
                return grouping.no_op()

        return cond(_is_zero(grad), grouping.no_op, made)

    return guarded


def _is_zero(grad: Any) -> Any:
    values = grad.values if isinstance(grad, IndexedSlices) else grad
    return math.equal(count_nonzero(values), 0)


def clip_gradients_by_global_norm(gradients_variables: Iterable[tuple[Any, Any]], clip_norm: Any = 20.0) -> list[tuple[Any, Any]]:
    """Pairs (gradient, variable) with gradients whose norm, all together, is at most clip_norm."""
    gradients, variables = zip(*gradients_variables, strict=True)
    clipped, _ = clip.clip_by_global_norm(gradients, clip_norm)
    return list(zip(clipped, variables, strict=True))


def _key(variable: Any) -> tuple[Any, str]:
    return variable.op.graph, variable.op.name


__all__ = [
    "AddSignOptimizer", "LARSOptimizer", "MultitaskOptimizerWrapper", "PowerSignOptimizer", "RegAdagradOptimizer",
    "VariableClippingOptimizer", "clip_gradients_by_global_norm",
]  # fmt: skip
