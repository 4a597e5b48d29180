"""GraphView: a graph, or the nodes around a tensor, with scopes that open and close. `GraphView(tf.get_default_graph())`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import traitlets

from ..explain.explained_run import ExplainedRun
from ..view import build
from ..view.draw.layout import Orientation
from ..view.make.runs.run_facts import is_over
from ..view.picture_files import Shown
from ..view.record_kinds import message_of
from ..view.records import GraphRecord
from ..view.words.box_titles import outer_boxes
from .predict import Predict
from .questions import answers
from .view_state import Viewed


class GraphView(Viewed):
    """A picture of a graph, an operation, a tensor or a list of them; of a graph of another library or the record of a graph.

    Of a graph with more than 20,000 nodes the widget has only the first scopes; those that the reader opens, or that
    `view=dict(expand=[…])` names, follow. Such a graph has no boxes.
    at: a scope to look at by itself, with what it reads from and gives to around it; a way leads out to the whole graph.
    fetches, feed_dict, session: a run, as for Session.run, in which the reader can ask why a node runs or not.
    run: the run to colour by: fetches, which run once in a session of their own, a trace, or a tf.RunMetadata.
    view: the first state of the picture, a dict with some of the keys "expand" (scopes; all others are closed), "pin" (nodes to
    keep at hand), "beside" (nodes to draw beside the graph), "select" (a node), "at", "search", "colour", "orientation"; the
    attribute `view` is the present state.
    collapsed: the paths of closed scopes ([] for none); by default repeated ones, and as many more as make the picture
    readable. orientation: whether values flow "down" or to the "right". boxes: whether each cond and loop is one box; collapsed
    then lists closed boxes. after: stay locked until that Predict is answered.
    Raises: TypeError for another target, and for a run of a graph that is not tfedu's; ValueError for an unknown name, and for a
    graph of another library that is damaged or has more than 20,000 nodes; as Session.run for `run`.
    """

    KIND = "graph-view"
    ELEMENT = "tfedu-graph"

    @build.collection_paused()
    def __init__(
        self,
        target: Any,
        *,
        at: str = "",
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
        target = build.drawable(target)
        if isinstance(target, GraphRecord):
            _check_record(target, fetches, run)
        runs = run is not None and not is_over(run)
        if fetches is None and runs:
            fetches = run
        asked = None if fetches is None else ExplainedRun(fetches, feed_dict, session=session, partitioned=True)
        if asked is not None and session is not None and asked.graph is not session.graph:
            # In a session with several devices: the graph with the transfers.
            target = build.same_in(asked.graph, target)
            run = asked.fetches if runs else run
            feed_dict, session = asked.feed_dict, asked.session
        if isinstance(target, GraphRecord):
            record = target
        else:
            self._part = build.part_of(target)
            self._portions = build.Portions(self._part) if len(self._part.operations) > build.MOST else None
            record = self._portions.record if self._portions else build.graph_record(target)
        closed = outer_boxes(record, at) if boxes and collapsed is None else collapsed
        if asked is not None:
            self.programs = (asked,)
        traits = {"collapsed": closed, "boxes": boxes, "orientation": orientation, "explains": fetches is not None}
        super().__init__(record, after=after, title=title, lang=lang, **traits)
        self.at = self._known_scope(at)
        if at and isinstance(view, Mapping):
            view = {"at": at, **view}
        self._begin(run, feed_dict, session, view)

    @property
    def has_more(self) -> bool:
        return self._portions is not None

    @answers("portion")
    def _portion(self, path: str, opened: list[str]) -> Any:
        """The content of a scope that the record leaves out. opened: the scopes that the front end has asked for so far."""
        if self._portions is None or self.locked:
            raise ValueError("nothing is left out of this picture")
        portion = message_of(self._portions.more(path, opened))
        self._opened = [*opened, path]
        return portion

    @traitlets.validate("boxes")
    def _checked_boxes(self, proposal: Any) -> bool:
        if proposal["value"] and self._portions is not None:
            raise ValueError(
                f"a graph of more than {build.MOST:,} nodes has no boxes of conds and loops\n"
                "  fix: GraphView(tensor, boxes=True) shows what is around a tensor"
            )
        return bool(proposal["value"])

    def shown(self, lang: str | None = None) -> Shown | None:
        shown = super().shown(lang)
        if shown is None:
            return None
        options = {"collapsed": self.collapsed, "boxes": self.boxes, "orientation": self.orientation}
        whole = None if self._portions is None else self._all()
        if not self.at:
            return shown._replace(options=options, whole=whole)
        record, outside = build.focused(self._record, self.at)
        whole = None if whole is None else build.focused(whole, self.at).record
        return shown._replace(record=record, options=options | {"outside": outside}, whole=whole)

    def described(self) -> str:
        nodes, edges = self._record.size()
        return f"a graph of {nodes} nodes and {edges} edges"


def _check_record(record: GraphRecord, fetches: Any, run: Any) -> None:
    """Raises: as GraphView for the record of a graph that tfedu does not run."""
    if fetches is not None or run is not None:
        raise TypeError("fetches and run are for a graph of tfedu: a record, or a graph of another library, is not run here")
    if len(record.nodes) > build.MOST:
        raise ValueError(
            f"the graph has {len(record.nodes):,} nodes; of a graph that is not tfedu's it takes at most {build.MOST:,}\n"
            "  fix: tf.show(graph) draws its outer scopes"
        )
