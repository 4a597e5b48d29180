"""`device_lib.list_local_devices()`: what there is to compute with. No state."""

from __future__ import annotations

import dataclasses
from typing import Any

from ...engine.runtime.devices.session_devices import local_devices


@dataclasses.dataclass(frozen=True)
class DeviceAttributes:
    """One device, with the fields of TensorFlow's message."""

    name: str
    device_type: str
    memory_limit: int = 268435456
    incarnation: int = 1
    physical_device_desc: str = ""


def list_local_devices(session_config: Any = None) -> list[DeviceAttributes]:
    """The devices that a session with this configuration has: the CPUs, then the GPUs, the simulated ones too.

    Raises: TypeError for what is no ConfigProto, NotFoundError where the configuration leaves no CPU.
    """
    return [
        DeviceAttributes(
            device.name.partition("/task:0")[2], device.device_type, device.memory_limit_bytes, device.incarnation,
            device.description,
        )
        for device in local_devices(session_config)
    ]  # fmt: skip
