"""Staging areas: lists of element tuples between the runs of a pipeline. `area.put(element, size)`, `area.get()`.

capacity: the most elements, memory_limit: the most bytes; 0: no limit. State: `Staging`: its elements.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar, Self

from .. import errors
from .attempts import Attempt, Element, Meeting


class AnyStaging(Meeting):
    """What staging areas with and without keys share: their limits, their text, and copies.

    held: the elements; a class says of which kind. `state` and `restore` are the class's own.
    """

    filling: ClassVar[str] = "put"
    held: Any

    def __init__(self, name: str, capacity: int, memory_limit: int) -> None:
        super().__init__(name)
        self.capacity = capacity
        self.memory_limit = memory_limit

    def __str__(self) -> str:
        return f"the {'full ' * self.is_full}staging area {self.name} with {len(self.held)} elements"

    @property
    def is_bounded(self) -> bool:
        return self.capacity > 0

    @property
    def is_full(self) -> bool:
        return self.is_bounded and len(self.held) >= self.capacity

    @property
    def closed(self) -> bool:
        return False

    def state(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def restore(self, state: tuple[Any, ...] | None) -> None:
        """Gives the area an earlier `state`; None: that of a new one."""
        raise NotImplementedError

    def copied(self) -> Self:
        """An area with the same elements, at which nothing waits."""
        twin = copy.copy(self)
        Meeting.__init__(twin, self.name)
        twin.restore(self.state())
        return twin


class Staging(AnyStaging):
    """A staging area, whose elements come out as they came in."""

    kind: ClassVar[str] = "Staging"

    def __init__(self, name: str, capacity: int, memory_limit: int) -> None:
        super().__init__(name, capacity, memory_limit)
        self.held: deque[tuple[Element, int]] = deque()

    def content(self) -> list[Element]:
        with self.lock:
            return [element for element, _ in self.held]

    # -- attempts --------------------------------------------------------------------------------------------------------

    def put(self, element: Element, size: int) -> Attempt:
        """Raises: ResourceExhaustedError for an element that never fits."""
        if 0 < self.memory_limit < size:
            raise errors.ResourceExhaustedError(
                None, None,
                f"Attempted to insert tensors with combined size of '{size}' bytes into Staging Area with a memory limit of "
                f"'{self.memory_limit}'.",
            )  # fmt: skip

        def step(attempt: Attempt) -> bool:
            if not self._has_room(size):
                return False
            self.held.append((element, size))
            return True

        return self._begin(self.enqueues, Attempt(self, "Stage", step))

    def get(self) -> Attempt:
        return self._begin(self.dequeues, Attempt(self, "Unstage", self._taking(0, lambda: self.held.popleft()[0])))

    def peek(self, index: int) -> Attempt:
        """The element at this place, which stays there, once there is one."""
        return self._begin(self.dequeues, Attempt(self, "StagePeek", self._taking(index, lambda: self.held[index][0])))

    def clear(self) -> None:
        with self.lock:
            self.held.clear()
            self._go_on()

    def can_put(self, size: int) -> bool:
        return 0 < self.memory_limit < size or (not self.enqueues and self._has_room(size))

    def can_get(self, index: int = 0) -> bool:
        return not self.dequeues and len(self.held) > index

    def _has_room(self, size: int) -> bool:
        held = sum(each for _, each in self.held)
        return not (0 < self.capacity <= len(self.held) or 0 < self.memory_limit < held + size)

    def _taking(self, index: int, take: Callable[[], Element]) -> Callable[[Attempt], bool]:
        def step(attempt: Attempt) -> bool:
            if len(self.held) <= index:
                return False
            attempt.elements.append(take())
            return True

        return step

    # -- copies ----------------------------------------------------------------------------------------------------------

    def state(self) -> tuple[Any, ...]:
        with self.lock:
            return tuple(self.held)

    def restore(self, state: tuple[Any, ...] | None) -> None:
        self.held = deque(state or ())


__all__ = ["AnyStaging", "Staging"]
