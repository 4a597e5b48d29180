"""The record of one scope: `focused(record, "rnn/while")` keeps its nodes, and the outer nodes that have an edge to them.

widgets/src/model/scope-focus.ts does the same in the browser. No state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from ..records import (
    EDGE_KINDS,
    BlockRecord,
    BoxRecord,
    BundleRecord,
    EdgeRecord,
    GraphRecord,
    GroupRecord,
    LayerRecord,
    NodeRecord,
    NoticeRecord,
    ScopeRecord,
)
from .scope_paths import parents_of, scopes_of


def focusable(record: GraphRecord) -> set[str]:
    """The scopes that can be looked at by themselves."""
    return {path for path in _known(record, _scopes(record)) if not path.startswith(":")}


class Focus(NamedTuple):
    """One scope of a graph. outside: the nodes and sealed parts of its record that it reads from or gives to."""

    record: GraphRecord
    outside: frozenset[int]


def focused(record: GraphRecord, at: str) -> Focus:
    """A scope, which is the root of its record, and its neighbours.

    A neighbour stands alone; several that have an outer scope in common, which is not around this one, stand in that one.
    """
    scope_of = _scopes(record) | {part.id: part.path for part in record.sealed}
    known = _known(record, scope_of)
    own = {id for id, scope in scope_of.items() if _is_in(scope, at)}

    def touches(edge: EdgeRecord | BundleRecord) -> bool:
        return edge.source in own or edge.target in own

    edges = tuple(filter(touches, record.edges))
    bundles = tuple(filter(touches, record.bundles))
    lines: list[EdgeRecord | BundleRecord] = [*edges, *bundles]
    outside = frozenset(end for line in lines for end in (line.source, line.target)) - own
    shown = own | outside

    def outer(id: int) -> str:
        return next((path for path in _around(scope_of[id], known) if not _is_in(at, path)), "")

    counts = Counter(outer(id) for id in outside)

    def home(id: int) -> str:
        if id in own:
            return scope_of[id] if scope_of[id] != at else ""
        return outer(id) if counts[outer(id)] > 1 else ""

    nodes = tuple([replace(node, scope=home(node.id)) for node in record.nodes if node.id in shown])
    sealed = [part for part in record.sealed if part.id in shown]
    within = {node.scope for node in nodes} | {part.parent for part in sealed if part.id in own}
    chains = [[path for path in _around(one, known) if path.startswith(f"{at}/") or path in counts] for one in sorted(within)]
    # A scope that holds one other and nothing else says only what that one's name says.
    inner = Counter(outer for outer, _ in {pair for chain in chains for pair in pairwise(chain)})
    paths = dict.fromkeys(path for chain in chains for path in chain if path in within or inner[path] > 1)
    ids = {node.id for node in nodes}
    edge_ids = {edge.id for edge in edges}
    part = replace(
        record,
        nodes=nodes,
        edges=edges,
        bundles=bundles,
        scopes=tuple([ScopeRecord(path, "".join(_around(path, paths)[-2:-1])) for path in paths]),
        sealed=tuple([replace(one, parent=one.parent if one.parent in paths else "") for one in sealed]),
        blocks=tuple(_blocks(record, ids, shown)),
        variables=tuple([variable for variable in record.variables if variable.node in ids]),
        gradients=tuple([pair for pair in record.gradients if pair.node in ids and (pair.of is None or pair.of in ids)]),
        boxes=tuple(_boxes(record, ids)),
        groups=(
            *_loop_variables(record, at, {id for id in own if scope_of[id] == at}, known),
            *[group for group in record.groups if paths.keys() >= set(group.scopes) and own.issuperset(group.nodes)],
        ),
        loops=tuple([loop for loop in record.loops if all(variable.enter in ids for variable in loop.variables)]),
        parts=(),
        layers=(
            *[layer for layer in record.layers if layer.scope in paths or layer.scope == at],
            *[_shape_of(node) for node in nodes if node.role == "variable" and node.name in paths],
        ),
        transfers=tuple([transfer for transfer in record.transfers if transfer.edge in edge_ids]),
        names=tuple([pair for pair in record.names if pair[0] in ids]),
    )
    others = [notice for notice in record.notices if notice.code != "part"]
    return Focus(replace(part, notices=(*others, _left_out(record, part))), outside)


def _scopes(record: GraphRecord) -> dict[int, str]:
    """The scope in which each node's name puts it; in an overview nodes stand elsewhere, and so do those of other libraries."""
    if not record.parts or record.sealed:
        return {node.id: node.scope for node in record.nodes}
    named = scopes_of([node.name for node in record.nodes])
    return {node.id: named[node.name] for node in record.nodes}


