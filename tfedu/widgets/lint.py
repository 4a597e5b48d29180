"""Lint: what looks like a mistake in a graph, each with its line, why it matters and the fix. `Lint(graph)`."""

from __future__ import annotations

from typing import Any

import traitlets

from ..explain.lint.lint import explained_run, findings_of
from ..view.records import LintRecord, to_json
from .explained_widget import Explained
from .predict import Predict
from .prediction_gate import Gated
from .questions import answers


class Lint(Explained, Gated):
    """The findings of `tfedu.explain.lint(graph)` (the default graph where none is given), as the graph is now.

    fetches, feed_dict, session: the run in which the reader asks of a node why it runs or not, as Session.run takes them; by
    default the last run of the program. rule: the code of the only rule that is shown, "" for all. chosen: the number of the
    selected finding. after: stay locked until that Predict is answered.
    Raises: TypeError for what is no graph; as Session.run does for wrong fetches and feeds.
    """

    KIND = "lint"
    ELEMENT = "tfedu-lint"
    _record: LintRecord

    rule = traitlets.Unicode("").tag(sync=True)
    chosen = traitlets.Int(0).tag(sync=True)

    def __init__(
        self,
        graph: Any = None,
        *,
        fetches: Any = None,
        feed_dict: Any = None,
        session: Any = None,
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        self._findings, nodes = findings_of(graph)
        program, run = explained_run(graph, fetches, feed_dict, session)
        self.programs = () if program is None else (program,)
        record = self._findings.record(nodes, run)
        super().__init__(record, after=after, title=title, lang=lang, explains=program is not None)

    @property
    def findings(self) -> Any:
        """What was found, as `tfedu.explain.lint` gives it."""
        return self._findings

    @answers("around")
    def _around(self, finding: int) -> dict[str, Any]:
        if self.locked:
            raise ValueError("the findings are locked until the prediction before them is committed")
        if isinstance(finding, bool) or not isinstance(finding, int) or not 0 <= finding < len(self._findings):
            raise ValueError(f"there is no finding {finding!r}")
        return to_json(self._findings[finding].around())

    def described(self) -> str:
        return f"{len(self._record.findings)} findings in {self._record.nodes} nodes"
