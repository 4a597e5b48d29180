"""Draws the rooms of the package and the imports between them: `python tools/architecture.py` writes docs/architecture.svg.

A room is a package that holds modules of its own, as tfedu/engine/ops. The picture comes from the import lines alone, and
tfedu's own SVG writer draws it: a room is a node, an import an edge from the room that imports to the room below it. An
edge that a longer way implies is left out, as `engine/lib -> engine/base` is by way of `engine/op`.
"""

import ast
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "architecture.svg"
PACKAGE = ROOT / "tfedu"
# The rooms drawn one by one inside these packages; every other package is one room.
OPEN = ("engine", "view")
PUBLIC = "tf.*"  # the modules of public names, which only name what the layers below make
PUBLIC_PACKAGES = ("compat", "data", "io", "keras", "saved_model", "testing")
SHARED = (("view", "labels"),)  # a module beside the rooms that all of them use: a room of its own

sys.path.insert(0, str(ROOT))

from tfedu.view.draw.svg import graph_svg
from tfedu.view.records import EdgeRecord, GraphRecord, NodeRecord, ScopeRecord


def room_of(parts):
    """The room of a module, by the parts of its dotted name below tfedu: ("engine", "ops", "math") is in "engine/ops"."""
    if parts[:2] in SHARED or (parts[:1] and parts[0] in OPEN and PACKAGE.joinpath(*parts[:2]).is_dir()):
        return "/".join(parts[:2])
    if parts[:1] in (("cli",), ("__main__",)):
        return "cli"
    is_package = parts and PACKAGE.joinpath(parts[0], "__init__.py").exists() and parts[0] not in PUBLIC_PACKAGES
    return parts[0] if is_package else PUBLIC


def imported(path):
    """The modules that a file imports, as parts of dotted names below tfedu; a name of a module counts as the module."""
    package = path.relative_to(PACKAGE).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = (*package[: len(package) - node.level + 1], *(node.module or "").split("."))
            for alias in node.names:
                yield tuple(part for part in (*base, alias.name) if part)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "tfedu":
            for alias in node.names:
                yield (*node.module.split(".")[1:], alias.name)


def arrows():
    """Which rooms each room imports from, without itself."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[:2] != ("exercises", "questions"):
            room = room_of(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
            found.setdefault(room, set()).update(room_of(other) for other in imported(path))
    return {room: others - {room, "engine"} for room, others in found.items() if room != "engine"}


def reduced(graph):
    """The same arrows without those that a longer way implies."""

    def reach(room):
        seen, stack = set(), list(graph[room])
        while stack:
            other = stack.pop()
            if other not in seen:
                seen.add(other)
                stack.extend(graph[other])
        return seen

    return {
        room: {other for other in others if not any(other in reach(third) for third in others if third != other)}
        for room, others in graph.items()
    }


def record():
    """The rooms as a graph's record: the importing room stands above what it imports."""
    graph = reduced(arrows())
    rooms = sorted(graph)
    ids = {room: number for number, room in enumerate(rooms)}
    nodes = []
    for room in rooms:
        scope = room.rpartition("/")[0]
        nodes.append(NodeRecord(ids[room], room, "", scope, "op", "", False, None, (), ()))
    pairs = [(ids[room], ids[other]) for room in rooms for other in sorted(graph[room])]
    # A control edge is the one that brings no value: the room above only needs the room below.
    edges = [EdgeRecord(i, "control", source, None, target, None, "") for i, (source, target) in enumerate(pairs)]
    scopes = tuple(ScopeRecord(path, "") for path in OPEN)
    return GraphRecord(nodes=tuple(nodes), edges=tuple(edges), scopes=scopes)


def drawn():
    """The picture as SVG text."""
    return graph_svg(record(), title="The rooms of tfedu", collapsed=(), lang="en")


def main():
    PICTURE.write_text(drawn() + "\n", encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)}: {len(record().nodes)} rooms, {len(record().edges)} imports")


if __name__ == "__main__":
    main()
