"""`RunMetadata.partition_graphs`: the graph that a run executed, one for each device, as GraphDef messages.

A fed tensor is an `_Arg` node there and a fetched one a `_Retval` node, as in TF. The two nodes of a transfer are in the graphs
of their devices, without the edge between them. Differs from TF: a loop across devices has no loop of its own on each of them.
No state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..backends import CPU
from ..base import proto
from ..graph.nodes import Tensor
from ..ops.transfers import CARRIERS, IN_TF, PAIRS, carried
from ..runtime.signature import Signature
from .graph_export import graph_versions, node_def


def partition_graphs(metadata: Any) -> list[Any]:
    """The GraphDefs of a run with `RunOptions(output_partition_graphs=True)`, one for each device; none for other runs."""
    if metadata.executed is None or not metadata.executed.schedule().placed.pruned.operations:
        return []
    whole = _executed(metadata.executed)
    devices = dict.fromkeys(node.device for node in whole.node)
    if len(devices) == 1:
        return [whole]
    return [_of_device(whole, device) for device in devices]


def _of_device(whole: Any, device: str) -> Any:
    """The nodes of one device; what a transfer brings comes from no edge there."""
    part = proto.GraphDef(versions=whole.versions)
    for node in whole.node:
        if node.device == device:
            message = part.node.add()
            message.CopyFrom(node)
            if node.op in PAIRS.values():
                del message.input[:]
            message.op = IN_TF.get(node.op, node.op)
    return part


def _executed(signature: Signature) -> Any:
    """The graph of the run, with the nodes of all devices. TF numbers feeds and fetches in the order of their names."""
    scheduled = signature.schedule()
    pruned = scheduled.placed.pruned
    graph_def = proto.GraphDef(versions=graph_versions(pruned.graph))
    read = {t for op in pruned.operations for t in op.inputs}
    read.update(t for op in pruned.operations for waited in op.control_inputs for t in waited.outputs)
    argument_of: dict[Tensor, str] = {}
    for i, tensor in enumerate(sorted(pruned.fed, key=_name)):
        if tensor in read:
            argument_of[tensor] = _add_end(graph_def, "_Arg", "_arg", tensor, i)
    name_of = {op.name: op.name for op in pruned.operations}
    for op in pruned.operations:
        if op.type in CARRIERS and carried(op.outputs[0]) in argument_of:
            name_of[op.name] = f"{argument_of[carried(op.outputs[0])]}/{op.name.rpartition('/')[2]}"
    for op in pruned.operations:
        message = graph_def.node.add()
        message.CopyFrom(node_def(op))
        message.name, message.device = name_of[op.name], scheduled.placed.device_of(op)
        del message.input[:]
        message.input.extend(argument_of.get(t) or _input_name(t, name_of) for t in op.inputs)
        fed_of = {t.op: name for t, name in argument_of.items()}
        message.input.extend(sorted(f"^{fed_of.get(c, c.name)}" for c in op.control_inputs))
    fetched = {tensor: carried(tensor) for tensor in signature.run_fetches}
    for i, tensor in enumerate(sorted(fetched, key=lambda tensor: fetched[tensor].name)):
        _add_end(graph_def, "_Retval", "_retval", fetched[tensor], i)
        graph_def.node[-1].input.append(argument_of.get(tensor) or _input_name(tensor, name_of))
    return graph_def


def _name(tensor: Tensor) -> str:
    return tensor.name


def _add_end(graph_def: Any, op_type: str, prefix: str, tensor: Tensor, index: int) -> str:
    """Adds the node of a fed or fetched tensor; returns its name."""
    name = f"{prefix}_{tensor.op.name}_{tensor.value_index}_{index}"
    node = graph_def.node.add(name=name, op=op_type, device=CPU.device)
    node.attr["T"].type = tensor.dtype.base_dtype.as_datatype_enum
    node.attr["index"].i = index
    return name


def _input_name(tensor: Tensor, name_of: Mapping[str, str]) -> str:
    return f"{name_of.get(tensor.op.name, tensor.op.name)}:{tensor.index}".removesuffix(":0")


__all__ = ["partition_graphs"]
