"""What the engine does in `Session.run`: `passes_record(fetches, feed_dict)` has each pass, with a reason for each node.

The passes are the session's stages (session.stages) and what compiling the plan did. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from ...engine.graph.nodes import Operation, Tensor
from ...engine.replay import trace
from ...engine.replay.partitioned import on_one_device
from ...engine.replay.plan_report import Fate, node_fates
from ...engine.runtime.place import Placed
from ...engine.runtime.plans.compile import Plan
from ...engine.runtime.prune import data_inputs, waits_for
from ...engine.runtime.schedule import Policy, Schedule, policy_of
from ..labels import shorten
from ..records import FateRecord, FetchRecord, Params, PassCode, PassesRecord, PassRecord, WhyRecord
from .graph_records import complete, record_of, value_text
from .runs.trace_records import reasons

NAME: Final = 48
VALUE: Final = 80
LISTED: Final = 6  # so many nodes that share an array are named


def passes_record(
    fetches: Any, feed_dict: Any = None, *, schedule: Policy | str | None = None, session: Any = None
) -> PassesRecord:
    """The passes of `session.run(fetches, feed_dict)`, from the second run on; runs nothing.

    session: the session whose plan it is; without one a new session.
    Raises: TypeError, ValueError as Session.run does for wrong fetches and feeds, and what a stage raises (a cycle, an
    unknown device).
    """
    fetches, feed_dict, session = on_one_device(fetches, feed_dict, session)
    graph = session.graph if session is not None else trace.graph_of_fetches(fetches)
    scratch = trace.scratch_session(graph, policy_of(schedule), session, initialize=False)
    call = scratch.prepare(fetches, feed_dict)
    _, placed, scheduled, _ = scratch.stages(fetches, feed_dict)
    # The second request gets the plan that the second run would use, compiled for values of these shapes.
    plan = scratch.stages(fetches, feed_dict)[3]
    elements = call.signature.elements
    story = _Story(len(graph.operations))
    story.add("whole", {})
    whys = reasons(graph, elements, call.signature.feeds)
    needed = set(placed.pruned.operations)
    names = {op.id: op.name for op in graph.operations}
    story.add("prune", {op: _why(op, whys[op.id], names, op not in needed) for op in graph.operations})
    story.add("place", {op: _placed(op, placed) for op in placed.pruned.operations})
    turns = {op: turn for turn, op in enumerate(scheduled.order, 1)}
    note = "" if scheduled.frames is None else "overlap" if scheduled.in_run else "loops"
    story.add("order", {op: _ordered(op, turns, scheduled) for op in scheduled.order}, note)
    if isinstance(plan, Plan):
        _tell_plan(story, plan)
    else:
        story.add("write", {}, "interpreted", {"reason": plan.code, **plan.params})
    return PassesRecord(
        graph=record_of(complete(graph)),
        fetches=tuple([_fetch(element) for element in elements]),
        passes=tuple(story.passes),
        order=tuple([op.id for op in scheduled.order]),
        plan=tuple(plan.source.split("\n")) if isinstance(plan, Plan) else (),
    )


class _Story:
    """The passes so far, and how many nodes are left."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes
        self.passes: list[PassRecord] = []

    def add(
        self, code: PassCode, fates: Mapping[Operation, FateRecord], note: str = "", params: Params | None = None
    ) -> None:
        before = self.left
        self.left -= sum(fate.leaves for fate in fates.values())
        self.passes.append(PassRecord(code, before, self.left, tuple(fates.values()), note, params or {}))


def _fetch(element: Tensor | Operation) -> FetchRecord:
    if isinstance(element, Operation):
        return FetchRecord(element.name, element.name, element.id, None)
    return FetchRecord(element.name, element.name, element.op.id, element.index)


def _why(op: Operation, why: WhyRecord, names: Mapping[int, str], leaves: bool) -> FateRecord:
    consumer = why.path[-2] if len(why.path) > 1 else op.id
    path = " → ".join(shorten(names[id], NAME) for id in why.path)
    return FateRecord(op.id, why.code, leaves, {"node": op.name, "consumer": names[consumer], "path": path, **why.params})


