"""How much arithmetic a node does: `operations(op, inputs, outputs)`, for simulated clocks. No state."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.nodes import Operation


def operations(op: Operation, inputs: Sequence[Any], outputs: Sequence[Any]) -> int:
    """How many additions and multiplications a node does: exact for products and convolutions, else one for each element."""
    numbers = sum([int(np.size(value)) for value in outputs if value is not None])
    if op.type in ("MatMul", "BatchMatMul", "BatchMatMulV2", "SparseTensorDenseMatMul") and inputs[0] is not None:
        shape = np.shape(inputs[0])
        is_turned = op.attrs.get("transpose_a") or op.attrs.get("adj_x")
        return 2 * numbers * int(shape[-2] if is_turned else shape[-1]) if len(shape) > 1 else numbers
    if op.type in ("Conv1D", "Conv2D", "Conv3D") and inputs[1] is not None:
        return 2 * numbers * int(math.prod(np.shape(inputs[1])[:-1]))
    if op.type in ("Conv2DBackpropInput", "Conv2DBackpropFilter", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2"):
        of_filter: tuple[int, ...] = np.shape(outputs[0]) if "Filter" in op.type else np.shape(inputs[1])
        return 2 * int(np.size(inputs[2])) * math.prod(of_filter[:-1])
    return numbers


__all__ = ["operations"]
