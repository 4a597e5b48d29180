"""Mutexes of a session: one run at a time is between a MutexLock and its ConsumeMutexLock.

`Mutex.lock(store)` waits while a run in another thread has the lock; within a run the schedule keeps the order
(runtime/exclusive.py). A lock that a run did not give back is free when the run ends, also by an error.
State: `Mutex`, its locks.
"""

from __future__ import annotations

import threading
from typing import Any

_SECONDS = 0.05  # how often a waiting run looks whether its session was closed


class Lock:
    """The value of a MutexLock node."""

    __slots__ = ("mutex", "thread")

    def __init__(self, mutex: Mutex) -> None:
        self.mutex = mutex
        self.thread = threading.get_ident()

    def release(self) -> None:
        """Gives the mutex back; a lock that was given back before stays so."""
        with self.mutex.changed:
            if self in self.mutex.locks:
                self.mutex.locks.remove(self)
                self.mutex.changed.notify_all()


class Mutex:
    """locks: those that one thread's runs hold now: several, where a run of it does not give its lock back."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.locks: list[Lock] = []
        self.changed = threading.Condition()

    def lock(self, store: Any) -> Lock:
        """A new lock, once no other thread has one.

        Raises: CancelledError when the session is closed meanwhile.
        """
        lock = Lock(self)
        with self.changed:
            while self.locks and self.locks[0].thread != lock.thread:
                store.check_open()
                self.changed.wait(_SECONDS)
            self.locks.append(lock)
        return lock

    def __repr__(self) -> str:
        return f"<Mutex {self.name}>"
