"""`tf.sets`: sets in the last axis."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.sparse.sparse_math import (
    set_difference, set_difference as difference, set_intersection, set_intersection as intersection,
    set_size, set_size as size, set_union, set_union as union,
)  # fmt: skip

__all__ = [
    "difference", "intersection", "set_difference", "set_intersection", "set_size", "set_union", "size",
    "union",
]  # fmt: skip
