"""The simulated clock of a recorded run on several devices: `device_clock(run, speeds)` tells when each node ran, and where.

Each device takes its nodes in the order of the run, one after the other; a node begins when its inputs are there and its device
is free. So nodes of two devices overlap where no edge makes one wait for the other. A tensor travels on the link from its device
to the other one, which carries one tensor at a time, while the devices go on.

A node takes the longer of two times (a roofline): its operations on numbers at the device's rate, or the bytes that it reads and
writes at the rate of the device's memory; on a GPU the launch comes on top. A transfer takes the latency and its bytes at the
link's rate. What only passes a value on takes no time. The rates are those of `tf.ConfigProto().simulated_devices`; they make a
picture of why devices wait, not a forecast for a machine. No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..backends import CPU
from ..graph.device import DeviceSpec
from ..ops import gpu_kernels
from ..ops.arithmetic import operations
from ..ops.transfers import PAIRS, sender
from ..runtime.config import SimulatedDevices
from ..runtime.devices.transfers import short
from .recorder import Run, Step

_WIDTH = 56  # of a printed timeline, in letters


class Span(NamedTuple):
    """What a device or a link did for a node. begin, end: seconds of the simulated clock; bytes: what a transfer copied."""

    lane: str
    step: int
    node: str
    begin: float
    end: float
    bytes: int = 0


@dataclass(frozen=True)
class DeviceClock:
    """The spans of a run, in the order of its steps. A lane is a device ("GPU:0") or a link ("CPU:0 -> GPU:0")."""

    spans: tuple[Span, ...]

    @property
    def lanes(self) -> list[str]:
        """The devices, then the links, by name."""
        return sorted({span.lane for span in self.spans}, key=lambda lane: ("->" in lane, lane))

    @property
    def seconds(self) -> float:
        """When the last span ends."""
        return max((span.end for span in self.spans), default=0.0)

    def busy(self, lane: str) -> float:
        """For how many seconds a device computes, or a link carries."""
        return sum(span.end - span.begin for span in self.spans if span.lane == lane)

    def __str__(self) -> str:
        """A line for each lane: # where it is busy."""
        whole = self.seconds or 1.0
        lines = [f"simulated clock: {_time(self.seconds)}"]
        widest = max(map(len, self.lanes), default=0)
        for lane in self.lanes:
            cells = ["·"] * _WIDTH
            for span in self.spans:
                if span.lane == lane and span.end > span.begin:
                    first, last = (min(int(t / whole * _WIDTH), _WIDTH - 1) for t in (span.begin, span.end))
                    cells[first : last + 1] = ["#"] * (last + 1 - first)
            lines.append(f"{lane:<{widest}}  {''.join(cells)}  busy {_time(self.busy(lane))}")
        return "\n".join(lines)


def device_clock(run: Run, speeds: SimulatedDevices) -> DeviceClock:
    """The simulated clock of a run."""
    spans: list[Span] = []
    free: dict[str, float] = {}
    done: dict[int, float] = {}  # by node: when it last gave its outputs
    values: dict[int, Sequence[Any]] = {}
    for number, step in enumerate(run.steps):
        if step.outcome not in ("ran", "dead"):
            continue
        op = step.op
        above = (*(t.op.id for t in op.inputs), *(waited.id for waited in op.waits))
        begin = max((done.get(id, 0.0) for id in above), default=0.0)
        inputs = [values[t.op.id][t.index] if t.op.id in values else None for t in op.inputs]
        outputs = [output.value for output in step.outputs]
        lane = short(op.device or CPU.device)
        size = 0
        if op.type in PAIRS:
            lane = f"{lane} -> {short(op.attrs['recv_device'])}"
            size = _bytes(outputs) if op.type == sender(copies=True) else 0
        seconds = 0.0 if step.outcome == "dead" else _seconds(step, inputs, outputs, speeds, size)
        if seconds:
            begin = max(begin, free.get(lane, 0.0))
            free[lane] = begin + seconds
        if step.outcome == "ran":
            spans.append(Span(lane, number, op.name, begin, begin + seconds, size))
        done[op.id] = begin + seconds
        values[op.id] = outputs
    return DeviceClock(tuple(spans))


def _seconds(step: Step, inputs: Sequence[Any], outputs: Sequence[Any], speeds: SimulatedDevices, size: int) -> float:
    """How long a step takes by the simulated clock."""
    op, settings = step.op, vars(speeds)
    if op.type in PAIRS:
        return float(settings["latency"] + size / settings["bandwidth"])
    if op.definition.aliases or op.definition.role == "variable" or op.type in gpu_kernels.FLOW:
        return 0.0
    kind = "gpu" if op.device and DeviceSpec.from_string(op.device).device_type == "GPU" else "cpu"
    of_memory = (_bytes(inputs) + _bytes(outputs)) / settings[f"{kind}_memory_bandwidth"]
    launch = settings["launch"] if kind == "gpu" else 0.0
    return float(launch + max(of_memory, operations(op, inputs, outputs) / settings[f"{kind}_flops"]))


def _bytes(values: Sequence[Any]) -> int:
    return sum(getattr(value, "nbytes", 0) for value in values)


def _time(seconds: float) -> str:
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-6:.3g} µs"


__all__ = ["DeviceClock", "Span", "device_clock"]
