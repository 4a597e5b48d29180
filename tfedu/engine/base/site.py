"""The line of the user's program that created a node: `capture()` records it, `describe(site)` writes it for a message.

A site is the first frame outside tfedu (and outside the standard library's call wrappers), kept as a code object
and an offset in it; its line and text are looked up on demand. State: `_namer`, the hook by which a notebook layer names
its cells (the engine knows no notebook), and the cache of `_passes_on`.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from functools import lru_cache
from types import CodeType, FrameType

# Frames of these modules only forward a call: the user's line is in a caller.
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

    @classmethod
    def of(cls, raw: RawSite) -> Site:
        """The site that a node keeps."""
        return cls(raw[0], _line(*raw))

    @property
    def file(self) -> str:
        return self.code.co_filename

    @property
    def function(self) -> str:
        return self.code.co_name

    @property
    def place(self) -> str:
        """The file or notebook cell, without the line."""
        return place_of(self.file)

    @property
    def label(self) -> str:
        return f"{self.place}, line {self.line}"

    @property
    def source(self) -> str:
        """The line's text, stripped; empty where the source is not at hand."""
        return linecache.getline(self.file, self.line).strip()

    def __repr__(self) -> str:
        return f"<Site {self.label}>"


@lru_cache(maxsize=4096)
def _line(code: CodeType, at: int) -> int:
    return next((line for start, end, line in code.co_lines() if start <= at < end and line), code.co_firstlineno)


def place_of(file: str) -> str:
    """`Cell In[3]` for a notebook cell's file name, `File name` for any other."""
    label = _namer(file) if _namer is not None else None
    return label if label is not None else f"File {file}"


RawSite = tuple[CodeType, int]  # and the offset of the instruction: to work out a line number for each node would take longer


@lru_cache(maxsize=4096)
def _passes_on(module: str) -> bool:
    """Whether the module's frames only forward a call or belong to tfedu."""
    return module in _WRAPPERS or module == "tfedu" or module.startswith("tfedu.")


def here(depth: int = 1) -> RawSite | None:
    """The place in the first frame outside tfedu, as a node keeps it; None when there is none.

    depth: the number of frames to skip, where the caller knows them to be tfedu's own.
    """
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None:
        if not _passes_on(frame.f_globals.get("__name__", "")):
            return frame.f_code, frame.f_lasti
        frame = frame.f_back
    return None


def capture() -> Site | None:
    """The line of the first frame outside tfedu, or None when there is none."""
    raw = here()
    return None if raw is None else Site.of(raw)


def describe(site: Site | None) -> str:
    """`Cell In[3], line 2:  y = x`."""
    if site is None:
        return "unknown"
    source = site.source
    return f"{site.label}:  {source}" if source else site.label
