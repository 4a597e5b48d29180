"""Lint: what looks like a mistake in a graph, each with its line, why it matters and the fix. `Lint(graph)`."""

from __future__ import annotations

from typing import Any

import traitlets

from ..explain.lint.lint import asked_run, findings_of
from ..view.records import LintRecord, to_json
from .questions import answers
from .explained_widget import Explained
from .prediction_gate import Gated
from .predict import Predict


class Lint(Explained, Gated):
    """The findings of `tfedu.explain.lint(graph)` (the default graph where none is given), as the graph is now.

    fetches, feed_dict, session: of a run, as Session.run takes them, in which each node can be asked why it runs or not; else
    that is the newest run that the program asked its sessions for. rule: the code of the only rule that is shown, "" for all; chosen: the number of the finding that is looked at.
    after: stay locked until that Predict is answered.
    Raises: TypeError for what is no graph; as Session.run does for wrong fetches and feeds.
    """

    KIND = "lint"
    _shown: LintRecord

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
        program, run = asked_run(graph, fetches, feed_dict, session)
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
        return f"{len(self._shown.findings)} findings in {self._shown.nodes} nodes"
