"""What counts as a node of a graph: operations, tensors, their names, and objects that say so themselves.

An object of a higher layer (a variable) offers `_as_graph_element()`; a composite (IndexedSlices, SparseTensor)
has `.op`. So this layer need not know their classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base.suggest import nearest
from .nodes import Operation, Tensor

if TYPE_CHECKING:
    from .graph import Graph


def graph_element(graph: Graph, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
    """See Graph.as_graph_element."""
    if allow_tensor and allow_operation:
        wanted = "Tensor or Operation"
    elif allow_tensor:
        wanted = "Tensor"
    elif allow_operation:
        wanted = "Operation"
    else:
        raise ValueError("allow_tensor and allow_operation can't both be False.")

    convert = getattr(obj, "_as_graph_element", None)
    if convert is not None:
        obj = convert()
    if isinstance(obj, bytes):
        obj = obj.decode("utf-8", "replace")
    if isinstance(obj, str):
        return _by_name(graph, obj, wanted, allow_tensor, allow_operation)
    if (isinstance(obj, Tensor) and allow_tensor) or (isinstance(obj, Operation) and allow_operation):
        if obj.graph is not graph:
            kind = "Tensor" if isinstance(obj, Tensor) else "Operation"
            raise ValueError(f"{kind} {obj} is not an element of this graph.")
        return obj
    raise TypeError(f"Can not convert a {type(obj).__name__} into a {wanted}.")


def _by_name(graph: Graph, name: str, wanted: str, allow_tensor: bool, allow_operation: bool) -> Any:
    shown = name if len(name) <= 200 else f"{name[:200]}…"
    if ":" in name and allow_tensor:
        op_name, _, index_text = name.partition(":")
        if not (index_text.isascii() and index_text.isdigit()):
            raise ValueError(
                f"The name {shown!r} looks a like a Tensor name, but is not a valid one. "
                'Tensor names must be of the form "<op_name>:<output_index>".'
            )
        op = graph._by_name.get(op_name)
        if op is None:
            raise KeyError(
                f"The name {shown!r} refers to a Tensor which does not exist. The operation, "
                f"{op_name[:200]!r}, does not exist in the graph.{_near(graph, op_name)}"
            )
        if int(index_text) >= len(op.outputs):
            raise KeyError(
                f"The name {shown!r} refers to a Tensor which does not exist. The operation, "
                f"{op_name!r}, exists but only has {len(op.outputs)} outputs."
            )
        return op.outputs[int(index_text)]
    if ":" in name:
        raise ValueError(f"Name {shown!r} appears to refer to a Tensor, not a {wanted}.")
    op = graph._by_name.get(name)
    if allow_operation:
        if op is None:
            raise KeyError(f"The name {shown!r} refers to an Operation not in the graph.{_near(graph, name)}")
        return op
    if op is not None:
        raise ValueError(
            f"The name {shown!r} refers to an Operation, not a {wanted}. "
            'Tensor names must be of the form "<op_name>:<output_index>".'
        )
    raise ValueError(
        f"The name {shown!r} looks like an (invalid) Operation name, not a {wanted}. "
        'Tensor names must be of the form "<op_name>:<output_index>".'
    )


def _near(graph: Graph, name: str) -> str:
    # Looking through a huge graph for a near miss would cost more than it tells.
    if len(graph._by_name) > 10_000 or len(name) > 200:
        return ""
    near = nearest(name, graph._by_name)
    return f" Did you mean {near!r}?" if near else ""


def as_operation(graph: Graph, obj: Any) -> Operation:
    """The operation to wait for: the object itself, a tensor's, a variable's or a composite's.

    An object may say with `_as_control_input()` what waiting for it means: for a variable it is no read of it.
    """
    waited = getattr(obj, "_as_control_input", None)
    if waited is not None:
        obj = waited()
    element = graph_element(graph, obj)
    return element.op if isinstance(element, Tensor) else element
