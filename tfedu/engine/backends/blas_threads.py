"""The threads of NumPy's linear algebra: `with limited(1): …` lets OpenBLAS use one in the block.

OpenBLAS's threads wait for each other in loops that do not let go of their core. On an idle machine two of them take half the
time of one; where other processes want the cores, up to ten times as much. So a block without a bound of its own uses as many as
there are idle cores. A NumPy that does not bring OpenBLAS, as its wheels do, is left alone.
State: the library's two functions, after their first use; `_own`, the library's own number of threads while another one is set;
`_bounds`, those of the blocks that are open, in all threads of the process; `_idle`, what the last looks at the system found.
"""

from __future__ import annotations

import ctypes
import functools
import os
import threading
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")

_lock = threading.Lock()
_own = 0
_bounds: list[int] = []


@functools.cache
def _functions() -> tuple[Callable[[int], None], Callable[[], int]] | None:
    """OpenBLAS's functions that set and tell the number of threads, as NumPy's wheels name them."""
    try:
        library = ctypes.CDLL(np._core._multiarray_umath.__file__)  # type: ignore[attr-defined]
        set_number, number = library.scipy_openblas_set_num_threads64_, library.scipy_openblas_get_num_threads64_
    except (OSError, AttributeError):
        return None
    set_number.argtypes, set_number.restype = [ctypes.c_int], None
    number.argtypes, number.restype = [], ctypes.c_int
    return set_number, number


class _IdleCores:
    """How many cores this process may use without taking one from another process.

    Linux tells how many threads of the whole machine run or wait for a core at this moment. One look says little: of the looks
    of the last second the busiest counts, because a thread too many costs far more than one too few.
    """

    SECONDS_BETWEEN, LOOKS = 0.2, 5

    def __init__(self) -> None:
        self.next_look = 0.0
        self.others: deque[int] = deque(maxlen=self.LOOKS)

    def count(self) -> int | None:
        """At least 1; None where the system does not tell."""
        now = monotonic()
        if now >= self.next_look:
            self.next_look = now + self.SECONDS_BETWEEN
            others = _running_elsewhere()
            if others is None:
                self.next_look = float("inf")
                return None
            self.others.append(others)
        return max(1, _cores() - max(self.others)) if self.others else None


def _running_elsewhere() -> int | None:
    """The threads of other processes that run or wait for a core; None where the system does not tell."""
    try:
        with open("/proc/loadavg", "rb") as file:
            running = int(file.read().split()[3].partition(b"/")[0])
        own = sum(map(_runs, os.listdir("/proc/self/task")))
    except (OSError, ValueError, IndexError):
        return None
    return max(0, running - own) if running else None  # this thread runs: a system that counts none does not tell


def _runs(thread: str) -> bool:
    try:
        with open(f"/proc/self/task/{thread}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] == b"R"
    except OSError:  # it has ended since it was listed
        return False


def _cores() -> int:
    """The cores that the system lets this process use."""
    return len(os.sched_getaffinity(0))


_idle = _IdleCores()


class limited:
    """`with limited(n):` the library uses at most n threads, in all threads of the process; of several bounds the least holds.

    n = 0: as many as there are idle cores, where the system tells.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def __enter__(self) -> None:
        global _own
        functions = _functions()
        if functions is None:
            return
        set_number, number = functions
        with _lock:
            if not _bounds:
                _own = number()
            self.bound = self.threads or _idle.count() or _own
            _bounds.append(self.bound)
            set_number(min(_own, *_bounds))

    def __exit__(self, *exc: object) -> None:
        functions = _functions()
        if functions is None:
            return
        with _lock:
            _bounds.remove(self.bound)
            functions[0](min([_own, *_bounds]))


def within(threads: int, call: Callable[..., T]) -> Callable[..., T]:
    """`call`, made with `limited(threads)`."""

    def limited_call(*args: Any) -> T:
        with limited(threads):
            return call(*args)

    return limited_call


if hasattr(os, "register_at_fork"):
    # A forked process has none of its parent's blocks, and finds the lock as a thread of the parent held it.
    def _begin_anew() -> None:
        global _lock
        _lock = threading.Lock()
        if _bounds:
            _bounds.clear()
            functions = _functions()
            if functions is not None:
                functions[0](_own)

    os.register_at_fork(after_in_child=_begin_anew)
