"""`MemoryUse`: what a node did in the memory of a device. No state."""

from __future__ import annotations

from typing import NamedTuple


class MemoryUse(NamedTuple):
    """Bytes that a node took in all, the most that it held at one time, and those that it left (below 0 where it freed others);
    in_use: of the whole device then, for all nodes and sessions. device: the device's name.
    """

    device: str
    total: int
    peak: int
    live: int
    in_use: int


__all__ = ["MemoryUse"]
