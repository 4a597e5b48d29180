"""Runs that wait for a queue: `waited(attempt, node, store)` returns once the attempt has ended.

A run stops waiting when its session is closed, when its time limit is over, at Ctrl-C, and when it can never go on: no other
thread is left that could put in what it waits for. `Waits` are the runs of one session that wait.
State: `Waits`, and `_idle`, the threads of the process that wait for another thread without a time limit.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from time import monotonic
from typing import Any, Final, Protocol

from ..base import errors, threads
from ..base.resources.attempts import Attempt, Meeting

ENVIRONMENT: Final = "TFEDU_STUCK_QUEUE_TIMEOUT_MS"
"""The environment variable for sessions whose ConfigProto sets no `stuck_queue_timeout_in_ms`."""

_DEFAULT: Final = 10_000  # ms: longer than a start of threads takes, shorter than a learner waits before he gives up
_SECONDS: Final = 0.05  # between two looks whether the run may go on waiting; Ctrl-C comes through in the meantime
# Threads of these packages run no program's sessions: they belong to Jupyter, to progress bars, debuggers and test runners.
_BYSTANDERS: Final = frozenset((
    "IPython", "_pydevd_bundle", "debugpy", "execnet", "ipykernel", "jupyter_client", "prompt_toolkit", "pydevd", "tornado",
    "tqdm", "xdist", "zmq",
))  # fmt: skip


_idle: set[int] = set()


@contextmanager
def idle() -> Iterator[None]:
    """A block in which this thread does nothing until another thread wakes it."""
    own = threading.get_ident()
    is_outer = own not in _idle
    _idle.add(own)
    try:
        yield
    finally:
        if is_outer:
            _idle.discard(own)


class Host(Protocol):
    """A session's store, as far as a wait needs it."""

    waits: Waits

    def check_open(self) -> None: ...
    def seconds_left(self) -> float | None: ...


class Waits:
    """threads: those that wait at a queue of the session. patience: seconds; None: wait for ever.

    alone: no other thread knows the session.
    """

    def __init__(self, patience: float | None = _DEFAULT / 1000, alone: bool = False) -> None:
        self.patience = patience
        self.alone = alone
        self.threads: set[int] = set()

    def nobody_else(self) -> bool:
        """Whether every other thread waits for another one, at any session's queue, or runs no session."""
        if self.alone:
            return True
        own = threading.get_ident()
        others = [thread for thread in threading.enumerate() if thread.ident != own and thread.ident not in _idle]
        return all(map(_is_bystander, others))


def patience_of(milliseconds: int) -> float | None:
    """The seconds that a run waits when nobody is left to end its wait; 0: what the environment says, -1: for ever.

    Raises: InvalidArgumentError for a setting that is no number of milliseconds.
    """
    setting = str(milliseconds) if milliseconds else os.environ.get(ENVIRONMENT, str(_DEFAULT))
    if not setting.removeprefix("-").isdecimal() or not setting.isascii():
        text = f"{ENVIRONMENT} must be a number of milliseconds, not {setting!r}"
        raise errors.InvalidArgumentError(None, None, errors.error_text(text))
    return None if int(setting) < 0 else int(setting) / 1000


def _is_bystander(thread: threading.Thread) -> bool:
    target = getattr(thread, "_target", None)
    modules = (type(thread).__module__, getattr(target, "__module__", None), type(getattr(target, "__self__", None)).__module__)
    return any((module or "").partition(".")[0] in _BYSTANDERS for module in modules)


def waited(attempt: Attempt, node: Any, store: Host) -> Attempt:
    """The attempt, once it has ended; one that is given up is cancelled.

    Raises: CancelledError when the session is closed; DeadlineExceededError when the time of the run is over, and when no
    thread is left that could end the wait.
    """
    if attempt.done:
        return attempt
    ended = threading.Lock()  # it is free once the attempt has ended; an Event costs several times as much
    ended.acquire()
    attempt.tell(ended.release)
    try:
        with waiting(store, lambda: [attempt.queue]) as check:
            while not attempt.done:
                ended.acquire(timeout=check())
    finally:
        if not attempt.done:
            attempt.cancel()
    return attempt


@contextmanager
def waiting(store: Host, where: Callable[[], Sequence[Meeting]]) -> Iterator[Callable[[], float]]:
    """A block in which this thread waits: before each wait it calls the function, which says how long to wait at most.

    where: gives what the run waits for. The function raises the error that ends the wait.
    """
    waits, own = store.waits, threading.get_ident()
    since: float | None = None
    is_first = waits.patience != 0

    def check() -> float:
        nonlocal since, is_first
        store.check_open()
        left = store.seconds_left()
        if left == 0:
            raise _late(where())
        if left is None and not threads.exist():
            raise stuck(where())
        if is_first:  # most waits end before they take long enough to ask whether they will
            is_first = False
        elif left is not None or waits.patience is None or not waits.nobody_else():
            since = None
        elif since is None:
            since = monotonic()
        elif monotonic() - since >= waits.patience:
            raise stuck(where(), waits.patience or None)
        return _SECONDS if left is None else min(_SECONDS, left)

    waits.threads.add(own)
    try:
        with idle() if store.seconds_left() is None else nullcontext():
            yield check
    finally:
        waits.threads.discard(own)


def _text(meetings: Sequence[Meeting]) -> str:
    return " and ".join(dict.fromkeys(map(str, meetings)))


def _late(meetings: Sequence[Meeting]) -> errors.OpError:
    error = errors.DeadlineExceededError(None, None, "Timed out waiting for notification")
    error.fix = (
        f"the run waited for {_text(meetings)}; timeout_in_ms of tf.RunOptions, "
        "operation_timeout_in_ms of tf.ConfigProto set the time"
    )
    return error


def stuck(meetings: Sequence[Meeting], patience: float | None = None) -> errors.OpError:
    """The error of a run that waits in vain, so many seconds where it was a real run."""
    error = errors.DeadlineExceededError(
        None, None,
        f"The run can never finish: node {{node}} waits for {_text(meetings)}, and no other thread runs that could change it",
    )  # fmt: skip
    error.fix = _remedy(meetings[0])
    if threads.exist() and patience is not None:
        error.fix += (
            f". The run waited {patience:g} s; stuck_queue_timeout_in_ms of tf.ConfigProto sets the time (-1: for ever, as "
            "TensorFlow does)"
        )
    return error


def _remedy(meeting: Meeting) -> str:
    """What lets a run go on that waits there."""
    if meeting.is_full:
        return "take elements out first, or give it a larger capacity"
    if not threads.exist():
        return f"run {meeting.filling} first: this Python has no threads, because it runs in a browser"
    if meeting.filling == Meeting.filling:
        return (
            "start the threads that fill the queue before the run: tf.train.start_queue_runners(sess), "
            f"or run {meeting.filling} first"
        )
    return f"run {meeting.filling} first, or meanwhile in another thread"


__all__ = ["ENVIRONMENT", "Waits", "idle", "patience_of", "stuck", "waited", "waiting"]
