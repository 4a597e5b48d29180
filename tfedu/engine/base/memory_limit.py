"""The limit of memory that the environment sets: `limit_of(0)`, in bytes. No state."""

from __future__ import annotations

import os
from typing import Final

from .errors import InvalidArgumentError, ResourceExhaustedError, error_text

ENVIRONMENT: Final = "TFEDU_MEMORY_LIMIT_MB"
"""The environment variable with the limit of constants, and of sessions whose ConfigProto sets none."""

FIX: Final = f"memory_limit_mb of tf.ConfigProto, or the environment variable {ENVIRONMENT}, sets the limit"


def limit_of(megabytes: int) -> int | None:
    """The limit in bytes of so many megabytes; for 0 that of the environment, None for no limit.

    Raises: InvalidArgumentError for a setting that is no number of megabytes.
    """
    setting = str(megabytes) if megabytes else os.environ.get(ENVIRONMENT, "0")
    if not setting.isascii() or not setting.isdigit():
        name = "memory_limit_mb" if megabytes else ENVIRONMENT
        raise InvalidArgumentError(None, None, error_text(f"{name} must be a number of megabytes, not {setting!r}"))
    return int(setting) << 20 or None


def check_constant(size: int) -> None:
    """Raises: ResourceExhaustedError for a constant of more bytes than the limit of the environment."""
    limit = limit_of(0)
    if limit is not None and size > limit:
        text = f"OOM when building a constant: it needs {size} bytes, and the limit is {limit} bytes"
        raise ResourceExhaustedError(None, None, error_text(text, fix=FIX))


__all__ = ["ENVIRONMENT", "FIX", "check_constant", "limit_of"]
