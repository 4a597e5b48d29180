"""The fewest edits after which no fetch needs a node: `cuts(elements, fed, op, feedable)`.

An edit drops a fetch ("unfetch") or a control edge ("unwait"), or feeds a tensor ("feed"). Fetches, tensors and nodes are a
flow network in which each edge leads to what is needed; the fewest edits are a minimum cut between fetches and node. Each kind
of cut takes at most MOST + 1 searches, each of which looks at every edge at most once. No state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from ...engine.graph.nodes import Operation, Tensor
from ...engine.ops.basic import PLACEHOLDERS

Cut: TypeAlias = tuple[Literal["unfetch", "unwait", "feed"], Any]
KINDS: Final = ("unwait", "feed", "unfetch")
# With more edits it would be another program.
MOST: Final = 6

_FETCH: Final = "fetch"


def cuts(
    elements: Sequence[Tensor | Operation],
    fed: Collection[Tensor],
    op: Operation,
    needed: Collection[Operation],
    feedable: Callable[[Tensor], bool],
) -> list[tuple[Cut, ...]]:
    """The smallest cut of each kind, and one of several kinds if it is smaller than all of them; the smallest first.

    needed: the nodes that the fetches need. feedable: whether a tensor may be fed. Of equally small cuts of one kind it is the
    one nearest to the node.
    """
    network = _network(elements, frozenset(fed), op, needed, feedable)
    smallest = [cut for kind in KINDS if (cut := _minimum_cut(network, (kind,)))]
    mixed = _minimum_cut(network, KINDS)
    if mixed and all(len(mixed) < len(cut) for cut in smallest):
        smallest.append(mixed)
    return sorted(smallest, key=len)


@dataclass
class _Network:
    """The members on the ways from the fetches to the node, by number: 0 is the node, and the others follow nearest first.

    into: of each member the edges that lead to it, as (number of the source, the edit that cuts the edge, or None). fetch: the
    number of the fetches; None if no way leads to the node.
    """

    into: list[list[tuple[int, Cut | None]]]
    fetch: int | None


def _network(
    elements: Sequence[Tensor | Operation],
    fed: frozenset[Tensor],
    op: Operation,
    needed: Collection[Operation],
    feedable: Callable[[Tensor], bool],
) -> _Network:
    """The network from the node backwards, by one look at each edge."""
    fetched = set(elements) - fed

    def sources(at: Hashable) -> Iterator[tuple[Hashable, Cut | None]]:
        """What needs a member: a fetch itself, a node's tensor and who waits for it, a tensor's consumers."""
        if at in fetched:
            yield _FETCH, ("unfetch", at)
        if isinstance(at, Tensor):
            if at not in fed:
                for consumer in dict.fromkeys(at.consumers()):
                    if consumer in needed:
                        yield consumer, None
        elif isinstance(at, Operation):
            for tensor in at.outputs:
                yield tensor, (("feed", tensor) if feedable(tensor) else None)
            if at.type in PLACEHOLDERS and at.outputs[0] in fed:
                return  # nothing waits for it
            for waiting in at.control_outputs:
                if waiting in needed:
                    # The control edges of a branch or loop are part of its construction.
                    yield waiting, (("unwait", (waiting, at)) if waiting._context is None else None)

    number: dict[Hashable, int] = {op: 0}
    members: list[Hashable] = [op]
    into: list[list[tuple[int, Cut | None]]] = []
    for at in members:
        edges = []
        for source, cut in sources(at):
            if source not in number:
                number[source] = len(members)
                members.append(source)
            edges.append((number[source], cut))
        into.append(edges)
    return _Network(into, number.get(_FETCH))


def _minimum_cut(network: _Network, kinds: Collection[str]) -> tuple[Cut, ...]:
    """A minimum cut of these kinds, by the Ford-Fulkerson method; empty if there is none of at most MOST edits."""
    into, fetch = network.into, network.fetch
    if fetch is None:
        return ()
    flow: dict[int, dict[int, int]] = {}  # by source and target

    for _ in range(MOST + 1):
        # Search from the node backwards, so that the cut lies near it.
        towards = {0: 0}
        queue = deque([0])
        while queue and fetch not in towards:
            at = queue.popleft()
            for source, cut in into[at]:
                # An edge without an edit of these kinds carries any flow, another one a flow of one.
                if source not in towards and (cut is None or cut[0] not in kinds or not flow.get(source, {}).get(at)):
                    towards[source] = at
                    queue.append(source)
            for to, amount in flow.get(at, {}).items():
                if amount and to not in towards:
                    towards[to] = at
                    queue.append(to)
        if fetch not in towards:
            return tuple([
                cut for to in towards for source, cut in into[to] if source not in towards and cut is not None and cut[0] in kinds
            ])  # fmt: skip
        at, can_be_cut = fetch, False
        while at:
            to = towards[at]
            if flow.get(to, {}).get(at):
                flow[to][at] -= 1
                can_be_cut = True
            else:
                out = flow.setdefault(at, {})
                out[to] = out.get(to, 0) + 1
                can_be_cut = can_be_cut or any(source == at and cut is not None and cut[0] in kinds for source, cut in into[to])
            at = to
        if not can_be_cut:
            return ()
    return ()


__all__ = ["KINDS", "Cut", "cuts"]
