"""The loop that goes back through a loop: as many iterations as there were, in the other order.

    forward   f_count: 0 -> Merge -> Switch -> Add 1 -> NextIteration          a value -> StackPushV2
                                       Exit: how often |                                    |
    back      b_count: how often -> Merge -> Switch -> Sub 1 -> NextIteration        StackPopV2 -> its gradient

The loop counts its iterations, and its gradient counts down from there. A value of the loop that a gradient needs is pushed
on a stack in each iteration, and comes off it in the same iteration of the gradient's loop. Control edges keep the order:
each push lies between two steps of the counter, as does each pop. What the loop takes from outside has a gradient in each
iteration; `accumulated` adds those up.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from ..base import dtypes
from ..graph.nodes import Operation, Tensor
from ..lib.arrays import array
from ..lib.control.contexts import ENTERS, CondContext, ControlFlowContext, WhileContext, context_of_output
from ..lib.control.primitives import exit_, merge, next_iteration, switch, switched
from ..lib.framework.scope_blocks import waiting_for
from ..lib.math import math
from ..op.composites import IndexedSlices
from ..op.constant import constant
from ..op.infer import variable_behind
from ..ops import array as array_ops
from ..ops import control_flow, value_stacks

Gradient = Tensor | IndexedSlices


class WayBack:
    """The gradient of one loop in one call of `gradients`.

    forward_context, grad_context: the loop and the one that goes back; outer: the same for the loop around, if that is gone
    back through too. counted, counting: the NextIterations of the two counters. history: what stands in the gradient's loop
    for a tensor of the loop. merges: for the Switch of each loop variable the Merge of its gradient. exits: the Exits that
    must have their turn together; so many are `missing`, those in `held_back` wait for them, nobody uses those in `unused`.
    """

    def __init__(self, forward: WhileContext, outer: WayBack | None) -> None:
        self.graph = forward.graph
        self.forward_context = forward
        self.outer = outer
        self.history: dict[Tensor, Tensor] = {}
        self.merges: dict[Operation, Gradient] = {}
        self.exits = list(forward.loop_exits)
        self.missing = len(self.exits)
        self.held_back: list[Tensor] = []
        self.unused: list[Tensor] = []
        self._forward_sync: Operation | None = None
        self._grad_sync: Operation | None = None
        around = forward.outer if outer is None else outer.forward_context
        with _within(around):
            count = self._count_up()
        if outer is not None:
            # A stack remembers how often the loop went round each time.
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
        """Lets the loop count its iterations; how many they were."""
        context, graph = self.forward_context, self.graph
        start = constant(0, name="f_count")
        if self.outer is not None:
            # What one execution of an inner loop pushes comes before what the next one pushes.
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
        """Gives the gradient's loop its condition: the count, which goes down to 0."""
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
        _noted(context, context.loop_enters, entered)
        made: Tensor = merge([entered, entered], name=merge_name)[0]
        return made

    def _left(self, context: WhileContext, out: Tensor, name: str) -> Tensor:
        left = exit_(out, name=name)
        _noted(context, context.loop_exits, left)
        context.export([left])
        return left

    # -- order -----------------------------------------------------------------------------------------------------------

    @property
    def forward_sync(self) -> Operation:
        """What the loop's counter waits for: it comes after every push of an iteration, dead or not."""
        if self._forward_sync is None:
            self._forward_sync = self._sync("f_sync", self.forward_context, self.counted)
        return self._forward_sync

    @property
    def grad_sync(self) -> Operation:
        """What the gradient's counter waits for: it comes after every pop of an iteration."""
        if self._grad_sync is None:
            self._grad_sync = self._sync("b_sync", self.grad_context, self.counting)
        return self._grad_sync

    def _sync(self, name: str, context: WhileContext, counter: Tensor) -> Operation:
        with waiting_for(None):
            made: Operation = control_flow.control_trigger(name=name)
        made._context = context
        self.graph.add_control_input(counter.op, made)
        return made

    # -- values of the loop ----------------------------------------------------------------------------------------------

    def real_value(self, value: Tensor) -> Tensor:
        """What stands in the gradient's loop for a value of the loop."""
        found = self.history.get(value)
        if found is None:
            found = self.history[value] = self._brought_back(value)
        return found

    def _brought_back(self, value: Tensor) -> Tensor:
        state = self
        while (gate := _constant_enter(value)) is not None:
            # It is the same in every iteration, so what it is outside will do.
            value = gate.inputs[0]
            if state.outer is None:
                return self.grad_context.import_tensor(value)
            state = state.outer
        if value.op.type == "Const":
            return constant(value.op.attrs["value"], dtype=value.dtype)
        with outside_of(self.grad_context):
            history = state.pushed(value)
        real = state.popped(history, value)
        return real if state is self else self.grad_context.import_tensor(real)

    def pushed(self, value: Tensor, dead: bool = False) -> Tensor:
        """A stack on which the loop pushes the value in each iteration. Called outside of both loops.

        dead: the value is alive when the branch that it counts to is not taken.
        """
        graph, context = self.graph, self.forward_context
        around = graph._context
        with waiting_for(None):
            with _within(around), graph.colocate_with(value):
                kept = value_stacks.stack_v2(constant(-1, dtypes.int32), elem_type=value.dtype.base_dtype, name="f_acc")
            entered = context.import_tensor(kept)
            made_in = context_of_output(value.op)
            with _within(made_in.outer if dead and made_in is not None else made_in):
                push = value_stacks.stack_push_v2(entered, value, swap_memory=context.swap_memory).op
            if dead:
                push._context = made_in
            graph.add_control_input(self.counted.op if made_in is context else self.forward_sync, push)
            graph.add_control_input(push, _step(self.counted))
        return kept

    def popped(self, history: Tensor, value: Tensor, dead: bool = False) -> Tensor:
        """The value of this iteration, off its stack. A branch that was not taken pushed nothing: a switch guards the pop."""
        guard: Any = value.op._context
        while guard is not None and guard is not history.op._context and not isinstance(guard, CondContext):
            guard = guard.outer
        with waiting_for(None), self.grad_context:
            if isinstance(guard, CondContext) and guard is not history.op._context:
                branch = 1 - guard.branch if dead else guard.branch
                history = switched(history, self._pred_of(guard))[branch]
            pop = value_stacks.stack_pop_v2(history, elem_type=value.dtype.base_dtype)
            pop.set_shape(value.shape)
        if self.grad_context.parallel_iterations > 1:
            self.graph.add_control_input(self.grad_sync, pop.op)
        return pop

    def _pred_of(self, guard: CondContext) -> Tensor:
        state: WayBack | None = self
        while state is not None:
            if guard.pred in state.history:
                return state.history[guard.pred]
            state = state.outer
        return guard.pred

    def real_pred(self, pred: Tensor) -> Tensor:
        """The condition of a cond in the loop, as it was in this iteration."""
        found = self.history.get(pred)
        if found is None:
            with outside_of(self.grad_context):
                history = self.pushed(pred)
            found = self.history[pred] = self.popped(history, pred)
        return found

    # -- sums over the iterations ----------------------------------------------------------------------------------------

    def accumulated(self, entered: Operation, gradient: Tensor) -> Tensor:
        """The sum over all iterations of the gradient of what comes into the loop by the node `entered`."""
        context, graph = self.grad_context, self.graph
        with outside_of(context):
            start = self._nothing(entered.inputs[0], gradient)
        context.make_visible(start)
        merged = self._merged(context, start, "b_acc", "b_acc")
        out, on = switch(merged, context.pivot)
        graph.update_input(merged.op, 1, next_iteration(math.add(on, gradient)))
        return self._left(context, out, "b_acc")

    def _nothing(self, value: Tensor, gradient: Tensor) -> Tensor:
        """What a sum of gradients of `value`, which is outside of the loop, begins with."""
        around = self.grad_context.outer
        if gradient.shape.is_fully_defined():
            with _within(around):
                return constant(0, gradient.dtype, shape=gradient.shape, name="b_acc")
        if isinstance(around, WhileContext) and around.grad_state is not None:
            outer = self.outer
            assert outer is not None
            with _within(self.forward_context.outer):
                sizes = array_ops.shape(value, out_type=dtypes.int32)
            history = outer.pushed(sizes)
            with around:
                return array.zeros(outer.popped(history, sizes), gradient.dtype)
        with _within(around):
            return array.zeros(array_ops.shape(value, out_type=dtypes.int32), gradient.dtype)

    def accumulated_rows(self, entered: Operation, gradient: IndexedSlices) -> IndexedSlices:
        """The same for gradients of rows: those of all iterations under each other, after a row of zeros."""
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
        # The rows grow in number.
        gates = [context.enter(start, name="b_acc", keep_shape=False) for start in starts]
        gates[0].set_shape([None])
        if starts[1].shape.ndims is not None:
            gates[1].set_shape([None, *starts[1].shape.as_list()[1:]])
        for gate in gates:
            _noted(context, context.loop_enters, gate)
        merges = [merge([gate, gate], name="b_acc")[0] for gate in gates]
        sides = [switch(merged, context.pivot) for merged in merges]
        sums = [array.concat([side[1], part], 0) for side, part in zip(sides, (indices, values))]
        if sizes is not None:
            sums.append(math.maximum(sizes, sides[2][1]))
        for merged, following in zip(merges, [next_iteration(total) for total in sums]):
            graph.update_input(merged.op, 1, following)
        exits = [exit_(side[0], name="b_acc") for side in sides]
        for exited in exits:
            _noted(context, context.loop_exits, exited)
        context.export(exits)
        return IndexedSlices(exits[1], exits[0], exits[2] if sizes is not None else None)


