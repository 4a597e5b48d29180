"""Sounds from bytes and back: WAV of 16 bits per sample, `to_wav(samples, rate)` and `from_wav(data)`. No state.

A frame is the samples of one moment, one for each channel. The samples that `from_wav` gives lie in the file's own bytes: a file
that claims more of them than it has is refused before anything is allocated.
"""

from __future__ import annotations

import struct
from typing import Any, Final

import numpy as np

_HEAD: Final = "<HHIIHH"  # format, channels, frames per second, bytes per second, bytes per frame, bits per sample
_LARGEST: Final = (1 << 31) - 1


class BadSound(ValueError):
    """Bytes that are no whole WAV file of 16 bits per sample, in TF's words."""


def to_wav(samples: Any, rate: int) -> bytes:
    """An array float32 [frames, channels] in [-1, 1], clipped, as WAV of 16 bits per sample; rate: frames per second.

    Numbers of the header that need more bits than it has lose the upper ones.
    """
    scaled = np.asarray(samples, np.float32) * np.float32(1 << 15)
    # rounds halves away from zero; NaN becomes silence
    rounded = np.nan_to_num(np.trunc(scaled + np.copysign(np.float32(0.5), scaled)), posinf=32767, neginf=-32768)
    data: bytes = np.clip(rounded, -32768, 32767).astype("<i2").tobytes()
    channels = np.shape(samples)[1]
    frame = channels * 2
    head = struct.pack(_HEAD, 1, channels, rate, rate * frame % (1 << 32), frame % (1 << 16), 16)
    body = b"WAVE" + _chunk(b"fmt ", head) + _chunk(b"data", data)
    return _chunk(b"RIFF", body)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return kind + struct.pack("<I", len(data)) + data


class _Reader:
    """The bytes of a file from its start to its end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        """The next bytes. Raises: BadSound when there are fewer."""
        end = self.at + size
        if end > len(self.data):
            raise BadSound("Data too short when trying to read string")
        part = self.data[self.at : end]
        self.at = end
        return part

    def number(self) -> int:
        """The next four bytes as a number."""
        return int.from_bytes(self.take(4), "little")

    def expect(self, text: bytes) -> None:
        """Raises: BadSound when other bytes than these are next."""
        found = self.take(len(text))
        if found != text:
            raise BadSound(f"Header mismatch: Expected {text.decode()} but found {_text(found)}")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def from_wav(data: bytes) -> tuple[Any, int]:
    """(the samples int16 [frames, channels], the frames per second) of a WAV file, which must have 16 bits per sample.

    A chunk ends where its size says, also at an odd place.

    Raises: BadSound.
    """
    reader = _Reader(data)
    reader.expect(b"RIFF")
    reader.number()  # the file's size, which nobody keeps right
    reader.expect(b"WAVE")
    channels, rate = _format(reader)
    frame = 2 * channels
    samples = None
    while reader.at < len(data):
        kind, size = reader.take(4), reader.number()
        if size > _LARGEST:
            raise BadSound(f"WAV data chunk '{_text(kind)}' is too large: {size} bytes, but the limit is {_LARGEST}")
        if kind != b"data":
            reader.at += size
            continue
        if samples is not None:
            raise BadSound("More than one data chunk found in WAV")
        start = reader.at
        reader.take(size // frame * frame)
        samples = np.frombuffer(data, "<i2", size // 2 // channels * channels, start).reshape(-1, channels)
    if samples is None:
        raise BadSound("No data chunk found in WAV")
    return samples, rate


def _format(reader: _Reader) -> tuple[int, int]:
    """(the number of channels, the frames per second) that the format chunk tells. Raises: BadSound."""
    reader.expect(b"fmt ")
    size = reader.number()
    if size not in (16, 18):
        raise BadSound(f"Bad file size for WAV: Expected 16 or 18, but got{size}")
    kind, channels, rate, bytes_per_second, frame, bits = struct.unpack(_HEAD, reader.take(16))
    if kind != 1:
        raise BadSound(f"Bad audio format for WAV: Expected 1 (PCM), but got{kind}")
    if not channels:
        raise BadSound("Bad number of channels for WAV: Expected at least 1, but got 0")
    if bits != 16:
        raise BadSound(f"Can only read 16-bit WAV files, but received {bits}")
    if frame != 2 * channels:
        raise BadSound(f"Bad bytes per sample in WAV header: Expected {2 * channels} but got {frame}")
    wanted = frame * rate % (1 << 32)
    if bytes_per_second != wanted:
        raise BadSound(
            f"Bad bytes per second in WAV header: Expected {wanted} but got {bytes_per_second} "
            f"(sample_rate={rate}, bytes_per_sample={frame})"
        )
    reader.take(size - 16)
    return channels, rate


__all__ = ["BadSound", "from_wav", "to_wav"]
