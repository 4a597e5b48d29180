"""`tensorflow.python.ops.resources`: the collections of what has to be made before a run, such as tables. No state."""

from __future__ import annotations

from typing import Any

from ..engine.graph import Operation, get_default_graph
from ..engine.lib.flow import group

SHARED, LOCAL = "resources", "local_resources"


def shared_resources() -> list[Any]:
    """The resources that a cluster's machines share."""
    return get_default_graph().get_collection(SHARED)


def local_resources() -> list[Any]:
    """The resources of this machine."""
    return get_default_graph().get_collection(LOCAL)


def initialize_resources(resource_list: list[Any], name: str = "init") -> Operation:
    """One operation that makes them all."""
    return group(*[resource.create for resource in resource_list], name=name)
