"""Nodes and graphs as messages: `node_def(op)`, `op_def(op)`, `as_graph_def(graph)`.

What they hold is what TF 1.15 writes for the same graph; a file of them loads into TensorFlow. No state.
"""

from __future__ import annotations

import functools
from typing import Any, Final

from ..base import dtypes, errors, proto
from ..base.dtypes import DType
from ..base.errors import error_text
from ..base.shapes import Shape
from ..graph.graph import Graph
from ..graph.nodes import Operation
from . import attr_messages as attributes
from . import op_signatures, tensor_messages

PRODUCER: Final = 134
"""The version of graph files that TF 1.15 writes."""

CONSUMER: Final = 1645
"""The newest version of graph files that is read: TF 2.15's."""

MOST: Final = 1 << 31


def node_text(op: Operation) -> str:
    """What `print(op)` shows: the NodeDef in protobuf's text form."""
    return str(node_def(op))


def node_def(op: Operation, sort_waits: bool = False) -> Any:
    """The node as NodeDef."""
    message = proto.NodeDef(name=op.name, op=op.type, device=op.device)
    message.input.extend(t.op.name if t.index == 0 else f"{t.op.name}:{t.index}" for t in op.inputs)
    waits = [waited.name for waited in op.control_inputs]
    message.input.extend(f"^{name}" for name in (sorted(waits) if sort_waits else waits))
    kinds = _kinds(op.type)
    for name, value in op.attrs.items():
        dtype = op.attrs.get("dtype") if name == "value" else None
        given = op.__dict__.get("given_value") if name == "value" else None
        try:
            attributes.fill(
                message.attr[name], kinds.get(name), value, dtype if isinstance(dtype, DType) else None, given
            )
        except (TypeError, ValueError, OverflowError, KeyError) as error:
            raise ValueError(
                error_text(f"Attribute '{name}' of node '{op.name}' cannot be written: {error}")
            ) from None
    return message


@functools.cache
def _kinds(type: str) -> dict[str, str]:
    found = op_signatures.signature(type)
    return {} if found is None else {a.name: a.kind for a in found.attrs}


def op_def(op: Operation) -> Any:
    """The node's op type as OpDef, or None when nobody knows the type."""
    found = op_signatures.signature(op.type)
    return None if found is None else op_signatures.op_def_message(found)


def get_attr(op: Operation, name: str) -> Any:
    """The attribute as TF's `get_attr` gives it: dtypes as DType, strings as bytes, shapes and values as messages.

    Raises: ValueError when the operation has no such attribute.
    """
    if name not in op.attrs:
        raise ValueError(error_text(f"Operation '{op.name}' has no attr named '{name}'."))
    value = op.attrs[name]
    kind = _kinds(op.type).get(name)
    if kind in ("bool", "int", "float", "type", "list(bool)", "list(int)", "list(float)", "list(type)"):
        return list(value) if kind.startswith("list(") else value
    message = proto.AttrValue()
    dtype = op.attrs.get("dtype") if name == "value" else None
    attributes.fill(message, kind, value, dtype if isinstance(dtype, DType) else None, op.__dict__.get("given_value"))
    field = message.WhichOneof("value")
    if field is None:
        return None
    if field != "list":
        found = getattr(message, field)
        return dtypes.as_dtype(found) if field == "type" else found
    for held, items in message.list.ListFields():
        return [dtypes.as_dtype(i) for i in items] if held.name == "type" else list(items)
    return []


def set_attr(op: Operation, name: str, value: Any) -> None:
    """Sets an attribute from an AttrValue.

    Raises: ValueError when it is not what the op type declares.
    """
    try:
        op.put_attr(name, attributes.read(_kinds(op.type).get(name), value))
    except attributes.WrongAttr as error:
        raise ValueError(error_text(str(error))) from None
    op.graph.mutations += 1


def read_attrs(graph: Graph, type: str, given: dict[str, Any]) -> dict[str, Any]:
    """The attributes given to `Graph.create_op` as a node of that type keeps them: AttrValues are read, the rest stays.

    Raises: NotFoundError for a type that TF has not, ValueError for what the type does not declare so or lacks.
    """
    found = op_signatures.signature(type)
    if found is None:
        text = (
            f"Op type not registered '{type[:200]}' in binary running on localhost. Make sure the Op and Kernel are registered "
            "in the binary running in this process."
        )
        raise errors.NotFoundError(None, None, error_text(text))
    kinds = _kinds(type)
    read: dict[str, Any] = {}
    for name, value in given.items():
        if hasattr(value, "WhichOneof"):
            try:
                value = attributes.read(kinds.get(name), value)
            except attributes.WrongAttr as error:
                raise ValueError(error_text(str(error))) from None
            if kinds.get(name) == "tensor":
                value = tensor_messages.stored_value(value)[0]
        read[name] = value
    missing = [a.name for a in found.attrs if a.explicit and a.required and a.name not in read]
    if missing:
        raise ValueError(
            error_text(f"NodeDef missing attr '{missing[0]}' from {op_signatures.summary(found)}")
        )
    return read


def versions() -> Any:
    """The versions that a graph made here claims."""
    return proto.VersionDef(producer=PRODUCER)


def as_graph_def(graph: Graph, from_version: int | None = None, add_shapes: bool = False) -> Any:
    """The graph as GraphDef; with `add_shapes` each node tells its static shapes in the attribute `_output_shapes`.

    from_version is accepted and, as in TF 1.15, changes nothing.
    Raises: ValueError when the message would be larger than 2 GB.
    """
    with graph._lock:
        nodes = [(op, [t.raw_shape for t in op.outputs]) for op in graph.operations]
    message = proto.GraphDef()
    message.versions.CopyFrom(graph_versions(graph))
    size = 0
    for op, shapes in nodes:
        node = node_def(op, sort_waits=True)
        if add_shapes and shapes:
            _note_shapes(node, shapes)
        size += node.ByteSize()
        if size >= MOST:
            raise ValueError(error_text("GraphDef cannot be larger than 2GB."))
        message.node.append(node)
    return message


def _note_shapes(node: Any, shapes: list[Shape]) -> None:
    listed = node.attr["_output_shapes"].list
    for raw in shapes:
        tensor_messages.fill_shape(listed.shape.add(), raw)


def graph_versions(graph: Graph) -> Any:
    """The graph's versions: its own, or those of a file that was loaded into it."""
    found = graph.__dict__.get("_versions")
    return versions() if found is None else found


def set_graph_versions(graph: Graph, versions: Any) -> None:
    """Lets the graph claim these versions."""
    graph.__dict__["_versions"] = versions
