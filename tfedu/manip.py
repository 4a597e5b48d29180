"""tf.manip: the names under which tensors are moved about; each is also a name of tf. No state."""

# ruff: noqa: I001 - the names stand in paragraphs
from __future__ import annotations

from .engine.lib.arrays.array import reshape, reverse, roll, tile
from .engine.lib.arrays.selection import gather_nd
from .engine.lib.arrays.blocks import batch_to_space_nd, space_to_batch_nd
from .engine.lib.variables.scatter import scatter_nd

__all__ = [
    "batch_to_space_nd", "gather_nd", "reshape", "reverse", "roll", "scatter_nd", "space_to_batch_nd",
    "tile",
]  # fmt: skip
