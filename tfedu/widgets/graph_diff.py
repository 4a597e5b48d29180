"""GraphDiff: what became of a graph, as one picture of both. `GraphDiff(before, after)`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import traitlets

from ..explain.explained_run import ExplainedRun
from ..explain.graph_difference import diff_record
from ..view.build import MOST, part_of
from ..view.make.graph_difference import near_changes
from ..view.records import GraphDiffRecord, GraphRecord, to_json
from ..view.words.difference_text import counts_text
from .explained_widget import Explained
from .questions import answers


class GraphDiff(Explained):
    """What was added, removed, renamed, rewired and changed from `before` to `after`: graphs, or records of graphs.

    collapsed, selected: as in GraphView, of the picture that has the nodes of both graphs; by default the scopes in which
    nothing changed are closed.
    fetches, feed_dict, session: of a run of `after`, as Session.run takes them; then each node can be asked why it runs there or
    not. A node that was removed is asked about the run of the same names in `before`, if that is a graph that has them.
    Where both have more than 20,000 nodes together it shows what changed and what is beside that, and says what it leaves out.
    Raises: TypeError for what is neither, ValueError where more nodes than that changed and for fetches of another graph; as
    Session.run does for `fetches`.
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
        fetches: Any = None,
        feed_dict: Any = None,
        session: Any = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        record = near_changes(diff_record(before, after), MOST)
        if fetches is not None:
            asked = ExplainedRun(fetches, feed_dict, session=session)
            if not isinstance(after, GraphRecord):
                asked.of(part_of(after).graph)
            earlier = None if isinstance(before, GraphRecord) else asked.within(part_of(before).graph)
            self.programs = (asked,) if earlier is None else (asked, earlier)
        super().__init__(record, title=title, lang=lang, collapsed=collapsed, explains=fetches is not None)

    @answers("why")
    def _why(self, node: int, program: int = 0) -> Any:
        side, number = self._side(node)
        told = self._program(side).why(number)
        if side == 0:
            return to_json(told)
        places = {n.name: n.id for n in self._shown.graph.nodes} | {c.before: c.node for c in self._shown.nodes if c.before}
        path = [places.get(self._program(1).graph.operations[id].name) for id in told.why.path]
        why = replace(told.why, path=tuple([id for id in path if id is not None]))
        return to_json(replace(told, node=node, why=why))

    @answers("try")
    def _try(self, node: int, change: int, program: int = 0) -> Any:
        side, number = self._side(node)
        return super()._try(number, change, side)

    def _side(self, node: int) -> tuple[int, int]:
        """Which of the programs has the node of the picture, and its number there."""
        for change in self._shown.nodes:
            if change.node == node and change.changes == ("removed",):
                if len(self.programs) < 2:
                    raise ValueError(f"{change.before} is no more in the graph that is run")
                return 1, self.programs[1].graph.get_operation_by_name(change.before).id
        return 0, node

    def described(self) -> str:
        return counts_text(self._shown, "en")
