"""Lint: what looks like a mistake in a graph, each with its line, why it matters and the fix. `Lint(graph)`."""

from __future__ import annotations

from typing import Any

import traitlets

from ..explain.lint import findings_of
from ..view.records import LintRecord, to_json
from .ask import Asked, answers
from .gate import Gated
from .predict import Predict


class Lint(Gated, Asked):
    """The findings of `tfedu.explain.lint(graph)` (the default graph where none is given), as the graph is now.

    rule: the code of the only rule that is shown, "" for all; chosen: the number of the finding that is looked at.
    after: stay locked until that Predict is answered.
    Raises: TypeError for what is no graph.
    """

    KIND = "lint"
    _shown: LintRecord

    rule = traitlets.Unicode("").tag(sync=True)
    chosen = traitlets.Int(0).tag(sync=True)

    def __init__(
        self, graph: Any = None, *, after: Predict | None = None, title: str | None = None, lang: str | None = None
    ) -> None:
        self._findings, nodes = findings_of(graph)
        super().__init__(self._findings.record(nodes), after=after, title=title, lang=lang)

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
