"""Passes: what the engine does between `run` and the numbers. `Passes(y)`."""

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
    """The passes over the graph of `session.run(fetches, feed_dict)`: prune, place, order, fold, drop, fuse, write; nothing
    is run. Fusing is what the plan does of it: values that are handed on, and arrays that are written into again.

    schedule: the order among nodes that are ready, as Session takes it. session: whose plan it is. after: stay locked until that
    Predict is answered. `step` says how many passes are done.
    Raises: TypeError, ValueError as Session.run does for wrong fetches and feeds.
    """

    KIND = "passes"
    _shown: PassesRecord

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
        self.programs = (ExplainedRun(fetches, feed_dict, schedule=schedule, session=session),)
        super().__init__(record, after=after, title=title, lang=lang)

    def described(self) -> str:
        first, last = self._shown.passes[0], self._shown.passes[-1]
        return f"{len(self._shown.passes)} passes, from {first.before} nodes to {last.after}"
