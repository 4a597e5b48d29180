"""tf.manip: the names under which tensors are moved about; each is also a name of tf. No state."""

# ruff: noqa: I001 - the names stand in paragraphs
from __future__ import annotations

from .engine.lib.array import (
    batch_to_space_nd, gather_nd, reshape, reverse, roll, scatter_nd, space_to_batch_nd, tile,
)  # fmt: skip

__all__ = [
    "batch_to_space_nd", "gather_nd", "reshape", "reverse", "roll", "scatter_nd", "space_to_batch_nd",
    "tile",
]  # fmt: skip
