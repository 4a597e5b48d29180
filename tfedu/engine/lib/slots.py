"""Slots: variables that accompany another one, as `w/ExponentialMovingAverage` its moving average.

A slot's name is its primary's, a slash and the slot's own, made unique among slots; it goes where its primary goes.
State: the graph's collection `("__varscope",)`, how often each scope of variables was opened.
"""

from __future__ import annotations

import functools
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ..graph.graph import Graph
from ..graph.stacks import get_default_graph
from . import array, state
from .cond import cond
from .initializers import Zeros
from .resource_variables import BaseResourceVariable
from .scope import named
from .variables import Variable

_SCOPES = ("__varscope",)


def _opened(graph: Graph, scope: str) -> str:
    """`scope`, or `scope_1`, … when it was opened before; now it is."""
    kept = graph.get_collection_ref(_SCOPES)
    if not kept:
        kept.append({})
    counts: dict[str, int] = kept[0]
    found, index = scope, 0
    while counts.get(found):
        index += 1
        found = f"{scope}_{index}"
    counts[found] = 1
    return found


def variable_in_scope(name: str, initial: Any, **options: Any) -> Any:
    """A variable whose name does not depend on the name scope in force; `name` with a slash at its end is taken as it is."""
    with get_default_graph().name_scope(None):
        return Variable(initial, name=name, **options)


def _slot(primary: Any, initial: Any, name: str, colocate: bool, validate_shape: bool = True) -> Any:
    graph = get_default_graph()
    with named(None, f"{primary.op.name}/{name}"):
        scope = _opened(graph, f"{primary.op.name}/{name}")
        where: AbstractContextManager[Any] = graph.colocate_with(primary) if colocate else nullcontext()
        with where:
            return variable_in_scope(
                f"{scope}/", initial, trainable=False, validate_shape=validate_shape,
                use_resource=isinstance(primary, BaseResourceVariable),
            )  # fmt: skip


def create_slot(primary: Any, value: Any, name: str, colocate_with_primary: bool = True) -> Any:
    """A slot of `primary` that starts as the tensor `value`."""
    return _slot(primary, value, name, colocate_with_primary, value.shape.is_fully_defined())


def create_zeros_slot(primary: Any, name: str, dtype: Any = None, colocate_with_primary: bool = True) -> Any:
    """A slot of primary's shape that starts at zero."""
    kind = primary.dtype.base_dtype if dtype is None else dtype
    if primary.shape.is_fully_defined():
        initial = functools.partial(Zeros(), primary.shape.as_list(), dtype=kind)
        return _slot(primary, initial, name, colocate_with_primary)
    like = primary
    if isinstance(primary, Variable):
        like = cond(state.is_variable_initialized(primary), primary.read_value, lambda: primary.initial_value)
    return create_slot(primary, array.zeros(array.shape(like), kind), name, colocate_with_primary)


__all__ = ["create_slot", "create_zeros_slot", "variable_in_scope"]
