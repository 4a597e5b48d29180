"""Resources and tables that a graph initializes before use, kept in its collections. No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...op.constant import constant
from ..arrays import array, slicing
from ..control.grouping import group, no_op
from ..framework.graph_keys import GraphKeys
from ..framework.scope_blocks import name_scope
from ..math import math


def shared_resources() -> list[Any]:
    """The resources that a cluster's machines share."""
    return get_default_graph().get_collection(GraphKeys.RESOURCES)


def local_resources() -> list[Any]:
    """The resources of this machine."""
    return get_default_graph().get_collection(GraphKeys.LOCAL_RESOURCES)


def initialize_resources(resource_list: list[Any], name: str = "init") -> Operation:
    """One operation that creates the resources of the list."""
    return group(*[resource.create for resource in resource_list], name=name) if resource_list else no_op(name)


@atomic
def report_uninitialized_resources(
    resource_list: list[Any] | None = None, name: str = "report_uninitialized_resources"
) -> Tensor:
    """The names of the uninitialized resources, a string vector [count]."""
    resources = shared_resources() + local_resources() if resource_list is None else resource_list
    with name_scope(name), get_default_graph().device("/cpu:0"):
        if not resources:
            return constant([], dtype="string")
        missing = math.logical_not(array.stack([resource.is_initialized for resource in resources]))
        return slicing.boolean_mask(constant([resource.handle.name for resource in resources]), missing)


def tables_initializer(name: str = "init_all_tables") -> Operation:
    """One operation that initializes all tables of the graph."""
    initializers = get_default_graph().get_collection(GraphKeys.TABLE_INITIALIZERS)
    return group(*initializers, name=name) if initializers else no_op(name)


def initialize_all_tables(name: str = "init_all_tables") -> Operation:
    """The older name of `tables_initializer`."""
    return tables_initializer(name)


__all__ = ["initialize_all_tables", "tables_initializer"]
