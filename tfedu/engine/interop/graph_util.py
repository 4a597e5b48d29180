"""Functions on GraphDef messages: extract a part, freeze variables into constants, remove nodes that only training needs.

`frozen = convert_variables_to_constants(session, graph.as_graph_def(), ["y"])` is a graph that needs no checkpoint.
No function changes its argument. No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ..base import dtypes, proto
from ..base.errors import error_text
from ..base.shapes import TensorShape
from ..graph.graph import Graph
from ..graph.nodes import Operation
from ..ops.state import VARIABLES
from .graph_import import import_graph_def
from .tensor_messages import make_tensor_proto

_VARIABLE_OPS: Final = frozenset(
    ("Assign", "AssignAdd", "AssignSub", "Queue", "ScatterAdd", "ScatterSub", "ScatterUpdate", "TruncatedNormal",
     "Variable", "VariableV2")
)  # fmt: skip
_FORWARDING: Final = frozenset(("Switch", "Enter", "Exit", "Identity", "Merge", "NextIteration"))
_HOST_ONLY: Final = {"Const": ("dtype", (dtypes.string, dtypes.int32)), "Cast": ("SrcT", (dtypes.int32,)),
                     "DynamicStitch": ("T", (dtypes.int32,)), "ParallelDynamicStitch": ("T", (dtypes.int32,))}  # fmt: skip


def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    """Whether the node (Operation or NodeDef) must run on a CPU: constants of strings and int32, and ops that move int32."""
    definition = node.node_def if isinstance(node, Operation) else node
    if pin_variables_on_cpu and definition.op in _VARIABLE_OPS:
        return True
    attr, on_host = _HOST_ONLY.get(definition.op, ("", ()))
    return bool(on_host) and definition.attr[attr].type in {t.as_datatype_enum for t in on_host}


def tensor_shape_from_node_def_name(graph: Graph, input_name: str) -> TensorShape:
    """The static shape of the tensor that a NodeDef calls `input_name` ("x" stands for "x:0")."""
    return graph.get_tensor_by_name(input_name if ":" in input_name else f"{input_name}:0").shape


def _node_name(name: str) -> str:
    return name[1:] if name.startswith("^") else name.split(":", 1)[0]


def _colocated(node: Any) -> list[str]:
    """The nodes with which this one is colocated."""
    groups = node.attr["_class"].list.s if "_class" in node.attr else ()
    return [g[5:].decode("utf-8", "replace") for g in groups if g.startswith(b"loc:@")]


def extract_sub_graph(graph_def: Any, dest_nodes: Any) -> Any:
    """The nodes of a GraphDef that the nodes named in `dest_nodes` depend on, in the same order.

    Raises: TypeError for arguments of other types; AssertionError (as TF) for a name that is missing.
    """
    if not isinstance(graph_def, proto.GraphDef):
        raise TypeError(error_text("graph_def must be a graph_pb2.GraphDef proto."))
    if isinstance(dest_nodes, str):
        raise TypeError(error_text("dest_nodes must be a list."))
    nodes = {node.name: node for node in graph_def.node}
    for name in dest_nodes:
        if name not in nodes:
            raise AssertionError(error_text(f"{name} is not in graph"))
    keep: set[str] = set()
    stack = list(dest_nodes)
    while stack:
        name = stack.pop()
        if name in keep:
            continue
        if name not in nodes:
            raise KeyError(error_text(f"{name} is not in graph"))
        keep.add(name)
        stack.extend(_node_name(text) for text in nodes[name].input)
        stack.extend(_colocated(nodes[name]))
    part = proto.GraphDef()
    part.node.extend(node for node in graph_def.node if node.name in keep)
    part.library.CopyFrom(graph_def.library)
    part.versions.CopyFrom(graph_def.versions)
    return part


def remove_training_nodes(input_graph: Any, protected_nodes: Iterable[str] | None = None) -> Any:
    """A GraphDef without CheckNumerics and Identity nodes; their consumers consume their inputs.

    Keeps identities with control edges and those named in `protected_nodes`.
    """
    protected = set(protected_nodes or ())
    checks = {n.name for n in input_graph.node if n.op == "CheckNumerics" and n.name not in protected}
    without_checks = _spliced(input_graph.node, checks)
    control_inputs = {text[1:] for node in without_checks for text in node.input if text.startswith("^")}
    identities = {
        node.name
        for node in without_checks
        if node.op == "Identity"
        and node.name not in protected
        and node.name not in control_inputs
        and len(node.input) == 1
        and not node.input[0].startswith("^")
    }
    result = proto.GraphDef()
    result.node.extend(_spliced(without_checks, identities))
    return result


def _spliced(nodes: Any, removed: set[str]) -> list[Any]:
    """The nodes without `removed`, whose consumers consume their first input."""
    source = {node.name: node.input[0] for node in nodes if node.name in removed and node.input}
    copies = []
    for node in nodes:
        if node.name in removed:
            continue
        copy = proto.NodeDef()
        copy.CopyFrom(node)
        del copy.input[:]
        for text in node.input:
            is_control = text.startswith("^")
            visited: set[str] = set()
            while (name := _node_name(text)) in source and name not in visited:
                visited.add(name)
                text = f"^{_node_name(source[name])}" if is_control else source[name]
            copy.input.append(text)
        copies.append(copy)
    return copies


def _const(name: str, dtype: Any, data: Any, shape: Any = None) -> Any:
    node = proto.NodeDef(name=name, op="Const")
    node.attr["dtype"].CopyFrom(dtype)
    node.attr["value"].tensor.CopyFrom(make_tensor_proto(data, dtype=dtype.type, shape=shape))
    return node


def convert_variables_to_constants(
    sess: Any,
    input_graph_def: Any,
    output_node_names: Any,
    variable_names_whitelist: Any = None,
    variable_names_blacklist: Any = None,
) -> Any:
    """The part of a GraphDef that the named nodes need, each variable replaced by a constant with its value in the session.

    Raises: FailedPreconditionError for an uninitialized variable; ValueError for a read whose variable is not found.
    """
    part = extract_sub_graph(input_graph_def, output_node_names)
    nodes = {node.name: node for node in part.node}
    frozen: list[str] = []
    fetches: list[str] = []
    handle_dtypes: dict[str, Any] = {}  # nodes that forward a handle -> dtype of its variable
    for node in part.node:
        if node.op in VARIABLES:
            if variable_names_whitelist is not None and node.name not in variable_names_whitelist:
                continue
            if variable_names_blacklist is not None and node.name in variable_names_blacklist:
                continue
            frozen.append(node.name)
            fetches.append(f"{node.name}/Read/ReadVariableOp:0" if node.op == "VarHandleOp" else f"{node.name}:0")
        elif node.op in ("ReadVariableOp", "ResourceGather"):
            _trace_handle(node, nodes, handle_dtypes)
    values = dict(zip(frozen, sess.run(fetches))) if fetches else {}
    result = proto.GraphDef()
    for node in part.node:
        _freeze(node, values, handle_dtypes, result.node)
    result.library.CopyFrom(part.library)
    return result


def _trace_handle(read: Any, nodes: dict[str, Any], handle_dtypes: dict[str, Any]) -> None:
    """Records the dtype of every node between a read and its variable."""
    stack = [_node_name(read.input[0])]
    while stack:
        name = stack.pop()
        node = nodes[name]
        if node.op in _FORWARDING:
            if name not in handle_dtypes:
                handle_dtypes[name] = read.attr["dtype"]
                stack.extend(_node_name(text) for text in node.input[: 2 if node.op == "Merge" else 1])
        elif node.op != "VarHandleOp":
            raise ValueError(error_text("Cannot find the variable that is an input to the ReadVariableOp."))


def _freeze(node: Any, values: dict[str, Any], handle_dtypes: dict[str, Any], out: Any) -> None:
    if node.name in values:
        data = values[node.name]
        out.append(_const(node.name, node.attr["dtype"], data, getattr(data, "shape", ())))
        return
    frozen = out.add()
    if node.name in handle_dtypes:
        frozen.CopyFrom(node)
        frozen.attr["T"].CopyFrom(handle_dtypes[node.name])
        if "_output_shapes" in frozen.attr:
            del frozen.attr["_output_shapes"]
    elif node.op == "ReadVariableOp":
        frozen.name, frozen.op = node.name, "Identity"
        frozen.input.append(node.input[0])
        frozen.attr["T"].CopyFrom(node.attr["dtype"])
        if "_class" in node.attr:
            frozen.attr["_class"].CopyFrom(node.attr["_class"])
    elif node.op == "ResourceGather":
        if node.attr["batch_dims"].i != 0:
            raise ValueError(error_text("batch_dims != 0 is not supported by freeze_graph."))
        axis = _const(f"{node.name}/axis", node.attr["Tindices"], 0)
        frozen.CopyFrom(axis)
        frozen = out.add(name=node.name, op="GatherV2")
        frozen.input.extend([node.input[0], node.input[1], axis.name])
        frozen.attr["Tparams"].CopyFrom(node.attr["dtype"])
        frozen.attr["Tindices"].CopyFrom(node.attr["Tindices"])
        frozen.attr["Taxis"].CopyFrom(node.attr["Tindices"])
        if "_class" in node.attr:
            frozen.attr["_class"].CopyFrom(node.attr["_class"])
    else:
        frozen.CopyFrom(node)


__all__ = [
    "convert_variables_to_constants",
    "extract_sub_graph",
    "import_graph_def",
    "must_run_on_cpu",
    "remove_training_nodes",
    "tensor_shape_from_node_def_name",
]
