"""`tf.compat`: text and bytes, and the same names under version 1.

`tf.compat.v1` is tfedu itself.
"""

from __future__ import annotations

import contextlib
import importlib
import numbers
import os
from collections.abc import Iterator
from typing import Any

import numpy

from ..engine.base.shapes import dimension_at_index, dimension_value

integral_types = (numbers.Integral, numpy.integer)
real_types = (numbers.Real, numpy.integer, numpy.floating)
complex_types = (numbers.Complex, numpy.number)
bytes_or_text_types = (bytes, str)


def as_bytes(bytes_or_text: str | bytes | bytearray, encoding: str = "utf-8") -> bytes:
    """Text as bytes; bytes as they are. Raises: TypeError."""
    if isinstance(bytes_or_text, bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_text(bytes_or_text: str | bytes | bytearray, encoding: str = "utf-8") -> str:
    """Bytes as text; text as it is. Raises: TypeError."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes | bytearray):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


def as_str_any(value: object) -> str:
    """Bytes as text, anything else as `str` gives it."""
    return as_text(value) if isinstance(value, bytes) else str(value)


def path_to_str(path: Any) -> Any:
    """A path object as text; anything else as it is."""
    return as_str_any(path.__fspath__()) if isinstance(path, os.PathLike) else path


_horizon = (2019, 8, 21)


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether a graph may use what TensorFlow got before that day; 1.15's own horizon is August 21, 2019."""
    return _horizon > (year, month, day)


@contextlib.contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Moves the horizon of `forward_compatible` inside a block."""
    global _horizon
    before, _horizon = _horizon, (year, month, day)
    try:
        yield
    finally:
        _horizon = before


def __getattr__(name: str) -> Any:
    if name == "v1":
        return importlib.import_module("tfedu")
    if name == "v2":
        raise AttributeError("module 'tfedu.compat' has no attribute 'v2': tfedu is TensorFlow 1.x, and has no TensorFlow 2.")
    raise AttributeError(f"module 'tfedu.compat' has no attribute '{name}'")


__all__ = [
    "as_bytes", "as_str", "as_str_any", "as_text", "bytes_or_text_types", "complex_types",
    "dimension_at_index", "dimension_value", "forward_compatibility_horizon", "forward_compatible",
    "integral_types", "path_to_str", "real_types",
]  # fmt: skip
