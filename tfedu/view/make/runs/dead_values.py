"""Why a node was dead in a run: `deaths_of(turns)` follows each dead value back to the Switch with the dead output. No state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

from ....engine.graph.nodes import Operation
from ....engine.op.definition import role_of
from ....engine.ops.control_flow import ENTERS, EXITS, NEXTS, SWITCHES
from ...records import DeathRecord
from ..control_flow_boxes import condition_of


class TakenTurn(Protocol):
    """A turn that a node took: a Step of a trace, or less."""

    @property
    def op(self) -> Operation: ...
    @property
    def outcome(self) -> str: ...
    @property
    def iteration(self) -> tuple[int, ...]: ...
    @property
    def dead_outputs(self) -> Sequence[bool]: ...


class Death(NamedTuple):
    """The reason why a node was dead in a turn, and the iteration in which the Switch with the dead output had its turn."""

    reason: DeathRecord
    iteration: tuple[int, ...]


_Turns: TypeAlias = dict[tuple[Operation, tuple[int, ...]], int]


def deaths_of(turns: Sequence[TakenTurn]) -> dict[int, Death]:
    """For each dead turn, by its place among the turns, the reason."""
    deaths: dict[int, Death] = {}
    places: _Turns = {}
    last_exits: dict[tuple[Operation, tuple[int, ...]], int] = {}  # the last turn of each Exit, by the iteration around its loop
    for place, turn in enumerate(turns):
        if turn.outcome == "dead":
            death = _death(turn, turns, places, last_exits, deaths)
            if death is not None:
                deaths[place] = death
        places[turn.op, turn.iteration] = place
        if turn.op.type in EXITS:
            last_exits[turn.op, turn.iteration[:-1]] = place
    return deaths


def _death(
    turn: TakenTurn, turns: Sequence[TakenTurn], places: _Turns, last_exits: _Turns, deaths: dict[int, Death]
) -> Death | None:
    def place_of(source: Operation) -> int | None:
        """The turn of the source whose output this turn consumed."""
        at = turn.iteration
        if source.type in EXITS:
            return last_exits.get((source, at))
        if source.type in ENTERS:
            at = at[:-1]
        elif source.type in NEXTS and at[-1]:
            at = (*at[:-1], at[-1] - 1)
        return places.get((source, at))

    for tensor in turn.op.inputs:
        place = place_of(tensor.op)
        if place is None:
            continue
        if place in deaths:
            return deaths[place]
        dead = turns[place].dead_outputs
        if tensor.op.type in SWITCHES and tensor.index < len(dead) and dead[tensor.index]:
            return Death(_reason(tensor.op, tensor.index), turns[place].iteration)
    for waited in turn.op.control_inputs:
        place = place_of(waited)
        if place is not None and place in deaths:
            return deaths[place]
    return None


def _reason(switch: Operation, side: int) -> DeathRecord:
    """Why one output of a Switch that ran is dead."""
    pred = condition_of(switch.inputs[1])
    if role_of(pred.op) != "loop_cond":
        params: dict[str, str | int] = {"pred": pred.name, "side": str(bool(side)), "value": str(not side)}
        return DeathRecord("branch", params, switch.id)
    return DeathRecord("ended" if side else "goes_on", {"cond": pred.op.name}, switch.id)


__all__ = ["Death", "TakenTurn", "deaths_of"]
