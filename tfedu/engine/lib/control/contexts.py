"""The branches of a cond and the bodies of loops while they are built: the graph hands a context every node made inside.

What a node of a branch takes from outside comes through a Switch, what one of a loop takes comes through an Enter; a node
without inputs waits for the context's pivot, so that it runs once for the branch or once an iteration.
Contexts are for building only: a run finds branches and frames by the nodes alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.graph import Graph
from ...graph.nodes import Operation, Tensor
from ...graph.scopes import control_inputs_for
from ...ops import basic
from ..framework.scope_blocks import waiting_for
from .primitives import enter, switched

EXITS = ("Exit", "RefExit")
ENTERS = ("Enter", "RefEnter")
_SWITCHES = ("Switch", "RefSwitch")


class ControlFlowContext:
    """What a cond's branch and a loop's body have in common.

    outer: the context around; nested: those inside; inside: the tensors that nodes of this context may take as they are;
    stands_for: what they take instead of a tensor of the outside.
    """

    def __init__(self, graph: Graph, name: str, outer: ControlFlowContext | None) -> None:
        self.graph = graph
        self.name = name
        self.outer = outer
        self.nested: list[ControlFlowContext] = []
        self.inside: set[Tensor] = set()
        self.stands_for: dict[Tensor, Tensor] = {}
        self._around: list[ControlFlowContext | None] = []
        if outer is not None:
            outer.nested.append(self)
            graph.on_failure(outer.nested.remove, self)

    def __enter__(self) -> ControlFlowContext:
        self._around.append(self.graph._context)
        self.graph._context = self
        return self

    def __exit__(self, *exc: object) -> None:
        self.graph._context = self._around.pop()

    # -- what it is ----------------------------------------------------------------------------------------------------

    @property
    def outer_context(self) -> ControlFlowContext | None:
        return self.outer

    @property
    def control_pivot(self) -> Tensor | None:
        """What a node without inputs waits for."""
        raise NotImplementedError

    @property
    def loop(self) -> WhileContext | None:
        """The innermost loop that this is of: itself, or one around it."""
        return None if self.outer is None else self.outer.loop

    @property
    def grad_state(self) -> Any:
        """What the gradient of the loop around is being made of, None where that is no loop of a gradient."""
        return None if self.loop is None else self.loop.grad_state

    @property
    def back_prop(self) -> bool:
        return False

    def contains(self, op: Operation) -> bool:
        """Whether `op` is of this context or of one within it."""
        return is_within(op._context, self)

    def __str__(self) -> str:
        return self.name

    # -- what is made inside -------------------------------------------------------------------------------------------

    def add_op(self, op: Operation) -> None:
        """Takes a node in that was made in this context."""
        self.take_in(op)

    def take_in(self, op: Operation) -> None:
        """Lets a node take what it takes from outside by this context's gates, and wait for the pivot where need be."""
        raise NotImplementedError

    def brought_in(self, tensor: Tensor) -> Tensor:
        """What a node of this context uses for `tensor`."""
        raise NotImplementedError

    def saw(self, *tensors: Tensor) -> None:
        """Tells that nodes of this context may take the tensors as they are; forgotten when the call under way fails."""
        for tensor in tensors:
            if tensor not in self.inside:
                self.inside.add(tensor)
                self.graph.on_failure(self._forget, tensor)

    def _forget(self, tensor: Tensor) -> None:
        self.inside.discard(tensor)
        self.stands_for.pop(tensor, None)

    def forget(self, op: Operation) -> None:
        """Takes back that a node of this context was made."""
        context: ControlFlowContext | None = self
        while context is not None:
            for tensor in op.outputs:
                context._forget(tensor)
            context = context.outer

    def gives(self, results: Iterable[Tensor]) -> None:
        """Makes results known to the context around."""
        if self.outer is not None:
            self.outer.saw(*results)

    def _cut(self, op: Operation) -> tuple[list[Operation], list[Operation]]:
        """Lets `op` no longer wait for nodes outside of the loop; what it still waits for, and what it did."""
        loop = self.loop
        if loop is None:
            return list(op.waits), []
        inner, outer = [], []
        for waited in op.waits:
            context = context_of_output(waited)
            (inner if context is not None and context.loop is loop else outer).append(waited)
        for waited in outer:
            self.graph.remove_control_input(op, waited)
        return inner, outer

    # -- what may be used where ----------------------------------------------------------------------------------------

    def check_use(self, source: Operation, type: str, name: str, taker: ControlFlowContext | None) -> None:
        """Whether a new node `name` in the context `taker` may take an output of `source`, which is of this context.

        Raises: ValueError for a value of a loop that the node is not in.
        """
        given = context_of_output(source)
        if given is None or given is taker:
            return
        into, out_of = None if taker is None else taker.loop, given.loop
        if into is None:
            if out_of is None or type in ENTERS or type in _SWITCHES:
                return
            why = f"'{source.name}' is in a while loop"
        elif is_within(into, out_of) or _is_gradient_of(into, out_of):
            return
        else:
            why = "they are in different while loops"
        raise ValueError(
            error_text(
                f"Cannot use '{source.name}' as input to '{name}' because {why}. See info log for more details.",
                source.outputs,
                "let the body return the value, as one more loop variable, and use what tf.while_loop gives for it",
            )
        )


