"""A few runs as a record: `runs_record(fetches, feed_dict, runs=3)`, in a session of their own.

Widgets use it, since they do not import the engine; `traced_runs` is the trace itself, for later questions.
`schedule` may be text: "creation", "random(1)", or node ids as "3 1 2". No state.
"""

from __future__ import annotations

from typing import Any

from ...engine.replay import trace
from ...engine.replay.recorder import Trace
from ...engine.runtime.schedule import Policy, policy_of
from ..records import TraceRecord
from .runs.trace_records import trace_record


def runs_record(
    fetches: Any,
    feed_dict: Any = None,
    *,
    runs: int = 3,
    schedule: Policy | str | None = None,
    session: Any = None,
) -> TraceRecord:
    """The record of `runs` runs, which start from `session`'s variables, or from initialized ones.

    Raises: TypeError, ValueError as Session.run does for wrong fetches and feeds, and for a wrong schedule.
    """
    return trace_record(traced_runs(fetches, feed_dict, runs=runs, schedule=schedule, session=session))


def traced_runs(
    fetches: Any,
    feed_dict: Any = None,
    *,
    runs: int = 3,
    schedule: Policy | str | None = None,
    session: Any = None,
) -> Trace:
    """The trace of `runs` runs, as in runs_record.

    Raises: as runs_record.
    """
    policy = policy_of(schedule)
    return trace.record(fetches, feed_dict, runs=runs, policy=policy, session=session)
