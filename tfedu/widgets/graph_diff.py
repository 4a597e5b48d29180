"""GraphDiff: what became of a graph, as one picture of both. `GraphDiff(before, after)`."""

from __future__ import annotations

from typing import Any

import traitlets

from ..explain.difference import diff_record
from ..view.build import MOST
from ..view.difference import counts_text, near_changes
from ..view.records import GraphDiffRecord
from .base import Widget


class GraphDiff(Widget):
    """What was added, removed, renamed, rewired and changed from `before` to `after`: graphs, or records of graphs.

    collapsed, selected: as in GraphView, of the picture that has the nodes of both graphs; by default the scopes in which
    nothing changed are closed.
    Where both have more than 20,000 nodes together it shows what changed and what is beside that, and says what it leaves out.
    Raises: TypeError for what is neither, ValueError where more nodes than that changed.
    """

    KIND = "graph-diff"
    _shown: GraphDiffRecord

    collapsed = traitlets.List(traitlets.Unicode(), default_value=None, allow_none=True).tag(sync=True)
    selected = traitlets.Int(-1).tag(sync=True)

    def __init__(
        self,
        before: Any,
        after: Any,
        *,
        collapsed: list[str] | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        record = near_changes(diff_record(before, after), MOST)
        super().__init__(record, title=title, lang=lang, collapsed=collapsed)

    def described(self) -> str:
        return counts_text(self._shown, "en")
