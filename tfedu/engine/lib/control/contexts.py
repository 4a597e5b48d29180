"""The branches of a cond and the bodies of loops during construction: the graph passes each new node to its context.

A tensor from outside enters a branch through a Switch and a loop through an Enter; a node without inputs gets a
control edge from the context's pivot, so that it runs once per branch or iteration. Contexts serve construction only:
a run finds branches and frames by the nodes alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.graph import Graph
from ...graph.nodes import Operation, Tensor
from ...graph.scopes import control_inputs_for
from ...graph.transactions import drop
from ...op.definition import role_of
from ...ops import basic
from ...ops.control_flow import ENTERS, EXITS, MERGES, NEXTS, SWITCHES
from ..framework.scope_blocks import waiting_for
from .primitives import colocated_switch, enter


class ControlFlowContext:
    """What a branch of a cond and the body of a loop have in common.

    outer: the enclosing context. nested: the contexts directly inside. visible: the tensors that nodes of this
    context may use unchanged. replacements: the tensor inside for each tensor of an enclosing context that was
    imported.
    """

    def __init__(self, graph: Graph, name: str, outer: ControlFlowContext | None) -> None:
        self.graph = graph
        self.name = name
        self.outer = outer
        self.nested: list[ControlFlowContext] = []
        self.visible: set[Tensor] = set()
        self.replacements: dict[Tensor, Tensor] = {}
        self._saved: list[ControlFlowContext | None] = []
        if outer is not None:
            graph.on_failure(drop, outer.nested, self)
            outer.nested.append(self)

    def __enter__(self) -> ControlFlowContext:
        self._saved.append(self.graph._context)
        self.graph._context = self
        return self

    def __exit__(self, *exc: object) -> None:
        self.graph._context = self._saved.pop()

    # -- properties --------------------------------------------------------------------------------------------------

    @property
    def outer_context(self) -> ControlFlowContext | None:
        return self.outer

    @property
    def control_pivot(self) -> Tensor | None:
        """The tensor whose node sends a control edge to nodes without inputs, a scalar; None before it exists."""
        raise NotImplementedError

    @property
    def loop(self) -> WhileContext | None:
        """The innermost loop that contains this context, or this context itself."""
        return None if self.outer is None else self.outer.loop

    @property
    def grad_state(self) -> Any:
        """The gradient's state of the innermost loop; None for a loop that belongs to no gradient."""
        return None if self.loop is None else self.loop.grad_state

    @property
    def back_prop(self) -> bool:
        return False

    def contains(self, op: Operation) -> bool:
        """Whether `op` belongs to this context or to one nested in it."""
        return is_within(op._context, self)

    def __str__(self) -> str:
        return self.name

    # -- construction -------------------------------------------------------------------------------------------

    def add_op(self, op: Operation) -> None:
        """Adds a node that was built in this context."""
        self.route_inputs(op)

    def route_inputs(self, op: Operation) -> None:
        """Replaces the node's inputs from outside by imported tensors, and adds a control edge from the pivot where
        one is needed.
        """
        raise NotImplementedError

    def import_tensor(self, tensor: Tensor) -> Tensor:
        """The tensor that nodes of this context use for `tensor`."""
        raise NotImplementedError

    def make_visible(self, *tensors: Tensor) -> None:
        """Lets nodes of this context use the tensors unchanged; undone when the current call fails."""
        for tensor in tensors:
            if tensor not in self.visible:
                self.graph.on_failure(self._forget, tensor)
                self.visible.add(tensor)

    def _forget(self, tensor: Tensor) -> None:
        self.visible.discard(tensor)
        self.replacements.pop(tensor, None)

    def forget(self, op: Operation) -> None:
        """Undoes the construction of a node of this context."""
        context: ControlFlowContext | None = self
        while context is not None:
            for tensor in op.outputs:
                context._forget(tensor)
            context = context.outer

    def export(self, results: Iterable[Tensor]) -> None:
        """Makes results visible to the enclosing context."""
        if self.outer is not None:
            self.outer.make_visible(*results)

    def _cut_outer_waits(self, op: Operation) -> tuple[list[Operation], list[Operation]]:
        """Removes control edges to `op` from nodes outside of its loop; returns (the remaining sources, the removed
        ones).
        """
        loop = self.loop
        if loop is None:
            return list(op.waits), []
        inner, outer = [], []
        for source in op.waits:
            context = context_of_output(source)
            (inner if context is not None and context.loop is loop else outer).append(source)
        for source in outer:
            self.graph.remove_control_input(op, source)
        return inner, outer

    # -- checks ----------------------------------------------------------------------------------------

    def check_use(self, source: Operation, type: str, name: str, taker: ControlFlowContext | None) -> None:
        """Raises: ValueError when a new node `name` in the context `taker` may not use an output of `source`, a
        value of another loop.
        """
        source_context = context_of_output(source)
        if source_context is None or source_context is taker:
            return
        taker_loop, source_loop = None if taker is None else taker.loop, source_context.loop
        if taker_loop is None:
            if source_loop is None or type in ENTERS or type in SWITCHES:
                return
            reason = f"'{source.name}' is in a while loop"
        elif is_within(taker_loop, source_loop) or _is_gradient_of(taker_loop, source_loop):
            return
        else:
            reason = "they are in different while loops"
        raise ValueError(
            error_text(
                f"Cannot use '{source.name}' as input to '{name}' because {reason}. See info log for more details.",
                source.outputs,
                "return the value from the body, as one more loop variable, and use the result of tf.while_loop",
            )
        )


