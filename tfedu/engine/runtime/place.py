"""Place: on which device each node runs. `place(pruned)` gives every node the one CPU, or says why it cannot.

Further devices (GPU, simulated ones) are entries of `DEVICES`' kind; a node that asks for one that is not here is an
error unless soft placement is allowed, as in TF.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..base import errors
from ..graph import device as devices
from ..graph.nodes import Operation
from .prune import Pruned

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
DEVICES = (CPU,)


@dataclass(frozen=True)
class Placed:
    """The needed nodes with a device each."""

    pruned: Pruned
    device_of: dict[Operation, str]

    def __str__(self) -> str:
        return "\n".join(f"{op.name}  on {self.device_of.get(op, CPU)}" for op in self.pruned.operations)


def place(pruned: Pruned, allow_soft_placement: bool = False) -> Placed:
    """A device for each node.

    Raises: InvalidArgumentError for a node that asks for a device that is not here.
    """
    device_of: dict[Operation, str] = {}
    for op in pruned.operations:
        if op.device and not allow_soft_placement and not _fits(op.device):
            raise errors.InvalidArgumentError(
                None,
                op,
                f"Cannot assign a device for operation {op.name}: Operation was explicitly assigned to {op.device} "
                f"but available devices are [ {', '.join(DEVICES)} ]. Make sure the device specification refers to a "
                f"valid device.\n\t [[{{{{node {op.name}}}}}]]",
            )
    return Placed(pruned, device_of)


def _fits(name: str) -> bool:
    asked, here = devices.parse(name), devices.parse(CPU)
    return all(
        getattr(asked, part) in (None, getattr(here, part))
        for part in ("job", "replica", "task", "device_type", "device_index")
    )
