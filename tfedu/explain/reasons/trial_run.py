"""What a run comes to: `Seen(fetches, feed_dict, session)` runs once on a copy of a session's values, and tells what stopped it.

`stopped.variables` are those without a value at which a node failed, `seen.initializers(op)` what must run first so that a
node gets its turn. State: `Seen`, the trace of the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...engine.base import errors
from ...engine.graph.nodes import Operation, Tensor
from ...engine.replay.accesses import Place, accesses, variable_of
from ...engine.replay.explore import quiet
from ...engine.replay.recorder import Trace
from ...engine.replay.trace import VARIABLE_COLLECTIONS, record, scratch_session
from ...engine.runtime.session import Session
from ...view.make.dead_values import deaths_of
from ...view.records import DeathRecord


@dataclass(frozen=True)
class RunFailure:
    """The node that ended a run by its failure, and the variables without a value that it came upon."""

    by: Operation
    error: str
    places: tuple[Place, ...]

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple([place[-1] for place in self.places])


class TrialRun:
    """One run from what a session holds; the session stays as it is."""

    def __init__(self, fetches: Any, feed_dict: Any, session: Session) -> None:
        self.fetches, self.feed_dict, self.session = fetches, feed_dict, session

    @cached_property
    def trace(self) -> Trace:
        with quiet(self.session.graph.operations):
            return record(self.fetches, self.feed_dict, session=self.session)

    @cached_property
    def values(self) -> Mapping[Tensor, Any]:
        """What each tensor was; what was dead or never made is not there, and nothing that several iterations made."""
        made: dict[Tensor, list[Any]] = {}
        for step in self.trace.runs[0].steps:
            for tensor, output in zip(step.op.outputs, step.outputs):
                if not output.dead:
                    made.setdefault(tensor, []).append(output.value)
        return {**{tensor: values[0] for tensor, values in made.items() if len(values) == 1}, **self.trace.fed}

    def death(self, op: Operation) -> DeathRecord | None:
        """Why the node was dead in each of its turns; None where it was not, or where that is not known."""
        run = self.trace.runs[0]
        turns = [place for place, step in enumerate(run.steps) if step.op is op]
        if any(run.steps[place].outcome != "dead" for place in turns):
            return None
        deaths = deaths_of(run)
        return next((deaths[place] for place in turns if place in deaths), None)

    def computed(self, op: Operation) -> bool:
        """Whether the node came to compute in some turn."""
        return any(step.op is op and step.outcome not in ("dead", "error") for step in self.trace.runs[0].steps)

    def is_in_loop(self, op: Operation) -> bool:
        """Whether a loop lies around the node, in an imported graph too."""
        frames = self.trace.schedule.frames
        return frames is not None and frames.given_to(op) is not frames.root

    @cached_property
    def stopped(self) -> RunFailure | None:
        """What ended the run; None where it came to its end."""
        run = self.trace.runs[0]
        failed = [step.op for step in run.steps if step.outcome == "error"]
        if run.error is None or not failed:
            return None
        (op,) = failed
        return RunFailure(op, str(run.error.message).splitlines()[0], self._unset(op, run.error))

    def _unset(self, op: Operation, error: errors.OpError) -> tuple[Place, ...]:
        if not isinstance(error, errors.FailedPreconditionError):
            return ()
        buffers = self.session.store.buffers

        def is_unset(place: Place) -> bool:
            buffer = buffers.get((place[1], place[2])) if place[0] == "variable" else None
            return buffer is None or buffer.value is None

        its = accesses(self.trace.schedule.placed.pruned, is_unset).get(op)
        touched = sorted(its.reads | its.writes) if its is not None else []
        return tuple([place for place in touched if place[0] == "variable" and is_unset(place)])

    def had_its_turn(self, op: Operation) -> bool:
        return any(step.op is op and step.outcome != "error" for step in self.trace.runs[0].steps)

    def initializers(self, op: Operation) -> tuple[Operation, ...]:
        """The initializers that must run first so that the node has its turn, in their order; none where that does not help."""
        scratch = scratch_session(self.session.graph, None, self.session)
        scratch.interpreted = True
        found: list[Operation] = []
        goals: list[TrialRun] = [TrialRun(self.fetches, self.feed_dict, scratch)]
        names = _initializers(scratch)
        while True:
            goal = TrialRun(goals[-1].fetches, goals[-1].feed_dict, scratch)
            stopped = goal.stopped
            if len(goals) == 1 and (stopped is None or goal.had_its_turn(op)):
                return tuple(found)
            if stopped is None:
                scratch.run(goals.pop().fetches)
                found.append(goal.fetches)
                continue
            missing = [names[place] for place in stopped.places if place in names]
            if not missing or any(missing[0] is open.fetches for open in goals) or missing[0] in found:
                return ()
            goals.append(TrialRun(missing[0], None, scratch))


def _initializers(session: Session) -> dict[Place, Operation]:
    """The initializers of a graph's variables, by what they fill."""
    found: dict[Place, Operation] = {}
    for name in VARIABLE_COLLECTIONS:
        for variable in session.graph.get_collection(name):
            made = [t.op for t in (getattr(variable, "handle", None), getattr(variable, "_variable", None)) if t is not None]
            place = next((place for op in (*made, variable.op) if (place := variable_of(op)) is not None), None)
            if place is not None and getattr(variable, "initializer", None) is not None:
                found[place] = variable.initializer
    return found


__all__ = ["RunFailure", "TrialRun"]
