"""What became of each node in a plan: `written(plan)`, told from the plan's own lines and names. For who wants to look.

The plan is written once more, as for the explanation of a failure; a run pays nothing for it. No state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..graph.nodes import Operation, Tensor
from ..ops.state import VARIABLES
from ..runtime.compile import Plan

# constant: bound to a name once; storage: the session's buffer; order: only an order, which the lines have; same: its output
# is another node's value under that one's name; never: on a branch that surely is not taken; lines: lines of its own;
# over: likewise, and its result has the name of an input that ends here; into: and is put into that input's array;
# loop: part of how a loop is written; known, needless: as constant_folding.py says
Kind = Literal[
    "constant", "storage", "order", "same", "never", "lines", "over", "into", "loop", "known", "needless"
]  # fmt: skip


@dataclass(frozen=True)
class Written:
    """A node in a plan. lines: which are its own, counted from 0. other: whose value, name or array it has."""

    kind: Kind
    lines: tuple[int, ...]
    other: Tensor | None = None


def written(plan: Plan) -> dict[Operation, Written]:
    """What each node of the plan's schedule has become, in the schedule's order."""
    writer = plan.writer()
    writer.write()
    lines: dict[Operation, list[int]] = {}
    for number, op in enumerate(plan.line_of):
        if op is not None:
            lines.setdefault(op, []).append(number)
    text = plan.source.split("\n")
    return {
        op: _written(op, plan, writer.symbol, [(n, text[n]) for n in lines.get(op, ())]) for op in plan.schedule.order
    }


def _written(op: Operation, plan: Plan, symbol: dict[Tensor, str], lines: list[tuple[int, str]]) -> Written:
    own = tuple([number for number, _ in lines])
    outputs = [tensor for tensor in op.outputs if tensor not in plan.feeds]
    names = {symbol[tensor]: tensor for tensor in reversed(op.inputs) if symbol.get(tensor, "None") != "None"}
    other = next((names[symbol[tensor]] for tensor in outputs if symbol.get(tensor) in names), None)
    if op.definition.role == "constant":
        return Written("constant", own)
    if outputs and all(tensor in plan.folded.values for tensor in outputs):
        return Written("known", own)
    if op in plan.folded.needless:
        return Written("needless", own)
    if own:
        if any(line.endswith(f", out={symbol.get(tensor)})") for _, line in lines for tensor in outputs):
            return Written("into", own, other)
        if other is None:
            return Written("lines", own)
        texts = [line.lstrip() for _, line in lines]
        if all(text.startswith("load(") or (text.startswith("if ") and " raise uninit(" in text) for text in texts):
            return Written("same", own, other)  # its lines look whether the variable has a value
        takes = any(text.startswith(f"{symbol[outputs[0]]} = ") for text in texts)
        return Written("over" if takes else "lines", own, other if takes else None)
    if other is not None:
        return Written("same", own, other)
    if not outputs:
        return Written("order", own)
    if any(symbol.get(tensor) == "None" for tensor in outputs):
        return Written("never", own)
    if op.type in VARIABLES:
        return Written("storage", own)
    return Written("loop", own)


__all__ = ["Kind", "Written", "written"]
