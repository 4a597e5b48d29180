"""Deadlines: `deadline(milliseconds)` gives what a run calls again and again, and what ends it when its time is over.

A run without a deadline asks nothing, and costs nothing. No state.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TypeAlias

from ..base import errors

Check: TypeAlias = Callable[[], None]


def deadline(milliseconds: int) -> Check | None:
    """What raises DeadlineExceededError when so many milliseconds have gone by from now on; None where there is no limit."""
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
