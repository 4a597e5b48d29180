"""Playing the executor: the learner chooses the node that runs next. `Game(y).take("AssignAdd")`.

Every legal order is right: the engine's interpreter pauses between two clicks and knows which turns are ready. An illegal click
changes nothing, and its answer comes from provenance.
State: `Game`, the runs so far, the run under way and the score.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from ...engine.base import errors
from ...engine.graph.elements import as_operation
from ...engine.graph.nodes import Operation
from ...engine.replay.partitioned import on_one_device
from ...engine.replay.provenance import provenance
from ...engine.replay.recorder import Recorder, Run, Trace, loops_under_way, run_traced
from ...engine.replay.trace import MOST_TURNS, fetched_of, graph_of_fetches, scratch_session
from ...engine.replay.value_numbers import ValueNumbers, with_generators
from ...engine.runtime.exclusive import never
from ...engine.runtime.frames import Frame
from ...engine.runtime.pickers import Key, Picker
from ...engine.runtime.session import Session
from ...engine.runtime.tokens import Tokens, Turn
from ...view.build import trace_record, value_text
from ...view.make.control_flow_boxes import loop_name
from ...view.make.runs.trace_records import run_record
from ...view.messages import message
from ...view.records import (
    EndRecord,
    FetchedRecord,
    MoveRecord,
    PlayedRecord,
    RunEndRecord,
    RunRecord,
    TraceRecord,
)
from ..mental_models.diagnose import agrees
from ..orders.outcomes import WritesFilesError, nested, search
from ..reasons.obstacles import obstacle

# Turns of nodes in the search for the number of results: a fraction of a second.
_BUDGET: Final = 5_000
_DEAD: Final = frozenset(("dead", "죽음", "죽은 값", "死", "死的", "死值"))


@dataclass(frozen=True)
class Move:
    """The answer to a click. legal: whether the engine could do so; code, params: the message `play.<code>`."""

    node: Operation
    code: str
    legal: bool
    params: dict[str, str | int] = field(default_factory=dict)

    def text(self, lang: str | None = None) -> str:
        """The answer in words."""
        return message(f"play.{self.code}", lang, **{"node": self.node.name, **self.params})

    def __str__(self) -> str:
        return self.text()

    def record(self) -> MoveRecord:
        """The move as a record."""
        return MoveRecord(self.node.id, self.code, {"node": self.node.name, **self.params}, self.legal)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Score:
    """Legal and illegal clicks, hints, right and wrong predictions of values.

    engine: turns that the engine took for the learner since the last restart.
    """

    legal: int = 0
    illegal: int = 0
    hints: int = 0
    right: int = 0
    wrong: int = 0
    engine: int = 0

    @property
    def share(self) -> float:
        """The share of right answers without a hint, from 0 to 1."""
        good = self.legal + self.right
        total = good + self.illegal + self.wrong + self.hints
        return good / total if total else 0.0


class _Queue(Picker):
    """The ready turns, from which the learner picks."""

    def __init__(self) -> None:
        self.turns: dict[str, tuple[Key, Turn]] = {}

    def add(self, key: Key, name: str, turn: Any) -> None:
        self.turns[name] = key, turn

    def of(self, op: Operation) -> list[tuple[Key, Turn]]:
        """The ready turns of a node, the oldest iteration first."""
        return sorted(entry for entry in self.turns.values() if entry[1].op is op)

    def __len__(self) -> int:
        return len(self.turns)


class Game:
    """`session.run(fetches, feed_dict)`, `runs` times; the learner is the scheduler.

    session: start from a copy of this session's variables; by default they are initialized. predict: nodes whose value the
    learner predicts, by `tell`, before it is shown.
    Raises: TypeError and ValueError as Session.run does for wrong fetches and feeds, KeyError for an unknown name in predict.
    """

    def __init__(
        self, fetches: Any, feed_dict: Any = None, runs: int = 1, session: Session | None = None, predict: Iterable[Any] = ()
    ) -> None:
        fetches, feed_dict, session = on_one_device(fetches, feed_dict, session)
        graph = session.graph if session is not None else graph_of_fetches(fetches)
        self._arguments = fetches, [feed_dict] * runs, session
        self._scratch = scratch_session(graph, None, session)
        self._call = self._scratch.prepare(fetches, feed_dict)
        signature = self._call.signature
        self._schedule = signature.schedule()
        self._needed = frozenset(self._schedule.placed.pruned.operations)
        self._predict = frozenset(as_operation(graph, node) for node in predict)
        elements = tuple((e.name, e) for e in signature.elements)
        fed = dict(zip(signature.feeds, self._call.values))
        self._why = provenance(graph, signature.elements, fed)
        self._begin = self._scratch.store.copy()
        self._first = with_generators(self._begin.copy()).generators
        self._number_of = ValueNumbers()
        self._results: set[int] = set()
        self._possible: int | None = None
        self.runs = runs
        self.trace = Trace(graph, elements, fed, self._schedule)
        self.score = Score()
        self.restart()

    # -- the state of the game ---------------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether all runs are over, perhaps by an error."""
        return self._tokens is None

    @property
    def order(self) -> tuple[str, ...]:
        """The order of each run that has begun, as a schedule for `tf.Session(schedule=…)`.

        Without loops it names every node: those that have not run yet in the default order.
        """
        return tuple([self._text(run) for run in self.trace.runs if run.steps])

    def _text(self, run: Run) -> str:
        if self._schedule.frames is not None:
            return run.text
        ran = {step.op for step in run.steps}
        return " ".join([run.text, *(str(op.id) for op in self._schedule.order if op not in ran)])

    @property
    def ready(self) -> tuple[str, ...]:
        """The names of the ready nodes, the oldest first; none when all runs are over."""
        if self.done:
            return ()
        return tuple(dict.fromkeys([turn.op.name for turn in self._free()]))

    def _free(self) -> list[Turn]:
        """The ready turns that no queue and no mutex holds back, the oldest first."""
        return [turn for _, turn in sorted(self._queue.turns.values()) if self._obstacle(turn) is None]

    def _obstacle(self, turn: Turn) -> str | None:
        """What holds a ready turn back: the code of its message."""
        hold = self._recorder.hold
        if hold.is_locked(turn):
            return "locked"
        return "waits" if hold.holds(turn) else None

    @property
    def values(self) -> list[Any]:
        """The values of the finished runs, as Session.run returns them."""
        return list(self._values)

    # -- moves -------------------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Restarts with the first values of the variables; the score and the known results stay."""
        self._store = with_generators(self._begin.copy())
        self._store.generators.first_states = self._first.first_states  # type: ignore[attr-defined]
        self.trace.runs = []
        self._values: list[Any] = []
        self.score = replace(self.score, engine=0)
        self._asked: Turn | None = None
        self.hinted = False
        self.last: Move | None = None
        self._begin_run()

    def _begin_run(self) -> None:
        self._queue = _Queue()
        self._turns: dict[tuple[Operation, tuple[int, ...]], bool] = {}
        recorder = Recorder(self._store)
        self.trace.runs.append(recorder.run)
        self._recorder = recorder
        self._tokens: Tokens | None = Tokens(
            self._schedule, self._store, self.trace.fed, self._call.signature.computed, recorder, ready=self._queue
        )
        self._end_if_over()

    def click(self, node: Any) -> Move:
        """As `take`, but if several iterations of the node are ready the answer asks which one.

        Raises: as take.
        """
        op = as_operation(self.trace.graph, node)
        turns = self._queue.of(op)
        if self._refused(op, None) is not None or len(turns) == 1:
            return self.take(op)
        self.last = Move(op, "which", True, {"loop": loop_name(turns[0][1].frame)})
        return self.last

    @property
    def choices(self) -> tuple[tuple[int, ...], ...]:
        """The iterations from which the learner has to choose now, the oldest first."""
        if self.last is None or self.last.code != "which":
            return ()
        return tuple([turn.iteration for _, turn in self._queue.of(self.last.node)])

    def take(self, node: Any, iteration: tuple[int, ...] | None = None) -> Move:
        """The learner gives this node the next turn. iteration: which one, if several are ready; by default the oldest.

        Raises: TypeError and KeyError for an unknown node, ValueError for an iteration that is not under way.
        """
        op = as_operation(self.trace.graph, node)
        move = self._refused(op, iteration)
        if move is None:
            _, turn = next(e for e in self._queue.of(op) if iteration in (None, e[1].iteration))
            move = self._ask(turn) if op in self._predict else self._turn(turn)
            self.score = replace(self.score, legal=self.score.legal + 1)
            self.hinted = False
        elif move.code not in ("over", "answer_first"):
            self.score = replace(self.score, illegal=self.score.illegal + 1)
        self.last = move
        return move

    def tell(self, text: str) -> Move:
        """The learner predicts the value of the node that `take` chose; then the node runs.

        Raises: ValueError if no node waits for a prediction.
        """
        turn = self._asked
        if turn is None:
            raise ValueError("no value is asked for now\n  fix: take a node first")
        self._asked = None
        move = self._turn(turn)
        if move.code == "failed":
            self.last = move
            return move
        value = self._value()
        right = text.strip().lower() in _DEAD if value is None else agrees(text, value)
        self.score = replace(self.score, right=self.score.right + right, wrong=self.score.wrong + (not right))
        actual = "✕" if value is None else value_text(value)
        self.last = Move(turn.op, "right" if right else "wrong", True, {"value": actual})
        return self.last

    def hint(self) -> tuple[str, ...]:
        """The ready nodes; counts as one hint for the turn."""
        if not self.hinted and not self.done:
            self.hinted = True
            self.score = replace(self.score, hints=self.score.hints + 1)
        return self.ready

    def go_on(self) -> None:
        """The engine takes all remaining turns, in its own order, without counting as clicks."""
        self._asked = None
        turns = 0
        while not self.done and turns < MOST_TURNS:
            self._turn(self._free()[0])
            turns += 1
        self.score = replace(self.score, engine=self.score.engine + turns)
        self.last = None

    def _refused(self, op: Operation, iteration: tuple[int, ...] | None) -> Move | None:
        def refusal(code: str, **params: str | int) -> Move:
            return Move(op, code, False, params)

        if self._tokens is None:
            return refusal("over")
        if self._asked is not None:
            return refusal("answer_first", asked=self._asked.op.name)
        if op not in self._needed:
            return refusal(self._why.code(op))
        ready = [turn for _, turn in self._queue.of(op) if iteration in (None, turn.iteration)]
        if ready:
            held_back = self._obstacle(ready[0])
            return None if held_back is None else refusal(held_back)
        code, params = obstacle(self._tokens, self._frame_of(op), op, self._turns, iteration)
        return refusal(code, **params)

    def _frame_of(self, op: Operation) -> Frame:
        frames = self._schedule.frames
        return Frame("", None) if frames is None else frames.of[op]

    def _ask(self, turn: Turn) -> Move:
        self._asked = turn
        return Move(turn.op, "asks", True)

    def _turn(self, turn: Turn) -> Move:
        tokens = self._tokens
        assert tokens is not None
        del self._queue.turns[turn.name]
        try:
            with np.errstate(all="ignore"):
                has_ended = tokens.take(turn)
        except errors.OpError as error:
            self._end_run()
            return Move(turn.op, "failed", True, {"error": error.message.splitlines()[0]})
        code = self._recorder.run.steps[-1].outcome
        if has_ended:
            self._turns[turn.op, turn.iteration] = code == "dead"
        self._end_if_over()
        return Move(turn.op, code, True)

    def _end_if_over(self) -> None:
        """Ends the run when no node is ready, or each ready one waits at a queue for ever."""
        if self._free():
            return
        if len(self._queue):
            _, waiting = min(self._queue.turns.values())
            self._recorder.run.error = never(waiting, self._store)
        self._end_run()

    def _end_run(self) -> None:
        """Reads the fetches, and begins the next run; after the last run, or an error, the game is over."""
        run, tokens = self._recorder.run, self._tokens
        assert tokens is not None
        if run.error is None:
            try:
                computed = tokens.fetch(self._call.signature.computed)
                run.fetched = fetched_of(self._call, computed)
                self._values.append(nested(self._call, computed))
            except errors.OpError as error:
                run.error = error
        run.end("finished" if run.error is None else "error", run.error, loops_under_way(tokens.root))
        if run.error is None and len(self.trace.runs) < self.runs:
            self._begin_run()
        else:
            self._tokens = None
            self._results.add(self._key(self.trace.runs))

    def _value(self) -> Any:
        """The first live output of the last turn; None if it was dead."""
        step = next(step for run in reversed(self.trace.runs) for step in reversed(run.steps))
        return next((output.value for output in step.outputs if not output.dead), None)

    # -- the end, and the record ---------------------------------------------------------------------------------------

    def _key(self, runs: Iterable[Run]) -> int:
        """Equal for runs with equal results."""
        return self._number_of([_result_of(run) for run in runs])

    def usual(self) -> list[Run]:
        """The same runs in the engine's default order, with the same random numbers."""
        signature = self._call.signature
        store = with_generators(self._begin.copy())
        store.generators.first_states = self._first.first_states  # type: ignore[attr-defined]
        runs = []
        for _ in range(self.runs):
            run, fetched = run_traced(self._schedule, store, self.trace.fed, signature.computed, MOST_TURNS)
            runs.append(run)
            if run.error is not None:
                break
            run.fetched = fetched_of(self._call, fetched)
        return runs

    @property
    def differs(self) -> bool:
        """Whether the learner's order has another result than the default order: a race, not a mistake."""
        return self.done and self._key(self.trace.runs) != self._key(self.usual())

    @property
    def possible(self) -> int:
        """The number of possible results; 0 if the search would take too long."""
        if self._possible is None:
            fetches, feeds, session = self._arguments
            try:
                outcomes = search(fetches, feeds, session, _BUDGET)
            except WritesFilesError:
                self._possible = 0
            else:
                self._possible = len(outcomes) if outcomes.exact else 0
        return self._possible

    @cached_property
    def begun(self) -> TraceRecord:
        """The record of the graph and of the needed nodes, without runs."""
        return trace_record(replace(self.trace, runs=[]))

    def record(self) -> PlayedRecord:
        """The runs so far, the last move and the score; at the end also the comparison with the default order."""
        runs = tuple([run_record(i, run, self.trace, self.begun.graph) for i, run in enumerate(self.trace.runs)])
        played = tuple([_without_answers(run, self.hinted and i == len(runs) - 1) for i, run in enumerate(runs)])
        tally = self.score
        return PlayedRecord(
            played, None if self.last is None else self.last.record(), tally.legal, tally.illegal, tally.hints, tally.right,
            tally.wrong, None if self._asked is None else self._asked.op.id, self.choices,
            self._end(runs) if self.done else None,
        )  # fmt: skip

    def _end(self, runs: tuple[RunRecord, ...]) -> EndRecord:
        usual = self.usual()
        return EndRecord(
            tuple([self._result(run) for run in usual]),
            self._key(self.trace.runs) != self._key(usual),
            self.order,
            self.possible,
            len(self._results),
            replace(self.begun, runs=runs),
        )

    def _result(self, run: Run) -> RunEndRecord:
        fetched = [FetchedRecord(label, value_text(value)) for (label, _), value in zip(self.trace.fetches, run.fetched)]
        return RunEndRecord(tuple(fetched), None if run.error is None else str(run.error.message))

    def __repr__(self) -> str:
        state = "over" if self.done else f"run {len(self.trace.runs)} of {self.runs}"
        return f"<tfedu.explain.Game {state}, {self.score.legal} legal and {self.score.illegal} illegal clicks>"


def _result_of(run: Run) -> Any:
    """The result of a run, for comparison."""
    return [type(run.error).__name__, str(run.error.message)] if run.error is not None else list(run.fetched)


def _without_answers(run: RunRecord, hinted: bool) -> RunRecord:
    """The run without the ready nodes, which would give the next turn away; after a hint with those of the last step."""
    steps = [replace(step, ready=(), held=(), pending=()) for step in run.steps]
    ready = run.start.ready
    if steps and hinted:
        steps[-1] = replace(steps[-1], ready=run.steps[-1].ready)
    return replace(run, start=replace(run.start, ready=ready if hinted else (), held=(), pending=()), steps=tuple(steps))


__all__ = ["Game", "Move", "Score"]
