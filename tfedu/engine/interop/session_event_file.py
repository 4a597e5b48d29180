"""`FileWriter(logdir, session=sess)`: an event file to which nodes of the session's graph write, as tf.contrib.summary does.

State: the nodes that this module adds to the graph, in the scope `filewriter`.
"""

from __future__ import annotations

from typing import Any

from ..base import dtypes
from ..graph.atomic import atomic
from ..lib.framework.placeholders import placeholder_with_default
from ..lib.summaries.summary_writers import create_file_writer, import_event
from ..op.constant import constant


class SessionEventFile:
    """Has the methods of `EventFile`; each runs a node in the session, so that the session's own summaries share the file."""

    def __init__(
        self, session: Any, logdir: Any, max_queue: int = 10, flush_secs: float = 120, filename_suffix: str | None = None
    ) -> None:
        self._session = session
        self._logdir = str(logdir)
        self._closed = False
        with session.graph.as_default():
            self._build(max_queue, flush_secs, filename_suffix)
        session.run(self._open)

    @atomic
    def _build(self, max_queue: int, flush_secs: float, suffix: str | None) -> None:
        with self._session.graph.name_scope("filewriter"):
            writer: Any = create_file_writer(self._logdir, max_queue, int(flush_secs * 1000), suffix)
            with writer.as_default():
                self._event = placeholder_with_default(constant("unused", dtypes.string), shape=[])
                self._add = import_event(self._event)
            self._open, self._flush, self._close = writer.init(), writer.flush(), writer.close()

    def get_logdir(self) -> str:
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Appends an Event, unless the file is closed."""
        if not self._closed:
            self._session.run(self._add, feed_dict={self._event: event.SerializeToString()})

    def flush(self) -> None:
        """Writes buffered events to the file."""
        self._session.run(self._flush)

    def close(self) -> None:
        """Flushes and closes the file."""
        if not self._closed:
            self.flush()
            self._session.run(self._close)
            self._closed = True

    def reopen(self) -> None:
        """After `close`: later events go to a new file in the same folder."""
        if self._closed:
            self._session.run(self._open)
            self._closed = False
