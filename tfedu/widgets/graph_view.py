"""GraphView: a graph, or what is around a tensor, whose scopes open and close. `GraphView(tf.get_default_graph())`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import traitlets

from ..explain.explained_run import ExplainedRun
from ..view import build
from ..view.draw.layout import Orientation
from ..view.make.run_facts import is_over
from ..view.record_kinds import message_of, picture
from ..view.words.box_titles import outer_boxes
from .predict import Predict
from .questions import answers
from .view_state import Viewed


class GraphView(Viewed):
    """A picture of a graph, an operation, a tensor or a list of them.

    Of a graph of more than 20,000 nodes so many are sent, whole scopes of them; what is in the others follows when they are
    opened, or with `view=dict(expand=[…])`; conds and loops are not drawn as boxes in it.
    fetches, feed_dict, session: of a run, as Session.run takes them; then each node can be asked why it runs there or not.
    run: what to show of a run: fetches, which are run once in a session of their own, a trace, or a tf.RunMetadata.
    view: how the picture is at first, a dict of which each key may be left out: "expand" (scopes, with all others closed),
    "pin", "beside" (nodes to keep at hand, to draw beside the graph), "select" (a node), "search", "colour", "orientation";
    the attribute `view` gives it back as the reader left it.
    collapsed: the scopes that are closed, by path; by default what repeats, and as many more as make the picture small enough
    to be read; [] for none. orientation: whether values flow "down" or to the "right". boxes: whether each cond and each loop
    is drawn as one box, in which collapsed tells the closed boxes.
    after: stay locked until that Predict is answered.
    Raises: TypeError for what is neither, ValueError for a name that the graph does not have; as Session.run does for `run`.
    """

    KIND = "graph-view"

    @build.collection_paused()
    def __init__(
        self,
        target: Any,
        *,
        collapsed: list[str] | None = None,
        boxes: bool = False,
        orientation: Orientation = "down",
        fetches: Any = None,
        run: Any = None,
        feed_dict: Any = None,
        session: Any = None,
        view: Mapping[str, Any] | None = None,
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        self._part = build.part_of(target)
        self._portions = build.Portions(self._part) if len(self._part.operations) > build.MOST else None
        record = self._portions.record if self._portions else build.graph_record(target)
        closed = outer_boxes(record) if boxes and collapsed is None else collapsed
        if fetches is None and run is not None and not is_over(run):
            fetches = run
        if fetches is not None:
            self.programs = (ExplainedRun(fetches, feed_dict, session=session),)
        shown = {"collapsed": closed, "boxes": boxes, "orientation": orientation, "explains": fetches is not None}
        super().__init__(record, after=after, title=title, lang=lang, **shown)
        self._begin(run, feed_dict, session, view)

    @answers("portion")
    def _portion(self, path: str, opened: list[str]) -> Any:
        """What a scope gives that the record leaves out; `opened` were asked for before."""
        if self._portions is None or self.locked:
            raise ValueError("nothing is left out of this picture")
        told = message_of(self._portions.more(path, opened))
        self._opened = [*opened, path]
        return told

    @traitlets.validate("boxes")
    def _checked_boxes(self, proposal: Any) -> bool:
        if proposal["value"] and self._portions is not None:
            raise ValueError(
                f"a graph of more than {build.MOST:,} nodes has no boxes of conds and loops\n"
                "  fix: GraphView(tensor, boxes=True) shows what is around a tensor"
            )
        return bool(proposal["value"])

    def svg(self) -> str | None:
        if self.locked:
            return None
        options = {"title": self.title or None, "lang": self.lang or None}
        return picture(
            self._shown, collapsed=self.collapsed, boxes=self.boxes, orientation=self.orientation, **options
        )

    def described(self) -> str:
        nodes, edges = self._shown.size()
        return f"a graph of {nodes} nodes and {edges} edges"
