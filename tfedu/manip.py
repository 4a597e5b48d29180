"""tf.manip: the names under which tensors are moved about; each is also a name of tf. No state."""

# ruff: noqa: I001 - the names stand in paragraphs
from __future__ import annotations

from .engine.lib.array import reshape, reverse, roll, tile
from .engine.lib.picking import gather_nd
from .engine.lib.blocks import batch_to_space_nd, space_to_batch_nd
from .engine.lib.scatter import scatter_nd

__all__ = [
    "batch_to_space_nd", "gather_nd", "reshape", "reverse", "roll", "scatter_nd", "space_to_batch_nd",
    "tile",
]  # fmt: skip
