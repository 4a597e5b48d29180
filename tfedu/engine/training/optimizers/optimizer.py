"""`Optimizer`: gradients of a loss, and one node per variable that updates it; `minimize(loss)` builds both.

As in TF, GATE_OP is the default gate: an update waits until all gradients of the op that reads the variable are computed.
State: an optimizer's slots and its other variables, by graph and name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...autodiff import gradients
from ...base import dtypes
from ...base.dtypes import DType
from ...base.errors import advice, error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...lib.arrays import array, selection
from ...lib.control import grouping
from ...lib.framework import nest
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import name_scope, waiting_for
from ...lib.math import reductions
from ...lib.variables import slots, state
from ...lib.variables.resource_variables import BaseResourceVariable
from ...lib.variables.variables import Variable, trainable_variables
from ...op.composites import IndexedSlices

Update = Operation | Tensor


class Optimizer:
    """The base of all optimizers; a subclass creates the slots and the update of one variable.

    use_locking: whether updates of one variable exclude each other. name: the scope of the updates.
    """

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    def __init__(self, use_locking: bool, name: str) -> None:
        if not name:
            raise ValueError(error_text("Must specify the optimizer name"))
        self._use_locking = use_locking
        self._name = name
        self._slots: dict[str, dict[Any, Any]] = {}
        self._non_slot_variables: dict[Any, Any] = {}

    def get_name(self) -> str:
        return self._name

    # -- public methods ----------------------------------------------------------------------------------------------

    @atomic
    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Update:
        """The node of one training step: updates each variable against its gradient of `loss`, then adds 1 to `global_step`.

        loss: a tensor of any shape; its elements are summed. Raises: ValueError when there is no variable, or none that the
        loss depends on.
        """
        pairs = self.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, grad_loss
        )
        if all(g is None for g, _ in pairs):
            raise ValueError(
                error_text(
                    "No gradients provided for any variable, check your graph for ops that do not support gradients, between "
                    f"variables {[str(v) for _, v in pairs]} and loss {loss}."
                )
            )
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    @atomic
    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Pairs (gradient, variable); a gradient has its variable's shape, and is None where the loss does not depend on it.

        gate_gradients: when a gradient may be used: as soon as it is computed (GATE_NONE), with all gradients of the same node
        (GATE_OP), or with all of them (GATE_GRAPH).
        Raises: ValueError for no variables, a wrong gate, or a dtype that has no gradient; RuntimeError for a callable loss.
        Differs from TF: which takes a callable loss in eager execution.
        """
        if callable(loss):
            raise RuntimeError(
                error_text("A callable `loss` needs eager execution, which tfedu does not have: pass a tensor.")
            )
        if gate_gradients not in (self.GATE_NONE, self.GATE_OP, self.GATE_GRAPH):
            raise ValueError(
                error_text(
                    "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH.  Not "
                    f"{gate_gradients}"
                )
            )
        self._check_dtypes([loss] if grad_loss is None else [loss, grad_loss])
        variables = trainable_variables() if var_list is None else nest.flatten(var_list)
        for variable in variables:
            if not isinstance(variable, Tensor):
                _check_variable(variable)
        if not variables:
            raise ValueError(error_text("No variables to optimize."))
        grads = gradients(
            loss,
            [v if isinstance(v, BaseResourceVariable) or not isinstance(v, Variable) else v._ref() for v in variables],
            grad_ys=grad_loss,
            gate_gradients=gate_gradients == self.GATE_OP,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )
        if gate_gradients == self.GATE_GRAPH:
            grads = grouping.tuple(grads)
        pairs = list(zip(grads, variables))
        self._check_dtypes([v for g, v in pairs if g is not None and v.dtype is not dtypes.resource])
        return pairs

    @atomic
    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Update:
        """The node that updates each variable by its gradient, and then adds 1 to `global_step`.

        Raises: ValueError for no pairs or no gradients; TypeError for a gradient that is no tensor.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError(error_text("No variables provided."))
        pairs = [(None if g is None else _as_gradient(g), _check_variable(v)) for g, v in pairs]
        updated = [v for g, v in pairs if g is not None]
        if not updated:
            raise ValueError(
                error_text(f"No gradients provided for any variable: {[str(v) for _, v in pairs]}.")
            )
        graph = get_default_graph()
        with graph.as_default(), waiting_for(None):
            with advice("the scope around this reuses variables, and an optimizer makes new ones: call minimize outside of it"):
                self._create_slots(updated)
        with name_scope(name, self._name) as scope:
            self._prepare()
            updates = []
            for gradient, variable in pairs:
                if gradient is None:
                    continue
                with name_scope(f"update_{variable.op.name}"), graph.colocate_with(variable):
                    updates.append(self._update(gradient, variable))
            if global_step is None:
                train_op = self._finish(updates, scope)
            else:
                with waiting_for([self._finish(updates, "update")]), graph.colocate_with(global_step):
                    train_op = _add_one(global_step, scope)
            train_op = train_op.op if isinstance(train_op, Tensor) else train_op
            if train_op not in graph.get_collection_ref(GraphKeys.TRAIN_OP):
                graph.add_to_collection(GraphKeys.TRAIN_OP, train_op)
            return train_op

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot `name` of a variable, or None."""
        return self._slots.get(name, {}).get(_key(var))

    def get_slot_names(self) -> list[str]:
        """The names of the slots that this optimizer has created."""
        return sorted(self._slots)

    def variables(self) -> list[Any]:
        """All variables that this optimizer has created in the default graph, sorted by name."""
        graph = get_default_graph()
        all_slots = [slot for named in self._slots.values() for slot in named.values()]
        return sorted([v for v in [*self._non_slot_variables.values(), *all_slots] if v.op.graph is graph], key=lambda v: v.name)

    # -- methods that subclasses override ----------------------------------------------------------------------------

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        """Creates the slots of these variables."""

    def _prepare(self) -> None:
        """Creates the tensors that all updates share."""

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        raise NotImplementedError

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        raise NotImplementedError

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        raise NotImplementedError

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        raise NotImplementedError

    def _apply_sparse_duplicate_indices(self, grad: Any, var: Any) -> Any:
        values, indices = _sum_duplicates(grad.values, grad.indices)
        return self._apply_sparse(IndexedSlices(values, indices, grad.dense_shape), var)

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, handle: Any, indices: Any) -> Any:
        values, indices = _sum_duplicates(grad, indices)
        return self._resource_apply_sparse(values, handle, indices)

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        """The node that runs after all updates."""
        return grouping.group(*update_ops, name=name_scope)

    def _valid_dtypes(self) -> set[DType]:
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    # -- private parts ---------------------------------------------------------------------------------------------------

    def _update(self, gradient: Any, variable: Any) -> Any:
        resource = isinstance(variable, BaseResourceVariable)
        constraint = getattr(variable, "constraint", None)
        if isinstance(gradient, IndexedSlices):
            if constraint is not None:
                raise RuntimeError(error_text("Cannot use a constraint function on a sparse variable."))
            if resource:
                return self._resource_apply_sparse_duplicate_indices(gradient.values, variable, gradient.indices)
            return self._apply_sparse_duplicate_indices(gradient, variable)
        update = (self._resource_apply_dense if resource else self._apply_dense)(gradient, variable)
        if constraint is None:
            return update
        with waiting_for([update]):
            return variable.assign(constraint(variable))

    def _check_dtypes(self, tensors: Iterable[Any]) -> None:
        valid = self._valid_dtypes()
        for tensor in tensors:
            dtype = tensor.dtype.base_dtype
            if dtype not in valid:
                raise ValueError(
                    error_text(f"Invalid type {dtype!r} for {tensor.name}, expected: {list(valid)}.")
                )

    def _slot_dict(self, slot_name: str) -> dict[Any, Any]:
        return self._slots.setdefault(slot_name, {})

    def _get_or_make_slot(self, var: Any, val: Any, slot_name: str, op_name: str) -> Any:
        return self._slot(var, slot_name, lambda: slots.create_slot(var, val, op_name))

    def _get_or_make_slot_with_initializer(
        self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str, op_name: str
    ) -> Any:
        return self._slot(
            var, slot_name, lambda: slots.create_slot_with_initializer(var, initializer, shape, dtype, op_name)
        )

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> Any:
        return self._slot(var, slot_name, lambda: slots.create_zeros_slot(var, op_name))

    def _slot(self, var: Any, name: str, make: Callable[[], Any]) -> Any:
        return self._get_or_create(self._slot_dict(name), _key(var), make)

    def _create_non_slot_variable(self, initial_value: Any, name: str, colocate_with: Any) -> Any:
        """A variable of the optimizer itself, on the device of `colocate_with`."""
        resource = isinstance(colocate_with, BaseResourceVariable)

        def make() -> Any:
            with slots.with_primary(colocate_with):
                return Variable(initial_value, name=name, trainable=False, use_resource=resource)

        return self._get_or_create(self._non_slot_variables, (name, colocate_with.graph), make)

    def _get_non_slot_variable(self, name: str, graph: Any = None) -> Any:
        return self._non_slot_variables.get((name, graph or get_default_graph()))

    @staticmethod
    def _get_or_create(variables: dict[Any, Any], key: Any, make: Callable[[], Any]) -> Any:
        """The variable under `key`, created once; the entry goes when the public call that created it fails."""
        if key not in variables:
            variable = make()
            variable.graph.on_failure(variables.pop, key, None)
            variables[key] = variable
        return variables[key]

    @staticmethod
    def _call_if_callable(param: Any) -> Any:
        return param() if callable(param) else param


