"""The functions of `tensorflow.python.framework.tensor_shape`. No state."""

from __future__ import annotations

from typing import Any

from ...engine.base.shapes import Dimension, TensorShape


def as_shape(shape: Any) -> TensorShape:
    """A TensorShape of what describes one."""
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def as_dimension(value: Any) -> Dimension:
    """A Dimension of a number or None."""
    return value if isinstance(value, Dimension) else Dimension(value)


def unknown_shape(rank: int | None = None, **kwargs: Any) -> TensorShape:
    """A shape of which at most the rank is known."""
    rank = kwargs.get("ndims", rank)
    return TensorShape(None) if rank is None else TensorShape([None] * rank)


def scalar() -> TensorShape:
    """The shape of a single number."""
    return TensorShape([])


def vector(length: Any) -> TensorShape:
    """The shape [length]."""
    return TensorShape([length])


def matrix(rows: Any, cols: Any) -> TensorShape:
    """The shape [rows, cols]."""
    return TensorShape([rows, cols])
