"""A name that a program gives, checked against those that there are: `known("layr1", scopes, "no scope")`. No state."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ...engine.base.suggest import nearest
from ..labels import shorten


def known(name: Any, names: Collection[str], problem: str) -> str:
    """The name, if it is one of these.

    Raises: TypeError for what is no text, ValueError for another name, with the nearest one.
    """
    if not isinstance(name, str):
        raise TypeError(f"expected a name, not {type(name).__name__}")
    if name not in names:
        near = nearest(name, names) if len(name) <= 200 and len(names) <= 10_000 else None
        hint = f" Did you mean {near!r}?" if near else ""
        raise ValueError(f"{problem} {shorten(name, 80)!r} in this graph.{hint}")
    return name


__all__ = ["known"]
