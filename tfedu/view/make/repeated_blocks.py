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

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from ..labels import leaf
from ..records import GroupRecord

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
    alike: dict[Hashable, list[int]] = {}
    for scope, ends in enumerate(tree.ends):
        alike.setdefault(ends, []).append(scope)
    same: dict[Hashable, list[str]] = {}
    for scope, structure in _structures(tree, [scope for scopes in alike.values() if len(scopes) > 1 for scope in scopes]):
        same.setdefault(structure, []).append(tree.paths[scope])
    shared = [paths for paths in same.values() if len(paths) > 1]
    return {path: number for number, paths in enumerate(shared) for path in paths}


class _Tree:
    """Scopes by their numbers, in the order of their first nodes, -1 the graph; all nodes under each, and edges, as columns."""

    def __init__(self, nodes: Sequence[Node], edges: Sequence[Edge], parents: Mapping[str, str]) -> None:
        self.nodes = nodes
        numbers: dict[Hashable, int] = {}
        self.signature = np.array([numbers.setdefault(node.signature, len(numbers)) for node in nodes])
        _, self.source, self.output, self.target, self.input = np.array(edges, dtype=np.int64).reshape(-1, 5).T
        scopes = {"": -1}
        for each in nodes:
            path = each.scope
            while path not in scopes:
                scopes[path] = len(scopes) - 1
                path = parents[path]
        self.paths = list(scopes)[1:]
        self.around = np.array([scopes[parents[path]] for path in self.paths], dtype=np.int64)
        self.home = np.array([scopes[node.scope] for node in nodes], dtype=np.int64)
        # Rows of a scope and a node under it, by scope and then by node.
        keys = [np.array([], dtype=np.int64)]
        node, inner = np.arange(len(nodes)), self.home.copy()
        while len(node := node[inner[node] >= 0]):
            keys.append(inner[node] * len(nodes) + node)
            inner[node] = self.around[inner[node]]
        scope, self.under = np.divmod(np.sort(np.concatenate(keys)), len(nodes))
        self.start = np.searchsorted(scope, np.arange(len(self.paths) + 1))
        self.count = np.diff(self.start)
        first, last = (self.signature[self.under[ends]] for ends in (self.start[:-1], self.start[1:] - 1))
        # Scopes that differ in these are surely different, and not worth a closer look.
        self.ends = list(zip(self.count.tolist(), first.tolist(), last.tolist(), strict=True))


def _repeats(tree: _Tree) -> Iterator[GroupRecord]:
    alike: dict[Hashable, list[int]] = {}
    for scope, (parent, ends) in enumerate(zip(tree.around.tolist(), tree.ends, strict=True)):
        alike.setdefault((parent, ends), []).append(scope)
    same: dict[Hashable, list[int]] = {}
    for scope, structure in _structures(tree, [scope for scopes in alike.values() if _pays(tree, scopes) for scope in scopes]):
        same.setdefault((tree.around[scope], structure), []).append(scope)
    for copies in same.values():
        if _pays(tree, copies):
            around = tree.around[copies[0]]
            parent = tree.paths[around] if around >= 0 else ""
            paths = tuple([tree.paths[scope] for scope in copies])
            yield GroupRecord(_path(parent, paths[0], paths[-1]), parent, "repeat", paths, ())


def _pays(tree: _Tree, copies: Sequence[int]) -> bool:
    return len(copies) >= COPIES and len(copies) * tree.ends[copies[0]][0] >= HELD


def _structures(tree: _Tree, scopes: Sequence[int]) -> Iterator[tuple[int, Hashable]]:
    """Each of these scopes with all that copies of it have in common, its nodes being numbered as they come.

    All at once, as columns: a node lies in scopes in scopes, and to look at it in each of them takes several times as long.
    """
    if not scopes:
        return
    # The rows: each scope with each node under it.
    own = np.array(scopes)
    count = tree.count[own]
    node = tree.under[_ranges(tree.start[own], count)]
    number = _ranges(np.zeros_like(count), count)
    scope = np.repeat(np.arange(len(scopes)), count)
    key = scope * len(tree.nodes) + node

    def numbered(row: Any, other: Any) -> Any:
        """The numbers that other nodes have in the scopes of these rows; -1 outside."""
        wanted = scope[row] * len(tree.nodes) + other
        at = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
        return np.where(key[at] == wanted, number[at], -1)

    row = np.arange(len(node))
    told: list[tuple[Any, ...]] = [(row, tree.signature[node])]
    # An inner scope is told by the first node under it, and by how far around its nodes it is.
    first, inner = tree.under[tree.start[:-1]], tree.home[node]
    while len(row := row[inner[row] != own[scope[row]]]):
        told.append((row, numbered(row, first[inner[row]])))
        inner[row] = tree.around[inner[row]]
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
        ends = np.searchsorted(scope[row], np.arange(len(scopes) + 1)).tolist()
        parts.append([rows[start:end].tobytes() for start, end in pairwise(ends)])
    yield from zip(scopes, zip(*parts, strict=True), strict=True)


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
