"""The loops of a graph: `loops_of(operations)` has for each loop its variables, named as the program names them. No state."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...engine.graph.nodes import Operation, Tensor
from ...engine.lib.control.contexts import WhileContext
from ...engine.ops.control_flow import ENTERS, EXITS, MERGES, NEXTS, SWITCHES
from ..records import LoopRecord, LoopVariableRecord


def loops_of(operations: Sequence[Operation]) -> tuple[LoopRecord, ...]:
    """The loops whose Enters and Merges are among the operations, in the order of their first variables."""
    chosen = set(operations)
    loops: dict[str, list[LoopVariableRecord]] = {}
    for op in operations:
        if op.type not in MERGES or len(op.inputs) != 2:
            continue
        enter, following = (tensor.op for tensor in op.inputs)
        if enter.type in ENTERS and following.type in NEXTS and enter in chosen:
            loops.setdefault(str(enter.attrs.get("frame_name", "")), []).append(_variable(op, enter, following, chosen))
    return tuple([LoopRecord(frame, tuple(variables)) for frame, variables in loops.items()])


def _variable(
    merge: Operation, enter: Operation, following: Operation, chosen: Collection[Operation]
) -> LoopVariableRecord:
    """The loop variable that a Merge holds; an imported graph may lack its Switch and Exit."""
    switch = _consumer(merge.outputs[0], SWITCHES)
    leaving = _consumer(switch.outputs[0], EXITS) if switch else None
    ids = [op.id if op and op in chosen else None for op in (switch, following, leaving)]
    return LoopVariableRecord(_name(enter, merge), enter.id, merge.id, *ids)


def _consumer(tensor: Tensor, types: Collection[str]) -> Operation | None:
    return next((op for op in tensor.consumers() if op.type in types and op.inputs[0] is tensor), None)


def _name(enter: Operation, merge: Operation) -> str:
    """The program's name of the variable; else that of its Enter, or of the node that gives its first value."""
    context = enter._context
    if isinstance(context, WhileContext):
        for tensor, name in zip(context.loop_enters, context.variable_names):
            if tensor.op is enter and name:
                return name
        # In the loop of a gradient: the gradient of a variable of the forward loop.
        for switch, gradient in getattr(context.grad_state, "merges", {}).items():
            if isinstance(gradient, Tensor) and gradient.op is merge:
                forward = switch.inputs[0].op
                return f"grad_{_name(forward.inputs[0].op, forward)}"
    own, first = (op.name.rpartition("/")[2] for op in (enter, enter.inputs[0].op))
    return first if own.startswith("Enter") else own


__all__ = ["loops_of"]
