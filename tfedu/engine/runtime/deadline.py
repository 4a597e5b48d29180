"""Deadlines: `deadline(milliseconds)` is a function that a run calls before every turn, with the node; after the limit it raises.

Its `end` is the moment of time.monotonic() at which the limit is over, for kernels that wait. A run without a deadline makes no
such calls. No state.
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


class Deadline:
    """The check of a run with a time limit, counted from now."""

    def __init__(self, milliseconds: int) -> None:
        self.milliseconds = milliseconds
        self.end = monotonic() + milliseconds / 1000

    def __call__(self, op: Operation | None) -> None:
        """Raises: DeadlineExceededError once the time is over."""
        if monotonic() > self.end:
            error = errors.DeadlineExceededError(None, None, "Timed out waiting for notification")
            error.fix = (
                f"the run took longer than {self.milliseconds} ms{_place(op)}: a loop whose condition never gets False does not "
                "end; timeout_in_ms of tf.RunOptions, operation_timeout_in_ms of tf.ConfigProto set the time"
            )
            raise error


def deadline(milliseconds: int) -> Deadline | None:
    """The check of a run; None for no limit."""
    return Deadline(milliseconds) if milliseconds > 0 else None


def _place(op: Operation | None) -> str:
    """Where the run stopped: in a loop (its LoopCond), or before another node."""
    if op is None:
        return ""
    what = f"the loop {op.name.rpartition('/')[0]}" if role_of(op) == "loop_cond" else f"the node {op.name} ({op.type})"
    return f", and stopped at {what}" + (f", {sites.describe(op.site)}" if op.site is not None else "")
