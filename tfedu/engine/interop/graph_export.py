"""Nodes and graphs as messages: `node_def(op)`, `op_def(op)`, `as_graph_def(graph)`.

The messages are those that TF 1.15 writes for the same graph; TensorFlow loads them. No state.
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
from .function_messages import function_def, functions_in

PRODUCER: Final = 134
"""The version of graph files that TF 1.15 writes."""

CONSUMER: Final = 1645
"""The newest version of graph files that tfedu reads: TF 2.15's."""

MAX_BYTES: Final = 1 << 31


def node_text(op: Operation) -> str:
    """The text of `print(op)`: the NodeDef in protobuf's text form."""
    return str(node_def(op))


def node_def(op: Operation, sort_control_inputs: bool = False) -> Any:
    """The node as NodeDef.

    Raises: ValueError for an attribute that no AttrValue can hold.
    """
    message = proto.NodeDef(name=op.name, op=op.type, device=op.device)
    message.input.extend(t.op.name if t.index == 0 else f"{t.op.name}:{t.index}" for t in op.inputs)
    control_inputs = [waited.name for waited in op.control_inputs]
    message.input.extend(f"^{name}" for name in (sorted(control_inputs) if sort_control_inputs else control_inputs))
    kinds = _attr_kinds(op.type)
    for name, value in op.attrs.items():
        dtype = op.attrs.get("dtype") if name == "value" else None
        unfilled = op.__dict__.get("unfilled_value") if name == "value" else None
        try:
            attributes.fill(
                message.attr[name], kinds.get(name), value, dtype if isinstance(dtype, DType) else None, unfilled
            )
        except (TypeError, ValueError, OverflowError, KeyError) as error:
            raise ValueError(
                error_text(f"Attribute '{name}' of node '{op.name}' cannot be written: {error}")
            ) from None
    return message


@functools.cache
def _attr_kinds(type: str) -> dict[str, str]:
    signature = op_signatures.signature(type)
    return {} if signature is None else {a.name: a.kind for a in signature.attrs}


def op_def(op: Operation) -> Any:
    """The node's op type as OpDef, or None for an unknown type."""
    signature = op_signatures.signature(op.type)
    return None if signature is None else op_signatures.op_def_message(signature)


def get_attr(op: Operation, name: str) -> Any:
    """The attribute as TF's `get_attr` returns it: dtypes as DType, strings as bytes, shapes and values as messages.

    Raises: ValueError when the operation has no such attribute.
    """
    if name not in op.attrs:
        raise ValueError(error_text(f"Operation '{op.name}' has no attr named '{name}'."))
    value = op.attrs[name]
    kind = _attr_kinds(op.type).get(name)
    if kind in ("bool", "int", "float", "type", "list(bool)", "list(int)", "list(float)", "list(type)"):
        return list(value) if kind.startswith("list(") else value
    message = proto.AttrValue()
    dtype = op.attrs.get("dtype") if name == "value" else None
    unfilled = op.__dict__.get("unfilled_value")
    attributes.fill(message, kind, value, dtype if isinstance(dtype, DType) else None, unfilled)
    field = message.WhichOneof("value")
    if field is None:
        return []
    if field != "list":
        content = getattr(message, field)
        return dtypes.as_dtype(content) if field == "type" else content
    for descriptor, items in message.list.ListFields():
        return [dtypes.as_dtype(i) for i in items] if descriptor.name == "type" else list(items)
    return []


def set_attr(op: Operation, name: str, value: Any) -> None:
    """Sets an attribute from an AttrValue.

    Raises: ValueError for a value of another kind than the op type declares.
    """
    try:
        op.put_attr(name, attributes.read(_attr_kinds(op.type).get(name), value))
    except attributes.WrongAttr as error:
        raise ValueError(error_text(str(error))) from None
    op.graph.mutations += 1


def read_attrs(graph: Graph, type: str, attrs: dict[str, Any]) -> dict[str, Any]:
    """The attributes passed to `Graph.create_op` as a node of this type stores them: converts AttrValues, keeps the rest.

    Raises: NotFoundError for an unknown op type, ValueError for attributes of another kind and for missing ones.
    """
    signature = op_signatures.signature(type)
    if signature is None:
        text = (
            f"Op type not registered '{type[:200]}' in binary running on localhost. Make sure the Op and Kernel are registered "
            "in the binary running in this process."
        )
        raise errors.NotFoundError(None, None, error_text(text))
    kinds = _attr_kinds(type)
    read: dict[str, Any] = {}
    for name, value in attrs.items():
        if hasattr(value, "WhichOneof"):
            try:
                value = attributes.read(kinds.get(name), value)
            except attributes.WrongAttr as error:
                raise ValueError(error_text(str(error))) from None
            if kinds.get(name) == "tensor":
                value = tensor_messages.read_tensor(None, value)
        read[name] = value
    missing = [a.name for a in signature.attrs if a.explicit and a.required and a.name not in read]
    if missing:
        raise ValueError(
            error_text(f"NodeDef missing attr '{missing[0]}' from {op_signatures.summary(signature)}")
        )
    return read


def versions() -> Any:
    """The versions of a new graph."""
    return proto.VersionDef(producer=PRODUCER)


def as_graph_def(graph: Graph, from_version: int | None = None, add_shapes: bool = False) -> Any:
    """The graph as GraphDef; with `add_shapes` each node has its static shapes in the attribute `_output_shapes`.

    from_version is accepted and, as in TF 1.15, changes nothing.
    Raises: ValueError when the message would be larger than 2 GB.
    """
    with graph._lock:
        nodes = [(op, [t.raw_shape for t in op.outputs]) for op in graph.operations]
    message = proto.GraphDef()
    message.versions.CopyFrom(graph_versions(graph))
    size = 0
    for op, shapes in nodes:
        node = node_def(op, sort_control_inputs=True)
        if add_shapes and shapes:
            _add_shapes(node, shapes)
        size += node.ByteSize()
        if size >= MAX_BYTES:
            raise ValueError(error_text("GraphDef cannot be larger than 2GB."))
        message.node.append(node)
    message.library.function.extend(function_def(each, node_def) for each in functions_in([op for op, _ in nodes]))
    if not message.library.function:
        message.ClearField("library")
    return message


def _add_shapes(node: Any, shapes: list[Shape]) -> None:
    shape_list = node.attr["_output_shapes"].list
    for raw in shapes:
        tensor_messages.fill_shape(shape_list.shape.add(), raw)


def graph_versions(graph: Graph) -> Any:
    """The versions of a graph: those of a new one, or merged with those of imported files."""
    merged = graph.__dict__.get("_versions")
    return versions() if merged is None else merged


def set_graph_versions(graph: Graph, versions: Any) -> None:
    """Sets the graph's versions."""
    graph.__dict__["_versions"] = versions
