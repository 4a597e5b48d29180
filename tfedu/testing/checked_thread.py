"""A thread whose error fails the test that joins it."""

from __future__ import annotations

import threading
import unittest
from collections.abc import Callable
from typing import Any


class CheckedThread:
    """A thread that stores the error of its function; `join` fails the test with it."""

    def __init__(self, case: unittest.TestCase, target: Callable[..., object], args: Any, kwargs: Any) -> None:
        self._case = case
        self._target, self._args, self._kwargs = target, args or (), kwargs or {}
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._error: BaseException | None = None
        self._is_joined = False

    def _run(self) -> None:
        try:
            self._target(*self._args, **self._kwargs)
        except BaseException as error:
            self._error = error

    def start(self) -> None:
        self._thread.start()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def join(self) -> None:
        self._is_joined = True
        self._thread.join()
        if self._error is not None:
            self._case.fail(f"Error in checkedThread: {self._error}")

    def check_termination(self) -> None:
        """Fails the test if the thread is running or was never joined."""
        if self._is_joined:
            return
        if self.is_alive():
            self._case.fail("A checked thread was not joined, and runs on after its test.")
        if self._thread.ident is not None:
            self._case.fail("A checked thread was not joined.")
