"""The gradient of a while loop is a loop, too: as many iterations, in reverse order.

    forward     f_count: 0 -> Merge -> Switch -> Add 1 -> NextIteration          a value -> StackPushV2
                                         Exit: the count |                                    |
    backward    b_count: the count -> Merge -> Switch -> Sub 1 -> NextIteration        StackPopV2 -> a gradient

The forward loop counts its iterations, and the backward loop counts down from there. Each value of the forward loop that a
gradient needs is pushed on a stack in each iteration, and popped in the corresponding iteration of the backward loop. Control
edges keep the order: each push lies between two steps of the counter, as does each pop. A tensor that the forward loop takes
from outside has a gradient in each iteration; `accumulated` adds these up. No state.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from ..base import dtypes
from ..graph.nodes import Operation, Tensor
from ..graph.transactions import drop
from ..lib.arrays import array
from ..lib.control.contexts import CondContext, ControlFlowContext, WhileContext, context_of_output
from ..lib.control.primitives import colocated_switch, exit_, merge, next_iteration, switch
from ..lib.framework.scope_blocks import waiting_for
from ..lib.math import math
from ..op.composites import IndexedSlices
from ..op.constant import constant
from ..op.definition import role_of
from ..op.infer import variable_behind
from ..ops import array as array_ops
from ..ops import control_flow, value_stacks
from ..ops.control_flow import ENTERS

Gradient = Tensor | IndexedSlices


class BackwardLoop:
    """The backward loop of one forward loop in one call of `gradients`.

    forward_context, grad_context: the contexts of the two loops. outer: the backward loop of the enclosing loop, if that has
    one. counted, counting: the NextIterations of the two counters. counterparts: for a tensor of the forward loop its value in
    the backward loop. merges: for the Switch of each loop variable the Merge of its gradient.
    exits: the forward loop's Exits, which are processed together. missing: how many of them still lack gradients. waiting: those
    that have all of theirs. unused: those that no y depends on.
    """

    def __init__(self, forward: WhileContext, outer: BackwardLoop | None) -> None:
        self.graph = forward.graph
        self.forward_context = forward
        self.outer = outer
        self.counterparts: dict[Tensor, Tensor] = {}
        self.merges: dict[Operation, Gradient] = {}
        self.exits = list(forward.loop_exits)
        self.missing = len(self.exits)
        self.waiting: list[Tensor] = []
        self.unused: list[Tensor] = []
        self._forward_sync: Operation | None = None
        self._grad_sync: Operation | None = None
        around = forward.outer if outer is None else outer.forward_context
        with _within(around):
            count = self._count_up()
        if outer is not None:
            # The inner loop runs once in each iteration of the outer one: a stack keeps the counts.
            outer.forward_context.make_visible(count)
            counts = outer.pushed(count)
            around = outer.grad_context
        with _within(around):
            self.grad_context = WhileContext(
                forward.maximum_iterations, forward.parallel_iterations, forward.back_prop, forward.swap_memory,
                forward.name, self,
            )  # fmt: skip
            self._count_down(count if outer is None else outer.popped(counts, count))

    # -- counters --------------------------------------------------------------------------------------------------------

    def _count_up(self) -> Tensor:
        """Makes the forward loop count its iterations; returns the count."""
        context, graph = self.forward_context, self.graph
        start = constant(0, name="f_count")
        if self.outer is not None:
            # The pushes of one execution of an inner loop come before those of the next.
            graph.add_control_input(start.op, _step(self.outer.counted))
        with context:
            context.make_visible(start)
            merged = self._merged(context, start, "f_count")
            out, on = switch(merged, context.pivot)
            self.counted = next_iteration(math.add(on, 1))
            graph.update_input(merged.op, 1, self.counted)
            total = self._left(context, out, "f_count")
        return total

    def _count_down(self, count: Tensor) -> None:
        """Makes the condition of the backward loop: the count goes down to 0."""
        context, graph = self.grad_context, self.graph
        one = constant(1, name="b_count")
        with context:
            context.make_visible(count)
            merged = self._merged(context, count, "b_count")
            context.pivot_for_pred = merged
            context.pivot = control_flow.loop_cond(math.greater_equal(merged, one), name="b_count")
            out, on = switch(merged, context.pivot)
            context.pivot_for_body = math.subtract(on, one)
            self.counting = next_iteration(context.pivot_for_body)
            graph.update_input(merged.op, 1, self.counting)
            zero = self._left(context, out, "b_count")
            if self.outer is not None:
                graph.add_control_input(self.outer.grad_sync, zero.op)

    def _merged(self, context: WhileContext, start: Tensor, name: str, merge_name: str | None = None) -> Tensor:
        """The Merge of one more value that the loop carries."""
        entered = context.enter(start, name=name)
        _append(context, context.loop_enters, entered)
        merged: Tensor = merge([entered, entered], name=merge_name)[0]
        return merged

    def _left(self, context: WhileContext, out: Tensor, name: str) -> Tensor:
        left = exit_(out, name=name)
        _append(context, context.loop_exits, left)
        context.export([left])
        return left

    # -- order -----------------------------------------------------------------------------------------------------------

    @property
    def forward_sync(self) -> Operation:
        """The node that the forward counter waits for; it runs after every push of an iteration, dead or not."""
        if self._forward_sync is None:
            self._forward_sync = self._sync("f_sync", self.forward_context, self.counted)
        return self._forward_sync

    @property
    def grad_sync(self) -> Operation:
        """The node that the backward counter waits for; it runs after every pop of an iteration."""
        if self._grad_sync is None:
            self._grad_sync = self._sync("b_sync", self.grad_context, self.counting)
        return self._grad_sync

    def _sync(self, name: str, context: WhileContext, counter: Tensor) -> Operation:
        with waiting_for(None):
            trigger: Operation = control_flow.control_trigger(name=name)
        trigger._context = context
        self.graph.add_control_input(counter.op, trigger)
        return trigger

    # -- values of the loop ----------------------------------------------------------------------------------------------

    def real_value(self, value: Tensor) -> Tensor:
        """The counterpart, in the backward loop, of a value of the forward loop."""
        counterpart = self.counterparts.get(value)
        if counterpart is None:
            counterpart = self.counterparts[value] = self._counterpart(value)
        return counterpart

    def _counterpart(self, value: Tensor) -> Tensor:
        state = self
        while (gate := _constant_enter(value)) is not None:
            # A loop invariant: the value outside will do.
            value = gate.inputs[0]
            if state.outer is None:
                return self.grad_context.import_tensor(value)
            state = state.outer
        if role_of(value.op) == "constant":
            return constant(value.op.attrs["value"], dtype=value.dtype)
        with outside_of(self.grad_context):
            value_stack = state.pushed(value)
        real = state.popped(value_stack, value)
        return real if state is self else self.grad_context.import_tensor(real)

    def pushed(self, value: Tensor, dead: bool = False) -> Tensor:
        """The handle of a stack on which the forward loop pushes the value in each iteration. Called outside of both loops.

        dead: the value is alive when the branch that it belongs to is not taken.
        """
        graph, context = self.graph, self.forward_context
        around = graph._context
        with waiting_for(None):
            with _within(around), graph.colocate_with(value):
                kept = value_stacks.stack_v2(constant(-1, dtypes.int32), elem_type=value.dtype.base_dtype, name="f_acc")
            entered = context.import_tensor(kept)
            value_context = context_of_output(value.op)
            with _within(value_context.outer if dead and value_context is not None else value_context):
                push = value_stacks.stack_push_v2(entered, value, swap_memory=context.swap_memory).op
            if dead:
                push._context = value_context
            graph.add_control_input(self.counted.op if value_context is context else self.forward_sync, push)
            graph.add_control_input(push, _step(self.counted))
        return kept

    def popped(self, value_stack: Tensor, value: Tensor, dead: bool = False) -> Tensor:
        """The value of this iteration, from its stack. A branch that was not taken pushed nothing: a Switch guards the pop."""
        guard: Any = value.op._context
        while guard is not None and guard is not value_stack.op._context and not isinstance(guard, CondContext):
            guard = guard.outer
        with waiting_for(None), self.grad_context:
            if isinstance(guard, CondContext) and guard is not value_stack.op._context:
                branch = 1 - guard.branch if dead else guard.branch
                value_stack = colocated_switch(value_stack, self._pred_of(guard))[branch]
            pop = value_stacks.stack_pop_v2(value_stack, elem_type=value.dtype.base_dtype)
            pop.set_shape(value.shape)
        if self.grad_context.parallel_iterations > 1:
            self.graph.add_control_input(self.grad_sync, pop.op)
        return pop

    def _pred_of(self, guard: CondContext) -> Tensor:
        state: BackwardLoop | None = self
        while state is not None:
            if guard.pred in state.counterparts:
                return state.counterparts[guard.pred]
            state = state.outer
        return guard.pred

    def real_pred(self, pred: Tensor) -> Tensor:
        """The predicate of a cond in the forward loop, as it was in this iteration."""
        counterpart = self.counterparts.get(pred)
        if counterpart is None:
            with outside_of(self.grad_context):
                value_stack = self.pushed(pred)
            counterpart = self.counterparts[pred] = self.popped(value_stack, pred)
        return counterpart

    # -- sums over the iterations ----------------------------------------------------------------------------------------

    def accumulated(self, entered: Operation, gradient: Tensor) -> Tensor:
        """The sum over all iterations of the gradient of the tensor that enters the forward loop by the node `entered`."""
        context, graph = self.grad_context, self.graph
        with outside_of(context):
            start = self._zeros_to_start(entered.inputs[0], gradient)
        context.make_visible(start)
        merged = self._merged(context, start, "b_acc", "b_acc")
        out, on = switch(merged, context.pivot)
        graph.update_input(merged.op, 1, next_iteration(math.add(on, gradient)))
        return self._left(context, out, "b_acc")

    def _zeros_to_start(self, value: Tensor, gradient: Tensor) -> Tensor:
        """Zeros, with which the sum of the gradients of `value` starts; `value` is outside of the loop."""
        around = self.grad_context.outer
        if gradient.shape.is_fully_defined():
            with _within(around):
                return constant(0, gradient.dtype, shape=gradient.shape, name="b_acc")
        if isinstance(around, WhileContext) and around.grad_state is not None:
            outer = self.outer
            assert outer is not None
            with _within(self.forward_context.outer):
                sizes = array_ops.shape(value, out_type=dtypes.int32)
            value_stack = outer.pushed(sizes)
            with around:
                return array.zeros(outer.popped(value_stack, sizes), gradient.dtype)
        with _within(around):
            return array.zeros(array_ops.shape(value, out_type=dtypes.int32), gradient.dtype)

    def accumulated_rows(self, entered: Operation, gradient: IndexedSlices) -> IndexedSlices:
        """`accumulated` for a sparse gradient: the rows of all iterations, after a row of zeros."""
        context, graph = self.grad_context, self.graph
        values, indices, sizes = gradient.values, gradient.indices, gradient.dense_shape
        with outside_of(context), _within(context.outer):
            if values.shape.is_fully_defined():
                starts = [constant(0, values.dtype, shape=[1, *values.shape.as_list()[1:]], name="b_acc")]
            else:
                row = _sizes_outside(entered.inputs[0])[1:]
                starts = [array.zeros(array.concat([[1], row], 0), values.dtype)]
            starts.insert(0, constant([0], indices.dtype))
            if sizes is not None:
                if sizes.shape.is_fully_defined():
                    starts.append(constant(0, sizes.dtype, shape=sizes.shape))
                else:
                    known = array_ops.shape(entered.inputs[0], out_type=sizes.dtype)
                    starts.append(array.zeros_like(known, optimize=False))
        context.make_visible(*starts)
        # The number of rows grows with each iteration.
        gates = [context.enter(start, name="b_acc", keep_shape=False) for start in starts]
        gates[0].set_shape([None])
        if starts[1].shape.ndims is not None:
            gates[1].set_shape([None, *starts[1].shape.as_list()[1:]])
        for gate in gates:
            _append(context, context.loop_enters, gate)
        merges = [merge([gate, gate], name="b_acc")[0] for gate in gates]
        sides = [switch(merged, context.pivot) for merged in merges]
        sums = [array.concat([side[1], part], 0) for side, part in zip(sides, (indices, values))]
        if sizes is not None:
            sums.append(math.maximum(sizes, sides[2][1]))
        for merged, following in zip(merges, [next_iteration(total) for total in sums]):
            graph.update_input(merged.op, 1, following)
        exits = [exit_(side[0], name="b_acc") for side in sides]
        for exited in exits:
            _append(context, context.loop_exits, exited)
        context.export(exits)
        return IndexedSlices(exits[1], exits[0], exits[2] if sizes is not None else None)


def _step(counter: Tensor) -> Operation:
    """The node that adds or subtracts, of a counter's NextIteration."""
    return counter.op.inputs[0].op


def _append(context: WhileContext, gates: list[Tensor], gate: Tensor) -> None:
    context.graph.on_failure(drop, gates, gate)
    gates.append(gate)


def _within(context: ControlFlowContext | None) -> AbstractContextManager[Any]:
    return nullcontext() if context is None else context


@contextmanager
def outside_of(context: ControlFlowContext) -> Iterator[None]:
    """In the block, new nodes belong to the enclosing context."""
    context.__exit__()
    try:
        yield
    finally:
        context.__enter__()


def _constant_enter(value: Tensor) -> Operation | None:
    """The Enter of a loop invariant, if the value is one; else None."""
    op = value.op
    while role_of(op) in ("switch", "identity"):
        op = op.inputs[0].op
    return op if op.type in ENTERS and op.attrs["is_constant"] else None


def _sizes_outside(tensor: Tensor) -> Any:
    """The sizes of a tensor, or of the variable that a handle refers to."""
    variable = variable_behind(tensor)
    return array_ops.shape(tensor, out_type=dtypes.int32) if variable is None else list(variable.attrs["shape"])


__all__ = ["Gradient", "BackwardLoop", "outside_of"]
