"""A few runs as a record: `runs_record(fetches, feed_dict, runs=3)`, in a session of their own.

What a widget shows without looking at the engine. `schedule` may be text: "creation", "random(1)", or node ids as "3 1 2".
No state.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ..engine.runtime import trace
from ..engine.runtime.schedule import Policy, creation, random, replay
from .records import TraceRecord
from .traces import trace_record

_RANDOM: Final = re.compile(r"random\((\d{1,18})\)")


def runs_record(
    fetches: Any,
    feed_dict: Any = None,
    *,
    runs: int = 3,
    schedule: Policy | str | None = None,
    session: Any = None,
) -> TraceRecord:
    """The record of `runs` runs; from `session`'s values, or from initialized variables.

    Raises: TypeError, ValueError as Session.run does for wrong fetches and feeds, and for a schedule that is none.
    """
    policy = policy_of(schedule)
    return trace_record(trace.record(fetches, feed_dict, runs=runs, policy=policy, session=session))


def policy_of(schedule: Policy | str | None) -> Policy | None:
    """The policy that a text names.

    Raises: TypeError for what is neither, ValueError for a text that names none.
    """
    if schedule is None or isinstance(schedule, Policy):
        return schedule
    if not isinstance(schedule, str):
        raise TypeError(f"schedule must be a text such as 'random(1)', not {type(schedule).__name__}")
    if schedule.strip() in ("", "creation"):
        return creation()
    found = _RANDOM.fullmatch(schedule.strip())
    return random(int(found[1])) if found else replay(schedule)
