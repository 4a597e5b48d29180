"""The `with` blocks of the default graph: `name_scope`, `control_dependencies`, `device`, `colocate_with`.

Public functions use `named(name, "Mean", values)`, which returns the scope string for their node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ...graph.default_graph import get_default_graph
from ...graph.scopes import ControlBlock
from ...op.name_scopes import name_scope, named, waiting_for


def op_scope(values: Iterable[Any] | None, name: str | None, default_name: str | None = None) -> name_scope:
    """`name_scope` with its arguments in the older order."""
    return name_scope(name, default_name, values)


def control_dependencies(control_inputs: Iterable[Any] | None) -> ControlBlock:
    """`with control_dependencies([a, b]):` nodes *built inside* run after a and b; None clears the outer blocks.

    Raises: TypeError for an item that is not an operation, tensor or variable.
    """
    return get_default_graph().control_dependencies(control_inputs)


def device(device_name_or_function: Any) -> AbstractContextManager[None]:
    """`with device("/gpu:0"):` requests this device for new nodes; inner blocks override field by field, None
    ignores outer blocks.
    """
    return get_default_graph().device(device_name_or_function)


def colocate_with(op: Any, ignore_existing: bool = False) -> AbstractContextManager[None]:
    """`with colocate_with(op):` places new nodes on the device of `op`."""
    return get_default_graph().colocate_with(op, ignore_existing)


def container(container_name: str) -> AbstractContextManager[str]:
    """`with container("experiment"):` new stateful nodes keep their resources in a container of that name."""
    return get_default_graph().container(container_name)


@contextmanager
def init_scope() -> Iterator[None]:
    """`with init_scope():` nodes built inside have no control inputs and belong to no branch or loop; the name scope
    stays.
    """
    graph = get_default_graph()
    scope = graph.get_name_scope()
    with graph.name_scope(f"{scope}/" if scope else None), waiting_for(None):
        yield


__all__ = [
    "colocate_with", "container", "control_dependencies", "device", "init_scope", "name_scope", "named",
    "op_scope", "waiting_for",
]  # fmt: skip
