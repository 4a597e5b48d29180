"""`tf.contrib.framework`: variables of models, made under `arg_scope` and chosen by the beginning, end or pattern of their names.

    w = model_variable("w", [784, 10], initializer=xavier_initializer(), device="/cpu:0")
    kept = get_variables_to_restore(exclude=["logits"])

No state.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from ...graph.device import DeviceSpec
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import device as device_block
from ...lib.variables import state, variable_scope
from ...lib.variables.variable_settings import VariableAggregation, VariableSynchronization
from ...lib.variables.variables import Variable
from ...training.sessions import global_step as steps
from .arg_scopes import add_arg_scope

# -- variables are made ---------------------------------------------------------------------------------------------


def local_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """A variable of the collection LOCAL_VARIABLES, which no optimizer changes and no Saver saves."""
    return _in_collection(GraphKeys.LOCAL_VARIABLES, initial_value, validate_shape, name, use_resource)


def global_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """A variable of the collection GLOBAL_VARIABLES, which no optimizer changes."""
    return _in_collection(GraphKeys.GLOBAL_VARIABLES, initial_value, validate_shape, name, use_resource)


def _in_collection(
    collection: str, initial_value: Any, validate_shape: bool, name: str | None, use_resource: bool | None
) -> Any:
    return Variable(
        initial_value=initial_value,
        trainable=False,
        collections=[collection],
        validate_shape=validate_shape,
        name=name,
        use_resource=use_resource,
    )


@add_arg_scope
@atomic
def variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    collections: Any = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    use_resource: bool | None = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:
    """`get_variable` of a variable [shape], with a device of its own.

    collections: GLOBAL_VARIABLES without it. custom_getter: called in place of `get_variable`, with reuse= as the open scope
    has it. Raises: ValueError as `get_variable`.
    """
    collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(dict.fromkeys(collections))
    getter: Any = variable_scope.get_variable
    if custom_getter is not None:
        getter = functools.partial(custom_getter, reuse=variable_scope.get_variable_scope().reuse)
    with device_block(device or ""):
        return getter(
            name,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
            collections=collections,
            caching_device=caching_device,
            partitioner=partitioner,
            use_resource=use_resource,
            synchronization=synchronization,
            aggregation=aggregation,
        )


@add_arg_scope
@atomic
def model_variable(
    name: str,
    shape: Any = None,
    dtype: Any = dtypes.float32,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    collections: Any = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    use_resource: bool | None = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:
    """`variable` [shape] that belongs to GLOBAL_VARIABLES and MODEL_VARIABLES too."""
    return variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=[*(collections or ()), GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES],
        caching_device=caching_device,
        device=device,
        partitioner=partitioner,
        custom_getter=custom_getter,
        use_resource=use_resource,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def add_model_variable(var: Any) -> None:
    """Adds a variable to the model's, once."""
    graph = get_default_graph()
    if var not in graph.get_collection(GraphKeys.MODEL_VARIABLES):
        graph.add_to_collection(GraphKeys.MODEL_VARIABLES, var)


class VariableDeviceChooser:
    """A function for `tf.device` and for device= of variables that spreads nodes over the tasks of a job, round robin.

    num_tasks: 0 places all on the local machine.
    Differs from TF: the nodes of a variable's regularizer, which stay with the variable, do not count.
    """

    def __init__(
        self,
        num_tasks: int = 0,
        job_name: str = "ps",
        device_type: str = "CPU",
        device_index: int = 0,
        replica: int | None = None,
    ) -> None:
        self._job_name = job_name
        self._device_type = device_type
        self._device_index = device_index
        self._replica = replica
        self._num_tasks = num_tasks
        self._next_task_id = 0

    def __call__(self, op: Any) -> str:
        """The device of a new node."""
        place: dict[str, Any] = {"replica": self._replica, "device_type": self._device_type, "device_index": self._device_index}
        if self._num_tasks > 0:
            place |= {"job": self._job_name, "task": self._next_task_id}
            self._next_task_id = (self._next_task_id + 1) % self._num_tasks
        return DeviceSpec(**place).to_string()


