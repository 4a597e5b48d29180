"""A run on a copy of a session's values: `TrialRun(fetches, feed_dict, session)` knows its values, dead nodes and error.

`trial.failure.variables` are the uninitialized variables at which a node failed; `trial.initializers(op)` must run first so
that the node runs. State: `TrialRun`, the trace of the run.
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
    """The node whose error ended a run. places: the variables without a value that it accesses."""

    by: Operation
    error: str
    places: tuple[Place, ...]

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple([place[-1] for place in self.places])


class TrialRun:
    """One run from a session's values; the session stays unchanged."""

    def __init__(self, fetches: Any, feed_dict: Any, session: Session) -> None:
        self.fetches, self.feed_dict, self.session = fetches, feed_dict, session

    @cached_property
    def trace(self) -> Trace:
        with quiet(self.session.graph.operations):
            return record(self.fetches, self.feed_dict, session=self.session)

    @cached_property
    def values(self) -> Mapping[Tensor, Any]:
        """The values of the tensors that had exactly one live value in the run."""
        outputs: dict[Tensor, list[Any]] = {}
        for step in self.trace.runs[0].steps:
            for tensor, output in zip(step.op.outputs, step.outputs):
                if not output.dead:
                    outputs.setdefault(tensor, []).append(output.value)
        return {**{tensor: values[0] for tensor, values in outputs.items() if len(values) == 1}, **self.trace.fed}

    def death(self, op: Operation) -> DeathRecord | None:
        """Why the node was dead in all its turns; None if it was live once, or if the cause is unknown."""
        run = self.trace.runs[0]
        turns = [index for index, step in enumerate(run.steps) if step.op is op]
        if any(run.steps[index].outcome != "dead" for index in turns):
            return None
        deaths = deaths_of(run)
        return next((deaths[index] for index in turns if index in deaths), None)

    def computed(self, op: Operation) -> bool:
        """Whether the node computed in some turn."""
        return any(step.op is op and step.outcome not in ("dead", "error") for step in self.trace.runs[0].steps)

    def is_in_loop(self, op: Operation) -> bool:
        """Whether the node is in a loop, in an imported graph too."""
        frames = self.trace.schedule.frames
        return frames is not None and frames.target_of(op) is not frames.root

    @cached_property
    def failure(self) -> RunFailure | None:
        """The failure that ended the run; None if it succeeded."""
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

        access = accesses(self.trace.schedule.placed.pruned, is_unset).get(op)
        places = sorted(access.reads | access.writes) if access is not None else []
        return tuple([place for place in places if place[0] == "variable" and is_unset(place)])

    def has_run(self, op: Operation) -> bool:
        """Whether the node ran, or was dead, without an error."""
        return any(step.op is op and step.outcome != "error" for step in self.trace.runs[0].steps)

    def initializers(self, op: Operation) -> tuple[Operation, ...]:
        """The initializers that must run first, in order, so that the node runs; empty if initializers do not help."""
        scratch = scratch_session(self.session.graph, None, self.session)
        scratch.interpreted = True
        done: list[Operation] = []
        goals: list[TrialRun] = [TrialRun(self.fetches, self.feed_dict, scratch)]
        by_place = _initializers(scratch)
        while True:
            goal = TrialRun(goals[-1].fetches, goals[-1].feed_dict, scratch)
            failure = goal.failure
            if len(goals) == 1 and (failure is None or goal.has_run(op)):
                return tuple(done)
            if failure is None:
                scratch.run(goals.pop().fetches)
                done.append(goal.fetches)
                continue
            missing = [by_place[place] for place in failure.places if place in by_place]
            if not missing or any(missing[0] is earlier.fetches for earlier in goals) or missing[0] in done:
                return ()
            goals.append(TrialRun(missing[0], None, scratch))


def _initializers(session: Session) -> dict[Place, Operation]:
    """The initializers of a graph's variables, by the variable's place."""
    initializers: dict[Place, Operation] = {}
    for name in VARIABLE_COLLECTIONS:
        for variable in session.graph.get_collection(name):
            tensors = (getattr(variable, "handle", None), getattr(variable, "_variable", None))
            ops = [*(tensor.op for tensor in tensors if tensor is not None), variable.op]
            place = next((place for op in ops if (place := variable_of(op)) is not None), None)
            if place is not None and getattr(variable, "initializer", None) is not None:
                initializers[place] = variable.initializer
    return initializers


__all__ = ["RunFailure", "TrialRun"]
