"""`static_value(tensor)`: the value that TF's Python layer knows before a run; this engine's own inference may know
more.

Checks that raise during construction use it, so that every program that TF builds is built here. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.shapes import Shape
from ...graph.nodes import Operation, Tensor
from ...op.definition import types_of_role
from ...op.infer import constant_value, constant_value_as_shape
from .conversion import is_tensor

_SHAPE_QUERIES = types_of_role("shape")
# those of 1.15; later releases look through Identity, StopGradient, Split and Unpack, too
_FOLDED = frozenset(
    {
        "Const", "Range", "Cast", "Concat", "ConcatV2", "ConcatOffset", "Pack", "Fill", "Equal", "NotEqual", *_SHAPE_QUERIES,
    }
)  # fmt: skip


def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """The tensor's value as a NumPy array [...] where it is known before any run, else None; such a tensor can no
    longer be fed.

    partial: a packed vector [n] of which some entries are known is an array with None for the others.
    """
    if not isinstance(tensor, Tensor):
        return None if is_tensor(tensor) else tensor
    value = static_value(tensor)
    if value is None and partial and tensor.op.type == "Pack" and tensor.op.attrs["axis"] == 0:
        value = np.array([get_static_value(part, True) for part in tensor.op.inputs])
    if value is None:
        return None
    tensor.graph.prevent_feeding(tensor)
    return np.asarray(value, object if tensor.dtype is dtypes.string else None)


def static_value(tensor: Tensor) -> Any:
    """The tensor's value as a NumPy array or scalar, or None where TF would need a run."""
    visited: set[Operation] = set()
    stack = [tensor.op]
    while stack:
        op = stack.pop()
        if op in visited:
            continue
        visited.add(op)
        if op.type not in _FOLDED or (op.type == "Pack" and op.attrs["axis"] != 0):
            return None
        if op.type not in _SHAPE_QUERIES:
            stack.extend(t.op for t in op.inputs)
    value = constant_value(tensor)
    if value is None and tensor.op.type == "Fill":
        # Inference keeps no constant this large, but the shape and one number determine it.
        shape = constant_value_as_shape(tensor.op.inputs[0])
        filled = constant_value(tensor.op.inputs[1])
        if shape is not None and None not in shape and filled is not None:
            return np.broadcast_to(filled, shape)
    return value


def static_sizes(tensor: Tensor) -> Shape:
    """A vector of sizes as a partial shape, as far as TF knows it before a run; -1 is an unknown size."""
    op = tensor.op
    if op.type == "Cast":
        return static_sizes(op.inputs[0])
    if op.type == "ConcatV2":
        pieces = [static_sizes(piece) for piece in op.inputs[:-1]]
        return None if None in pieces else tuple(size for piece in pieces for size in piece)
    if op.type == "Pack" and op.attrs["axis"] == 0:
        values = [static_value(part) for part in op.inputs]
        return tuple(None if value is None or value < 0 else int(value) for value in values)
    if op.type == "StridedSlice" or static_value(tensor) is not None:
        return constant_value_as_shape(tensor)
    return None


__all__ = ["get_static_value"]
