"""Gradients of activations that are functions, not ops: of a node that passes the result and the input on. No state."""

from __future__ import annotations

from typing import Any

from ..lib.nn.activations import SWISH
from ..op.callers import nodes
from ..op.name_scopes import waiting_for
from .registry import RegisterGradient


@RegisterGradient(SWISH)
def of_swish(op: Any, g: Any, *_: Any) -> Any:
    """dx = g · s · (1 + x · (1 - s)), s = sigmoid(x): op passes (x · s, x) on."""
    x = op.inputs[1]
    with waiting_for([g]):
        s = nodes.Sigmoid(x)
    return None, g * (s * (1.0 + x * (1.0 - s)))
