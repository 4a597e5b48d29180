"""Attempts of runs at a resource that several runs share, such as a queue: those that must wait, wait in their order.

`attempt.done` says that one has ended, `attempt.result()` what it gives. A resource is a `Meeting`; the kinds are in queue.py,
accumulator.py, staging.py, keyed_staging.py and barrier.py. State: `Meeting`: the attempts that wait, and who is told of changes.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, TypeAlias

from .. import errors

Element: TypeAlias = tuple[Any, ...]
TurnKey: TypeAlias = tuple[int, str]  # the number of a run, and the name of a turn in it


class Attempt:
    """An enqueue, a dequeue or a close under way. elements: those still to be put in, or those taken so far.

    step: tries to go on; returns whether the attempt has ended. told: is called once it has.
    """

    __slots__ = ("queue", "doing", "step", "missing", "elements", "done", "error", "told")

    def __init__(
        self, queue: Meeting, doing: str, step: Callable[[Attempt], bool], missing: int = 0, elements: Iterable[Element] = ()
    ) -> None:
        self.queue = queue
        self.doing = doing
        self.step = step
        self.missing = missing
        self.elements = deque(elements)
        self.done = False
        self.error: errors.OpError | None = None
        self.told: Callable[[], None] | None = None

    def finish(self, error: errors.OpError | None = None) -> None:
        self.done, self.error = True, error
        if self.told is not None:
            self.told()

    def result(self) -> deque[Element]:
        """The elements that a finished attempt took. Raises: the error that it ended by."""
        if self.error is not None:
            raise self.error
        return self.elements

    def tell(self, told: Callable[[], None]) -> None:
        """Calls `told` once the attempt has ended: at once, if it has."""
        with self.queue.lock:
            if not self.done:
                self.told = told
                return
        told()

    def cancel(self) -> None:
        """Ends an attempt that waits; what it took is in the queue again."""
        self.queue.cancel([self])

    def state(self) -> tuple[Any, ...]:
        """What it does and how far it has come, as data: `Meeting.resume` makes an attempt of it."""
        return self.doing, self.step.__name__, self.missing, tuple(self.elements), self.done, self.error


class Begun(Exception):
    """A kernel has begun an attempt that cannot end yet: its node takes its turn again once the attempt has ended."""

    def __init__(self, attempt: Attempt) -> None:
        self.attempt = attempt


class Meeting:
    """A resource at which runs of several threads wait for each other.

    enqueues, dequeues: the attempts that wait to put something in, and to take something out. begun: the attempts of turns that
    have begun and not ended. watchers: are called after each change. filling: what puts something in, as errors call it.
    """

    filling: ClassVar[str] = "the enqueue"

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.Lock()
        self.enqueues: deque[Attempt] = deque()
        self.dequeues: deque[Attempt] = deque()
        self.begun: dict[TurnKey, Attempt] = {}
        self.watchers: list[Callable[[], None]] = []

    @property
    def is_full(self) -> bool:
        """Whether nothing more can be put in before something is taken out."""
        return False

    def notes(self) -> list[str]:
        """What a text of its content says besides its elements, in the notation of attributes."""
        return []

    def _give_back(self, elements: deque[Element]) -> None:
        """Takes back what a cancelled attempt had taken."""

    def cancel(self, attempts: Iterable[Attempt]) -> None:
        """Ends attempts that wait; what they took is in the queue again."""
        attempts = list(attempts)
        with self.lock:
            for attempt in attempts:
                if attempt in self.dequeues:
                    self.dequeues.remove(attempt)
                    self._give_back(attempt.elements)
                elif attempt in self.enqueues:
                    self.enqueues.remove(attempt)
                if not attempt.done:
                    attempt.finish(cancelled(attempt))
            for turn in [turn for turn, attempt in self.begun.items() if attempt in attempts]:
                del self.begun[turn]
            self._go_on()

    def close(self) -> None:
        """Ends the queue with its session: all attempts that wait are cancelled."""
        with self.lock:
            waiting = [*self.enqueues, *self.dequeues]
        self.cancel(waiting)

    def resume(self, turn: TurnKey, state: tuple[Any, ...]) -> None:
        """Puts a turn's attempt at the end of its line, as far on as `Attempt.state` says."""
        doing, step, missing, elements, done, error = state
        attempt = self.begun[turn] = Attempt(self, doing, getattr(self, step), missing, elements)
        attempt.done, attempt.error = done, error
        if not done:
            (self.dequeues if doing == "Dequeue" else self.enqueues).append(attempt)

    def _begin(self, waiting: deque[Attempt], attempt: Attempt) -> Attempt:
        with self.lock:
            waiting.append(attempt)
            if waiting[0] is attempt:
                self._go_on()
        return attempt

    def _go_on(self) -> None:
        """Goes on with the attempts that wait, in their order, until none can."""
        while self._advance(self.enqueues) | self._advance(self.dequeues):
            pass
        for told in self.watchers:
            told()

    @staticmethod
    def _advance(waiting: deque[Attempt]) -> bool:
        advanced = False
        while waiting:
            attempt = waiting[0]
            before = len(attempt.elements)
            if not attempt.step(attempt):
                return advanced or len(attempt.elements) != before
            waiting.popleft()
            attempt.finish(attempt.error)
            advanced = True
        return advanced


def cancelled(attempt: Attempt) -> errors.CancelledError:
    return errors.CancelledError(None, None, f"{attempt.doing} operation was cancelled")


__all__ = ["Attempt", "Begun", "Element", "Meeting", "TurnKey", "cancelled"]
