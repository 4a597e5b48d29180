"""The loops that one call of `gradients` goes back through.

Each loop has a `WayBack` (way_back.py). Its Exits are processed together, once all of them have their gradients; the Switch of a
loop variable is processed twice, with the gradient that comes from the Exit and with the one that comes from the body.
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
from ..lib.control.contexts import EXITS, CondContext, WhileContext
from ..lib.control.primitives import next_iteration, switched
from ..op.constant import constant
from ..ops import array as array_ops
from .backward_loop import WayBack, outside_of
from .zeros import is_trainable, zeros_for, zeros_of

_NOTHING: Final = nullcontext()  # a block that changes nothing
SWITCHES: Final = ("Switch", "RefSwitch")


def is_loop_switch(op: Operation) -> bool:
    """Whether it is the Switch of a loop variable, not one that a cond in the loop made."""
    if op.type not in SWITCHES or not isinstance(op._context, WhileContext):
        return False
    for tensor in op.outputs:
        for taker in tensor.consumers():
            context = taker._context
            if taker.type in ("Enter", "RefEnter") and context is not None:
                context = context.outer
            if not isinstance(context, CondContext):
                return True
    return False


class Loops:
    """`ways`: what goes back through each loop."""

    def __init__(self) -> None:
        self.ways: dict[WhileContext, WayBack] = {}

    def of(self, op: Operation, outside: bool = False) -> WayBack | None:
        """What goes back through the loop that the node is of. outside: an Exit counts to where its output is."""
        context = op._context
        if context is not None and outside and op.type in EXITS:
            context = context.outer
        loop = None if context is None else context.loop
        return None if loop is None else self.ways.get(loop)

    def inside(self, op: Operation, outside: bool = False) -> AbstractContextManager[Any]:
        """In the block nodes are made in the loop that goes back through the node's one."""
        way = self.of(op, outside) if self.ways else None
        return _NOTHING if way is None else way.grad_context

    def add(self, op: Operation) -> list[Tensor]:
        """Makes the way back through the loop of an Exit; returns the loop's Exits, all of which lie on it.

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
        if loop in self.ways:
            return []
        around = None if loop.outer is None else loop.outer.loop
        way = self.ways[loop] = WayBack(loop, None if around is None else self.ways.get(around))
        return way.exits

    # -- Exits -----------------------------------------------------------------------------------------------------------

    def begin(self, pending: dict[Operation, int], targets: set[Operation]) -> list[Tensor]:
        """The Exits that are processed at once, with zeros: no gradient will arrive, and all others of their loops are ys.

        The Enter of a loop variable that starts with a constant gets a pending count: it has a gradient, too.
        """
        unused: list[Tensor] = []
        for way in self.ways.values():
            for tensor in way.exits:
                if not pending.get(tensor.op):
                    way.missing -= 1
                    if tensor.op not in targets:
                        way.unused.append(tensor)
                    if not way.missing:
                        unused += way.unused
        for way in self.ways.values():
            for entered in way.forward_context.loop_enters:
                pending[entered.op] = pending.get(entered.op) or 1
        return [tensor for tensor in unused if is_trainable(tensor.dtype)]

    def arrived(self, tensor: Tensor, with_gradient: Container[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
        """An Exit got all its gradients: the Exits to process now, and those of them that get zeros."""
        way = self.of(tensor.op)
        assert way is not None
        way.held_back.append(tensor)
        way.missing -= 1
        if way.missing:
            return [], []
        ready = [t for t in way.held_back if t in with_gradient]
        way.unused += [t for t in way.held_back if t not in ready]
        return ready + way.unused, [t for t in way.unused if is_trainable(t.dtype)] if ready else []

    def zeros_at_exit(self, tensor: Tensor) -> Tensor:
        """The gradient of an Exit that no y depends on."""
        forward = tensor.op._context
        assert forward is not None
        around = None if forward.outer is None else forward.outer.loop
        way = None if around is None else self.ways.get(around)
        known = tensor.shape.is_fully_defined()
        if way is None:
            if known:
                return array.zeros(tensor.shape, tensor.dtype)
            zeros: Tensor = array.zeros_like(tensor, optimize=False)
            return zeros
        if known:
            with way.grad_context:
                return array.zeros(tensor.shape, tensor.dtype)
        with forward.outer:
            sizes = array_ops.shape(tensor, out_type=dtypes.int32)
        history = way.pushed(sizes)
        with way.grad_context:
            return array.zeros(way.popped(history, sizes), tensor.dtype)

    # -- zeros -----------------------------------------------------------------------------------------------------------

    def zeros_for(self, op: Operation, index: int) -> Tensor | None:
        """Zeros for an output that got no gradient, made in the loop that goes back. None for a loop variable's Switch.

        Differs from TF: a handle has zeros like its variable, as in TF 2; 1.15 asks for a constant of type resource.
        """
        if is_loop_switch(op):
            return None
        way = self.of(op)
        if way is None:
            return zeros_for(op, index)
        tensor, context = op.outputs[index], op._context
        branch = context if op.type in SWITCHES and isinstance(context, CondContext) else None
        if tensor.shape.is_fully_defined():
            is_handle = tensor.dtype.base_dtype is dtypes.resource
            zeros = zeros_of(tensor) if is_handle else constant(0, shape=tensor.shape, dtype=tensor.dtype.base_dtype)
            # For the branch that was not taken they are alive when the other one was.
            return zeros if branch is None else switched(zeros, way.history[branch.pred])[1 - branch.branch]
        # Their sizes are known in the loop only.
        if branch is None:
            with context:
                sizes = array_ops.shape(tensor, out_type=dtypes.int32)
        else:
            with branch.outer:
                other = switched(op.inputs[0], branch.pred)[1 - branch.branch]
                sizes = array_ops.shape(other, out_type=dtypes.int32)
            other.op._context = sizes.op._context = branch
        with outside_of(way.grad_context):
            history = way.pushed(sizes, dead=branch is not None)
        return array.zeros(way.popped(history, sizes, dead=branch is not None), tensor.dtype.base_dtype)

    # -- end -------------------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Gives zeros to each loop variable whose next value does not depend on the one before.

        Differs from TF: they are of the variable's dtype; where its shape is open, TF's are float32 and fail for others.
        """
        for way in self.ways.values():
            for merged in way.merges.values():
                op = merged.op
                if op.inputs[0] is not op.inputs[1]:
                    continue
                entered, context = op.inputs[0], way.grad_context
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


__all__ = ["SWITCHES", "Loops", "check_not_inside", "is_loop_switch"]
