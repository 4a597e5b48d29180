"""Attributes that interop adds to the engine's classes: `op.node_def`, `op.op_def`, `graph.as_graph_def()` and others.

The package's __init__ calls `attach()` once. Each row of TABLE names the function behind an attribute; its module (and with
it the package protobuf) is imported when the attribute is first used. No other state.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import types
from collections.abc import Callable
from typing import Any, Final

from ..base.shapes import TensorShape
from ..graph.graph import Graph
from ..graph.nodes import Operation
from ..lib.variables.variable_settings import SaveSliceInfo
from ..lib.variables.variables import Variable
from ..runtime.config import RunMetadata

# class, attribute, its function as module.name, whether it is a property
TABLE: Final[tuple[tuple[type, str, str, bool], ...]] = (
    (Operation, "node_def", "graph_export.node_def", True),
    (Operation, "__str__", "graph_export.node_text", False),
    (Operation, "op_def", "graph_export.op_def", True),
    (Operation, "get_attr", "graph_export.get_attr", False),
    (Operation, "_set_attr", "graph_export.set_attr", False),
    (Graph, "_read_attrs", "graph_export.read_attrs", False),
    (Graph, "_read_tensor", "tensor_messages.read_tensor", False),
    (Graph, "as_graph_def", "graph_export.as_graph_def", False),
    (Graph, "graph_def_versions", "graph_export.graph_versions", True),
    (RunMetadata, "HasField", "run_metadata.has_field", False),
    (RunMetadata, "SerializeToString", "run_metadata.serialized_run_metadata", False),
    (RunMetadata, "__str__", "run_metadata.text", False),
    (RunMetadata, "cost_graph", "run_metadata.cost_graph", True),
    (RunMetadata, "partition_graphs", "partition_graphs.partition_graphs", True),
    (RunMetadata, "step_stats", "run_metadata.step_stats", True),
    (RunMetadata, "device_times", "run_metadata.device_times", True),
    (RunMetadata, "device_memory", "run_metadata.device_memory", True),
    (SaveSliceInfo, "to_proto", "collection_messages.slice_to_proto", False),
    (TensorShape, "as_proto", "tensor_messages.as_proto", False),
    (Variable, "to_proto", "collection_messages.to_proto", False),
    (Variable, "_from_proto", "collection_messages.fill_from_proto", False),
)


@functools.cache
def _function(path: str) -> Callable[..., Any]:
    module, _, name = path.partition(".")
    function: Callable[..., Any] = getattr(importlib.import_module(f"{__package__}.{module}"), name)
    return function


class _LazyMethod:
    """A method whose module is imported by the first call, or by a look at its signature or docstring."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.__name__ = self.__qualname__ = path.partition(".")[2]

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _function(self.path)(*args, **kwargs)

    @property
    def __signature__(self) -> inspect.Signature:
        signature = inspect.signature(_function(self.path))
        owner, *rest = signature.parameters.values()
        return signature.replace(parameters=[owner.replace(name="self"), *rest])

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return _function(self.path).__doc__


def attach() -> None:
    """Adds the attributes of TABLE to its classes."""
    # staticmethod() and property() read the docstring of their function: `__call__` has none, so nothing is imported.
    Variable.from_proto = staticmethod(_LazyMethod("collection_messages.from_proto").__call__)  # type: ignore[attr-defined]
    RunMetadata.FromString = staticmethod(_LazyMethod("run_metadata.from_string").__call__)  # type: ignore[attr-defined]
    for owner, name, path, is_property in TABLE:
        method = _LazyMethod(path)
        setattr(owner, name, property(method.__call__) if is_property else method)
