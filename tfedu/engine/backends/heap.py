"""The memory of arrays between runs: `keep_freed_memory()` lets the C library keep what a run frees, for the next run.

glibc gives freed memory at the end of the heap back to the system, and large arrays at once. A training step frees all its arrays
and the next step asks for as many: the system then fills each page with zeros and maps it anew, which takes a quarter of a
training step of a small LSTM. Other C libraries have no such function and are left alone, and so is one that the user has set by
its environment variables. No state but that it was called.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from typing import Final

# The numbers of glibc's malloc.h: which arrays are mapped on their own, and how much free memory the heap's end may have.
_M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD = -3, -1
# glibc's own threshold grows up to the first by itself, as arrays of that size are freed.
_LARGEST_IN_HEAP: Final = 32 << 20
_KEPT: Final = 256 << 20


@functools.cache
def keep_freed_memory() -> bool:
    """Lets the heap keep up to 256 MiB of free memory; returns whether the C library does. Only the first call does it."""
    is_set = any(name.startswith("MALLOC_") for name in os.environ) or "GLIBC_TUNABLES" in os.environ
    if is_set or not sys.platform.startswith("linux"):
        return False
    try:
        set_option = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    set_option.argtypes, set_option.restype = [ctypes.c_int, ctypes.c_int], ctypes.c_int
    return bool(set_option(_M_MMAP_THRESHOLD, _LARGEST_IN_HEAP) and set_option(_M_TRIM_THRESHOLD, _KEPT))
