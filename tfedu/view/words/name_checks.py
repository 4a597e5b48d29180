"""Checks of names in arguments: `known("layr1", scopes, "no scope")`. No state."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ...engine.base.suggest import nearest
from ..labels import shorten


def known(name: Any, names: Collection[str], problem: str) -> str:
    """The name, where it is one of `names`.

    Raises: TypeError for an argument that is no text, ValueError for an unknown name, with the nearest known one.
    """
    if not isinstance(name, str):
        raise TypeError(f"expected a name, not {type(name).__name__}")
    if name not in names:
        near = nearest(name, names) if len(name) <= 200 and len(names) <= 10_000 else None
        hint = f" Did you mean {near!r}?" if near else ""
        raise ValueError(f"{problem} {shorten(name, 80)!r} in this graph.{hint}")
    return name


__all__ = ["known"]
