"""The program's log: the messages of `tf.logging` and of the library itself.

    INFO:tensorflow:Restoring parameters from model.ckpt

One logger of the standard library, named "tensorflow" as TF's is, so that `logging.getLogger("tensorflow")` reaches it.
State: `_set_up`, whether the logger has its handler; `_counts`, the calls of `log_every_n` and `log_first_n` by line.
"""

from __future__ import annotations

import collections
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import logging

# the standard library's levels; its module takes milliseconds to load, so the first message loads it
DEBUG, INFO, WARN, ERROR, FATAL = 10, 20, 30, 40, 50

_set_up = False
_counts: collections.Counter[tuple[str, int]] = collections.Counter()


def get_logger() -> logging.Logger:
    """The logger named "tensorflow".

    It gets its own handler unless the program has set up logging. An interactive session (a notebook) gets INFO and above
    on standard output; a program gets warnings and above on standard error.
    """
    import logging

    global _set_up
    logger = logging.getLogger("tensorflow")
    if not _set_up:
        _set_up = True
        if not logging.getLogger().handlers:
            interactive = bool(getattr(sys, "ps1", None) or sys.flags.interactive)
            if interactive:
                logger.setLevel(INFO)
            handler = logging.StreamHandler(_Stream("stdout" if interactive else "stderr"))
            handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
            logger.addHandler(handler)
    return logger


class _Stream:
    """The current `sys.stdout` or `sys.stderr`, so that a captured output captures the log too."""

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, text: str) -> None:
        getattr(sys, self.name).write(text)

    def flush(self) -> None:
        getattr(sys, self.name).flush()


def _log(level: int, msg: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    # a formatter's %(filename)s names the caller of the public function
    get_logger().log(level, msg, *args, **{"stacklevel": 3, **kwargs})


def log(level: int, msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes `msg % args` at a level."""
    _log(level, msg, args, kwargs)


def vlog(level: int, msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes `msg % args` at a level."""
    _log(level, msg, args, kwargs)


def debug(msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes a message for debugging."""
    _log(DEBUG, msg, args, kwargs)


def info(msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes an informational message."""
    _log(INFO, msg, args, kwargs)


def warn(msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes a warning."""
    _log(WARN, msg, args, kwargs)


warning = warn


def error(msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes an error."""
    _log(ERROR, msg, args, kwargs)


def fatal(msg: object, *args: Any, **kwargs: Any) -> None:
    """Writes at the highest level; the program goes on."""
    _log(FATAL, msg, args, kwargs)


def TaskLevelStatusMessage(msg: object) -> None:
    """Writes an error."""
    _log(ERROR, msg, (), {})


def flush() -> None:
    """Raises: NotImplementedError, as in TF."""
    raise NotImplementedError()


def log_if(level: int, msg: object, condition: object, *args: Any) -> None:
    """Writes if the condition holds."""
    if condition:
        _log(level, msg, args, {})


def log_every_n(level: int, msg: object, n: int, *args: Any) -> None:
    """Writes at the first, the n+1st, the 2n+1st … call from one line of the program."""
    if _calls_before() % n == 0:
        _log(level, msg, args, {})


def log_first_n(level: int, msg: object, n: int, *args: Any) -> None:
    """Writes at the first n calls from one line of the program."""
    if _calls_before() < n:
        _log(level, msg, args, {})


def _calls_before() -> int:
    frame = sys._getframe(2)
    key = (frame.f_code.co_filename, frame.f_lineno)
    _counts[key] += 1
    return _counts[key] - 1


def get_verbosity() -> int:
    """The lowest level that is written."""
    return get_logger().getEffectiveLevel()


def set_verbosity(v: int) -> None:
    """Sets the lowest level that is written."""
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
