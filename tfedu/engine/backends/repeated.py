"""`repeated(0, count, dtype)`: a read-only array of one number, to compute with.

NumPy combines two arrays of one shape many elements at a time; an array and a single number, or a sum, takes several times
longer. State: the arrays, one for each number and dtype, small enough to stay in a core's own cache.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import numpy as np

KEPT: Final = 1 << 15


def repeated(number: int, count: int, dtype: np.dtype[Any]) -> Any:
    """[count]: an array of the dtype, filled with `number`; a shared one up to `KEPT` elements."""
    return _kept(number, dtype)[:count] if count <= KEPT else np.full(count, number, dtype)


@functools.cache
def _kept(number: int, dtype: np.dtype[Any]) -> Any:
    array = np.full(KEPT, number, dtype)
    array.setflags(write=False)
    return array


__all__ = ["KEPT", "repeated"]
