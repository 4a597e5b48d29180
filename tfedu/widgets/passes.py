"""Passes: the engine's passes between the call of `run` and the values. `Passes(y)`."""

from __future__ import annotations

from typing import Any

import traitlets

from ..explain.explained_run import ExplainedRun
from ..view.make.run_passes import passes_record
from ..view.records import PassesRecord
from .explained_widget import Explained
from .predict import Predict
from .prediction_gate import Gated


class Passes(Explained, Gated):
    """The passes over the graph of `session.run(fetches, feed_dict)`: prune, place, order, fold, drop, fuse, write.

    Nothing is run. Fusing shows the plan's share of it: intermediate values without names, and reused buffers.
    schedule: the order among ready nodes, as for Session. session: the session that plans the run. after: stay locked until
    that Predict is answered. `step` is the number of passes so far.
    Raises: TypeError, ValueError as Session.run for wrong fetches and feeds.
    """

    KIND = "passes"
    ELEMENT = "tfedu-passes"
    _record: PassesRecord

    step = traitlets.Int(0).tag(sync=True)

    def __init__(
        self,
        fetches: Any,
        feed_dict: Any = None,
        schedule: Any = None,
        session: Any = None,
        *,
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        record = passes_record(fetches, feed_dict, schedule=schedule, session=session)
        self.programs = (ExplainedRun(fetches, feed_dict, schedule=schedule, session=session, partitioned=True),)
        super().__init__(record, after=after, title=title, lang=lang)

    def described(self) -> str:
        first, last = self._record.passes[0], self._record.passes[-1]
        return f"{len(self._record.passes)} passes, from {first.before} nodes to {last.after}"
