"""Pictures from arrays: `png(pixels)`, by the standard library alone. No state."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

# PNG's colour types by the number of channels
_COLOURS = {1: 0, 2: 4, 3: 2, 4: 6}


def png(pixels: Any, level: int = -1) -> bytes:
    """An array [h, w, channels] as PNG, uint8 or uint16: 1 grey, 2 with alpha, 3 RGB, 4 RGBA. level: of zlib, -1 to 9."""
    height, width, channels = pixels.shape
    depth = pixels.dtype.itemsize
    samples = pixels.astype(">u2").view(np.uint8) if depth == 2 else pixels
    rows = _filtered(samples.reshape(height, -1), channels * depth)
    head = struct.pack(">IIBBBBB", width, height, 8 * depth, _COLOURS[channels], 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), level)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def _filtered(rows: Any, step: int) -> Any:
    """Rows of bytes [h, n] as PNG stores them [h, 1 + n]: each begins with the number of its filter, which is the one whose
    differences, as signed bytes, are the smallest. step: bytes of a pixel. Source: the PNG specification, sections 9 and 12.8.
    """
    left, up, corner = np.zeros_like(rows), np.zeros_like(rows), np.zeros_like(rows)
    left[:, step:], up[1:], corner[1:, step:] = rows[:, :-step], rows[:-1], rows[:-1, :-step]
    best = np.zeros((len(rows), 1 + rows.shape[1]), np.uint8)
    best[:, 1:] = rows
    least = np.abs(rows.view(np.int8).astype(np.int16)).sum(1, np.int64)
    for number, guess in enumerate((left, up, _mean(left, up), _paeth(left, up, corner)), 1):
        differences = rows - guess
        size = np.abs(differences.view(np.int8).astype(np.int16)).sum(1, np.int64)
        is_better = size < least
        best[is_better, 0] = number
        best[is_better, 1:] = differences[is_better]
        least = np.minimum(least, size)
    return best


def _mean(left: Any, up: Any) -> Any:
    return ((left.astype(np.uint16) + up) // 2).astype(np.uint8)


def _paeth(left: Any, up: Any, corner: Any) -> Any:
    """Of the three, the one that is nearest to left + up - corner."""
    a, b, c = (each.astype(np.int16) for each in (left, up, corner))
    guess = a + b - c
    to_a, to_b, to_c = abs(guess - a), abs(guess - b), abs(guess - c)
    return np.where((to_a <= to_b) & (to_a <= to_c), left, np.where(to_b <= to_c, up, corner))


__all__ = ["png"]
