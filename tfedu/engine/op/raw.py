"""`raw("MatMul")`: the function that adds one node of a type; it takes inputs and attributes by keyword, under TF's names.

State: `_functions`, a cache by op type.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from ..base.errors import error_text
from ..base.suggest import nearest
from .create import build
from .definition import REGISTRY, OpDef

_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])")

_functions: dict[str, Callable[..., Any]] = {}


def raw(type: str) -> Callable[..., Any]:
    """The function that adds nodes of this type.

    Raises: AttributeError when there is no such op type.
    """
    function = _functions.get(type)
    if function is None:
        definition = REGISTRY.get(type)
        if definition is None:
            near = None if type.startswith("_") else nearest(type, REGISTRY.whole())
            fix = f". Did you mean '{near}'?" if near else ""
            raise AttributeError(f"module 'tensorflow.raw_ops' has no attribute '{type}'{fix}")
        function = _functions[type] = _function(definition)
    return function


def _function(d: OpDef) -> Callable[..., Any]:
    names = [arg.name for arg in d.inputs] + [attr.name for attr in d.explicit]
    parameter_names = {d.raw_names.get(name, name): name for name in names}
    keys = list(parameter_names)
    defaults = {key: d.defaults[name] for key, name in parameter_names.items() if name in d.defaults}
    required = [key for key in keys if key not in defaults]
    function_name = _WORD.sub("_", d.type).lower()

    def call(*args: Any, name: str | None = None, **arguments: Any) -> Any:
        problem = None
        if args:
            problem = (
                f"{function_name} only takes keyword args (possible keys: {[*keys, 'name']}). Please pass these args as kwargs "
                "instead."
            )
        elif unknown := [key for key in arguments if key not in keys]:
            problem = f"{function_name}() got an unexpected keyword argument '{unknown[0]}'"
        elif missing := [key for key in required if key not in arguments]:
            problem = (
                f"{function_name}() missing {len(missing)} required positional argument{'s' if len(missing) > 1 else ''}: "
                + _listed([f"'{key}'" for key in missing])
            )
        if problem is not None:
            raise TypeError(error_text(problem))
        call_arguments = {parameter_names[key]: value for key, value in arguments.items()}
        inputs = tuple([call_arguments.pop(a.name) for a in d.inputs])
        return build(d, inputs, {**d.defaults, **call_arguments}, name)

    call.__name__ = call.__qualname__ = function_name
    call.__doc__ = d.doc
    call.__module__ = "tensorflow.raw_ops"
    call.__signature__ = inspect.Signature([  # type: ignore[attr-defined]
        inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default)
        for key, default in [*[(key, defaults.get(key, inspect.Parameter.empty)) for key in keys], ("name", None)]
    ])  # fmt: skip
    return call


def _listed(words: list[str]) -> str:
    """The words as Python lists arguments: a and b; a, b, and c."""
    if len(words) < 3:
        return " and ".join(words)
    return f"{', '.join(words[:-1])}, and {words[-1]}"


__all__ = ["raw"]
