"""A run on a copy of a session's values: `TrialRun(fetches, feed_dict, session)` knows its values, dead nodes and error.

`trial.failure.variables` are the uninitialized variables at which a node failed; `trial.initializers(op)` must run first so
that the node runs. A run with loops is given up after MOST_TURNS turns: `trial.unfinished`; then only what has happened is
known, and `trial.is_unknown(op)` tells of which node nothing is. State: `TrialRun`, the turns of the run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ...engine.base import errors
from ...engine.base.dead import DEAD
from ...engine.base.garbage_collection import collection_paused
from ...engine.graph.nodes import Operation, Tensor
from ...engine.ops.control_flow import EXITS
from ...engine.replay.accesses import Place, accesses, variable_of
from ...engine.replay.explore import quiet
from ...engine.replay.recorder import End, read_now, run_observed
from ...engine.replay.trace import MOST_TURNS, VARIABLE_COLLECTIONS, scratch_session
from ...engine.replay.value_numbers import with_generators
from ...engine.runtime.schedule import Schedule
from ...engine.runtime.session import Session
from ...engine.runtime.signature import Call
from ...engine.runtime.tokens import Tokens, Turn
from ...view.make.control_flow_boxes import loop_name
from ...view.make.runs.dead_values import Death, deaths_of
from ...view.records import DeathRecord


@dataclass(frozen=True)
class RunFailure:
    """The node whose error ended a run, if it is known. places: the variables without a value that it accesses."""

    by: Operation | None
    error: str
    places: tuple[Place, ...]

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple([place[-1] for place in self.places])


@dataclass(frozen=True)
class Unfinished:
    """A run that was given up, so that it is not known what would have happened. loops: those that had not ended."""

    turns: int
    loops: tuple[str, ...]


class TrialTurn(NamedTuple):
    """A turn that a node took in a trial run. outcome: "ran", "dead" or "error"."""

    op: Operation
    outcome: str
    outputs: Sequence[Any]
    iteration: tuple[int, ...]

    @property
    def dead_outputs(self) -> Sequence[bool]:
        return [value is DEAD for value in self.outputs]


class _Turns:
    """An observer that keeps the turns and their outputs alone."""

    def __init__(self) -> None:
        self.turns: list[TrialTurn] = []

    def begin(self, tokens: Tokens) -> None:
        """Nothing is kept of the beginning."""

    def step(self, turn: Turn, inputs: Sequence[Any], outputs: Sequence[Any], dead: bool) -> None:
        self.turns.append(TrialTurn(turn.op, "dead" if dead else "ran", [read_now(value) for value in outputs], turn.iteration))

    def began(self, turn: Turn, inputs: Sequence[Any]) -> None:
        """The observer keeps no turn that has not ended."""

    def failed(self, turn: Turn, error: errors.OpError) -> None:
        self.turns.append(TrialTurn(turn.op, "error", (), turn.iteration))


class TrialRun:
    """One run from a session's values; the session stays unchanged."""

    def __init__(self, fetches: Any, feed_dict: Any, session: Session) -> None:
        self.fetches, self.feed_dict, self.session = fetches, feed_dict, session

    @cached_property
    def _call(self) -> Call:
        return scratch_session(self.session.graph, None, self.session).prepare(self.fetches, self.feed_dict)

    @cached_property
    def _schedule(self) -> Schedule:
        return self._call.signature.schedule()

    @cached_property
    def _fed(self) -> dict[Tensor, Any]:
        return dict(zip(self._call.signature.feeds, self._call.values))

    @cached_property
    def _run(self) -> tuple[End, list[TrialTurn]]:
        signature = self._call.signature
        observer = _Turns()
        with collection_paused(), quiet(self.session.graph.operations):
            store = with_generators(signature.session.store)
            end = run_observed(self._schedule, store, self._fed, signature.computed, observer, MOST_TURNS)
        return end, observer.turns

    @cached_property
    def _turns_of(self) -> dict[Operation, list[int]]:
        """The places of each node's turns among all turns."""
        places: dict[Operation, list[int]] = {}
        for place, turn in enumerate(self._run[1]):
            places.setdefault(turn.op, []).append(place)
        return places

    @cached_property
    def _deaths(self) -> dict[int, Death]:
        return deaths_of(self._run[1])

    @property
    def unfinished(self) -> Unfinished | None:
        """The run as one that was given up; None if it came to its end, or to an error."""
        end, turns = self._run
        return Unfinished(len(turns), tuple(map(loop_name, end.loops))) if end.is_unfinished else None

    @cached_property
    def values(self) -> Mapping[Tensor, Any]:
        """The values of the tensors that have exactly one live value in the run."""
        outputs: dict[Tensor, list[Any]] = {}
        for turn in self._run[1]:
            for tensor, output in zip(turn.op.outputs, turn.outputs):
                if output is not DEAD:
                    outputs.setdefault(tensor, []).append(output)
        return {
            **{tensor: values[0] for tensor, values in outputs.items() if len(values) == 1 and self._is_over(tensor.op)},
            **self._fed,
        }

    def _is_over(self, op: Operation) -> bool:
        """Whether the node has had all its turns in this run."""
        return self.unfinished is None or (op in self._turns_of and not self._may_go_on(op))

    def _may_go_on(self, op: Operation) -> bool:
        """Whether the node of a run that was given up may have more turns: it is in a loop, or leads out of one."""
        return self.is_in_loop(op) or self._waits_for_end(op)

    def _waits_for_end(self, op: Operation) -> bool:
        """Whether the node is an Exit whose loop has only gone on."""
        places = self._turns_of.get(op, ())
        return op.type in EXITS and all(
            place in self._deaths and self._deaths[place].reason.code == "goes_on" for place in places
        )

    def is_unknown(self, op: Operation) -> bool:
        """Whether the run was given up before it was known whether the node computes."""
        return not self._is_over(op) and not self.computed(op)

    def is_dead(self, op: Operation) -> bool:
        """Whether the node had turns in this run, and was dead in all of them."""
        turns = self._run[1]
        places = self._turns_of.get(op, ())
        return bool(places) and all(turns[at].outcome == "dead" for at in places) and not self.is_unknown(op)

    def death(self, op: Operation) -> DeathRecord | None:
        """The reason why the node was dead in all its turns; None if it was not, or not for one reason."""
        if not self.is_dead(op):
            return None
        deaths = [self._deaths.get(place) for place in self._turns_of[op]]
        # In the turn with which a loop ends, after some iterations, every node of its body is dead.
        told = [death for death in deaths if death is None or death.reason.code != "ended" or not death.iteration[-1]]
        reasons = {death and (death.reason.code, death.reason.switch): death for death in told}
        (death,) = reasons.values() if len(reasons) == 1 else [None]
        return None if death is None or death.reason.code == "goes_on" else death.reason

    def computed(self, op: Operation) -> bool:
        """Whether the node computed in some turn."""
        turns = self._run[1]
        return any(turns[place].outcome == "ran" for place in self._turns_of.get(op, ()))

    def is_in_loop(self, op: Operation) -> bool:
        """Whether the node is in a loop, in an imported graph too."""
        frames = self._schedule.frames
        return frames is not None and frames.target_of(op) is not frames.root

    @cached_property
    def failure(self) -> RunFailure | None:
        """The failure that ended the run; None if it came to its end, or was given up."""
        end, turns = self._run
        if end.by != "error" or end.error is None or end.error.fetch is not None:
            return None
        op = turns[-1].op if turns and turns[-1].outcome == "error" else end.error.op
        return RunFailure(op, str(end.error.message).splitlines()[0], () if op is None else self._unset(op, end.error))

    def _unset(self, op: Operation, error: errors.OpError) -> tuple[Place, ...]:
        if not isinstance(error, errors.FailedPreconditionError):
            return ()
        buffers = self.session.store.buffers

        def is_unset(place: Place) -> bool:
            buffer = buffers.get((place[1], place[2])) if place[0] == "variable" else None
            return buffer is None or buffer.value is None

        access = accesses(self._schedule.placed.pruned, is_unset).get(op)
        places = sorted(access.reads | access.writes) if access is not None else []
        return tuple([place for place in places if place[0] == "variable" and is_unset(place)])

    def has_run(self, op: Operation) -> bool:
        """Whether the node ran, or was dead, without an error."""
        turns = self._run[1]
        places = self._turns_of.get(op, ())
        return any(turns[place].outcome != "error" for place in places) and not self._waits_for_end(op)

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
            if len(goals) == 1 and (goal.has_run(op) or (failure is None and not goal.is_unknown(op))):
                return tuple(done)
            if goal.unfinished is not None:
                return ()
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


__all__ = ["RunFailure", "TrialRun", "Unfinished"]