def is_within(context: ControlFlowContext | None, outer: ControlFlowContext | None) -> bool:
    """Whether `outer` is the context itself or encloses it; None encloses all."""
    while context is not outer:
        if context is None:
            return False
        context = context.outer
    return True


def context_of_output(op: Operation) -> ControlFlowContext | None:
    """The context of the node's outputs: those of an Exit belong to the context that encloses its loop."""
    context: ControlFlowContext | None = op._context
    return context.outer if context is not None and op.type in EXITS else context


def _is_gradient_of(taker_loop: WhileContext, source_loop: WhileContext | None) -> bool:
    """Whether one loop was built as the gradient of the other, or of its sibling: stacks pass values between them."""
    taker_state, source_state = taker_loop.grad_state, None if source_loop is None else source_loop.grad_state
    if taker_state is not None and (
        is_within(taker_state.forward_context, source_loop)
        or (source_loop is not None and taker_state.forward_context is source_loop.outer)
    ):
        return True
    if source_state is None:
        return False
    forward = source_state.forward_context
    return forward is taker_loop or (forward.grad_state is not None and forward.grad_state.forward_context is taker_loop)


class CondContext(ControlFlowContext):
    """One branch of a cond.

    pred: the condition, a bool scalar. pivot: the condition as it is alive in this branch. branch: 0 (false) or 1
    (true).
    """

    def __init__(self, pred: Tensor, pivot: Tensor, branch: int) -> None:
        graph: Graph = get_default_graph()
        super().__init__(graph, graph.unique_name("cond_text"), graph._context)
        self.pred = pred
        self.pivot = pivot
        self.branch = branch
        self.visible.update((pred, pivot))
        self.replacements[pred] = pred
        pivot.op._context = self

    @property
    def control_pivot(self) -> Tensor:
        return self.pivot

    def route_inputs(self, op: Operation) -> None:
        graph = self.graph
        if op.inputs:
            for index, tensor in enumerate(op.inputs):
                # A loop's back edge belongs to the branch, even before it is visible there.
                if op.type in MERGES and tensor.op.type in NEXTS:
                    continue
                replacement = self.import_tensor(tensor)
                if replacement is not tensor:
                    graph.update_input(op, index, replacement)
            self._cut_outer_waits(op)
        else:
            self._cut_outer_waits(op)
            if not any(self.contains(source) for source in op.waits):
                graph.add_control_input(op, self.pivot.op)
        self._add_outputs(op.outputs)
        if self.outer is not None or op.type not in EXITS:
            graph.prevent_fetching(op)

    def _add_outputs(self, tensors: Iterable[Tensor]) -> None:
        """Makes tensors that were built here visible in this context and all enclosing ones."""
        context: ControlFlowContext | None = self
        while context is not None:
            context.visible.update(tensors)
            context = context.outer

    def import_tensor(self, tensor: Tensor) -> Tensor:
        """The tensor itself, or the output of a Switch that is alive in this branch."""
        if tensor in self.visible:
            return self.replacements.get(tensor, tensor)
        self.make_visible(tensor)
        outside = self._outer_value(tensor)
        with waiting_for(None):
            result: Tensor = colocated_switch(outside, self.pred)[self.branch]
        self.graph.prevent_fetching(result.op)
        result.op._context = self
        self._add_outputs([result])
        self.replacements[tensor] = result
        return result

    def _outer_value(self, tensor: Tensor) -> Tensor:
        """The tensor that the enclosing context uses for `tensor`."""
        if self.outer is None:
            return tensor
        replacement = self.outer.import_tensor(tensor)
        self.make_visible(replacement)
        self.replacements[replacement] = replacement
        return replacement

    def result(self, tensor: Tensor) -> Tensor:
        """The tensor of the branch for a result: a tensor from outside passes through its Switch."""
        if tensor in self.visible:
            return self.replacements.get(tensor, tensor)
        self.make_visible(tensor)
        replacement: Tensor = colocated_switch(self._outer_value(tensor), self.pred)[self.branch]
        self.replacements[tensor] = replacement
        return replacement


