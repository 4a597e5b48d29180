"""StepThrough: the runs of a program, node by node, forward and back. `StepThrough(y, runs=3)`.

`steps.fork(run=0, step=3, choose="assign")` adds a timeline; `breaks=["assign", "> 10"]` are breakpoints.
State in the browser: `run`, `step` and `branch` are the reader's position; the first timeline is the record and each fork a trait
of its own, `branch_1`, `branch_2`, …, so that each goes to the browser once; `leaves` and `breaks` are small.
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
    """`session.run(fetches, feed_dict)`, `runs` times in a session of its own, step by step.

    session: start from a copy of this session's variables; by default they are initialized. schedule: the order among ready
    nodes, as for Session. breaks: breakpoints, each a node, a text such as "> 10", "has NaN", "x changed", "write", "dead",
    "iteration", "run ends", "error", or a function of a tfedu.explain.Moment. after: stay locked until that Predict is answered.
    Raises: TypeError, ValueError as Session.run for wrong fetches and feeds, and for a wrong breakpoint.
    """

    KIND = "step-through"
    ELEMENT = "tfedu-steps"
    _record: TraceRecord

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
        run = ExplainedRun(fetches, feed_dict, checked_runs(runs), schedule, session, partitioned=True)
        self.programs = (run,)
        self.timelines = Timelines(run.fetches, run.feed_dict, runs, schedule, run.session)
        self._breakpoints: dict[int, Breakpoint] = {}
        self._hits: dict[int, tuple[list[HitsRecord], NoticeRecord | None]] = {}
        self._last_break = 0
        for condition in [breaks] if isinstance(breaks, str) else breaks:
            self._add(condition)
        traits = {"breaks": self._breaks_record()} if self._breakpoints and getattr(after, "answered", True) else {}
        super().__init__(self.timelines.record, after=after, title=title, lang=lang, **traits)

    @property
    def traces(self) -> list[Any]:  # type: ignore[override]
        """The traces by the numbers of their timelines, for `value`."""
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
        """Adds a timeline with one change at `step` of `run`, and shows it.

        run, step, timeline: by default the reader's position. The changes are those of tfedu.explain.timelines.
        Raises: as Timelines.fork; RuntimeError while the widget is locked.
        """
        if self.locked:
            raise RuntimeError("this widget opens when the prediction before it is committed")
        if len(self.timelines) > MOST_FORKS:
            raise ForkError("many", most=MOST_FORKS)
        line = self.timelines.fork(
            self.run if run is None else run,
            self.step if step is None else step,
            set=set, choose=choose, add_control=add_control, cut_control=cut_control,
            timeline=self.branch if timeline is None else timeline,
        )  # fmt: skip
        for number, breakpoint in self._breakpoints.items():
            self._note_hits(number, breakpoint, line)
        record = message_of(self.timelines.branch(line.number))
        self.add_traits(**{f"branch_{line.number}": traitlets.Dict(record).tag(sync=True)})
        with self.hold_sync():
            self.leaves = to_json(self.timelines.leaves)
            self.branches = line.number
            self.branch, self.run, self.step = line.number, line.run, line.step + 1
            self._show_breaks()
        return line

    @answers("fork")
    def _fork(self, code: str, run: int, step: int, timeline: int, **arguments: Any) -> dict[str, Any]:
        """A fork for the reader: nodes are ids or names, a value is text."""
        nodes = self.timelines[0].trace.graph.operations

        def node(name: str) -> Any:
            id_or_name = arguments[name]
            return nodes[id_or_name] if isinstance(id_or_name, int) else self.timelines.named(id_or_name)

        change: dict[str, Any]
        if code == "choose":
            change = {"choose": node("node")}
        elif code == "variable":
            change = {"set": {arguments["name"]: parsed(arguments["value"])}}
        elif code == "value":
            change = {"set": {node("node").outputs[arguments["output"]]: parsed(arguments["value"])}}
        elif code in ("add", "cut"):
            change = {f"{code}_control": (node("first"), node("node"))}
        else:
            raise ValueError(f"no fork is called {code!r}")
        try:
            line = self.fork(run, step, timeline=timeline, **change)
        except (KeyError, IndexError) as error:
            raise ValueError(str(error.args[0] if error.args else error)) from None
        return {"timeline": line.number}

    # -- breakpoints ---------------------------------------------------------------------------------------------------

    def break_at(self, given: Any) -> int:
        """Adds a breakpoint; returns its number, for `unbreak`. Raises: TypeError, ValueError for a wrong breakpoint."""
        number = self._add(given)
        self._show_breaks()
        return number

    def unbreak(self, number: int) -> None:
        """Removes a breakpoint. Raises: KeyError for an unknown one."""
        del self._breakpoints[number], self._hits[number]
        self._show_breaks()

    @answers("break")
    def _break(self, text: str | None = None, node: int | None = None) -> int:
        """Adds a breakpoint for a text; adds or removes the one on a node."""
        if text is not None:
            return self.break_at(text)
        op = self.timelines[0].trace.graph.operations[node]
        for number, breakpoint in self._breakpoints.items():
            if breakpoint.kind == "node" and breakpoint.node is op:
                self.unbreak(number)
                return 0
        return self.break_at(op)

    @answers("unbreak")
    def _unbreak(self, number: int) -> int:
        if number in self._breakpoints:
            self.unbreak(number)
        return number

    def _add(self, condition: Any) -> int:
        breakpoint = breakpoint_of(self.timelines[0].trace.graph, condition)
        self._last_break += 1
        self._breakpoints[self._last_break] = breakpoint
        for line in self.timelines:
            self._note_hits(self._last_break, breakpoint, line)
        return self._last_break

    def _note_hits(self, number: int, breakpoint: Breakpoint, line: Timeline) -> None:
        """Notes the hits of a breakpoint on a timeline."""
        records, earlier_note = self._hits.get(number, ([], None))
        steps_by_run, note = hits(breakpoint, line.trace)
        remaining = MOST_HITS
        for run, steps in steps_by_run.items():
            if steps and remaining:
                records.append(HitsRecord(line.number, run, tuple(steps[:remaining])))
            remaining = max(0, remaining - len(steps))
        if not remaining:
            note = note or NoticeRecord("often", {"n": MOST_HITS})
        self._hits[number] = records, earlier_note or note

    def _show_breaks(self) -> None:
        if not self.locked:
            self.breaks = self._breaks_record()

    def _breaks_record(self) -> Any:
        records = []
        for number, breakpoint in self._breakpoints.items():
            hit_records, note = self._hits[number]
            node = None if breakpoint.node is None else breakpoint.node.id
            records.append(BreakRecord(number, breakpoint.kind, breakpoint.text, node, tuple(hit_records), note))
        return to_json(BreaksRecord(tuple(records)))

    def _unlock(self, change: Any) -> None:
        with self.hold_sync():
            super()._unlock(change)
            if not self.is_gone and self._breakpoints:
                self._show_breaks()

    def described(self) -> str:
        steps = sum(len(run.steps) for run in self._record.runs)
        forks = f", {self.branches} forks" if self.branches else ""
        return f"{len(self._record.runs)} runs, {steps} steps{forks}"
