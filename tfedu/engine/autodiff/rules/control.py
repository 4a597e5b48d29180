"""Gradients of control flow without loops: through a cond the gradient goes the way that the value came."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...lib import math
from ...lib.contexts import CondContext
from ...ops import control_flow as ops
from ...ops import math as math_ops


def _switched(g: Any, pred: Any, name: str | None = None) -> Any:
    """The gradient (false, true), where it goes on the side that pred says."""
    with g.graph.colocate_with(g, ignore_existing=True):
        return ops.switch(g, pred, name=name)


def _of_switch(op: Any, *gs: Any) -> Any:
    context = op._context
    if not isinstance(context, CondContext):
        sides = [_switched(g, op.inputs[1])[i] for i, g in enumerate(gs)]
        return ops.merge(sides)[0], None
    if gs[1 - context.branch] is None:
        # A handle has no zeros for the side that is not taken.
        if op.inputs[0].dtype.base_dtype is dtypes.resource:
            return ops.merge([gs[context.branch]] * 2, name="cond_resource_grad")[0], None
        return None, None
    return ops.merge(list(gs), name="cond_grad")[0], None


ops.switch.grad(_of_switch)
ops.ref_switch.grad(_of_switch)


def _of_merge(op: Any, g: Any, _: Any) -> Any:
    context = op.inputs[0].op._context
    if isinstance(context, CondContext):
        return list(_switched(g, context.pred, "cond_grad"))
    taken = [math.equal(op.outputs[1], i) for i in range(len(op.inputs))]
    return [_switched(g, pred)[1] for pred in taken]


ops.merge.grad(_of_merge)
ops.ref_merge.grad(_of_merge)

ops.print_.grad(lambda op, *gs: [*gs, *[None] * (len(op.inputs) - 1)])
math_ops.accumulate_nv2.grad(lambda op, g: [g] * len(op.inputs))
