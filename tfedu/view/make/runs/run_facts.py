"""What one run did at each node, as a record: `run_facts(trace)`, or `facts_of_run(y, feed_dict, graph=graph)` to run it first.

Facts of a node in a loop cover all its turns. A tf.RunMetadata of a traced run serves as a trace, too. No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any, Final

from ....engine.graph.graph import Graph
from ....engine.replay import trace
from ....engine.replay.recorder import Output, Step, Trace
from ....engine.runtime.config import RunMetadata
from ...records import Health, NodeFactsRecord, RunFactsRecord
from ..gradient_film import health
from ..graph_records import elements_text, value_text

TEXT: Final = 60
# Of several values the worst health counts.
_WORST: Final[tuple[Health, ...]] = ("nan", "inf", "zero", "tiny", "fine", "")


def facts_of_run(run: Any, feed_dict: Any = None, *, graph: Graph | None = None, session: Any = None) -> RunFactsRecord:
    """The facts of a Trace, of a RunMetadata, or of one run of these fetches in a session of its own.

    session: the run starts from its variables; without one they are initialized. graph: the run must be of this graph.
    Raises: ValueError for a run of another graph and for a RunMetadata without a trace; as Session.run does.
    """
    if isinstance(run, RunMetadata):
        traced: Trace | None = getattr(run, "trace")  # noqa: B009 - its fields are made from a table
        if traced is None:
            raise ValueError(
                "this RunMetadata holds no trace\n"
                "  fix: sess.run(fetches, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)"
            )
        run = traced
    if isinstance(run, Trace):
        if feed_dict is not None or session is not None:
            raise ValueError("feed_dict and session are for fetches that are still to be run, not for a run that is over")
        recorded = run
    else:
        with nullcontext() if graph is None else graph.as_default():  # a fetch may be a name
            recorded = trace.record(run, feed_dict, runs=1, session=session)
    if graph is not None and recorded.graph is not graph:
        raise ValueError("the run was of another graph than the one that is shown")
    return run_facts(recorded)


def is_over(run: Any) -> bool:
    """Whether this is a finished run, not fetches for one."""
    return isinstance(run, (Trace, RunMetadata))


def run_facts(run: Trace) -> RunFactsRecord:
    """The facts of the last run of a trace."""
    steps: dict[int, list[Step]] = {}
    for step in run.runs[-1].steps if run.runs else ():
        steps.setdefault(step.op.id, []).append(step)
    facts = {id: _facts(turns) for id, turns in steps.items()}
    for tensor, value in run.fed.items():
        if tensor.op.id not in facts:
            health_code = _health([value])
            size = int(getattr(value, "nbytes", 0))
            facts[tensor.op.id] = NodeFactsRecord(
                node=tensor.op.id,
                outcome="fed",
                turns=0,
                nanoseconds=0,
                bytes=size,
                health=health_code,
                values=(value_text(value, TEXT),),
            )
    return RunFactsRecord(tuple(label for label, _ in run.fetches), tuple(facts[id] for id in sorted(facts)))


def _facts(turns: list[Step]) -> NodeFactsRecord:
    ran = [step for step in turns if step.outcome == "ran"]
    last = (ran or turns)[-1]
    failed = any(step.outcome == "error" for step in turns)
    values = [output.value for step in ran for output in step.outputs if output.alias is None]
    return NodeFactsRecord(
        node=last.op.id,
        outcome="error" if failed else "ran" if ran else "dead",
        turns=len(ran),
        nanoseconds=sum(end - begin for begin, end in (step.times for step in ran)),
        bytes=sum(int(getattr(value, "nbytes", 0)) for value in values),
        health=_health(output.value for step in ran for output in step.outputs),
        values=tuple([_text(output) for output in last.outputs]),
    )


def _text(output: Output) -> str:
    if output.elements is not None:
        return elements_text(output.elements, TEXT)
    return "" if output.dead or output.value is None else value_text(output.value, TEXT)


def _health(values: Iterable[Any]) -> Health:
    kinds = {health(value) for value in values if value is not None}
    return next((kind for kind in _WORST if kind in kinds), "")


__all__ = ["facts_of_run", "is_over", "run_facts"]
