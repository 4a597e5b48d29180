"""The branches and loops around a node: `within(op)` lists their messages, the innermost first. No state."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from ...engine.graph.nodes import Operation, Tensor
from ...engine.lib.control.contexts import CondContext, WhileContext
from ...engine.lib.framework.static_value import static_value
from ...engine.ops.control_flow import ENTERS, EXITS, MERGES, NEXTS, SWITCHES
from ...view.make.control_flow_boxes import condition_of, loop_name
from ...view.records import NoticeRecord

_NOTHING: Final[Mapping[Tensor, Any]] = MappingProxyType({})


def within(op: Operation, known: Mapping[Tensor, Any] = _NOTHING) -> list[NoticeRecord]:
    """The message `why.<code>` for each branch and loop around the node, the innermost first.

    known: values in the run; with the condition among them, or a constant condition, the dead branch is known.
    """
    notices = []
    context: Any = op._context
    at = op
    while context is not None:
        if isinstance(context, CondContext):
            pred, value = condition_of(context.pred), _truth(context, known)
            side = str(bool(context.branch))
            code = "dead_branch" if is_dead(context, known) else "in_branch"
            notices.append(NoticeRecord(code, {"pred": pred.name, "side": side, "value": str(value)}))
        else:
            notices.append(NoticeRecord(_part(at, context), {"loop": loop_name(context.name)}))
            if context.pivot is not None:
                at = context.pivot.op  # stands for the loop in the loop around it
        context = context.outer
    return notices


def dead_sides(op: Operation, known: Mapping[Tensor, Any] = _NOTHING) -> dict[Tensor, bool]:
    """The conditions that make the node dead, each with the value that makes it live; none in a loop."""
    sides: dict[Tensor, bool] = {}
    context: Any = op._context
    while context is not None:
        if not isinstance(context, CondContext):
            return {}
        if is_dead(context, known):
            sides[condition_of(context.pred)] = bool(context.branch)
        context = context.outer
    return sides


def live_together(op: Operation, other: Operation) -> bool:
    """Whether two nodes of one context run in the same iterations and are dead together.

    In a loop these are the nodes of its body, except Merges and NextIterations.
    """
    context: Any = op._context
    if not isinstance(context, WhileContext):
        return True
    return all(_part(node, context) == "in_loop" and node.type not in (*MERGES, *NEXTS) for node in (op, other))


def may_die(op: Operation) -> bool:
    """Whether the node needs a Switch, with no Merge or Exit between them; by the edges alone."""
    queue, visited = [op], {op}
    for at in queue:
        for needed in (*(tensor.op for tensor in at.inputs), *at.control_inputs):
            if needed.type in SWITCHES:
                return True
            if needed not in visited and needed.type not in (*MERGES, *EXITS):
                visited.add(needed)
                queue.append(needed)
    return op.type in SWITCHES


def is_dead(branch: CondContext, known: Mapping[Tensor, Any] = _NOTHING) -> bool:
    """Whether the branch is known to be dead."""
    value = _truth(branch, known)
    return value is not None and value != bool(branch.branch)


def _truth(branch: CondContext, known: Mapping[Tensor, Any]) -> bool | None:
    """The value of a branch's condition; None if it is unknown before the run."""
    pred = condition_of(branch.pred)
    value = known[pred] if pred in known else static_value(pred)
    return None if value is None else bool(value)


def _part(op: Operation, loop: WhileContext) -> str:
    """The part of a loop that the node is in, as a code of `why.<code>`."""
    if op._context is loop and op.type in ENTERS:
        return "enters"
    if op._context is loop and op.type in EXITS:
        return "exits"
    return "in_condition" if loop.pivot is not None and op in _condition(loop) else "in_loop"


def _condition(loop: WhileContext) -> set[Operation]:
    """The LoopCond, its Switches, and the nodes that it needs in each iteration."""
    assert loop.pivot is not None
    loop_cond = loop.pivot.op
    nodes = {loop_cond, *loop_cond.outputs[0].consumers()}
    stack = [loop_cond]
    while stack:
        for tensor in stack.pop().inputs:
            needed = tensor.op
            if needed not in nodes and needed.type not in ENTERS and needed.type not in NEXTS:
                nodes.add(needed)
                stack.append(needed)
    return nodes


__all__ = ["dead_sides", "live_together", "may_die", "within"]
