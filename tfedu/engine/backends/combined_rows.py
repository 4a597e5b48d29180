"""`combine_rows(np.add, table, places, rows)`: `np.add.at(table, places, rows)`, some ten times faster where rows are many.

NumPy's `ufunc.at` visits the numbers one by one. Here the rows of one place stand together after a sort. A place with more than
`_MANY` rows takes them all in one reduction; for the others, each round takes the next row of every place that has one: long
vector operations, at most `_MANY` of them. Each place takes its rows in their order, so that sums have the same bits. They go
through a loop that Numba compiles, where it is installed, after so much work that this pays. State: `_summed`, the numbers
added so far.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from . import fused

_MANY = 32
# From this many numbers on the rounds are faster than `ufunc.at`; of rows of one number, which it does well, never.
_LEAST = 1 << 14
_summed = 0


def combine_rows(ufunc: Any, table: Any, places: Any, rows: Any) -> None:
    """table[places[i]] = ufunc(table[places[i]], rows[i]), for each i in turn: table [n, ...], places [m] in [0, n), rows
    [m, ...].
    """
    if not rows.size:
        return
    if ufunc is np.add and _compiled_sum(table, places, rows):
        return
    if rows.size < _LEAST or rows.size == len(rows):
        ufunc.at(table, places, rows)
    elif ufunc is np.subtract:
        combine_rows(np.add, table, places, np.negative(rows))
    else:
        _in_rounds(ufunc, table, places, rows)


def _in_rounds(ufunc: Any, table: Any, places: Any, rows: Any) -> None:
    order = _order_of(places, len(table))
    sorted_places = places[order]
    starts = np.flatnonzero(np.append(True, sorted_places[1:] != sorted_places[:-1]))
    sizes = np.diff(starts, append=len(places))
    # Places with many rows first: in each round those that have another row are the first ones.
    by_size = np.argsort(_MANY + 1 - np.minimum(sizes, _MANY + 1).astype(np.int16), kind="stable")
    starts, sizes = starts[by_size], sizes[by_size]
    ends = sorted_places[starts]
    busy = int(np.count_nonzero(sizes > _MANY))
    for place, start, size in zip(ends[:busy].tolist(), starts[:busy].tolist(), sizes[:busy].tolist()):
        piece = np.empty((size + 1, *rows.shape[1:]), rows.dtype)
        piece[0] = table[place]
        rows.take(order[start : start + size], 0, out=piece[1:], mode="clip")
        ufunc.reduce(piece, axis=0, dtype=rows.dtype, out=table[place])
    starts, ends = starts[busy:], ends[busy:]
    if not len(starts):
        return
    left = len(starts) - np.cumsum(np.bincount(sizes[busy:]))
    result = table.take(ends, 0)
    for turn, count in enumerate([len(starts), *left[1:-1].tolist()]):
        ufunc(result[:count], rows.take(order[starts[:count] + turn], 0), out=result[:count])
    table[ends] = result


def _order_of(places: Any, length: int) -> Any:
    """The positions of the places [m] in rising order; equal ones keep theirs."""
    if length <= 1 << 16:  # NumPy sorts numbers of 16 bits in one pass
        return np.argsort(places.astype(np.uint16), kind="stable")
    keys = places * np.int64(len(places)) + np.arange(len(places))
    keys.sort()
    return keys % len(places)


# -- the compiled loop -----------------------------------------------------------------------------------------------


def _compiled_sum(table: Any, places: Any, rows: Any) -> bool:
    """Adds the rows by the compiled loop; False where the caller has to do it."""
    global _summed
    if _summed < fused.WORTH:
        _summed += rows.size
        return False
    loop = _loop()
    if loop is None or table.dtype.char not in "fd" or rows.dtype != table.dtype or not table.flags.c_contiguous:
        return False
    loop(table.reshape(len(table), -1), places, rows.reshape(len(rows), -1))
    return True


@functools.cache
def _loop() -> Callable[..., None] | None:
    compiled = fused.compiler()
    return None if compiled is None else compiled(_add_rows)  # type: ignore[no-any-return]


def _add_rows(table: Any, places: Any, rows: Any) -> None:
    for i in range(places.size):
        place = places[i]
        for j in range(rows.shape[1]):
            table[place, j] += rows[i, j]


__all__ = ["combine_rows"]
