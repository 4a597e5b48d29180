"""`tf.logging`: the program's log, written as `INFO:tensorflow:…`."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.base.log import (
    DEBUG, ERROR, FATAL, INFO, TaskLevelStatusMessage, WARN, debug, error, fatal, flush, get_verbosity, info, log,
    log_every_n, log_first_n, log_if, set_verbosity, vlog, warn, warning,
)  # fmt: skip

__all__ = [
    "DEBUG", "ERROR", "FATAL", "INFO", "TaskLevelStatusMessage", "WARN", "debug", "error", "fatal",
    "flush", "get_verbosity", "info", "log", "log_every_n", "log_first_n", "log_if", "set_verbosity",
    "vlog", "warn", "warning",
]  # fmt: skip
