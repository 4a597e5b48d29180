"""Deadlines: `deadline(milliseconds)` is a function that a run calls before every turn, with the node; after the limit it raises.

A run without a deadline makes no such calls. No state.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TypeAlias

from ..base import errors
from ..base import site as sites
from ..graph.nodes import Operation
from ..op.definition import role_of

Check: TypeAlias = Callable[[Operation | None], None]


def deadline(milliseconds: int) -> Check | None:
    """A check that raises DeadlineExceededError once the time is over, counted from now; None for no limit."""
    if milliseconds <= 0:
        return None
    end = monotonic() + milliseconds / 1000

    def check(op: Operation | None) -> None:
        if monotonic() > end:
            error = errors.DeadlineExceededError(None, None, "Timed out waiting for notification")
            error.fix = (
                f"the run took longer than {milliseconds} ms{_place(op)}: a loop whose condition never gets False does not end; "
                "timeout_in_ms of tf.RunOptions, operation_timeout_in_ms of tf.ConfigProto set the time"
            )
            raise error

    return check


def _place(op: Operation | None) -> str:
    """Where the run stopped: in a loop (its LoopCond), or before another node."""
    if op is None:
        return ""
    what = f"the loop {op.name.rpartition('/')[0]}" if role_of(op) == "loop_cond" else f"the node {op.name} ({op.type})"
    return f", and stopped at {what}" + (f", {sites.describe(op.site)}" if op.site is not None else "")
