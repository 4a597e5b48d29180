"""Collections of the default graph: `add_to_collection("losses", x)`, `get_collection("losses")`. No state but the graph's."""

from __future__ import annotations

from typing import Any

from ...graph.default_graph import get_default_graph


def add_to_collection(name: Any, value: Any) -> None:
    """Appends `value` to the default graph's list under `name`."""
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names: Any, value: Any) -> None:
    """Appends `value` to the default graph's list under each of `names`, once per name."""
    get_default_graph().add_to_collections(names, value)


def get_collection(key: Any, scope: str | None = None) -> list[Any]:
    """A copy of the default graph's list under `key`; with `scope`, only items whose name matches that regular
    expression at its start.
    """
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key: Any) -> list[Any]:
    """The default graph's live list under `key`."""
    return get_default_graph().get_collection_ref(key)


__all__ = ["add_to_collection", "add_to_collections", "get_collection", "get_collection_ref"]
