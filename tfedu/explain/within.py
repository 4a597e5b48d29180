"""In which branches and loops a node lies, in words: `within(op, lang)`. No state."""

from __future__ import annotations

from typing import Any

from ..engine.graph.nodes import Operation
from ..engine.lib.contexts import ENTERS, EXITS, CondContext, WhileContext
from ..view.messages import message


def within(op: Operation, lang: str | None = None) -> list[str]:
    """A sentence for each branch and loop around the node, the innermost first."""
    said = []
    context: Any = op._context
    at = op
    while context is not None:
        if isinstance(context, CondContext):
            pred = context.pred.op.inputs[0] if context.pred.op.inputs else context.pred
            said.append(message("why.in_branch", lang, pred=pred.name, side=str(bool(context.branch))))
        else:
            said.append(message(f"why.{_part(at, context)}", lang, loop=context.name.rpartition("/")[0] or context.name))
            if context.pivot is not None:
                at = context.pivot.op  # what the loop as a whole is for the loop around it
        context = context.outer
    return said


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
