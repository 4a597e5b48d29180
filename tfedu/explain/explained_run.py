"""The run behind a widget, which answers why a node runs: `ExplainedRun(fetches, feed_dict).why(3)`, `.tried(3, 0)`.

Answers are records. State: `ExplainedRun`, its fetches and feeds, and a session with the values at its start.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from ..engine.graph.copies import copied
from ..engine.graph.graph import Graph
from ..engine.graph.nodes import Operation
from ..engine.replay.explore import quiet
from ..engine.replay.partitioned import on_one_device
from ..engine.replay.trace import graph_of_fetches, record, scratch_session
from ..engine.runtime.feeds import resolved
from ..engine.runtime.fetches import Structure
from ..engine.runtime.schedule import policy_of
from ..engine.runtime.session import Session
from ..view.build import compare_record
from ..view.records import ChangeRecord, CompareRecord, ReasonRecord
from .reasons.why import UNKNOWN, Reason, why_not


class ExplainedRun:
    """`session.run(fetches, feed_dict)`, `runs` times in a row, from `session`'s present values or from initialized variables.

    If a fed value is UNKNOWN, reasons use no values, and changes cannot be tried. partitioned: the run of a session with several
    devices is the one in the graph with its transfers.
    """

    def __init__(
        self,
        fetches: Any,
        feed_dict: Any = None,
        runs: int = 1,
        schedule: Any = None,
        session: Session | None = None,
        partitioned: bool = False,
    ) -> None:
        if partitioned:
            fetches, feed_dict, session = on_one_device(fetches, feed_dict, session)
        self.fetches, self.feed_dict, self.runs, self.policy = fetches, feed_dict, runs, policy_of(schedule)
        self.graph = graph_of_fetches(fetches) if session is None else session.graph
        self.unknown = tuple([tensor for tensor, value in (feed_dict or {}).items() if value is UNKNOWN])
        if session is not None:
            self.session = scratch_session(self.graph, self.policy, session)

    @cached_property
    def session(self) -> Session:
        """The session with the values at the start; its variables are initialized on first use."""
        return scratch_session(self.graph, self.policy)

    def of(self, graph: Graph) -> ExplainedRun:
        """The run itself. Raises: ValueError if its graph is not the one that is shown."""
        if self.graph is not graph:
            raise ValueError("fetches are of another graph than the one that is shown\n  fix: fetch tensors of that graph")
        return self

    def within(self, graph: Graph) -> ExplainedRun | None:
        """The run of the same names in another graph, from initialized variables; None if that graph lacks one of them."""
        structure = Structure(self.graph, self.fetches)
        elements: list[Any] = [*structure.tensors, *structure.operations]
        try:
            fetches = [graph.as_graph_element(element.name) for element in elements]
            feeds = {graph.as_graph_element(tensor.name): value for tensor, value in resolved(self.graph, self.feed_dict).items()}
        except KeyError:
            return None
        return ExplainedRun(fetches, feeds, self.runs, self.policy)

    def why(self, node: int) -> ReasonRecord:
        """Why the node with this number runs or does not, and the smallest changes that flip it.

        Raises: ValueError for an unknown number.
        """
        reason = self._reason(node)
        changes = []
        for change in reason.changes:
            needs = dict.fromkeys([tensor.name for tensor in (*self.unknown, *change.needs)])
            changes.append(ChangeRecord(tuple(change.parts), len(change.also), tuple(needs)))
        # By name too: a widget that shows a part of the graph may not have the path's nodes.
        why = reason.record()
        why = replace(why, params={**reason.names, **why.params})
        return ReasonRecord(reason.node.id, why, tuple(reason.around), reason.flips, tuple(changes))

    def tried(self, node: int, number: int) -> CompareRecord:
        """The runs without and with one of the node's changes, which is made in a copy of the graph.

        Raises: ValueError for unknown numbers, and as Session.run for runs that fail.
        """
        changes = () if self.unknown else self._reason(node).changes
        if not 0 <= number < len(changes):
            raise ValueError(f"there is no change {number!r:.20} here")
        copy = copied(self.graph)
        fetches, feeds = changes[number].apply(copy)
        session = Session(graph=copy.graph)
        session.store = self.session.store.copy()
        with quiet(copy.graph.operations):
            for op in changes[number].first:
                session.run(copy.of(op))
            before = record(self.fetches, self.feed_dict, self.runs, self.policy, self.session)
            after = record(fetches, feeds, self.runs, self.policy, session)
        return compare_record({"before": before, "after": after})

    def _reason(self, node: int) -> Reason:
        operations = self.graph.operations
        if isinstance(node, bool) or not isinstance(node, int) or not 0 <= node < len(operations):
            raise ValueError(f"no node has the number {node!r:.20}")
        op: Operation = operations[node]
        with quiet(operations):
            return why_not(op, self.fetches, self.feed_dict, None if self.unknown else self.session)


__all__ = ["ExplainedRun"]
