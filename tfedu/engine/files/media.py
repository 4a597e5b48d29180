"""Images and sounds from arrays: `png(pixels)` and `wav(samples, rate)`, by the standard library alone. No state."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

# PNG's colour types by the number of channels
_COLOURS = {1: 0, 2: 4, 3: 2, 4: 6}


def png(pixels: Any) -> bytes:
    """An array uint8 [h, w, channels] as PNG: 1 grey, 2 with alpha, 3 RGB, 4 RGBA."""
    height, width, channels = pixels.shape
    rows = np.zeros((height, 1 + width * channels), np.uint8)  # each row begins with its filter: 0, none
    rows[:, 1:] = pixels.reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, _COLOURS[channels], 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes())), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def wav(samples: Any, rate: int) -> bytes:
    """An array float32 [frames, channels] in [-1, 1], clipped, as WAV of 16 bits per sample; rate: frames per second."""
    scaled = np.asarray(samples, np.float32) * np.float32(1 << 15)
    # rounds halves away from zero; NaN becomes silence
    rounded = np.nan_to_num(np.trunc(scaled + np.copysign(np.float32(0.5), scaled)), posinf=32767, neginf=-32768)
    data: bytes = np.clip(rounded, -32768, 32767).astype("<i2").tobytes()
    channels = np.shape(samples)[1]
    head = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, channels, rate, rate * channels * 2, channels * 2, 16)
    body = b"WAVE" + head + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


__all__ = ["png", "wav"]
