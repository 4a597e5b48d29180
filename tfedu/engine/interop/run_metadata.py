"""`tf.RunMetadata` as messages: what each node of a traced run took, for event files and timelines. No state.

`cost_graph` differs from TF: it has no nodes `_SOURCE` and `_SINK`, and the numbers of its nodes count over all devices.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..base import dtypes, proto
from ..graph.nodes import Operation
from ..replay.device_clock import DeviceClock, device_clock
from ..runtime.memory import allocator
from .partition_graphs import partition_graphs


def run_metadata(metadata: Any) -> Any:
    """A `tf.RunMetadata` as RunMetadata message."""
    message = proto.RunMetadata(partition_graphs=partition_graphs(metadata))
    if metadata.trace is not None and metadata.trace.runs:
        message.step_stats.CopyFrom(step_stats(metadata))
        if metadata.is_costed:
            message.cost_graph.CopyFrom(cost_graph(metadata))
    return message


def step_stats(metadata: Any) -> Any:
    """The StepStats of a traced run: for each node, by device, its times (microseconds), the sizes of its outputs, and the memory
    that it took, where that is counted.
    """
    message = proto.StepStats()
    if metadata.trace is None or not metadata.trace.runs:
        return message
    by_device: dict[str, Any] = {}
    run = metadata.trace.runs[-1]
    placed = metadata.trace.schedule.placed
    clock = device_times(metadata)
    simulated = {} if clock is None else {span.step: (round(span.begin * 1e9), round(span.end * 1e9)) for span in clock.spans}
    for number, step in enumerate(run.steps):
        if step.outcome != "ran":
            continue
        device = placed.device_of(step.op)
        if device not in by_device:
            by_device[device] = message.dev_stats.add(device=device)
        begin, end = (nanoseconds // 1000 for nanoseconds in simulated.get(number, step.times))
        inputs = [t.name.removesuffix(":0") for t in step.op.inputs] + [f"^{op.name}" for op in step.op.control_inputs]
        node = by_device[device].node_stats.add(
            node_name=step.op.name,
            all_start_micros=begin,
            op_end_rel_micros=end - begin,
            all_end_rel_micros=end - begin,
            timeline_label=f"{step.op.name} = {step.op.type}({', '.join(inputs)})",
        )
        use = step.memory
        if use is not None and (use.total or use.device == device):  # a node of the host may make a value travel
            node.memory.add(
                allocator_name=allocator(use.device),
                total_bytes=use.total,
                peak_bytes=use.peak,
                live_bytes=max(use.live, 0),
                allocator_bytes_in_use=use.in_use,
            )
        for slot, (output, tensor) in enumerate(zip(step.outputs, step.op.outputs)):
            if output.dead or output.value is None:
                continue
            description = node.output.add(slot=slot).tensor_description
            description.dtype = tensor.dtype.base_dtype.as_datatype_enum
            description.shape.SetInParent()
            for size in getattr(output.value, "shape", ()):
                description.shape.dim.add(size=size)
            num_bytes = getattr(output.value, "nbytes", 0) if tensor.dtype.base_dtype != dtypes.string else 0
            description.allocation_description.requested_bytes = num_bytes
            description.allocation_description.allocated_bytes = num_bytes
            description.allocation_description.allocator_name = allocator(device)
    return message


def cost_graph(metadata: Any) -> Any:
    """The CostGraphDef of a run for which `graph_options.build_cost_model` asked: for each node the longest of its times
    (microseconds) and the largest of its outputs; an empty one of other runs.
    """
    message = proto.CostGraphDef()
    if not metadata.is_costed or metadata.trace is None or not metadata.trace.runs:
        return message
    scheduled = metadata.trace.schedule
    wanted = {t.op for t in metadata.trace.computed}
    clock = device_times(metadata)
    simulated = {} if clock is None else {span.step: round((span.end - span.begin) * 1e6) for span in clock.spans}
    costs: dict[Operation, Any] = {}
    for op in scheduled.order:
        costs[op] = message.node.add(
            name=op.name, device=scheduled.placed.device_of(op), id=len(costs), is_final=op in wanted
        )
        for tensor in op.outputs:
            costs[op].output_info.add(alias_input_port=-1, dtype=tensor.dtype.base_dtype.as_datatype_enum)
    for op, cost in costs.items():
        for tensor in op.inputs:
            if tensor.op in costs:
                cost.input_info.add(preceding_node=costs[tensor.op].id, preceding_port=tensor.index)
        cost.control_input.extend(costs[waited].id for waited in op.waits if waited in costs)
    for number, step in enumerate(metadata.trace.runs[-1].steps):
        if step.outcome != "ran":
            continue
        cost = costs[step.op]
        begin, end = step.times
        cost.compute_cost = max(cost.compute_cost, simulated.get(number, (end - begin) // 1000))
        for output, info in zip(step.outputs, cost.output_info):
            size = getattr(output.value, "nbytes", 0)
            if size >= info.size:
                info.size = size
                info.shape.Clear()
                info.shape.dim.extend(info.shape.Dim(size=n) for n in getattr(output.value, "shape", ()))
    return message


def has_field(metadata: Any, field: str) -> bool:
    """Whether the run left this message: "step_stats", "cost_graph". Raises: ValueError for another field."""
    found: bool = run_metadata(metadata).HasField(field)
    return found


def from_string(data: bytes) -> Any:
    """The RunMetadata message of these bytes. Raises: DecodeError of protobuf for bytes of something else."""
    return proto.RunMetadata.FromString(data)


def text(metadata: Any) -> str:
    """All that the run left, as the text of a message."""
    return str(run_metadata(metadata))


def device_times(metadata: Any) -> DeviceClock | None:
    """The simulated clock of a traced run on several devices; None for other runs (not in TF)."""
    trace = metadata.trace
    return None if trace is None or trace.speeds is None or not trace.runs else device_clock(trace.runs[-1], trace.speeds)


class DeviceMemory(NamedTuple):
    """Bytes of a device's memory: in use at the end of a run, and the most at one time of it."""

    used: int
    peak: int


def device_memory(metadata: Any) -> dict[str, DeviceMemory]:
    """By device, what a traced run used of its memory, where that is counted: of a GPU, CuPy's pool; of a session or a simulated
    GPU with a limit, the large arrays and the variables (not in TF).
    """
    found: dict[str, DeviceMemory] = {}
    steps = metadata.trace.runs[-1].steps if metadata.trace is not None and metadata.trace.runs else ()
    for use in [step.memory for step in steps if step.memory is not None]:
        before = found[use.device].peak if use.device in found else 0
        found[use.device] = DeviceMemory(use.in_use, max(before, use.in_use - use.live + use.peak))
    return found


def serialized_run_metadata(metadata: Any) -> bytes:
    """`run_metadata` as bytes."""
    data: bytes = run_metadata(metadata).SerializeToString()
    return data


__all__ = [
    "DeviceMemory", "cost_graph", "device_memory", "device_times", "from_string", "has_field", "run_metadata",
    "serialized_run_metadata", "step_stats", "text",
]  # fmt: skip
