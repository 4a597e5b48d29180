"""The scopes that the names of nodes make. No state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

# Scopes nest at most this deep in a record; deeper parts of a path stay in the node's name. (A name may have any number of
# slashes.)
DEPTH: Final = 24


def scopes_of(names: Iterable[str]) -> dict[str, str]:
    """The scope of each name: the part before its last slash.

    A node with the name of a scope ("Variable" beside "Variable/read") is inside that scope.
    """
    all_names = list(names)
    parents = {name: parent_scope(name) for name in all_names}
    scopes = parents_of(parents.values())
    return {name: name if name in scopes else parents[name] for name in all_names}


def parents_of(paths: Iterable[str]) -> dict[str, str]:
    """For each of these scopes, and each scope around them, the scope around it."""
    parents: dict[str, str] = {}
    for path in paths:
        while path and path not in parents:
            parents[path] = parent_scope(path)
            path = parents[path]
    return parents


def parent_scope(path: str) -> str:
    """The scope around a scope or node; "" is the graph."""
    if path.count("/", 0, 4096) > DEPTH:  # long names are searched near their start only
        cut = -1
        for _ in range(DEPTH):
            cut = path.index("/", cut + 1)
        return path[:cut]
    end = path.rfind("/", 0, 4096)
    return path[:end] if end > 0 else ""
