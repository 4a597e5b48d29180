"""A call of `gradients` recorded turn by turn: `recorded_gradients(ys, xs)` also says what each new node is for.

A turn is the processing of one node: the gradients that arrived at its outputs, their sums, the nodes that its rule made, and
the gradient that each input got. `why_none` says at which node an x was left without a gradient. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..graph.atomic import atomic
from ..graph.nodes import Operation, Tensor
from .arguments import Options, values_of
from .backward_loop import Gradient
from .registry import reason_of
from .sweep import Sweep, swept
from .zeros import is_trainable

TurnKind = Literal["start", "rule", "reached", "stopped", "constant", "nothing"]
NoneKind = Literal["unrelated", "integer", "stopped", "constant", "none"]


@dataclass
class Turn:
    """One node's turn; in the first turn the ys (`op` is None) get the gradients that they start with.

    kind: "rule": its rule was applied; "reached": it is an x, and no other x lies above it; "stopped": it is in
    stop_gradients; "constant": its op type passes no gradient on, for `reason`; "nothing": no gradient arrived.
    arrived, totals: for each output the contributions, and their sum. sent: for each input the gradient, or None.
    sums, created: the nodes that add up, and those of the rule. pending: the new pending counts of the nodes whose count changed.
    """

    kind: TurnKind
    op: Operation | None
    arrived: list[list[Gradient]] = field(default_factory=list)
    totals: list[Gradient | None] = field(default_factory=list)
    sums: list[Operation] = field(default_factory=list)
    created: list[Operation] = field(default_factory=list)
    sent: list[tuple[Tensor, Gradient | None]] = field(default_factory=list)
    reason: str = ""
    pending: dict[Operation, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Broken:
    """Why there is no gradient: the sweep ends at `op`, for a reason that its op type declares."""

    kind: NoneKind
    op: Operation | None = None
    reason: str = ""


class SweepRecorder(Sweep):
    """A sweep that notes each turn; `left` counts for each node the gradients that it still waits for.

    Nodes made between two turns (the counters of a loop, zeros for its Exits) belong to the turn before. assigned: how many of
    the graph's nodes belong to a turn or are older than the sweep.
    """

    turns: list[Turn]
    assigned: int
    stops: frozenset[Operation]
    left: dict[Operation, int]

    def run(self, ys: Sequence[Any], xs: Sequence[Any], stops: set[Operation], grad_ys: Sequence[Any]) -> None:
        self.turns, self.left = [], {}
        self.stops = frozenset(stops)
        self.ys, self.xs = list(ys), list(xs)
        super().run(ys, xs, stops, grad_ys)

    def initial_gradients(self, ys: Sequence[Any], grad_ys: Sequence[Any]) -> list[Gradient]:
        nodes = self.graph.operations
        before = len(nodes)
        starts = super().initial_gradients(ys, grad_ys)
        sent: list[tuple[Tensor, Gradient | None]] = [(values_of(y), start) for y, start in zip(ys, starts)]
        self.turns.append(Turn("start", None, created=nodes[before:], sent=sent))
        self.assigned = len(nodes)
        return starts

    def process(self, op: Operation) -> None:
        if len(self.turns) == 1:  # the first turn: pending is counted by now
            self.left = dict(self.pending)
            self.turns[0].pending = dict(self.pending)
        nodes = self.graph.operations
        self.turns[-1].created += nodes[self.assigned :]
        turn = Turn("nothing", op, arrived=[self._arrived(tensor) for tensor in op.outputs])
        self.turns.append(turn)
        before = len(nodes)
        super().process(op)
        turn.created = nodes[before + len(turn.sums) :]
        self.assigned = len(nodes)
        for source in [t.op for t in op.inputs if t.op in self.left]:
            self.left[source] = max(0, self.left[source] - 1)
            turn.pending[source] = self.left[source]
        if op in self.stops:
            turn.kind = "stopped"
        elif op in self.ends:
            turn.kind = "reached"
        elif turn.kind == "nothing" and any(g is not None for g in turn.totals):
            turn.kind, turn.reason = "constant", reason_of(op) or ""

    def _arrived(self, tensor: Tensor) -> list[Gradient]:
        """The contributions to a tensor; in the second turn of a loop variable's Switch the total of the first counts as one."""
        if tensor in self.contributions:
            return list(self.contributions[tensor])
        return [self.totals[tensor]] if tensor in self.totals else []

    def total(self, op: Operation) -> list[Gradient | None]:
        nodes = self.graph.operations
        before = len(nodes)
        totals = super().total(op)
        turn = self.turns[-1]
        turn.sums, turn.totals = nodes[before:], list(totals)
        return totals

    def send(self, op: Operation, gradients: Sequence[Gradient | None]) -> None:
        self.turns[-1].kind = "rule"
        self.turns[-1].sent = list(zip(op.inputs, gradients))
        super().send(op, gradients)

    def why_none(self, x: Tensor) -> Broken:
        """The node at which the way from the ys back to an x without a gradient ends."""
        turns = {turn.op: turn for turn in self.turns if turn.op is not None}
        above = _above([y.op for y in self.ys])
        if x.op not in above:
            return Broken("unrelated")
        seen = {x.op}
        todo = [x.op]
        while todo:
            for op in dict.fromkeys(consumer for t in todo.pop(0).outputs for consumer in t.consumers()):
                if op in seen or op not in above:
                    continue
                seen.add(op)
                turn = turns.get(op)
                if turn is not None and turn.kind in ("stopped", "constant", "rule"):
                    return Broken("none" if turn.kind == "rule" else turn.kind, op, turn.reason)
                if turn is None and not any(is_trainable(t.dtype) for t in op.outputs):
                    return Broken("integer", op)
                todo.append(op)
        return Broken("unrelated")


@atomic
def recorded_gradients(
    ys: Any, xs: Any, grad_ys: Any = None, name: str = "gradients", stop_gradients: Any = None, **options: Any
) -> tuple[SweepRecorder, list[Any]]:
    """The turns of `gradients(ys, xs, …)`, whose nodes are in the graph then, and what it returns. options: as `Options`.

    Raises: as gradients.
    """
    return swept(SweepRecorder, ys, xs, grad_ys, name, stop_gradients, Options(**options))


def _above(ops: Iterable[Operation]) -> set[Operation]:
    """The nodes and all their ancestors."""
    ancestors: set[Operation] = set()
    todo = list(ops)
    while todo:
        op = todo.pop()
        if op not in ancestors:
            ancestors.add(op)
            todo.extend(t.op for t in op.inputs)
    return ancestors


__all__ = ["Broken", "SweepRecorder", "NoneKind", "Turn", "TurnKind", "recorded_gradients"]
