"""Why a node runs or does not: `why(node, y)`; for a node that does not, also the smallest changes that make it run.

`print(why(up, y))` is the reason in words, `.path` the path from the fetch to the node. `why_not(up, y)` also has the smallest
changes that keep a running node from running. Each of `.changes` can be tried in a copy of the graph:
`fetches, feed_dict = change.apply(copy)`. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Final, Literal

from ...engine.base import dtypes
from ...engine.base.garbage_collection import collection_paused
from ...engine.graph.copies import Copied, copied
from ...engine.graph.elements import as_operation
from ...engine.graph.nodes import Operation, Tensor
from ...engine.ops.basic import PLACEHOLDERS
from ...engine.ops.control_flow import EXITS
from ...engine.replay.partitioned import on_one_device
from ...engine.replay.provenance import Code, provenance
from ...engine.replay.trace import graph_of_fetches, scratch_session
from ...engine.runtime.feeds import resolved
from ...engine.runtime.fetches import Structure
from ...engine.runtime.frames import frames_of, has_loops
from ...engine.runtime.prune import data_inputs, prune, waits_for
from ...engine.runtime.session import Session
from ...view.labels import shorten
from ...view.make.control_flow_boxes import condition_of, loop_name
from ...view.make.runs.trace_records import PATH, reasons
from ...view.messages import message
from ...view.records import DeathRecord, NoticeRecord, WhyRecord
from ..graph_walks import walk
from .awaited_transfers import waits_for_transfers
from .enclosing_contexts import dead_sides, within
from .minimal_cuts import KINDS, cuts
from .node_changes import Change, Element, Kind, changes_to_run, rank
from .trial_run import RunFailure, TrialRun, Unfinished

# Stands for an unknown fed value; reasons then use no values at all.
UNKNOWN: Final = object()

ReasonCode = Code | Literal["waiting", "stopped", "failed", "unfinished"]


@dataclass(frozen=True)
class Reason:
    """Why a node runs or does not.

    code: "fetched", "data" (a node needs its value), "control" (a node waits for it), "fed" (its value is fed) or "pruned" (no
    fetch needs it); with a session, which tries the run, also "waiting" (variables are uninitialized), "stopped" (another node
    failed before it), "failed" (it failed itself) or "unfinished": the try was given up after many turns, as a loop may never
    end, and whether the node computes is not known.
    path: the nodes from the fetch to this one. changes: what would flip it, the smallest first. known: values in this run.
    stopped: the failure that ended the run. is_dead: whether the node only had turns in which it computes nothing; death: the
    reason, if there is one for all of them. unfinished: the run that was given up. loops: what must end before the node has its
    turn, where no run has shown that it does.
    """

    node: Operation
    code: ReasonCode
    path: tuple[Operation, ...]
    changes: tuple[Change, ...] = field(default=())
    known: Mapping[Tensor, Any] = field(default_factory=dict, repr=False)
    stopped: RunFailure | None = None
    death: DeathRecord | None = None
    is_dead: bool = False
    unfinished: Unfinished | None = None
    loops: tuple[str, ...] = ()

    @property
    def runs(self) -> bool | None:
        """Whether the node runs; None where that is not known."""
        if self.unfinished is not None:
            return None
        return bool(self.path) and self.stopped is None

    @property
    def smallest(self) -> Change | None:
        """The smallest change that flips it; None if there is none."""
        return self.changes[0] if self.changes else None

    @property
    def flips(self) -> Literal["run", "compute", "stop"]:
        """The effect of the changes: the node runs, computes where it was dead, or stops running."""
        if self.runs is False:
            return "compute" if self.code == "failed" else "run"
        return "compute" if self.changes and self.changes[0].kind == "branch" else "stop"

    @property
    def consumer(self) -> Operation | None:
        """The node on the path that needs this one."""
        return self.path[-2] if len(self.path) > 1 else None

    def record(self) -> WhyRecord:
        """The reason as the record that traces have."""
        return WhyRecord(self.code, self._params, tuple([op.id for op in self.path[-PATH:]]))

    @property
    def _params(self) -> dict[str, str | int]:
        if self.unfinished is not None:
            return {"turns": self.unfinished.turns, "loops": names_text(self.unfinished.loops)}
        if self.stopped is None:
            return {}
        by = "" if self.stopped.by is None else self.stopped.by.name
        return {"by": by, "error": self.stopped.error, "variables": names_text(self.stopped.variables)}

    @property
    def around(self) -> list[NoticeRecord]:
        """The messages `why.<code>` for the branches and loops around the node."""
        after = [NoticeRecord("after_loop", {"loops": names_text(self.loops)})] if self.loops else []
        if self.runs:
            notices = [*waits_for_transfers(self.node, self.known), *within(self.node, self.known)]
            if self.is_dead and all(notice.code != "dead_branch" for notice in notices):
                notices.append(_dead_notice(self.death))
            return [*notices, *after]
        if self.node.type in PLACEHOLDERS and self.runs is False:
            return [NoticeRecord("placeholder", {"node": self.node.name})]
        return after

    @property
    def names(self) -> dict[str, str]:
        """The parameters of the message that name the path."""
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

    session: the run is tried on a copy of its values, which shows uninitialized variables, errors, dead branches and loops that
    do not end. Without it nothing is run: the reason is what the fetches need, and holds if no node fails before. In a session
    with several devices the reason is of the run's own graph, which has the transfers, and tells for which of them a node waits.
    Raises: TypeError and ValueError for wrong fetches and feeds, KeyError for an unknown name.
    """
    return _Question(node, fetches, feed_dict, session).reason()


