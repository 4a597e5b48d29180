"""Runs that wait for a queue: `waited(attempt, node, store)` returns once the attempt has ended.

A run stops waiting when its session is closed, when its time limit is over, and at Ctrl-C. No state.
"""

from __future__ import annotations

import threading
from typing import Any, Final

from ..base import errors
from ..base.queue import Attempt

_SECONDS: Final = 0.05  # between two looks whether the run may go on waiting; Ctrl-C comes through in the meantime


def waited(attempt: Attempt, node: Any, store: Any) -> Attempt:
    """The attempt, once it has ended; one that is given up is cancelled.

    Raises: CancelledError when the session is closed, DeadlineExceededError when the time of the run is over.
    """
    if attempt.done:
        return attempt
    ended = threading.Event()
    attempt.tell(ended.set)
    try:
        while not attempt.done:
            store.check_open()
            left = store.seconds_left()
            if left == 0:
                raise _late(attempt)
            ended.wait(_SECONDS if left is None else min(_SECONDS, left))
    finally:
        if not attempt.done:
            attempt.cancel()
    return attempt


def _late(attempt: Attempt) -> errors.OpError:
    error = errors.DeadlineExceededError(None, None, "Timed out waiting for notification")
    error.fix = f"the run waited for the queue {attempt.queue.name}; timeout_in_ms of tf.RunOptions sets the time"
    return error


__all__ = ["waited"]