def _known(record: GraphRecord, scope_of: Mapping[int, str]) -> set[str]:
    """The scopes of the record, and those that names make."""
    return {scope.path for scope in record.scopes} | set(parents_of(scope_of.values()))


def _around(path: str, known: Collection[str]) -> list[str]:
    """Of these scopes a path and those around it, the outermost first."""
    ends = [at for at, letter in enumerate(path) if letter == "/"]
    return [outer for outer in (*[path[:end] for end in ends], path) if outer in known]


def _is_in(scope: str, at: str) -> bool:
    return scope == at or scope.startswith(f"{at}/")


def _blocks(record: GraphRecord, nodes: set[int], shown: set[int]) -> Iterator[BlockRecord]:
    for block in record.blocks:
        created = tuple([id for id in block.created if id in nodes])
        if created:
            yield replace(block, created=created, control_inputs=tuple([id for id in block.control_inputs if id in shown]))


def _boxes(record: GraphRecord, nodes: set[int]) -> Iterator[BoxRecord]:
    boxes = [replace(box, nodes=tuple([id for id in box.nodes if id in nodes])) for box in record.boxes]
    paths = {box.path for box in boxes}
    kept = {path for box in boxes if box.nodes for path in _around(box.path, paths)}
    return (box for box in boxes if box.path in kept)


def _loop_variables(record: GraphRecord, at: str, direct: set[int], known: Collection[str]) -> Iterator[GroupRecord]:
    """Makes a group for each variable of a loop in the scope, of the nodes that its value passes.

    Those are the node of its first value (where no other node reads it), Enter, Merge, Switch, NextIteration and Exit, and the
    Identity that hands the value to an iteration. direct: the ids of the nodes that stand in the scope itself, in no inner one.
    """
    variables = [one for loop in record.loops for one in loop.variables if one.enter in direct]
    uses = Counter((edge.source, edge.output) for edge in record.edges)
    inputs = Counter(edge.target for edge in record.edges)
    taken = set(known)
    for variable in variables:
        first = [edge.source for edge in record.edges if edge.target == variable.enter and uses[edge.source, edge.output] == 1]
        begins = [
            edge.target
            for edge in record.edges
            if (edge.source, edge.output) == (variable.switch, 1) and uses[edge.source, 1] == inputs[edge.target] == 1
        ]
        ids = [*first, variable.enter, variable.merge, variable.switch, *begins, variable.next, variable.exit]
        path = f"{at}/{variable.name}…"
        while path in taken:
            path += "'"
        taken.add(path)
        yield GroupRecord(path, "", "loop_variable", (), tuple([id for id in ids if id is not None and id in direct]))


def _shape_of(node: NodeRecord) -> LayerRecord:
    """A scope that is named after a variable tells its shape, as that of a layer does."""
    shape = node.outputs[0].text.partition(" ")[2] if node.outputs else ""
    return LayerRecord(node.name, "", (shape,), 0, 0, False, 1)


def _size(record: GraphRecord) -> Counter[str]:
    """How many nodes, and edges of each kind, a record has or counts."""
    size = Counter(nodes=len(record.nodes))
    size.update(edge.kind for edge in record.edges)
    for bundle in record.bundles:
        size[bundle.kind] += bundle.count
    for part in record.sealed:
        for what in ("nodes", *EDGE_KINDS):
            size[what] += getattr(part, what)
    return size


def _left_out(whole: GraphRecord, part: GraphRecord) -> NoticeRecord:
    """How many nodes and edges are left out of a part of a record."""
    size, shown = _size(whole), _size(part)
    before = next((notice.params for notice in whole.notices if notice.code == "part"), {})
    return NoticeRecord(
        "part", {what: size[what] - shown[what] + int(before.get(what, 0)) for what in ("nodes", *EDGE_KINDS)}
    )


__all__ = ["Focus", "focusable", "focused"]
