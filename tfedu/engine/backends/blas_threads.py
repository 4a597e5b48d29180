"""The threads of NumPy's linear algebra: `with limited(1): …` lets OpenBLAS use one in the block.

OpenBLAS's threads wait for each other in loops that do not let go of their core. On an idle machine two of them take half the
time of one; where other processes want the cores, up to ten times as much. So a block without a bound of its own uses as many as
there are idle cores. A NumPy that does not bring OpenBLAS, as its wheels do, is left alone.
State: the library's two functions, after their first use; `_own`, the library's own number of threads while another one is set;
`_bounds`, those of the blocks that are open, in all threads of the process; `_idle`, what the last look at the system found.
"""

from __future__ import annotations

import ctypes
import functools
import os
import threading
from collections.abc import Callable
from itertools import takewhile
from time import monotonic, process_time
from typing import Any, NamedTuple, TypeVar

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

    Linux adds up how long each core had nothing to do. What a core did not idle since the last look, and this process did not
    use, others used. One look answers for a short time: a load that came or went shows in the next one.
    """

    SECONDS = 0.2  # between two looks: 20 ticks of the system's clock
    SHARE = 0.4  # of a core: up to so much, like the tasks of the system itself, others may use without taking one

    def __init__(self) -> None:
        self.last = _look()
        self.answer: int | None = None

    def count(self) -> int | None:
        """At least 1; None where the system does not tell, and for the first moments of a process."""
        if self.last is not None and monotonic() >= self.last.time + self.SECONDS:
            last, now = self.last, _look()
            self.last = now if now is not None and now.ticks != last.ticks else None  # a clock that stands tells nothing
            self.answer = None if self.last is None else self.last.free_since(last, self.SHARE)
        return self.answer


class _Look(NamedTuple):
    """What the system and this process had counted at a time, in seconds."""

    time: float
    idle: dict[int, float]  # of each core that this process may use
    ticks: dict[int, float]  # all that each of these cores has counted, idle or not
    used: float  # on all cores, by all threads of this process

    def free_since(self, last: _Look, share: float) -> int:
        """The cores that idled or worked for this process between two looks."""
        idle = sum(seconds - last.idle.get(core, seconds) for core, seconds in self.idle.items())
        free = (idle + self.used - last.used) / (self.time - last.time)
        return max(1, min(len(self.idle), int(free + share)))


def _look() -> _Look | None:
    """None where the system does not tell."""
    try:
        with open("/proc/stat", "rb") as file:
            lines = [line.split() for line in takewhile(lambda line: line.startswith(b"cpu"), file)][1:]  # the first: all cores
        cores, tick = os.sched_getaffinity(0), os.sysconf("SC_CLK_TCK")
        counted = {int(name[3:]): [int(ticks) / tick for ticks in rest] for name, *rest in lines}
        # the fourth counter is idle time, the fifth idle time with a disk at work
        idle, ticks = {}, {}
        for core in cores & counted.keys():
            idle[core], ticks[core] = sum(counted[core][3:5]), sum(counted[core])
    except (OSError, ValueError, AttributeError):
        return None
    return _Look(monotonic(), idle, ticks, process_time()) if idle else None


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
        global _idle, _lock
        _lock, _idle = threading.Lock(), _IdleCores()
        if _bounds:
            _bounds.clear()
            functions = _functions()
            if functions is not None:
                functions[0](_own)

    os.register_at_fork(after_in_child=_begin_anew)
