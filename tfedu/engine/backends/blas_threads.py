"""The threads of NumPy's linear algebra: `with limited(1): …` lets OpenBLAS use one in the block.

OpenBLAS's threads wait for each other in loops that do not let go of their core. On an idle machine two of them take half the
time of one; where other processes want the cores, several times as much. A program on such a machine says
`tf.ConfigProto(intra_op_parallelism_threads=1)`. A NumPy that does not bring OpenBLAS, as its wheels do, is left alone.
State: the library's two functions, after their first use; `_own`, the library's own number of threads while another one is set;
`_bounds`, those of the blocks that are open, in all threads of the process.
"""

from __future__ import annotations

import ctypes
import functools
import os
import threading
from collections.abc import Callable
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


class limited:
    """`with limited(n):` the library uses at most n threads, in all threads of the process; of several bounds the least holds."""

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
            _bounds.append(self.threads)
            set_number(min(_own, *_bounds))

    def __exit__(self, *exc: object) -> None:
        functions = _functions()
        if functions is None:
            return
        with _lock:
            _bounds.remove(self.threads)
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
