"""`with_each_row(np.subtract, rows, numbers)`: a ufunc of rows [..., k] and one number each, [..., 1].

NumPy's loops run over up to 8,192 numbers at a time. Where rows are shorter, it first copies several of them side by side, their
numbers repeated: that takes longer than the operation itself. With a smaller limit a loop runs over a row as it lies, which pays
for rows that are not too short. No state: the limit is set for the one call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

_LEAST: Final = 512
# What NumPy's limit may be a multiple of.
_UNIT: Final = 16


def with_each_row(ufunc: Callable[..., Any], rows: Any, numbers: Any, out: Any = None) -> Any:
    """ufunc(rows, numbers): rows [..., k], numbers [..., 1] -> [..., k], in `out` where it is given."""
    length = rows.shape[-1]
    if not isinstance(rows, np.ndarray) or length < _LEAST or length >= np.getbufsize():
        return ufunc(rows, numbers, out=out)
    before = np.setbufsize(length // _UNIT * _UNIT)
    try:
        return ufunc(rows, numbers, out=out)
    finally:
        np.setbufsize(before)


__all__ = ["with_each_row"]
