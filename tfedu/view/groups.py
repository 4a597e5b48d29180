"""What a large picture shows once for many: `groups_of(nodes, edges, parents)` finds blocks that repeat, and series.

Blocks repeat where three or more scopes side by side hold the same: node by node, in the order in which they were made, the
same op type, attributes and outputs, in the same inner scopes, with the same edges inside, and with the same inputs taken
from outside and the same outputs used outside. Names are not compared. (A first block takes its input from elsewhere than
the second, and a last one gives it elsewhere; that is why the other end of an outer edge may differ.)
A series is a chain of nodes of one scope in which each has one consumer, the next; each takes nothing but the one before
and, maybe, one node that the whole series takes.
Nothing is hidden: a group is one more box around what it holds. No state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from .labels import leaf
from .records import GroupRecord

LEAST: Final = 60
"""A graph of fewer nodes than this is read as it is: each of its nodes may be the point of the lesson."""
COPIES: Final = 3
HELD: Final = 12
"""The copies of a block hold so many nodes together, and a series has so many, before a box of their own pays."""

Edge = Sequence[int]
"""kind, source, output, target, input: nodes by their places; of a control edge output and input are -1."""


@dataclass(slots=True)
class Node:
    """A node as groups see it; `signature` is all that copies of it have in common."""

    name: str
    scope: str
    signature: Hashable


def groups_of(nodes: Sequence[Node], edges: Sequence[Edge], parents: Mapping[str, str]) -> tuple[GroupRecord, ...]:
    """The groups among nodes, which stand in the order in which they were made; `parents` of all their scopes."""
    if len(nodes) < LEAST:
        return ()
    tree = _Tree(nodes, edges, parents)
    known = set(parents)
    found: list[GroupRecord] = []
    for group in (*_repeats(tree), *_series(tree)):
        path = group.path
        while path in known:
            path += "'"
        known.add(path)
        found.append(replace(group, path=path))
    return tuple(found)


def built_alike(nodes: Sequence[Node], edges: Sequence[Edge], parents: Mapping[str, str]) -> dict[str, int]:
    """Scopes that have the same structure as another one, wherever that lies: one number for each structure."""
    tree = _Tree(nodes, edges, parents)
    alike: dict[Hashable, list[str]] = {}
    for path, inside in tree.under.items():
        # What is surely different is not worth a closer look.
        ends = (len(inside), tree.signature[inside[0]], tree.signature[inside[-1]])
        alike.setdefault(ends, []).append(path)
    same: dict[Hashable, list[str]] = {}
    for path, structure in _structures(tree, [path for paths in alike.values() if len(paths) > 1 for path in paths]):
        same.setdefault(structure, []).append(path)
    shared = [paths for paths in same.values() if len(paths) > 1]
    return {path: number for number, paths in enumerate(shared) for path in paths}


class _Tree:
    """Scopes with all nodes under each, by their places; the edges as columns; of each node the number of its scope."""

    def __init__(self, nodes: Sequence[Node], edges: Sequence[Edge], parents: Mapping[str, str]) -> None:
        self.nodes = nodes
        self.parents = parents
        numbers: dict[Hashable, int] = {}
        self.signature = [numbers.setdefault(node.signature, len(numbers)) for node in nodes]
        _, self.source, self.output, self.target, self.input = np.array(edges, dtype=np.int64).reshape(-1, 5).T
        self.under: defaultdict[str, list[int]] = defaultdict(list)
        for place, node in enumerate(nodes):
            path = node.scope
            while path:
                self.under[path].append(place)
                path = parents[path]
        self.scopes = {path: number for number, path in enumerate(self.under)} | {"": -1}
        self.home = np.array([self.scopes[node.scope] for node in nodes])


def _repeats(tree: _Tree) -> Iterator[GroupRecord]:
    alike: dict[Hashable, list[str]] = {}
    for path, nodes in tree.under.items():
        # What is surely different is not worth a closer look.
        ends = (tree.signature[nodes[0]], tree.signature[nodes[-1]])
        alike.setdefault((tree.parents[path], len(nodes), ends), []).append(path)
    same: dict[Hashable, list[str]] = {}
    for path, structure in _structures(tree, [path for paths in alike.values() if _pays(tree, paths) for path in paths]):
        same.setdefault((tree.parents[path], structure), []).append(path)
    for copies in same.values():
        if _pays(tree, copies):
            parent = tree.parents[copies[0]]
            path = _path(parent, copies[0], copies[-1])
            yield GroupRecord(path, parent, "repeat", tuple(copies), ())


def _pays(tree: _Tree, copies: list[str]) -> bool:
    return len(copies) >= COPIES and len(copies) * len(tree.under[copies[0]]) >= HELD


def _structures(tree: _Tree, paths: Sequence[str]) -> Iterator[tuple[str, Hashable]]:
    """Each of these scopes with all that copies of it have in common, its nodes being numbered as they come.

    All at once, as columns: a node lies in scopes in scopes, and to look at it in each of them takes several times as long.
    """
    if not paths:
        return
    # The rows: each scope with each node under it.
    under = [tree.under[path] for path in paths]
    count = np.array(list(map(len, under)))
    scope = np.repeat(np.arange(len(paths)), count)
    node = np.array([place for inside in under for place in inside])
    number = _ranges(np.zeros_like(count), count)
    key = scope * len(tree.nodes) + node

    def numbered(row: Any, other: Any) -> Any:
        """The numbers that other nodes have in the scopes of these rows; -1 outside."""
        wanted = scope[row] * len(tree.nodes) + other
        at = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
        return np.where(key[at] == wanted, number[at], -1)

    row = np.arange(len(node))
    told: list[tuple[Any, ...]] = [(row, np.array(tree.signature)[node])]
    # An inner scope is told by the first node under it, and by how far around its nodes it is.
    first = np.array([inside[0] for inside in tree.under.values()])
    around = np.array([tree.scopes[tree.parents[path]] for path in tree.under])
    own = np.array([tree.scopes[path] for path in paths])[scope]
    inner = tree.home[node]
    while len(row := row[inner[row] != own[row]]):
        told.append((row, numbered(row, first[inner[row]])))
        inner[row] = around[inner[row]]
    # Of what a node takes from outside only the input counts, and of what it gives there only the output.
    row, edge = _met(tree.target, node)
    source = numbered(row, tree.source[edge])
    flows = tree.input[edge] >= 0
    output = np.where(source < 0, -1, tree.output[edge])
    told.append((row[flows], tree.input[edge][flows], source[flows], output[flows]))
    waits = np.lexsort((source[~flows], row[~flows]))
    told.append((row[~flows][waits], source[~flows][waits]))
    row, edge = _met(tree.source, node)
    gone = numbered(row, tree.target[edge]) < 0
    wide = tree.output.max(initial=0) + 2
    told.append(np.divmod(np.unique(row[gone] * wide + tree.output[edge][gone] + 1), wide))
    parts = []
    for row, *facts in told:
        rows = np.stack((number[row], *facts), axis=1)
        ends = np.searchsorted(scope[row], np.arange(len(paths) + 1)).tolist()
        parts.append([rows[start:end].tobytes() for start, end in pairwise(ends)])
    yield from zip(paths, zip(*parts, strict=True), strict=True)


def _ranges(starts: Any, counts: Any) -> Any:
    """So many whole numbers from each start on, one after the other."""
    return np.arange(counts.sum()) + np.repeat(starts - np.cumsum(counts) + counts, counts)


def _met(ends: Any, nodes: Any) -> tuple[Any, Any]:
    """Each row of nodes with each of the edges that end there: the places of both."""
    order = np.argsort(ends, kind="stable")
    starts = np.searchsorted(ends, nodes, sorter=order)
    counts = np.searchsorted(ends, nodes, "right", sorter=order) - starts
    return np.repeat(np.arange(len(nodes)), counts), order[_ranges(starts, counts)]


def _series(tree: _Tree) -> Iterator[GroupRecord]:
    count = len(tree.nodes)
    source, target = np.divmod(np.unique(tree.source * count + tree.target), count)
    sources = np.bincount(target, minlength=count)
    own = np.bincount(source, minlength=count)[source] == 1  # it has no other consumer
    follows = own & (np.bincount(target[own], minlength=count)[target] == 1) & (sources[target] <= 2)
    follows &= tree.home[source] == tree.home[target]
    after: dict[int, int] = dict(zip(source[follows].tolist(), target[follows].tolist(), strict=True))
    beside = dict(zip(target[~own].tolist(), source[~own].tolist(), strict=True))
    for start in sorted(after.keys() - set(after.values())):
        # What takes nothing begins many a chain, but is no link of it.
        chain = [start] if sources[start] else [after[start]]
        while chain[-1] in after:
            node = after[chain[-1]]
            if len(chain) > 1 and beside.get(node) != beside.get(chain[-1]):
                yield from _chained(tree, chain)
                chain = []
            chain.append(node)
        yield from _chained(tree, chain)


def _chained(tree: _Tree, chain: list[int]) -> Iterator[GroupRecord]:
    if len(chain) >= HELD:
        first, last = tree.nodes[chain[0]], tree.nodes[chain[-1]]
        yield GroupRecord(_path(first.scope, first.name, last.name), first.scope, "series", (), tuple(chain))


def _path(parent: str, first: str, last: str) -> str:
    name = f"{leaf(first)}…{leaf(last)}"
    return f"{parent}/{name}" if parent else name
