"""Queues of a session: `queue.enqueue(elements)` and `queue.dequeue(count)` begin an attempt, which may have to wait.

An enqueue of many elements puts in what fits; a dequeue of many takes what there is, and gives it back when it fails. An element
is a tuple of components, arrays that nobody changes. State: `Queue`: its elements, and whether it is closed.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from .. import errors
from ..dtypes import DType
from ..philox import Draws, Start
from ..shapes import Shape
from .attempts import Attempt, Element, Meeting, cancelled

UNBOUNDED: Final = 2**31 - 1


class Queue(Meeting):
    """A queue whose elements come out as they came in.

    capacity: below zero there is none. shapes: of the components; None where they may differ.
    """

    kind: ClassVar[str] = "FIFOQueue"
    kind_of_one: ClassVar[str] = "FIFOQueue"  # in errors of enqueues, and of dequeues of one element
    chooses: ClassVar[bool] = False  # whether all that it holds matters for what comes out next

    def __init__(self, name: str, dtypes: Sequence[DType], shapes: Sequence[Shape] | None, capacity: int) -> None:
        self.dtypes = tuple(dtypes)
        self.shapes = tuple(shapes) if shapes else None
        self.capacity = UNBOUNDED if capacity < 0 else capacity
        self.closed = False
        super().__init__(name)
        self.held: Any = self._empty()

    def __str__(self) -> str:
        closed = " that is closed" if self.closed else ""
        return f"the {'full ' * self.is_full}queue {self.name} with {len(self.held)} elements{closed}"

    @property
    def is_bounded(self) -> bool:
        return self.capacity != UNBOUNDED

    @property
    def is_full(self) -> bool:
        return self.is_bounded and len(self.held) >= self.capacity

    def size(self) -> int:
        return len(self.held)

    def content(self) -> list[Element]:
        """The elements in the order in which they come out, as far as that is known."""
        with self.lock:
            return list(self.held)

    # -- what it would do ------------------------------------------------------------------------------------------------

    def can_enqueue(self, count: int) -> bool:
        """Whether an enqueue of so many elements would end at once."""
        return not count or self.closed or (not self.enqueues and len(self.held) + count <= self.capacity)

    def can_dequeue(self, count: int) -> bool:
        """Whether a dequeue of so many elements would end at once."""
        return not count or (not self.dequeues and (self.closed or self._available() >= count))

    def can_begin_enqueue(self, count: int) -> bool:
        """Whether an enqueue of so many elements would put some of them in, and then wait for room."""
        return not self.closed and not self.enqueues and 0 < self.capacity - len(self.held) < count

    def can_begin_dequeue(self, count: int) -> bool:
        """Whether a dequeue of so many elements should take some now, and then wait for the others.

        It must where the queue never holds so many at once: the elements that it takes make room for more.
        """
        return self._in_parts(count) and not self.closed and not self.dequeues and 0 < self._available() < count

    def can_line_up_enqueue(self) -> bool:
        """Whether other nodes could notice that an enqueue, which must wait, stands in line now.

        Enqueues that stand in line together put in their elements before a dequeue of many takes its next ones.
        """
        return self.chooses and self.is_bounded and not self.closed

    def can_line_up_dequeue(self, count: int) -> bool:
        """Whether other nodes could notice that a dequeue of so many elements, which must wait, stands in line now.

        It keeps other dequeues from the elements that there are. Dequeues that stand in line together take their elements before
        an enqueue of many puts in its next ones, so a queue that chooses among what it holds chooses among fewer.
        """
        if self.chooses and self.is_bounded:
            return not self.closed
        return not self.closed and not self.dequeues and 0 < self._available() < count

    def _in_parts(self, count: int) -> bool:
        return count > self.capacity

    def can_shut(self, cancel_pending_enqueues: bool) -> bool:
        return cancel_pending_enqueues or not self.enqueues

    # -- copies ----------------------------------------------------------------------------------------------------------

    def state(self) -> tuple[Any, ...]:
        """The elements, whether the queue is closed, and the attempts of turns that have begun."""
        with self.lock:
            return self._kept(), tuple([(turn, attempt.state()) for turn, attempt in self.begun.items()])

    def restore(self, state: tuple[Any, ...] | None) -> None:
        """Gives the queue an earlier `state`; None: that of a new queue."""
        kept, begun = state or (None, ())
        self._keep(kept)
        self.enqueues.clear()
        self.dequeues.clear()
        self.begun.clear()
        for turn, attempt in begun:
            self.resume(turn, attempt)

    def copied(self) -> Queue:
        """A queue with the same elements, at which nothing waits."""
        twin = copy.copy(self)
        Meeting.__init__(twin, self.name)
        with self.lock:
            kept = self._kept()
        twin._keep(kept)
        return twin

    def _kept(self) -> tuple[Any, ...]:
        """The elements, and whether the queue is closed."""
        return tuple(self.held), self.closed

    def _keep(self, kept: tuple[Any, ...] | None) -> None:
        held, self.closed, *_ = kept or ((), False)
        self.held = self._empty()
        self.held.extend(held)

    # -- the order of the elements ---------------------------------------------------------------------------------------

    def _empty(self) -> Any:
        return deque()

    def _put(self, element: Element) -> None:
        self.held.append(element)

    def _take(self) -> Element:
        element: Element = self.held.popleft()
        return element

    def _give_back(self, elements: deque[Element]) -> None:
        self.held.extendleft(reversed(elements))

    def _available(self) -> int:
        """The number of elements that may be taken now."""
        return len(self.held)

    # -- attempts --------------------------------------------------------------------------------------------------------

    def enqueue(self, elements: Sequence[Element]) -> Attempt:
        return self._begin(self.enqueues, Attempt(self, "Enqueue", self._enqueue, elements=elements))

    def dequeue_one(self) -> Attempt:
        return self._begin(self.dequeues, Attempt(self, "Dequeue", self._dequeue_one, 1))

    def dequeue(self, count: int) -> Attempt:
        return self._begin(self.dequeues, Attempt(self, "Dequeue", self._dequeue, count))

    def dequeue_up_to(self, count: int) -> Attempt:
        """As `dequeue`, but a closed queue gives as many as it has left."""
        return self._begin(self.dequeues, Attempt(self, "Dequeue", self._dequeue_up_to, count))

    def shut(self, cancel_pending_enqueues: bool) -> Attempt:
        """Closes the queue to enqueues, once those that wait have ended; cancel_pending_enqueues: they end now."""
        attempt = Attempt(self, "Close", self._close)
        if not cancel_pending_enqueues:
            return self._begin(self.enqueues, attempt)
        with self.lock:
            self.closed = True
            # The deque stays the same one: another thread may be about to put its attempt into it, and waits for the lock.
            waiting = list(self.enqueues)
            self.enqueues.clear()
            for each in waiting:
                each.finish(cancelled(each))
            self._go_on()
        attempt.done = True
        return attempt

    def _enqueue(self, attempt: Attempt) -> bool:
        if self.closed and attempt.elements:
            attempt.error = errors.CancelledError(None, None, f"{self.kind_of_one} '{self.name}' is closed.")
            return True
        while attempt.elements and len(self.held) < self.capacity:
            self._put(attempt.elements.popleft())
        return not attempt.elements

    def _close(self, attempt: Attempt) -> bool:
        if self.closed:
            attempt.error = errors.CancelledError(None, None, f"Queue '{self.name}' is already closed.")
        self.closed = True
        return True

    def _dequeue_one(self, attempt: Attempt) -> bool:
        return self._dequeue(attempt, self.kind_of_one)

    def _dequeue(self, attempt: Attempt, kind: str = "") -> bool:
        size = len(self.held)
        if self.closed and size < attempt.missing:
            self._give_back(attempt.elements)
            attempt.elements.clear()
            attempt.error = errors.OutOfRangeError(
                None, None,
                f"{kind or self.kind} '{self.name}' is closed and has insufficient elements (requested {attempt.missing}, "
                f"current size {size})",
            )  # fmt: skip
            return True
        for _ in range(min(self._available(), attempt.missing)):
            attempt.elements.append(self._take())
            attempt.missing -= 1
        return not attempt.missing

    def _dequeue_up_to(self, attempt: Attempt) -> bool:
        if self.closed and len(self.held) < attempt.missing:
            self._give_back(attempt.elements)
            attempt.elements.clear()
            if self.held:
                attempt.missing = len(self.held)
        return self._dequeue(attempt)


class PaddingQueue(Queue):
    """A queue whose elements have components of different sizes; those that come out together are padded."""

    kind = "PaddingFIFOQueue"  # kind_of_one is that of the queue above, as in TF


class ShufflingQueue(Queue):
    """A queue whose elements come out in random order; `least` of them stay inside as long as it is open.

    start: of the random numbers that `seeds` stand for.
    """

    kind = kind_of_one = "RandomShuffleQueue"
    chooses = True

    def __init__(
        self,
        name: str,
        dtypes: Sequence[DType],
        shapes: Sequence[Shape] | None,
        capacity: int,
        least: int,
        seeds: tuple[int, int],
        start: Start,
    ) -> None:
        super().__init__(name, dtypes, shapes, capacity)
        self.least = least
        self.seeds = seeds
        self.start = start
        self.draws = Draws(start)

    def _empty(self) -> Any:
        return []

    def _take(self) -> Element:
        held: list[Element] = self.held
        index = self.draws.bits() % len(held)
        held[index], held[-1] = held[-1], held[index]
        return held.pop()

    def _give_back(self, elements: deque[Element]) -> None:
        self.held.extend(reversed(elements))

    def _available(self) -> int:
        return len(self.held) if self.closed else len(self.held) - self.least

    def _in_parts(self, count: int) -> bool:
        return True  # what it takes first is drawn from fewer elements

    def _kept(self) -> tuple[Any, ...]:
        return *super()._kept(), self.draws.state

    def _keep(self, kept: tuple[Any, ...] | None) -> None:
        super()._keep(kept)
        self.draws = Draws(self.start) if kept is None else Draws(*kept[2])


class PrioritizedQueue(Queue):
    """A queue whose element with the lowest number in its first component comes out first.

    Equal ones come out in TF's order, that of the C++ library's heap.
    """

    kind = kind_of_one = "PriorityQueue"
    chooses = True

    def _empty(self) -> Any:
        return []

    def _put(self, element: Element) -> None:
        self.held.append(element)
        self._rise(len(self.held) - 1, element)

    def _rise(self, at: int, element: Element) -> None:
        """Puts an element at a place of the heap, or above it as far as it belongs."""
        held = self.held
        while at > 0 and held[(at - 1) // 2][0] > element[0]:
            held[at] = held[(at - 1) // 2]
            at = (at - 1) // 2
        held[at] = element

    def _take(self) -> Element:
        held: list[Element] = self.held
        first, last = held[0], held.pop()
        if not held:
            return first
        # The hole goes down to a leaf, each time to the smaller child, and the last element rises from there.
        at, child = 0, 2
        while child < len(held):
            if held[child][0] > held[child - 1][0]:
                child -= 1
            held[at] = held[child]
            at, child = child, 2 * child + 2
        if child == len(held):
            held[at] = held[child - 1]
            at = child - 1
        self._rise(at, last)
        return first

    def _in_parts(self, count: int) -> bool:
        return False

    def _dequeue(self, attempt: Attempt, kind: str = "") -> bool:
        """An attempt takes nothing until it can take all: what comes in later may have a lower number.

        TF 1.15 loses what a dequeue of up to n elements takes out of a closed queue; here it is what the dequeue gives.
        """
        return (self.closed or len(self.held) >= attempt.missing) and super()._dequeue(attempt, kind)

    def _give_back(self, elements: deque[Element]) -> None:
        for element in elements:
            self._put(element)

    def content(self) -> list[Element]:
        with self.lock:
            return sorted(self.held, key=lambda element: int(element[0]))


__all__ = ["UNBOUNDED", "PaddingQueue", "PrioritizedQueue", "Queue", "ShufflingQueue"]
