"""Event files: the stream of `Event` messages that TensorBoard reads. `EventFile` writes one, `summary_iterator` reads it.

    for event in summary_iterator("/tmp/log/events.out.tfevents.1450000000.host"):
        for value in event.summary.value: print(event.step, value.tag, value.simple_value)

No state but an EventFile's own.
"""

from __future__ import annotations

import contextlib
import os
import platform
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any, Final

from ..base import errors, proto
from ..base.errors import error_text
from . import gfile
from .tfrecord import record_bytes, tf_record_iterator

_VERSION: Final = "brain.Event:2"


def summary_iterator(path: Any) -> Iterator[Any]:
    """The Event messages of a file, one by one.

    Raises: the errors of `tf_record_iterator`; DataLossError for a record that is no Event.
    """
    for data in tf_record_iterator(path):
        try:
            event = proto.Event.FromString(data)
        except proto.DecodeError:
            raise errors.DataLossError(
                None, None, error_text(f"{os.fspath(path)}: a record is no Event")
            ) from None
        yield event


class EventFile:
    """Appends events to a new file in the folder `logdir`, which is created if it is missing.

    The first event creates the file; a file with a suffix is created at once. Events are flushed by the first event that comes
    `flush_secs` seconds after the last flush, by `flush` and by `close`; after `close`, nothing is written until `reopen`.
    Differs from TF: the thread that adds an event writes it, so there is no queue that `max_queue` could bound; an existing
    file is never overwritten.
    Raises: FailedPreconditionError when `logdir` is a file.
    """

    def __init__(
        self, logdir: Any, max_queue: int = 10, flush_secs: float = 120, filename_suffix: str | None = None
    ) -> None:
        self._logdir = str(logdir)
        if self._logdir and not gfile.isdir(self._logdir):
            if gfile.exists(self._logdir):
                raise errors.FailedPreconditionError(
                    None, None, error_text(f"{self._logdir} is not a directory")
                )
            gfile.makedirs(self._logdir)
        self._suffix = filename_suffix or ""
        self._flush_secs = flush_secs
        self._next_flush = 0.0
        self._lock = threading.Lock()
        self._closed = False
        self._file: Any = None
        self._finalizer: Any = None
        if self._suffix:
            self._open()

    def get_logdir(self) -> str:
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Appends an Event. Raises: TypeError for another message."""
        if getattr(getattr(event, "DESCRIPTOR", None), "name", None) != "Event":
            raise TypeError(
                error_text(f"an event file takes Event messages, got {type(event).__name__}: {event!r:.80}")
            )
        data = record_bytes(event.SerializeToString())
        with self._lock:
            if self._closed:
                return
            if self._file is None:
                self._open()
            self._write(data)
            now = time.time()
            if now > self._next_flush:
                self._flush()
                self._next_flush = now + self._flush_secs

    def flush(self) -> None:
        """Writes buffered events to the file."""
        with self._lock:
            if self._file is not None:
                self._flush()

    def close(self) -> None:
        """Flushes and closes the file."""
        with self._lock:
            self._closed = True
            file, self._file = self._file, None
            if file is not None:
                self._finalizer.detach()
                try:
                    file.close()
                except OSError as cause:
                    raise gfile.op_error(file.name, cause) from None

    def reopen(self) -> None:
        """After `close`: later events go to a new file in the same folder."""
        self._closed = False

    def _open(self) -> None:
        second = int(time.time())
        host = platform.node().replace("/", "_") or "localhost"
        while self._file is None:
            name = f"events.out.tfevents.{second:010d}.{host}{self._suffix}"
            path = os.path.join(gfile.local(self._logdir), name)
            try:
                self._file = open(path, "xb", buffering=1 << 16)  # noqa: SIM115 - `close` closes it
            except FileExistsError:
                second += 1  # another writer has taken the name of this second
            except OSError as cause:
                raise gfile.op_error(path, cause) from None
        try:
            self._write(record_bytes(proto.Event(wall_time=float(second), file_version=_VERSION).SerializeToString()))
            self._flush()
        except errors.OpError:
            # a file without its first event is no event file
            file, self._file = self._file, None
            with contextlib.suppress(OSError):
                file.close()
            with contextlib.suppress(OSError):
                os.remove(path)
            raise
        # closes the file when the program ends without `close`
        self._finalizer = weakref.finalize(self, self._file.close)

    def _write(self, data: bytes) -> None:
        try:
            self._file.write(data)
        except OSError as cause:
            raise gfile.op_error(self._file.name, cause) from None

    def _flush(self) -> None:
        try:
            self._file.flush()
        except OSError as cause:
            raise gfile.op_error(self._file.name, cause) from None


__all__ = ["EventFile", "summary_iterator"]
