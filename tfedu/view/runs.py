"""A few runs as a record: `runs_record(fetches, feed_dict, runs=3)`, in a session of their own.

What a widget shows without looking at the engine. No state.
"""

from __future__ import annotations

from typing import Any

from ..engine.runtime import trace
from .records import TraceRecord
from .traces import trace_record


def runs_record(
    fetches: Any, feed_dict: Any = None, *, runs: int = 3, schedule: Any = None, session: Any = None
) -> TraceRecord:
    """The record of `runs` runs; `schedule` and `session` as engine.runtime.trace.record takes them.

    Raises: TypeError, ValueError as Session.run does for wrong fetches and feeds.
    """
    return trace_record(trace.record(fetches, feed_dict, runs=runs, policy=schedule, session=session))
