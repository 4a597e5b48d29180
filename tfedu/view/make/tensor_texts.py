"""A tensor's dtype and shape as pictures write them. State: a cache of texts, since most texts occur many times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ...engine.base.shapes import Shape
from ...engine.graph.nodes import Tensor


def tensor_text(tensor: Tensor) -> str:
    """dtype and shape as pictures write them: `float32 (2, ?)`."""
    return _type_text(tensor.dtype.name, tensor.raw_shape)


@lru_cache(4096)
def _type_text(dtype: str, shape: Shape) -> str:
    return f"{dtype} {shape_text(shape)}"


def shape_text(shape: Sequence[int | str | None] | None) -> str:
    """The shape as `(2, ?)`, or `<unknown>`; a size that has a name is text."""
    if shape is None:
        return "<unknown>"
    sizes = ["?" if size is None else str(size) for size in shape]
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"


__all__ = ["shape_text", "tensor_text"]
