"""The program's log: what `tf.logging` writes, and what the library itself has to say while a program runs.

    INFO:tensorflow:Restoring parameters from model.ckpt

One logger of the standard library, named "tensorflow" as TF's is, so that `logging.getLogger("tensorflow")` reaches it.
State: `_set_up`, whether the logger has its handler; `_counts`, how often each line has logged by `every`/`first`.
"""

from __future__ import annotations

import collections
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import logging

# the standard library's levels; its module is loaded when something is logged, for it costs milliseconds
DEBUG, INFO, WARN, ERROR, FATAL = 10, 20, 30, 40, 50

_set_up = False
_counts: collections.Counter[tuple[str, int]] = collections.Counter()


def get_logger() -> logging.Logger:
    """The logger named "tensorflow".

    It gets a handler of its own unless the program has set up logging already. A session in which somebody types
    (a notebook) sees INFO and more on its standard output; a program sees warnings and more on its standard error.
    """
    import logging

    global _set_up
    logger = logging.getLogger("tensorflow")
    if not _set_up:
        _set_up = True
        if not logging.getLogger().handlers:
            typed = bool(getattr(sys, "ps1", None) or sys.flags.interactive)
            if typed:
                logger.setLevel(INFO)
            handler = logging.StreamHandler(_Stream("stdout" if typed else "stderr"))
            handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
            logger.addHandler(handler)
    return logger


class _Stream:
    """What `sys.stdout` or `sys.stderr` is at the time, so that a captured output captures the log too."""

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, text: str) -> None:
        getattr(sys, self.name).write(text)

    def flush(self) -> None:
        getattr(sys, self.name).flush()


def _say(level: int, msg: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    # the caller of the public function is what a formatter's %(filename)s has to name
    get_logger().log(level, msg, *args, **{"stacklevel": 3, **kwargs})


def log(level: int, msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes `msg % args` at a level."""
    _say(level, msg, args, kwargs)


def vlog(level: int, msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes `msg % args` at a level."""
    _say(level, msg, args, kwargs)


def debug(msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes what helps to find a mistake."""
    _say(DEBUG, msg, args, kwargs)


def info(msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes how things go."""
    _say(INFO, msg, args, kwargs)


def warn(msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes a warning."""
    _say(WARN, msg, args, kwargs)


warning = warn


def error(msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes an error."""
    _say(ERROR, msg, args, kwargs)


def fatal(msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes at the highest level; the program goes on."""
    _say(FATAL, msg, args, kwargs)


def TaskLevelStatusMessage(msg: object) -> None:
    """Writes an error."""
    _say(ERROR, msg, (), {})


def flush() -> None:
    """Raises: NotImplementedError, as in TF."""
    raise NotImplementedError()


def log_if(level: int, msg: object, condition: object, *args: Any) -> None:
    """Writes where the condition holds."""
    if condition:
        _say(level, msg, args, {})


def log_every_n(level: int, msg: object, n: int, *args: Any) -> None:
    """Writes at the first, the n+1st, the 2n+1st … call from one line of the program."""
    if _calls_before() % n == 0:
        _say(level, msg, args, {})


def log_first_n(level: int, msg: object, n: int, *args: Any) -> None:
    """Writes at the first n calls from one line of the program."""
    if _calls_before() < n:
        _say(level, msg, args, {})


def _calls_before() -> int:
    frame = sys._getframe(2)
    key = (frame.f_code.co_filename, frame.f_lineno)
    _counts[key] += 1
    return _counts[key] - 1


def get_verbosity() -> int:
    """The level from which on something is written."""
    return get_logger().getEffectiveLevel()


def set_verbosity(v: int) -> None:
    """Sets the level from which on something is written."""
    get_logger().setLevel(v)


__all__ = [
    "DEBUG",
    "ERROR",
    "FATAL",
    "INFO",
    "WARN",
    "TaskLevelStatusMessage",
    "debug",
    "error",
    "fatal",
    "flush",
    "get_logger",
    "get_verbosity",
    "info",
    "log",
    "log_every_n",
    "log_first_n",
    "log_if",
    "set_verbosity",
    "vlog",
    "warn",
    "warning",
]  # fmt: skip
