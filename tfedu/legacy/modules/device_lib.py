"""`device_lib.list_local_devices()`: what there is to compute with. No state."""

from __future__ import annotations

import dataclasses
from typing import Any

from ...engine.backends import cupy


@dataclasses.dataclass(frozen=True)
class DeviceAttributes:
    """One device, with the fields of TensorFlow's message."""

    name: str
    device_type: str
    memory_limit: int = 268435456
    incarnation: int = 1
    physical_device_desc: str = ""


def list_local_devices(session_config: Any = None) -> list[DeviceAttributes]:
    """The CPU, and the GPU where there is one."""
    found, devices = cupy.gpu(), [DeviceAttributes("/device:CPU:0", "CPU")]
    if found is not None:
        devices.append(DeviceAttributes("/device:GPU:0", "GPU", found.memory, physical_device_desc=found.description))
    return devices
