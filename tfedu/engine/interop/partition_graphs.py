"""`RunMetadata.partition_graphs`: the graph that a run executed, one for each device, as GraphDef messages.

A fed tensor is an `_Arg` node there and a fetched one a `_Retval` node, as in TF. No state.
"""

from __future__ import annotations

from typing import Any

from ..backends import CPU
from ..base import proto
from ..graph.nodes import Tensor
from ..runtime.signature import Signature
from .graph_export import graph_versions, node_def


def partition_graphs(metadata: Any) -> list[Any]:
    """The GraphDefs of a run with `RunOptions(output_partition_graphs=True)`: one, that of the CPU; none for other runs."""
    if metadata.executed is None or not metadata.executed.schedule().placed.pruned.operations:
        return []
    return [_partition(metadata.executed)]


def _partition(signature: Signature) -> Any:
    scheduled = signature.schedule()
    pruned = scheduled.placed.pruned
    graph_def = proto.GraphDef(versions=graph_versions(pruned.graph))
    read = {t for op in pruned.operations for t in op.inputs}
    read.update(t for op in pruned.operations for waited in op.control_inputs for t in waited.outputs)
    argument_of: dict[Tensor, str] = {}
    for i, tensor in enumerate(pruned.fed):
        if tensor in read:
            argument_of[tensor] = _add_end(graph_def, "_Arg", "_arg", tensor, i)
    for op in pruned.operations:
        message = graph_def.node.add()
        message.CopyFrom(node_def(op))
        message.device = scheduled.placed.device_of(op)
        cut = [t for t in op.inputs if t in argument_of] + [c for c in op.control_inputs if c not in pruned.needed_by]
        if cut:
            del message.input[:]
            message.input.extend(argument_of.get(t, _input_name(t)) for t in op.inputs)
            fed_of = {t.op: name for t, name in argument_of.items()}
            message.input.extend(sorted(f"^{fed_of.get(c, c.name)}" for c in op.control_inputs))
    for i, tensor in enumerate(dict.fromkeys(signature.computed)):
        _add_end(graph_def, "_Retval", "_retval", tensor, i)
        graph_def.node[-1].input.append(_input_name(tensor))
    return graph_def


def _add_end(graph_def: Any, op_type: str, prefix: str, tensor: Tensor, index: int) -> str:
    """Adds the node of a fed or fetched tensor; returns its name."""
    name = f"{prefix}_{tensor.op.name}_{tensor.value_index}_{index}"
    node = graph_def.node.add(name=name, op=op_type, device=CPU.device)
    node.attr["T"].type = tensor.dtype.base_dtype.as_datatype_enum
    node.attr["index"].i = index
    return name


def _input_name(tensor: Tensor) -> str:
    return tensor.name.removesuffix(":0")


__all__ = ["partition_graphs"]
