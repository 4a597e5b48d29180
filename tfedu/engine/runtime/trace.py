"""Traces: a run told step by step, for pictures, steppers and the terminal.

`record(fetches, feed_dict, runs=3)` runs a graph in a scratch session whose variables are initialized, through the
interpreter, and notes for each turn what was ready, what was read and written and what came out. A session that is
named keeps its own values.
"""

from __future__ import annotations

from typing import Any, Final

from ..base import errors
from ..graph.graph import Graph
from ..graph.stacks import get_default_graph
from .recorder import Output, Run, Step, Trace, run_traced
from .schedule import Policy
from .session import Session

VARIABLE_COLLECTIONS = ("variables", "local_variables")
# Nobody looks at more turns of one run; a loop that never ends is told by its first ones.
MOST_TURNS: Final = 50_000


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
    signature = call.signature
    labels = tuple((e.name, e) for e in signature.elements)
    fed = dict(zip(signature.feeds, call.values))
    trace = Trace(graph, labels, fed, signature.schedule())
    for _ in range(runs):
        run, fetched = run_traced(trace.schedule, scratch.store, fed, signature.computed, MOST_TURNS)
        if run.error is None:
            by_element: dict[Any, Any] = dict(
                zip(signature.tensors, signature.with_fed(fetched, call.values))
            )
            run.fetched = [by_element.get(e) for _, e in labels]
        trace.runs.append(run)
        if run.error is not None:
            break
    return trace


def scratch_session(
    graph: Graph, policy: Policy | None = None, session: Session | None = None, initialize: bool = True
) -> Session:
    """A session of its own on the graph: with the values of `session`, or with its variables initialized."""
    scratch = Session(graph=graph, schedule=policy)
    if session is not None:
        scratch.store = session.store.copy()
    elif initialize:
        for name in VARIABLE_COLLECTIONS:
            _initialize(scratch, graph.get_collection(name))
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


__all__ = ["Output", "Run", "Step", "Trace", "graph_of_fetches", "record", "scratch_session"]
