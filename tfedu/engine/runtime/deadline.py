"""Deadlines: `deadline(milliseconds)` is a function that a run calls before every turn; after the time limit it raises.

A run without a deadline makes no such calls. No state.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TypeAlias

from ..base import errors

Check: TypeAlias = Callable[[], None]


def deadline(milliseconds: int) -> Check | None:
    """A check that raises DeadlineExceededError once the time is over, counted from now; None for no limit."""
    if milliseconds <= 0:
        return None
    end = monotonic() + milliseconds / 1000

    def check() -> None:
        if monotonic() > end:
            error = errors.DeadlineExceededError(None, None, "Timed out waiting for notification")
            error.fix = (
                f"the run took longer than {milliseconds} ms: a loop whose condition never gets False does not end; "
                "timeout_in_ms of tf.RunOptions, operation_timeout_in_ms of tf.ConfigProto set the time"
            )
            raise error

    return check
