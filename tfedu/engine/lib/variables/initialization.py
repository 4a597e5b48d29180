"""Initialization of variables: `global_variables_initializer()` builds the one operation that initializes them all.

Also reports of uninitialized variables, and older names. No state but the graph's collections.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...op.constant import constant
from ...ops import basic
from ...ops.array import rank
from ...ops.state import is_reference_variable
from ..arrays import array, slicing
from ..control.grouping import group, no_op
from ..framework.scope_blocks import named
from ..math import math
from . import state
from .variables import global_variables, local_variables


def variables_initializer(var_list: Iterable[Any], name: str = "init") -> Operation:
    """One operation that initializes the variables of the list."""
    variables = list(var_list or ())
    return group(*[v.initializer for v in variables], name=name) if variables else no_op(name=name)


def global_variables_initializer() -> Operation:
    """One operation that initializes the global variables that exist now."""
    return variables_initializer(global_variables())


def local_variables_initializer() -> Operation:
    """One operation that initializes the local variables that exist now."""
    return variables_initializer(local_variables())


def initialize_all_variables() -> Operation:
    """The older name of `global_variables_initializer`."""
    return global_variables_initializer()


def initialize_local_variables() -> Operation:
    """The older name of `local_variables_initializer`."""
    return local_variables_initializer()


def initialize_variables(var_list: Iterable[Any], name: str = "init") -> Operation:
    """The older name of `variables_initializer`."""
    return variables_initializer(var_list, name=name)


def _listed_or_all(var_list: Iterable[Any] | None) -> list[Any]:
    if var_list is not None:
        return list(var_list)
    variables = global_variables() + local_variables()
    if not variables:
        graph = get_default_graph()
        variables = [op.outputs[0] for op in graph.operations if is_reference_variable(op)]
    return variables


@atomic
def report_uninitialized_variables(
    var_list: Iterable[Any] | None = None, name: str = "report_uninitialized_variables"
) -> Tensor:
    """The names of the uninitialized variables, a string vector [count]."""
    variables = _listed_or_all(var_list)
    graph = get_default_graph()
    with named(name, name):
        flags = [state.is_variable_initialized(v) for v in variables]
        with graph.device("/cpu:0"):
            if not variables:
                return constant([], dtype="string")
            missing = math.logical_not(array.stack(flags))
            names = constant([v.op.name for v in variables])
            uninitialized_names: Tensor = slicing.boolean_mask(names, missing)
            return uninitialized_names


def is_variable_initialized(variable: Any) -> Tensor:
    """Whether the variable is initialized, a bool scalar."""
    return state.is_variable_initialized(variable)


@atomic
def assert_variables_initialized(var_list: Iterable[Any] | None = None) -> Any:
    """A tensor that a run can compute only when the variables are initialized: [count], a scalar for one; None
    without variables.
    """
    variables = _listed_or_all(var_list)
    if not variables:
        return None
    graph = get_default_graph()
    ranks = []
    for variable in variables:
        with graph.colocate_with(variable.op):
            ranks.append(rank(variable))
    return ranks[0] if len(ranks) == 1 else basic.pack(ranks, name="stack")


__all__ = [
    "assert_variables_initialized",
    "global_variables_initializer",
    "initialize_all_variables",
    "initialize_local_variables",
    "initialize_variables",
    "is_variable_initialized",
    "local_variables_initializer",
    "report_uninitialized_variables",
    "variables_initializer",
]
