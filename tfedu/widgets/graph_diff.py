"""GraphDiff: the difference of two graphs, as one picture of both. `GraphDiff(before, after)`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import traitlets

from ..explain.explained_run import ExplainedRun
from ..explain.graph_difference import diff_record
from ..view import build
from ..view.build import MOST, part_of
from ..view.make.graph_difference import near_changes
from ..view.records import GraphDiffRecord, GraphRecord, to_json
from ..view.words.difference_text import counts_text
from .explained_widget import Explained
from .questions import answers


class GraphDiff(Explained):
    """The nodes added, removed, renamed, rewired and changed from `before` to `after`: graphs, or records of graphs.

    collapsed, selected: as in GraphView, for the picture with the nodes of both graphs; by default unchanged scopes are closed.
    fetches, feed_dict, session: a run of `after`, as for Session.run, in which the reader can ask why a node runs or not. For a
    removed node it is the run of the same names in `before`, if that is a graph with these names.
    If both have more than 20,000 nodes together, the picture has the changes and their neighbours, and says what it leaves out.
    Raises: TypeError for other arguments, ValueError if more nodes than that changed and for fetches of another graph; as
    Session.run for `fetches`.
    """

    KIND = "graph-diff"
    ELEMENT = "tfedu-diff"
    _record: GraphDiffRecord

    collapsed = traitlets.List(traitlets.Unicode(), default_value=None, allow_none=True).tag(sync=True)
    selected = traitlets.Int(-1).tag(sync=True)

    def __init__(
        self,
        before: Any,
        after: Any,
        *,
        collapsed: list[str] | None = None,
        fetches: Any = None,
        feed_dict: Any = None,
        session: Any = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        before, after = build.drawable(before), build.drawable(after)
        record = near_changes(diff_record(before, after), MOST)
        if fetches is not None:
            run = ExplainedRun(fetches, feed_dict, session=session)
            if not isinstance(after, GraphRecord):
                run.of(part_of(after).graph)
            run_before = None if isinstance(before, GraphRecord) else run.within(part_of(before).graph)
            self.programs = (run,) if run_before is None else (run, run_before)
        super().__init__(record, title=title, lang=lang, collapsed=collapsed, explains=fetches is not None)

    @answers("why")
    def _why(self, node: int, program: int = 0) -> Any:
        side, number = self._side(node)
        reason = self._program(side).why(number)
        if side == 0:
            return to_json(reason)
        id_of = {n.name: n.id for n in self._record.graph.nodes} | {c.before: c.node for c in self._record.nodes if c.before}
        path = [id_of.get(self._program(1).graph.operations[id].name) for id in reason.why.path]
        why = replace(reason.why, path=tuple([id for id in path if id is not None]))
        return to_json(replace(reason, node=node, why=why))

    @answers("try")
    def _try(self, node: int, change: int, program: int = 0) -> Any:
        side, number = self._side(node)
        return super()._try(number, change, side)

    def _side(self, node: int) -> tuple[int, int]:
        """The number of the run whose graph has the picture's node, and the node's number there."""
        for change in self._record.nodes:
            if change.node == node and change.changes == ("removed",):
                if len(self.programs) < 2:
                    raise ValueError(f"{change.before} is no more in the graph that is run")
                return 1, self.programs[1].graph.get_operation_by_name(change.before).id
        return 0, node

    def described(self) -> str:
        return counts_text(self._record, "en")
