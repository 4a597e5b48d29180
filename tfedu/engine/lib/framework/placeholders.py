"""`placeholder(tf.float32, [None, 3])`: a tensor whose value each run is given. No state."""

from __future__ import annotations

from typing import Any

from ...graph.nodes import Tensor
from ...ops import basic


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor that every run that needs it must feed; parts of `shape` that are None are open."""
    made: Tensor = basic.placeholder(dtype=dtype, shape=shape, name=name)
    return made


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """A tensor that a run may feed; `input` where it does not.

    Raises: ValueError when the shape of `input` does not fit `shape`.
    """
    made: Tensor = basic.placeholder_with_default(input, shape=shape, name=name)
    return made


__all__ = ["placeholder", "placeholder_with_default"]