def is_within(context: ControlFlowContext | None, outer: ControlFlowContext | None) -> bool:
    """Whether `outer` is the context or one around it; all are within None."""
    while context is not outer:
        if context is None:
            return False
        context = context.outer
    return True


def context_of_output(op: Operation) -> ControlFlowContext | None:
    """The context in which the node's results are: those of an Exit are outside of its loop."""
    context: ControlFlowContext | None = op._context
    return context.outer if context is not None and op.type in EXITS else context


def _is_gradient_of(into: WhileContext, out_of: WhileContext | None) -> bool:
    """Whether one of the loops was made as the gradient of the other, or of one beside it: they hand values over on stacks."""
    there, here = into.grad_state, None if out_of is None else out_of.grad_state
    if there is not None and (
        is_within(there.forward_context, out_of) or (out_of is not None and there.forward_context is out_of.outer)
    ):
        return True
    if here is None:
        return False
    forward = here.forward_context
    return forward is into or (forward.grad_state is not None and forward.grad_state.forward_context is into)


class CondContext(ControlFlowContext):
    """One branch of a cond. pred: the condition; pivot: the condition as it is alive in this branch; branch: 0 or 1."""

    def __init__(self, pred: Tensor, pivot: Tensor, branch: int) -> None:
        graph: Graph = get_default_graph()
        super().__init__(graph, graph.unique_name("cond_text"), graph._context)
        self.pred = pred
        self.pivot = pivot
        self.branch = branch
        self.inside.update((pred, pivot))
        self.stands_for[pred] = pred
        pivot.op._context = self

    @property
    def control_pivot(self) -> Tensor:
        return self.pivot

    def take_in(self, op: Operation) -> None:
        graph = self.graph
        if op.inputs:
            for index, tensor in enumerate(op.inputs):
                # What comes round a loop is of the branch, though it may not be known to it yet.
                if op.type == "Merge" and tensor.op.type == "NextIteration":
                    continue
                real = self.brought_in(tensor)
                if real is not tensor:
                    graph.update_input(op, index, real)
            self._cut(op)
        else:
            self._cut(op)
            if not any(self.contains(waited) for waited in op.waits):
                graph.add_control_input(op, self.pivot.op)
        self._made(op.outputs)
        if self.outer is not None or op.type not in EXITS:
            graph.prevent_fetching(op)

    def _made(self, tensors: Iterable[Tensor]) -> None:
        """Tells this context and all around it what was made in it."""
        context: ControlFlowContext | None = self
        while context is not None:
            context.inside.update(tensors)
            context = context.outer

    def brought_in(self, tensor: Tensor) -> Tensor:
        """The tensor itself, or its live side of a switch."""
        if tensor in self.inside:
            return self.stands_for.get(tensor, tensor)
        self.saw(tensor)
        outside = self._outside(tensor)
        with waiting_for(None):
            result: Tensor = switched(outside, self.pred)[self.branch]
        self.graph.prevent_fetching(result.op)
        result.op._context = self
        self._made([result])
        self.stands_for[tensor] = result
        return result

    def _outside(self, tensor: Tensor) -> Tensor:
        """What the context around this one uses for `tensor`."""
        if self.outer is None:
            return tensor
        real = self.outer.brought_in(tensor)
        self.saw(real)
        self.stands_for[real] = real
        return real

    def result(self, tensor: Tensor) -> Tensor:
        """A tensor that the branch gives: one of the outside comes through its switch."""
        if tensor in self.inside:
            return self.stands_for.get(tensor, tensor)
        self.saw(tensor)
        real: Tensor = switched(self._outside(tensor), self.pred)[self.branch]
        self.stands_for[tensor] = real
        return real