def _step(counter: Tensor) -> Operation:
    """The node that counts, of a counter's NextIteration."""
    return counter.op.inputs[0].op


def _noted(context: WhileContext, gates: list[Tensor], gate: Tensor) -> None:
    gates.append(gate)
    context.graph.on_failure(gates.remove, gate)


def _within(context: ControlFlowContext | None) -> AbstractContextManager[Any]:
    return nullcontext() if context is None else context


@contextmanager
def outside_of(context: ControlFlowContext) -> Iterator[None]:
    """Inside the block nodes are made where they were before the context was entered."""
    context.__exit__()
    try:
        yield
    finally:
        context.__enter__()


def _constant_enter(value: Tensor) -> Operation | None:
    """The Enter of what is the same in every iteration, if the value is no more than that."""
    op = value.op
    while op.type in ("Switch", "RefSwitch", "Identity", "RefIdentity"):
        op = op.inputs[0].op
    return op if op.type in ENTERS and op.attrs["is_constant"] else None


def _sizes_outside(tensor: Tensor) -> Any:
    """The sizes of a tensor, or of the variable that a handle stands for."""
    variable = variable_behind(tensor)
    return array_ops.shape(tensor, out_type=dtypes.int32) if variable is None else list(variable.attrs["shape"])


__all__ = ["Gradient", "WayBack", "outside_of"]
