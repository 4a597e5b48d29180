"""Place: the device of each node. `Placer().place(pruned)` puts every node on the only CPU, or raises an error that says why not.

A node that requests a missing device is an error unless soft placement is allowed, as in TF. State: that of a `Placer`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import islice

from ..backends import BACKENDS, CPU
from ..base import errors
from ..graph import device as devices
from ..graph.nodes import Operation
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

    def device_of(self, op: Operation) -> str:
        """The device's full name."""
        return CPU.device

    def __str__(self) -> str:
        return "\n".join(f"{op.name}  on {self.device_of(op)}" for op in self.pruned.operations)


class Placer:
    """What a session places with: `place(pruned)` puts every node on the CPU, after it checked the devices of the graph.

    State: `_checked`, how many of the graph's nodes were checked, and the number of its mutations then.
    """

    def __init__(self, allow_soft_placement: bool = False, place_pruned_graph: bool = False, log: bool = False) -> None:
        self.allow_soft_placement = allow_soft_placement  # a missing device of this task becomes the CPU
        self.place_pruned_graph = place_pruned_graph  # check the nodes of a run alone, not the whole graph
        self.log = log
        self._checked = 0, 0
        if log:
            print("Device mapping: no known devices.")  # TF lists accelerators

    def place(self, pruned: Pruned) -> Placed:
        """A device for each node.

        Raises: InvalidArgumentError for a node that requests a device that does not exist here; unless `place_pruned_graph`
        is set, also for one that this run does not need, as in TF.
        """
        if self.place_pruned_graph:
            self._check(pruned.operations)
            self._log(pruned.operations)
            return Placed(pruned)
        operations, (checked, mutations) = pruned.graph.operations, self._checked
        if mutations != pruned.graph.mutations:
            checked = 0
        count = len(operations)
        if checked < count:
            self._check(islice(operations, checked, count))
            self._log(operations[:count])
            self._checked = count, pruned.graph.mutations
        return Placed(pruned)

    def _check(self, operations: Iterable[Operation]) -> None:
        for op in operations:
            if op.device and not _fits(op.device, self.allow_soft_placement):
                raise _no_such_device(op)

    def _log(self, operations: Iterable[Operation]) -> None:
        if self.log:
            for op in sorted(operations, key=_is_generator):
                print(f"{op.name}: ({op.type}): {CPU.device}")


def _is_generator(op: Operation) -> bool:
    """Whether TF places this node in its second pass, next to its consumer."""
    return not op.inputs and len(op.outputs) == 1 and not op.outputs[0].dtype._is_ref_dtype


def _no_such_device(op: Operation) -> errors.InvalidArgumentError:
    gpu = ""
    if devices.DeviceSpec.from_string(op.device).device_type == "GPU":
        gpu = " The requested device appears to be a GPU, but CUDA is not enabled."
    return errors.InvalidArgumentError(
        None,
        op,
        f"Cannot assign a device for operation {op.name}: {{{{node {op.name}}}}} was explicitly assigned to {op.device} "
        f"but available devices are [ {', '.join(DEVICES)} ]. Make sure the device specification refers to a "
        f"valid device.{gpu}\n\t [[{{{{node {op.name}}}}}]]",
    )


@cache
def _fits(name: str, softly: bool) -> bool:
    requested, cpu = devices.DeviceSpec.from_string(name), devices.DeviceSpec.from_string(CPU.device)
    parts = ("job", "replica", "task", *(() if softly else ("device_type", "device_index")))
    return all(getattr(requested, part) in (None, getattr(cpu, part)) for part in parts)
