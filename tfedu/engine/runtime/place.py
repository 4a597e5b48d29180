"""Place: the device of each node. `Placer().place(pruned)` puts every node on the CPU or on the GPU of the machine, if it has one
(gpu_placement.py), or raises an error that says why not.

A node that requests a missing device is an error unless soft placement is allowed, as in TF. State: that of a `Placer`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import islice

from ..backends import BACKENDS, CPU, cupy
from ..base import errors
from ..graph import device as devices
from ..graph.nodes import Operation
from .gpu_placement import on_gpu
from .gpu_values import GpuValues
from .prune import Pruned

DEVICES = tuple(backend.device for backend in BACKENDS)


class DeviceAttributes:
    """A device of a session, as `Session.list_devices` returns it."""

    def __init__(self, name: str, memory_limit_bytes: int = 1 << 28, incarnation: int = 1) -> None:
        self.name = name
        self.device_type = devices.DeviceSpec.from_string(name).device_type
        self.memory_limit_bytes = memory_limit_bytes
        self.incarnation = incarnation

    def __repr__(self) -> str:
        return f"_DeviceAttributes({self.name}, {self.device_type}, {self.memory_limit_bytes}, {self.incarnation})"


@dataclass(frozen=True)
class Placed:
    """The pruned nodes, each with its device."""

    pruned: Pruned
    gpu: GpuValues | None = None

    def device_of(self, op: Operation) -> str:
        """The device's full name."""
        return self.gpu.gpu.device if self.gpu is not None and op in self.gpu.placed else CPU.device

    def __str__(self) -> str:
        return "\n".join(f"{op.name}  on {self.device_of(op)}" for op in self.pruned.operations)


class Placer:
    """What a session places with: `place(pruned)` gives each node its device, after it checked the devices of the graph.

    State: `_checked`, how many of the graph's nodes were checked, and the number of its mutations then; `gpu`, the nodes there.
    """

    def __init__(
        self,
        allow_soft_placement: bool = False,
        place_pruned_graph: bool = False,
        log: bool = False,
        gpu: GpuValues | None = None,
    ) -> None:
        self.allow_soft_placement = allow_soft_placement  # a missing device of this task becomes the CPU
        self.place_pruned_graph = place_pruned_graph  # check the nodes of a run alone, not the whole graph
        self.log = log
        self._checked = 0, 0
        self.gpu = gpu
        if log:  # TF lists accelerators
            known = " no known devices." if gpu is None else f"\n{gpu.gpu.device} -> {gpu.gpu.description}"
            print(f"Device mapping:{known}")

    def place(self, pruned: Pruned) -> Placed:
        """A device for each node.

        Raises: InvalidArgumentError for a node that requests a device that does not exist here; unless `place_pruned_graph`
        is set, also for one that this run does not need, as in TF.
        """
        if self.place_pruned_graph:
            self._check(pruned.operations)
            self._place_on_gpu(pruned.operations)
            self._log(pruned.operations)
            return Placed(pruned, self.gpu)
        operations, (checked, mutations) = pruned.graph.operations, self._checked
        if mutations != pruned.graph.mutations:
            checked = 0
        count = len(operations)
        if checked < count:
            self._check(islice(operations, checked, count))
            self._place_on_gpu(operations)
            self._log(operations[:count])
            self._checked = count, pruned.graph.mutations
        return Placed(pruned, self.gpu)

    def _place_on_gpu(self, operations: Iterable[Operation]) -> None:
        if self.gpu is not None:
            self.gpu.place(on_gpu(operations, self.allow_soft_placement))

    def _check(self, operations: Iterable[Operation]) -> None:
        for op in operations:
            if op.device and not _fits(op.device, self.allow_soft_placement, self.gpu is not None):
                raise _no_such_device(op, self.gpu)

    def _log(self, operations: Iterable[Operation]) -> None:
        if self.log:
            for op in sorted(operations, key=_is_generator):
                device = CPU.device if self.gpu is None or op not in self.gpu.placed else self.gpu.gpu.device
                print(f"{op.name}: ({op.type}): {device}")


def _is_generator(op: Operation) -> bool:
    """Whether TF places this node in its second pass, next to its consumer."""
    return not op.inputs and len(op.outputs) == 1 and not op.outputs[0].dtype._is_ref_dtype


def _no_such_device(op: Operation, gpu: GpuValues | None) -> errors.InvalidArgumentError:
    hint, known = "", [*DEVICES, *([] if gpu is None else [gpu.gpu.device])]
    wants_gpu = gpu is None and devices.DeviceSpec.from_string(op.device).device_type == "GPU"
    if wants_gpu:
        hint = " The requested device appears to be a GPU, but CUDA is not enabled."
    error = errors.InvalidArgumentError(
        None,
        op,
        f"Cannot assign a device for operation {op.name}: {{{{node {op.name}}}}} was explicitly assigned to {op.device} "
        f"but available devices are [ {', '.join(known)} ]. Make sure the device specification refers to a "
        f"valid device.{hint}\n\t [[{{{{node {op.name}}}}}]]",
    )
    if wants_gpu and cupy.why_none():
        error.fix = f"there is no GPU here: {cupy.why_none()}; allow_soft_placement=True runs such nodes on the CPU"
    return error


@cache
def _fits(name: str, softly: bool, has_gpu: bool = False) -> bool:
    requested, cpu = devices.DeviceSpec.from_string(name), devices.DeviceSpec.from_string(CPU.device)
    if has_gpu and requested.device_type == "GPU":
        cpu.device_type = "GPU"
    parts = ("job", "replica", "task", *(() if softly else ("device_type", "device_index")))
    return all(getattr(requested, part) in (None, getattr(cpu, part)) for part in parts)
