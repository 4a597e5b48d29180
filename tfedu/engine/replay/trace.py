"""Traces: a run told step by step, for pictures, steppers and the terminal.

`record(fetches, feed_dict, runs=3)` runs a graph in a scratch session whose variables are initialized, through the
interpreter, and notes for each turn what was ready, what was read and written and what came out. A session that is
named keeps its own values.
"""

from __future__ import annotations

from typing import Any

from ..base import errors
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph
from ..runtime.schedule import Policy, Schedule
from ..runtime.session import Session
from ..runtime.signature import Call
from ..runtime.store import Store
from .recorder import MOST_TURNS, Output, Run, Step, Trace, run_traced
from .value_numbers import again, with_generators

VARIABLE_COLLECTIONS = ("variables", "local_variables")


def record(
    fetches: Any,
    feed_dict: Any = None,
    runs: int = 1,
    policy: Policy | None = None,
    session: Session | None = None,
    initialize: bool = True,
) -> Trace:
    """Runs `fetches` some times in a scratch session and writes every step down.

    session: whose variables' values it starts from (a copy of them); else they are initialized.
    Raises: what `Session.run` raises for wrong fetches and feeds; a failing node is part of the trace.
    """
    graph = session.graph if session is not None else graph_of_fetches(fetches)
    scratch = scratch_session(graph, policy, session, initialize)
    call = scratch.prepare(fetches, feed_dict)
    trace = empty_trace(call)
    trace.wanted = runs
    store = with_generators(scratch.store)
    for _ in range(runs):
        trace.starts.append(again(store))
        trace_run(trace, call, trace.schedule, store)
        if trace.runs[-1].error is not None:
            break
    return trace


def empty_trace(call: Call) -> Trace:
    """A trace of what a call fetches and feeds, without a run."""
    signature = call.signature
    labels = tuple((element.name, element) for element in signature.elements)
    return Trace(signature.session.graph, labels, dict(zip(signature.feeds, call.values)), signature.schedule())


def trace_run(trace: Trace, call: Call, scheduled: Schedule, store: Store) -> None:
    """Adds one run to a trace: what it fetches and feeds is the call's, its order `scheduled`, its variables `store`."""
    signature = call.signature
    run, fetched = run_traced(scheduled, store, trace.fed, signature.computed, MOST_TURNS)
    if run.error is None:
        run.fetched = fetched_of(call, fetched)
    trace.runs.append(run)


def fetched_of(call: Call, computed: list[Any]) -> list[Any]:
    """What a call gives for each thing that is fetched, from the values of what is computed; None for operations."""
    signature = call.signature
    by_element: dict[Any, Any] = dict(zip(signature.tensors, signature.with_fed(computed, call.values)))
    return [by_element.get(element) for element in signature.elements]


def scratch_session(
    graph: Graph, policy: Policy | None = None, session: Session | None = None, initialize: bool = True
) -> Session:
    """A session of its own on the graph: with the values of `session`, or with its variables initialized."""
    scratch = Session(graph=graph, schedule=policy)
    scratch.noted = None  # who looks at a program is no part of it
    if session is not None:
        scratch.store = session.store.copy()
    elif initialize:
        # In a session of its own: the policy speaks of the run alone, and a noted order has no node of the initializers.
        first = Session(graph=graph)
        first.noted = None
        for name in VARIABLE_COLLECTIONS:
            _initialize(first, graph.get_collection(name))
        scratch.store = first.store
    return scratch


def _initialize(scratch: Session, variables: list[Any]) -> None:
    waiting = [v.initializer for v in variables if getattr(v, "initializer", None) is not None]
    # One after the other, and again while that helps: an initial value may come from another variable.
    while waiting:
        left = []
        for initializer in waiting:
            try:
                scratch.run(initializer)
            except errors.FailedPreconditionError:
                left.append(initializer)
        if len(left) == len(waiting):
            return
        waiting = left


def graph_of_fetches(fetches: Any) -> Graph:
    """The graph that any nest of fetches belongs to; the default graph where only names are given."""
    stack = [fetches]
    while stack:
        item = stack.pop()
        if isinstance(item, (list, tuple)):
            stack.extend(item)
        elif isinstance(item, dict):
            stack.extend(item.values())
        elif getattr(item, "graph", None) is not None:
            found: Graph = item.graph
            return found
    return get_default_graph()


__all__ = [
    "MOST_TURNS", "Output", "Run", "Step", "Trace", "empty_trace", "fetched_of", "graph_of_fetches", "record",
    "scratch_session", "trace_run",
]  # fmt: skip
