"""What messages give the engine's classes: `op.node_def`, `op.op_def`, `graph.as_graph_def()` and the like.

`attach()` is called once, by the package's __init__. Each row of TABLE names the function behind it, whose module (and the
package protobuf with it) is imported when the attribute is first used. No other state.
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

# class, attribute, where its function stands, whether it is a property
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
    (RunMetadata, "SerializeToString", "event_files.serialized_run_metadata", False),
    (RunMetadata, "step_stats", "event_files.step_stats", True),
    (SaveSliceInfo, "to_proto", "collection_messages.slice_to_proto", False),
    (TensorShape, "as_proto", "tensor_messages.as_proto", False),
    (Variable, "to_proto", "collection_messages.to_proto", False),
    (Variable, "_from_proto", "collection_messages.fill_from_proto", False),
)


@functools.cache
def _function(where: str) -> Callable[..., Any]:
    module, _, name = where.partition(".")
    found: Callable[..., Any] = getattr(importlib.import_module(f"{__package__}.{module}"), name)
    return found


class _Later:
    """A method whose module is imported when somebody calls it or asks for its parameters or its text."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.__name__ = self.__qualname__ = where.partition(".")[2]

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _function(self.where)(*args, **kwargs)

    @property
    def __signature__(self) -> inspect.Signature:
        whole = inspect.signature(_function(self.where))
        owner, *rest = whole.parameters.values()
        return whole.replace(parameters=[owner.replace(name="self"), *rest])

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return _function(self.where).__doc__


def attach() -> None:
    """Gives the classes of TABLE what it lists."""
    # staticmethod() and property() read the text of what they are given: of `__call__`, which imports nothing.
    Variable.from_proto = staticmethod(_Later("collection_messages.from_proto").__call__)  # type: ignore[attr-defined]
    for owner, name, where, is_property in TABLE:
        later = _Later(where)
        setattr(owner, name, property(later.__call__) if is_property else later)
