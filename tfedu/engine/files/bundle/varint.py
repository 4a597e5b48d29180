"""Variable-length integers: seven bits per byte. No state."""

from __future__ import annotations


def varint(data: bytes, at: int) -> tuple[int, int]:
    """(the number at an offset, the offset after it).

    Raises: ValueError for an incomplete number.
    """
    value = shift = 0
    while at < len(data) and shift < 64:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("bad number")


def as_varint(value: int) -> bytes:
    """The bytes of a number."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


__all__ = ["as_varint", "varint"]
