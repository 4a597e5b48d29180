"""Arguments that have both an old and a new name. No state."""

from __future__ import annotations

from typing import Any


def renamed(new_name: str, new: Any, old_name: str, old: Any) -> Any:
    """The value of an argument that was passed under its new or its old name.

    Raises: ValueError when both are passed.
    """
    if old is None:
        return new
    if new is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old
