"""StepThrough: some runs of one program, node by node, forward and back. `StepThrough(y, runs=3)`.

`steps.fork(run=0, step=3, choose="assign")` makes another timeline beside what was there; `breaks=["assign", "> 10"]` are
breakpoints. State that the browser sees: `run`, `step` and `branch` say where the reader is; the first timeline is the record,
sent once, and each fork a trait of its own, `branch_1`, `branch_2`, …, sent once as well; `leaves` and `breaks` are small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import traitlets

from ..explain.explained_run import ExplainedRun
from ..explain.orders.breakpoints import Breakpoint, breakpoint_of, hits
from ..explain.orders.timelines import ForkError, Timeline, Timelines, parsed
from ..view.record_kinds import message_of
from ..view.records import (
    BreakRecord,
    BreaksRecord,
    HitsRecord,
    NoticeRecord,
    TraceRecord,
    to_json,
)
from .checked_arguments import checked_runs
from .explained_widget import Explained
from .predict import Predict
from .prediction_gate import Stepped
from .questions import answers

MOST_HITS: Final = 2_000  # of one breakpoint on one timeline
MOST_FORKS: Final = 99


class StepThrough(Explained, Stepped):
    """What happens in `session.run(fetches, feed_dict)`, run `runs` times in a session of its own.

    session: start from this session's variables (a copy: the session itself is not changed); else they are initialized.
    schedule: the order among nodes that are ready, as Session takes it. breaks: breakpoints, each a node, words as "> 10",
    "has NaN", "x changed", "write", "dead", "iteration", "run ends", "error", or a function of a step (tfedu.explain.Moment).
    after: stay locked until that Predict is answered.
    Raises: TypeError, ValueError as Session.run does for wrong fetches and feeds, and for what is no breakpoint.
    """

    KIND = "step-through"
    _shown: TraceRecord

    branch = traitlets.Int(0).tag(sync=True)
    branches = traitlets.Int(0).tag(sync=True)
    leaves = traitlets.Dict().tag(sync=True)
    breaks = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        fetches: Any,
        feed_dict: Any = None,
        runs: int = 3,
        schedule: Any = None,
        session: Any = None,
        *,
        breaks: Iterable[Any] = (),
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        program = ExplainedRun(fetches, feed_dict, checked_runs(runs), schedule, session)
        self.programs = (program,)
        self.timelines = Timelines(fetches, feed_dict, runs, schedule, program.session)
        self._breakpoints: dict[int, Breakpoint] = {}
        self._hits: dict[int, tuple[list[HitsRecord], NoticeRecord | None]] = {}
        self._last_break = 0
        for given in [breaks] if isinstance(breaks, str) else breaks:
            self._add(given)
        shown = {"breaks": self._told()} if self._breakpoints and getattr(after, "answered", True) else {}
        super().__init__(self.timelines.record, after=after, title=title, lang=lang, **shown)

    @property
    def traces(self) -> list[Any]:  # type: ignore[override]
        """The traces by the numbers of their timelines, for who asks for a value."""
        return [line.trace for line in self.timelines]

    # -- forks ---------------------------------------------------------------------------------------------------------

    def fork(
        self,
        run: int | None = None,
        step: int | None = None,
        *,
        set: Mapping[Any, Any] | None = None,
        choose: Any = None,
        add_control: tuple[Any, Any] | None = None,
        cut_control: tuple[Any, Any] | None = None,
        timeline: int | None = None,
    ) -> Timeline:
        """Makes a timeline that goes another way from `step` of `run` on, and shows it; what was there stays.

        run, step, timeline: where the reader is, unless they are given. The changes: as in tfedu.explain.timelines.
        Raises: as Timelines.fork does; RuntimeError while the widget is locked.
        """
        if self.locked:
            raise RuntimeError("this widget opens when the prediction before it is committed")
        if len(self.timelines) > MOST_FORKS:
            raise ForkError("many", most=MOST_FORKS)
        made = self.timelines.fork(
            self.run if run is None else run,
            self.step if step is None else step,
            set=set, choose=choose, add_control=add_control, cut_control=cut_control,
            timeline=self.branch if timeline is None else timeline,
        )  # fmt: skip
        for number, given in self._breakpoints.items():
            self._look(number, given, made)
        told = message_of(self.timelines.branch(made.number))
        self.add_traits(**{f"branch_{made.number}": traitlets.Dict(told).tag(sync=True)})
        with self.hold_sync():
            self.leaves = to_json(self.timelines.leaves)
            self.branches = made.number
            self.branch, self.run, self.step = made.number, made.run, made.step + 1
            self._show_breaks()
        return made

    @answers("fork")
    def _fork(self, code: str, run: int, step: int, timeline: int, **what: Any) -> dict[str, Any]:
        """A fork that the reader asks for: nodes are ids, a value is text."""
        nodes = self.timelines[0].trace.graph.operations

        def node(name: str) -> Any:
            found = what[name]
            return nodes[found] if isinstance(found, int) else self.timelines.named(found)

        change: dict[str, Any]
        if code == "choose":
            change = {"choose": node("node")}
        elif code == "variable":
            change = {"set": {what["name"]: parsed(what["value"])}}
        elif code == "value":
            change = {"set": {node("node").outputs[what["output"]]: parsed(what["value"])}}
        elif code in ("add", "cut"):
            change = {f"{code}_control": (node("first"), node("node"))}
        else:
            raise ValueError(f"no fork is called {code!r}")
        try:
            made = self.fork(run, step, timeline=timeline, **change)
        except (KeyError, IndexError) as error:
            raise ValueError(str(error.args[0] if error.args else error)) from None
        return {"timeline": made.number}

    # -- breakpoints ---------------------------------------------------------------------------------------------------

    def break_at(self, given: Any) -> int:
        """Adds a breakpoint; its number, for `unbreak`. Raises: as the class does."""
        number = self._add(given)
        self._show_breaks()
        return number

    def unbreak(self, number: int) -> None:
        """Takes a breakpoint away. Raises: KeyError for one that is not there."""
        del self._breakpoints[number], self._hits[number]
        self._show_breaks()

    @answers("break")
    def _break(self, text: str | None = None, node: int | None = None) -> int:
        """A breakpoint in words; or on a node, from which one that is there is taken away."""
        if text is not None:
            return self.break_at(text)
        op = self.timelines[0].trace.graph.operations[node]
        for number, known in self._breakpoints.items():
            if known.kind == "node" and known.node is op:
                self.unbreak(number)
                return 0
        return self.break_at(op)

    @answers("unbreak")
    def _unbreak(self, number: int) -> int:
        if number in self._breakpoints:
            self.unbreak(number)
        return number

    def _add(self, given: Any) -> int:
        made = breakpoint_of(self.timelines[0].trace.graph, given)
        self._last_break += 1
        self._breakpoints[self._last_break] = made
        for line in self.timelines:
            self._look(self._last_break, made, line)
        return self._last_break

    def _look(self, number: int, given: Breakpoint, line: Timeline) -> None:
        """Notes where a breakpoint hits on a timeline."""
        told, before = self._hits.get(number, ([], None))
        found, note = hits(given, line.trace)
        left = MOST_HITS
        for run, steps in found.items():
            if steps and left:
                told.append(HitsRecord(line.number, run, tuple(steps[:left])))
            left = max(0, left - len(steps))
        if not left:
            note = note or NoticeRecord("often", {"n": MOST_HITS})
        self._hits[number] = told, before or note

    def _show_breaks(self) -> None:
        if not self.locked:
            self.breaks = self._told()

    def _told(self) -> Any:
        told = []
        for number, given in self._breakpoints.items():
            found, note = self._hits[number]
            node = None if given.node is None else given.node.id
            told.append(BreakRecord(number, given.kind, given.text, node, tuple(found), note))
        return to_json(BreaksRecord(tuple(told)))

    def _unlock(self, change: Any) -> None:
        with self.hold_sync():
            super()._unlock(change)
            if self._breakpoints:
                self._show_breaks()

    def described(self) -> str:
        steps = sum(len(run.steps) for run in self._shown.runs)
        forks = f", {self.branches} forks" if self.branches else ""
        return f"{len(self._shown.runs)} runs, {steps} steps{forks}"
