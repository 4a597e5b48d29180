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
from typing import Final

from .labels import leaf
from .records import GroupRecord

LEAST: Final = 60
"""A graph of fewer nodes than this is read as it is: each of its nodes may be the point of the lesson."""
COPIES: Final = 3
HELD: Final = 12
"""The copies of a block hold so many nodes together, and a series has so many, before a box of their own pays."""

Edge = Sequence[int]
"""kind, source, output, target, input: nodes by their places; of a control edge output and input are -1."""


@dataclass(frozen=True, slots=True)
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
    for paths in alike.values():
        for path in paths if len(paths) > 1 else ():
            same.setdefault(_structure(tree, path), []).append(path)
    shared = [paths for paths in same.values() if len(paths) > 1]
    return {path: number for number, paths in enumerate(shared) for path in paths}


class _Tree:
    """Scopes with all nodes under each, by their places, and each node's edges."""

    def __init__(self, nodes: Sequence[Node], edges: Sequence[Edge], parents: Mapping[str, str]) -> None:
        self.nodes = nodes
        self.parents = parents
        numbers: dict[Hashable, int] = {}
        self.signature = [numbers.setdefault(node.signature, len(numbers)) for node in nodes]
        self.inputs: list[list[tuple[int, int, int]]] = [[] for _ in nodes]
        self.outputs: list[list[tuple[int, int]]] = [[] for _ in nodes]
        for _, source, output, target, input in edges:
            self.inputs[target].append((source, output, input))
            self.outputs[source].append((target, output))
        self.under: dict[str, list[int]] = {}
        for place, node in enumerate(nodes):
            path = node.scope
            while path:
                self.under.setdefault(path, []).append(place)
                path = parents[path]


def _repeats(tree: _Tree) -> Iterator[GroupRecord]:
    alike: dict[Hashable, list[str]] = {}
    for path, nodes in tree.under.items():
        # What is surely different is not worth a closer look.
        ends = (tree.signature[nodes[0]], tree.signature[nodes[-1]])
        alike.setdefault((tree.parents[path], len(nodes), ends), []).append(path)
    for paths in alike.values():
        if not _pays(tree, paths):
            continue
        same: dict[Hashable, list[str]] = {}
        for path in paths:
            same.setdefault(_structure(tree, path), []).append(path)
        for copies in same.values():
            if _pays(tree, copies):
                parent = tree.parents[copies[0]]
                path = _path(parent, copies[0], copies[-1])
                yield GroupRecord(path, parent, "repeat", tuple(copies), ())


def _pays(tree: _Tree, copies: list[str]) -> bool:
    return len(copies) >= COPIES and len(copies) * len(tree.under[copies[0]]) >= HELD


def _structure(tree: _Tree, path: str) -> Hashable:
    """All that copies have in common, nodes and inner scopes being numbered as they come."""
    nodes = tree.under[path]
    number = {node: i for i, node in enumerate(nodes)}
    inner: dict[str, int] = {path: 0}
    within: list[int] = []
    found: list[Hashable] = []
    for node in nodes:
        scope = tree.nodes[node].scope
        if scope not in inner:
            chain = [scope]
            while tree.parents[chain[-1]] not in inner:
                chain.append(tree.parents[chain[-1]])
            for step in reversed(chain):
                within.append(inner[tree.parents[step]])
                inner[step] = len(inner)
        inputs: list[tuple[int, int, int]] = []
        control: list[int] = []
        for source, output, input in tree.inputs[node]:
            at = number.get(source, -1)
            if input < 0:
                control.append(at)
            else:
                inputs.append((at, output if at >= 0 else -1, input))
        used = {output for target, output in tree.outputs[node] if target not in number}
        found.append((tree.signature[node], inner[scope], tuple(inputs), tuple(sorted(control)), frozenset(used)))
    return tuple(within), tuple(found)


def _series(tree: _Tree) -> Iterator[GroupRecord]:
    consumers = [len({target for target, _ in outputs}) for outputs in tree.outputs]
    after: dict[int, int] = {}
    beside: dict[int, set[int]] = {}
    for node, inputs in enumerate(tree.inputs):
        sources = {source for source, _, _ in inputs}
        own = {source for source in sources if consumers[source] == 1}
        if len(own) == 1 and len(sources) <= 2:
            (source,) = own
            if tree.nodes[source].scope == tree.nodes[node].scope:
                after[source] = node
                beside[node] = sources - own
    for start in sorted(after.keys() - set(after.values())):
        # What takes nothing begins many a chain, but is no link of it.
        chain = [start] if tree.inputs[start] else [after[start]]
        while chain[-1] in after:
            node = after[chain[-1]]
            if len(chain) > 1 and beside[node] != beside[chain[-1]]:
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
