"""Keras' settings: `epsilon()` 1e-7, `floatx()` "float32", `image_data_format()` "channels_last". State: `_settings`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import error_text

_settings: dict[str, Any] = {"epsilon": 1e-7, "floatx": "float32", "image_data_format": "channels_last"}


def epsilon() -> float:
    """The small number that keeps quotients and logarithms finite."""
    return float(_settings["epsilon"])


def set_epsilon(value: float) -> None:
    """Sets `epsilon()`."""
    _settings["epsilon"] = value


def floatx() -> str:
    """The name of the dtype of weights and inputs that have none of their own."""
    return str(_settings["floatx"])


def set_floatx(value: str) -> None:
    """Sets `floatx()`: float16, float32 or float64.

    Raises: ValueError for any other.
    """
    if value not in ("float16", "float32", "float64"):
        raise ValueError(error_text(f"Unknown floatx type: {value}"))
    _settings["floatx"] = value


def image_data_format() -> str:
    """The data format of image layers that are given none."""
    return str(_settings["image_data_format"])


def set_image_data_format(data_format: str) -> None:
    """Sets `image_data_format()`: "channels_last" or "channels_first".

    Raises: ValueError for any other.
    """
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError(error_text(f"Unknown data_format: {data_format}"))
    _settings["image_data_format"] = data_format


def cast_to_floatx(x: Any) -> Any:
    """An array [...] of the dtype `floatx()`."""
    return np.asarray(x, dtype=floatx())


def as_float(x: Any) -> float:
    """A number as the dtype `floatx()` holds it."""
    return float(cast_to_floatx(x))


__all__ = [
    "as_float",
    "cast_to_floatx", "epsilon", "floatx", "image_data_format", "set_epsilon", "set_floatx", "set_image_data_format",
]  # fmt: skip
