"""The arguments of layers over images: data formats, and sizes for each spatial axis. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text


def normalized_data_format(value: Any) -> str:
    """"channels_last" for None, else the value in lower case.

    Raises: ValueError for anything but "channels_first" and "channels_last".
    """
    if value is None:
        return "channels_last"
    lower = value.lower() if isinstance(value, str) else value
    if lower not in ("channels_first", "channels_last"):
        raise ValueError(
            error_text(
                f'The `data_format` argument must be one of "channels_first", "channels_last". Received: {value}'
            )
        )
    return str(lower)
