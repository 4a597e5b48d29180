"""Branches: recorded runs repeated up to a turn, with one change there. `branched(trace, Applied(run, turn, change))`.

The turns before the change are the same to the last bit: the same values and random numbers. After it the run continues
by the same policy, and the later runs follow. A change is `SetValue` or `SetVariable` (another value), `Choose`
(another ready node takes the next turn), `AddControl` or `CutControl` (on a copy of the graph). An impossible
change raises a ForkError that says why. No state; the trace is not changed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base import errors
from ..graph.copies import copied
from ..graph.graph import Graph
from ..graph.nodes import Operation
from ..runtime.frames import is_back_edge
from ..runtime.place import Placed
from ..runtime.prune import Pruned, prune
from ..runtime.schedule import Policy, Schedule, creation, guided, schedule
from .accesses import writes_files
from .recorder import Run, Trace
from .rerun import (
    AddControl,
    Applied,
    Change,
    Choose,
    CutControl,
    ForkError,
    NodeMap,
    RepeatedRun,
    SetValue,
    SetVariable,
    listed,
)
from .value_numbers import ValueNumbers, repeatable_copy


def branched(trace: Trace, applied: Applied, earlier: Sequence[Applied] = ()) -> Trace:
    """The trace of the same runs, changed from that turn on.

    earlier: the changes that led to `trace` itself, in their order.
    Raises: ForkError for a change that is impossible there, IndexError for a missing turn.
    """
    index, turn, change = applied.run, applied.turn, applied.change
    _check(trace, index, turn)
    names = trace.runs[index].turns[:turn]
    graph = trace.graph
    if isinstance(change, (AddControl, CutControl)):
        graph = _rewired(trace, names, change)
    node_map = NodeMap(graph)
    rewired = any(isinstance(one.change, (AddControl, CutControl)) for one in (*earlier, applied))
    fetches = tuple([(label, node_map.of(element)) for label, element in trace.fetches])
    new_trace = Trace(graph, fetches, {node_map.of(tensor): value for tensor, value in trace.fed.items()}, trace.schedule)
    new_trace.wanted, new_trace.speeds = trace.wanted, trace.speeds
    new_trace.runs = trace.runs[:index]
    new_trace.starts = trace.starts[: index + 1]
    store = repeatable_copy(trace.starts[index])
    changes = [one for one in (*earlier, applied) if one.run == index]
    while True:
        run_at = len(new_trace.runs)
        old = trace.runs[min(run_at, len(trace.runs) - 1)]
        scheduled = _scheduled(trace, new_trace, names, old.turns) if rewired else trace.schedule
        if run_at == index:
            new_trace.schedule = scheduled
        policy = _policy(scheduled, old.turns)
        run, values = RepeatedRun(scheduled, policy, store, new_trace, node_map).go(names, changes)
        if run_at == index:
            _check_same(old, run, turn)
        new_trace.keep_fetched(run, values)
        new_trace.runs.append(run)
        if run.error is not None or len(new_trace.runs) == new_trace.wanted:
            return new_trace
        new_trace.starts.append(repeatable_copy(store))
        names, changes = [], []


def _check(trace: Trace, index: int, turn: int) -> None:
    if not trace.starts:
        raise ForkError("not_kept")
    if not 0 <= index < len(trace.runs):
        raise IndexError(f"there are runs 0 to {len(trace.runs) - 1}, and no run {index}")
    run = trace.runs[index]
    turns = len(run.turns)
    if not 0 <= turn <= turns:
        raise IndexError(f"run {index} has {turns} turns, and no turn {turn}")
    if run.error is not None and turn == turns:
        raise ForkError("ended")
    for op in trace.schedule.order:
        if writes_files(op):
            raise ForkError("file", node=op.name, type=op.type)


def _rewired(trace: Trace, ran: Sequence[str], change: AddControl | CutControl) -> Graph:
    """A copy of the graph with one control edge added or removed."""
    nodes = trace.graph.operations
    first, then = nodes[change.first.id], nodes[change.then.id]
    is_there = first in then.waits
    past = {int(name.partition(":")[0]) for name in ran}
    if isinstance(change, AddControl):
        if is_there:
            raise ForkError("waits_already", node=then.name, first=first.name)
        path = _path(first, then)
        if path:
            names = " → ".join(op.name for op in (*path, then))
            raise ForkError("cycle", node=then.name, first=first.name, path=names)
    elif not is_there:
        code = "no_edge" if then.waits else "no_edge_none"
        raise ForkError(code, node=then.name, first=first.name, waits=listed(then.waits))
    for op, code in ((then, "late"), (first, "late_first")):
        if op.id in past:
            raise ForkError(code, node=op.name)
    if then not in trace.schedule.placed.pruned.needed_by:
        raise ForkError("needless", node=then.name)
    copy = copied(trace.graph)
    rewire = copy.graph.add_control_input if isinstance(change, AddControl) else copy.graph.remove_control_input
    rewire(copy.of(then), copy.of(first))
    return copy.graph


def _path(end: Operation, start: Operation) -> list[Operation]:
    """The nodes on a path from `start` to `end`; none where there is no path."""
    next_node: dict[Operation, Operation | None] = {end: None}
    stack = [end]
    while stack:
        at = stack.pop()
        if at is start:
            path = [at]
            while (following := next_node[path[-1]]) is not None:
                path.append(following)
            return path
        for source in (*(t.op for t in at.inputs), *at.waits):
            if source not in next_node and not is_back_edge(source, at):
                next_node[source] = at
                stack.append(source)
    return []


def _scheduled(trace: Trace, new_trace: Trace, ran: Sequence[str], turns: Sequence[str]) -> Schedule:
    """The schedule on a changed graph: the nodes that it needs, and those that ran before the change without being needed now."""
    graph, base = new_trace.graph, trace.schedule
    elements = [element for _, element in new_trace.fetches if element not in new_trace.fed]
    targets = [element if isinstance(element, Operation) else element.op for element in elements]
    pruned = prune(graph, targets, new_trace.fed)
    past = [graph.operations[int(name.partition(":")[0])] for name in ran]
    extra = dict.fromkeys([op for op in past if op not in pruned.needed_by])
    if extra:
        operations = tuple(sorted((*pruned.operations, *extra), key=lambda op: op.id))
        pruned = Pruned(graph, pruned.targets, pruned.fed, operations, {**pruned.needed_by, **dict.fromkeys(extra)})
    policy = base.policy
    if policy.name != "creation" and not base.in_run:
        policy = guided(turns, "guided")
    try:
        return schedule(Placed(pruned), policy)
    except errors.OpError as error:
        raise ForkError("broken", error=error.message) from None


def _policy(scheduled: Schedule, turns: Sequence[str]) -> Policy:
    """The policy of the run: in a graph without loops the schedule's order; a recorded order as far as it is legal."""
    if not scheduled.in_run:
        return creation()
    return guided(turns, "guided") if scheduled.policy.name == "replay" else scheduled.policy


def _check_same(old: Run, new: Run, turns: int) -> None:
    """Checks that the repeated turns are the same: a Python function of the program may differ. Raises: ForkError."""
    number_of = ValueNumbers()
    old_steps = [step for step in old.steps if step.outcome != "changed"][:turns]
    new_steps = [step for step in new.steps if step.outcome != "changed"][:turns]
    for old_step, new_step in zip(old_steps, new_steps):
        if old_step.outcome != new_step.outcome or any(
            isinstance(a.value, (np.ndarray, np.generic, bytes, str)) and number_of(a.value) != number_of(b.value)
            for a, b in zip(old_step.outputs, new_step.outputs)
        ):
            raise ForkError("other", node=old_step.op.name, type=old_step.op.type)


__all__ = [
    "AddControl", "Applied", "Change", "Choose", "CutControl", "ForkError", "SetValue", "SetVariable", "branched",
]  # fmt: skip
