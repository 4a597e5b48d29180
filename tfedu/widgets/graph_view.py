"""GraphView: a graph, or what is around a tensor, whose scopes open and close. `GraphView(tf.get_default_graph())`."""

from __future__ import annotations

from typing import Any

import traitlets

from ..view import build, svg
from ..view.boxes import outer_boxes
from ..view.records import GraphRecord
from .gate import Gated
from .predict import Predict


class GraphView(Gated):
    """A picture of a graph, an operation, a tensor or a list of them.

    collapsed: the scopes that are closed, by path; selected: the number of the chosen node, -1 for none; boxes: whether each
    cond and each loop is drawn as one box, in which collapsed tells the closed boxes.
    after: stay locked until that Predict is answered.
    Raises: TypeError for what is neither.
    """

    KIND = "graph-view"
    _shown: GraphRecord

    collapsed = traitlets.List(traitlets.Unicode()).tag(sync=True)
    selected = traitlets.Int(-1).tag(sync=True)
    boxes = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        target: Any,
        *,
        collapsed: list[str] | None = None,
        boxes: bool = False,
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        record = build.graph_record(target)
        closed = outer_boxes(record) if boxes and collapsed is None else list(collapsed or ())
        super().__init__(record, after=after, title=title, lang=lang, collapsed=closed, boxes=boxes)

    def svg(self) -> str | None:
        if self.locked:
            return None
        options = {"title": self.title or None, "lang": self.lang or None}
        return svg.picture(self._shown, collapsed=self.collapsed or None, boxes=self.boxes, **options)

    def described(self) -> str:
        return f"a graph of {len(self._shown.nodes)} nodes and {len(self._shown.edges)} edges"
