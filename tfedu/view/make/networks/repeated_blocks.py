"""Groups for large pictures: `groups_of(nodes, edges, parents)` finds repeated blocks and series.

A block is repeated where three or more scopes with the same parent have the same structure: node by node, in the order of
creation, the same op type, attributes and outputs, in the same inner scopes, with the same edges inside, the same inputs that
come from outside and the same outputs that are used outside. Names do not count, nor does the outer end of an edge: the first
block takes its input from elsewhere than the second, and the last one is used elsewhere.
A series is a chain of nodes of one scope. Each node has one consumer, the next node; each takes the node before and at most one
more node, the same one along the whole series.
A group is a box around what it contains; it hides nothing. No state.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from ...labels import leaf
from ...records import EDGE_KINDS, EdgeKind, GroupRecord, NodeRecord

LEAST: Final = 60
"""A graph of fewer nodes gets no groups: each of its nodes may be the point of the lesson."""
COPIES: Final = 3
WORTH: Final = 12
"""A group has at least so many nodes: all copies of a block together, or one series."""

_KIND_NUMBERS: Final = {kind: number for number, kind in enumerate(EDGE_KINDS)}


class Edge(NamedTuple):
    """An edge in whole numbers, for arrays: the kind by its place in EDGE_KINDS, nodes by their places among all nodes.

    output, input: -1 on a control edge.
    """

    kind: int
    source: int
    output: int
    target: int
    input: int

    @classmethod
    def of(cls, kind: EdgeKind, source: int, output: int | None, target: int, input: int | None) -> Edge:
        return cls(
            _KIND_NUMBERS[kind], source, -1 if output is None else output, target, -1 if input is None else input
        )


@dataclass(slots=True)
class Node:
    """A node; `signature` is equal for copies of it."""

    name: str
    scope: str
    signature: Hashable


def groups_of(nodes: Sequence[Node], edges: Sequence[Edge], parents: Mapping[str, str]) -> tuple[GroupRecord, ...]:
    """The groups among nodes, which come in the order of creation. parents: for each scope the scope around it."""
    if len(nodes) < LEAST:
        return ()
    tree = _Tree(nodes, edges, parents)
    paths = set(parents)
    groups: list[GroupRecord] = []
    for group in (*_repeats(tree), *_series(tree)):
        path = group.path
        while path in paths:
            path += "'"
        paths.add(path)
        groups.append(replace(group, path=path))
    return tuple(groups)


def alike(nodes: Iterable[NodeRecord]) -> list[Node]:
    """Nodes of a record for groups and structures."""
    return [
        Node(node.name, node.scope, (node.type, node.device, node.attrs, tuple([output.text for output in node.outputs])))
        for node in nodes
    ]


def structure_numbers(nodes: Sequence[Node], edges: Sequence[Edge], parents: Mapping[str, str]) -> dict[str, int]:
    """For each scope whose structure another scope has, too, anywhere in the graph, the number of the structure."""
    tree = _Tree(nodes, edges, parents)
    candidates: dict[Hashable, list[int]] = {}
    for scope, outline in enumerate(tree.outlines):
        candidates.setdefault(outline, []).append(scope)
    shared_outlines = [scope for scopes in candidates.values() if len(scopes) > 1 for scope in scopes]
    paths_by_structure: dict[Hashable, list[str]] = {}
    for scope, structure in _structures(tree, shared_outlines):
        paths_by_structure.setdefault(structure, []).append(tree.paths[scope])
    shared = [paths for paths in paths_by_structure.values() if len(paths) > 1]
    return {path: number for number, paths in enumerate(shared) for path in paths}


class _Outline(NamedTuple):
    """What is quickly known of a scope: scopes with different outlines have different structures."""

    nodes: int
    first_signature: int
    last_signature: int


class _Tree:
    """The scopes of a graph as arrays. Scopes are numbered in the order of their first nodes; -1 is the graph.

    signature: for each node the number of its signature. home: for each node its scope. around: for each scope the scope
    around it. start, count, under: the nodes in a scope at any depth are `under[start : start + count]`.
    """

    def __init__(self, nodes: Sequence[Node], edges: Sequence[Edge], parents: Mapping[str, str]) -> None:
        self.nodes = nodes
        numbers: dict[Hashable, int] = {}
        self.signature = np.array([numbers.setdefault(node.signature, len(numbers)) for node in nodes])
        _, self.source, self.output, self.target, self.input = np.array(edges, dtype=np.int64).reshape(-1, 5).T
        scopes = {"": -1}
        for node in nodes:
            path = node.scope
            while path not in scopes:
                scopes[path] = len(scopes) - 1
                path = parents[path]
        self.paths = list(scopes)[1:]
        self.around = np.array([scopes[parents[path]] for path in self.paths], dtype=np.int64)
        self.home = np.array([scopes[node.scope] for node in nodes], dtype=np.int64)
        # One key for each pair of a scope and a node in it; sorted, the keys are ordered by scope and then by node.
        keys = [np.array([], dtype=np.int64)]
        place, scope = np.arange(len(nodes)), self.home.copy()
        while len(place := place[scope[place] >= 0]):
            keys.append(scope[place] * len(nodes) + place)
            scope[place] = self.around[scope[place]]
        scope_of_key, self.under = np.divmod(np.sort(np.concatenate(keys)), len(nodes))
        self.start = np.searchsorted(scope_of_key, np.arange(len(self.paths) + 1))
        self.count = np.diff(self.start)
        first, last = (self.signature[self.under[ends]] for ends in (self.start[:-1], self.start[1:] - 1))
        columns = (self.count.tolist(), first.tolist(), last.tolist())
        self.outlines = [_Outline(*row) for row in zip(*columns, strict=True)]


def _repeats(tree: _Tree) -> Iterator[GroupRecord]:
    candidates: dict[Hashable, list[int]] = {}
    for scope, (parent, outline) in enumerate(zip(tree.around.tolist(), tree.outlines, strict=True)):
        candidates.setdefault((parent, outline), []).append(scope)
    likely = [scope for scopes in candidates.values() if _is_worth_a_group(tree, scopes) for scope in scopes]
    copies_by_structure: dict[Hashable, list[int]] = {}
    for scope, structure in _structures(tree, likely):
        copies_by_structure.setdefault((tree.around[scope], structure), []).append(scope)
    for copies in copies_by_structure.values():
        if _is_worth_a_group(tree, copies):
            around = tree.around[copies[0]]
            parent = tree.paths[around] if around >= 0 else ""
            paths = tuple([tree.paths[scope] for scope in copies])
            yield GroupRecord(_group_path(parent, paths[0], paths[-1]), parent, "repeat", scopes=paths, nodes=())


def _is_worth_a_group(tree: _Tree, copies: Sequence[int]) -> bool:
    return len(copies) >= COPIES and len(copies) * tree.outlines[copies[0]].nodes >= WORTH


def _structures(tree: _Tree, scopes: Sequence[int]) -> Iterator[tuple[int, Hashable]]:
    """Each of these scopes with its structure: a key that is equal for scopes of the same structure.

    The nodes of a scope are numbered in the order of creation, and its structure is a set of facts about these numbers. All
    scopes are worked on at once, in arrays with one row for each pair of a scope and a node in it: nodes lie in scopes in
    scopes, and a loop over scopes and nodes takes several times as long.
    """
    if not scopes:
        return
    own = np.array(scopes)
    count = tree.count[own]
    node = tree.under[_ranges(tree.start[own], count)]
    number = _ranges(np.zeros_like(count), count)
    scope = np.repeat(np.arange(len(scopes), dtype=np.int64), count)
    key = scope * len(tree.nodes) + node

    def numbers_in_scope(row: Any, other: Any) -> Any:
        """The numbers of other nodes in the scopes of these rows; -1 for a node outside."""
        wanted = scope[row] * len(tree.nodes) + other
        at = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
        return np.where(key[at] == wanted, number[at], -1)

    row = np.arange(len(node))
    # Each fact: the rows that it is about, and arrays of its values.
    facts: list[tuple[Any, ...]] = [(row, tree.signature[node])]
    # The inner scopes around a node, each named by its first node, from the innermost outwards.
    first, inner = tree.under[tree.start[:-1]], tree.home[node]
    while len(row := row[inner[row] != own[scope[row]]]):
        facts.append((row, numbers_in_scope(row, first[inner[row]])))
        inner[row] = tree.around[inner[row]]
    # Data edges into a node: input, source, output; of an edge from outside only the input.
    row, edge = _join(tree.target, node)
    source = numbers_in_scope(row, tree.source[edge])
    is_data = tree.input[edge] >= 0
    output = np.where(source < 0, -1, tree.output[edge])
    facts.append((row[is_data], tree.input[edge][is_data], source[is_data], output[is_data]))
    # Control edges into a node, which have no order.
    in_order = np.lexsort((source[~is_data], row[~is_data]))
    facts.append((row[~is_data][in_order], source[~is_data][in_order]))
    # The outputs of a node that are used outside.
    row, edge = _join(tree.source, node)
    leaves = numbers_in_scope(row, tree.target[edge]) < 0
    outputs = tree.output.max(initial=0) + 2
    facts.append(np.divmod(np.unique(row[leaves] * outputs + tree.output[edge][leaves] + 1), outputs))
    bytes_by_fact = []
    for row, *values in facts:
        table = np.stack((number[row], *values), axis=1)
        ends = np.searchsorted(scope[row], np.arange(len(scopes) + 1)).tolist()
        bytes_by_fact.append([table[start:end].tobytes() for start, end in pairwise(ends)])
    yield from zip(scopes, zip(*bytes_by_fact, strict=True), strict=True)


def _ranges(starts: Any, counts: Any) -> Any:
    """The whole numbers from each start on, as many as its count, one range after the other."""
    return np.arange(counts.sum()) + np.repeat(starts - np.cumsum(counts) + counts, counts)


def _join(ends: Any, nodes: Any) -> tuple[Any, Any]:
    """All pairs of a row of `nodes` and an edge whose end is that node: the rows, and the places of the edges in `ends`."""
    order = np.argsort(ends, kind="stable")
    starts = np.searchsorted(ends, nodes, sorter=order)
    counts = np.searchsorted(ends, nodes, "right", sorter=order) - starts
    return np.repeat(np.arange(len(nodes)), counts), order[_ranges(starts, counts)]


def _series(tree: _Tree) -> Iterator[GroupRecord]:
    count = len(tree.nodes)
    source, target = np.divmod(np.unique(tree.source * count + tree.target), count)
    sources = np.bincount(target, minlength=count)
    only = np.bincount(source, minlength=count)[source] == 1  # the target is the source's only consumer
    follows = only & (np.bincount(target[only], minlength=count)[target] == 1) & (sources[target] <= 2)
    follows &= tree.home[source] == tree.home[target]
    after: dict[int, int] = dict(zip(source[follows].tolist(), target[follows].tolist(), strict=True))
    beside = dict(zip(target[~only].tolist(), source[~only].tolist(), strict=True))
    for start in sorted(after.keys() - set(after.values())):
        # A node without inputs feeds the chain, but is no link of it.
        chain = [start] if sources[start] else [after[start]]
        while chain[-1] in after:
            node = after[chain[-1]]
            if len(chain) > 1 and beside.get(node) != beside.get(chain[-1]):
                yield from _series_group(tree, chain)
                chain = []
            chain.append(node)
        yield from _series_group(tree, chain)


def _series_group(tree: _Tree, chain: list[int]) -> Iterator[GroupRecord]:
    """The group of a chain that is long enough."""
    if len(chain) >= WORTH:
        first, last = tree.nodes[chain[0]], tree.nodes[chain[-1]]
        path = _group_path(first.scope, first.name, last.name)
        yield GroupRecord(path, first.scope, "series", scopes=(), nodes=tuple(chain))


def _group_path(parent: str, first: str, last: str) -> str:
    name = f"{leaf(first)}…{leaf(last)}"
    return f"{parent}/{name}" if parent else name