def why_not(node: Any, fetches: Any, feed_dict: Any = None, session: Session | None = None) -> Reason:
    """As `why`; for a node that runs also the smallest changes that keep it from running.

    These are the fewest control edges to drop, tensors to feed or fetches to drop. A tensor is fed its value in this run, which
    is tried on a copy of the session's values, or with initialized variables.
    Raises: as `why`.
    """
    question = _Question(node, fetches, feed_dict, session)
    reason = question.reason()
    if reason.runs is False or reason.changes:
        return reason
    return replace(reason, changes=question.cuts())


class _Question:
    """A node and the run that it is asked about."""

    def __init__(self, node: Any, fetches: Any, feed_dict: Any, session: Session | None) -> None:
        self.graph = session.graph if session is not None else graph_of_fetches([fetches, node])
        self.op: Operation = as_operation(self.graph, node)
        if session is not None and session.placer.simulated:
            fetches, feed_dict, session = on_one_device(fetches, feed_dict, session)
            assert session is not None
            self.graph = session.graph
            self.op = self.graph.operations[self.op.id]  # a partition keeps the ids of the program's nodes
        structure = Structure(self.graph, fetches)
        feeds = resolved(self.graph, feed_dict)
        self.is_known = not any(value is UNKNOWN for value in feeds.values())
        self.feeds = {tensor: None if value is UNKNOWN else value for tensor, value in feeds.items()}
        self.elements: tuple[Element, ...] = (*structure.tensors, *structure.operations)
        self.provenance = provenance(self.graph, self.elements, self.feeds)
        self.session = session if self.is_known else None

    def trial(self, session: Session) -> TrialRun:
        """The run, tried on a copy of the session's values."""
        return TrialRun(list(self.elements), self.feeds, session)

    def reason(self) -> Reason:
        """Why the node runs or not; for one that does not, the changes that make it run."""
        op, feeds = self.op, self.feeds
        code: ReasonCode = self.provenance.code(op)
        if op not in self.provenance.needed_by:
            changes = changes_to_run(self.provenance, op, self.elements, feeds)
            return Reason(op, code, (), changes, feeds, loops=self._loops_before())
        path = self.provenance.path(op)
        if self.session is None:
            may_be_dead = self.is_known and dead_sides(op, feeds)
            changes = self._changes_to_live(self.trial(scratch_session(self.graph))) if may_be_dead else ()
            return Reason(op, code, path, changes, feeds, loops=self._loops_before())
        trial = self.trial(self.session)
        if trial.is_unknown(op):
            return Reason(op, "unfinished", path, (), trial.values, unfinished=trial.unfinished)
        failure = trial.failure
        if failure is None or trial.has_run(op):
            live = self._changes_to_live(trial)
            return Reason(op, code, path, live, trial.values, death=trial.death(op), is_dead=trial.is_dead(op))
        if not failure.variables:
            return Reason(op, "failed" if failure.by is op else "stopped", path, (), trial.values, failure)
        first = trial.initializers(op)
        changes = (self._change("initialize", len(first), (op,), first=first),) if first else ()
        return Reason(op, "failed" if failure.by is op else "waiting", path, changes, trial.values, failure)

    def _loops_before(self) -> tuple[str, ...]:
        """The loops whose end the node needs before it has its turn."""
        pruned = prune(self.graph, [self.op], self.feeds)
        if not has_loops(pruned):
            return ()
        frames = frames_of(pruned)
        return tuple(dict.fromkeys([loop_name(str(frames.of[op])) for op in pruned.operations if op.type in EXITS]))

    def _changes_to_live(self, trial: TrialRun) -> tuple[Change, ...]:
        """The conditions to feed so that a dead node computes, the outermost first; each may uncover another one."""
        sides: dict[Tensor, bool] = {}
        while (death := trial.death(self.op)) is not None:
            pred = condition_of(self.graph.operations[death.switch].inputs[1])
            if death.code != "branch" or pred in sides or trial.is_in_loop(pred.op) or not self.graph.is_feedable(pred):
                return ()
            sides[pred] = death.params["side"] == "True"
            trial = TrialRun(list(self.elements), {**self.feeds, **sides}, trial.session)
        if not sides or not trial.computed(self.op):
            return ()
        return (self._change("branch", len(sides), (self.op,), extra_feeds=sides),)

    @collection_paused()
    def cuts(self) -> tuple[Change, ...]:
        """The changes that keep a running node from running."""
        graph = self.graph
        trial = self.trial(self.session or scratch_session(graph)) if self.is_known else None

        def feedable(tensor: Tensor) -> bool:
            if trial is None or tensor.op._context is not None or tensor not in trial.values or not graph.is_feedable(tensor):
                return False
            is_plain = tensor.dtype.base_dtype is not dtypes.resource
            return is_plain and not trial.is_in_loop(tensor.op) and not self._is_written(tensor)

        changes: list[Change] = []
        for cut in cuts(self.elements, self.feeds, self.op, self.provenance.needed_by, feedable):
            edits = {kind: tuple([edited for edit, edited in cut if edit == kind]) for kind in KINDS}
            values_fed = {} if trial is None else {tensor: trial.values[tensor] for tensor in edits["feed"]}
            fetched = [element for element in self.elements if element not in edits["unfetch"]]
            needed = self._needed_after(fetched, edits["unwait"], frozenset({**self.feeds, **values_fed}))
            gone = tuple(sorted((op for op in self.provenance.needed_by if op not in needed), key=attrgetter("id")))
            kind = cut[0][0] if len({kind for kind, _ in cut}) == 1 else "cut"
            change = self._change(
                kind, len(cut), gone, extra_feeds=values_fed, unwaited=edits["unwait"], dropped=edits["unfetch"]
            )
            changes.append(change)
        return tuple(sorted(changes, key=rank))

    def _is_written(self, tensor: Tensor) -> bool:
        """Whether a node of the run takes the tensor as a reference, in place of which no value can be fed."""
        return tensor.dtype.is_ref and any(
            input_tensor is tensor and consumer.definition is not None and consumer.definition.is_reference_input(index)
            for consumer in tensor.consumers()
            if consumer in self.provenance.needed_by
            for index, input_tensor in enumerate(consumer.inputs)
        )

    @staticmethod
    def _needed_after(elements: list[Element], unwaited: tuple[Any, ...], fed: frozenset[Tensor]) -> Mapping[Operation, None]:
        """The nodes that run after a cut."""
        dropped = frozenset(unwaited)

        def needs(op: Operation) -> Iterator[Operation]:
            yield from data_inputs(op, fed)
            yield from (waited for waited in waits_for(op, fed) if (op, waited) not in dropped)

        return walk([e if isinstance(e, Operation) else e.op for e in elements if e not in fed], needs)

    def _change(self, kind: Kind, size: int, also: tuple[Operation, ...], **more: Any) -> Change:
        return Change(kind, size, self.op, self.elements, self.feeds, also, **more)


def _dead_notice(death: DeathRecord | None) -> NoticeRecord:
    """The message `why.<code>` about a node that is dead in its run. death: the reason, if there is one for all its turns."""
    if death is None:
        return NoticeRecord("dead", {})
    return NoticeRecord("dead_through" if death.code == "branch" else "dead_ended", death.params)


def names_text(names: Iterable[str]) -> str:
    """Names, separated by commas."""
    return ", ".join(shorten(name, 60) for name in names)


def _path_text(path: tuple[Operation, ...]) -> str:
    """The path in names; of a long one its two ends."""
    names = [shorten(op.name, 60) for op in path]
    if len(names) > 12:
        names = [*names[:6], "…", *names[-6:]]
    return " → ".join(names)


__all__ = ["UNKNOWN", "Change", "Copied", "Reason", "copied", "reasons", "why", "why_not"]
