"""How two traces' graphs differ: `differences(left, right)` marks on each side the nodes and edges that the other side lacks.

Two nodes are the same when name and op type agree. Nodes with other names are the same when op type, attributes and all their
ancestors agree. No state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..records import EdgeRecord, GraphRecord, MarksRecord, NodeRecord, TraceRecord


def differences(left: TraceRecord, right: TraceRecord) -> tuple[MarksRecord, MarksRecord]:
    """The marks of both sides: nodes, empty blocks, and edges to common nodes that the other side lacks.

    Of two traces of one graph, the nodes that each trace needs are compared.
    """
    one_graph = left.graph == right.graph
    sides = []
    for trace in (left, right):
        if one_graph:
            kept = {reason.node for reason in trace.needed}
            kept.update(fetch.node for fetch in trace.fetches)
        else:
            kept = {node.id for node in trace.graph.nodes}
        sides.append(Half(trace.graph, kept))
    pairs = _match(sides[0], sides[1], one_graph)
    back = {other: one for one, other in pairs.items()}
    if one_graph:
        blocks = _idle_blocks(sides[0], sides[1])
    else:
        blocks = tuple(_blocks(sides[0], sides[1], pairs)), tuple(_blocks(sides[1], sides[0], back))
    return _marks(sides[0], sides[1], pairs, blocks[0]), _marks(sides[1], sides[0], back, blocks[1])


class Half:
    """The nodes of one side that are compared, and the edges between them."""

    def __init__(self, graph: GraphRecord, kept: Collection[int]) -> None:
        kept = frozenset(kept)
        self.graph = graph
        self.nodes = [node for node in graph.nodes if node.id in kept]
        self.into: dict[int, list[EdgeRecord]] = {node.id: [] for node in self.nodes}
        self.edges = [edge for edge in graph.edges if edge.source in kept and edge.target in kept]
        for edge in self.edges:
            self.into[edge.target].append(edge)


def _match(left: Half, right: Half, one_graph: bool) -> dict[int, int]:
    """For each node of the left side the same node of the right side."""
    pairs: dict[int, int] = {}
    if one_graph:
        ids = {node.id for node in right.nodes}
        pairs.update((node.id, node.id) for node in left.nodes if node.id in ids)
    else:
        named = {(node.name, node.type): node.id for node in right.nodes}
        pairs.update((node.id, named[key]) for node in left.nodes if (key := (node.name, node.type)) in named)
    for control in (True, False):  # first by all edges, then by data edges alone
        pair_by_number(left, right, pairs, *signatures(left, right, control))
    return pairs


def pair_by_number(left: Half, right: Half, pairs: dict[int, int], of_left: dict[int, int], of_right: dict[int, int]) -> None:
    """Pairs nodes without a partner whose numbers agree, in the order of the graphs."""
    paired = set(pairs.values())
    free: dict[int, list[int]] = {}
    for node in right.nodes:
        if node.id not in paired:
            free.setdefault(of_right[node.id], []).append(node.id)
    for node in left.nodes:
        others = free.get(of_left[node.id])
        if node.id not in pairs and others:
            pairs[node.id] = others.pop(0)


def signatures(left: Half, right: Half, control: bool) -> tuple[dict[int, int], dict[int, int]]:
    """For each node of both sides a number; nodes of one number have the same op type, attributes and ancestors."""
    known: dict[tuple[object, ...], int] = {}
    return _signatures(left, known, control), _signatures(right, known, control)


def _signatures(side: Half, known: dict[tuple[object, ...], int], control: bool) -> dict[int, int]:
    """The numbers of one side; nodes on a cycle are numbered by their op type alone. known: the number of each signature."""
    numbers: dict[int, int] = {}
    waits = {node.id: len(side.into[node.id]) for node in side.nodes}
    after: dict[int, list[int]] = {node.id: [] for node in side.nodes}
    by_id = {node.id: node for node in side.nodes}
    for edge in side.edges:
        after[edge.source].append(edge.target)
    ready = [node.id for node in side.nodes if not waits[node.id]]
    for node in side.nodes:
        numbers[node.id] = _number((node.type,), known)
    while ready:
        id = ready.pop()
        above = sorted(
            (edge.kind, edge.input or 0, edge.output or 0, numbers[edge.source])
            for edge in side.into[id]
            if control or edge.kind != "control"
        )
        numbers[id] = _number((own(by_id[id]), tuple(above)), known)
        for target in after[id]:
            waits[target] -= 1
            if not waits[target]:
                ready.append(target)
    return numbers


def own(node: NodeRecord) -> tuple[object, ...]:
    """Op type, attributes and outputs of a node."""
    attrs = tuple(sorted((key, text) for key, text in node.attrs if not key.startswith("_")))
    return (node.type, attrs, tuple(output.text for output in node.outputs))


def _number(key: tuple[object, ...], known: dict[tuple[object, ...], int]) -> int:
    return known.setdefault(key, len(known))


def _marks(side: Half, other: Half, pairs: dict[int, int], blocks: tuple[int, ...]) -> MarksRecord:
    """The nodes and edges of this side without a counterpart.

    An edge between two such nodes says nothing new; one that joins them to a common node shows where the difference begins.
    """
    there: dict[tuple[object, ...], int] = {}
    for edge in other.edges:
        key = (edge.kind, edge.source, edge.output, edge.target, edge.input)
        there[key] = there.get(key, 0) + 1
    edges = []
    for edge in side.edges:
        counterpart = (edge.kind, pairs.get(edge.source), edge.output, pairs.get(edge.target), edge.input)
        if there.get(counterpart, 0) > 0:
            there[counterpart] -= 1
        elif edge.source in pairs or edge.target in pairs:
            edges.append(edge.id)
    nodes = tuple(node.id for node in side.nodes if node.id not in pairs)
    return MarksRecord(nodes, tuple(edges), blocks)


def _blocks(side: Half, other: Half, pairs: dict[int, int]) -> Iterable[int]:
    """Empty blocks without a counterpart. (Blocks with nodes differ by the control edges of these nodes.)"""
    there = [frozenset(block.control_inputs) for block in other.graph.blocks if block.empty]
    for block in side.graph.blocks:
        if block.empty:
            waits = frozenset(pairs.get(id, -1) for id in block.control_inputs)
            if waits in there:
                there.remove(waits)
            else:
                yield block.id


def _idle_blocks(left: Half, right: Half) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The empty blocks to mark on each side, where both traces are of one graph and so have the same blocks.

    A block is marked on a side that needs ancestors of its control inputs, but not the control inputs themselves: there
    the reader sees that nothing waits for them.
    """
    into: dict[int, list[int]] = {}
    for edge in left.graph.edges:
        into.setdefault(edge.target, []).append(edge.source)
    sides: tuple[list[int], list[int]] = ([], [])
    for block in left.graph.blocks:
        if not block.empty:
            continue
        above = _above(block.control_inputs, into)
        idle = [
            not side.into.keys() >= set(block.control_inputs) and not side.into.keys().isdisjoint(above)
            for side in (left, right)
        ]
        if idle[0] != idle[1]:
            sides[idle[1]].append(block.id)
    return tuple(sides[0]), tuple(sides[1])


def _above(ids: Iterable[int], into: dict[int, list[int]]) -> set[int]:
    """The nodes and all their ancestors."""
    above = set(ids)
    todo = list(above)
    while todo:
        for source in into.get(todo.pop(), ()):
            if source not in above:
                above.add(source)
                todo.append(source)
    return above
