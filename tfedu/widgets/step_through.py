"""StepThrough: some runs of one program, node by node, forward and back. `StepThrough(y, runs=3)`."""

from __future__ import annotations

from typing import Any

from ..view.records import TraceRecord
from ..view.runs import runs_record
from .arguments import checked_runs
from .gate import Stepped
from .predict import Predict


class StepThrough(Stepped):
    """What happens in `session.run(fetches, feed_dict)`, run `runs` times in a session of its own.

    session: start from this session's variables (a copy: the session itself is not changed); else they are initialized.
    schedule: the order among nodes that are ready, as Session takes it. after: stay locked until that Predict is answered.
    Raises: TypeError, ValueError as Session.run does for wrong fetches and feeds.
    """

    KIND = "step-through"
    _shown: TraceRecord

    def __init__(
        self,
        fetches: Any,
        feed_dict: Any = None,
        runs: int = 3,
        schedule: Any = None,
        session: Any = None,
        *,
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        record = runs_record(fetches, feed_dict, runs=checked_runs(runs), schedule=schedule, session=session)
        super().__init__(record, after=after, title=title, lang=lang)

    def described(self) -> str:
        steps = sum(len(run.steps) for run in self._shown.runs)
        return f"{len(self._shown.runs)} runs, {steps} steps"
