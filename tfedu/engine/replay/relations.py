"""Relations: which nodes of a run access the same state, and which must run before which. `Relations(schedule, store)`.

They follow from the graph and from which variables have values, before any node runs; explore.py searches with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..graph.nodes import Operation
from ..runtime.prune import data_inputs, waits_for
from ..runtime.schedule import Schedule
from ..runtime.store import Store
from .accesses import Access, Place, accesses


class Relations:
    """The accesses of the nodes of a run, and the order in which the nodes must run.

    order: the nodes, first the `count` of them with accesses; index_of: their indices in it. Sets of nodes are integers with
    a bit for each index. looping: the nodes inside loops. For each node
    before: nodes with accesses that must run first, loops left out. after: the same in the other direction.
    leading: nodes with accesses that may have to run first, where the nodes of a loop count together.
    through: whether one of them is in a loop. conflicts: nodes whose order with it matters and is not fixed.
    """

    def __init__(self, scheduled: Schedule, store: Store) -> None:
        pruned = scheduled.placed.pruned
        fed = frozenset(pruned.fed)
        self.accesses: dict[Operation, Access] = accesses(pruned, lambda place: _is_unset(store, place))
        self.order = [*self.accesses, *(op for op in scheduled.order if op not in self.accesses)]
        self.index_of = {op: i for i, op in enumerate(self.order)}
        self.count = len(self.accesses)
        above: list[list[int]] = [[] for _ in self.order]
        self.below: list[list[int]] = [[] for _ in self.order]
        for i, op in enumerate(self.order):
            for source in (*data_inputs(op, fed), *waits_for(op, fed)):
                above[i].append(self.index_of[source])
                self.below[self.index_of[source]].append(i)
        loops = self._loops(scheduled)
        self.looping = 0
        for members in loops.values():
            for i in members:
                self.looping |= 1 << i
        self.before, self.leading = [0] * len(self.order), [0] * len(self.order)
        self.through = [False] * len(self.order)
        loop_of = {i: (name, members) for name, members in loops.items() for i in members}
        inside: dict[str, int] = {}
        for op in scheduled.order:
            i = self.index_of[op]
            if i in loop_of:
                name, members = loop_of[i]
                if name not in inside:
                    inside[name] = self._bits_of(members)
                    for member in members:
                        for needed in above[member]:
                            inside[name] |= self.leading[needed] | self._bits_of((needed,))
                self.leading[i] = inside[name]
                self.through[i] = True
                continue
            for needed in above[i]:
                itself = self._bits_of((needed,))
                self.leading[i] |= self.leading[needed] | itself
                self.through[i] |= self.through[needed]
                if needed not in loop_of:
                    self.before[i] |= self.before[needed] | itself
        if scheduled.frames is not None and scheduled.segment is None:
            # Loops that wait for each other's nodes: any node may have to run first.
            self.leading = [(1 << self.count) - 1] * len(self.order)
            self.through = [True] * len(self.order)
        self.after = [0] * self.count
        for i in range(self.count):
            for j in bits(self.before[i]):
                self.after[j] |= 1 << i
        self.conflicts = self._conflicts(self.order)

    def _bits_of(self, indices: Iterable[int]) -> int:
        return sum(1 << i for i in indices if i < self.count)

    def _loops(self, scheduled: Schedule) -> dict[str, list[int]]:
        """The nodes of each outermost loop."""
        frames = scheduled.frames
        loops: dict[str, list[int]] = {}
        for op in scheduled.order if frames is not None else ():
            path = frames.of[op].path if frames is not None and op in frames.of else ()
            if path:
                loops.setdefault(path[0], []).append(self.index_of[op])
        return loops

    def waiting_for(self, i: int) -> int:
        """The nodes that cannot run without this one."""
        successors: set[int] = set()
        stack = [i]
        while stack:
            new = [j for j in self.below[stack.pop()] if j not in successors]
            successors.update(new)
            stack.extend(new)
        return self._bits_of(successors)

    def _conflicts(self, order: Sequence[Operation]) -> list[int]:
        """For each node those whose order with it matters and is not fixed; a node in a loop can conflict with itself."""
        accessing: dict[Place, int] = {}
        writing: dict[Place, int] = {}
        for op, access in self.accesses.items():
            for place in access.reads | access.writes:
                accessing[place] = accessing.get(place, 0) | 1 << self.index_of[op]
            for place in access.writes:
                writing[place] = writing.get(place, 0) | 1 << self.index_of[op]
        conflicts = [0] * len(order)
        for op, access in self.accesses.items():
            i = self.index_of[op]
            for place in access.writes:
                conflicts[i] |= accessing[place]
            for place in access.reads:
                conflicts[i] |= writing.get(place, 0)
            conflicts[i] &= ~(self.before[i] | self.after[i] | (1 << i & ~self.looping))
        return conflicts


def bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _is_unset(store: Store, place: Place) -> bool:
    """Whether the place has no value when the run begins, or may have none during it."""
    buffer = store.buffers.get((place[1], place[2])) if place[0] == "variable" else None
    return buffer is None or buffer.value is None
