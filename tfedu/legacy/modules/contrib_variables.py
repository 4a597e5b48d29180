"""`tf.contrib.framework`'s ways to choose among variables: by the beginning, the end or a pattern of their names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ...engine.graph.default_graph import get_default_graph as _default_graph
from ...engine.lib.framework.graph_keys import GraphKeys as _Keys
from ...engine.lib.variables.variable_scope import VariableScope as _Scope
from ...engine.training.sessions import global_step as _steps


def get_variables(scope: Any = None, suffix: str | None = None, collection: str = _Keys.GLOBAL_VARIABLES) -> list[Any]:
    """The variables of a collection whose names begin with `scope`, a pattern or a variable scope, and end with `suffix`."""
    pattern = scope.name if isinstance(scope, _Scope) else scope
    if suffix is not None:
        pattern = f"{pattern or ''}.*{suffix}{'' if ':' in suffix else ':'}"
    found: list[Any] = _default_graph().get_collection(collection, pattern)
    return found


def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """`get_variables` of those that optimizers change."""
    return get_variables(scope, suffix, _Keys.TRAINABLE_VARIABLES)


def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """`get_variables` of the local ones."""
    return get_variables(scope, suffix, _Keys.LOCAL_VARIABLES)


def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """`get_variables` of those that were added as a model's."""
    return get_variables(scope, suffix, _Keys.MODEL_VARIABLES)


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
        raise ValueError(f"Couldn't find variable {var_op_name}")
    raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")


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
            raise TypeError(f"{name} is provided but is not a list or a tuple.")
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


def add_model_variable(var: Any) -> None:
    """Adds a variable to the model's, once."""
    graph = _default_graph()
    if var not in graph.get_collection(_Keys.MODEL_VARIABLES):
        graph.add_to_collection(_Keys.MODEL_VARIABLES, var)


def assert_or_get_global_step(graph: Any = None, global_step_tensor: Any = None) -> Any:
    """The given global step, checked; else the graph's."""
    if global_step_tensor is None:
        return _steps.get_global_step(graph)
    _steps.assert_global_step(global_step_tensor)
    return global_step_tensor


__all__ = [
    "add_model_variable", "assert_or_get_global_step", "filter_variables", "get_local_variables",
    "get_model_variables", "get_trainable_variables", "get_unique_variable", "get_variable_full_name",
    "get_variables", "get_variables_by_name", "get_variables_by_suffix", "get_variables_to_restore",
]  # fmt: skip