def _placed(op: Operation, placed: Placed) -> FateRecord:
    params: Params = {"node": op.name, "device": placed.device_of(op)}
    if op.device:
        return FateRecord(op.id, "asked", False, {**params, "wanted": op.device})
    return FateRecord(op.id, "only", False, params)


def _ordered(op: Operation, turns: Mapping[Operation, int], scheduled: Schedule) -> FateRecord:
    params: Params = {"node": op.name, "turn": turns[op]}
    frame = None if scheduled.frames is None else scheduled.frames.of.get(op)
    if frame is not None and frame.outer is not None:
        return FateRecord(op.id, "loop", False, {**params, "frame": str(frame)})
    fed = frozenset(scheduled.placed.pruned.fed)
    above = [turns[source] for source in (*data_inputs(op, fed), *waits_for(op, fed)) if source in turns]
    last = max((turn for turn in above if turn < turns[op]), default=0)
    if not last:
        return FateRecord(op.id, "first", False, params)
    return FateRecord(op.id, "after", False, {**params, "other": scheduled.order[last - 1].name})


# -- the plan --------------------------------------------------------------------------------------------------------


def _tell_plan(story: _Story, plan: Plan) -> None:
    line_fates = node_fates(plan)
    values = plan.folded.values

    def of(kinds: tuple[str, ...], make: Callable[[Operation, Fate], FateRecord]) -> dict[Operation, FateRecord]:
        return {op: make(op, fate) for op, fate in line_fates.items() if fate.kind in kinds}

    def known(op: Operation, _: Fate) -> FateRecord:
        texts = ", ".join(value_text(values[tensor], VALUE) for tensor in op.outputs if tensor in values)
        return FateRecord(op.id, "known", True, {"node": op.name, "value": shorten(texts, VALUE)})

    def line(op: Operation, fate: Fate) -> FateRecord:
        params: Params = {"node": op.name}
        if fate.lines:
            params["lines"] = ", ".join(str(number + 1) for number in fate.lines[:8])
        if fate.other is not None:
            params["other"] = fate.other.name
        code: str = "part" if fate.kind == "loop" else fate.kind
        return FateRecord(op.id, "checked" if code == "same" and fate.lines else code, False, params, fate.lines)

    story.add("known", of(("known",), known))
    story.add("needless", of(("needless",), lambda op, _: FateRecord(op.id, "needless", True, {"node": op.name})))
    alike = {op: fate for op, fate in line_fates.items() if fate.kind == "same" and not fate.lines}
    merged = {op: replace(line(op, fate), leaves=True) for op, fate in alike.items()}
    arrays = _arrays(line_fates)
    shared = {op: fate for array in arrays for op, fate in _shared(array)}
    counts: Params = {"nodes": sum(map(len, arrays)), "arrays": len(arrays)}
    story.add("fuse", {**merged, **shared}, "arrays" if arrays else "apart", counts)
    removed = ("known", "needless")
    rest = {op: line(op, fate) for op, fate in line_fates.items() if fate.kind not in removed and op not in merged}
    note = "plan" if plan.schedule.frames is None else "plan_loops"
    story.add("write", rest, note, {"n": len(plan.line_of)})


def _arrays(line_fates: Mapping[Operation, Fate]) -> list[list[Operation]]:
    """For each array that several nodes write their results into, one after the other, these nodes."""
    arrays: dict[Operation, list[Operation]] = {}
    array_of: dict[Operation, list[Operation]] = {}
    for op, fate in line_fates.items():
        if fate.kind != "into" or fate.other is None:
            continue
        maker = fate.other.op
        while maker not in array_of and (before := line_fates[maker]).kind == "same" and before.other is not None:
            maker = before.other.op
        array = array_of.get(maker) or arrays.setdefault(maker, [maker])
        array.append(op)
        array_of[op] = array
    return list(arrays.values())


def _shared(array: list[Operation]) -> Iterator[tuple[Operation, FateRecord]]:
    first, *others = array
    names = " → ".join(shorten(op.name, NAME) for op in others[:LISTED]) + (" → …" if len(others) > LISTED else "")
    yield first, FateRecord(first.id, "array", False, {"node": first.name, "nodes": names})
    for op in others:
        yield op, FateRecord(op.id, "in_array", False, {"node": op.name, "other": first.name})


__all__ = ["passes_record"]
