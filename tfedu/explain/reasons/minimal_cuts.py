"""The fewest edits after which no fetch needs a node: `cuts(elements, fed, op, feedable)`.

An edit drops a fetch ("unfetch") or a control edge ("unwait"), or feeds a tensor ("feed"). Fetches, tensors and nodes are a
flow network in which each edge leads to what is needed; the fewest edits are a minimum cut between fetches and node. No state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from ...engine.graph.nodes import Operation, Tensor
from ...engine.runtime.prune import waits_for

Cut: TypeAlias = tuple[Literal["unfetch", "unwait", "feed"], Any]
KINDS: Final = ("unwait", "feed", "unfetch")
# With more edits it would be another program.
MOST: Final = 6

# The edges into each member of the network, by their source, with the edit that cuts them (None: no edit does).
_Network: TypeAlias = Mapping[Hashable, Mapping[Hashable, Cut | None]]
_FETCH: Final = "fetch"


def cuts(
    elements: Sequence[Tensor | Operation],
    fed: Collection[Tensor],
    op: Operation,
    feedable: Callable[[Tensor], bool],
) -> list[tuple[Cut, ...]]:
    """The smallest cut of each kind, and one of several kinds if it is smaller than all of them; the smallest first.

    feedable: whether a tensor may be fed. Of equally small cuts of one kind it is the one nearest to the node.
    """
    network = _network(elements, frozenset(fed), op, feedable)
    smallest = [cut for kind in KINDS if (cut := _minimum_cut(network, op, (kind,)))]
    mixed = _minimum_cut(network, op, KINDS)
    if mixed and all(len(mixed) < len(cut) for cut in smallest):
        smallest.append(mixed)
    return sorted(smallest, key=len)


def _network(
    elements: Sequence[Tensor | Operation],
    fed: frozenset[Tensor],
    op: Operation,
    feedable: Callable[[Tensor], bool],
) -> _Network:
    """The network of all that the fetches need, and the node."""

    def needs(at: Hashable) -> Iterator[tuple[Hashable, Cut | None]]:
        """What a member of the network needs: "fetch" the fetches, a tensor its node, a node its inputs and control inputs."""
        if at is _FETCH:
            for element in elements:
                if element not in fed:
                    yield element, ("unfetch", element)
        elif isinstance(at, Tensor):
            yield at.op, (("feed", at) if feedable(at) else None)
        elif isinstance(at, Operation):
            for tensor in at.inputs:
                if tensor not in fed:
                    yield tensor, None
            for waited in waits_for(at, fed):
                # The control edges of a branch or loop are part of its construction.
                yield waited, (("unwait", (at, waited)) if at._context is None else None)

    into: dict[Hashable, dict[Hashable, Cut | None]] = {op: {}}
    queue: deque[Hashable] = deque([_FETCH])
    reached: set[Hashable] = {_FETCH}
    while queue:
        at = queue.popleft()
        for to, cut in needs(at):
            into.setdefault(to, {})[at] = cut
            if to not in reached:
                reached.add(to)
                queue.append(to)
    return into


def _minimum_cut(network: _Network, op: Operation, kinds: Collection[str]) -> tuple[Cut, ...]:
    """A minimum cut of these kinds, by the Ford-Fulkerson method; empty if there is none of at most MOST edits."""

    def edit(source: Hashable, to: Hashable) -> Cut | None:
        """The edit of these kinds that cuts an edge."""
        cut = network[to][source]
        return cut if cut is not None and cut[0] in kinds else None

    flow: dict[tuple[Hashable, Hashable], int] = {}

    def can_grow(source: Hashable, to: Hashable) -> bool:
        """Whether the flow along an edge can grow, or the opposite flow shrink."""
        if flow.get((to, source)):
            return True
        return source in network.get(to, {}) and (edit(source, to) is None or not flow.get((source, to)))

    for _ in range(MOST + 1):
        # Search from the node backwards, so that the cut lies near it.
        towards: dict[Hashable, Hashable] = {op: op}
        queue: deque[Hashable] = deque([op])
        while queue and _FETCH not in towards:
            at = queue.popleft()
            back = [to for (source, to), amount in flow.items() if source == at and amount]
            for source in (*network.get(at, {}), *back):
                if source not in towards and can_grow(source, at):
                    towards[source] = at
                    queue.append(source)
        if _FETCH not in towards:
            sources = [(source, to) for to in towards for source in network.get(to, {}) if source not in towards]
            return tuple([cut for source, to in sources if (cut := edit(source, to)) is not None])
        at, can_be_cut = _FETCH, False
        while at != op:
            to = towards[at]
            if flow.get((to, at)):
                flow[to, at] -= 1
                can_be_cut = True
            else:
                flow[at, to] = flow.get((at, to), 0) + 1
                can_be_cut = can_be_cut or edit(at, to) is not None
            at = to
        if not can_be_cut:
            return ()
    return ()


__all__ = ["KINDS", "Cut", "cuts"]