def _key(var: Any) -> tuple[Any, str]:
    return var.op.graph, var.op.name


def _check_variable(variable: Any) -> Any:
    if isinstance(variable, Tensor):
        raise NotImplementedError(error_text(f"Trying to update a Tensor {variable}"))
    if not isinstance(variable, Variable):
        raise NotImplementedError(error_text(f"Trying to optimize unsupported type {variable}"))
    return variable


def _as_gradient(value: Any) -> Any:
    if isinstance(value, IndexedSlices):
        return value
    try:
        return convert_to_tensor(value)
    except TypeError:
        raise TypeError(
            error_text(f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {value}")
        ) from None


def _sum_duplicates(values: Any, indices: Any) -> tuple[Any, Any]:
    """(values, indices) with each index once, and the rows of equal indices summed: [n, ...], [n] -> [unique, ...], [unique]."""
    unique, segments = selection.unique(indices)
    return reductions.unsorted_segment_sum(values, segments, array.shape(unique)[0]), unique


def _add_one(step: Any, name: str) -> Any:
    if isinstance(step, BaseResourceVariable):
        return step.assign_add(convert_to_tensor(1, dtype=step.dtype), name=name, read_value=False)
    return state.assign_add(step, 1, name=name)


__all__ = ["Optimizer"]
