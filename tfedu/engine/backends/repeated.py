"""`repeated(0, count, dtype)`: an array of one number again and again, to compute with, not to be written.

NumPy goes over two arrays alike many elements at a time; over an array and one number, or to a sum, several times more
slowly. State: the arrays, one for each number and dtype, as long as stays in a core's own cache.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import numpy as np

KEPT: Final = 1 << 15


def repeated(number: int, count: int, dtype: np.dtype[Any]) -> Any:
    """So many elements of the dtype; they are made anew where there are more than `KEPT`."""
    return _kept(number, dtype)[:count] if count <= KEPT else np.full(count, number, dtype)


@functools.cache
def _kept(number: int, dtype: np.dtype[Any]) -> Any:
    array = np.full(KEPT, number, dtype)
    array.setflags(write=False)
    return array


__all__ = ["KEPT", "repeated"]