class WhileContext(ControlFlowContext):
    """A loop; its frame has the context's name.

    loop_enters, loop_exits: the Enter and Exit of each tensor of the loop variables. parts: the number of tensors of
    each loop variable (a composite has several), where it is known. variable_names: for the first of these tensors the names
    that the program gives them ("" for none), where they are known. pivot: the LoopCond's output, a bool scalar.
    pivot_for_pred, pivot_for_body: tensors that are alive in each iteration of the condition and of the body.
    grad_state: for the loop of a gradient, its state.

    Raises: ValueError for parallel_iterations below 1.
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
        self.variable_names: list[str] = []
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

    def enter(self, tensor: Tensor, **options: Any) -> Tensor:
        """The tensor in the loop's frame. options: is_constant, keep_shape, name."""
        return enter(tensor, self.name, parallel_iterations=self.parallel_iterations, **options)

    def add_op(self, op: Operation) -> None:
        if role_of(op) == "shape":
            # The shape of a value of the forward loop is computed there, so that a stack keeps the shape instead of the value.
            state = None if self.graph._context is None else self.graph._context.grad_state
            context = op.inputs[0].op._context
            if state is not None and context is not None and context.loop is state.forward_context:
                op._context = context
                context.route_inputs(op)
                return
        self.route_inputs(op)

    def route_inputs(self, op: Operation) -> None:
        graph = self.graph
        if op.inputs:
            for index, tensor in enumerate(op.inputs):
                replacement = self.import_tensor(tensor)
                if replacement is not tensor:
                    graph.update_input(op, index, replacement)
            outside = self._cut_outer_waits(op)[1]
            if not op.waits and all(is_loop_constant(tensor.op) for tensor in op.inputs):
                graph.add_control_input(op, self._pivot_op())
        else:
            inner, outside = self._cut_outer_waits(op)
            if not inner:
                graph.add_control_input(op, self._pivot_op())
        self.visible.update(op.outputs)
        if outside:
            # A control edge cannot enter a frame: the source's output does, through an identity.
            with waiting_for(None), self:
                entered = [basic.identity(source.outputs[0]).op for source in outside if source.outputs]
            for source in entered:
                graph.add_control_input(op, source)
        if self.outer is not None or op.type not in EXITS:
            graph.prevent_fetching(op)
            for tensor in op.outputs:
                graph.prevent_feeding(tensor)

    def _pivot_op(self) -> Operation:
        pivot = self.control_pivot
        assert pivot is not None  # no node is built in a loop before its first Merge
        return pivot.op

    def import_tensor(self, tensor: Tensor) -> Tensor:
        """The tensor itself, or the Enter that passes it to every iteration."""
        if tensor in self.visible or tensor.op._context is self:
            return self.replacements.get(tensor, tensor)
        self.make_visible(tensor)
        state = None if self.graph._context is None else self.graph._context.grad_state
        if state is not None:
            # A value of the forward loop is popped from the stack on which that loop pushes it.
            tensor_context = context_of_output(tensor.op)
            if (None if tensor_context is None else tensor_context.loop) is state.forward_context:
                popped: Tensor = state.real_value(tensor)
                self.replacements[tensor] = popped
                return popped
        outside = tensor if self.outer is None else self.outer.import_tensor(tensor)
        with waiting_for(None):
            entered = self.enter(outside, is_constant=True)
            self.graph.prevent_feeding(entered)
        self.adopt_enters([entered])
        self.visible.add(entered)
        self.replacements[tensor] = entered
        return entered

    def adopt_enters(self, enters: Iterable[Tensor]) -> None:
        """Makes Enters nodes of this loop, with control edges from the enclosing control_dependencies blocks."""
        graph = self.graph
        stack = graph._control_stack
        for entered in enters:
            op = entered.op
            for source in control_inputs_for(stack, op.inputs) if stack else ():
                if self._encloses_loop(context_of_output(source)):
                    graph.add_control_input(op, source)
            op._context = self
            for block in stack:
                graph.on_failure(block.forget, op)
                block.saw(op)

    def _encloses_loop(self, context: ControlFlowContext | None) -> bool:
        """Whether the context encloses this loop without another loop in between."""
        enclosing = self.outer
        next_loop = None if enclosing is None else enclosing.loop
        while enclosing is not context:
            if enclosing is None or enclosing is next_loop:
                return False
            enclosing = enclosing.outer
        return True

    def set_visible(self, tensors: Iterable[Tensor]) -> None:
        """Makes the tensors the only visible ones."""
        self.visible = set(tensors)


def is_loop_constant(op: Operation) -> bool:
    """Whether the node passes one value from outside to every iteration of a loop."""
    return op.type in ENTERS and bool(op.attrs["is_constant"])


def innermost_pivot(context: ControlFlowContext | None) -> Tensor | None:
    """The pivot of the innermost context that has one, a scalar."""
    while context is not None:
        if context.control_pivot is not None:
            return context.control_pivot
        context = context.outer
    return None
