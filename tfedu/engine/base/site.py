"""Where in the user's program a node was made: `capture()` when it is made, `describe(site)` when a message needs it.

A site is the first frame outside tfedu (and outside the standard library's call wrappers), kept as a code object
and a line number; its text is looked up only when somebody asks. State: `_namer`, the one hook by which a notebook
layer names its cells (the engine knows no notebook), and `_last`.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from types import CodeType

# Frames of these modules only pass a call on: the user's line is below them.
_WRAPPERS = frozenset({"contextlib", "functools", "threading"})

_namer: Callable[[str], str | None] | None = None


def set_namer(namer: Callable[[str], str | None] | None) -> None:
    """Lets `namer(file name)` give a better label, as "Cell In[3]", or None to keep "File name"."""
    global _namer
    _namer = namer


class Site:
    """One line of the user's program."""

    __slots__ = ("code", "line")

    def __init__(self, code: CodeType, line: int) -> None:
        self.code = code
        self.line = line

    @property
    def file(self) -> str:
        return self.code.co_filename

    @property
    def function(self) -> str:
        return self.code.co_name

    @property
    def place(self) -> str:
        """The file or notebook cell, without the line."""
        label = _namer(self.file) if _namer is not None else None
        return label if label is not None else f"File {self.file}"

    @property
    def label(self) -> str:
        return f"{self.place}, line {self.line}"

    @property
    def source(self) -> str:
        """The line's text, stripped; empty where the source is not at hand."""
        return linecache.getline(self.file, self.line).strip()

    def __repr__(self) -> str:
        return f"<Site {self.label}>"


RawSite = tuple[CodeType, int]

# The pair that was given last: the nodes that one line makes share it.
_last: RawSite | None = None


def here(depth: int = 1) -> RawSite | None:
    """The line of the first frame outside tfedu, as a bare pair: what a node keeps, and what costs the
    garbage collector least.

    depth: how many calls further out the search may begin, where those are known to be tfedu's own.
    """
    global _last
    frame = sys._getframe(depth)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if (
            not (module.startswith("tfedu") and (len(module) == 5 or module[5] == "."))
            and module not in _WRAPPERS
        ):
            code, line = frame.f_code, frame.f_lineno
            last = _last
            if last is None or last[0] is not code or last[1] != line:
                last = _last = code, line
            return last
        frame = frame.f_back  # type: ignore[assignment]
    return None


def capture() -> Site | None:
    """The line of the first frame outside tfedu, or None when there is none."""
    raw = here()
    return None if raw is None else Site(*raw)


def describe(site: Site | None) -> str:
    """`Cell In[3], line 2:  y = x`."""
    if site is None:
        return "unknown"
    source = site.source
    return f"{site.label}:  {source}" if source else site.label
