"""A call of `gradients` told turn by turn: `film(ys, xs)` makes the nodes and says what each of them was made for.

A turn is one node of the way back: what arrived at its outputs, what was added up, which nodes its rule made, what each input
got. `why_none` says of an x without a gradient where the way broke off. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..graph.atomic import atomic
from ..graph.nodes import Operation, Tensor
from .registry import reason_of
from .sweep import Gradient, Sweep, is_trainable, swept

TurnKind = Literal["start", "rule", "reached", "stopped", "constant", "nothing"]
NoneKind = Literal["unrelated", "integer", "stopped", "constant", "none"]


@dataclass
class Turn:
    """One node's turn; at the start the ys (`op` is None) get what their gradients begin with.

    kind: "rule": its rule was asked; "reached": it is an x, and nothing asked for lies above it; "stopped": it is in
    stop_gradients; "constant": its op type passes no gradient on, for `reason`; "nothing": no gradient came.
    arrived, given: for each output the contributions, and their sum. sent: for each input the gradient, or None.
    sums, made: the nodes that add up, and those of the rule. pending: for how many ways nodes still wait, where that changed.
    """

    kind: TurnKind
    op: Operation | None
    arrived: list[list[Gradient]] = field(default_factory=list)
    given: list[Gradient | None] = field(default_factory=list)
    sums: list[Operation] = field(default_factory=list)
    made: list[Operation] = field(default_factory=list)
    sent: list[tuple[Tensor, Gradient | None]] = field(default_factory=list)
    reason: str = ""
    pending: dict[Operation, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Broken:
    """Why there is no gradient: the way back ends at `op`, for a reason that its op type declares."""

    kind: NoneKind
    op: Operation | None = None
    reason: str = ""


class Film(Sweep):
    """A sweep that notes each turn; `left` counts for each node the ways that it still waits for.

    What is made between two turns (the counters of a loop, zeros for its Exits) counts to the one before. seen: so many
    nodes of the graph count to a turn, or were there before.
    """

    # What is made in one stroke cannot be told turn by turn.
    in_strokes = False

    turns: list[Turn]
    seen: int
    stops: frozenset[Operation]
    left: dict[Operation, int]

    def run(
        self, ys: Sequence[Any], xs: Sequence[Any], stops: Iterable[Operation], seeds: Sequence[Any]
    ) -> None:
        self.turns, self.left = [], {}
        self.stops = frozenset(stops)
        self.ys, self.xs = list(ys), list(xs)
        super().run(ys, xs, self.stops, seeds)

    def _starts(self, ys: Sequence[Any], seeds: Sequence[Any]) -> list[Any]:
        nodes = self.graph.operations
        before = len(nodes)
        starts = super()._starts(ys, seeds)
        sent = [(y if isinstance(y, Tensor) else y.values, start) for y, start in zip(ys, starts)]
        self.turns.append(Turn("start", None, made=nodes[before:], sent=sent))
        self.seen = len(nodes)
        return starts

    def _visit(self, op: Operation, ends: set[Operation]) -> None:
        if len(self.turns) == 1:  # by now they are counted
            self.left = dict(self.pending)
            self.turns[0].pending = dict(self.pending)
        nodes = self.graph.operations
        self.turns[-1].made += nodes[self.seen :]
        # The Switch of a loop variable has a second turn: what it got in the first is summed by now.
        arrived = [
            list(parts) if isinstance(parts, list) else [] if parts is None else [parts]
            for parts in map(self.arrived.get, op.outputs)
        ]
        turn = Turn("nothing", op, arrived=arrived)
        self.turns.append(turn)
        before = len(nodes)
        super()._visit(op, ends)
        turn.made = nodes[before + len(turn.sums) :]
        self.seen = len(nodes)
        for above in [t.op for t in op.inputs if t.op in self.left]:
            self.left[above] = max(0, self.left[above] - 1)
            turn.pending[above] = self.left[above]
        if op in self.stops:
            turn.kind = "stopped"
        elif op in ends:
            turn.kind = "reached"
        elif turn.kind == "nothing" and any(g is not None for g in turn.given):
            turn.kind, turn.reason = "constant", reason_of(op) or ""

    def _summed(self, op: Operation) -> list[Any]:
        nodes = self.graph.operations
        before = len(nodes)
        given = super()._summed(op)
        turn = self.turns[-1]
        turn.sums, turn.given = nodes[before:], list(given)
        return given

    def _pass_on(self, op: Operation, found: Sequence[Any]) -> None:
        self.turns[-1].kind = "rule"
        self.turns[-1].sent = list(zip(op.inputs, found))
        super()._pass_on(op, found)

    def why_none(self, x: Tensor) -> Broken:
        """Where the way from the ys back to an x without a gradient breaks off."""
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
def film(ys: Any, xs: Any, **options: Any) -> tuple[Film, list[Any]]:
    """The turns of `gradients(ys, xs, **options)`, whose nodes are in the graph then, and what it gives.

    Raises: as gradients.
    """
    return swept(Film, ys, xs, **options)


def _above(ops: Iterable[Operation]) -> set[Operation]:
    """The nodes, and all that they are computed from."""
    found: set[Operation] = set()
    todo = list(ops)
    while todo:
        op = todo.pop()
        if op not in found:
            found.add(op)
            todo.extend(t.op for t in op.inputs)
    return found


__all__ = ["Broken", "Film", "NoneKind", "Turn", "TurnKind", "film"]
