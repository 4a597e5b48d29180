"""In which branches and loops a node lies: `within(op)` gives the messages, the innermost first. No state."""

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

    known: values in the run, fed or seen; where a condition is among them or constant, it is known which branch is dead.
    """
    said = []
    context: Any = op._context
    at = op
    while context is not None:
        if isinstance(context, CondContext):
            pred, value = condition_of(context.pred), _truth(context, known)
            side = str(bool(context.branch))
            code = "dead_branch" if is_dead(context, known) else "in_branch"
            said.append(NoticeRecord(code, {"pred": pred.name, "side": side, "value": str(value)}))
        else:
            said.append(NoticeRecord(_part(at, context), {"loop": loop_name(context.name)}))
            if context.pivot is not None:
                at = context.pivot.op  # what the loop as a whole is for the loop around it
        context = context.outer
    return said


def dead_sides(op: Operation, known: Mapping[Tensor, Any] = _NOTHING) -> dict[Tensor, bool]:
    """The conditions that make the node dead, each with the value with which it would not; none in a loop."""
    found: dict[Tensor, bool] = {}
    context: Any = op._context
    while context is not None:
        if not isinstance(context, CondContext):
            return {}
        if is_dead(context, known):
            found[condition_of(context.pred)] = bool(context.branch)
        context = context.outer
    return found


def live_together(op: Operation, other: Operation) -> bool:
    """Whether two nodes of one context have their turns in the same iterations and die together.

    In a loop these are the nodes of its body, without those that begin an iteration and give on to the next.
    """
    context: Any = op._context
    if not isinstance(context, WhileContext):
        return True
    return all(_part(node, context) == "in_loop" and node.type not in (*MERGES, *NEXTS) for node in (op, other))


def may_die(op: Operation) -> bool:
    """Whether a Switch lies above the node and nothing between them comes to life again, by the edges alone."""
    row, seen = [op], {op}
    for at in row:
        for needed in (*(tensor.op for tensor in at.inputs), *at.control_inputs):
            if needed.type in SWITCHES:
                return True
            if needed not in seen and needed.type not in (*MERGES, *EXITS):
                seen.add(needed)
                row.append(needed)
    return op.type in SWITCHES


def is_dead(branch: CondContext, known: Mapping[Tensor, Any] = _NOTHING) -> bool:
    """Whether it is known that the branch is not taken."""
    value = _truth(branch, known)
    return value is not None and value != bool(branch.branch)


def _truth(branch: CondContext, known: Mapping[Tensor, Any]) -> bool | None:
    """What the condition of a branch is in the run; None where only the run tells."""
    pred = condition_of(branch.pred)
    value = known[pred] if pred in known else static_value(pred)
    return None if value is None else bool(value)


def _part(op: Operation, loop: WhileContext) -> str:
    """What part a node of the loop has in it."""
    if op._context is loop and op.type in ENTERS:
        return "enters"
    if op._context is loop and op.type in EXITS:
        return "exits"
    return "in_condition" if loop.pivot is not None and op in _condition(loop) else "in_loop"


def _condition(loop: WhileContext) -> set[Operation]:
    """The nodes that the LoopCond needs in each iteration, and those that it rules."""
    assert loop.pivot is not None
    last = loop.pivot.op
    found = {last, *last.outputs[0].consumers()}
    row = [last]
    while row:
        for tensor in row.pop().inputs:
            above = tensor.op
            if above not in found and above.type not in ENTERS and above.type != "NextIteration":
                found.add(above)
                row.append(above)
    return found


__all__ = ["dead_sides", "live_together", "may_die", "within"]