class WhileContext(ControlFlowContext):
    """A loop. Its frame has the context's name.

    loop_enters, loop_exits: the gates of the loop variables; parts: how many of them each of the program's loop variables has
    (a composite has several), where that is known; pivot: the LoopCond; pivot_for_pred, pivot_for_body: what lives
    in each iteration of the condition and of the body; grad_state: for the loop of a gradient, what it is made of.
    """

    def __init__(
        self,
        maximum_iterations: Tensor | None = None,
        parallel_iterations: int = 10,
        back_prop: bool = True,
        swap_memory: bool = False,
        name: str = "while_context",
        grad_state: Any = None,
    ) -> None:
        if not isinstance(parallel_iterations, int) or parallel_iterations <= 0:
            raise ValueError(
                error_text(f"`parallel_iterations` must be a positive integer: {parallel_iterations}")
            )
        graph: Graph = get_default_graph()
        super().__init__(graph, graph.unique_name(name), graph._context)
        self.maximum_iterations = maximum_iterations
        self.parallel_iterations = parallel_iterations
        self._back_prop = back_prop
        self.swap_memory = swap_memory
        self._grad_state = grad_state
        self.loop_enters: list[Tensor] = []
        self.loop_exits: list[Tensor] = []
        self.parts: list[int] = []
        self.pivot_for_pred: Tensor | None = None
        self.pivot_for_body: Tensor | None = None
        self.pivot: Tensor | None = None

    @property
    def control_pivot(self) -> Tensor | None:
        return self.pivot_for_pred if self.pivot_for_body is None else self.pivot_for_body

    @property
    def loop(self) -> WhileContext:
        return self

    @property
    def grad_state(self) -> Any:
        return self._grad_state

    @property
    def back_prop(self) -> bool:
        return self._back_prop

    def enter(self, tensor: Tensor, **how: Any) -> Tensor:
        """The tensor in the loop's frame. how: is_constant, keep_shape, name."""
        return enter(tensor, self.name, parallel_iterations=self.parallel_iterations, **how)

    def add_op(self, op: Operation) -> None:
        if op.type in ("Shape", "Size", "Rank"):
            # The size of a value of the forward loop is asked for in that loop: a stack keeps it rather than the value.
            state = None if self.graph._context is None else self.graph._context.grad_state
            context = op.inputs[0].op._context
            if state is not None and context is not None and context.loop is state.forward_context:
                op._context = context
                context.take_in(op)
                return
        self.take_in(op)

    def take_in(self, op: Operation) -> None:
        graph = self.graph
        if op.inputs:
            for index, tensor in enumerate(op.inputs):
                real = self.brought_in(tensor)
                if real is not tensor:
                    graph.update_input(op, index, real)
            outside = self._cut(op)[1]
            if not op.waits and all(is_same_always(tensor.op) for tensor in op.inputs):
                graph.add_control_input(op, self._pivot_op())
        else:
            inner, outside = self._cut(op)
            if not inner:
                graph.add_control_input(op, self._pivot_op())
        self.inside.update(op.outputs)
        if outside:
            # What it waits for outside comes into the loop as a value.
            with waiting_for(None), self:
                brought = [basic.identity(waited.outputs[0]).op for waited in outside if waited.outputs]
            for waited in brought:
                graph.add_control_input(op, waited)
        if self.outer is not None or op.type not in EXITS:
            graph.prevent_fetching(op)
            for tensor in op.outputs:
                graph.prevent_feeding(tensor)

    def _pivot_op(self) -> Operation:
        pivot = self.control_pivot
        assert pivot is not None  # nothing is made in a loop before its first Merge
        return pivot.op

    def brought_in(self, tensor: Tensor) -> Tensor:
        """The tensor itself, or the Enter that gives it to every iteration."""
        if tensor in self.inside or tensor.op._context is self:
            return self.stands_for.get(tensor, tensor)
        self.saw(tensor)
        state = None if self.graph._context is None else self.graph._context.grad_state
        if state is not None:
            # A value of the forward loop comes off the stack on which that loop keeps it.
            made_in = context_of_output(tensor.op)
            if (None if made_in is None else made_in.loop) is state.forward_context:
                real: Tensor = state.real_value(tensor)
                self.stands_for[tensor] = real
                return real
        outside = tensor if self.outer is None else self.outer.brought_in(tensor)
        with waiting_for(None):
            entered = self.enter(outside, is_constant=True)
            self.graph.prevent_feeding(entered)
        self.settle([entered])
        self.inside.add(entered)
        self.stands_for[tensor] = entered
        return entered

    def settle(self, enters: Iterable[Tensor]) -> None:
        """Makes Enters nodes of this loop, which wait for what blocks of control dependencies around it ask for."""
        graph = self.graph
        stack = graph._control_stack
        for entered in enters:
            op = entered.op
            for waited in control_inputs_for(stack, op.inputs) if stack else ():
                if self._stands_around(context_of_output(waited)):
                    graph.add_control_input(op, waited)
            op._context = self
            for block in stack:
                block.saw(op)
                graph.on_failure(block.forget, op)

    def _stands_around(self, context: ControlFlowContext | None) -> bool:
        """Whether it is what the loop was made in, no further away than the next loop."""
        at = self.outer
        next_loop = None if at is None else at.loop
        while at is not context:
            if at is None or at is next_loop:
                return False
            at = at.outer
        return True

    def begin_with(self, tensors: Iterable[Tensor]) -> None:
        """Lets the tensors be all that the loop knows."""
        self.inside = set(tensors)


def is_same_always(op: Operation) -> bool:
    """Whether the node gives every iteration of a loop one value of the outside."""
    return op.type in ENTERS and bool(op.attrs["is_constant"])


def innermost_pivot(context: ControlFlowContext | None) -> Tensor | None:
    """The pivot of the context or of the next one around it that has one."""
    while context is not None:
        if context.control_pivot is not None:
            return context.control_pivot
        context = context.outer
    return None
