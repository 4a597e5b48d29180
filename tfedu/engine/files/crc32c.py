"""CRC-32C, the checksum of TensorFlow's files: `crc32c(data)`, `crc32c(more, crc32c(data))`, and its masked form.

Computed by the package google-crc32c, or, if that is not installed (in a browser), by a slow loop. State: `_extend`, the
chosen function, and the table of the slow loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_MASK_DELTA = 0xA282EAD8
_POLYNOMIAL = 0x82F63B78

_extend: Callable[[int, Any], int] | None = None


def _implementation() -> Callable[[int, Any], int]:
    global _extend
    if _extend is None:
        try:
            import warnings

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about a missing compiled part
                import google_crc32c
            _extend = google_crc32c.extend
        except ImportError:
            _extend = slow
    return _extend


def slow(crc: int, data: Any) -> int:
    """The checksum in plain Python: some MB per second."""
    table = _table()
    crc ^= 0xFFFFFFFF
    for byte in bytes(data):
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


_table_entries: list[int] = []


def _table() -> list[int]:
    if not _table_entries:
        for value in range(256):
            for _ in range(8):
                value = (value >> 1) ^ (_POLYNOMIAL if value & 1 else 0)
            _table_entries.append(value)
    return _table_entries


def crc32c(data: Any, crc: int = 0) -> int:
    """The checksum of bytes, or of an array's memory; crc: the checksum of the preceding bytes."""
    if isinstance(data, np.ndarray):
        data = data.reshape(-1).view(np.uint8)
    elif not isinstance(data, bytes):
        data = np.frombuffer(data, np.uint8)
    return _implementation()(crc, data) if len(data) else crc


def masked(crc: int) -> int:
    """The form in which files store a checksum, because the CRC of data that contains CRCs is unreliable."""
    return (((crc >> 15) | (crc << 17)) + _MASK_DELTA) & 0xFFFFFFFF


__all__ = ["crc32c", "masked", "slow"]
