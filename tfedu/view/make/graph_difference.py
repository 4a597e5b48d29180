"""The difference of two graphs: `graph_diff(before, after)` pairs the nodes of two records and lists what changed.

Nodes of one name are one node. Other nodes are one renamed node where op type and attributes agree, and either their inputs or
their consumers are paired. A node without a partner was added or removed; one with other inputs was rewired. Attributes are
compared as text, in which a large constant has only its first and last elements. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..records import (
    EDGE_KINDS,
    BlockChangeRecord,
    BlockRecord,
    Change,
    EdgeChangeRecord,
    EdgeRecord,
    GradientNodeRecord,
    GraphDiffRecord,
    GraphRecord,
    InputChangeRecord,
    NodeChangeRecord,
    NodeRecord,
    NoticeRecord,
    ScopeRecord,
)
from .graph_comparison import Half, own, pair_by_number, signatures

Edge = tuple[str, int, int | None, int, int | None]


def graph_diff(before: GraphRecord, after: GraphRecord) -> GraphDiffRecord:
    """Both graphs as one, with the changes."""
    pairs = partners(before, after)
    union = _Union(before, after, pairs)
    return union.record()


def partners(before: GraphRecord, after: GraphRecord) -> dict[int, int]:
    """For each node of the first graph that the second has, too, the id of that node."""
    left, right = (Half(graph, [node.id for node in graph.nodes]) for graph in (before, after))
    named = {node.name: node.id for node in after.nodes}
    pairs = {node.id: named[node.name] for node in before.nodes if node.name in named}
    for control in (True, False):
        pair_by_number(left, right, pairs, *signatures(left, right, control))
    _by_scope(left, right, pairs)
    _forward(left, right, pairs)
    _backward(left, right, pairs)
    return pairs


def _by_scope(left: Half, right: Half, pairs: dict[int, int]) -> None:
    """Pairs nodes of a renamed scope: where some nodes of a scope have partners in another scope, so have the rest."""
    names = {node.id: node.name for node in right.nodes}
    paired = set(pairs.values())
    free = {(node.name, node.type): node.id for node in right.nodes if node.id not in paired}
    renamed: dict[str, str] = {}
    for node in left.nodes:
        if node.id in pairs and names[pairs[node.id]] != node.name:
            old, new = node.name.split("/"), names[pairs[node.id]].split("/")
            while len(old) > 1 and len(new) > 1 and old[-1] == new[-1]:
                del old[-1], new[-1]
            renamed.setdefault("/".join(old), "/".join(new))
    for node in left.nodes:
        if node.id in pairs:
            continue
        cut = node.name.rfind("/")
        while cut > 0 and node.name[:cut] not in renamed:
            cut = node.name.rfind("/", 0, cut)
        if cut > 0:
            partner = free.pop((renamed[node.name[:cut]] + node.name[cut:], node.type), None)
            if partner is not None:
                pairs[node.id] = partner


def _forward(left: Half, right: Half, pairs: dict[int, int]) -> None:
    """Pairs nodes with equal op type and attributes whose inputs are paired."""

    def key(half: Half, node: NodeRecord, known: dict[int, int]) -> tuple[object, ...] | None:
        inputs = half.into[node.id]
        if not inputs or any(edge.source not in known for edge in inputs):
            return None
        sources = sorted((edge.kind, edge.input or 0, edge.output or 0, known[edge.source]) for edge in inputs)
        return (own(node), tuple(sources))

    paired = set(pairs.values())
    itself = {node.id: node.id for node in right.nodes}
    free: dict[tuple[object, ...] | None, list[int]] = {}
    for node in right.nodes:
        if node.id not in paired:
            free.setdefault(key(right, node, itself), []).append(node.id)
    for node in left.nodes:
        if node.id not in pairs:
            node_key = key(left, node, pairs)
            if node_key is not None and free.get(node_key):
                pairs[node.id] = free[node_key].pop(0)


def _backward(left: Half, right: Half, pairs: dict[int, int]) -> None:
    """Pairs nodes of one op type that are the same input of paired nodes."""
    back = {other: one for one, other in pairs.items()}
    source: dict[tuple[int, str, int | None], int] = {
        (edge.target, edge.kind, edge.input): edge.source for edge in right.edges if edge.kind != "control"
    }
    types = {node.id: node.type for node in right.nodes}
    own_types = {node.id: node.type for node in left.nodes}
    # Later edges first: a new pair gives the inputs of its nodes a place to be paired at.
    for edge in sorted(left.edges, key=lambda edge: -edge.target):
        if edge.source in pairs or edge.target not in pairs:
            continue
        partner = source.get((pairs[edge.target], edge.kind, edge.input))
        if partner is not None and partner not in back and types[partner] == own_types[edge.source]:
            pairs[edge.source], back[partner] = partner, edge.source


class _Union:
    """Both graphs as one. Removed nodes and edges get ids that the second graph does not use."""

    def __init__(self, before: GraphRecord, after: GraphRecord, pairs: dict[int, int]) -> None:
        self.before, self.after, self.pairs = before, after, pairs
        self.back = {other: one for one, other in pairs.items()}
        shift = 1 + max((node.id for node in after.nodes), default=-1)
        self.place = {node.id: pairs.get(node.id, node.id + shift) for node in before.nodes}
        self.names = {node.id: node.name for node in before.nodes}, {node.id: node.name for node in after.nodes}
        there = {_key(edge): edge for edge in after.edges}
        was = {_key(edge, self.place): edge for edge in before.edges}
        first = 1 + max((edge.id for edge in after.edges), default=-1)
        gone = [(key, edge) for key, edge in was.items() if key not in there]
        self.gone = [
            replace(edge, id=first + number, source=self.place[edge.source], target=self.place[edge.target])
            for number, (_, edge) in enumerate(gone)
        ]
        self.new = [edge.id for key, edge in there.items() if key not in was]

    def record(self) -> GraphDiffRecord:
        removed = [
            replace(node, id=self.place[node.id]) for node in self.before.nodes if node.id not in self.pairs
        ]
        blocks, changed = self._blocks()
        gradients = {pair.node: pair for pair in self.after.gradients}
        for pair in self.before.gradients:
            of = None if pair.of is None else self.place[pair.of]
            gradients.setdefault(self.place[pair.node], GradientNodeRecord(self.place[pair.node], of))
        nodes = (*self.after.nodes, *removed)
        variables = [replace(v, node=self.place[v.node]) for v in self.before.variables if v.node not in self.pairs]
        graph = GraphRecord(
            nodes=nodes,
            edges=(*self.after.edges, *self.gone),
            scopes=_scopes(nodes, (*self.after.scopes, *self.before.scopes)),
            blocks=blocks,
            variables=(*self.after.variables, *variables),
            gradients=tuple(gradients.values()),
            notices=self.after.notices,
            codes=tuple(dict.fromkeys((*self.after.codes, *self.before.codes))),
        )
        edges = [EdgeChangeRecord(edge, "added") for edge in self.new]
        edges += [EdgeChangeRecord(edge.id, "removed") for edge in self.gone]
        changes = tuple(self._changes(removed))
        return GraphDiffRecord(graph, changes, tuple(edges), changed, len(nodes) - len(changes))

    def _changes(self, removed: list[NodeRecord]) -> Iterator[NodeChangeRecord]:
        old = {node.id: node for node in self.before.nodes}
        inputs = self._inputs()
        for node in self.after.nodes:
            if node.id not in self.back:
                yield NodeChangeRecord(node.id, ("added",), "", node.name, (), ())
                continue
            was = old[self.back[node.id]]
            attrs = tuple(_attrs(was, node))
            rewired = inputs.get(node.id, ())
            changes: list[Change] = ["renamed"] if was.name != node.name else []
            changes += ["rewired"] if rewired else []
            changes += ["changed"] if attrs else []
            if changes:
                yield NodeChangeRecord(node.id, tuple(changes), was.name, node.name, tuple(rewired), attrs)
        for node in removed:
            yield NodeChangeRecord(node.id, ("removed",), node.name, "", (), ())

    def _inputs(self) -> dict[int, list[InputChangeRecord]]:
        """For each node of both graphs its changed inputs."""
        changed_inputs: dict[int, list[InputChangeRecord]] = {}
        new = set(self.new)
        back = {place: id for id, place in self.place.items()}
        # Control inputs have no number: an added one does not replace a removed one.
        lost = {
            (edge.target, edge.input if edge.kind != "control" else edge.id, edge.kind == "control"): edge
            for edge in self.gone
            if edge.target in self.back
        }
        for edge in self.after.edges:
            if edge.id in new and edge.target in self.back:
                was = None if edge.kind == "control" else lost.pop((edge.target, edge.input, False), None)
                before = "" if was is None else self._tensor(was, self.names[0], back)
                change = InputChangeRecord(edge.kind, edge.input, before, self._tensor(edge, self.names[1]))
                changed_inputs.setdefault(edge.target, []).append(change)
        for edge in lost.values():
            change = InputChangeRecord(edge.kind, edge.input, self._tensor(edge, self.names[0], back), "")
            changed_inputs.setdefault(edge.target, []).append(change)
        return changed_inputs

    @staticmethod
    def _tensor(edge: EdgeRecord, names: dict[int, str], back: dict[int, int] | None = None) -> str:
        name = names[edge.source if back is None else back[edge.source]]
        return f"^{name}" if edge.output is None else f"{name}:{edge.output}"

    def _blocks(self) -> tuple[tuple[BlockRecord, ...], tuple[BlockChangeRecord, ...]]:
        """The blocks of the second graph, and empty blocks that only the first has; and the changed blocks."""
        blocks = list(self.after.blocks)
        waiting = {block.id: frozenset(block.control_inputs) for block in blocks if block.empty}
        next_id = 1 + max((block.id for block in blocks), default=-1)
        changes = []
        for block in self.before.blocks:
            if not block.empty:
                continue
            inputs = tuple(self.place[id] for id in block.control_inputs)
            same = next((id for id, waits in waiting.items() if waits == frozenset(inputs)), None)
            if same is not None:
                del waiting[same]
                continue
            blocks.append(replace(block, id=next_id, control_inputs=inputs, created=()))
            changes.append(BlockChangeRecord(next_id, "removed"))
            next_id += 1
        return tuple(blocks), (*(BlockChangeRecord(id, "added") for id in waiting), *changes)


def _key(edge: EdgeRecord, place: dict[int, int] | None = None) -> Edge:
    source, target = (edge.source, edge.target) if place is None else (place[edge.source], place[edge.target])
    return (edge.kind, source, edge.output, target, edge.input)


def _scopes(nodes: Iterable[NodeRecord], scopes: Iterable[ScopeRecord]) -> tuple[ScopeRecord, ...]:
    """The scopes that have nodes."""
    parents = {scope.path: scope.parent for scope in scopes}
    left: set[str] = set()
    for node in nodes:
        path = node.scope
        while path and path not in left:
            left.add(path)
            path = parents[path]
    return tuple([ScopeRecord(path, parents[path]) for path in sorted(left)])


def _attrs(before: NodeRecord, after: NodeRecord) -> Iterator[tuple[str, str, str]]:
    """The changed attributes of a node: name, text before, text after."""
    for key in ("type", "device"):
        if getattr(before, key) != getattr(after, key):
            yield key, getattr(before, key), getattr(after, key)
    old, new = dict(before.attrs), dict(after.attrs)
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key) and not key.startswith("_"):
            yield key, old.get(key, ""), new.get(key, "")
    for number in range(max(len(before.outputs), len(after.outputs))):
        texts = [node.outputs[number].text if number < len(node.outputs) else "" for node in (before, after)]
        if texts[0] != texts[1]:
            yield f"output {number}", texts[0], texts[1]


# -- large graphs -------------------------------------------------------------------------------------------------


def near_changes(record: GraphDiffRecord, most: int) -> GraphDiffRecord:
    """The difference in a smaller graph: the changed nodes, and nodes beside them, `most` nodes in all.

    Raises: ValueError where more nodes changed than that.
    """
    graph = record.graph
    if len(graph.nodes) <= most:
        return record
    changed = {change.edge for change in record.edges}
    blocks = {change.block for change in record.blocks}
    kept = {change.node for change in record.nodes}
    kept |= {end for edge in graph.edges if edge.id in changed for end in (edge.source, edge.target)}
    kept |= {id for block in graph.blocks if block.id in blocks for id in block.control_inputs}
    if len(kept) > most:
        raise ValueError(
            f"{len(kept):,} nodes changed, and a picture takes at most {most:,}\n"
            "  fix: print(tf.explain.graph_diff(before, after)) counts them; or compare graph_record([tensor]) of both graphs"
        )
    touching = [edge for edge in graph.edges if edge.source in kept or edge.target in kept]
    beside = dict.fromkeys(end for edge in touching for end in (edge.source, edge.target) if end not in kept)
    kept |= set(list(beside)[: most - len(kept)])
    nodes = tuple([node for node in graph.nodes if node.id in kept])
    edges = tuple([edge for edge in graph.edges if edge.source in kept and edge.target in kept])
    counts: dict[str, str | int] = {"nodes": len(graph.nodes) - len(nodes)}
    for kind in EDGE_KINDS:
        counts[kind] = sum(edge.kind == kind for edge in graph.edges) - sum(edge.kind == kind for edge in edges)
    smaller = replace(
        graph,
        nodes=nodes,
        edges=edges,
        scopes=_scopes(nodes, graph.scopes),
        blocks=tuple([block for block in graph.blocks if kept.issuperset((*block.control_inputs, *block.created))]),
        variables=tuple([variable for variable in graph.variables if variable.node in kept]),
        gradients=tuple([pair for pair in graph.gradients if pair.node in kept and (pair.of is None or pair.of in kept)]),
        notices=(*graph.notices, NoticeRecord("part", counts)),
        names=tuple([pair for pair in graph.names if pair[0] in kept]),
    )
    return replace(record, graph=smaller)


__all__ = ["graph_diff", "near_changes", "partners"]
