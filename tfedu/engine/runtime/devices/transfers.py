"""What the runs of a session copied from the memory of one device to that of another: `print(session.transfers)`.

State: `Transfers.by_pair`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import NamedTuple


class Pair(NamedTuple):
    """What went from one device to another: tensors, the bytes that were copied, and signals (control edges that cross)."""

    source: str
    target: str
    tensors: int
    bytes: int
    signals: int


class Transfers:
    """The transfers of a session so far; iterating gives a `Pair` for each two devices, in the order of their first transfer.

    A tensor between two CPUs has one memory: it counts, but no byte of it is copied.
    """

    def __init__(self) -> None:
        self.by_pair: dict[tuple[str, str], tuple[int, int, int]] = {}
        self._lock = threading.Lock()

    def count(self, source: str, target: str, size: int, is_signal: bool = False) -> None:
        """Adds one tensor, of which `size` bytes were copied, or one signal."""
        with self._lock:
            tensors, total, signals = self.by_pair.get((source, target), (0, 0, 0))
            self.by_pair[source, target] = tensors + (not is_signal), total + size, signals + is_signal

    def __iter__(self) -> Iterator[Pair]:
        with self._lock:
            return iter([Pair(*pair, *counts) for pair, counts in self.by_pair.items()])

    @property
    def tensors(self) -> int:
        """How many tensors travelled."""
        return sum(pair.tensors for pair in self)

    @property
    def bytes(self) -> int:
        """The bytes that were copied."""
        return sum(pair.bytes for pair in self)

    def clear(self) -> None:
        """Sets all counts to 0."""
        with self._lock:
            self.by_pair.clear()

    def __repr__(self) -> str:
        lines = [
            f"{short(p.source)} -> {short(p.target)}: {_counted(p.tensors, 'tensor')}, {_counted(p.bytes, 'byte')}"
            + (f", {_counted(p.signals, 'signal')}" if p.signals else "")
            for p in self
        ]
        return "\n".join(lines) or "no transfers"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def short(device: str) -> str:
    """The last part of a device's name: GPU:0."""
    return device.rpartition("device:")[2]


__all__ = ["Pair", "Transfers", "short"]
