"""The names that a program gives its loop variables: those of the parameters of the loop's functions.

`variable_names(functions, loop_vars)` has one name for each tensor, for pictures of the loop. No state.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..framework import nest


def variable_names(functions: Iterable[Callable[..., Any]], loop_vars: Any) -> list[str]:
    """A name for each tensor of the loop variables: i, state.c, pair.0; "" where no function names the variable.

    functions: the body first, then the condition; a parameter such as `_` names nothing.
    """
    if isinstance(loop_vars, Mapping):
        values, candidates = nest.parts_of(loop_vars), [[str(key) for key in nest.keys_of(loop_vars)]]
    else:
        values, candidates = list(loop_vars), [_parameters(function) for function in functions]
    names = []
    for place, value in enumerate(values):
        given = (row[place] for row in candidates if place < len(row))
        name = next((name for name in given if name.strip("_")), "")
        leaves = list(_paths(value))
        # The one tensor in a structure needs no more than the structure's name.
        names += [name] if len(leaves) == 1 else [name and ".".join((name, *path)) for path in leaves]
    return names


def _parameters(function: Callable[..., Any]) -> list[str]:
    """The names of the positional parameters; none for a function that has no signature."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [
        parameter.name
        for parameter in parameters
        if parameter.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    ]


def _paths(value: Any) -> Iterator[tuple[str, ...]]:
    """The path to each tensor of a loop variable, in the order of `nest.flatten`."""
    if not nest.is_structure(value, expand=True):
        yield ()
        return
    parts = nest.parts_of(value)
    if isinstance(value, Mapping):
        keys: Iterable[Any] = nest.keys_of(value)
    else:
        keys = getattr(value, "_fields", range(len(parts)))
    for key, part in zip(keys, parts):
        for path in _paths(part):
            yield (str(key), *path)


__all__ = ["variable_names"]
