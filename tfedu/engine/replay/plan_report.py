"""What a plan does with each node: `node_fates(plan)`, read off the plan's lines and names. For pictures.

It writes the plan's source once more, as the explanation of a failure does, so that a run pays nothing for it. No state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..graph.nodes import Operation, Tensor
from ..ops.state import VARIABLES
from ..runtime.plans.compile import Plan

# constant: bound to a name once. storage: the session's buffer. order: a node without outputs, whose order the lines have.
# same: its output is another node's value, under that value's name. never: on a branch that the plan knows is not taken.
# lines: lines of its own. over: likewise, and its result takes the name of an input with no later consumer. into: likewise, and
# its result goes into that input's array. loop: part of how a loop is written. known, needless: folded (constant_folding.py).
Kind = Literal[
    "constant", "storage", "order", "same", "never", "lines", "over", "into", "loop", "known", "needless"
]  # fmt: skip


@dataclass(frozen=True)
class Fate:
    """A node in a plan. lines: the numbers of its own lines, from 0. other: the tensor whose value, name or array it has."""

    kind: Kind
    lines: tuple[int, ...]
    other: Tensor | None = None


def node_fates(plan: Plan) -> dict[Operation, Fate]:
    """What the plan does with each node of its schedule, in the schedule's order."""
    writer = plan.writer()
    writer.write()
    lines: dict[Operation, list[int]] = {}
    for number, op in enumerate(plan.line_of):
        if op is not None:
            lines.setdefault(op, []).append(number)
    text = plan.source.split("\n")
    return {
        op: _fate(op, plan, writer.symbol, [(n, text[n]) for n in lines.get(op, ())]) for op in plan.schedule.order
    }


def _fate(op: Operation, plan: Plan, symbol: dict[Tensor, str], lines: list[tuple[int, str]]) -> Fate:
    own_lines = tuple([number for number, _ in lines])
    outputs = [tensor for tensor in op.outputs if tensor not in plan.feeds]
    names = {symbol[tensor]: tensor for tensor in reversed(op.inputs) if symbol.get(tensor, "None") != "None"}
    other = next((names[symbol[tensor]] for tensor in outputs if symbol.get(tensor) in names), None)
    if op.definition.role == "constant":
        return Fate("constant", own_lines)
    if outputs and all(tensor in plan.folded.values for tensor in outputs):
        return Fate("known", own_lines)
    if op in plan.folded.needless:
        return Fate("needless", own_lines)
    if own_lines:
        if any(line.endswith(f", out={symbol.get(tensor)})") for _, line in lines for tensor in outputs):
            return Fate("into", own_lines, other)
        if other is None:
            return Fate("lines", own_lines)
        texts = [line.lstrip() for _, line in lines]
        if all(text.startswith("load(") or (text.startswith("if ") and " raise uninit(" in text) for text in texts):
            return Fate("same", own_lines, other)  # its lines check whether the variable has a value
        takes_name = any(text.startswith(f"{symbol[outputs[0]]} = ") for text in texts)
        return Fate("over" if takes_name else "lines", own_lines, other if takes_name else None)
    if other is not None:
        return Fate("same", own_lines, other)
    if not outputs:
        return Fate("order", own_lines)
    if any(symbol.get(tensor) == "None" for tensor in outputs):
        return Fate("never", own_lines)
    if op.type in VARIABLES:
        return Fate("storage", own_lines)
    return Fate("loop", own_lines)


__all__ = ["Kind", "Fate", "node_fates"]
