"""Arguments that have an old name beside the new one. No state."""

from __future__ import annotations

from typing import Any


def renamed(new_name: str, new: Any, old_name: str, old: Any) -> Any:
    """The argument under its new or its old name.

    Raises: ValueError when both are given.
    """
    if old is None:
        return new
    if new is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old
