"""In which branches and loops a node lies, in words: `within(op, lang)`. No state."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from ..engine.graph.nodes import Operation, Tensor
from ..engine.lib.contexts import ENTERS, EXITS, CondContext, WhileContext
from ..engine.lib.static import static_value
from ..view.messages import message
from ..view.regions import condition_of, loop_name

_NOTHING: Final[Mapping[Tensor, Any]] = MappingProxyType({})


def within(op: Operation, lang: str | None = None, feeds: Mapping[Tensor, Any] = _NOTHING) -> list[str]:
    """A sentence for each branch and loop around the node, the innermost first.

    feeds: of the run; where a condition is fed or constant, it is known which branch is dead.
    """
    said = []
    context: Any = op._context
    at = op
    while context is not None:
        if isinstance(context, CondContext):
            pred = condition_of(context.pred)
            side = str(bool(context.branch))
            value = _truth(pred, feeds)
            is_dead = value is not None and value != bool(context.branch)
            code = "why.dead_branch" if is_dead else "why.in_branch"
            said.append(message(code, lang, pred=pred.name, side=side, value=str(value)))
        else:
            said.append(message(f"why.{_part(at, context)}", lang, loop=loop_name(context.name)))
            if context.pivot is not None:
                at = context.pivot.op  # what the loop as a whole is for the loop around it
        context = context.outer
    return said


def _truth(pred: Tensor, feeds: Mapping[Tensor, Any]) -> bool | None:
    """What a condition is in the run; None where only the run tells."""
    value = feeds[pred] if pred in feeds else static_value(pred)
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


__all__ = ["within"]
