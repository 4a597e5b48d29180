"""Ops that pass no gradient on, each with its reason."""

from __future__ import annotations

from typing import Final

from ...ops.opdef import REGISTRY
from ..registry import Undifferentiable

REASONS: Final = {
    "its output does not change with what it is computed from": """
        Shape ShapeN Size Rank ZerosLike OnesLike Const
    """,
    "it is there to keep the gradient away": "StopGradient",
    "its output is true or false": """
        Less LessEqual Greater GreaterEqual LogicalAnd LogicalOr LogicalNot Equal NotEqual ApproximateEqual
    """,
    "it works on whole numbers": """
        Range LinSpace InvertPermutation BroadcastGradientArgs
    """,
}

for _reason, _types in REASONS.items():
    for _type in _types.split():
        REGISTRY[_type].grad_rule = Undifferentiable(_reason)
