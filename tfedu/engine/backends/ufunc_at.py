"""`combine_at(xp, "add", table, places, rows)`: `xp.add.at(table, places, rows)` for every dtype that NumPy's takes.

CuPy's `add.at`, `maximum.at` and `minimum.at` are atomic operations of the GPU, and take the dtypes alone that these have: no
integers of 8 or 16 bits, before version 14 none of 64 bits with a sign, no complex numbers, and 16-bit floats in sums alone. The
others are combined as numbers of a dtype that holds them, and the results are the same bits. No state.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

_SIGN: Final = np.uint64(1 << 63)


def combine_at(xp: Any, function: str, table: Any, places: Any, rows: Any) -> None:
    """table[places[i]] = function(table[places[i]], rows[i]), for each i, in place; in which order, only NumPy tells.

    xp: NumPy or CuPy. function: add, maximum or minimum. places: integers, or a tuple of them for the first axes; those outside
    of the table wrap around in CuPy.
    """
    if xp is np:
        getattr(np, function).at(table, places, rows)
    elif table.dtype.kind == "c":
        combine_at(xp, function, table.real, places, rows.real)
        combine_at(xp, function, table.imag, places, rows.imag)
    elif (table.dtype.itemsize < 4 and (table.dtype.kind != "f" or function != "add")) or table.dtype == np.int64:
        wide = _wide(table, function)
        getattr(xp, function).at(wide, places, _wide(rows, function))
        table[...] = _narrow(wide, table.dtype, function)
    else:
        getattr(xp, function).at(table, places, rows)


def _wide(array: Any, function: str) -> Any:
    """The numbers in a dtype with atomic operations, in the same order of size."""
    if array.dtype != np.int64:
        return array.astype(np.float32 if array.dtype.kind == "f" else np.int32)
    bits = array.view(np.uint64)
    return bits.copy() if function == "add" else bits ^ _SIGN


def _narrow(wide: Any, dtype: np.dtype[Any], function: str) -> Any:
    if dtype != np.int64:
        return wide.astype(dtype)
    return (wide if function == "add" else wide ^ _SIGN).view(np.int64)


__all__ = ["combine_at"]
