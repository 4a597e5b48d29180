"""The door for NumPy arrays: `plain(value)` makes a plain array of a matrix, a masked array or another subclass. No state."""

from __future__ import annotations

from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """A plain array with the data of an array of a subclass, as TF takes it: those of a masked array also where it is masked.

    A subclass computes by rules of its own: a matrix stays of rank 2 in a reshape. Other values are returned unchanged.
    """
    return np.asarray(value) if isinstance(value, np.ndarray) and type(value) is not np.ndarray else value


__all__ = ["plain"]
