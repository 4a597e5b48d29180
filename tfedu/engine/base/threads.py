"""Threads, where this Python has them: a Python in a browser (Pyodide) starts none.

    threads.needed("A queue runner", "run the enqueue in the loop itself")

No state.
"""

from __future__ import annotations

import sys

from . import errors


def exist() -> bool:
    """Whether this Python can start threads."""
    emscripten = getattr(sys, "_emscripten_info", None)
    return emscripten is None or bool(emscripten.pthreads)


def needed(what: str, fix: str | None = None) -> None:
    """Says that `what` needs threads. fix: what a program can do instead.

    Raises: UnimplementedError where there are none.
    """
    if not exist():
        text = f"{what} needs threads, and this Python has none: it runs in a browser"
        raise errors.UnimplementedError(None, None, errors.error_text(text, fix=fix))


__all__ = ["exist", "needed"]
