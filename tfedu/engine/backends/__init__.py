"""Backends: which array module computes, and under which device name.

A kernel gets its backend's array module as `xp` and never knows which one it is. State: `BACKENDS`, the devices of this
process; the CPU is always the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy


@dataclass(frozen=True)
class Backend:
    """One device and the array module that computes on it."""

    device: str
    xp: Any


CPU = Backend("/job:localhost/replica:0/task:0/device:CPU:0", numpy)
BACKENDS = (CPU,)
