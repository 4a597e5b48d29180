"""`placeholder(tf.float32, [None, 3])`: a tensor that every run feeds. No state."""

from __future__ import annotations

from typing import Any

from ...graph.nodes import Tensor
from ...ops import basic


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor [shape] that must be fed by every run that needs it; sizes of None in `shape` stay unknown."""
    output: Tensor = basic.placeholder(dtype=dtype, shape=shape, name=name)
    return output


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """`input`, unless the run feeds another value that fits `shape`: [shape].

    Raises: ValueError when the shape of `input` does not fit `shape`.
    """
    output: Tensor = basic.placeholder_with_default(input, shape=shape, name=name)
    return output


__all__ = ["placeholder", "placeholder_with_default"]
