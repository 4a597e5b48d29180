"""OutcomeExplorer: all possible results of a run, an order for each, and the races. `OutcomeExplorer([write, c])`."""

from __future__ import annotations

from typing import Any

import traitlets

from ..explain.explained_run import ExplainedRun
from ..explain.orders.outcome_records import BUDGET, Explorer
from ..view.record_kinds import message_of
from ..view.records import OutcomesRecord, to_json
from .checked_arguments import checked_runs
from .explained_widget import Explained
from .predict import Predict
from .prediction_gate import Stepped
from .questions import answers


class OutcomeExplorer(Explained, Stepped):
    """All possible results of `session.run(fetches, feed_dict)`, `runs` times in a row, over the legal orders of the nodes.

    session: start from a copy of this session's variables; by default they are initialized. budget: the turns of nodes after
    which the search ends with the results so far. threads: each element of the list `fetches` is a run of a thread of its own,
    and they run at the same time. after: as in StepThrough. playing, beside: the names of the orders in the picture, "" for none:
    "0" is that of the first result, "0.1" the second order of the first race; run, step: their position.
    Raises: TypeError and ValueError as Session.run for wrong fetches and feeds, ValueError for nodes that write files, and for a
    node with effects that several threads run.
    """

    KIND = "outcomes"
    ELEMENT = "tfedu-outcomes"
    _record: OutcomesRecord

    playing = traitlets.Unicode("0").tag(sync=True)
    beside = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        fetches: Any,
        feed_dict: Any = None,
        runs: int = 1,
        session: Any = None,
        budget: int = BUDGET,
        *,
        threads: bool = False,
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        self._explorer = Explorer(fetches, feed_dict, checked_runs(runs), session, budget, threads)
        self.programs = (ExplainedRun(self._explorer.fetches, self._explorer.feed_dict, runs, session=self._explorer.session),)
        super().__init__(self._explorer.record(), after=after, title=title, lang=lang)

    @answers("fixed")
    def _fixed(self, fixes: list[Any]) -> Any:
        self._program(0)
        return message_of(self._explorer.record(fixes))

    @answers("way")
    def _way(self, fixes: list[Any], name: str) -> Any:
        self._program(0)
        return to_json(self._explorer.way(fixes, name))

    def described(self) -> str:
        count = len(self._record.results) + self._record.more_results
        return f"{'' if self._record.exact else 'at least '}{count} possible results, races: {len(self._record.races)}"
