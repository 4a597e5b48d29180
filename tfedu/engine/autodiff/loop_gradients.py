"""The loops in the way of one call of `gradients`: `Loops`.

Each has a `BackwardLoop`. Its Exits are processed together, once all of them have their gradients; the Switch of a loop variable
is processed twice, with the gradient that comes from the Exit and with the one that comes from the body. No state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from ..base import dtypes
from ..base.errors import error_text
from ..graph.nodes import Operation, Tensor
from ..lib.arrays import array
from ..lib.control.contexts import CondContext, WhileContext
from ..lib.control.primitives import colocated_switch, next_iteration
from ..op.constant import constant
from ..ops import array as array_ops
from ..ops.control_flow import ENTERS, EXITS, SWITCHES
from .backward_loop import BackwardLoop, outside_of
from .zeros import is_trainable, zeros_for, zeros_of

_NOTHING: Final = nullcontext()  # a block that changes nothing


def is_loop_switch(op: Operation) -> bool:
    """Whether the node is the Switch of a loop variable, not that of a cond in the loop."""
    if op.type not in SWITCHES or not isinstance(op._context, WhileContext):
        return False
    for tensor in op.outputs:
        for consumer in tensor.consumers():
            context = consumer._context
            if consumer.type in ENTERS and context is not None:
                context = context.outer
            if not isinstance(context, CondContext):
                return True
    return False


class Loops:
    """backward_loops: those of the forward loops, by their contexts. Empty where the sweep meets no loop."""

    def __init__(self) -> None:
        self.backward_loops: dict[WhileContext, BackwardLoop] = {}

    def of(self, op: Operation, outside: bool = False) -> BackwardLoop | None:
        """The backward loop of the node's loop. outside: an Exit belongs to the context of its output."""
        context = op._context
        if context is not None and outside and op.type in EXITS:
            context = context.outer
        loop = None if context is None else context.loop
        return None if loop is None else self.backward_loops.get(loop)

    def inside(self, op: Operation, outside: bool = False) -> AbstractContextManager[Any]:
        """`with loops.inside(op):` new nodes are made in the backward loop of the node's loop, if it is in one."""
        backward = self.of(op, outside) if self.backward_loops else None
        return _NOTHING if backward is None else backward.grad_context

    def add(self, op: Operation) -> list[Tensor]:
        """Makes the backward loop for the loop of an Exit; returns all Exits of that loop.

        Raises: ValueError for a loop of a GraphDef, which does not say what the loop is made of.
        """
        if op._context is None:
            raise ValueError(
                error_text(
                    "Failed to call gradients on a while loop without properly serializing graph via MetaGraphDef",
                    op.outputs,
                    "hand the graph on by tf.train.export_meta_graph and import_meta_graph",
                )
            )
        loop = op._context.loop
        if loop in self.backward_loops:
            return []
        around = None if loop.outer is None else loop.outer.loop
        backward = self.backward_loops[loop] = BackwardLoop(loop, None if around is None else self.backward_loops.get(around))
        return backward.exits

    # -- Exits -----------------------------------------------------------------------------------------------------------

    def begin(self, pending: dict[Operation, int], targets: set[Operation]) -> list[Tensor]:
        """The Exits that are processed at once, with zeros: no gradient will arrive, and all others of their loops are ys.

        The Enter of a loop variable that starts with a constant gets a pending count: it has a gradient, too.
        """
        unused: list[Tensor] = []
        for backward in self.backward_loops.values():
            for tensor in backward.exits:
                if not pending.get(tensor.op):
                    backward.missing -= 1
                    if tensor.op not in targets:
                        backward.unused.append(tensor)
                    if not backward.missing:
                        unused += backward.unused
        for backward in self.backward_loops.values():
            for entered in backward.forward_context.loop_enters:
                pending[entered.op] = pending.get(entered.op) or 1
        return [tensor for tensor in unused if is_trainable(tensor.dtype)]

    def arrived(self, tensor: Tensor, with_gradient: Container[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
        """An Exit got all its gradients: the Exits to process now, and those of them that get zeros."""
        backward = self.of(tensor.op)
        assert backward is not None
        backward.waiting.append(tensor)
        backward.missing -= 1
        if backward.missing:
            return [], []
        ready = [t for t in backward.waiting if t in with_gradient]
        backward.unused += [t for t in backward.waiting if t not in ready]
        return ready + backward.unused, [t for t in backward.unused if is_trainable(t.dtype)] if ready else []

    def zeros_at_exit(self, tensor: Tensor) -> Tensor:
        """The gradient of an Exit that no y depends on."""
        forward = tensor.op._context
        assert forward is not None
        around = None if forward.outer is None else forward.outer.loop
        backward = None if around is None else self.backward_loops.get(around)
        known = tensor.shape.is_fully_defined()
        if backward is None:
            if known:
                return array.zeros(tensor.shape, tensor.dtype)
            zeros: Tensor = array.zeros_like(tensor, optimize=False)
            return zeros
        if known:
            with backward.grad_context:
                return array.zeros(tensor.shape, tensor.dtype)
        with forward.outer:
            sizes = array_ops.shape(tensor, out_type=dtypes.int32)
        value_stack = backward.pushed(sizes)
        with backward.grad_context:
            return array.zeros(backward.popped(value_stack, sizes), tensor.dtype)

    # -- zeros -----------------------------------------------------------------------------------------------------------

    def zeros_for(self, op: Operation, index: int) -> Tensor | None:
        """Zeros for an output that got no gradient, made in the backward loop. None for a loop variable's Switch.

        Differs from TF: a handle has zeros like its variable, as in TF 2; 1.15 asks for a constant of type resource.
        """
        if is_loop_switch(op):
            return None
        backward = self.of(op)
        if backward is None:
            return zeros_for(op, index)
        tensor, context = op.outputs[index], op._context
        branch = context if op.type in SWITCHES and isinstance(context, CondContext) else None
        if tensor.shape.is_fully_defined():
            is_handle = tensor.dtype.base_dtype is dtypes.resource
            zeros = zeros_of(tensor) if is_handle else constant(0, shape=tensor.shape, dtype=tensor.dtype.base_dtype)
            # For the branch that was not taken they are alive when the other one was.
            return zeros if branch is None else colocated_switch(zeros, backward.counterparts[branch.pred])[1 - branch.branch]
        # Their sizes are known in the loop only.
        if branch is None:
            with context:
                sizes = array_ops.shape(tensor, out_type=dtypes.int32)
        else:
            with branch.outer:
                other = colocated_switch(op.inputs[0], branch.pred)[1 - branch.branch]
                sizes = array_ops.shape(other, out_type=dtypes.int32)
            other.op._context = sizes.op._context = branch
        with outside_of(backward.grad_context):
            value_stack = backward.pushed(sizes, dead=branch is not None)
        return array.zeros(backward.popped(value_stack, sizes, dead=branch is not None), tensor.dtype.base_dtype)

    # -- end -------------------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Gives zeros to each loop variable whose next value does not depend on the one before.

        Differs from TF: they are of the variable's dtype; where its shape is open, TF's are float32 and fail for others.
        """
        for backward in self.backward_loops.values():
            for merged in backward.merges.values():
                op = merged.op
                if op.inputs[0] is not op.inputs[1]:
                    continue
                entered, context = op.inputs[0], backward.grad_context
                if entered.shape.is_fully_defined():
                    with context:
                        following = next_iteration(constant(0, dtype=entered.dtype, shape=entered.shape))
                else:
                    with nullcontext() if context.outer is None else context.outer:
                        sizes = array_ops.shape(entered.op.inputs[0], out_type=dtypes.int32)
                        zeros = array.zeros(sizes, entered.dtype)
                    with context:
                        following = next_iteration(zeros)
                op.graph.update_input(op, 1, following)


def check_not_inside(op: Operation, sources: Sequence[Operation]) -> None:
    """Raises: ValueError when a gradient asked for inside a loop passes to the initial value of a loop variable."""
    if op.type not in SWITCHES or not isinstance(op._context, WhileContext) or op._context is not op.graph._context:
        return
    queue, seen = deque([op]), {op}
    while queue and queue[0] not in sources:
        for tensor in queue.popleft().inputs:
            if tensor.op not in seen:
                seen.add(tensor.op)
                queue.append(tensor.op)
    raise ValueError(
        error_text(
            f"Cannot compute gradient inside while loop with respect to op '{queue[0].name}'. We do not support taking the "
            "gradient wrt or through the initial value of a loop variable. Gradients can be computed through loop invariants "
            "or wrt the input parameters to the loop body."
        )
    )


__all__ = ["Loops", "check_not_inside", "is_loop_switch"]
