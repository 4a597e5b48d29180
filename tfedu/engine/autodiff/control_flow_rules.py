"""Gradients of control flow: each node's gradient is the node that undoes it, in the same cond or in a backward loop.

Exit -> Enter, Switch -> Merge, Merge -> Switch, Enter -> Exit: the gradient of a loop variable is a loop variable of the
backward loop. The sweep processes the Switch of a loop variable twice: the gradient of its Exit makes the Merge, that of the
body makes the NextIteration that closes the backward loop. Gradients of a constant Enter are added up over the iterations.

These rules stand here and not at their ops: they work with the contexts of `lib/control` and with the backward loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base import dtypes, errors, shapes
from ..base.errors import error_text
from ..graph.nodes import Tensor
from ..graph.transactions import drop
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
    """make(g), or for IndexedSlices make(part) of each part."""
    return g._with_parts(*map(make, g._parts)) if isinstance(g, IndexedSlices) else make(g)


def _switched(g: Gradient, pred: Tensor, name: str = "Switch") -> tuple[Gradient, Gradient]:
    """The two outputs (false, true) of a Switch of the gradient by pred."""
    with g.graph.colocate_with(g, ignore_existing=True):
        if isinstance(g, Tensor):
            no, yes = primitives.switch(g, pred, name=name)
            return no, yes
        with name_scope(name):
            sides = [ops.switch(part, pred) for part in g._parts]
            return g._with_parts(*(side[0] for side in sides)), g._with_parts(*(side[1] for side in sides))


def _merged(gs: list[Gradient], name: str | None = None) -> Gradient:
    if all(isinstance(g, Tensor) for g in gs):
        merged: Tensor = primitives.merge(gs, name=name)[0]
        return merged
    with name_scope(name, "Merge"):
        rows = _of_one_kind([_as_rows(g) for g in gs])
        return rows[0]._with_parts(*(ops.merge(list(parts))[0] for parts in zip(*(r._parts for r in rows), strict=True)))


def _as_rows(g: Gradient) -> IndexedSlices:
    if isinstance(g, IndexedSlices):
        return g
    sizes = array_ops.shape(g, out_type=dtypes.int32)
    return IndexedSlices(g, sequences.range(0, sizes[0]), sizes)


def _of_one_kind(rows: list[IndexedSlices]) -> list[IndexedSlices]:
    """The same slices, all with indices of one dtype."""
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
    merged = merges.get(op)
    if merged is None:
        if leaving is None:  # it has no gradient outside
            return None
        # The second input is this one until the body's gradient is there.
        merged = merges[op] = _merged([leaving, leaving], "b_switch")
        return merged
    if staying is not None:
        following = _each(primitives.next_iteration, staying if isinstance(merged, Tensor) else _as_rows(staying))
        parts = [(merged, following)] if isinstance(merged, Tensor) else zip(merged._parts, following._parts)
        for target, value in parts:
            if not shapes.is_compatible(target.raw_shape, value.raw_shape):
                both = f"{shapes.fmt(value.raw_shape)} and {shapes.fmt(target.raw_shape)}"
                text = error_text(f"Cannot update edge, incompatible shapes: {both}.", [target, value])
                raise errors.InvalidArgumentError(None, None, text)
            op.graph.update_input(target.op, 1, value)
    return None


ops.switch.grad(_of_switch)
ops.ref_switch.grad(_of_switch)


def _of_merge(op: Any, g: Any, _: Any) -> Any:
    context = context_of_output(op.inputs[0].op)
    current = op.graph._context
    if isinstance(context, WhileContext):
        return list(_switched(g, current.pivot))
    if isinstance(context, CondContext):
        backward_loop = None if current is None else current.grad_state
        pred = context.pred if backward_loop is None else backward_loop.real_pred(context.pred)
        return list(_switched(g, pred, "cond_grad"))
    is_taken = [math.equal(op.outputs[1], i) for i in range(len(op.inputs))]
    return [_switched(g, pred)[1] for pred in is_taken]


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
    enters = list(entered._parts) if isinstance(entered, IndexedSlices) else [entered]
    for enter in enters:
        op.graph.on_failure(drop, context.loop_enters, enter)
        context.loop_enters.append(enter)
    return entered


ops.exit_.grad(_of_exit)
ops.ref_exit.grad(_of_exit)
ops.next_iteration.grad(lambda op, g: g)  # the rule of the Switch makes that of the backward loop
ops.ref_next_iteration.grad(lambda op, g: g)


def _of_enter(op: Any, g: Gradient) -> Any:
    context = op.graph._context
    backward_loop = None if context is None else context.grad_state
    if backward_loop is None or not context.back_prop:
        return g  # a forward loop: the gradient passes through it
    if op.attrs["is_constant"]:
        return backward_loop.accumulated_rows(op, g) if isinstance(g, IndexedSlices) else backward_loop.accumulated(op, g)
    exited = _each(primitives.exit_, g)
    exits = exited._parts if isinstance(exited, IndexedSlices) else (exited,)
    for exit in exits:
        op.graph.on_failure(drop, context.loop_exits, exit)
        context.loop_exits.append(exit)
    context.export(exits)
    return exited


ops.enter.grad(_of_enter)
ops.ref_enter.grad(_of_enter)
ops.loop_cond.grad(lambda op, g: None)
