"""Place: the device of each node. `Placer().place(pruned)` puts every node on a device of the session, by the rules of
devices/placement.py, or raises an error that says why not.

A session has the CPU, the GPU of the machine if there is one, and the devices that its configuration simulates. A node that
requests a missing device is an error unless soft placement is allowed, as in TF. State: that of a `Placer`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice

from ..backends import BACKENDS, CPU, cupy
from ..base import errors
from ..graph import device as devices
from ..graph.nodes import Operation
from .devices.gpu_values import GpuValues
from .devices.placement import assigned, fits, is_generator, is_name
from .prune import Pruned

DEVICES = tuple(backend.device for backend in BACKENDS)


class DeviceAttributes:
    """A device of a session, as `Session.list_devices` returns it."""

    def __init__(self, name: str, memory_limit_bytes: int = 1 << 28, incarnation: int = 1, description: str = "") -> None:
        self.name = name
        self.description = description  # not in TF
        self.device_type = devices.DeviceSpec.from_string(name).device_type
        self.memory_limit_bytes = memory_limit_bytes
        self.incarnation = incarnation

    def __repr__(self) -> str:
        return f"_DeviceAttributes({self.name}, {self.device_type}, {self.memory_limit_bytes}, {self.incarnation})"


@dataclass(frozen=True)
class Placed:
    """The pruned nodes, each with its device; those that `devices` does not name are on the CPU."""

    pruned: Pruned
    devices: Mapping[Operation, str] = field(default_factory=dict)

    def device_of(self, op: Operation) -> str:
        """The device's full name."""
        return self.devices.get(op, CPU.device)

    def __str__(self) -> str:
        return "\n".join(f"{op.name}  on {self.device_of(op)}" for op in self.pruned.operations)


class Placer:
    """What a session places with: `place(pruned)` gives each node its device, after it checked the devices of the graph.

    names: the devices; the values of feeds and fetches are on the first one. State: `_checked`, how many of the graph's nodes
    were checked, and the number of its mutations then; `_devices`, the device of each node where there are several.
    """

    def __init__(
        self,
        allow_soft_placement: bool = False,
        place_pruned_graph: bool = False,
        log: bool = False,
        gpu: GpuValues | None = None,
        simulated: tuple[str, ...] = (),
    ) -> None:
        self.allow_soft_placement = allow_soft_placement  # a missing device of this task becomes another one
        self.place_pruned_graph = place_pruned_graph  # check the nodes of a run alone, not the whole graph
        self.log = log
        self._checked = 0, 0
        self._devices: dict[Operation, str] = {}
        self.gpu = gpu
        self.simulated = simulated
        self.names = (*DEVICES, *simulated, *(() if gpu is None else (gpu.gpu.device,)))
        if log:  # TF lists accelerators
            known = [f"{name} -> simulated" for name in simulated if devices.DeviceSpec.from_string(name).device_type == "GPU"]
            if gpu is not None:
                known.append(f"{gpu.gpu.device} -> {gpu.gpu.description}")
            print("\n".join(["Device mapping:", *known]) if known else "Device mapping: no known devices.")

    def listed(self, limits: Mapping[str, int]) -> list[DeviceAttributes]:
        """The devices. limits: the bytes of those whose memory has a limit of its own."""
        devices = [
            DeviceAttributes(name, limits[name]) if name in limits else DeviceAttributes(name)
            for name in (*DEVICES, *self.simulated)
        ]
        if self.gpu is not None:
            gpu = self.gpu.gpu
            devices.append(DeviceAttributes(gpu.device, gpu.limit, description=gpu.description))
        return devices

    def place(self, pruned: Pruned) -> Placed:
        """A device for each node.

        Raises: InvalidArgumentError for a node that requests a device that does not exist here; unless `place_pruned_graph`
        is set, also for one that this run does not need, as in TF.
        """
        if pruned.graph.original is not None:  # a partition has placed them
            return Placed(pruned, {op: op.device for op in pruned.operations})
        if self.place_pruned_graph:
            self._check(pruned.operations)
            self._assign(pruned.operations)
            self._log(pruned.operations)
            return Placed(pruned, self._devices)
        operations, (checked, mutations) = pruned.graph.operations, self._checked
        if mutations != pruned.graph.mutations:
            checked = 0
        count = len(operations)
        if checked < count:
            self._check(islice(operations, checked, count))
            self._assign(operations)
            self._log(operations[:count])
            self._checked = count, pruned.graph.mutations
        return Placed(pruned, self._devices)

    def _assign(self, operations: Iterable[Operation]) -> None:
        if len(self.names) == 1:
            return
        self._devices = assigned(operations, self.names, self.allow_soft_placement, bool(self.simulated))
        if self.gpu is not None:
            self.gpu.place({op for op, device in self._devices.items() if device == self.gpu.gpu.device})

    def _check(self, operations: Iterable[Operation]) -> None:
        named = [op for op in operations if op.device]
        for op in named:
            if not is_name(op.device):
                raise _malformed(op)
        for op in sorted(named, key=is_generator):
            if not fits(op.device, self.names, self.allow_soft_placement):
                raise self._no_such_device(op)

    def _log(self, operations: Iterable[Operation]) -> None:
        if self.log:
            for op in sorted(operations, key=is_generator):
                print(f"{op.name}: ({op.type}): {self._devices.get(op, CPU.device)}")

    def _no_such_device(self, op: Operation) -> errors.InvalidArgumentError:
        wants_gpu = devices.DeviceSpec.from_string(op.device).device_type == "GPU"
        no_gpu = wants_gpu and not any(devices.DeviceSpec.from_string(name).device_type == "GPU" for name in self.names)
        hint = " The requested device appears to be a GPU, but CUDA is not enabled." if no_gpu else ""
        error = errors.InvalidArgumentError(
            None,
            op,
            f"Cannot assign a device for operation {op.name}: {{{{node {op.name}}}}} was explicitly assigned to {op.device} "
            f"but available devices are [ {', '.join(self.names)} ]. Make sure the device specification refers to a "
            f"valid device.{hint}\n\t [[{{{{node {op.name}}}}}]]",
        )
        if no_gpu and cupy.why_none():
            error.fix = (
                f"there is no GPU here: {cupy.why_none()}; allow_soft_placement=True runs such nodes on the CPU, and "
                'tf.ConfigProto(device_count={"GPU": 1}) simulates a GPU'
            )
        return error


def _malformed(op: Operation) -> errors.InvalidArgumentError:
    error = errors.InvalidArgumentError(
        None, op, f"Malformed device specification '{op.device}' in node: {{{{node {op.name}}}}}\n\t [[{{{{node {op.name}}}}}]]"
    )
    error.fix = "a job begins with a letter, and numbers are not below 0, as in /job:worker/task:1/device:GPU:0"
    return error
