"""Why a node runs or does not: `why(node, y)`, and for one that does not the smallest changes that make it run.

`print(why(up, y))` says it in words; `.path` is the way from the fetch to the node. `why_not(up, y)` also knows, of a node
that runs, the smallest changes that keep it from running. Each of `.changes` can be tried on a copy of the graph:
`fetches, feed_dict = change.apply(copy)`. No state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from ...engine.base import dtypes
from ...engine.graph.copies import Copied, copied
from ...engine.graph.elements import as_operation
from ...engine.graph.nodes import Operation, Tensor
from ...engine.replay.provenance import Code, provenance
from ...engine.replay.trace import graph_of_fetches, scratch_session
from ...engine.runtime.feeds import resolve
from ...engine.runtime.fetches import Structure
from ...engine.runtime.session import Session, flat_feeds
from ...view.labels import shorten
from ...view.make.control_flow_boxes import condition_of
from ...view.make.trace_records import PATH, reasons
from ...view.messages import message
from ...view.records import DeathRecord, NoticeRecord, WhyRecord
from .enclosing_contexts import dead_sides, within
from .minimal_cuts import KINDS, cuts
from .node_changes import PLACEHOLDERS, Change, Element, Kind, making_run, rank
from .trial_run import RunFailure, TrialRun

# Stands for a value that is fed and that nobody knows. A reason is then told without any value.
UNKNOWN: Final = object()

ReasonCode = Code | Literal["waiting", "stopped"]


@dataclass(frozen=True)
class Reason:
    """Why a node runs or does not.

    code: "fetched", "data" (its value is needed), "control" (it is waited for), "fed" (its value comes from outside) or
    "pruned" (nothing asks for it); and where a session was given "waiting" (variables have no value yet) or "stopped"
    (another node failed before). path: the nodes from the fetch to this one. changes: what would flip it, the smallest first.
    stopped: what ended the run. known: values in this run. death: why it never computed in this run.
    """

    node: Operation
    code: ReasonCode
    path: tuple[Operation, ...]
    changes: tuple[Change, ...] = field(default=())
    known: Mapping[Tensor, Any] = field(default_factory=dict, repr=False)
    stopped: RunFailure | None = None
    death: DeathRecord | None = None

    @property
    def runs(self) -> bool:
        return bool(self.path) and self.stopped is None

    @property
    def smallest(self) -> Change | None:
        """The smallest change that flips it; None where there is none."""
        return self.changes[0] if self.changes else None

    @property
    def flips(self) -> Literal["run", "compute", "stop"]:
        """What the changes do: they make the node run, or compute where it was dead, or keep it from running."""
        if not self.runs:
            return "run"
        return "compute" if self.changes and self.changes[0].kind == "branch" else "stop"

    @property
    def consumer(self) -> Operation | None:
        """The node that asked for this one."""
        return self.path[-2] if len(self.path) > 1 else None

    def record(self) -> WhyRecord:
        """The reason as the JSON record that traces carry."""
        return WhyRecord(self.code, self._params, tuple([op.id for op in self.path[-PATH:]]))

    @property
    def _params(self) -> dict[str, str | int]:
        if self.stopped is None:
            return {}
        names = ", ".join(shorten(name, 60) for name in self.stopped.variables)
        return {"by": self.stopped.by.name, "error": self.stopped.error, "variables": names}

    @property
    def around(self) -> list[NoticeRecord]:
        """What else there is to say: the messages `why.<code>` for the branches and loops around it."""
        if self.runs:
            said = within(self.node, self.known)
            if self.death is not None and all(notice.code != "dead_branch" for notice in said):
                said.append(NoticeRecord("dead_through" if self.death.code == "branch" else "dead_ended", self.death.params))
            return said
        return [NoticeRecord("placeholder", {"node": self.node.name})] if self.node.type in PLACEHOLDERS else []

    @property
    def names(self) -> dict[str, str]:
        """What the message names of the way."""
        consumer = self.consumer
        return {"consumer": consumer.name if consumer is not None else "", "path": _path_text(self.path)}

    def text(self, lang: str | None = None) -> str:
        """The reason in words, and the changes below it."""
        lines = [message(f"why.{self.code}", lang, node=self.node.name, **self.names, **self._params)]
        lines.extend(message(f"why.{notice.code}", lang, **notice.params) for notice in self.around)
        if self.changes:
            lines.append(message(f"why.changes.{self.flips}", lang))
            lines.extend(f"  - {change.text(lang)}" for change in self.changes)
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def why(node: Any, fetches: Any, feed_dict: Any = None, session: Session | None = None) -> Reason:
    """Why `node` (an operation, a tensor, a variable or a name) runs in `session.run(fetches, feed_dict)`, or does not.

    session: the run is tried on a copy of its values, so that what has no value yet and which branches are dead is known.
    Raises: TypeError and ValueError for wrong fetches and feeds, KeyError for an unknown name.
    """
    asked = _Question(node, fetches, feed_dict, session)
    return asked.reason()


def why_not(node: Any, fetches: Any, feed_dict: Any = None, session: Session | None = None) -> Reason:
    """Why it is not the other way round: as `why`, and of a node that runs, what would keep it from running.

    That are the fewest control edges to take away, tensors to feed or fetches to leave out. What a tensor would be fed is
    its value in this run, which is tried for that on a copy of the session's values, or with its variables initialized.
    Raises: as `why`.
    """
    asked = _Question(node, fetches, feed_dict, session)
    reason = asked.reason()
    if not reason.runs or reason.changes:
        return reason
    return replace(reason, changes=asked.cuts())


class _Question:
    """One question: a node and a run."""

    def __init__(self, node: Any, fetches: Any, feed_dict: Any, session: Session | None) -> None:
        self.graph = session.graph if session is not None else graph_of_fetches([fetches, node])
        self.op: Operation = as_operation(self.graph, node)
        structure = Structure(self.graph, fetches)
        given = {resolve(self.graph, key): value for key, value in flat_feeds(feed_dict)}
        self.is_known = not any(value is UNKNOWN for value in given.values())
        self.feeds = {tensor: None if value is UNKNOWN else value for tensor, value in given.items()}
        self.elements: tuple[Element, ...] = (*structure.tensors, *structure.operations)
        self.told = provenance(self.graph, self.elements, self.feeds)
        self.session = session if self.is_known else None

    def seen(self, session: Session) -> TrialRun:
        return TrialRun(list(self.elements), self.feeds, session)

    def reason(self) -> Reason:
        op, feeds = self.op, self.feeds
        code: ReasonCode = self.told.code(op)
        if op not in self.told.asked:
            return Reason(op, code, (), making_run(self.told, op, self.elements, feeds), feeds)
        path = self.told.path(op)
        if self.session is None:
            asks = self.is_known and dead_sides(op, feeds)
            return Reason(op, code, path, self._live(self.seen(scratch_session(self.graph))) if asks else (), feeds)
        seen = self.seen(self.session)
        stopped = seen.stopped
        if stopped is None or seen.had_its_turn(op):
            return Reason(op, code, path, self._live(seen), seen.values, None, seen.death(op))
        if not stopped.variables:
            return Reason(op, "stopped", path, (), seen.values, stopped)
        first = seen.initializers(op)
        changes = self._change("initialize", len(first), (op,), first=first) if first else ()
        return Reason(op, "waiting", path, changes, seen.values, stopped)

    def _live(self, seen: TrialRun) -> tuple[Change, ...]:
        """The conditions to feed so that a dead node computes, the outermost first; others may show up behind them."""
        given: dict[Tensor, bool] = {}
        while (death := seen.death(self.op)) is not None:
            pred = condition_of(self.graph.operations[death.switch].inputs[1])
            if death.code != "branch" or pred in given or seen.is_in_loop(pred.op) or not self.graph.is_feedable(pred):
                return ()
            given[pred] = death.params["side"] == "True"
            seen = TrialRun(list(self.elements), {**self.feeds, **given}, seen.session)
        if not given or not seen.computed(self.op):
            return ()
        return self._change("branch", len(given), (self.op,), given=given)

    def cuts(self) -> tuple[Change, ...]:
        """What keeps a node that runs from running."""
        graph = self.graph
        seen = self.seen(self.session or scratch_session(graph)) if self.is_known else None
        values = seen.values if seen is not None else {}

        def feedable(tensor: Tensor) -> bool:
            if seen is None or tensor not in values or not graph.is_feedable(tensor):
                return False
            is_plain = tensor.dtype.base_dtype is not dtypes.resource and tensor.op._context is None
            return is_plain and not seen.is_in_loop(tensor.op) and not self._is_written(tensor)

        found: list[Change] = []
        for cut in cuts(graph, self.elements, self.feeds, self.op, feedable):
            kinds = {kind for kind, _ in cut}
            of = {kind: tuple([what for its, what in cut if its == kind]) for kind in KINDS}
            given = {tensor: values[tensor] for tensor in of["feed"]}
            fetched = [element for element in self.elements if element not in of["unfetch"]]
            then = self._then(fetched, of["unwait"], {**self.feeds, **given})
            gone = tuple([op for op in graph.operations if op in self.told.asked and op not in then])
            found += self._change(
                cut[0][0] if len(kinds) == 1 else "cut",
                len(cut),
                gone,
                given=given,
                unwaited=of["unwait"],
                dropped=of["unfetch"],
            )
        return tuple(sorted(found, key=rank))

    def _is_written(self, tensor: Tensor) -> bool:
        """Whether a node of the run takes the tensor as a reference: a fed value is no variable."""
        return any(
            taken is tensor and taker.definition is not None and taker.definition.takes_reference(index)
            for taker in tensor.consumers()
            if taker in self.told.asked
            for index, taken in enumerate(taker.inputs)
        )

    def _then(self, elements: list[Element], unwaited: tuple[Any, ...], fed: Mapping[Tensor, Any]) -> set[Operation]:
        """The nodes that run after a cut."""
        copy = copied(self.graph)
        for waiting, waited in unwaited:
            copy.graph.remove_control_input(copy.of(waiting), copy.of(waited))
        asked = provenance(copy.graph, [copy.of(e) for e in elements], [copy.of(t) for t in fed]).asked
        return {self.graph.operations[op.id] for op in asked}

    def _change(self, kind: Kind, size: int, also: tuple[Operation, ...], **more: Any) -> tuple[Change, ...]:
        return (Change(kind, size, self.op, self.elements, self.feeds, also, **more),)


def _path_text(path: tuple[Operation, ...]) -> str:
    """The way in names; of a long one its two ends."""
    names = [shorten(op.name, 60) for op in path]
    if len(names) > 12:
        names = [*names[:6], "…", *names[-6:]]
    return " → ".join(names)


__all__ = ["UNKNOWN", "Change", "Copied", "Reason", "copied", "reasons", "why", "why_not"]
