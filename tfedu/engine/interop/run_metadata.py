"""`tf.RunMetadata` as messages: what each node of a traced run took, for event files and timelines. No state."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..base import dtypes, proto
from ..replay.device_clock import DeviceClock, device_clock
from ..runtime.memory import allocator


def run_metadata(metadata: Any) -> Any:
    """A `tf.RunMetadata` as RunMetadata message: for each node its times (microseconds), the sizes of its outputs, and the memory
    that it took, where that is counted.
    """
    message = proto.RunMetadata()
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
            by_device[device] = message.step_stats.dev_stats.add(device=device)
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


def step_stats(metadata: Any) -> Any:
    """The StepStats of `run_metadata`: the records of nodes, by device."""
    return run_metadata(metadata).step_stats


__all__ = ["DeviceMemory", "device_memory", "device_times", "run_metadata", "serialized_run_metadata", "step_stats"]
