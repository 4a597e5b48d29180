"""Traces: runs recorded step by step, for pictures, steppers and the terminal.

`record(fetches, feed_dict, runs=3)` runs a graph through the interpreter in a scratch session with initialized variables,
and records for each turn the ready nodes, the reads and writes, and the outputs. With `session` it starts from a copy of that
session's values. No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base import errors
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph
from ..graph.nodes import Tensor
from ..ops.transfers import carried
from ..runtime.place import Placer
from ..runtime.schedule import Policy, Schedule
from ..runtime.session import Session
from ..runtime.signature import Call
from ..runtime.store import Store
from ..runtime.waiting import Waits
from .recorder import MOST_TURNS, Output, Run, Step, Trace, run_traced
from .value_numbers import repeatable_copy, with_generators

VARIABLE_COLLECTIONS = ("variables", "local_variables")


def record(
    fetches: Any,
    feed_dict: Any = None,
    runs: int = 1,
    policy: Policy | None = None,
    session: Session | None = None,
    initialize: bool = True,
) -> Trace:
    """Runs `fetches` `runs` times in a scratch session and records every step.

    session: a session whose variables are copied; without it they are initialized.
    Raises: what `Session.run` raises for wrong fetches and feeds; a failing node is part of the trace.
    """
    graph = session.graph if session is not None else graph_of_fetches(fetches)
    scratch = scratch_session(graph, policy, session, initialize)
    call = scratch.prepare(fetches, feed_dict)
    trace = empty_trace(call)
    trace.wanted = runs
    store = with_generators(scratch.store)
    for _ in range(runs):
        trace.starts.append(repeatable_copy(store))
        trace_run(trace, call, trace.schedule, store)
        if trace.runs[-1].error is not None:
            break
    return trace


def empty_trace(call: Call) -> Trace:
    """A trace of a call's fetches and feeds, without runs."""
    signature = call.signature
    fed = dict(zip(signature.feeds, call.values))
    graph: Graph = signature.session.graph
    # The nodes of a partition have devices.
    speeds = signature.session.speeds if graph.original is not None else None
    return Trace(graph, labelled(signature.elements), fed, signature.schedule(), speeds=speeds)


def labelled(elements: Iterable[Any]) -> tuple[tuple[str, Any], ...]:
    """What a run fetches, each with its name; what a transfer brought has the name of the tensor that travelled."""
    return tuple([(carried(e).name if isinstance(e, Tensor) else e.name, e) for e in elements])


def trace_run(trace: Trace, call: Call, scheduled: Schedule, store: Store) -> None:
    """Adds one run of the call to a trace, in the order `scheduled` and with the variables of `store`."""
    signature = call.signature
    run, fetched = run_traced(scheduled, store, trace.fed, signature.computed, MOST_TURNS)
    if run.error is None:
        run.fetched = fetched_of(call, fetched)
    trace.runs.append(run)


def fetched_of(call: Call, computed: list[Any]) -> list[Any]:
    """The value of each fetched tensor of a call, from the computed ones; None for operations."""
    signature = call.signature
    by_element: dict[Any, Any] = dict(zip(signature.tensors, signature.with_fed(computed, call.values)))
    return [by_element.get(element) for element in signature.elements]


def scratch_session(
    graph: Graph, policy: Policy | None = None, session: Session | None = None, initialize: bool = True
) -> Session:
    """A new session on the graph, which computes on the host, with the values of `session` or with initialized variables."""
    scratch = Session(graph=graph, schedule=policy)
    scratch.noted = None  # recorded runs are no part of the program's history
    if session is not None:
        placer = session.placer
        if placer.allow_soft_placement:
            scratch.placer = Placer(allow_soft_placement=True, place_pruned_graph=placer.place_pruned_graph)
        scratch.store, scratch.speeds = session.store.copy(), session.speeds
    elif initialize:
        # In another session: the policy applies to the run alone, and a recorded order has no nodes of initializers.
        first = Session(graph=graph)
        first.noted = None
        for name in VARIABLE_COLLECTIONS:
            _initialize(first, graph.get_collection(name))
        scratch.store = first.store if first.store.gpu is None else first.store.copy()
    scratch.store.gpu = None  # its runs compute on the host
    scratch.store.waits = Waits(0.0, alone=True)
    return scratch


def _initialize(scratch: Session, variables: list[Any]) -> None:
    uninitialized = [v.initializer for v in variables if getattr(v, "initializer", None) is not None]
    # Repeated while some succeed: an initial value may depend on another variable.
    while uninitialized:
        failed = []
        for initializer in uninitialized:
            try:
                scratch.run(initializer)
            except errors.FailedPreconditionError:
                failed.append(initializer)
        if len(failed) == len(uninitialized):
            return
        uninitialized = failed


def graph_of_fetches(fetches: Any) -> Graph:
    """The graph of a nest of fetches; the default graph for names alone."""
    stack = [fetches]
    while stack:
        item = stack.pop()
        if isinstance(item, (list, tuple)):
            stack.extend(item)
        elif isinstance(item, dict):
            stack.extend(item.values())
        elif getattr(item, "graph", None) is not None:
            graph: Graph = item.graph
            return graph
    return get_default_graph()


__all__ = [
    "MOST_TURNS", "Output", "Run", "Step", "Trace", "empty_trace", "fetched_of", "graph_of_fetches", "labelled", "record",
    "scratch_session", "trace_run",
]  # fmt: skip
