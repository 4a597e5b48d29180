"""The fewest edits after which no fetch needs a node: `cuts(graph, elements, fed, op, feedable)`.

An edit drops a fetch ("unfetch") or a control edge ("unwait"), or feeds a tensor ("feed"). Fetches, tensors and nodes are a
flow network in which each edge leads to what is needed; the fewest edits are a minimum cut between fetches and node. No state.
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
# With more edits it would be another program.
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
    """The smallest cut of each kind, and one of several kinds if it is smaller than all of them; the smallest first.

    feedable: whether a tensor may be fed. Of equally small cuts of one kind it is the one nearest to the node.
    """
    smallest = [cut for kind in KINDS if (cut := _least(graph, elements, fed, op, feedable, (kind,)))]
    mixed = _least(graph, elements, fed, op, feedable, KINDS)
    if mixed and all(len(mixed) < len(cut) for cut in smallest):
        smallest.append(mixed)
    return sorted(smallest, key=len)


def _least(
    graph: Graph,
    elements: Sequence[Tensor | Operation],
    fed: Collection[Tensor],
    op: Operation,
    feedable: Callable[[Tensor], bool],
    kinds: Collection[str],
) -> tuple[Cut, ...]:
    """A minimum cut of these kinds, by the Ford-Fulkerson method; empty where there is none of at most MOST edits.

    into: by target, the edges of the network and the edit that cuts each (None: no edit does).
    """
    fed_tensors = frozenset(fed)

    def needs(at: Hashable) -> Iterator[_Edge]:
        """What a member of the network needs: "fetch" the fetches, a tensor its node, a node its inputs and control inputs."""
        if at is _FETCH:
            for element in elements:
                if element not in fed_tensors:
                    yield element, ("unfetch", element)
        elif isinstance(at, Tensor):
            yield at.op, (("feed", at) if feedable(at) else None)
        elif isinstance(at, Operation):
            for tensor in at.inputs:
                if tensor not in fed_tensors:
                    yield tensor, None
            for waited in waits_for(at, fed_tensors):
                # The control edges of a branch or loop are part of its construction.
                yield waited, (("unwait", (at, waited)) if at._context is None else None)

    into: dict[Hashable, dict[Hashable, Cut | None]] = {op: {}}
    queue: deque[Hashable] = deque([_FETCH])
    reached: set[Hashable] = {_FETCH}
    while queue:
        at = queue.popleft()
        for to, cut in needs(at):
            into.setdefault(to, {})[at] = cut if cut is not None and cut[0] in kinds else None
            if to not in reached:
                reached.add(to)
                queue.append(to)
    flow: dict[tuple[Hashable, Hashable], int] = {}
    for _ in range(MOST + 1):
        # Search from the node backwards, so that the cut lies near it.
        towards: dict[Hashable, Hashable] = {op: op}
        queue = deque([op])
        while queue and _FETCH not in towards:
            at = queue.popleft()
            back = [to for (source, to), amount in flow.items() if source == at and amount]
            for source in (*into.get(at, {}), *back):
                if source not in towards and _is_open(into, flow, source, at):
                    towards[source] = at
                    queue.append(source)
        if _FETCH not in towards:
            return tuple([cut for to in towards for source, cut in into.get(to, {}).items() if source not in towards and cut])
        at, uncuttable = _FETCH, True
        while at != op:
            to = towards[at]
            if flow.get((to, at)):
                flow[to, at] -= 1
                uncuttable = False
            else:
                flow[at, to] = flow.get((at, to), 0) + 1
                uncuttable = uncuttable and into[to][at] is None
            at = to
        if uncuttable:
            return ()
    return ()


def _is_open(
    into: dict[Hashable, dict[Hashable, Cut | None]],
    flow: dict[tuple[Hashable, Hashable], int],
    source: Hashable,
    to: Hashable,
) -> bool:
    """Whether the flow from one to the other can grow, or the opposite flow shrink."""
    if flow.get((to, source)):
        return True
    edges = into.get(to, {})
    return source in edges and (edges[source] is None or not flow.get((source, to)))


__all__ = ["KINDS", "Cut", "cuts"]
