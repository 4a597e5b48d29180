"""`static_value(tensor)`: what TF's Python layer knows of a value before a run; the engine itself may know more.

Checks that raise at construction ask here, so that a program that TF builds is built. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...graph.nodes import Operation, Tensor
from ...op.infer import constant_value, constant_value_as_shape
from .conversion import is_tensor

_ASKS_A_SHAPE = ("Shape", "Size", "Rank")
_FOLDED = frozenset(
    {
        "Const", "Range", "Cast", "Concat", "ConcatV2", "ConcatOffset", "Pack", "Unpack", "Split", "Fill", "Equal",
        "NotEqual", "Identity", "StopGradient", *_ASKS_A_SHAPE,
    }
)  # fmt: skip


def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """The value (NumPy) of a tensor that is known before anything runs, else None; such a tensor can no longer be fed.

    partial: a vector of which some entries are known gives those, None for the others.
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
    """The tensor's value (NumPy), or None where TF would wait for the run."""
    seen: set[Operation] = set()
    stack = [tensor.op]
    while stack:
        op = stack.pop()
        if op in seen:
            continue
        seen.add(op)
        if op.type not in _FOLDED or (op.type == "Pack" and op.attrs["axis"] != 0):
            return None
        if op.type not in _ASKS_A_SHAPE:
            stack.extend(t.op for t in op.inputs)
    value = constant_value(tensor)
    if value is None and tensor.op.type == "Fill":
        # Too large to be kept as a constant, but one number says it all.
        shape = constant_value_as_shape(tensor.op.inputs[0])
        filled = constant_value(tensor.op.inputs[1])
        if shape is not None and None not in shape and filled is not None:
            return np.broadcast_to(filled, shape)  # type: ignore[arg-type]
    return value


__all__ = ["get_static_value"]
