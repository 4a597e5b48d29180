"""Gradients of control flow: through a cond the gradient goes the way that the value came, through a loop the way back.

Exit -> Enter, Switch -> Merge, Merge -> Switch, Enter -> Exit: a loop variable's gradient goes round the gradient's loop. The
Switch of a loop variable has two turns: from the Exit it gets the Merge, from the body the NextIteration that closes it. What
the loop takes from outside (a constant Enter) has its gradients added up over the iterations.

These rules stand here and not at their ops: they work with the contexts of `lib/control` and with the backward loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base import dtypes, errors, shapes
from ..base.errors import error_text
from ..graph.nodes import Tensor
from ..lib.arrays import sequences
from ..lib.control import primitives
from ..lib.control.contexts import CondContext, WhileContext, context_of_output
from ..lib.framework.scope_blocks import name_scope
from ..lib.math import math
from ..op.composites import IndexedSlices
from ..ops import array as array_ops
from ..ops import control_flow as ops
from .backward_loop import Gradient


def _each(make: Callable[[Tensor], Tensor], g: Gradient) -> Gradient:
    """The same for each part of a gradient of rows."""
    return g._with_parts(*map(make, g._parts)) if isinstance(g, IndexedSlices) else make(g)


def _switched(g: Gradient, pred: Tensor, name: str = "Switch") -> tuple[Gradient, Gradient]:
    """The gradient (false, true), where it goes on the side that pred says."""
    with g.graph.colocate_with(g, ignore_existing=True):
        if isinstance(g, Tensor):
            no, yes = primitives.switch(g, pred, name=name)
            return no, yes
        with name_scope(name):
            sides = [ops.switch(part, pred) for part in g._parts]
            return g._with_parts(*(side[0] for side in sides)), g._with_parts(*(side[1] for side in sides))


def _merged(gs: list[Gradient], name: str | None = None) -> Gradient:
    if all(isinstance(g, Tensor) for g in gs):
        made: Tensor = primitives.merge(gs, name=name)[0]
        return made
    with name_scope(name, "Merge"):
        rows = _of_one_kind([_as_rows(g) for g in gs])
        return rows[0]._with_parts(*(ops.merge(list(parts))[0] for parts in zip(*(r._parts for r in rows), strict=True)))


def _as_rows(g: Gradient) -> IndexedSlices:
    if isinstance(g, IndexedSlices):
        return g
    sizes = array_ops.shape(g, out_type=dtypes.int32)
    return IndexedSlices(g, sequences.range(0, sizes[0]), sizes)


def _of_one_kind(rows: list[IndexedSlices]) -> list[IndexedSlices]:
    """All with indices of one dtype."""
    if len({r.indices.dtype for r in rows}) == 1:
        return rows
    return [IndexedSlices(r.values, math.cast(r.indices, dtypes.int64), r.dense_shape) for r in rows]


def _of_switch(op: Any, *gs: Any) -> Any:
    context = op._context
    if isinstance(context, WhileContext):
        return _of_loop_switch(op, *gs), None
    if not isinstance(context, CondContext):
        sides = [primitives.switch(g, op.inputs[1])[i] for i, g in enumerate(gs)]
        return primitives.merge(sides)[0], None
    if gs[1 - context.branch] is None:
        # A handle has no zeros for the side that is not taken.
        if op.inputs[0].dtype.base_dtype is dtypes.resource:
            return _merged([gs[context.branch]] * 2, "cond_resource_grad"), None
        return None, None
    return _merged(list(gs), "cond_grad"), None


def _of_loop_switch(op: Any, leaving: Any, staying: Any) -> Any:
    merges = op.graph._context.grad_state.merges
    found = merges.get(op)
    if found is None:
        if leaving is None:  # it has no gradient outside
            return None
        # The second input is this one until the body's gradient is there.
        found = merges[op] = _merged([leaving, leaving], "b_switch")
        return found
    if staying is not None:
        following = _each(primitives.next_iteration, staying if isinstance(found, Tensor) else _as_rows(staying))
        parts = [(found, following)] if isinstance(found, Tensor) else zip(found._parts, following._parts)
        for merged, value in parts:
            if not shapes.is_compatible(merged.raw_shape, value.raw_shape):
                both = f"{shapes.fmt(value.raw_shape)} and {shapes.fmt(merged.raw_shape)}"
                text = error_text(f"Cannot update edge, incompatible shapes: {both}.", [merged, value])
                raise errors.InvalidArgumentError(None, None, text)
            op.graph.update_input(merged.op, 1, value)
    return None


ops.switch.grad(_of_switch)
ops.ref_switch.grad(_of_switch)


def _of_merge(op: Any, g: Any, _: Any) -> Any:
    context = context_of_output(op.inputs[0].op)
    here = op.graph._context
    if isinstance(context, WhileContext):
        return list(_switched(g, here.pivot))
    if isinstance(context, CondContext):
        way = None if here is None else here.grad_state
        pred = context.pred if way is None else way.real_pred(context.pred)
        return list(_switched(g, pred, "cond_grad"))
    taken = [math.equal(op.outputs[1], i) for i in range(len(op.inputs))]
    return [_switched(g, pred)[1] for pred in taken]


ops.merge.grad(_of_merge)
ops.ref_merge.grad(_of_merge)


def _of_exit(op: Any, g: Gradient) -> Any:
    context = op.graph._context
    if not context.back_prop:
        return None
    if op._context.grad_state is not None:
        raise TypeError(
            error_text(
                "Second-order gradient for while loops not supported.",
                fix="a Python `for` makes the steps one after the other, without a loop in the graph; or tf.gradients "
                "within the body",
            )
        )
    context.make_visible(*(g._parts if isinstance(g, IndexedSlices) else (g,)))
    name = "b_exit" if isinstance(g, Tensor) else None
    entered = _each(lambda part: context.enter(part, name=name), g)
    gates = list(entered._parts) if isinstance(entered, IndexedSlices) else [entered]
    context.loop_enters.extend(gates)
    for gate in gates:
        op.graph.on_failure(context.loop_enters.remove, gate)
    return entered


ops.exit_.grad(_of_exit)
ops.ref_exit.grad(_of_exit)
ops.next_iteration.grad(lambda op, g: g)  # the one of the gradient's loop comes with the Switch
ops.ref_next_iteration.grad(lambda op, g: g)


def _of_enter(op: Any, g: Gradient) -> Any:
    context = op.graph._context
    way = None if context is None else context.grad_state
    if way is None or not context.back_prop:
        return g  # of a loop that is gone through, not back
    if op.attrs["is_constant"]:
        return way.accumulated_rows(op, g) if isinstance(g, IndexedSlices) else way.accumulated(op, g)
    exited = _each(primitives.exit_, g)
    exits = exited._parts if isinstance(exited, IndexedSlices) else (exited,)
    for gate in exits:
        context.loop_exits.append(gate)
        op.graph.on_failure(context.loop_exits.remove, gate)
    context.export(exits)
    return exited


ops.enter.grad(_of_enter)
ops.ref_enter.grad(_of_enter)
ops.loop_cond.grad(lambda op, g: None)
