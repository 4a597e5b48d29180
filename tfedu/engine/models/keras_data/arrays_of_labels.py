"""`to_categorical` and `normalize`. No state."""

from __future__ import annotations

from typing import Any

import numpy as np


def to_categorical(y: Any, num_classes: int | None = None, dtype: str = "float32") -> Any:
    """Class numbers [...] as one-hot vectors [..., num_classes]; a last axis of size 1 goes."""
    y = np.array(y, dtype="int")
    shape = y.shape[:-1] if y.shape and y.shape[-1] == 1 and y.ndim > 1 else y.shape
    y = y.ravel()
    classes = num_classes or int(np.max(y)) + 1
    categorical = np.zeros((len(y), classes), dtype=dtype)
    categorical[np.arange(len(y)), y] = 1
    return categorical.reshape((*shape, classes))


def normalize(x: Any, axis: int = -1, order: int = 2) -> Any:
    """x [...] divided by its norm along the axis; zeros stay."""
    norms = np.atleast_1d(np.linalg.norm(x, order, axis))
    norms[norms == 0] = 1
    return x / np.expand_dims(norms, axis)


__all__ = ["normalize", "to_categorical"]
