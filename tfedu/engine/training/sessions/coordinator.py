"""Threads that stop together: each asks `coord.should_stop()`, any may call `coord.request_stop()`, one `join`s them all.

    coord = tf.train.Coordinator()
    threads = [threading.Thread(target=work, args=(coord,)) for _ in range(4)]
    for t in threads: t.start()
    coord.join(threads)          # raises the first error that a thread has reported

State: of a Coordinator, whether a stop was requested, the first error reported, the threads registered.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from ...base import log, threads
from ...base.errors import OutOfRangeError, error_text
from ...runtime.waiting import idle


class Coordinator:
    """Asks threads to stop, waits for them, and raises the first error that one of them reports.

    clean_stop_exception_types: errors that stop the threads but are not raised; by default OutOfRangeError, the end of input.
    """

    def __init__(self, clean_stop_exception_types: Iterable[type[BaseException]] | None = None) -> None:
        self._clean = (OutOfRangeError,) if clean_stop_exception_types is None else tuple(clean_stop_exception_types)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._joined = False
        self._threads: set[threading.Thread] = set()

    def request_stop(self, ex: Any = None) -> None:
        """Asks all threads to stop. ex: the reason, an exception or a sys.exc_info() triple; `join` raises the first one.

        Raises: ex itself when `join` has already returned.
        """
        with self._lock:
            error = None if ex is None else _as_exception(ex)
            if isinstance(error, self._clean):
                error = None
            if self._joined and error is not None:
                raise error
            if self._stop.is_set():
                return
            if error is not None and self._error is None:
                log.info("Error reported to Coordinator: %s, %s", type(error), error)
                self._error = error
            self._stop.set()

    def clear_stop(self) -> None:
        """Clears the request to stop and the reported error: the coordinator can be used again."""
        with self._lock:
            self._joined = False
            self._error = None
            self._stop.clear()

    def should_stop(self) -> bool:
        """Whether a stop was requested."""
        return self._stop.is_set()

    @contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """`with coord.stop_on_exception():` an exception inside becomes a request to stop."""
        try:
            yield
        except BaseException:
            self.request_stop(ex=sys.exc_info())

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Waits until a stop is requested, at most `timeout` seconds; returns whether one was."""
        with idle() if timeout is None else nullcontext():
            return self._stop.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Adds a thread for which `join` waits."""
        with self._lock:
            self._threads.add(thread)

    def join(
        self,
        threads: Iterable[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Waits until the threads have ended, or until the grace period after a request to stop is over.

        Raises: the first reported error; RuntimeError when threads are alive after the grace period and not ignored.
        """
        with self._lock:
            joined_threads = list(self._threads.union(threads or ()))
        while any(thread.is_alive() for thread in joined_threads) and not self._stop.wait(_TICK):
            pass
        end = time.monotonic() + stop_grace_period_secs
        for thread in joined_threads:
            while thread.is_alive() and (left := end - time.monotonic()) > 0:
                thread.join(min(left, _TICK))
        alive = " ".join(thread.name for thread in joined_threads if thread.is_alive())
        with self._lock:
            self._joined = True
            self._threads = set()
            if self._error is not None:
                raise self._error
        if alive and ignore_live_threads:
            log.info("Coordinator stopped with threads still running: %s", alive)
        elif alive:
            fix = "let their loops ask coord.should_stop(), or give join a longer stop_grace_period_secs"
            raise RuntimeError(
                error_text(f"Coordinator stopped with threads still running: {alive}", fix=fix)
            )

    @property
    def joined(self) -> bool:
        """Whether `join` has returned."""
        return self._joined

    def raise_requested_exception(self) -> None:
        """Raises the first reported error, if there is one."""
        with self._lock:
            if self._error is not None:
                raise self._error


# interval at which `join` checks whether its threads have ended, in seconds
_TICK = 0.1


def _as_exception(ex: Any) -> BaseException:
    """The exception `ex`, or that of a sys.exc_info() triple with its traceback; a ValueError for anything else."""
    if isinstance(ex, tuple):
        if len(ex) == 3 and ex[0] and isinstance(ex[1], BaseException):
            return ex[1].with_traceback(ex[2])
    elif isinstance(ex, BaseException):
        return ex
    return ValueError(error_text(f"ex must be a tuple or sys.exc_info must return the current exception: {ex}"))


class LooperThread(threading.Thread):
    """A thread that calls `run_loop` until its coordinator asks to stop.

    timer_interval_secs: seconds between two starts; None: no pause. Subclasses may override start_loop, run_loop, stop_loop.
    Raises: ValueError for a coordinator of another type, and for arguments without a target.
    """

    def __init__(
        self,
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any] | None = None,
        args: Iterable[Any] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        if not isinstance(coord, Coordinator):
            raise ValueError(error_text(f"'coord' argument must be a Coordinator: {coord}"))
        if target is None and (args or kwargs):
            raise ValueError(error_text("'args' and 'kwargs' argument require that you also pass 'target'"))
        super().__init__(daemon=True)
        self._coord = coord
        self._interval = timer_interval_secs
        self._target_function = target
        self._arguments = tuple(args or ()), dict(kwargs or {})
        coord.register_thread(self)

    @staticmethod
    def loop(
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any],
        args: Iterable[Any] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> LooperThread:
        """Starts and returns a thread that calls target(*args, **kwargs) repeatedly."""
        looper = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def start(self) -> None:
        """Starts the loop. Raises: UnimplementedError in a Python without threads (in a browser)."""
        threads.needed("A LooperThread", "call the function in your own loop")
        super().start()

    def run(self) -> None:
        with self._coord.stop_on_exception():
            self.start_loop()
            if self._interval is None:
                while not self._coord.should_stop():
                    self.run_loop()
            else:
                due = time.monotonic()
                while not self._coord.wait_for_stop(max(0.0, due - time.monotonic())):
                    due += self._interval
                    self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Called before the first iteration."""

    def stop_loop(self) -> None:
        """Called after the last iteration."""

    def run_loop(self) -> None:
        """One iteration: calls the target."""
        if self._target_function is not None:
            args, kwargs = self._arguments
            self._target_function(*args, **kwargs)


__all__ = ["Coordinator", "LooperThread"]
