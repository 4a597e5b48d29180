"""Relations: which nodes of a run touch the same things, and which must come before which. `Relations(schedule, store)`.

Found from the graph and from what is initialized, before anything runs; exploring (explore.py) goes by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..graph.nodes import Operation
from ..runtime.prune import data_inputs, waits_for
from ..runtime.schedule import Schedule
from ..runtime.store import Store
from .accesses import Access, Place, accesses


class Relations:
    """What is known of a run before it: which nodes touch what, and which must come before which.

    order: the nodes, first those that touch anything. Sets of nodes are bits, by their places in it.
    """

    def __init__(self, scheduled: Schedule, store: Store) -> None:
        pruned = scheduled.placed.pruned
        fed = frozenset(pruned.fed)
        self.touch: dict[Operation, Access] = accesses(pruned, lambda place: _is_unset(store, place))
        self.order = [*self.touch, *(op for op in scheduled.order if op not in self.touch)]
        self.at = {op: i for i, op in enumerate(self.order)}
        self.count = len(self.touch)
        above: list[list[int]] = [[] for _ in self.order]
        self.below: list[list[int]] = [[] for _ in self.order]
        for i, op in enumerate(self.order):
            for source in (*data_inputs(op, fed), *waits_for(op, fed)):
                above[i].append(self.at[source])
                self.below[self.at[source]].append(i)
        loops = self._loops(scheduled)
        self.looping = 0
        for members in loops.values():
            for i in members:
                self.looping |= 1 << i
        # before: what must come first. leading: what may have to happen on the way; a loop counts as a whole.
        # through: whether there is a loop on the way.
        self.before, self.leading = [0] * len(self.order), [0] * len(self.order)
        self.through = [False] * len(self.order)
        loop_of = {i: (name, members) for name, members in loops.items() for i in members}
        inside: dict[str, int] = {}
        for op in scheduled.order:
            i = self.at[op]
            if i in loop_of:
                name, members = loop_of[i]
                if name not in inside:
                    inside[name] = self._touching(members)
                    for member in members:
                        for needed in above[member]:
                            inside[name] |= self.leading[needed] | self._touching((needed,))
                self.leading[i] = inside[name]
                self.through[i] = True
                continue
            for needed in above[i]:
                itself = self._touching((needed,))
                self.leading[i] |= self.leading[needed] | itself
                self.through[i] |= self.through[needed]
                if needed not in loop_of:
                    self.before[i] |= self.before[needed] | itself
        if scheduled.frames is not None and scheduled.segment is None:
            # Loops that wait for each other's nodes: anything may be on the way.
            self.leading = [(1 << self.count) - 1] * len(self.order)
            self.through = [True] * len(self.order)
        self.after = [0] * self.count
        for i in range(self.count):
            for j in bits(self.before[i]):
                self.after[j] |= 1 << i
        self.conflicts = self._conflicts(self.order)

    def _touching(self, places: Iterable[int]) -> int:
        return sum(1 << i for i in places if i < self.count)

    def _loops(self, scheduled: Schedule) -> dict[str, list[int]]:
        """The nodes of each outermost loop."""
        frames = scheduled.frames
        found: dict[str, list[int]] = {}
        for op in scheduled.order if frames is not None else ():
            path = frames.of[op].path if frames is not None and op in frames.of else ()
            if path:
                found.setdefault(path[0], []).append(self.at[op])
        return found

    def waiting_for(self, i: int) -> int:
        """The nodes that cannot run without this one."""
        met: set[int] = set()
        row = [i]
        while row:
            new = [j for j in self.below[row.pop()] if j not in met]
            met.update(new)
            row.extend(new)
        return self._touching(met)

    def _conflicts(self, order: Sequence[Operation]) -> list[int]:
        """For each node those whose order with it matters and is open; in a loop a node can be against itself."""
        touching: dict[Place, int] = {}
        writing: dict[Place, int] = {}
        for op, its in self.touch.items():
            for place in its.reads | its.writes:
                touching[place] = touching.get(place, 0) | 1 << self.at[op]
            for place in its.writes:
                writing[place] = writing.get(place, 0) | 1 << self.at[op]
        found = [0] * len(order)
        for op, its in self.touch.items():
            i = self.at[op]
            for place in its.writes:
                found[i] |= touching[place]
            for place in its.reads:
                found[i] |= writing.get(place, 0)
            found[i] &= ~(self.before[i] | self.after[i] | (1 << i & ~self.looping))
        return found


def bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _is_unset(store: Store, place: Place) -> bool:
    """Whether nothing is there when the run begins, or may not be in the middle of it."""
    buffer = store.buffers.get((place[1], place[2])) if place[0] == "variable" else None
    return buffer is None or buffer.value is None
