"""The door for graphs of other libraries: `drawable(obj)` is the record of one, or the graph of a GraphDef message.

An object is known by the names of its class and its classes' modules, so that no library is imported to ask; the adapter's module
is imported when such an object comes. No state.
"""

from __future__ import annotations

import importlib
import re
from typing import Any, Final, NamedTuple

from ..records import GraphRecord


class Kind(NamedTuple):
    """Objects that an adapter reads. package: that of their class; classes: its names. adapter: module and function."""

    package: str
    classes: tuple[str, ...]
    adapter: tuple[str, str]


KINDS: Final = (
    Kind("onnx", ("ModelProto", "GraphProto", "FunctionProto"), ("onnx_graphs", "record_of_model")),
    Kind("torch.fx", ("GraphModule",), ("fx_graphs", "record_of_module")),
    Kind("torch.fx", ("Graph",), ("fx_graphs", "record_of_graph")),
    Kind("torch.export", ("ExportedProgram",), ("fx_graphs", "record_of_program")),
    Kind("jax", ("ClosedJaxpr", "Jaxpr"), ("jaxprs", "record_of_jaxpr")),
    Kind("jax", ("Traced",), ("jaxprs", "record_of_traced")),
    Kind("jax", ("Lowered",), ("stablehlo_modules", "record_of_lowered")),
    Kind("jax", ("Compiled",), ("hlo_text", "record_of_compiled")),
    Kind("keras", ("Model",), ("keras3_models", "record_of_keras3")),
    Kind("networkx", ("DiGraph", "Graph"), ("networkx_graphs", "record_of_digraph")),
)
# The messages of TensorFlow's files, tfedu's own or TensorFlow's.
_MESSAGE: Final = re.compile(r"(?:tensorflow|tfedu)\.(?:GraphDef|MetaGraphDef|SavedModel)")
# How a text begins, and its adapter.
_TEXTS: Final = (
    (re.compile(r"\s*HloModule\b"), "hlo_text", "record_of_hlo"),
    (
        re.compile(r"(?:\s*(?://|#)[^\n]*\n)*\s*(?:builtin\.)?module\b"),
        "stablehlo_modules",
        "record_of_stablehlo",
    ),
)


def drawable(obj: Any) -> Any:
    """The record of a graph of another library, or of its text; the graph of a GraphDef; any other object as it is.

    Raises: as the adapters, GraphReadError for what is damaged and ResourceExhaustedError for what is beyond the budget.
    """
    if isinstance(obj, str):
        return record_of_text(obj)
    if _MESSAGE.fullmatch(str(getattr(getattr(obj, "DESCRIPTOR", None), "full_name", ""))):
        from .graph_messages import graph_of_message

        return graph_of_message(obj)
    for kind in KINDS:
        if any(
            cls.__name__ in kind.classes and f"{cls.__module__}.".startswith(f"{kind.package}.")
            for cls in type(obj).__mro__
        ):
            return _adapter(*kind.adapter)(obj)
    return obj


def record_of_text(text: str) -> GraphRecord:
    """The record of StableHLO text or HLO text. Raises: TypeError for any other text; as the adapters."""
    for begins, *adapter in _TEXTS:
        if begins.match(text):
            record: GraphRecord = _adapter(*adapter)(text)
            return record
    raise TypeError(
        "cannot show this text: expected StableHLO (`module …`) or HLO (`HloModule …`), as jax.jit(f).lower(x) gives"
    )


def _adapter(module: str, function: str) -> Any:
    return getattr(importlib.import_module(f".{module}", __package__), function)


__all__ = ["KINDS", "drawable", "record_of_text"]
