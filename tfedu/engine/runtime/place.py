"""Place: the device of each node. `place(pruned)` puts every node on the only CPU, or raises an error that says why not.

A node that requests a missing device is an error unless soft placement is allowed, as in TF.
"""

from __future__ import annotations

from dataclasses import dataclass

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


def place(pruned: Pruned, allow_soft_placement: bool = False) -> Placed:
    """A device for each node.

    Raises: InvalidArgumentError for a node that requests a device that does not exist here.
    """
    for op in pruned.operations:
        if op.device and not allow_soft_placement and not _fits(op.device):
            raise errors.InvalidArgumentError(
                None,
                op,
                f"Cannot assign a device for operation {op.name}: Operation was explicitly assigned to {op.device} "
                f"but available devices are [ {', '.join(DEVICES)} ]. Make sure the device specification refers to a "
                f"valid device.\n\t [[{{{{node {op.name}}}}}]]",
            )
    return Placed(pruned)


def _fits(name: str) -> bool:
    requested, cpu = devices.DeviceSpec.from_string(name), devices.DeviceSpec.from_string(CPU.device)
    return all(
        getattr(requested, part) in (None, getattr(cpu, part))
        for part in ("job", "replica", "task", "device_type", "device_index")
    )
