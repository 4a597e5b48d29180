"""`device_lib.list_local_devices()`: what there is to compute with. No state."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class DeviceAttributes:
    """One device, with the fields of TensorFlow's message."""

    name: str
    device_type: str
    memory_limit: int = 268435456
    incarnation: int = 1
    physical_device_desc: str = ""


def list_local_devices(session_config: Any = None) -> list[DeviceAttributes]:
    """The CPU: tfedu computes on nothing else."""
    return [DeviceAttributes("/device:CPU:0", "CPU")]
