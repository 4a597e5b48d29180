"""Why a node was dead in a run: `deaths_of(run)` follows each dead value back to the Switch with the dead output. No state."""

from __future__ import annotations

from typing import TypeAlias

from ...engine.graph.nodes import Operation
from ...engine.op.definition import role_of
from ...engine.ops.control_flow import ENTERS, EXITS, NEXTS, SWITCHES
from ...engine.replay.recorder import Run, Step
from ..records import DeathRecord
from .control_flow_boxes import condition_of

_Turns: TypeAlias = dict[tuple[Operation, tuple[int, ...]], int]


def deaths_of(run: Run) -> dict[int, DeathRecord]:
    """For each dead step, by its place among the steps, the reason."""
    deaths: dict[int, DeathRecord] = {}
    turns: _Turns = {}
    last_exits: dict[tuple[Operation, tuple[int, ...]], int] = {}  # the last step of each Exit, by the iteration around its loop
    for place, step in enumerate(run.steps):
        if step.outcome == "dead":
            death = _death(step, run, turns, last_exits, deaths)
            if death is not None:
                deaths[place] = death
        turns[step.op, step.iteration] = place
        if step.op.type in EXITS:
            last_exits[step.op, step.iteration[:-1]] = place
    return deaths


def _death(
    step: Step, run: Run, turns: _Turns, last_exits: _Turns, deaths: dict[int, DeathRecord]
) -> DeathRecord | None:
    def turn_of(source: Operation) -> int | None:
        """The step of the source whose output this step consumed."""
        at = step.iteration
        if source.type in EXITS:
            return last_exits.get((source, at))
        if source.type in ENTERS:
            at = at[:-1]
        elif source.type in NEXTS and at[-1]:
            at = (*at[:-1], at[-1] - 1)
        return turns.get((source, at))

    for tensor in step.op.inputs:
        place = turn_of(tensor.op)
        if place is None:
            continue
        if place in deaths:
            return deaths[place]
        outputs = run.steps[place].outputs
        if tensor.op.type in SWITCHES and tensor.index < len(outputs) and outputs[tensor.index].dead:
            return _reason(tensor.op, tensor.index)
    for waited in step.op.control_inputs:
        place = turn_of(waited)
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


__all__ = ["deaths_of"]
