"""Exceptions of others: those that a signal handler, another thread or a user's object raised while the engine's code ran.

`foreign(error)` finds one, also behind the error that a kernel made of it. No state.
"""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Final

# The packages whose code computes for the engine: an exception of theirs is a kernel's.
_COMPUTING: Final = frozenset(
    {*sys.stdlib_module_names, "tfedu", "numpy", "ml_dtypes", "numba", "google", "google_crc32c", "PIL"}
    # CuPy's errors are those of `cupy_backends`, and of `cuda.pathfinder`, which finds the libraries of CUDA.
    | {"cupy", "cupy_backends", "cupyx", "fastrlock", "cuda"}
)
# Only what kernels and rules call may hide an exception behind its own; what handles errors (training, say) is not there.
_KERNELS: Final = tuple(f"tfedu.engine.{room}" for room in ("ops.", "op.", "base.", "backends.", "files.", "interop."))


def foreign(error: BaseException) -> BaseException | None:
    """The exception that the engine's code did not raise: `error` itself, or one that a kernel took for its own; or None.

    It has a class, or a frame in its traceback, of a module that computes nothing for the engine.
    """
    seen: BaseException | None = error
    while seen is not None:
        if _is_foreign(seen):
            return seen
        seen = seen.__context__
        # An exception that was under handling before the kernel began was caught by other code.
        if seen is None or seen.__traceback__ is None or not _module(seen.__traceback__).startswith(_KERNELS):
            return None
    return None


def _is_foreign(error: BaseException) -> bool:
    # No kernel waits, and so a TimeoutError is never a kernel's.
    if not isinstance(error, Exception) or isinstance(error, TimeoutError) or not _computes(type(error).__module__):
        return True
    traceback = error.__traceback__
    while traceback is not None:
        if not _computes(_module(traceback)):
            return True
        traceback = traceback.tb_next
    return False


def _module(traceback: TracebackType) -> str:
    return str(traceback.tb_frame.f_globals.get("__name__", ""))


def _computes(module: str) -> bool:
    return module.partition(".")[0] in _COMPUTING


__all__ = ["foreign"]
