"""`static_value(tensor)`: what TF's Python layer knows of a value before a run; the engine itself may know more.

Checks that raise at construction ask here, so that a program that TF builds is built. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.nodes import Operation, Tensor
from ..ops.infer import constant_value, constant_value_as_shape

_ASKS_A_SHAPE = ("Shape", "Size", "Rank")
_FOLDED = frozenset(
    {
        "Const", "Range", "Cast", "Concat", "ConcatV2", "ConcatOffset", "Pack", "Unpack", "Split", "Fill", "Equal",
        "NotEqual", "Identity", "StopGradient", *_ASKS_A_SHAPE,
    }
)  # fmt: skip


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
