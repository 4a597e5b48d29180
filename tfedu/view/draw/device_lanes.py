"""The lanes of a run on several devices: `in_lanes(record)` has one outermost scope a device, with the name scopes inside.

The front end's model/device-lanes.ts nests the nodes in the same way. No state.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ..records import GraphRecord, NodeRecord, ScopeRecord

# The lane of what is on no device. No scope has this path: names have no colon.
UNPLACED: Final = ":unplaced"

_WHOLE: Final = re.compile(r"/job:([^/]+).*/task:(\d+)/device:(\w+:\d+)$")
_NAMED: Final = re.compile(r"(?:^|/)(?:device:)?([a-z]+:\d+)$", re.IGNORECASE)
# The nodes that the partition adds have such names under the name of the node whose tensor or end they carry.
_ADDED: Final = re.compile(r"[^/]+/_\d+$")
_DEPTH: Final = 24  # of a record's scopes


def device_of(device: str) -> str:
    """The last part of a device's whole name: "GPU:0"; empty for a name that leaves parts open."""
    found = _WHOLE.search(device)
    return found[3] if found else ""


def added_name(node: NodeRecord) -> str:
    """The short name of a node that the partition added, as "split/_0"; empty for another node."""
    found = _ADDED.search(node.name)
    return found[0] if found else ""


def is_in_lane(node: NodeRecord) -> bool:
    """Whether the node of a record stands in the lane of its device, which then names the device."""
    return ":" in node.scope and node.scope.partition("/")[0] != UNPLACED


def in_lanes(record: GraphRecord) -> GraphRecord | None:
    """The record with the nodes of each device in a scope of their own; None for a run on one device, and for a graph of which
    parts are left out.
    """
    whole = [found for node in record.nodes if (found := _WHOLE.search(node.device))]
    tasks = {(found[1], found[2]) for found in whole}

    def name_of(found: re.Match[str]) -> str:
        return f"{found[1]}:{found[2]} {found[3]}" if len(tasks) > 1 else found[3]

    lanes = {name_of(found) for found in whole}
    if record.sealed or len(lanes) < 2:
        return None

    def lane_of(node: NodeRecord) -> str:
        found, named = _WHOLE.search(node.device), _NAMED.search(node.device)
        own = name_of(found) if found else named[1].upper() if named else ""
        return own if own in lanes else UNPLACED

    around = {scope for node in record.nodes if not added_name(node) for scope in _around(node.name)}
    homes = {}
    for node in record.nodes:
        # What the partition adds stands in the lane itself: the scope in its name is a node.
        scope = "" if added_name(node) else node.name if node.name in around else (_around(node.name) or [""])[-1]
        homes[node.id] = f"{lane_of(node)}/{scope}" if scope else lane_of(node)
    parents: dict[str, str] = {}
    for home in homes.values():
        while home and home not in parents:
            parents[home] = home.rpartition("/")[0]
            home = parents[home]
    places = sorted(parents, key=lambda path: (path.count("/"), _numbered(path)))
    return replace(
        record,
        nodes=tuple([replace(node, scope=homes[node.id]) for node in record.nodes]),
        scopes=tuple([ScopeRecord(path, parents[path]) for path in places]),
        groups=(), parts=(), layers=(),
    )  # fmt: skip


def _around(name: str) -> list[str]:
    """The name scopes around a node, from the outermost one inwards."""
    parts = name.split("/")[:-1][:_DEPTH]
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


def _numbered(path: str) -> list[tuple[int, str]]:
    """A key that sorts GPU:2 before GPU:10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path)]


__all__ = ["UNPLACED", "added_name", "device_of", "in_lanes", "is_in_lane"]
