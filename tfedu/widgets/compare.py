"""Compare: two programs side by side under one scrubber. `Compare({"without identity": y0, "with identity": y1})`."""

from __future__ import annotations

from typing import Any

from ..explain.explained_run import ExplainedRun
from ..view.build import compare_record, trace_record
from ..view.make.scratch_runs import traced_runs
from ..view.records import CompareRecord
from .checked_arguments import checked_runs, checked_targets
from .explained_widget import Explained
from .predict import Predict
from .prediction_gate import Stepped

EXAMPLE = 'Compare({"without identity": y0, "with identity": y1})'


class Compare(Explained, Stepped):
    """Two fetches, each run `runs` times in a session of its own, with the differences of their graphs marked.

    feed_dict: for both sides. schedule, after: as in StepThrough.
    Raises: TypeError, ValueError unless there are two titled fetches, and as Session.run for wrong fetches and feeds.
    """

    KIND = "compare"
    ELEMENT = "tfedu-compare"
    _record: CompareRecord

    def __init__(
        self,
        sides: dict[str, Any],
        runs: int = 3,
        feed_dict: Any = None,
        schedule: Any = None,
        *,
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        fetches = checked_targets(sides, EXAMPLE, 2)
        programs = {name: ExplainedRun(side, feed_dict, checked_runs(runs), schedule) for name, side in fetches.items()}
        traces = {
            name: traced_runs(program.fetches, feed_dict, runs=runs, schedule=schedule, session=program.session)
            for name, program in programs.items()
        }
        self.programs = list(programs.values())
        self.traces = list(traces.values())
        records = {name: trace_record(trace, number) for number, (name, trace) in enumerate(traces.items())}
        super().__init__(compare_record(records), after=after, title=title, lang=lang)

    def described(self) -> str:
        return " and ".join(repr(side.title) for side in self._record.sides)
