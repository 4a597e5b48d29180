"""Pickers: which of the ready turns of a run comes next.

`add` a ready turn, `pick` the next: the oldest, a random one, a recorded one, or the oldest where pairs say what comes earlier.
State: each picker's ready turns.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Sequence
from typing import Any, TypeAlias

from ..base import errors

Key: TypeAlias = tuple[int, ...]


class Picker:
    """The ready turns of one run: `add` one under its key and its name, `pick` the next, or `take` one that others picked.

    recorded: how many turns of a recorded order are left; None for a picker that follows none.
    """

    recorded: int | None = None

    def add(self, key: Key, name: str, turn: Any) -> None:
        raise NotImplementedError

    def pick(self) -> Any:
        raise NotImplementedError

    def take(self, name: str, turn: Any) -> None:
        """Removes a ready turn as if `pick` had returned it; later picks are as they would have been."""
        raise NotImplementedError

    def waits(self) -> bool:
        """Whether each ready turn has to wait for another run."""
        return False

    def __len__(self) -> int:
        raise NotImplementedError


class Oldest(Picker):
    def __init__(self) -> None:
        self.heap: list[tuple[Key, Any]] = []

    def add(self, key: Key, name: str, turn: Any) -> None:
        heapq.heappush(self.heap, (key, turn))

    def pick(self) -> Any:
        return heapq.heappop(self.heap)[1]

    def take(self, name: str, turn: Any) -> None:
        if self.heap[0][1] is turn:
            heapq.heappop(self.heap)
        else:
            self.heap = [item for item in self.heap if item[1] is not turn]
            heapq.heapify(self.heap)

    def __len__(self) -> int:
        return len(self.heap)


class Random(Picker):
    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)
        self.ready: list[Any] = []

    def add(self, key: Key, name: str, turn: Any) -> None:
        self.ready.append(turn)

    def pick(self) -> Any:
        return self._remove(self.source.randrange(len(self.ready)))

    def take(self, name: str, turn: Any) -> None:
        self.source.randrange(len(self.ready))
        self._remove(next(at for at, ready in enumerate(self.ready) if ready is turn))

    def _remove(self, at: int) -> Any:
        self.ready[at], self.ready[-1] = self.ready[-1], self.ready[at]
        return self.ready.pop()

    def __len__(self) -> int:
        return len(self.ready)


class Recorded(Picker):
    def __init__(self, names: Sequence[str]) -> None:
        self.names = deque(names)
        self.recorded = len(names)
        self.ready: dict[str, Any] = {}

    def add(self, key: Key, name: str, turn: Any) -> None:
        self.ready[name] = turn

    def pick(self) -> Any:
        if not self.names:
            raise errors.InvalidArgumentError(None, None, "The replayed schedule ends before the run does.")
        wanted = self.names.popleft()
        self.recorded = len(self.names)
        if wanted not in self.ready:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"The replayed schedule runs node {wanted} when it is not ready; ready are [{', '.join(self.ready)}].",
            )
        return self.ready.pop(wanted)

    def take(self, name: str, turn: Any) -> None:
        del self.ready[name]

    def __len__(self) -> int:
        return len(self.ready)


class Ordered(Oldest):
    """The oldest first, but some turns only after others; a turn stops waiting for one that never becomes ready."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.earlier: dict[str, set[str]] = {}
        for first, then in pairs:
            self.earlier.setdefault(then, set()).add(first)
        self.names: dict[Any, str] = {}
        self.skipped: dict[str, str] = {}  # a turn that was not ready, and the turn that went ahead of it

    def add(self, key: Key, name: str, turn: Any) -> None:
        super().add(key, name, turn)
        self.names[turn] = name

    def pick(self) -> Any:
        skipped = []
        while self.heap and self.earlier.get(self.names[self.heap[0][1]]):
            skipped.append(heapq.heappop(self.heap))
        if self.heap:
            turn = super().pick()
        else:
            turn = skipped.pop(0)[1]
            self.skipped.update(dict.fromkeys(self.earlier[self.names[turn]], self.names[turn]))
        for key, waiting in skipped:
            heapq.heappush(self.heap, (key, waiting))
        name = self.names.pop(turn)
        if name in self.skipped:
            raise errors.InvalidArgumentError(
                None, None, f"The schedule runs node {name} before node {self.skipped[name]}, but the graph does not allow that."
            )
        for waits in self.earlier.values():
            waits.discard(name)
        return turn

    def take(self, name: str, turn: Any) -> None:
        super().take(name, turn)
        del self.names[turn]
        for waits in self.earlier.values():
            waits.discard(name)


class Guided(Oldest):
    """A recorded order as far as it is legal, then the oldest."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.place = {name: place for place, name in enumerate(names)}

    def add(self, key: Key, name: str, turn: Any) -> None:
        super().add((self.place.get(name, len(self.place)), *key), name, turn)