def zero_initializer(ref: Any, use_locking: bool = True, name: str | None = "zero_initializer") -> Tensor:
    """Stores zeros in a variable of known shape; returns the variable after that.

    Differs from TF: the node is an Assign, and it also zeroes a variable that holds a value already.
    """
    return state.assign(ref, array.zeros(ref.shape, ref.dtype.base_dtype), use_locking=use_locking, name=name)


# -- variables are chosen -------------------------------------------------------------------------------------------


def get_variables(scope: Any = None, suffix: str | None = None, collection: str = GraphKeys.GLOBAL_VARIABLES) -> list[Any]:
    """The variables of a collection whose names begin with `scope`, a pattern or a variable scope, and end with `suffix`."""
    pattern = scope.name if isinstance(scope, variable_scope.VariableScope) else scope
    if suffix is not None:
        pattern = f"{pattern or ''}.*{suffix}{'' if ':' in suffix else ':'}"
    found: list[Any] = get_default_graph().get_collection(collection, pattern)
    return found


def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """`get_variables` of those that optimizers change."""
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """`get_variables` of the local ones."""
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """`get_variables` of those that were added as a model's."""
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """`get_variables` with the arguments the other way round."""
    return get_variables(scope, suffix)


def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """The variables whose names without scopes are `given_name`."""
    return get_variables(scope, f"/{given_name}:|^{given_name}:")


def get_unique_variable(var_op_name: str) -> Any:
    """The variable of this full name. Raises: ValueError when there is none."""
    candidates = get_variables(var_op_name)
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    if not candidates:
        raise ValueError(error_text(f"Couldn't find variable {var_op_name}"))
    raise ValueError(error_text(f"Variable {var_op_name} does not uniquely identify a variable"))


def get_variable_full_name(var: Any) -> str:
    """The name under which a variable is saved: of a part, that of the whole."""
    part = var._save_slice_info
    name: str = part.full_name if part else var.op.name
    return name


def get_variables_to_restore(include: Any = None, exclude: Any = None) -> list[Any]:
    """The variables below the scopes of `include` (all, without it) that are below none of `exclude`.

    Raises: TypeError for what is no list.
    """
    for name, scopes in (("include", include), ("exclude", exclude)):
        if scopes is not None and not isinstance(scopes, (list, tuple)):
            raise TypeError(error_text(f"{name} is provided but is not a list or a tuple."))
    wanted = [variable for scope in ([None] if include is None else include) for variable in get_variables(scope)]
    unwanted = {variable for scope in exclude or () for variable in get_variables(scope)}
    return [variable for variable in wanted if variable not in unwanted]


def filter_variables(
    var_list: Iterable[Any],
    include_patterns: Iterable[str] | None = None,
    exclude_patterns: Iterable[str] | None = None,
    reg_search: bool = True,
) -> list[Any]:
    """Of `var_list` those whose names match one of `include_patterns` (all, without it) and none of `exclude_patterns`.

    reg_search: a pattern matches anywhere in the name, else at its beginning.
    """
    matches = re.search if reg_search else re.match
    included = None if include_patterns is None else list(include_patterns)
    excluded = list(exclude_patterns or ())
    return [
        variable
        for variable in var_list
        if (included is None or any(matches(pattern, variable.name) for pattern in included))
        and not any(matches(pattern, variable.name) for pattern in excluded)
    ]


def assert_or_get_global_step(graph: Any = None, global_step_tensor: Any = None) -> Any:
    """The given global step, checked; else the graph's."""
    if global_step_tensor is None:
        return steps.get_global_step(graph)
    steps.assert_global_step(global_step_tensor)
    return global_step_tensor


__all__ = [
    "VariableDeviceChooser", "add_model_variable", "assert_or_get_global_step", "filter_variables", "get_local_variables",
    "get_model_variables", "get_trainable_variables", "get_unique_variable", "get_variable_full_name", "get_variables",
    "get_variables_by_name", "get_variables_by_suffix", "get_variables_to_restore", "global_variable", "local_variable",
    "model_variable", "variable", "zero_initializer",
]  # fmt: skip
