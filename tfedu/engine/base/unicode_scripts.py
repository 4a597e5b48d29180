"""`scripts_of(codes)`: the script (Latin, Greek, Han, …) of code points, by the numbers of ICU's UScriptCode.

The table scripts.txt is made by tools/record_scripts.py, which says what stands in it. State: `_table` keeps it once read.
"""

from __future__ import annotations

import functools
import os
from typing import Any

import numpy as np

UNKNOWN = 103
NO_CODE_POINT = -1


@functools.cache
def _table() -> tuple[Any, Any, Any]:
    """The ranges of all scripts in order: where they begin, where they end, and the script."""
    rows: list[tuple[int, int, int]] = []
    with open(os.path.join(os.path.dirname(__file__), "unicode_scripts.txt"), encoding="ascii") as file:
        lines = file.read().splitlines()
    for line in lines:
        script, *words = line.split()
        at = 0
        for gap, length in zip(words[::2], words[1::2]):
            start = at + int(gap, 36)
            at = start + int(length, 36)
            rows.append((start, at, int(script)))
    starts, ends, scripts = np.array(sorted(rows), np.int32).T
    return starts, ends, scripts


def scripts_of(codes: Any) -> Any:
    """The script's number of each code point; 103 where none is known, -1 for what is no code point."""
    codes = np.asarray(codes)
    starts, ends, scripts = _table()
    at = np.maximum(np.searchsorted(starts, codes, side="right") - 1, 0)
    inside = (starts[at] <= codes) & (codes < ends[at])
    numbers = np.where(inside, scripts[at], UNKNOWN)
    return np.where((codes < 0) | (codes > 0x10FFFF), NO_CODE_POINT, numbers).astype(np.int32)


__all__ = ["scripts_of"]
