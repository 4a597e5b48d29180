"""Serialized Examples and SequenceExamples, byte by byte the same for every writer: features stand in the order of the calls."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np


def field(tag: int, data: bytes) -> bytes:
    """A message or a string in a field."""
    return bytes([tag]) + number(len(data)) + data


def number(value: int) -> bytes:
    out = bytearray()
    value &= (1 << 64) - 1
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def feature(values: Any) -> bytes:
    """A list of bytes, floats or integers; None is a feature without a list."""
    if values is None:
        return b""
    if any(isinstance(value, bytes) for value in values):
        return field(10, b"".join(field(10, value) for value in values))
    if any(isinstance(value, float) for value in values):
        return field(18, field(10, struct.pack(f"<{len(values)}f", *values)))
    return field(26, field(10, b"".join(map(number, values))) if values else b"")


def entry(key: str, value: bytes) -> bytes:
    return field(10, field(10, key.encode()) + field(18, value))


def example(**features: Any) -> bytes:
    return field(10, b"".join(entry(key, feature(values)) for key, values in features.items()))


def sequence(context: Any, **lists: Any) -> bytes:
    """A SequenceExample: the features of its context, and lists of features."""
    steps = {key: b"".join(field(10, feature(values)) for values in listed) for key, listed in lists.items()}
    return field(10, b"".join(entry(key, feature(values)) for key, values in context.items())) + field(
        18, b"".join(entry(key, value) for key, value in steps.items())
    )


def strings(*values: bytes) -> Any:
    """A vector of strings; NumPy's own string dtype would cut zeros at their ends."""
    out = np.empty(len(values), object)
    out[:] = values
    return out


def string(value: bytes) -> Any:
    out = np.empty((), object)
    out[()] = value
    return out
