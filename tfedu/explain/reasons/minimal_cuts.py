"""The fewest edits after which nothing asks for a node: `cuts(graph, elements, fed, op, feedable)`.

What may be cut: a fetch ("unfetch"), a control edge ("unwait"), a tensor, by feeding it ("feed"). Each asks along its
edges, and the fewest that separate the fetches from the node are a minimum cut of that network. No state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation, Tensor
from ...engine.runtime.prune import waits_for

Cut: TypeAlias = tuple[Literal["unfetch", "unwait", "feed"], Any]
KINDS: Final = ("unwait", "feed", "unfetch")
# More edits than these are another program.
MOST: Final = 6

_Edge: TypeAlias = tuple[Hashable, Cut | None]
_FETCH: Final = "fetch"


def cuts(
    graph: Graph,
    elements: Sequence[Tensor | Operation],
    fed: Collection[Tensor],
    op: Operation,
    feedable: Callable[[Tensor], bool],
) -> list[tuple[Cut, ...]]:
    """The smallest cut of each kind, the smallest first; where only a mixture is smaller than all of them, that first.

    feedable: whether a tensor may be fed. Of equally small cuts of one kind the one next to the node is taken.
    """
    found = [cut for kind in KINDS if (cut := _least(graph, elements, fed, op, feedable, (kind,)))]
    mixed = _least(graph, elements, fed, op, feedable, KINDS)
    if mixed and all(len(mixed) < len(cut) for cut in found):
        found.append(mixed)
    return sorted(found, key=len)


def _least(
    graph: Graph,
    elements: Sequence[Tensor | Operation],
    fed: Collection[Tensor],
    op: Operation,
    feedable: Callable[[Tensor], bool],
    kinds: Collection[str],
) -> tuple[Cut, ...]:
    """The fewest cuts of these kinds, by Ford and Fulkerson's flow; none where they do not suffice or are too many."""
    given = frozenset(fed)

    def steps(at: Hashable) -> Iterator[_Edge]:
        """Who is asked by whom: "fetch" asks what is fetched, a tensor its node, a node its inputs and whom it waits for."""
        if at is _FETCH:
            for element in elements:
                if element not in given:
                    yield element, ("unfetch", element)
        elif isinstance(at, Tensor):
            yield at.op, (("feed", at) if feedable(at) else None)
        elif isinstance(at, Operation):
            for tensor in at.inputs:
                if tensor not in given:
                    yield tensor, None
            for waited in waits_for(at, given):
                # What a branch or a loop waits for holds it together.
                yield waited, (("unwait", (at, waited)) if at._context is None else None)

    into: dict[Hashable, dict[Hashable, Cut | None]] = {op: {}}
    row: deque[Hashable] = deque([_FETCH])
    met: set[Hashable] = {_FETCH}
    while row:
        at = row.popleft()
        for to, cut in steps(at):
            into.setdefault(to, {})[at] = cut if cut is not None and cut[0] in kinds else None
            if to not in met:
                met.add(to)
                row.append(to)
    flow: dict[tuple[Hashable, Hashable], int] = {}
    for _ in range(MOST + 1):
        # From the node backwards, so that what is no longer reached lies next to it.
        came: dict[Hashable, Hashable] = {op: op}
        row = deque([op])
        while row and _FETCH not in came:
            at = row.popleft()
            back = [to for (source, to), amount in flow.items() if source == at and amount]
            for source in (*into.get(at, {}), *back):
                if source not in came and _is_open(into, flow, source, at):
                    came[source] = at
                    row.append(source)
        if _FETCH not in came:
            return tuple([cut for to in came for source, cut in into.get(to, {}).items() if source not in came and cut])
        at, free = _FETCH, True
        while at != op:
            to = came[at]
            if flow.get((to, at)):
                flow[to, at] -= 1
                free = False
            else:
                flow[at, to] = flow.get((at, to), 0) + 1
                free = free and into[to][at] is None
            at = to
        if free:
            return ()  # a way on which nothing may be cut
    return ()


def _is_open(
    into: dict[Hashable, dict[Hashable, Cut | None]],
    flow: dict[tuple[Hashable, Hashable], int],
    source: Hashable,
    to: Hashable,
) -> bool:
    """Whether more can flow from the one to the other, or less the other way."""
    if flow.get((to, source)):
        return True
    edges = into.get(to, {})
    return source in edges and (edges[source] is None or not flow.get((source, to)))


__all__ = ["KINDS", "Cut", "cuts"]
