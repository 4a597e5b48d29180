"""Matrix products by threads that sleep while they wait.

OpenBLAS's own threads wait for each other in loops that do not let go of their core. On an idle machine two of them take half
the time; where other processes want the cores, ten times as much. So a product here uses one of OpenBLAS's threads, and a large
one is divided among threads of Python, each of which computes its rows (or columns) with one of OpenBLAS's.

`product(left, right)` is `left.dot(right)`; `limited(n)` is the bound of a session. A process whose library has one thread, or
another library than NumPy's wheels bring, multiplies as NumPy does. State: the library's two functions and the pool of threads,
after their first use; `_own`, the library's own number of threads while another one is set; `_products`, how many products are
under way; `_bounds`, those of the sessions that run.
"""

from __future__ import annotations

import ctypes
import functools
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")

# From this many multiplications on OpenBLAS uses several threads for two matrices, or for a matrix and a vector.
_LEAST, _LEAST_WITH_VECTOR = 1 << 20, 1 << 18
LARGE = 1 << 23  # dividing a product pays
_LEAST_ROWS = 48  # with fewer rows for each thread, the columns are divided

_lock = threading.Lock()
_own = 0
_products = 0
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


def _change(products: int, bound: int = 0) -> int:
    """Counts products that begin (1) or end (-1), adds a bound or takes it back (< 0), and sets the library's number.

    Returns how many threads a product may use.
    """
    global _own, _products
    functions = _functions()
    if functions is None:
        return 1
    set_number, number = functions
    with _lock:
        if not _products and not _bounds:
            _own = number()
        _products += products
        if bound > 0:
            _bounds.append(bound)
        elif bound < 0:
            _bounds.remove(-bound)
        allowed = min(_own, *_bounds) if _bounds else _own
        if _own > 1:
            set_number(1 if _products else allowed)
        return allowed


class limited:
    """`with limited(n):` the library uses at most n threads, in all threads of the process; of several bounds the least holds."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def __enter__(self) -> None:
        _change(0, self.threads)

    def __exit__(self, *exc: object) -> None:
        _change(0, -self.threads)


def within(threads: int, call: Callable[..., T]) -> Callable[..., T]:
    """`call`, made with `limited(threads)`."""

    def limited_call(*args: Any) -> T:
        with limited(threads):
            return call(*args)

    return limited_call


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, "tfedu-product")


if hasattr(os, "register_at_fork"):
    # A forked process has none of its parent's threads, and finds the lock as a thread of the parent held it.
    def _begin_anew() -> None:
        global _lock, _products
        _lock, _products = threading.Lock(), 0
        _bounds.clear()
        _pool.cache_clear()

    os.register_at_fork(after_in_child=_begin_anew)


def product(left: Any, right: Any) -> Any:
    """The product of two matrices of real numbers of one dtype: left [m, k] · right [k, n] -> [m, n]."""
    rows, columns = left.shape[0], right.shape[1]
    work = rows * left.shape[1] * columns
    if work < _LEAST and (work < _LEAST_WITH_VECTOR or (rows > 1 and columns > 1)):
        return left.dot(right)
    threads = _change(1)
    try:
        if threads == 1 or work < LARGE:
            return left.dot(right)
        return _divided(left, right, threads)
    finally:
        _change(-1)


def _divided(left: Any, right: Any, threads: int) -> Any:
    """The product in as many parts as there are threads; this thread computes the first one, and those not begun by then."""
    out = np.empty((left.shape[0], right.shape[1]), left.dtype)
    by_rows = left.shape[0] >= _LEAST_ROWS * threads
    length = out.shape[0 if by_rows else 1]
    ends = [length * i // threads for i in range(threads + 1)]
    if by_rows:
        parts = [(left[a:b], right, out[a:b]) for a, b in pairwise(ends)]
    else:
        parts = [(left, right[:, a:b], out[:, a:b]) for a, b in pairwise(ends)]
    multiply: Callable[..., Any] = np.matmul
    others = [_pool().submit(multiply, *part) for part in parts[1:]]
    multiply(*parts[0])
    for part, other in zip(parts[1:], others):
        if other.cancel():  # on a busy machine the other thread may have to wait for a core
            multiply(*part)
        else:
            other.result()
    return out
